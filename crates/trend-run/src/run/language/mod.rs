//! Runs programs whose language's runtime counts executions, and reads the counts.
//!
//! Each language has a module with two functions: `count_into` changes a job so that the program and its child
//! processes write counts into a folder, and `read` reads what one run left there.

pub(crate) mod go;
mod node;
mod python;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

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
    /// Places and counts of the processes, each as one run. Files are relative to the root.
    counts: Vec<Imported>,
    /// Absolute paths of the files with counted code.
    sources: BTreeSet<PathBuf>,
}

/// The folders with a program's own code.
#[derive(Clone, Copy)]
struct Own<'a> {
    /// The configuration's folder.
    folder: &'a Path,
    /// The folder to which names of files are relative.
    path: &'a Path,
    root: &'a Root,
}

/// Reads the counts of runs and keeps the locations.
#[derive(Debug)]
pub(super) struct LanguageDecoder {
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
    pub(super) fn new(language: Language, root: &str, config: &Config) -> Self {
        let (folder, packages) = (config.folder.clone(), config.program.packages);
        let (path, root) = (PathBuf::from(root), Root::new(root));
        Self { language, packages, folder, path, root, places: Places::default() }
    }

    pub(super) fn with_places<T>(&self, use_places: impl FnOnce(&[Function], &[Location]) -> T) -> T {
        self.places.with(use_places)
    }

    /// Makes a job and its child processes write their counts into `folder`. The user's variables must be set before.
    pub(super) fn count_into(&self, job: &mut Job, folder: &Path) -> io::Result<()> {
        match self.language {
            Language::Python => python::count_into(job, folder, &self.folder, self.packages),
            Language::Node => node::count_into(job, folder),
            Language::Go => go::count_into(job, folder),
        }
    }

    /// Adds up the counts of all processes of one run.
    ///
    /// The sources take the place of a build's objects: counts of two versions of a file are not mixed.
    pub(super) fn count(&self, folder: &Path) -> Result<Counted, Uncounted> {
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
    pub(super) fn nothing_written(&self, run: &diagnosis::Run<'_>) -> String {
        match self.language {
            Language::Python => python::nothing_written(run),
            Language::Node => node::nothing_written(run),
            Language::Go => go::nothing_written(run),
        }
    }
}

/// Maximum size of a source text in bytes.
const LONGEST_SOURCE: u64 = 16 << 20;

/// Returns the text of a source file by its name in the study.
fn texts(root: &Path, name: &str) -> Option<String> {
    let path = root.join(name);
    let is_short = fs::metadata(&path).is_ok_and(|m| m.is_file() && m.len() <= LONGEST_SOURCE);
    is_short.then(|| fs::read(&path).ok()).flatten().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns the files in a folder, sorted.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()).collect();
    files.sort();
    files
}

/// Returns the paths of the files with counted code.
fn sources(counts: &[Imported], root: &Path) -> BTreeSet<PathBuf> {
    let names = counts.iter().flat_map(|counts| &counts.functions).map(|function| root.join(&function.file));
    let distinct: BTreeSet<PathBuf> = names.collect();
    distinct.into_iter().filter(|path| path.is_file()).collect()
}
