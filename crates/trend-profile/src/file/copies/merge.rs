//! Adds the runs of other studies to a study: of the shards of a plan, or of pieces of one.
//!
//! ```text
//!   part 1   run a ─┐
//!   part 2   run b ─┼─▶ a b c     each run once, by its id, whatever is merged twice
//!   part 3   run b, c ┘
//! ```
//!
//! Counts name places by their position in the study, so they are written again. Series, loops and texts name their
//! places themselves, and are copied as they are. Only one run's counts are in memory at a time.

use crate::error::StudyError;
use crate::file::bodies::blob;
use crate::file::bodies::blob::Unpacker;
use crate::file::records::facts::{Extent, RunFacts, WorkloadFacts};
use crate::file::records::record::{Record, RunRecord};
use crate::file::study_file::{ObjectRecord, StudyFile};
use crate::program::location::LocationId;
use crate::runs::feature::Definition;
use crate::runs::note::Note;

/// Effect of merging one study.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Number of runs that were added.
    pub added: usize,
    /// Number of runs that the study had already.
    pub known: usize,
    /// Number of runs that another run of the same workload and repetition stands for.
    pub repeated: usize,
}

impl StudyFile {
    /// Adds everything that another study has and this one does not. A run that succeeded replaces one that failed.
    ///
    /// # Errors
    /// [`StudyError::Unlike`] if the studies are not of the same program, build, command and features, or if a workload
    /// of one is another one in the other. Fails like [`Self::load`] for a damaged study.
    pub fn merge(&mut self, other: &StudyFile) -> Result<Merged, StudyError> {
        self.check_alike(other)?;
        self.adopt(other)?;
        let places = other.places()?;
        let ids = self.intern(&places.functions, &places.locations)?;
        let mut merged = Merged::default();
        for (name, workload) in &other.facts.workloads {
            self.merge_workload(other, name, workload, &ids, &mut merged)?;
        }
        Ok(merged)
    }

    /// Checks that both studies measure the same.
    fn check_alike(&self, other: &StudyFile) -> Result<(), StudyError> {
        let unlike = |what: String| Err(StudyError::Unlike { path: other.path().to_owned(), what });
        let (own, of_other) = (&self.facts, &other.facts);
        if own.program != of_other.program {
            return unlike(format!("is of `{}`, not of `{}`", of_other.program, own.program));
        }
        // A new study takes over everything from the first one.
        if own.workloads.is_empty() {
            return Ok(());
        }
        if let (Some(own), Some(of_other)) = (&own.command, &of_other.command)
            && !own.is_same(of_other)
        {
            return unlike(format!("ran `{of_other}`, not `{own}`"));
        }
        if (&own.unit, &own.origin) != (&of_other.unit, &of_other.origin) {
            return unlike(format!("counts {}, not {}", of_other.unit.name(), own.unit.name()));
        }
        let differs =
            |(path, stamp): &(&String, &u32)| own.objects.get(*path).is_some_and(|own| own != *stamp);
        if let Some((path, _)) = of_other.objects.iter().find(differs) {
            return unlike(format!("is from another build of {path}"));
        }
        if self.declared() != other.declared() {
            return unlike("has features with other definitions".to_owned());
        }
        let is_other = |(name, workload): &(&String, &WorkloadFacts)| {
            own.workloads.get(*name).is_some_and(|same| same.fingerprint != workload.fingerprint)
        };
        match of_other.workloads.iter().find(is_other) {
            Some((name, _)) => unlike(format!("has a workload `{name}` with another input or command")),
            None => Ok(()),
        }
    }

    fn declared(&self) -> Vec<(&str, &Definition)> {
        let declared = self.facts.features.iter().filter(|feature| feature.is_declared);
        declared.map(|feature| (feature.name.as_str(), &feature.definition)).collect()
    }

    /// Takes over what is not of a run, unless it is known.
    fn adopt(&mut self, other: &StudyFile) -> Result<(), StudyError> {
        let facts = &other.facts;
        if self.facts.command.is_none()
            && let Some(command) = &facts.command
        {
            self.set_command(command)?;
        }
        if self.facts.unit != facts.unit {
            self.set_unit(&facts.unit)?;
        }
        if let Some(format) = facts.origin.as_ref().filter(|_| self.facts.origin.is_none()) {
            self.append(Record::Origin(format.clone()))?;
        }
        if self.facts.workloads.is_empty() {
            let declared = other.declared().into_iter();
            let features = declared.map(|(name, definition)| (name.to_owned(), definition.clone())).collect();
            self.append(Record::Features(features))?;
        }
        let object = |(path, stamp): (&String, &u32)| ObjectRecord { path: path.clone(), stamp: *stamp };
        self.add_objects(&facts.objects.iter().map(object).collect::<Vec<_>>())?;
        self.add_warnings(&facts.warnings.iter().cloned().collect::<Vec<_>>())?;
        for (file, extent) in &facts.sources {
            if !self.facts.sources.contains_key(file) {
                self.copy(other, *extent, Record::Source { file: file.clone(), bytes: extent.unpacked })?;
            }
        }
        if let Some((count, extent)) = facts.calls.filter(|_| self.facts.calls.is_none()) {
            self.copy(other, extent, Record::Calls { count, bytes: extent.unpacked })?;
        }
        if let Some(larger) = facts.larger.as_ref().filter(|_| self.facts.larger.is_none()) {
            self.set_larger_run(larger.clone())?;
        }
        if self.facts.latencies.is_empty() && !facts.latencies.is_empty() {
            self.set_latencies(facts.latencies.clone())?;
        }
        for (on, text) in &facts.notes {
            if !self.facts.notes.contains_key(on) {
                self.set_note(Note { on: on.clone(), text: text.clone() })?;
            }
        }
        if let Some(calibration) = facts.calibration.as_ref().filter(|_| self.facts.calibration.is_none()) {
            self.set_calibration(calibration.clone())?;
        }
        Ok(())
    }

    /// Appends a record with the bytes that follow the record in another study.
    fn copy(&mut self, other: &StudyFile, extent: Extent, record: Record) -> Result<(), StudyError> {
        let mut bytes = Vec::new();
        other.read_extent(extent, &mut bytes)?;
        self.append_with(record, &bytes)
    }

    fn merge_workload(
        &mut self,
        other: &StudyFile,
        name: &str,
        workload: &WorkloadFacts,
        ids: &[LocationId],
        merged: &mut Merged,
    ) -> Result<(), StudyError> {
        let was_retired = self.facts.workloads.get(name).is_none_or(|facts| facts.is_retired);
        for (repetition, run) in &workload.runs {
            if self.facts.run_ids.contains(&run.id) {
                merged.known += 1;
                continue;
            }
            let facts = self.facts.workloads.get(name);
            let earlier = facts.and_then(|facts| facts.runs.iter().find(|other| other.0 == *repetition));
            if earlier.is_some_and(|(_, other)| other.outcome.is_finished() || !run.outcome.is_finished()) {
                merged.repeated += 1;
                continue;
            }
            self.merge_run(other, name, workload, (*repetition, run), ids)?;
            merged.added += 1;
        }
        let Some(facts) = self.facts.workloads.get(name) else { return Ok(()) };
        let (has_series, has_loops) = (facts.series.is_some(), facts.loops.is_some());
        let (is_timed, is_sampled) = (facts.timing.is_some(), facts.sampled.is_some());
        let missing: Vec<(String, Option<f64>)> = workload
            .values
            .iter()
            .filter(|(feature, _)| facts.value(feature).is_none())
            .map(|(feature, value)| (feature.clone(), Some(*value)))
            .collect();
        self.set_feature_values(name, &missing)?;
        if let Some(series) = workload.series.filter(|_| !has_series) {
            let (workload, count, bytes) = (name.to_owned(), series.count, series.extent.unpacked);
            let record = match series.layout {
                crate::file::bodies::body::SeriesLayout::Series => Record::Series { workload, count, bytes },
                crate::file::bodies::body::SeriesLayout::Routines => {
                    Record::Routines { workload, profiles: count, bytes }
                }
            };
            self.copy(other, series.extent, record)?;
        }
        if let Some((count, extent)) = workload.loops.filter(|_| !has_loops) {
            let record = Record::Loops { workload: name.to_owned(), count, bytes: extent.unpacked };
            self.copy(other, extent, record)?;
        }
        if let Some(timing) = workload.timing.as_ref().filter(|_| !is_timed) {
            self.set_timing(name, timing.clone())?;
        }
        if let Some(sampled) = workload.sampled.as_ref().filter(|_| !is_sampled) {
            self.set_sampled(name, sampled.clone())?;
        }
        // A workload counts if it counts in one of the studies.
        let is_retired = was_retired && workload.is_retired;
        if self.facts.workloads.get(name).is_some_and(|facts| facts.is_retired != is_retired) {
            self.append(Record::Retired { workloads: vec![name.to_owned()], is_retired })?;
        }
        Ok(())
    }

    fn merge_run(
        &mut self,
        other: &StudyFile,
        name: &str,
        workload: &WorkloadFacts,
        (repetition, run): (u32, &RunFacts),
        ids: &[LocationId],
    ) -> Result<(), StudyError> {
        let counts = run.counts.map(|extent| self.placed(other, extent, ids)).transpose()?;
        let record = RunRecord {
            id: run.id,
            workload: name.to_owned(),
            command: workload.command.clone(),
            input: workload.input.clone(),
            fingerprint: workload.fingerprint.clone(),
            repetition,
            outcome: run.outcome.clone(),
            usage: run.usage,
            stderr_tail: run.stderr_tail.clone(),
            values: Vec::new(),
            has_counts: counts.is_some(),
        };
        self.append_with(Record::Run(Box::new(record)), &counts.unwrap_or_default())
    }

    /// Returns another study's counts, packed in the order of this study's places.
    fn placed(&self, other: &StudyFile, extent: Extent, ids: &[LocationId]) -> Result<Vec<u8>, StudyError> {
        let (mut bytes, mut counts) = (Vec::new(), Vec::new());
        other.read_extent(extent, &mut bytes)?;
        let unpacked = Unpacker::default().unpack(&bytes, ids.len(), &mut counts);
        unpacked.map_err(|what| other.damaged(format!("counts of a run: {what}")))?;
        let mut placed = vec![0; self.facts.positions()[1] as usize];
        for (id, count) in ids.iter().zip(counts) {
            placed[id.index()] += count;
        }
        blob::pack(&placed).map_err(|source| StudyError::Io { path: self.path().to_owned(), source })
    }
}
