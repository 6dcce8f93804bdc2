//! Finds the programs of an earlier build, for a build that had nothing to compile.

use std::path::{Path, PathBuf};

use super::configured::Folders;
use crate::program::binaries::Walk;
use crate::program::mark::{Mark, marks};
use crate::program::nature::is_instrumented;
use crate::project::cargo;

/// The file that marks cargo's target folders. Build scripts and procedural macros in these have no counters.
const TAG: &str = "CACHEDIR.TAG";

/// Folders in which build systems keep the programs of their own tests.
pub(super) const OF_BUILD_SYSTEMS: [&str; 2] = ["CMakeFiles", "meson-private"];

/// Folders in which package managers install programs that the build does not make.
const OF_PACKAGES: [&str; 2] = ["node_modules", "venv"];

/// The file that marks a Python virtual environment, whatever the folder's name.
const PYTHON: &str = "pyvenv.cfg";

/// A folder of this name belongs to a package manager if one of these files is next to it.
const TARGET: (&str, [&str; 3]) = ("target", ["Cargo.toml", "pom.xml", "build.sbt"]);

/// The programs and shared libraries in a folder, relative to it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Earlier {
    /// Files with the instrumentation that this build uses.
    pub(super) as_wanted: Vec<PathBuf>,
    pub(super) without: Vec<PathBuf>,
    /// Files with other instrumentation: their probe's mark, or `None` if they have counters only.
    pub(super) otherwise: Vec<(PathBuf, Option<Mark>)>,
    /// True if the search stopped before it saw all files. It visits the files nearest to the folder first.
    pub(super) is_cut: bool,
}

impl Earlier {
    /// Searches below a folder, except in hidden folders and in folders of package managers. Among cargo's programs,
    /// only the instrumented ones count. If the build concerned folders that were configured with our compilers, only
    /// these are searched. If there are any such folders, folders that cmake configured with other compilers are
    /// skipped.
    pub(super) fn look(folder: &Path, folders: &Folders, probe: Option<&Mark>) -> Self {
        let others = folders.others.iter().filter(|_| folders.has_ours);
        let others: Vec<PathBuf> =
            others.filter_map(|other| Some(folder.join(other.cache.parent()?))).collect();
        let passes_over = |f: &Path| {
            f.join(TAG).is_file()
                || OF_BUILD_SYSTEMS.iter().any(|name| f.ends_with(name))
                || is_hidden(f)
                || is_of_packages(f)
                || others.iter().any(|other| other == f)
        };
        let mut earlier = Self::default();
        let whole = [PathBuf::new()];
        for place in if folders.meant.is_empty() { &whole } else { folders.meant.as_slice() } {
            let walk = Walk::below(&folder.join(place), &passes_over);
            earlier.is_cut |= walk.is_cut;
            for path in walk.programs {
                let name = path.strip_prefix(folder).map_or_else(|_| path.clone(), Path::to_owned);
                earlier.add(&path, name, probe);
            }
        }
        let above = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        if folders.meant.is_empty() && above.ancestors().any(|f| f.join("Cargo.toml").is_file()) {
            let programs = cargo::programs(folder).into_iter().map(PathBuf::from);
            let is_counted = |path: &Path| is_instrumented(path) || !marks(path).is_empty();
            for name in programs.filter(|name| is_counted(&folder.join(name))) {
                earlier.add(&folder.join(&name), name.clone(), probe);
            }
        }
        earlier
    }

    fn add(&mut self, program: &Path, name: PathBuf, probe: Option<&Mark>) {
        let marks = marks(program);
        if let Some(other) = marks.iter().find(|mark| Some(*mark) != probe) {
            self.otherwise.push((name, Some(other.clone())));
        } else if !marks.is_empty() {
            self.as_wanted.push(name);
        } else if !is_instrumented(program) {
            self.without.push(name);
        } else if probe.is_some() {
            self.otherwise.push((name, None));
        } else {
            self.as_wanted.push(name);
        }
    }

    /// Returns true if there are programs, and all of them have the wanted instrumentation.
    pub(super) fn is_complete(&self) -> bool {
        !self.as_wanted.is_empty() && self.without.is_empty() && self.otherwise.is_empty()
    }
}

pub(super) fn is_hidden(folder: &Path) -> bool {
    folder.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
}

fn is_of_packages(folder: &Path) -> bool {
    let (name, marks) = TARGET;
    OF_PACKAGES.iter().any(|name| folder.ends_with(name))
        || folder.join(PYTHON).is_file()
        || folder.ends_with(name) && marks.iter().any(|mark| folder.with_file_name(mark).is_file())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn programs_are_told_by_their_counters() {
        let root = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, format!("\x7fELF{text}")).unwrap();
        };
        assert!(!Earlier::look(root.path(), &Folders::default(), None).is_complete());
        write("out/a", "a.gcda\0");
        write("b", "__llvm_prf_cnts\0");
        write("out/CMakeFiles/3.25.1/CompilerIdC/a.out", "");
        write("target/release/build/script", "");
        fs::write(root.path().join("target").join(TAG), "").unwrap();
        for name in
            [".git/hook", "sub/.venv/bin/p", "a/node_modules/b/c", "venv/bin/p", "env/bin/p", "java/target/p"]
        {
            write(name, "");
        }
        write("env/pyvenv.cfg", "");
        fs::write(root.path().join("java/pom.xml"), "").unwrap();
        let earlier = Earlier::look(root.path(), &Folders::default(), None);
        assert_eq!(earlier.as_wanted, [Path::new("b"), Path::new("out/a")]);
        assert!(earlier.is_complete());
        write("own/target/d", "no counters");
        let earlier = Earlier::look(root.path(), &Folders::default(), None);
        assert_eq!(earlier.without, [Path::new("own/target/d")]);
        fs::remove_dir_all(root.path().join("own")).unwrap();
        write("c", "no counters");
        let earlier = Earlier::look(root.path(), &Folders::default(), None);
        assert_eq!((earlier.is_complete(), earlier.without), (false, vec![PathBuf::from("c")]));
    }

    #[test]
    fn where_a_build_was_about_a_folder_older_programs_elsewhere_are_of_no_concern() {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("older"), "\x7fELF").unwrap();
        fs::create_dir(root.path().join("out")).unwrap();
        let folders = Folders { has_ours: true, meant: vec!["out".into()], others: Vec::new() };
        assert_eq!(Earlier::look(root.path(), &folders, None), Earlier::default());
        fs::write(root.path().join("out/a"), "\x7fELF a.gcda\0").unwrap();
        let earlier = Earlier::look(root.path(), &folders, None);
        assert!(earlier.is_complete() && earlier.as_wanted == [Path::new("out/a")]);
        fs::write(root.path().join("out/b"), "\x7fELF").unwrap();
        assert_eq!(Earlier::look(root.path(), &folders, None).without, [Path::new("out/b")]);
    }
}
