//! Writes a copy of a study that can be given away. It reveals no machine, no user and none of their secrets.
//!
//! Costs, symbols and relative paths stay. Every field of the facts is taken apart here, so that a new one must be
//! decided upon.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use crate::error::StudyError;
use crate::file::bodies::body;
use crate::file::bodies::body::{Budget, SeriesLayout};
use crate::file::bodies::calls;
use crate::file::bodies::loops;
use crate::file::container::log::Access;
use crate::file::records::facts::{Extent, Facts, FeatureFacts, RunFacts, SeriesBody, WorkloadFacts};
use crate::file::records::record::{FACTS_PER_RECORD, Record, RunRecord};
use crate::file::study_file::{NewStudy, StudyFile};
use crate::observed::loops::{LoopFunction, LoopInput, ProgramLoop};
use crate::observed::series::{Place, Series};
use crate::program::call::{Call, FunctionName};
use crate::program::command::{Command, CommandPiece};
use crate::program::location::{Function, Location};
use crate::runs::feature::Definition;
use crate::runs::sampled::{Part, Sampled, SampledPlace};
use crate::runs::warning::{Warning, WarningKind};
use crate::runs::workload::{LargerRun, Outcome, WorkloadId};

/// Text in place of one that is left out.
const LEFT_OUT: &str = "left out of this copy of the study";

/// Word in place of one that is left out.
const WORD: &str = "…";

/// Folders of installed files. Analyses tell these from the project's own.
const INSTALLED: [&str; 8] = ["usr", "opt", "lib", "lib64", "nix", "snap", "Library", "rustc"];

/// Writes a redacted copy of the study at `source` to `target`. Occurrences of `names`, of users and machines, are
/// replaced everywhere except in symbols.
///
/// # Errors
/// Fails like [`StudyFile::open`] and [`StudyFile::load`]; [`StudyError::Exists`] if `target` exists.
pub fn redact(source: &Path, target: &Path, names: &[String]) -> Result<(), StudyError> {
    let study = StudyFile::open(source, Access::Read)?;
    let words = Words { names, root: &study.facts.root, ..Words::default() };
    let new = NewStudy::new(words.last_component(&study.facts.program), "");
    let mut copy = StudyFile::draft(target, &new, false)?;
    Redaction { study: &study, copy: &mut copy, words, budget: Budget::of_file(study.log.length()) }
        .write()?;
    copy.publish()?;
    copy.close()
}

/// Replaces paths and names, each always by the same.
#[derive(Default)]
struct Words<'a> {
    names: &'a [String],
    /// Folder that an earlier version recorded; empty if none.
    root: &'a str,
    /// Paths outside the root, and their replacements.
    elsewhere: BTreeMap<String, String>,
}

impl Words<'_> {
    /// Returns a path relative to the root; a path elsewhere is replaced by a number.
    fn path(&mut self, path: &str) -> String {
        if !path.starts_with('/') {
            return self.without_names(path);
        }
        let below = Path::new(path).strip_prefix(self.root).ok().filter(|_| !self.root.is_empty());
        if let Some(below) = below {
            return self.without_names(&below.to_string_lossy());
        }
        let number = self.elsewhere.len() + 1;
        let installed =
            INSTALLED.iter().find(|folder| Path::new(path).starts_with(Path::new("/").join(folder)));
        let folder = installed.map(|folder| format!("/{folder}")).unwrap_or_default();
        let replaced = || format!("{folder}/elsewhere/{number}");
        self.elsewhere.entry(path.to_owned()).or_insert_with(replaced).clone()
    }

    fn shared_path(&mut self, path: &Arc<str>) -> Arc<str> {
        Arc::from(self.path(path))
    }

    /// Returns a text without the names of users and machines.
    fn without_names(&self, text: &str) -> String {
        self.names
            .iter()
            .filter(|name| !name.is_empty())
            .fold(text.to_owned(), |text, name| text.replace(name, WORD))
    }

    fn last_component(&self, path: &str) -> String {
        self.without_names(path.rsplit('/').next().unwrap_or_default())
    }
}

struct Redaction<'a> {
    study: &'a StudyFile,
    copy: &'a mut StudyFile,
    words: Words<'a>,
    budget: Budget,
}

impl Redaction<'_> {
    fn write(&mut self) -> Result<(), StudyError> {
        let Facts {
            is_begun: _,
            program: _,
            root: _,
            command,
            unit,
            origin,
            objects: _,
            places,
            sources: _,
            warnings,
            // A user's formulas are texts with comments, and constants are of no use without them.
            calibration: _,
            features,
            workloads,
            larger,
            latencies,
            notes: _,
            calls,
            functions_with_calls: _,
            run_ids: _,
        } = &self.study.facts;
        if let Some(Command::Template(template)) = command {
            let template = self.template(template);
            self.copy.append(Record::Template(template))?;
        }
        self.copy.set_unit(unit)?;
        if let Some(format) = origin {
            self.copy.append(Record::Origin(format.clone()))?;
        }
        let kinds: BTreeSet<&WarningKind> =
            warnings.iter().map(|Warning { kind, message: _ }| kind).collect();
        let kinds = kinds.into_iter().cloned();
        self.copy.add_warnings(&kinds.map(|kind| Warning::new(kind, LEFT_OUT)).collect::<Vec<_>>())?;
        let declared: Vec<&FeatureFacts> = features.iter().filter(|feature| feature.is_declared).collect();
        let definitions = declared.iter().map(|feature| self.feature(feature)).collect();
        self.copy.append(Record::Features(definitions))?;
        self.places(places.iter().map(|record| record.count))?;
        let names = workload_names(workloads, &declared, &mut self.words);
        for ((_, facts), name) in workloads.iter().zip(&names) {
            self.workload(name, facts, &declared)?;
        }
        if let Some(LargerRun { workload: _, fingerprint: _, values, timing }) = larger {
            let (workload, fingerprint) = ("larger".to_owned(), String::new());
            let (values, timing) = (values.clone(), timing.clone());
            self.copy.set_larger_run(LargerRun { workload, fingerprint, values, timing })?;
        }
        self.copy.set_latencies(latencies.clone())?;
        if let Some((count, extent)) = calls {
            let bytes = self.study.body(*extent, "calls", &mut self.budget)?;
            let read = calls::calls(&bytes, *count, &mut self.budget);
            let read = read.map_err(|bad| self.study.bad_body(bad, "a record of calls"))?;
            let calls: Vec<Call> = read.into_iter().map(|call| self.call(call)).collect();
            self.copy.set_calls(&calls)?;
        }
        Ok(())
    }

    /// Returns the command with nothing but the program's name and the placeholders.
    fn template(&self, words: &[Vec<CommandPiece>]) -> Vec<Vec<CommandPiece>> {
        let piece = |is_program: bool| {
            move |piece: &CommandPiece| match piece {
                CommandPiece::Text(text) if is_program => CommandPiece::Text(self.words.last_component(text)),
                CommandPiece::Text(_) => CommandPiece::Text(WORD.to_owned()),
                CommandPiece::Placeholder(name) => CommandPiece::Placeholder(name.clone()),
            }
        };
        words.iter().enumerate().map(|(i, word)| word.iter().map(piece(i == 0)).collect()).collect()
    }

    /// Returns a feature. A definition that is a user's text is left out: the values are then given.
    fn feature(&mut self, feature: &FeatureFacts) -> (String, Definition) {
        let FeatureFacts { name, definition, is_declared: _ } = feature;
        let definition = match definition {
            Definition::Size
            | Definition::Lines
            | Definition::Parameter(_)
            | Definition::Given
            | Definition::InputSize(_) => definition.clone(),
            Definition::Location(place) => match place.rsplit_once(':') {
                Some((file, line)) => Definition::Location(format!("{}:{line}", self.words.path(file))),
                None => Definition::Given,
            },
            Definition::Path(_)
            | Definition::Stdout(_)
            | Definition::Stderr(_)
            | Definition::File { .. }
            | Definition::Command(_) => Definition::Given,
        };
        (name.clone(), definition)
    }

    /// Writes the places in the same number of records as before, because counts name places by position.
    fn places(&mut self, records: impl Iterator<Item = [u32; 2]>) -> Result<(), StudyError> {
        let places = self.study.places()?;
        let functions: Vec<Function> =
            places.functions.into_iter().map(|function| self.function(function)).collect();
        let locations: Vec<Location> =
            places.locations.into_iter().map(|location| self.location(location)).collect();
        let (mut functions, mut locations) = (functions.as_slice(), locations.as_slice());
        for count in records {
            let (of_functions, of_locations);
            (of_functions, functions) = functions.split_at(count[0] as usize);
            (of_locations, locations) = locations.split_at(count[1] as usize);
            let of_functions: Vec<&Function> = of_functions.iter().collect();
            let of_locations: Vec<(u32, &Location)> =
                of_locations.iter().map(|l| (l.function.0, l)).collect();
            let (body, bytes) = self.copy.packed(&body::of_places(&of_functions, &of_locations))?;
            let first = self.copy.facts.positions();
            self.copy.append_with(Record::Places { first, count, bytes }, &body)?;
        }
        Ok(())
    }

    fn function(&mut self, function: Function) -> Function {
        let Function { symbol, file, line, signature } = function;
        Function { symbol, file: self.words.path(&file), line, signature }
    }

    fn location(&mut self, location: Location) -> Location {
        let Location { function, kind, block, file, line, lines, label } = location;
        let (file, label) = (self.words.shared_path(&file), self.words.shared_path(&label));
        Location { function, kind, block, file, line, lines, label }
    }

    fn workload(
        &mut self,
        name: &str,
        facts: &WorkloadFacts,
        declared: &[&FeatureFacts],
    ) -> Result<(), StudyError> {
        let WorkloadFacts {
            command: _,
            input,
            fingerprint: _,
            runs,
            values: _,
            series,
            loops,
            timing,
            sampled,
            is_retired,
        } = facts;
        let values: Vec<(String, Option<f64>)> =
            declared.iter().map(|feature| (feature.name.clone(), facts.value(&feature.name))).collect();
        for (repetition, run) in runs {
            let RunFacts { id: _, outcome, usage, stderr_tail: _, counts } = run;
            let record = RunRecord {
                id: crate::identity::random(),
                workload: name.to_owned(),
                command: String::new(),
                input: input.as_ref().map(|input| self.words.path(input)),
                fingerprint: String::new(),
                repetition: *repetition,
                outcome: outcome_without_reason(outcome),
                usage: *usage,
                stderr_tail: String::new(),
                values: Vec::new(),
                has_counts: counts.is_some(),
            };
            let mut counted = Vec::new();
            if let Some(extent) = counts {
                self.study.read_extent(*extent, &mut counted)?;
            }
            self.copy.append_with(Record::Run(Box::new(record)), &counted)?;
        }
        for some in values.chunks(FACTS_PER_RECORD) {
            self.copy.append(Record::Values { workload: name.to_owned(), values: some.to_vec() })?;
        }
        if let Some(series) = series {
            self.series(name, series)?;
        }
        if let Some((count, extent)) = loops {
            self.loops(name, *count, *extent)?;
        }
        if let Some(timing) = timing {
            self.copy.set_timing(name, timing.clone())?;
        }
        if let Some(sampled) = sampled {
            let sampled = self.sampled(sampled);
            self.copy.set_sampled(name, sampled)?;
        }
        if *is_retired {
            self.copy.append(Record::Retired { workloads: vec![name.to_owned()], is_retired: true })?;
        }
        Ok(())
    }

    fn series(&mut self, name: &str, series: &SeriesBody) -> Result<(), StudyError> {
        let SeriesBody { count, layout, extent } = *series;
        let bytes = self.study.body(extent, "series", &mut self.budget)?;
        let read = body::series(&bytes, count, layout, WorkloadId(0), &mut self.budget);
        let mut read = read.map_err(|bad| self.study.bad_body(bad, "a record of series"))?;
        for Series { place, variables: _, unit, workload: _, observations: _ } in &mut read {
            let Place { kind: _, symbol: _, object, context: _, line: _ } = place;
            *object = self.words.path(object);
            if layout == SeriesLayout::Routines {
                *unit = self.study.facts.unit.clone();
            }
        }
        self.copy.set_series(name, &read)
    }

    fn loops(&mut self, name: &str, count: u32, extent: Extent) -> Result<(), StudyError> {
        let bytes = self.study.body(extent, "loops", &mut self.budget)?;
        let read = loops::decode_loops(&bytes, count, &mut self.budget);
        let mut read = read.map_err(|bad| self.study.bad_body(bad, "a record of loops"))?;
        for LoopFunction { symbol: _, object, file, line: _, parameters: _, loops, calls: _ } in &mut read {
            (*object, *file) = (self.words.path(object), self.words.path(file));
            for one in loops {
                let ProgramLoop {
                    line: _,
                    parent: _,
                    inputs,
                    exits: _,
                    is_conditional: _,
                    constant_trips: _,
                    is_uncounted: _,
                    stated: _,
                    observations: _,
                    total: _,
                } = one;
                for LoopInput { name, kind: _, counter_of: _, value: _, is_limit: _ } in inputs {
                    // The probe describes an input without a name by its place.
                    if let Some((what, file)) = name.split_once(" at ") {
                        *name = format!("{what} at {}", self.words.path(file));
                    }
                }
            }
        }
        self.copy.set_loops(name, &read)
    }

    fn sampled(&mut self, sampled: &Sampled) -> Sampled {
        let Sampled { usage, period, lost, places } = sampled;
        let mut place = |SampledPlace { part, line, samples }: &SampledPlace| {
            let part = match part {
                Part::Function { name, file } => {
                    Part::Function { name: name.clone(), file: self.words.path(file) }
                }
                Part::Library(name) => Part::Library(self.words.path(name)),
            };
            SampledPlace { part, line: *line, samples: *samples }
        };
        let places = places.iter().map(&mut place).collect();
        Sampled { usage: *usage, period: *period, lost: *lost, places }
    }

    fn call(&mut self, call: Call) -> Call {
        let Call { caller, file, line, callee, sites } = call;
        let mut function = |FunctionName { name, file }: FunctionName| {
            let file = self.words.shared_path(&file);
            FunctionName { name, file }
        };
        let (caller, callee) = (function(caller), function(callee));
        Call { caller, file: self.words.shared_path(&file), line, callee, sites }
    }
}

fn outcome_without_reason(outcome: &Outcome) -> Outcome {
    match outcome {
        Outcome::NoCounts { reason: _ } => Outcome::NoCounts { reason: LEFT_OUT.to_owned() },
        Outcome::NotStarted { reason: _ } => Outcome::NotStarted { reason: LEFT_OUT.to_owned() },
        Outcome::Finished | Outcome::Failed { .. } | Outcome::Crashed { .. } | Outcome::TimedOut => {
            outcome.clone()
        }
    }
}

/// Returns new names of the workloads: the input's relative path and the parameters that are numbers, or a number.
/// Other parameters are words of command lines.
fn workload_names(
    workloads: &BTreeMap<String, WorkloadFacts>,
    declared: &[&FeatureFacts],
    words: &mut Words<'_>,
) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let mut name = |(i, facts): (usize, &WorkloadFacts)| {
        let mut parts: Vec<String> = facts.input.iter().map(|input| words.path(input)).collect();
        for feature in declared {
            if let (Definition::Parameter(name), Some(value)) =
                (&feature.definition, facts.value(&feature.name))
            {
                parts.push(format!("{name}={value}"));
            }
        }
        let mut name = parts.join(" ");
        if name.is_empty() || !taken.insert(name.clone()) {
            name = format!("w{:04}", i + 1);
            taken.insert(name.clone());
        }
        name
    };
    workloads.values().enumerate().map(&mut name).collect()
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;
    use crate::file::bodies::loops::tests::triangle;
    use crate::file::study_file::{ObjectRecord, Origin};
    use crate::file::tests::recorded::{Folder, function, location, run, workload};
    use crate::observed::loops::LoopInputKind;
    use crate::observed::series::{Observation, Variable};
    use crate::program::location::Symbol;
    use crate::runs::machine::{Calibration, Constant, ConstantMeasurement, Machine};
    use crate::runs::unit::Unit;
    use crate::runs::usage::Usage;
    use crate::runs::workload::{MemoryLatency, Timing};
    use crate::study::source_text::SourceText;

    /// Makes numbered secrets.
    #[derive(Default)]
    struct Secrets(usize);

    impl Secrets {
        fn next(&mut self) -> String {
            self.0 += 1;
            format!("zq{:02}secret", self.0)
        }

        fn found_in(&self, bytes: &[u8]) -> Vec<usize> {
            let is_in = |i: &usize| {
                let secret = format!("zq{i:02}secret").into_bytes();
                bytes.windows(secret.len()).any(|window| window == secret)
            };
            (1..=self.0).filter(is_in).collect()
        }
    }

    /// Returns the bytes of a file, followed by all that is compressed in it.
    fn unpacked(path: &Path) -> Vec<u8> {
        let bytes = std::fs::read(path).unwrap();
        let mut all = bytes.clone();
        for at in 0..bytes.len() {
            if bytes[at..].starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
                let mut decoder = zstd::Decoder::new(&bytes[at..]).unwrap().single_frame();
                let _ = decoder.read_to_end(&mut all);
            }
        }
        all
    }

    #[test]
    fn a_copy_has_the_costs_and_none_of_the_secrets() {
        let folder = Folder::new();
        let mut secrets = Secrets::default();
        let mut s = || secrets.next();
        let names = [s(), s()];
        let new = NewStudy::new(format!("/home/{}/bin/sort", s()), format!("/home/{}/src", s()));
        let root = new.root.clone();
        let mut file = StudyFile::create(&folder.study(), &new).unwrap();
        let piece = |text: String| CommandPiece::Text(text);
        let placeholder = || CommandPiece::Placeholder("n".to_owned());
        let words = vec![
            vec![piece(format!("/opt/{}/sort", s()))],
            vec![piece(format!("--password={}", s()))],
            vec![piece(format!("--{}=", s())), placeholder()],
        ];
        file.set_command(&Command::Template(words)).unwrap();
        file.set_origin(&Origin { format: "lcov".to_owned(), unit: Unit::new("executions") }).unwrap();
        file.add_objects(&[ObjectRecord { path: format!("/build/{}.gcno", s()), stamp: 3 }]).unwrap();
        file.add_warnings(&[
            Warning::new(WarningKind::Excluded, s()),
            Warning::new(WarningKind::Excluded, s()),
        ])
        .unwrap();
        file.add_sources(&[SourceText { file: "a.c".to_owned(), text: s() }]).unwrap();
        let definition = [
            ("n", Definition::Parameter("n".to_owned())),
            ("out", Definition::Stdout(s())),
            ("err", Definition::Stderr(s())),
            ("path", Definition::Path(s())),
            ("file", Definition::File { path: s(), pattern: s() }),
            ("command", Definition::Command(vec!["sh".to_owned(), s()])),
            ("line", Definition::Location(format!("{root}/b.c:3"))),
        ];
        let definitions: Vec<_> = definition.into_iter().map(|(name, d)| (name.to_owned(), d)).collect();
        file.declare_features(&definitions).unwrap();
        let outside = Function { file: format!("/usr/include/{}.h", s()), ..function("outside") };
        let inside = Function { file: format!("{root}/b.c"), ..function("inside") };
        let functions = [function("f"), outside, inside];
        let mut locations = [location(3), location(4), location(5)];
        for (i, location) in locations.iter_mut().enumerate() {
            location.function = crate::FunctionId(i as u32);
            location.file = functions[i].file.as_str().into();
        }
        locations[1].label = format!("/usr/include/{}:4", s()).into();
        file.intern(&functions[..1], &locations[..1]).unwrap();
        file.intern(&functions, &locations).unwrap();
        for n in [1.0, 2.0] {
            let mut one = workload(&format!("n={n} {}", s()), &s());
            one.command = s();
            let counts = [n as u64, 20 * n as u64, 7];
            let values = [("n".to_owned(), Some(n)), ("out".to_owned(), Some(n + 1.0))];
            file.record(&one, &run(0, Outcome::Finished), Some(&counts), &values).unwrap();
        }
        let of_file = workload(&format!("inputs/x {}", s()), "f");
        let of_file = crate::Workload { input: Some(format!("/data/{}/x", s())), ..of_file };
        let mut failed = run(0, Outcome::NoCounts { reason: s() });
        failed.stderr_tail = s();
        file.record(&of_file, &failed, None, &[]).unwrap();
        let name = file.run_states()[1].workload.clone();
        let observation = Observation { count: 2, sum: 8, ..Observation::at(5) };
        let program = format!("/opt/{}/sort", s());
        let series = Series::of_routine(Symbol::plain("sort"), &program, Variable::Rms, vec![observation]);
        file.set_series(&name, std::slice::from_ref(&series)).unwrap();
        let mut loops = triangle();
        (loops.object, loops.file) = (format!("/opt/{}", s()), format!("/home/{}.c", s()));
        loops.loops[0].inputs[0].kind = LoopInputKind::Unnamed;
        loops.loops[0].inputs[0].name = format!("a value at /home/{}.c:3", s());
        file.set_loops(&name, &[loops]).unwrap();
        let timing = Timing { machine_memory_bytes: 7, runs: vec![Usage::default()] };
        file.set_timing(&name, timing.clone()).unwrap();
        let values = vec![("n".to_owned(), 9.0)];
        file.set_larger_run(LargerRun { workload: s(), fingerprint: s(), values, timing }).unwrap();
        file.set_latencies(vec![MemoryLatency { working_set_bytes: 1, nanoseconds: 2.0 }]).unwrap();
        let point =
            ConstantMeasurement { bytes: 1, seconds: 1.0, low: 1.0, high: 1.0, agreeing: 1, measured_by: 1 };
        let constant = Constant { name: "c".to_owned(), fingerprint: s(), points: vec![point] };
        let machine = Machine { cpu: s(), system: s(), constants: vec![constant], ..Machine::default() };
        file.set_calibration(Calibration { machine, formulas: s() }).unwrap();
        let places = vec![
            SampledPlace {
                part: Part::Function { name: "f".to_owned(), file: format!("/home/{}.c", s()) },
                line: 3,
                samples: 4,
            },
            SampledPlace { part: Part::Library(format!("/home/{}/lib.so", s())), line: 0, samples: 5 },
        ];
        let sampled =
            Sampled { usage: Usage::default(), period: std::time::Duration::from_millis(1), lost: 0, places };
        file.set_sampled(&name, sampled).unwrap();
        let of = |file: String| FunctionName::new("f", &file);
        let call = Call {
            caller: of(format!("lib/{}/a.c", names[0])),
            file: format!("/home/{}.h", s()).into(),
            line: 3,
            callee: of(format!("/home/{}.c", s())),
            sites: 1,
        };
        file.set_calls(&[call]).unwrap();
        file.close().unwrap();

        let copy = folder.path("copy.trend");
        redact(&folder.study(), &copy, &names).unwrap();
        let planted = secrets.found_in(&unpacked(&folder.study()));
        // Commands of single workloads are not recorded, and the second name is nowhere.
        assert_eq!(planted.len(), secrets.0 - 3, "{planted:?}");
        assert_eq!(secrets.found_in(&unpacked(&copy)), [0; 0]);
        let (whole, redacted) = (StudyFile::read(&folder.study(), None), StudyFile::read(&copy, None));
        let (whole, redacted) = (whole.unwrap(), redacted.unwrap());
        assert_eq!((redacted.program(), redacted.root()), ("sort", ""));
        assert_eq!(redacted.workloads()[1].command, "sort … …{n}");
        assert_eq!(redacted.workloads().iter().map(|w| &*w.name).collect::<Vec<_>>(), ["n=1", "n=2"]);
        let rows = |study: &crate::Study| {
            let names = study.locations().iter().map(|l| study.function(l.function).symbol.name.clone());
            let rows = study.blocks().map(|id| study.counts().row(id).to_vec());
            names.zip(rows).collect::<BTreeMap<_, _>>()
        };
        assert_eq!(rows(&whole), rows(&redacted));
        let files: BTreeSet<&str> = redacted.functions().iter().map(|f| f.file.as_str()).collect();
        assert_eq!(files, BTreeSet::from(["/usr/elsewhere/1", "a.c", "b.c"]));
        assert_eq!(redacted.series()[0].observations, series.observations);
        assert_eq!(redacted.features()[1].values, whole.features()[1].values);
        assert_eq!(redacted.features()[6].definition, Definition::Location("b.c:3".to_owned()));
        assert_eq!(redacted.loops()[0].functions[0].calls, triangle().calls);
        assert_eq!(&*redacted.calls()[0].caller.file, "lib/…/a.c");
        assert!(redacted.larger().is_some() && redacted.latencies().len() == 1);
        assert!(matches!(redact(&folder.study(), &copy, &names), Err(StudyError::Exists { .. })));
    }
}
