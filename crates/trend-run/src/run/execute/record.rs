//! Writes the study while workloads run. Nothing else writes it at that time.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use trend_profile::{LocationId, ObjectRecord, Run, SourceText, StudyFile, Warning};

use crate::error::RunError;
use crate::plan::workload::PlannedWorkload;
use crate::run::decode::counted::Counted;
use crate::run::decode::source::{self, CountDecoder};
use crate::run::root;
use crate::run::workload::report::Report;

/// Maximum size of a source text in bytes. Larger sources are generated tables, which users do not read.
const LONGEST_SOURCE: u64 = 4 << 20;

/// The texts of sources that are recorded.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Sources<'a> {
    /// Those below the configuration's folder, if relative paths start there.
    Below(&'a Path),
    Nothing,
}

/// Records reports as they arrive.
pub(crate) struct Recorder<'a> {
    study: &'a mut StudyFile,
    source: &'a CountDecoder,
    /// The folder to which source paths are relative.
    root: PathBuf,
    /// True if the texts of new sources are recorded.
    has_texts: bool,
    /// The study's location ids, indexed by position in the program's locations.
    positions: Vec<LocationId>,
    /// The stamps of the study's objects, by path.
    objects: BTreeMap<String, u32>,
    /// Notes of one of the study's objects that no longer exist.
    missing: Option<PathBuf>,
    sources: BTreeSet<String>,
    warnings: BTreeSet<Warning>,
}

impl<'a> Recorder<'a> {
    /// `missing` are the notes of an object that is in the study, but not on disk. Paths are relative to `root`.
    /// Sources are read only if that is the configuration's folder: a study from elsewhere may name any folder of
    /// this machine.
    pub(crate) fn new(
        study: &'a mut StudyFile,
        source: &'a CountDecoder,
        objects: &[ObjectRecord],
        missing: Option<PathBuf>,
        root: &Path,
        texts: Sources<'_>,
    ) -> Self {
        let has_texts = matches!(texts, Sources::Below(folder) if folder == root);
        let root = root.to_owned();
        let objects = objects.iter().map(|o| (o.path.clone(), o.stamp)).collect();
        let (positions, sources, warnings) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
        Self { study, source, root, has_texts, positions, objects, missing, sources, warnings }
    }

    /// Records a run: first its objects and locations, then the run itself in one transaction.
    pub(crate) fn record(
        &mut self,
        workload: &PlannedWorkload,
        repetition: u32,
        report: &Report,
        values: &[(String, Option<f64>)],
    ) -> Result<(), RunError> {
        if let Some(object) = &report.rebuilt
            && self.objects.contains_key(&*object.to_string_lossy())
        {
            return Err(self.rebuilt(object, "its counters and notes are from different builds"));
        }
        self.warn(&report.warnings)?;
        let run = Run {
            repetition,
            outcome: report.outcome.clone(),
            usage: report.usage,
            stderr_tail: report.stderr_tail.clone(),
        };
        if let Some(counted) = &report.counted {
            source::settle_unit(&counted.unit, self.study)?;
        }
        let counts = report.counted.as_ref().map(|counted| self.by_position(counted)).transpose()?;
        let workload = trend_profile::Workload { usage: Some(report.usage), ..workload.workload.clone() };
        match &report.counted {
            // Repetitions have the same series and loops.
            Some(Counted { series, loops, .. }) if repetition == 0 && !loops.is_empty() => {
                self.study.record_with_loops(&workload, &run, counts.as_deref(), values, series, loops)?;
            }
            Some(Counted { series, .. }) if repetition == 0 && !series.is_empty() => {
                self.study.record_with_series(&workload, &run, counts.as_deref(), values, series)?;
            }
            _ => self.study.record(&workload, &run, counts.as_deref(), values)?,
        }
        // A study that replaces another one does so as soon as it has counts.
        if report.outcome.is_finished() {
            self.study.publish()?;
        }
        Ok(())
    }

    /// Makes a draft appear at its path.
    pub(crate) fn publish(&mut self) -> Result<(), RunError> {
        Ok(self.study.publish()?)
    }

    /// Records warnings that are new.
    pub(crate) fn warn(&mut self, warnings: &[Warning]) -> Result<(), RunError> {
        let new: Vec<Warning> = warnings.iter().filter(|w| !self.warnings.contains(*w)).cloned().collect();
        if !new.is_empty() {
            self.study.add_warnings(&new)?;
            self.warnings.extend(new);
        }
        Ok(())
    }

    /// Returns all warnings so far.
    pub(crate) fn warnings(&self) -> &BTreeSet<Warning> {
        &self.warnings
    }

    pub(crate) fn set_values(
        &mut self,
        workload: &str,
        values: &[(String, Option<f64>)],
    ) -> Result<(), RunError> {
        Ok(self.study.set_feature_values(workload, values)?)
    }

    /// Returns the counts indexed by the study's locations.
    fn by_position(&mut self, counted: &Counted) -> Result<Vec<u64>, RunError> {
        self.know_objects(&counted.objects)?;
        if counted.counts.len() > self.positions.len() {
            self.know_locations()?;
        }
        let used = &self.positions[..counted.counts.len()];
        let length = used.iter().map(|l| l.index() + 1).max().unwrap_or(0);
        let mut counts = vec![0_u64; length];
        for (position, count) in used.iter().zip(&counted.counts) {
            // Two locations of the program should never map to the same one of the study. If they do, their counts add
            // up.
            counts[position.index()] = counts[position.index()].saturating_add(*count);
        }
        Ok(counts)
    }

    /// Adds the objects of a run to the study. Fails if they come from another build.
    fn know_objects(&mut self, objects: &[ObjectRecord]) -> Result<(), RunError> {
        let mut new = Vec::new();
        for object in objects {
            match self.objects.get(&object.path) {
                Some(stamp) if *stamp == object.stamp => {}
                Some(_) => return Err(self.rebuilt(Path::new(&object.path), "it was compiled again")),
                // An object of the study is missing and a new one has appeared. This happens only in another build.
                None if let Some(missing) = &self.missing => {
                    let what = format!("it is new, and {} has gone", missing.display());
                    return Err(self.rebuilt(Path::new(&object.path), &what));
                }
                None => new.push(object.clone()),
            }
        }
        if !new.is_empty() {
            let named: Vec<ObjectRecord> =
                new.iter().map(|object| root::relative(object, &self.root)).collect();
            self.study.add_objects(&named)?;
            self.objects.extend(new.into_iter().map(|o| (o.path, o.stamp)));
        }
        Ok(())
    }

    /// Adds new locations to the study, and the texts of their files.
    fn know_locations(&mut self) -> Result<(), RunError> {
        let (study, positions) = (&mut *self.study, &mut self.positions);
        let files: BTreeSet<String> = self.source.with_places(|functions, locations| {
            let new = &locations[positions.len()..];
            positions.extend(study.intern(functions, new)?);
            Ok::<_, RunError>(new.iter().map(|l| l.file.to_string()).collect())
        })?;
        let mut texts = Vec::new();
        for file in files {
            if self.has_texts && self.sources.insert(file.clone()) {
                texts.extend(text_of(&self.root, &file));
            }
        }
        Ok(self.study.add_sources(&texts)?)
    }

    fn rebuilt(&self, object: &Path, what: &str) -> RunError {
        RunError::Rebuilt {
            study: self.study.path().to_owned(),
            object: object.to_owned(),
            what: what.to_owned(),
        }
    }
}

fn text_of(root: &Path, file: &str) -> Option<SourceText> {
    let path = root.join(file);
    if !fs::metadata(&path).ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    fs::File::open(path).ok()?.take(LONGEST_SOURCE).read_to_end(&mut bytes).ok()?;
    Some(SourceText { file: file.to_owned(), text: String::from_utf8_lossy(&bytes).into_owned() })
}
