//! Writes facts into a study: builds, runs, counts. Every change is one record, or several that are each valid alone.

use super::bodies::blob;
use super::bodies::body;
use super::bodies::calls;
use super::bodies::loops;
use super::bodies::places::Index;
use super::container::log::Draft;
use super::records::record::{FACTS_PER_RECORD, Packed, Record, RunRecord};
use super::study_file::{NewStudy, ObjectRecord, Origin, StudyFile};
use crate::error::StudyError;
use crate::observed::loops::LoopFunction;
use crate::observed::series::Series;
use crate::program::call::Call;
use crate::program::command::Command;
use crate::program::location::{Function, Location, LocationId};
use crate::runs::feature::Definition;
use crate::runs::machine::Calibration;
use crate::runs::note::Note;
use crate::runs::sampled::Sampled;
use crate::runs::unit::Unit;
use crate::runs::warning::Warning;
use crate::runs::workload::{LargerRun, MemoryLatency, Run, Timing, Workload};
use crate::study::source_text::SourceText;

impl StudyFile {
    /// Records objects of the build; a known path keeps its stamp.
    pub fn add_objects(&mut self, objects: &[ObjectRecord]) -> Result<(), StudyError> {
        let is_new = |o: &&ObjectRecord| !self.facts.objects.contains_key(&o.path);
        let new: Vec<(String, u32)> =
            objects.iter().filter(is_new).map(|o| (o.path.clone(), o.stamp)).collect();
        new.chunks(FACTS_PER_RECORD).try_for_each(|some| self.append(Record::Objects(some.to_vec())))
    }

    /// Adds unknown locations and returns the position of each location in a run's counts.
    ///
    /// `locations` refer to `functions` by index. Known places keep their positions.
    pub fn intern(
        &mut self,
        functions: &[Function],
        locations: &[Location],
    ) -> Result<Vec<LocationId>, StudyError> {
        let mut index = match self.index.take() {
            Some(index) => index,
            None => Index::from_places(&self.places()?),
        };
        let (ids, new) = index.add(functions, locations);
        if !new.functions.is_empty() || !new.locations.is_empty() {
            let (body, bytes) = self.packed(&body::of_places(&new.functions, &new.locations))?;
            let count = [new.functions.len() as u32, new.locations.len() as u32];
            self.append_with(Record::Places { first: self.facts.positions(), count, bytes }, &body)?;
        }
        // The index is kept only after its new places were written.
        self.index = Some(index);
        Ok(ids)
    }

    /// Stores source texts; a known file is left unchanged.
    pub fn add_sources(&mut self, sources: &[SourceText]) -> Result<(), StudyError> {
        for source in sources.iter().filter(|s| !s.file.is_empty()) {
            if !self.facts.sources.contains_key(&source.file) {
                let (body, bytes) = self.packed(source.text.as_bytes())?;
                self.append_with(Record::Source { file: source.file.clone(), bytes }, &body)?;
            }
        }
        Ok(())
    }

    /// Stores warnings, each once.
    pub fn add_warnings(&mut self, warnings: &[Warning]) -> Result<(), StudyError> {
        let is_new = |w: &&Warning| !self.facts.warnings.contains(*w);
        let new: Vec<Warning> = warnings.iter().filter(is_new).cloned().collect();
        new.chunks(FACTS_PER_RECORD).try_for_each(|some| self.append(Record::Warnings(some.to_vec())))
    }

    /// Replaces the declared features by these, in this order. Values of features with an unchanged definition are
    /// kept, even while the feature is not declared. Values added by hand ([`Definition::Given`]) always remain.
    /// Warnings about features are dropped, because features are checked again when they are declared.
    pub fn declare_features(&mut self, features: &[(String, Definition)]) -> Result<(), StudyError> {
        let declared =
            self.facts.features.iter().filter(|f| f.is_declared && f.definition != Definition::Given);
        let is_known = declared.map(|f| (&f.name, &f.definition)).eq(features.iter().map(|f| (&f.0, &f.1)));
        let has_warnings = self.facts.warnings.iter().any(|w| w.kind.is_of_features());
        if is_known && !has_warnings {
            return Ok(());
        }
        self.append(Record::Features(features.to_vec()))
    }

    /// Sets the command that runs the program, with its placeholders.
    pub fn set_command(&mut self, command: &Command) -> Result<(), StudyError> {
        if self.command() == Some(command) {
            return Ok(());
        }
        self.append(match command.clone() {
            Command::Template(words) => Record::Template(words),
            Command::Line(line) => Record::Command(line),
        })
    }

    /// Marks the counts as imported, and sets their unit.
    pub fn set_origin(&mut self, origin: &Origin) -> Result<(), StudyError> {
        self.set_unit(&origin.unit)?;
        self.append(Record::Origin(origin.format.clone()))
    }

    /// Sets the unit of the counts.
    pub fn set_unit(&mut self, unit: &Unit) -> Result<(), StudyError> {
        self.append(Record::Unit(unit.name().to_owned()))
    }

    /// Adds a feature after the others, or redefines it in place.
    pub fn add_feature(&mut self, name: &str, definition: &Definition) -> Result<(), StudyError> {
        self.append(Record::Feature(name.to_owned(), definition.clone()))
    }

    /// Sets feature values of one workload; `None` clears a value.
    ///
    /// # Errors
    /// Any error of the disk, and [`StudyError::Inconsistent`] for an unknown workload.
    pub fn set_feature_values(
        &mut self,
        workload: &str,
        values: &[(String, Option<f64>)],
    ) -> Result<(), StudyError> {
        self.check_workload(workload)?;
        for some in values.chunks(FACTS_PER_RECORD) {
            self.append(Record::Values { workload: workload.to_owned(), values: some.to_vec() })?;
        }
        Ok(())
    }

    /// Records one run with its counts and features, completely or not at all.
    ///
    /// `counts` are ordered by [`LocationId`] as returned by [`Self::intern`], and `None` if the run has none. If the
    /// workload's fingerprint changed, everything recorded under the old one is dropped.
    pub fn record(
        &mut self,
        workload: &Workload,
        run: &Run,
        counts: Option<&[u64]>,
        values: &[(String, Option<f64>)],
    ) -> Result<(), StudyError> {
        let packed = counts.map(blob::pack).transpose();
        let packed = packed.map_err(|source| StudyError::Io { path: self.path().to_owned(), source })?;
        let run = RunRecord::new(workload, run, values, packed.is_some());
        self.append_with(Record::Run(Box::new(run)), &packed.unwrap_or_default())
    }

    /// Records a run with costs by size, which replace the ones of its workload.
    pub fn record_with_series(
        &mut self,
        workload: &Workload,
        run: &Run,
        counts: Option<&[u64]>,
        values: &[(String, Option<f64>)],
        series: &[Series],
    ) -> Result<(), StudyError> {
        let packed = counts.map(blob::pack).transpose();
        let packed = packed.map_err(|source| StudyError::Io { path: self.path().to_owned(), source })?;
        let run = Box::new(RunRecord::new(workload, run, values, packed.is_some()));
        let mut body = packed.unwrap_or_default();
        let counts = body.len() as u64;
        let (packed, bytes) = self.packed(&body::of_series(series))?;
        body.extend_from_slice(&packed);
        let count = series.len() as u32;
        self.append_with(Record::RunWithSeries { run, counts, count, bytes }, &body)
    }

    /// Replaces a workload's costs by size; the workloads in `series` are ignored.
    ///
    /// # Errors
    /// Any error of the disk, and [`StudyError::Inconsistent`] for an unknown workload.
    pub fn set_series(&mut self, workload: &str, series: &[Series]) -> Result<(), StudyError> {
        self.check_workload(workload)?;
        let (body, bytes) = self.packed(&body::of_series(series))?;
        let (workload, count) = (workload.to_owned(), series.len() as u32);
        self.append_with(Record::Series { workload, count, bytes }, &body)
    }

    /// Records a run with loops, and perhaps series. Both replace the ones of its workload.
    pub fn record_with_loops(
        &mut self,
        workload: &Workload,
        run: &Run,
        counts: Option<&[u64]>,
        values: &[(String, Option<f64>)],
        series: &[Series],
        loops: &[LoopFunction],
    ) -> Result<(), StudyError> {
        let packed = counts.map(blob::pack).transpose();
        let packed = packed.map_err(|source| StudyError::Io { path: self.path().to_owned(), source })?;
        let run = Box::new(RunRecord::new(workload, run, values, packed.is_some()));
        let mut body = packed.unwrap_or_default();
        let counts = body.len() as u64;
        let mut add = |count: usize, unpacked: &[u8]| {
            let (packed, bytes) = self.packed(unpacked)?;
            body.extend_from_slice(&packed);
            Ok::<_, StudyError>(Packed { count: count as u32, length: packed.len() as u64, bytes })
        };
        let series = add(series.len(), &body::of_series(series))?;
        let loops = add(loops.len(), &loops::encode_loops(loops))?;
        self.append_with(Record::RunWithLoops { run, counts, series, loops }, &body)
    }

    /// Replaces a workload's loops.
    ///
    /// # Errors
    /// Any error of the disk, and [`StudyError::Inconsistent`] for an unknown workload.
    pub fn set_loops(&mut self, workload: &str, loops: &[LoopFunction]) -> Result<(), StudyError> {
        self.check_workload(workload)?;
        let (body, bytes) = self.packed(&loops::encode_loops(loops))?;
        let (workload, count) = (workload.to_owned(), loops.len() as u32);
        self.append_with(Record::Loops { workload, count, bytes }, &body)
    }

    /// Replaces the times and memory of a workload's runs without counters.
    ///
    /// # Errors
    /// Any error of the disk, and [`StudyError::Inconsistent`] for an unknown workload.
    pub fn set_timing(&mut self, workload: &str, timing: Timing) -> Result<(), StudyError> {
        self.check_workload(workload)?;
        self.append(Record::Timing(workload.to_owned(), timing))
    }

    /// Replaces the samples of a workload, which show where its time goes.
    ///
    /// # Errors
    /// Any error of the disk, and [`StudyError::Inconsistent`] for an unknown workload.
    pub fn set_sampled(&mut self, workload: &str, sampled: Sampled) -> Result<(), StudyError> {
        self.check_workload(workload)?;
        self.append(Record::Sampled(workload.to_owned(), sampled))
    }

    /// Replaces the run without counters of a workload that is larger than all counted ones.
    ///
    /// # Errors
    /// Any error of the disk.
    pub fn set_larger_run(&mut self, larger: LargerRun) -> Result<(), StudyError> {
        self.append(Record::Larger(larger))
    }

    /// Replaces the machine's memory latencies.
    ///
    /// # Errors
    /// Any error of the disk.
    pub fn set_latencies(&mut self, latencies: Vec<MemoryLatency>) -> Result<(), StudyError> {
        self.append(Record::Latencies(latencies))
    }

    /// Replaces the note on a row; an empty text removes it.
    ///
    /// # Errors
    /// Any error of the disk, and [`StudyError::Inconsistent`] for a text of more than
    /// [`LONGEST_NOTE`](crate::LONGEST_NOTE) bytes.
    pub fn set_note(&mut self, note: Note) -> Result<(), StudyError> {
        self.append(Record::Note(note))
    }

    /// Replaces the calls in the program's code.
    ///
    /// # Errors
    /// Any error of the disk.
    pub fn set_calls(&mut self, calls: &[Call]) -> Result<(), StudyError> {
        let (body, bytes) = self.packed(&calls::of_calls(calls))?;
        self.append_with(Record::Calls { count: calls.len() as u32, bytes }, &body)
    }

    /// Replaces the machine's constants and formulas.
    ///
    /// # Errors
    /// Any error of the disk, and [`StudyError::Inconsistent`] for constants that are unusable in computations.
    pub fn set_calibration(&mut self, calibration: Calibration) -> Result<(), StudyError> {
        self.append(Record::Calibration(Box::new(calibration)))
    }

    /// Removes everything that was measured. The program's name, its folder, the features, notes and a machine's
    /// constants stay. The file is unchanged until [`Self::publish`] replaces it by a new one without the removed data.
    pub fn clear(&mut self) -> Result<(), StudyError> {
        let new = NewStudy {
            id: self.log.id(),
            program: self.facts.program.clone(),
            root: self.facts.root.clone(),
        };
        let replaced = self.log.share_lock()?;
        let (draft, log) = Draft::begin(self.path(), new.id, true, Some(replaced))?;
        let mut fresh = Self::begun(Some(draft), log, &new)?;
        fresh.set_unit(&self.facts.unit)?;
        if let Some(command) = &self.facts.command {
            fresh.set_command(command)?;
        }
        if let Some(format) = &self.facts.origin {
            fresh.append(Record::Origin(format.clone()))?;
        }
        let declared = self.facts.features.iter().filter(|f| f.is_declared);
        let features = declared.map(|f| (f.name.clone(), f.definition.clone())).collect();
        fresh.append(Record::Features(features))?;
        for note in self.notes() {
            fresh.set_note(note)?;
        }
        if let Some(calibration) = self.facts.calibration.clone() {
            fresh.set_calibration(calibration)?;
        }
        *self = fresh;
        Ok(())
    }

    /// Retires the workloads for which `is_retired` returns true, and brings back all others. Runs of retired
    /// workloads are kept, but an analysis does not see them.
    ///
    /// # Errors
    /// Any error of the disk.
    pub fn retire(&mut self, is_retired: impl Fn(&str, bool) -> bool) -> Result<(), StudyError> {
        let is_changed = |name: &str, was: bool, is: bool| was != is && is_retired(name, was) == is;
        for is in [true, false] {
            let workloads = self.facts.workloads.iter();
            let changed = workloads.filter(|(name, facts)| is_changed(name, facts.is_retired, is));
            let changed: Vec<String> = changed.map(|(name, _)| name.clone()).collect();
            for some in changed.chunks(FACTS_PER_RECORD) {
                self.append(Record::Retired { workloads: some.to_vec(), is_retired: is })?;
            }
        }
        Ok(())
    }

    fn check_workload(&self, workload: &str) -> Result<(), StudyError> {
        if self.facts.workloads.contains_key(workload) {
            return Ok(());
        }
        Err(StudyError::Inconsistent { what: format!("there is no workload `{workload}`") })
    }

    pub(in crate::file) fn packed(&self, body: &[u8]) -> Result<(Vec<u8>, u64), StudyError> {
        body::pack(body).map_err(|source| StudyError::Io { path: self.path().to_owned(), source })
    }

    pub(in crate::file) fn append(&mut self, record: Record) -> Result<(), StudyError> {
        self.append_with(record, &[])
    }

    pub(in crate::file) fn append_with(&mut self, record: Record, body: &[u8]) -> Result<(), StudyError> {
        let bytes = record.to_bytes();
        if bytes.len() > crate::file::records::record::LONGEST {
            let what = format!(
                "a record has {} bytes, but the limit is {}",
                bytes.len(),
                crate::file::records::record::LONGEST
            );
            return Err(StudyError::Inconsistent { what });
        }
        if let Some(what) = self.facts.refuses(&record, body.len()) {
            return Err(StudyError::Inconsistent { what: format!("a record {what}") });
        }
        let offset = self.log.append([&bytes, body])?;
        let applied = self.facts.apply(record, offset + bytes.len() as u64, body.len());
        applied.map_err(|what| StudyError::Inconsistent { what: format!("a record {what}") })
    }
}
