//! State of a study after applying its records in order, without the bodies that follow the records.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::record::{Packed, Record, RunRecord};
use crate::file::bodies::body::SeriesLayout;
use crate::program::command::Command;
use crate::runs::feature::Definition;
use crate::runs::machine::Calibration;
use crate::runs::note::{LONGEST_NOTE, Note, Noted};
use crate::runs::sampled::Sampled;
use crate::runs::unit::Unit;
use crate::runs::usage::Usage;
use crate::runs::warning::Warning;
use crate::runs::workload::{LargerRun, MemoryLatency, Outcome, Timing};

/// Maximum number of features of a study: features are compared by name.
pub const MOST_FEATURES: usize = 1 << 14;

/// Bytes of the file after a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::file) struct Extent {
    pub(in crate::file) offset: u64,
    pub(in crate::file) length: u64,
    /// Unpacked length in bytes, as the record claims.
    pub(in crate::file) unpacked: u64,
}

/// Places introduced by one record.
#[derive(Clone, Copy, Debug)]
pub(in crate::file) struct PlacesRecord {
    /// Numbers of functions and locations.
    pub(in crate::file) count: [u32; 2],
    pub(in crate::file) body: Extent,
}

#[derive(Debug, Default)]
pub(in crate::file) struct Facts {
    /// True after the first record.
    pub(in crate::file) is_begun: bool,
    pub(in crate::file) program: String,
    pub(in crate::file) root: String,
    pub(in crate::file) command: Option<Command>,
    pub(in crate::file) unit: Unit,
    pub(in crate::file) origin: Option<String>,
    pub(in crate::file) objects: BTreeMap<String, u32>,
    pub(in crate::file) places: Vec<PlacesRecord>,
    pub(in crate::file) sources: BTreeMap<String, Extent>,
    pub(in crate::file) warnings: BTreeSet<Warning>,
    pub(in crate::file) calibration: Option<Calibration>,
    /// Declared features in order, followed by those that are no longer declared.
    pub(in crate::file) features: Vec<FeatureFacts>,
    pub(in crate::file) workloads: BTreeMap<String, WorkloadFacts>,
    pub(in crate::file) larger: Option<LargerRun>,
    pub(in crate::file) latencies: Vec<MemoryLatency>,
    pub(in crate::file) notes: BTreeMap<Noted, String>,
    /// The number of calls in the program's code, and where they are stored.
    pub(in crate::file) calls: Option<(u32, Extent)>,
    /// The number of functions that were known when these calls were stored.
    pub(in crate::file) functions_with_calls: u32,
    /// Ids of all runs taken, including replaced ones.
    pub(in crate::file) run_ids: HashSet<[u8; 16]>,
}

#[derive(Debug)]
pub(in crate::file) struct FeatureFacts {
    pub(in crate::file) name: String,
    pub(in crate::file) definition: Definition,
    pub(in crate::file) is_declared: bool,
}

#[derive(Debug, Default)]
pub(in crate::file) struct WorkloadFacts {
    pub(in crate::file) command: String,
    pub(in crate::file) input: Option<String>,
    pub(in crate::file) fingerprint: String,
    /// Runs by ascending repetition. Most workloads have one run; a tree would allocate room for eleven.
    pub(in crate::file) runs: Vec<(u32, RunFacts)>,
    /// Values by ascending name of the feature.
    pub(in crate::file) values: Vec<(String, f64)>,
    pub(in crate::file) series: Option<SeriesBody>,
    /// Number of functions with loops, and their body.
    pub(in crate::file) loops: Option<(u32, Extent)>,
    pub(in crate::file) timing: Option<Timing>,
    pub(in crate::file) sampled: Option<Sampled>,
    /// True if the configuration no longer has the workload. Its runs are kept and do not count.
    pub(in crate::file) is_retired: bool,
}

/// Number, layout and body of a workload's series.
#[derive(Clone, Copy, Debug)]
pub(in crate::file) struct SeriesBody {
    pub(in crate::file) count: u32,
    pub(in crate::file) layout: SeriesLayout,
    pub(in crate::file) extent: Extent,
}

#[derive(Debug)]
pub(in crate::file) struct RunFacts {
    /// Id of the run, the same in every study that has it.
    pub(in crate::file) id: [u8; 16],
    pub(in crate::file) outcome: Outcome,
    pub(in crate::file) usage: Option<Usage>,
    pub(in crate::file) stderr_tail: String,
    pub(in crate::file) counts: Option<Extent>,
}

impl RunFacts {
    /// Returns the extent of the counts if the run succeeded.
    pub(in crate::file) fn counted(&self) -> Option<Extent> {
        self.counts.filter(|_| self.outcome.is_finished())
    }
}

impl Facts {
    /// Applies a record whose body lies at `offset` of the file and has `rest` bytes.
    pub(in crate::file) fn apply(&mut self, record: Record, offset: u64, rest: usize) -> Result<(), String> {
        let length = rest as u64;
        let body = |unpacked: u64| Extent { offset, length, unpacked };
        if let Some(what) = self.refuses(&record, rest) {
            return Err(what);
        }
        match record {
            Record::Program { program, root, .. } => {
                (self.program, self.root) = (program, root);
                self.is_begun = true;
            }
            Record::Command(line) => self.command = Some(Command::Line(line)),
            Record::Template(words) => self.command = Some(Command::Template(words)),
            Record::Unit(unit) => self.unit = Unit::new(&unit),
            Record::Origin(format) => self.origin = Some(format),
            Record::Objects(objects) => {
                for (path, stamp) in objects {
                    self.objects.entry(path).or_insert(stamp);
                }
            }
            Record::Places { first, count, bytes } => {
                if first != self.positions() {
                    let own = self.positions();
                    return Err(format!("has places that begin at {first:?} instead of {own:?}"));
                }
                self.places.push(PlacesRecord { count, body: body(bytes) });
            }
            Record::Source { file, bytes } => {
                self.sources.entry(file).or_insert(body(bytes));
            }
            Record::Warnings(warnings) => self.warnings.extend(warnings),
            Record::Features(features) => self.declare(features),
            Record::Feature(name, definition) => self.add_feature(name, definition),
            Record::Values { workload, values } => self.workload(&workload)?.set_values(values)?,
            Record::Run(run) => self.record(*run, body(0))?,
            Record::Routines { workload, profiles, bytes } => {
                let layout = SeriesLayout::Routines;
                let series = SeriesBody { count: profiles, layout, extent: body(bytes) };
                self.workload(&workload)?.series = Some(series);
            }
            Record::Series { workload, count, bytes } => {
                let layout = SeriesLayout::Series;
                self.workload(&workload)?.series = Some(SeriesBody { count, layout, extent: body(bytes) });
            }
            Record::RunWithSeries { run, counts, count, bytes } => {
                let of_series = length.checked_sub(counts).ok_or("is shorter than its counts")?;
                let workload = run.workload.clone();
                self.record(*run, Extent { offset, length: counts, unpacked: 0 })?;
                let extent = Extent { offset: offset + counts, length: of_series, unpacked: bytes };
                let layout = SeriesLayout::Series;
                self.workload(&workload)?.series = Some(SeriesBody { count, layout, extent });
            }
            Record::Loops { workload, count, bytes } => {
                self.workload(&workload)?.loops = Some((count, body(bytes)));
            }
            Record::Calibration(calibration) => self.calibration = Some(*calibration),
            Record::Timing(workload, timing) => self.workload(&workload)?.timing = Some(timing),
            Record::Sampled(workload, sampled) => self.workload(&workload)?.sampled = Some(sampled),
            Record::Retired { workloads, is_retired } => {
                for name in &workloads {
                    self.workload(name)?.is_retired = is_retired;
                }
            }
            Record::Larger(larger) => self.larger = Some(larger),
            Record::Latencies(latencies) => self.latencies = latencies,
            Record::Note(Note { on, text }) if text.is_empty() => {
                self.notes.remove(&on);
            }
            Record::Note(Note { on, text }) => {
                self.notes.insert(on, text);
            }
            Record::Calls { count, bytes } => {
                self.calls = Some((count, body(bytes)));
                self.functions_with_calls = self.positions()[0];
            }
            Record::RunWithLoops { run, counts, series, loops } => {
                let is_whole =
                    counts.checked_add(series.length).and_then(|sum| sum.checked_add(loops.length));
                if is_whole != Some(length) {
                    return Err("has fewer bytes than it claims".to_owned());
                }
                let workload = run.workload.clone();
                self.record(*run, Extent { offset, length: counts, unpacked: 0 })?;
                let extent =
                    |offset, packed: Packed| Extent { offset, length: packed.length, unpacked: packed.bytes };
                let workload_facts = self.workload(&workload)?;
                if series.count > 0 {
                    let layout = SeriesLayout::Series;
                    let extent = extent(offset + counts, series);
                    workload_facts.series = Some(SeriesBody { count: series.count, layout, extent });
                }
                workload_facts.loops = Some((loops.count, extent(offset + counts + series.length, loops)));
            }
        }
        Ok(())
    }

    /// Returns the reason why a record with a body of `rest` bytes cannot be applied, and so must not be written.
    pub(in crate::file) fn refuses(&self, record: &Record, rest: usize) -> Option<String> {
        if self.is_begun == matches!(record, Record::Program { .. }) {
            return Some("is out of place: the first one must name the study's program".to_owned());
        }
        let may_have_rest = match record {
            Record::Places { .. }
            | Record::Source { .. }
            | Record::Routines { .. }
            | Record::Series { .. }
            | Record::RunWithSeries { .. }
            | Record::Loops { .. }
            | Record::Calls { .. }
            | Record::RunWithLoops { .. } => true,
            Record::Run(run) => run.has_counts,
            _ => false,
        };
        if rest > 0 && !may_have_rest {
            return Some(format!("has {rest} extra bytes"));
        }
        if let Record::Calibration(calibration) = record
            && let Err(what) = calibration.machine.check()
        {
            return Some(what);
        }
        if let Record::Note(note) = record
            && note.text.len() > LONGEST_NOTE
        {
            return Some(format!("has a note of more than {LONGEST_NOTE} bytes"));
        }
        let features = match record {
            Record::Features(features) => features.len(),
            Record::Feature(name, _) if self.features.iter().any(|f| f.name == *name) => 0,
            Record::Feature(..) => self.features.len() + 1,
            Record::Values { values, .. } => values.len(),
            Record::Larger(larger) => larger.values.len(),
            Record::Run(run) | Record::RunWithSeries { run, .. } | Record::RunWithLoops { run, .. } => {
                run.values.len()
            }
            _ => 0,
        };
        (features > MOST_FEATURES).then(too_many_features)
    }

    /// Returns the numbers of known functions and locations.
    pub(in crate::file) fn positions(&self) -> [u32; 2] {
        let sum = |sum: [u32; 2], record: &PlacesRecord| {
            [0, 1].map(|i: usize| sum[i].saturating_add(record.count[i]))
        };
        self.places.iter().fold([0; 2], sum)
    }

    fn workload(&mut self, name: &str) -> Result<&mut WorkloadFacts, String> {
        self.workloads
            .get_mut(name)
            .ok_or_else(|| format!("is about workload `{name}`, which does not exist"))
    }

    /// Declares features. Values of features with an unchanged definition are kept, even while the feature is not
    /// declared. Given features and their values remain as well.
    fn declare(&mut self, features: Vec<(String, Definition)>) {
        let definitions: HashMap<&str, &Definition> =
            self.features.iter().map(|f| (f.name.as_str(), &f.definition)).collect();
        let is_new =
            |feature: &&(String, Definition)| definitions.get(feature.0.as_str()) != Some(&&feature.1);
        let new: HashSet<&str> = features.iter().filter(is_new).map(|(name, _)| name.as_str()).collect();
        for workload in self.workloads.values_mut() {
            workload.values.retain(|(feature, _)| !new.contains(feature.as_str()));
        }
        if let Some(larger) = &mut self.larger {
            larger.values.retain(|(feature, _)| !new.contains(feature.as_str()));
        }
        // Features are checked again when they are declared, so old warnings about features are dropped.
        self.warnings.retain(|warning| !warning.kind.is_of_features());
        let names: HashSet<&str> = features.iter().map(|(name, _)| name.as_str()).collect();
        let mut others = std::mem::take(&mut self.features);
        others.retain(|f| !names.contains(f.name.as_str()));
        for feature in &mut others {
            feature.is_declared &= feature.definition == Definition::Given;
        }
        others.sort_by_key(|f| !f.is_declared);
        let declared = |(name, definition)| FeatureFacts { name, definition, is_declared: true };
        self.features = features.into_iter().map(declared).chain(others).collect();
    }

    /// Adds a feature after the declared ones, or redefines it in place.
    fn add_feature(&mut self, name: String, definition: Definition) {
        let end = self.features.iter().position(|f| !f.is_declared).unwrap_or(self.features.len());
        match self.features.iter().position(|f| f.name == name) {
            Some(position) if position < end => self.features[position].definition = definition,
            position => {
                if let Some(position) = position {
                    self.features.remove(position);
                }
                self.features.insert(end, FeatureFacts { name, definition, is_declared: true });
            }
        }
    }

    fn record(&mut self, run: RunRecord, counts: Extent) -> Result<(), String> {
        if !self.run_ids.insert(run.id) {
            return Ok(());
        }
        let workload = self.workloads.entry(run.workload).or_default();
        if workload.fingerprint != run.fingerprint {
            // The name stands for another workload now, so all old data is useless. The larger run belongs to the old
            // definition as well.
            if !workload.runs.is_empty() {
                self.larger = None;
            }
            *workload = WorkloadFacts { fingerprint: run.fingerprint, ..WorkloadFacts::default() };
        }
        (workload.command, workload.input) = (run.command, run.input);
        workload.set_values(run.values)?;
        let facts = RunFacts {
            id: run.id,
            outcome: run.outcome,
            usage: run.usage,
            stderr_tail: run.stderr_tail,
            counts: run.has_counts.then_some(counts),
        };
        match workload.runs.binary_search_by_key(&run.repetition, |entry| entry.0) {
            Ok(position) => workload.runs[position].1 = facts,
            Err(place) => workload.runs.insert(place, (run.repetition, facts)),
        }
        Ok(())
    }
}

impl WorkloadFacts {
    /// Sets values of features; `None` clears a value.
    fn set_values(&mut self, values: Vec<(String, Option<f64>)>) -> Result<(), String> {
        for (feature, value) in values {
            self.set_value(feature, value);
        }
        if self.values.len() > MOST_FEATURES { Err(too_many_features()) } else { Ok(()) }
    }

    fn set_value(&mut self, feature: String, value: Option<f64>) {
        let place = self.values.binary_search_by(|entry| entry.0.cmp(&feature));
        match (place, value.filter(|v| v.is_finite())) {
            (Ok(position), Some(value)) => self.values[position].1 = value,
            (Err(place), Some(value)) => self.values.insert(place, (feature, value)),
            (Ok(position), None) => drop(self.values.remove(position)),
            (Err(_), None) => {}
        }
    }

    /// Returns the value of a feature.
    pub(in crate::file) fn value(&self, feature: &str) -> Option<f64> {
        let place = self.values.binary_search_by(|entry| entry.0.as_str().cmp(feature)).ok()?;
        Some(self.values[place].1)
    }
}

fn too_many_features() -> String {
    format!("has more than {MOST_FEATURES} features")
}
