//! Runs programs whose language's runtime counts executions, and reads the counts.
//!
//! Each language has a module with two functions: `count_into` changes a job so that the program and its child
//! processes write counts into a folder, and `read` reads what one run left there.

pub(crate) mod go;
mod node;
mod python;
mod read;

use std::io;
use std::path::{Path, PathBuf};

use trend_collect::import::Root;
use trend_profile::{Function, Location, ObjectRecord};

use self::read::{Own, Read};
use super::counted::{Counted, Uncounted};
use super::diagnosis;
use super::places::Places;
use crate::config::settings::Config;
use crate::program::digest::stamp_of;
use crate::program::language::{Language, Packages};
use crate::supervisor::wire::Job;

/// Reads the counts of runs and keeps the locations.
#[derive(Debug)]
pub(crate) struct LanguageDecoder {
    language: Language,
    packages: Packages,
    /// The folder with the program's own code.
    folder: PathBuf,
    /// The folder to which names of files are relative.
    path: PathBuf,
    root: Root,
    places: Places,
}

impl LanguageDecoder {
    pub(crate) fn new(language: Language, root: &str, config: &Config) -> Self {
        let (folder, packages) = (config.folder.clone(), config.program.packages);
        let (path, root) = (PathBuf::from(root), Root::new(root));
        Self { language, packages, folder, path, root, places: Places::default() }
    }

    pub(crate) fn with_places<T>(&self, use_places: impl FnOnce(&[Function], &[Location]) -> T) -> T {
        self.places.with(use_places)
    }

    /// Makes a job and its child processes write their counts into `folder`. The user's variables must be set before.
    pub(crate) fn count_into(&self, job: &mut Job, folder: &Path) -> io::Result<()> {
        match self.language {
            Language::Python => python::count_into(job, folder, &self.folder, self.packages),
            Language::Node => node::count_into(job, folder),
            Language::Go => go::count_into(job, folder),
        }
    }

    /// Adds up the counts of all processes of one run.
    ///
    /// The sources take the place of a build's objects: counts of two versions of a file are not mixed.
    pub(crate) fn count(&self, folder: &Path) -> Result<Counted, Uncounted> {
        let own = Own { folder: &self.folder, path: &self.path, root: &self.root };
        let Read { counts, sources } = match self.language {
            Language::Python => python::read(folder, &self.root)?,
            Language::Node => node::read(folder, own, self.packages)?,
            Language::Go => go::read(folder, own)?,
        };
        let mut counted = Counted::default();
        for counts in counts {
            self.places.add(&counts, &mut counted.counts);
            counted.warnings.extend(counts.warnings);
        }
        let record = |path: PathBuf| {
            Some(ObjectRecord { stamp: stamp_of(&path)?, path: path.to_string_lossy().into_owned() })
        };
        counted.objects = sources.into_iter().filter_map(record).collect();
        Ok(counted)
    }

    /// Explains why a successful run left no counts.
    pub(crate) fn nothing_written(&self, run: &diagnosis::EndedRun<'_>) -> String {
        match self.language {
            Language::Python => python::nothing_written(run),
            Language::Node => node::nothing_written(run),
            Language::Go => go::nothing_written(run),
        }
    }
}
