//! The sources of a run's counts.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use trend_profile::{Function, Location, StudyFile, Unit, Warning};

use super::callgrind::{self, CallgrindDecoder};
use super::counted::{Counted, Uncounted};
use super::counters::{self, GcovDecoder};
use super::diagnosis;
use super::language::LanguageDecoder;
use super::routines::RoutineDecoder;
use crate::config::settings::Config;
use crate::error::RunError;
use crate::program::binaries::Binaries;
use crate::program::digest;
use crate::program::language::Language;
use crate::supervisor::wire::Job;

/// The source of the counts of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CountSource {
    /// The program itself, built with gcc's or clang's `--coverage`, with LLVM's source-based coverage, or with the
    /// probe.
    #[default]
    Gcov,
    /// valgrind's callgrind, which runs any program and counts its instructions.
    Callgrind,
    /// Python's interpreter, whose modules are rewritten so that they count their executions.
    Python,
    /// V8, which counts for node.
    Node,
    /// The program itself, which Go built with `-cover`.
    Go,
}

impl CountSource {
    /// Returns the source of a program's own counts: its language's runtime, or else its build.
    pub fn own(config: &Config) -> Self {
        match config.language() {
            Some(Language::Python) => Self::Python,
            Some(Language::Node) => Self::Node,
            Some(Language::Go) => Self::Go,
            None => Self::Gcov,
        }
    }

    /// Returns the language whose runtime counts.
    pub fn language(self) -> Option<Language> {
        match self {
            Self::Python => Some(Language::Python),
            Self::Node => Some(Language::Node),
            Self::Go => Some(Language::Go),
            Self::Gcov | Self::Callgrind => None,
        }
    }

    /// Returns the unit of the costs.
    pub fn unit(self) -> Unit {
        match self {
            Self::Gcov | Self::Python | Self::Node | Self::Go => Unit::default(),
            Self::Callgrind => Unit::new(callgrind::UNIT),
        }
    }
}

/// Reads the counts of runs and keeps the locations. The workers share it.
#[derive(Debug)]
pub(crate) enum CountDecoder {
    Gcov {
        counters: GcovDecoder,
        routines: Box<RoutineDecoder>,
        /// True if counts come from the probe alone because the program has no counters. The first run decides.
        is_probe_alone: OnceLock<bool>,
        /// True if a run without records of routines or loops is an error.
        needs_probe: bool,
    },
    Callgrind(CallgrindDecoder),
    Language(LanguageDecoder),
}

impl CountDecoder {
    /// `root` is the folder to which source paths are relative. `required` are the objects whose counts the study has.
    ///
    /// `binaries` finds programs with a coverage mapping.
    pub(crate) fn new(
        counters: CountSource,
        root: &str,
        required: BTreeSet<PathBuf>,
        binaries: Binaries,
        config: &Config,
    ) -> Self {
        match counters {
            CountSource::Gcov => Self::Gcov {
                counters: GcovDecoder::new(root, required, binaries),
                routines: Box::new(RoutineDecoder::new(root)),
                is_probe_alone: OnceLock::new(),
                needs_probe: config.program.probe.has_probe(),
            },
            CountSource::Callgrind => Self::Callgrind(CallgrindDecoder::new(root)),
            CountSource::Python => Self::Language(LanguageDecoder::new(Language::Python, root, config)),
            CountSource::Node => Self::Language(LanguageDecoder::new(Language::Node, root, config)),
            CountSource::Go => Self::Language(LanguageDecoder::new(Language::Go, root, config)),
        }
    }

    /// Creates the job that runs `executable` and leaves its counts in `folder`.
    pub(crate) fn job(&self, words: &[OsString], executable: &Path, folder: &Path) -> Result<Job, String> {
        match self {
            Self::Gcov { .. } | Self::Language(_) => Ok(Job {
                program: executable.into(),
                name: words[0].clone(),
                arguments: words[1..].to_vec(),
                ..Job::default()
            }),
            Self::Callgrind(_) => callgrind::job(&words[1..], executable, folder),
        }
    }

    /// Completes a job whose counts go to `folder`. The user's variables must already be set, because counting
    /// depends on them.
    pub(crate) fn complete(&self, job: &mut Job, folder: &Path) -> Result<(), String> {
        match self {
            Self::Gcov { .. } => {}
            Self::Callgrind(_) => callgrind::tell_c_library(job),
            Self::Language(decoder) => {
                decoder.count_into(job, folder).map_err(|e| format!("{}: {e}", folder.display()))?;
            }
        }
        Ok(())
    }

    /// Reads the counts that one run left in `folder`.
    pub(crate) fn count(&self, folder: &Path) -> Result<Counted, Uncounted> {
        match self {
            Self::Gcov { counters, routines, is_probe_alone, needs_probe } => {
                let recorded = routines.count(folder)?;
                let (counted, is_alone) = match (counters.count(folder), recorded) {
                    (Err(Uncounted::Nothing { .. }), Some(recorded)) => (recorded, true),
                    (Err(error), Some(_)) => return Err(error),
                    (Ok(mut counted), Some(recorded)) => {
                        counted.series = recorded.series;
                        counted.loops = recorded.loops;
                        counted.warnings.extend(recorded.warnings);
                        (counted, false)
                    }
                    (Ok(_), None) if *needs_probe => {
                        let what = "blocks were counted, but no routine or loop was recorded; build all \
                                    programs that it starts with the probe, or run without --probe";
                        return Err(Uncounted::Unreadable(what.to_owned()));
                    }
                    (counted, None) => (counted?, false),
                };
                if *is_probe_alone.get_or_init(|| is_alone) == is_alone {
                    return Ok(counted);
                }
                let what = "some runs have block counters and others have none; build all programs that \
                            they start in the same way";
                Err(Uncounted::Unreadable(what.to_owned()))
            }
            Self::Callgrind(decoder) => decoder.count(folder),
            Self::Language(decoder) => decoder.count(folder),
        }
    }

    /// Returns the warnings that are known only after all runs.
    pub(crate) fn warnings(&self) -> Vec<Warning> {
        match self {
            Self::Gcov { routines, .. } => routines.warnings().into_iter().collect(),
            Self::Callgrind(decoder) => decoder.warnings(),
            Self::Language(_) => Vec::new(),
        }
    }

    /// Calls `use_places` with the known functions and locations.
    pub(crate) fn with_places<T>(&self, use_places: impl FnOnce(&[Function], &[Location]) -> T) -> T {
        match self {
            Self::Gcov { routines, is_probe_alone, .. } if is_probe_alone.get() == Some(&true) => {
                routines.with_places(use_places)
            }
            Self::Gcov { counters, .. } => counters.with_places(use_places),
            Self::Callgrind(decoder) => decoder.with_places(use_places),
            Self::Language(decoder) => decoder.with_places(use_places),
        }
    }

    /// Explains why a successful run left no counts.
    pub(crate) fn nothing_written(&self, run: &diagnosis::EndedRun<'_>, stderr: &str) -> String {
        match self {
            Self::Gcov { .. } => diagnosis::nothing_written(run, stderr),
            Self::Callgrind(_) => callgrind::nothing_written(&run.words[0]),
            Self::Language(decoder) => decoder.nothing_written(run),
        }
    }
}

/// Checks that the source of the counts is available, and refuses to mix two kinds of costs. With the probe, the kind
/// is only known after the first run.
pub(crate) fn check(counters: CountSource, has_probe: bool, study: &mut StudyFile) -> Result<(), RunError> {
    if counters == CountSource::Callgrind {
        callgrind::check()?;
    }
    if counters == CountSource::Gcov && has_probe { Ok(()) } else { settle_unit(&counters.unit(), study) }
}

/// Makes sure that the study's costs have this unit.
///
/// # Errors
/// [`RunError::OtherCounts`] if they have another one.
pub(crate) fn settle_unit(wanted: &Unit, study: &mut StudyFile) -> Result<(), RunError> {
    let recorded = study.unit().clone();
    if recorded == *wanted {
        return Ok(());
    }
    if study.run_states().iter().any(|run| run.outcome.is_finished()) {
        let (recorded, wanted) = (recorded.name().to_owned(), wanted.name().to_owned());
        return Err(RunError::OtherCounts { study: study.path().to_owned(), recorded, wanted });
    }
    Ok(study.set_unit(wanted)?)
}

/// Returns a number that differs between builds of an object, or `None` if the object does not exist.
pub(crate) fn stamp_of(counters: CountSource, object: &Path) -> Option<u32> {
    match counters {
        CountSource::Gcov => counters::stamp_of(object),
        CountSource::Callgrind | CountSource::Python | CountSource::Node | CountSource::Go => {
            digest::stamp_of(object)
        }
    }
}
