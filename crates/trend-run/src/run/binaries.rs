//! Where the programs and libraries can be that wrote raw profiles.
//!
//! A profile names its program by a build id or by digests of function names and not by its path. So the
//! program that was started is looked at first, then what lies beside it, then everything below the
//! configuration's folder.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// How deep programs are, of a package in the folder: `package/target/trend-prof/TRIPLE/release/examples/program`.
const DEEPEST: usize = 8;

/// More files than this are not looked at: the folder is no build folder.
const MOST_FILES: usize = 20_000;

#[derive(Clone, Debug, Default)]
pub(super) struct Binaries {
    /// The program that is started, where it is known.
    started: Option<PathBuf>,
    folder: PathBuf,
}

impl Binaries {
    pub(super) fn new(started: Option<PathBuf>, folder: &Path) -> Self {
        Self { started, folder: folder.to_owned() }
    }

    pub(super) fn is_started(&self, path: &Path) -> bool {
        self.started.as_deref() == Some(path)
    }

    /// Every program and library there is, the likeliest first.
    pub(super) fn candidates(&self) -> impl Iterator<Item = PathBuf> {
        let mut seen = BTreeSet::new();
        let beside = self.started.as_deref().and_then(Path::parent).map(Path::to_owned);
        let beside =
            beside.into_iter().flat_map(|folder| Walk::of(&folder, 1, MOST_FILES, &|_| false).programs);
        let below =
            std::iter::once(self.folder.clone()).flat_map(|folder| Walk::below(&folder, &|_| false).programs);
        // A script is none.
        let started = self.started.clone().filter(|path| is_elf(path));
        let all = started.into_iter().chain(beside).chain(below);
        all.filter(move |path| seen.insert(path.clone()))
    }
}

/// The ELF files in a folder and those below it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Walk {
    /// In order.
    pub(crate) programs: Vec<PathBuf>,
    /// Whether there were more files than are looked at.
    pub(crate) is_cut: bool,
}

impl Walk {
    /// Looks as deep as build folders are, and not into those folders that are to be passed over.
    pub(crate) fn below(folder: &Path, passes_over: &dyn Fn(&Path) -> bool) -> Self {
        Self::of(folder, DEEPEST, MOST_FILES, passes_over)
    }

    /// Level by level, so that where there are too many files the nearest are looked at, and the same ones each time.
    fn of(folder: &Path, depth: usize, most: usize, passes_over: &dyn Fn(&Path) -> bool) -> Self {
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

/// What is in a folder, by name.
fn entries(folder: &Path) -> Vec<fs::DirEntry> {
    let mut entries: Vec<_> = fs::read_dir(folder).into_iter().flatten().flatten().collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    entries
}

/// Whether a file is a program or a library, and no part of one.
fn is_whole(path: &Path) -> bool {
    let is_part =
        path.extension().is_some_and(|e| e == "o" || e == "a" || e == "rlib" || e == "rmeta" || e == "d");
    !is_part && is_elf(path)
}

/// Whether a file is a program or a library.
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
        let walk = |most| Walk::of(root.path(), DEEPEST, most, &|_| false);
        assert_eq!((walk(entries).is_cut, walk(entries).programs.len()), (false, 3));
        assert!(walk(entries - 1).is_cut);
        // Nearest first.
        assert_eq!(walk(3), Walk { programs: vec![other], is_cut: true });
        let passed = Walk::below(root.path(), &|folder| folder.ends_with("out"));
        assert_eq!((passed.is_cut, passed.programs.contains(&library)), (false, false));
    }
}
