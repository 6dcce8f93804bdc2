//! Items that the modules of all languages share: the counts that they return, and the files with counted code.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use trend_collect::import::{Imported, Root};

/// The counts of one run, as a language's module reads them.
pub(super) struct Read {
    /// Places and counts of the processes, each as one run. Files are relative to the root.
    pub(super) counts: Vec<Imported>,
    /// Absolute paths of the files with counted code.
    pub(super) sources: BTreeSet<PathBuf>,
}

/// The folders with a program's own code.
#[derive(Clone, Copy)]
pub(super) struct Own<'a> {
    /// The configuration's folder.
    pub(super) folder: &'a Path,
    /// The folder to which names of files are relative.
    pub(super) path: &'a Path,
    pub(super) root: &'a Root,
}

/// Maximum size of a source text in bytes.
const LONGEST_SOURCE: u64 = 16 << 20;

/// Returns the text of a source file by its name in the study.
pub(super) fn texts(root: &Path, name: &str) -> Option<String> {
    let path = root.join(name);
    let is_short = fs::metadata(&path).is_ok_and(|m| m.is_file() && m.len() <= LONGEST_SOURCE);
    is_short.then(|| fs::read(&path).ok()).flatten().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns the files in a folder, sorted.
pub(super) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()).collect();
    files.sort();
    files
}

/// Returns the paths of the files with counted code.
pub(super) fn sources(counts: &[Imported], root: &Path) -> BTreeSet<PathBuf> {
    let names = counts.iter().flat_map(|counts| &counts.functions).map(|function| root.join(&function.file));
    let distinct: BTreeSet<PathBuf> = names.collect();
    distinct.into_iter().filter(|path| path.is_file()).collect()
}
