//! Runs programs whose language's runtime counts executions, and reads the counts.
//!
//! Each language has a module with two functions: `count_into` changes a job so that the program and its child
//! processes write counts into a folder, and `read` reads what one run left there.

mod python;

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use trend_collect::import::{Imported, Root};
use trend_profile::{Function, Location, ObjectRecord};

use super::counters::{Counted, Uncounted};
use super::diagnosis;
use super::places::Places;
use crate::digest::stamp_of;
use crate::supervisor::wire::Job;
use crate::{Config, Language, Packages};

/// The counts of one run, as a language's module reads them.
pub(super) struct Read {
    /// Places and their counts, as one run. Files are relative to the root.
    counts: Imported,
    /// Absolute paths of the files with counted code.
    sources: BTreeSet<PathBuf>,
}

/// Reads the counts of runs and keeps the locations.
#[derive(Debug)]
pub(super) struct LanguageDecoder {
    language: Language,
    packages: Packages,
    /// The folder with the program's own code.
    folder: PathBuf,
    root: Root,
    places: Places,
}

impl LanguageDecoder {
    pub(super) fn new(language: Language, root: &str, config: &Config) -> Self {
        let (folder, packages) = (config.folder.clone(), config.program.packages);
        Self { language, packages, folder, root: Root::new(root), places: Places::default() }
    }

    pub(super) fn with_places<T>(&self, use_places: impl FnOnce(&[Function], &[Location]) -> T) -> T {
        self.places.with(use_places)
    }

    /// Makes a job and its child processes write their counts into `folder`. The user's variables must be set before.
    pub(super) fn count_into(&self, job: &mut Job, folder: &Path) -> io::Result<()> {
        match self.language {
            Language::Python => python::count_into(job, folder, &self.folder, self.packages),
        }
    }

    /// Adds up the counts of all processes of one run.
    ///
    /// The sources take the place of a build's objects: counts of two versions of a file are not mixed.
    pub(super) fn count(&self, folder: &Path) -> Result<Counted, Uncounted> {
        let Read { counts, sources } = match self.language {
            Language::Python => python::read(folder, &self.root)?,
        };
        let mut counted = Counted { warnings: counts.warnings.clone(), ..Counted::default() };
        self.places.add(&counts, &mut counted.counts);
        let record = |path: PathBuf| {
            Some(ObjectRecord { stamp: stamp_of(&path)?, path: path.to_string_lossy().into_owned() })
        };
        counted.objects = sources.into_iter().filter_map(record).collect();
        Ok(counted)
    }

    /// Explains why a successful run left no counts.
    pub(super) fn nothing_written(&self, run: &diagnosis::Run<'_>) -> String {
        match self.language {
            Language::Python => python::nothing_written(run),
        }
    }
}
