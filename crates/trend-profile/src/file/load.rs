//! Loads a study into memory and checks everything on the way.

use std::path::Path;

use super::bodies::body;
use super::bodies::body::{BadBody, Budget, KnownPlaces, OverBudget, SeriesLayout};
use super::bodies::calls;
use super::bodies::loops;
use super::container::log::Access;
use super::matrix;
use super::matrix::{Failed, Matrix};
use super::records::facts::{Extent, SeriesBody};
use super::study_file::{ObjectRecord, Origin, RunState, StudyFile};
use crate::error::StudyError;
use crate::identity::StudyId;
use crate::observed::loops::RunLoops;
use crate::observed::series::Series;
use crate::program::call::Call;
use crate::program::command::Command;
use crate::program::location::{Function, Location};
use crate::runs::feature::Feature;
use crate::runs::machine::Calibration;
use crate::runs::note::Note;
use crate::runs::unit::Unit;
use crate::runs::usage::Usage;
use crate::runs::warning::{Warning, WarningKind};
use crate::runs::workload::{FailedWorkload, LargerRun, MemoryLatency, Workload, WorkloadId};
use crate::study::source_text::SourceText;
use crate::study::{Study, StudyParts};

/// Maximum length of a source file in bytes. No handwritten one is larger; a longer claim is damage.
const LONGEST_SOURCE: u64 = 64 << 20;

/// Workloads of a study, split by whether they have counts.
#[derive(Default)]
struct Runs {
    /// Workloads with counts, by name.
    workloads: Vec<Workload>,
    /// Position of the workload and extent of the counts, per counted run.
    counted: Vec<(usize, Extent)>,
    /// Workloads without counts, by name.
    failed: Vec<FailedWorkload>,
}

impl StudyFile {
    /// Returns the program's name.
    pub fn program(&self) -> &str {
        &self.facts.program
    }

    /// Returns the folder that relative source paths start from. Do not trust it: the study may come from elsewhere.
    pub fn root(&self) -> &str {
        &self.facts.root
    }

    /// Returns the study's identity.
    pub fn id(&self) -> StudyId {
        self.log.id()
    }

    /// Returns the command that runs the program, with its placeholders; `None` for imported counts.
    pub fn command(&self) -> Option<&Command> {
        self.facts.command.as_ref()
    }

    /// Returns the unit of the counts.
    pub fn unit(&self) -> &Unit {
        &self.facts.unit
    }

    /// Returns the origin of imported counts; `None` for measured ones.
    pub fn origin(&self) -> Option<Origin> {
        let unit = self.facts.unit.clone();
        self.facts.origin.clone().map(|format| Origin { format, unit })
    }

    /// Returns the objects of the measured build, by path.
    pub fn objects(&self) -> Vec<ObjectRecord> {
        let object = |(path, stamp): (&String, &u32)| ObjectRecord { path: path.clone(), stamp: *stamp };
        self.facts.objects.iter().map(object).collect()
    }

    /// Returns every recorded run, by workload and repetition.
    pub fn run_states(&self) -> Vec<RunState> {
        let runs = self.facts.workloads.iter().flat_map(|(name, w)| w.runs.iter().map(move |r| (name, w, r)));
        runs.map(|(name, workload, (repetition, run))| RunState {
            workload: name.clone(),
            fingerprint: workload.fingerprint.clone(),
            repetition: *repetition,
            outcome: run.outcome.clone(),
            usage: run.usage,
            is_timed: workload.timing.is_some(),
            is_sampled: workload.sampled.is_some(),
            has_series: workload.series.is_some_and(|series| series.count > 0),
            stderr_tail: run.stderr_tail.clone(),
        })
        .collect()
    }

    /// Returns the functions and locations known so far, in the order in which they were added.
    ///
    /// # Errors
    /// Fails like [`Self::load`].
    pub fn functions_and_locations(&self) -> Result<(Vec<Function>, Vec<Location>), StudyError> {
        let KnownPlaces { functions, locations } = self.places()?;
        Ok((functions, locations))
    }

    /// Returns the run without counters of a workload that is larger than all counted ones.
    pub fn larger_run(&self) -> Option<&LargerRun> {
        self.facts.larger.as_ref()
    }

    /// Returns a machine's constants and the formulas that use them, if they were set.
    pub fn calibration(&self) -> Option<&Calibration> {
        self.facts.calibration.as_ref()
    }

    /// Returns true if functions became known after the calls in the program's code were stored.
    pub fn lacks_calls(&self) -> bool {
        self.facts.positions()[0] > self.facts.functions_with_calls
    }

    /// Returns the machine's memory latencies, by ascending working set; empty if none were measured.
    pub fn latencies(&self) -> &[MemoryLatency] {
        &self.facts.latencies
    }

    /// Returns the notes on rows, functions first.
    pub fn notes(&self) -> Vec<Note> {
        let notes = self.facts.notes.iter();
        notes.map(|(on, text)| Note { on: on.clone(), text: text.clone() }).collect()
    }

    /// Returns all workloads by name, including failed ones, and the features with their values in that order. Features
    /// that are a location's count have no values here, because those come from the counts.
    pub fn feature_table(&self) -> (Vec<String>, Vec<Feature>) {
        let names: Vec<String> = self.facts.workloads.keys().cloned().collect();
        let features = self.features(names.iter().map(String::as_str));
        (names, features)
    }

    /// Opens a study and loads it. It may take `memory` bytes, or by default what a study of its size may take.
    ///
    /// # Errors
    /// Fails like [`Self::open`] and [`Self::load`].
    pub fn read(path: &Path, memory: Option<u64>) -> Result<Study, StudyError> {
        let file = Self::open(path, Access::Read)?;
        memory.map_or_else(|| file.load(), |memory| file.load_within(memory))
    }

    /// Loads the whole study, checked and in canonical order.
    ///
    /// # Errors
    /// [`StudyError::Damaged`] for the first inconsistency, [`StudyError::Limit`] if the study takes more memory than
    /// one of its size may.
    pub fn load(&self) -> Result<Study, StudyError> {
        self.load_in(Budget::of_file(self.log.length()))
    }

    /// Loads the whole study in at most `memory` bytes.
    ///
    /// # Errors
    /// Fails like [`Self::load`].
    pub fn load_within(&self, memory: u64) -> Result<Study, StudyError> {
        self.load_in(Budget::of_bytes(memory))
    }

    fn load_in(&self, mut budget: Budget) -> Result<Study, StudyError> {
        let places = self.places_within(&mut budget)?;
        let Runs { workloads, counted, failed } = self.runs();
        let Matrix { rows, unstable, bytes } =
            self.counts(places.locations.len(), &workloads, &counted, &budget)?;
        budget.take_bytes(bytes).map_err(|over| self.over_budget(over))?;
        let mut warnings: Vec<Warning> = self.facts.warnings.iter().cloned().collect();
        if !self.log.is_complete() {
            warnings.push(Warning::new(
                WarningKind::Unfinished,
                "the last `run` of this study was interrupted, or the file was copied while it was \
                 written; this is what was recorded until then. Continue with `trend-prof run`",
            ));
        }
        let retired = self.facts.workloads.iter().filter(|(_, facts)| facts.is_retired);
        warnings.extend(Warning::of_retired(retired.map(|(name, _)| name.as_str())));
        let parts = StudyParts {
            id: self.id(),
            program: self.facts.program.clone(),
            root: self.facts.root.clone(),
            unit: self.facts.unit.clone(),
            functions: places.functions,
            locations: places.locations,
            features: self.features(workloads.iter().map(|w| w.name.as_str())),
            calls: self.calls(&mut budget)?,
            series: self.series(&workloads, &mut budget)?,
            loops: self.loops(&workloads, &mut budget)?,
            workloads,
            counts: Vec::new(),
            unstable,
            larger: self.facts.larger.clone(),
            latencies: self.facts.latencies.clone(),
            notes: self.notes(),
            failed,
            sources: self.sources(&mut budget)?,
            warnings,
            calibration: self.facts.calibration.clone(),
        };
        Study::of_rows(parts, rows).map_err(|e| self.damaged(e.to_string()))
    }

    /// Reads every place of the study, by position.
    pub(in crate::file) fn places(&self) -> Result<KnownPlaces, StudyError> {
        self.places_within(&mut Budget::of_file(self.log.length()))
    }

    fn places_within(&self, budget: &mut Budget) -> Result<KnownPlaces, StudyError> {
        let mut places = KnownPlaces::default();
        for record in &self.facts.places {
            let bytes = self.body(record.body, "places", budget)?;
            places
                .add(&bytes, record.count, budget)
                .map_err(|bad| self.bad_body(bad, "a record of places"))?;
        }
        Ok(places)
    }

    pub(in crate::file) fn body(
        &self,
        extent: Extent,
        what: &str,
        budget: &mut Budget,
    ) -> Result<Vec<u8>, StudyError> {
        let mut bytes = Vec::new();
        self.read_extent(extent, &mut bytes)?;
        body::unpack(&bytes, extent.unpacked, budget).map_err(|bad| self.bad_body(bad, what))
    }

    pub(in crate::file) fn read_extent(&self, extent: Extent, bytes: &mut Vec<u8>) -> Result<(), StudyError> {
        bytes.clear();
        // The length fits into the file: the record was read, and its body lies in the file.
        bytes.resize(extent.length as usize, 0);
        self.log.read(extent.offset, bytes)
    }

    pub(in crate::file) fn bad_body(&self, bad: BadBody, what: &str) -> StudyError {
        match bad {
            BadBody::Damaged(how) => self.damaged(format!("{what} {how}")),
            BadBody::OverBudget(over) => self.over_budget(over),
        }
    }

    pub(in crate::file) fn over_budget(&self, OverBudget(limit): OverBudget) -> StudyError {
        StudyError::Limit { path: self.path().to_owned(), bytes: self.log.length(), limit }
    }

    fn runs(&self) -> Runs {
        let mut runs = Runs::default();
        let template = self.command().map(ToString::to_string).unwrap_or_default();
        for (name, facts) in self.facts.workloads.iter().filter(|(_, facts)| !facts.is_retired) {
            let counted: Vec<_> =
                facts.runs.iter().filter_map(|(_, r)| Some((r.counted()?, r.usage))).collect();
            if counted.is_empty() {
                // If one repetition succeeded, the workload did not fail.
                let declared = || self.facts.features.iter().filter(|f| f.is_declared);
                runs.failed.extend(facts.runs.first().map(|(_, run)| FailedWorkload {
                    name: name.clone(),
                    outcome: run.outcome.clone(),
                    stderr_tail: run.stderr_tail.clone(),
                    values: declared().map(|feature| facts.value(&feature.name)).collect(),
                }));
                continue;
            }
            let position = runs.workloads.len();
            runs.counted.extend(counted.iter().map(|(extent, _)| (position, *extent)));
            let usages: Vec<Usage> = counted.iter().filter_map(|(_, usage)| *usage).collect();
            runs.workloads.push(Workload {
                name: name.clone(),
                command: if facts.command.is_empty() { &template } else { &facts.command }.clone(),
                input: facts.input.clone(),
                fingerprint: facts.fingerprint.clone(),
                repetitions: counted.len() as u32,
                usage: Usage::median(&usages),
                timing: facts.timing.clone(),
                sampled: facts.sampled.clone(),
            });
        }
        runs
    }

    /// Reads the counts of all counted runs, workload after workload.
    fn counts(
        &self,
        locations: usize,
        workloads: &[Workload],
        counted: &[(usize, Extent)],
        budget: &Budget,
    ) -> Result<Matrix, StudyError> {
        let mut extents = counted.iter();
        let next = |blob: &mut Vec<u8>| match extents.next() {
            Some((_, extent)) => self.read_extent(*extent, blob),
            None => Err(self.damaged("a run is missing")),
        };
        let of_runs: Vec<usize> = counted.iter().map(|(workload, _)| *workload).collect();
        matrix::unpacked(locations, workloads.len(), &of_runs, budget.left(), next).map_err(|why| match why {
            Failed::Source(error) => error,
            Failed::Unreadable { workload, what } => {
                self.damaged(format!("the counts of workload `{}`: {what}", workloads[workload].name))
            }
            Failed::TooMany => self.over_budget(OverBudget(budget.whole())),
        })
    }

    fn features<'n>(&self, workloads: impl Iterator<Item = &'n str>) -> Vec<Feature> {
        let facts: Vec<_> = workloads.map(|name| self.facts.workloads.get(name)).collect();
        let declared = self.facts.features.iter().filter(|f| f.is_declared);
        declared
            .map(|f| Feature {
                name: f.name.clone(),
                definition: f.definition.clone(),
                values: facts.iter().map(|w| w.and_then(|w| w.value(&f.name))).collect(),
            })
            .collect()
    }

    /// Reads the series of these workloads.
    fn series(&self, workloads: &[Workload], budget: &mut Budget) -> Result<Vec<Series>, StudyError> {
        let mut all = Vec::new();
        for (position, workload) in workloads.iter().enumerate() {
            let body = self.facts.workloads.get(&workload.name).and_then(|w| w.series);
            let Some(SeriesBody { count, layout, extent }) = body else { continue };
            let bytes = self.body(extent, "series", budget)?;
            let read = body::series(&bytes, count, layout, WorkloadId(position as u32), budget);
            let mut read = read.map_err(|bad| self.bad_body(bad, "a record of series"))?;
            if layout == SeriesLayout::Routines {
                for one in &mut read {
                    one.unit = self.facts.unit.clone();
                }
            }
            all.extend(read);
        }
        Ok(all)
    }

    /// Reads the loops of these workloads.
    fn loops(&self, workloads: &[Workload], budget: &mut Budget) -> Result<Vec<RunLoops>, StudyError> {
        let mut all = Vec::new();
        for (position, workload) in workloads.iter().enumerate() {
            let body = self.facts.workloads.get(&workload.name).and_then(|w| w.loops);
            let Some((count, extent)) = body else { continue };
            let bytes = self.body(extent, "loops", budget)?;
            let functions = loops::decode_loops(&bytes, count, budget);
            let functions = functions.map_err(|bad| self.bad_body(bad, "a record of loops"))?;
            all.push(RunLoops { workload: WorkloadId(position as u32), functions });
        }
        Ok(all)
    }

    fn calls(&self, budget: &mut Budget) -> Result<Vec<Call>, StudyError> {
        let Some((count, extent)) = self.facts.calls else { return Ok(Vec::new()) };
        let bytes = self.body(extent, "calls", budget)?;
        calls::calls(&bytes, count, budget).map_err(|bad| self.bad_body(bad, "a record of calls"))
    }

    fn sources(&self, budget: &mut Budget) -> Result<Vec<SourceText>, StudyError> {
        let source = |(file, extent): (&String, &Extent)| {
            if extent.unpacked > LONGEST_SOURCE {
                return Err(self.damaged(format!("the text of {file} claims {} bytes", extent.unpacked)));
            }
            let text = self.body(*extent, "the text of a source file", budget)?;
            let text =
                String::from_utf8(text).map_err(|e| self.damaged(format!("the text of {file}: {e}")))?;
            Ok(SourceText { file: file.clone(), text })
        };
        self.facts.sources.iter().map(source).collect()
    }
}
