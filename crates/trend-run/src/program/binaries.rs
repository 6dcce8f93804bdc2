//! Finds the programs and libraries that may have written raw profiles.
//!
//! A profile identifies its program by a build id or by digests of function names, not by its path. So the started
//! program is tried first, then its neighbours, then everything below the configuration's folder.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// Maximum depth of programs, for a package in the folder: `package/target/trend-prof/TRIPLE/release/examples/program`.
const DEEPEST: usize = 8;

/// Maximum number of files to visit; a folder with more is not a build folder.
const MOST_FILES: usize = 20_000;

#[derive(Clone, Debug, Default)]
pub(crate) struct Binaries {
    /// The program that is started, if known.
    started: Option<PathBuf>,
    folder: PathBuf,
}

impl Binaries {
    pub(crate) fn new(started: Option<PathBuf>, folder: &Path) -> Self {
        Self { started, folder: folder.to_owned() }
    }

    pub(crate) fn is_started(&self, path: &Path) -> bool {
        self.started.as_deref() == Some(path)
    }

    /// Returns all programs and libraries, the most likely ones first.
    pub(crate) fn candidates(&self) -> impl Iterator<Item = PathBuf> {
        let mut seen = BTreeSet::new();
        let neighbours = self.started.as_deref().and_then(Path::parent).map(Path::to_owned);
        let neighbours = neighbours
            .into_iter()
            .flat_map(|folder| Walk::search(&folder, 1, MOST_FILES, &|_| false).programs);
        let below =
            std::iter::once(self.folder.clone()).flat_map(|folder| Walk::below(&folder, &|_| false).programs);
        // The started file may be a script.
        let started = self.started.clone().filter(|path| is_elf(path));
        let all = started.into_iter().chain(neighbours).chain(below);
        all.filter(move |path| seen.insert(path.clone()))
    }
}

/// The ELF files in a folder and below it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Walk {
    /// Paths of the files, sorted.
    pub(crate) programs: Vec<PathBuf>,
    /// True if the folder has more files than the search visits.
    pub(crate) is_cut: bool,
}

impl Walk {
    /// Searches to the usual depth of build folders. Skips the folders for which `passes_over` is true.
    pub(crate) fn below(folder: &Path, passes_over: &dyn Fn(&Path) -> bool) -> Self {
        Self::search(folder, DEEPEST, MOST_FILES, passes_over)
    }

    /// Searches level by level. If there are too many files, it visits the nearest ones, and the same ones each time.
    fn search(folder: &Path, depth: usize, most: usize, passes_over: &dyn Fn(&Path) -> bool) -> Self {
        let mut walk = Self { programs: Vec::new(), is_cut: false };
        let (mut level, mut left) = (vec![folder.to_owned()], most);
        for _ in 0..depth {
            let mut next = Vec::new();
            for entry in level.iter().flat_map(|folder| entries(folder)) {
                walk.is_cut = left == 0;
                if walk.is_cut {
                    break;
                }
                left -= 1;
                let Ok(kind) = entry.file_type() else { continue };
                let path = entry.path();
                if kind.is_dir() && !passes_over(&path) {
                    next.push(path);
                } else if kind.is_file() && is_whole(&path) {
                    walk.programs.push(path);
                }
            }
            level = if walk.is_cut { Vec::new() } else { next };
        }
        walk.programs.sort();
        walk
    }
}

/// Returns a folder's entries, sorted by name.
fn entries(folder: &Path) -> Vec<fs::DirEntry> {
    let mut entries: Vec<_> = fs::read_dir(folder).into_iter().flatten().flatten().collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    entries
}

/// Returns true if a file is a complete program or library, not an object or an archive.
fn is_whole(path: &Path) -> bool {
    let is_part =
        path.extension().is_some_and(|e| e == "o" || e == "a" || e == "rlib" || e == "rmeta" || e == "d");
    !is_part && is_elf(path)
}

/// Returns true if a file is a program, a library or another ELF file.
pub(crate) fn is_elf(path: &Path) -> bool {
    let mut start = [0; 4];
    File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok() && start == *b"\x7fELF"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_started_program_comes_first_and_each_program_once() {
        let root = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &[u8]| {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            path
        };
        let started = write("out/z", b"\x7fELF z");
        let library = write("out/liba.so", b"\x7fELF a");
        let other = write("a", b"\x7fELF b");
        write("out/z.o", b"\x7fELF o");
        write("notes.txt", b"text");
        let candidates: Vec<PathBuf> =
            Binaries::new(Some(started.clone()), root.path()).candidates().collect();
        assert_eq!(candidates, [started, library.clone(), other.clone()]);
        let entries = 6;
        let walk = |most| Walk::search(root.path(), DEEPEST, most, &|_| false);
        assert_eq!((walk(entries).is_cut, walk(entries).programs.len()), (false, 3));
        assert!(walk(entries - 1).is_cut);
        // The nearest files come first.
        assert_eq!(walk(3), Walk { programs: vec![other], is_cut: true });
        let passed = Walk::below(root.path(), &|folder| folder.ends_with("out"));
        assert_eq!((passed.is_cut, passed.programs.contains(&library)), (false, false));
    }
}
