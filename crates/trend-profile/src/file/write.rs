//! Writing into a study: what was built, what was run, what was counted. Every change is one record, or several of which
//! each is true by itself.

use super::body;
use super::calls;
use super::log::Draft;
use super::loops;
use super::places::Index;
use super::record::{FACTS_PER_RECORD, Packed, Record, RunRecord};
use super::{NewStudy, ObjectRecord, Origin, SourceText, StudyFile, blob};
use crate::{
    Calibration, Call, Definition, Function, LargerRun, Location, LocationId, LoopFunction, MemoryLatency,
    Run, Sampled, Series, StudyError, Timing, Unit, Warning, Workload,
};

impl StudyFile {
    /// Records objects of the build; one that is known under its path keeps its stamp.
    pub fn add_objects(&mut self, objects: &[ObjectRecord]) -> Result<(), StudyError> {
        let is_new = |o: &&ObjectRecord| !self.facts.objects.contains_key(&o.path);
        let new: Vec<(String, u32)> =
            objects.iter().filter(is_new).map(|o| (o.path.clone(), o.stamp)).collect();
        new.chunks(FACTS_PER_RECORD).try_for_each(|some| self.append(Record::Objects(some.to_vec())))
    }

    /// Makes locations known and gives the position of each in a run's counts.
    ///
    /// The functions are those that `locations` refer to by index. What is known already keeps its
    /// position.
    pub fn intern(
        &mut self,
        functions: &[Function],
        locations: &[Location],
    ) -> Result<Vec<LocationId>, StudyError> {
        let mut index = match self.index.take() {
            Some(index) => index,
            None => Index::of(&self.places()?),
        };
        let (ids, new) = index.add(functions, locations);
        if !new.functions.is_empty() || !new.locations.is_empty() {
            let (body, bytes) = self.packed(&body::of_places(&new.functions, &new.locations))?;
            let count = [new.functions.len() as u32, new.locations.len() as u32];
            self.append_with(Record::Places { first: self.facts.positions(), count, bytes }, &body)?;
        }
        // Only what was written is known.
        self.index = Some(index);
        Ok(ids)
    }

    /// Keeps source texts; a file that is known is left as it is.
    pub fn add_sources(&mut self, sources: &[SourceText]) -> Result<(), StudyError> {
        for source in sources.iter().filter(|s| !s.file.is_empty()) {
            if !self.facts.sources.contains_key(&source.file) {
                let (body, bytes) = self.packed(source.text.as_bytes())?;
                self.append_with(Record::Source { file: source.file.clone(), bytes }, &body)?;
            }
        }
        Ok(())
    }

    /// Keeps warnings, each once.
    pub fn add_warnings(&mut self, warnings: &[Warning]) -> Result<(), StudyError> {
        let is_new = |w: &&Warning| !self.facts.warnings.contains(*w);
        let new: Vec<Warning> = warnings.iter().filter(is_new).cloned().collect();
        new.chunks(FACTS_PER_RECORD).try_for_each(|some| self.append(Record::Warnings(some.to_vec())))
    }

    /// Declares the features, in this order, in place of those declared before. Values of features
    /// that are defined as they were are kept, also over a time in which they are not declared; values
    /// added by hand ([`Definition::Given`]) always remain. Warnings about features go: they are found anew.
    pub fn declare_features(&mut self, features: &[(String, Definition)]) -> Result<(), StudyError> {
        let declared =
            self.facts.features.iter().filter(|f| f.is_declared && f.definition != Definition::Given);
        let is_known = declared.map(|f| (&f.name, &f.definition)).eq(features.iter().map(|f| (&f.0, &f.1)));
        let has_warnings = self.facts.warnings.iter().any(|w| w.kind.starts_with("feature_"));
        if is_known && !has_warnings {
            return Ok(());
        }
        self.append(Record::Features(features.to_vec()))
    }

    /// Remembers the command that the program is run with, placeholders and all, instead of the one
    /// that was known.
    pub fn set_command(&mut self, command: &str) -> Result<(), StudyError> {
        if self.command() == Some(command) {
            return Ok(());
        }
        self.append(Record::Command(command.to_owned()))
    }

    /// Remembers that the counts come from elsewhere, and what they are counted in.
    pub fn set_origin(&mut self, origin: &Origin) -> Result<(), StudyError> {
        self.set_unit(&origin.unit)?;
        self.append(Record::Origin(origin.format.clone()))
    }

    /// Remembers what the counts are counted in.
    pub fn set_unit(&mut self, unit: &Unit) -> Result<(), StudyError> {
        self.append(Record::Unit(unit.name().to_owned()))
    }

    /// Adds a feature behind the others, or redefines it where it stands.
    pub fn add_feature(&mut self, name: &str, definition: &Definition) -> Result<(), StudyError> {
        self.append(Record::Feature(name.to_owned(), definition.clone()))
    }

    /// Sets values of features of one workload; `None` clears one.
    ///
    /// # Errors
    /// Besides what the disk says, [`StudyError::Inconsistent`] for an unknown workload.
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

    /// Records one run with its counts and features: all of it or nothing.
    ///
    /// `counts` are by [`LocationId`] as [`Self::intern`] gave them, and `None` where the run gave
    /// none. When the workload's fingerprint changed, what was recorded under the old one goes.
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

    /// The same of a run that has costs by size: they replace those that were kept of its workload.
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

    /// Keeps a workload's costs by size, in place of those that were kept of it; the workloads in `series` are not read.
    ///
    /// # Errors
    /// Besides what the disk says, [`StudyError::Inconsistent`] for an unknown workload.
    pub fn set_series(&mut self, workload: &str, series: &[Series]) -> Result<(), StudyError> {
        self.check_workload(workload)?;
        let (body, bytes) = self.packed(&body::of_series(series))?;
        let (workload, count) = (workload.to_owned(), series.len() as u32);
        self.append_with(Record::Series { workload, count, bytes }, &body)
    }

    /// Records a run that has loops, and perhaps series: they replace those that were kept of its workload.
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
        let loops = add(loops.len(), &loops::of_loops(loops))?;
        self.append_with(Record::RunWithLoops { run, counts, series, loops }, &body)
    }

    /// Keeps a workload's loops, in place of those that were kept of it.
    ///
    /// # Errors
    /// Besides what the disk says, [`StudyError::Inconsistent`] for an unknown workload.
    pub fn set_loops(&mut self, workload: &str, loops: &[LoopFunction]) -> Result<(), StudyError> {
        self.check_workload(workload)?;
        let (body, bytes) = self.packed(&loops::of_loops(loops))?;
        let (workload, count) = (workload.to_owned(), loops.len() as u32);
        self.append_with(Record::Loops { workload, count, bytes }, &body)
    }

    /// Keeps what a workload's runs without counters used, in place of what was kept of it.
    ///
    /// # Errors
    /// Besides what the disk says, [`StudyError::Inconsistent`] for an unknown workload.
    pub fn set_timing(&mut self, workload: &str, timing: Timing) -> Result<(), StudyError> {
        self.check_workload(workload)?;
        self.append(Record::Timing(workload.to_owned(), timing))
    }

    /// Keeps where the time of a workload goes, in place of what was kept of it.
    ///
    /// # Errors
    /// Besides what the disk says, [`StudyError::Inconsistent`] for an unknown workload.
    pub fn set_sampled(&mut self, workload: &str, sampled: Sampled) -> Result<(), StudyError> {
        self.check_workload(workload)?;
        self.append(Record::Sampled(workload.to_owned(), sampled))
    }

    /// Keeps what a workload that is larger than those that were counted used without counters, in place of what was kept of
    /// another.
    ///
    /// # Errors
    /// What the disk says.
    pub fn set_larger_run(&mut self, larger: LargerRun) -> Result<(), StudyError> {
        self.append(Record::Larger(larger))
    }

    /// Keeps how long the machine takes to reach its memory, in place of what was known of that.
    ///
    /// # Errors
    /// What the disk says.
    pub fn set_latencies(&mut self, latencies: Vec<MemoryLatency>) -> Result<(), StudyError> {
        self.append(Record::Latencies(latencies))
    }

    /// Keeps the calls in the program's code, in place of those that were kept.
    ///
    /// # Errors
    /// What the disk says.
    pub fn set_calls(&mut self, calls: &[Call]) -> Result<(), StudyError> {
        let (body, bytes) = self.packed(&calls::of_calls(calls))?;
        self.append_with(Record::Calls { count: calls.len() as u32, bytes }, &body)
    }

    /// Keeps a machine's constants and formulas; they replace those that the study had.
    ///
    /// # Errors
    /// Besides what the disk says, [`StudyError::Inconsistent`] for constants that cannot be computed with.
    pub fn set_calibration(&mut self, calibration: Calibration) -> Result<(), StudyError> {
        self.append(Record::Calibration(Box::new(calibration)))
    }

    /// Forgets everything that was measured; the program's name, its folder, the features and a machine's constants stay. [`Self::publish`]
    /// replaces the file by a new one, so that nothing forgotten is left in it; until then it is as it was.
    pub fn clear(&mut self) -> Result<(), StudyError> {
        let new = NewStudy {
            id: self.log.id(),
            program: self.facts.program.clone(),
            root: self.facts.root.clone(),
        };
        let replaced = self.log.locked()?;
        let (draft, log) = Draft::begin(self.path(), new.id, true, Some(replaced))?;
        let mut fresh = Self::begun(Some(draft), log, &new)?;
        fresh.set_unit(&self.facts.unit)?;
        if let Some(command) = self.command() {
            fresh.set_command(command)?;
        }
        if let Some(format) = &self.facts.origin {
            fresh.append(Record::Origin(format.clone()))?;
        }
        let declared = self.facts.features.iter().filter(|f| f.is_declared);
        let features = declared.map(|f| (f.name.clone(), f.definition.clone())).collect();
        fresh.append(Record::Features(features))?;
        if let Some(calibration) = self.facts.calibration.clone() {
            fresh.set_calibration(calibration)?;
        }
        *self = fresh;
        Ok(())
    }

    fn check_workload(&self, workload: &str) -> Result<(), StudyError> {
        if self.facts.workloads.contains_key(workload) {
            return Ok(());
        }
        Err(StudyError::Inconsistent { what: format!("there is no workload `{workload}`") })
    }

    fn packed(&self, body: &[u8]) -> Result<(Vec<u8>, u64), StudyError> {
        body::pack(body).map_err(|source| StudyError::Io { path: self.path().to_owned(), source })
    }

    pub(super) fn append(&mut self, record: Record) -> Result<(), StudyError> {
        self.append_with(record, &[])
    }

    pub(super) fn append_with(&mut self, record: Record, body: &[u8]) -> Result<(), StudyError> {
        let bytes = record.to_bytes();
        if bytes.len() > super::record::LONGEST {
            let what =
                format!("a record has {} bytes, and {} are possible", bytes.len(), super::record::LONGEST);
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
