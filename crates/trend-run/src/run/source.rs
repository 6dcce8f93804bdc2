//! Where a run's counts come from.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use trend_profile::{Function, Location, StudyFile, Unit, Warning};

use super::binaries::Binaries;
use super::callgrind::{self, CallgrindDecoder};
use super::counters::{self, Counted, GcovDecoder, Uncounted};
use super::diagnosis;
use crate::RunError;
use crate::supervisor::wire::Job;

/// What counts while a workload runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CountSource {
    /// The program itself, which was built with gcc's or clang's `--coverage` or with LLVM's source-based coverage.
    #[default]
    Gcov,
    /// valgrind's callgrind, which runs any program and counts its instructions.
    Callgrind,
}

impl CountSource {
    /// What the costs are.
    pub fn unit(self) -> Unit {
        match self {
            Self::Gcov => Unit::default(),
            Self::Callgrind => Unit::new("instructions"),
        }
    }
}

/// Reads what runs counted, and remembers the locations. It is shared by the workers.
#[derive(Debug)]
pub(super) enum Source {
    Gcov(GcovDecoder),
    Callgrind(CallgrindDecoder),
}

impl Source {
    /// `root` is the folder that source paths are relative to, `required` the objects that the study has
    /// counts of.
    ///
    /// `binaries` are the places where programs with a coverage mapping can be.
    pub(super) fn new(
        counters: CountSource,
        root: &str,
        required: BTreeSet<PathBuf>,
        binaries: Binaries,
    ) -> Self {
        match counters {
            CountSource::Gcov => Self::Gcov(GcovDecoder::new(root, required, binaries)),
            CountSource::Callgrind => Self::Callgrind(CallgrindDecoder::new(root)),
        }
    }

    /// What runs `executable` and leaves its counts in `folder`.
    pub(super) fn job(&self, words: &[OsString], executable: &Path, folder: &Path) -> Result<Job, String> {
        match self {
            Self::Gcov(_) => Ok(Job {
                program: executable.into(),
                name: words[0].clone(),
                arguments: words[1..].to_vec(),
                ..Job::default()
            }),
            Self::Callgrind(_) => callgrind::job(&words[1..], executable, folder),
        }
    }

    /// Adds to the variables of a run, when the user's are set, those without which it would not count well.
    pub(super) fn complete_variables(&self, job: &mut Job) {
        if matches!(self, Self::Callgrind(_)) {
            callgrind::tell_c_library(job);
        }
    }

    /// Reads what one run left in `folder`.
    pub(super) fn count(&self, folder: &Path) -> Result<Counted, Uncounted> {
        match self {
            Self::Gcov(decoder) => decoder.count(folder),
            Self::Callgrind(decoder) => decoder.count(folder),
        }
    }

    /// What can be told only when everything was read.
    pub(super) fn warnings(&self) -> Vec<Warning> {
        match self {
            Self::Gcov(_) => Vec::new(),
            Self::Callgrind(decoder) => decoder.warnings(),
        }
    }

    /// Calls `use_places` with the functions and locations that are known.
    pub(super) fn with_places<T>(&self, use_places: impl FnOnce(&[Function], &[Location]) -> T) -> T {
        match self {
            Self::Gcov(decoder) => decoder.with_places(use_places),
            Self::Callgrind(decoder) => decoder.with_places(use_places),
        }
    }

    /// Why a run that ended well left nothing to read.
    pub(super) fn nothing_written(&self, run: &diagnosis::Run<'_>, stderr: &str) -> String {
        match self {
            Self::Gcov(_) => diagnosis::nothing_written(run, stderr),
            Self::Callgrind(_) => callgrind::nothing_written(&run.words[0]),
        }
    }
}

/// Refuses to mix costs of two kinds, and makes sure that what counts is there.
pub(super) fn check(counters: CountSource, study: &mut StudyFile) -> Result<(), RunError> {
    if counters == CountSource::Callgrind {
        callgrind::check()?;
    }
    let (known, wanted) = (study.unit().clone(), counters.unit());
    if known == wanted {
        return Ok(());
    }
    if study.run_states().iter().any(|run| run.outcome.is_finished()) {
        let (known, wanted) = (known.name().to_owned(), wanted.name().to_owned());
        return Err(RunError::OtherCounts { study: study.path().to_owned(), known, wanted });
    }
    Ok(study.set_unit(&wanted)?)
}

/// What tells one build of an object from another; `None` where it is not there.
pub(super) fn stamp_of(counters: CountSource, object: &Path) -> Option<u32> {
    match counters {
        CountSource::Gcov => counters::stamp_of(object),
        CountSource::Callgrind => callgrind::stamp_of(object),
    }
}
