//! What an earlier build left behind, for a build that had nothing to do.

use std::path::{Path, PathBuf};

use super::cargo;
use super::cmake::Caches;
use crate::run::{is_instrumented, programs_below};

/// Cargo's mark of its target folders, in which build scripts and procedural macros have no counters.
const TAG: &str = "CACHEDIR.TAG";

/// Folders in which build systems keep the programs of their own tests.
const OF_BUILD_SYSTEMS: [&str; 2] = ["CMakeFiles", "meson-private"];

/// The programs and shared libraries that a folder has, relative to it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Earlier {
    pub(super) with_counters: Vec<PathBuf>,
    pub(super) without: Vec<PathBuf>,
}

impl Earlier {
    /// Looks at all that lies below a folder, and of cargo's programs at those that an instrumented build makes. Where
    /// cmake was told to instrument in one folder, what it built in others is of no concern.
    pub(super) fn look(folder: &Path, caches: &Caches) -> Self {
        let others = caches.others.iter().filter(|_| caches.has_ours);
        let others: Vec<PathBuf> =
            others.filter_map(|other| Some(folder.join(other.cache.parent()?))).collect();
        let is_other = |path: &PathBuf| {
            let mut folders = path.ancestors().skip(1).take_while(|f| *f != folder);
            folders.any(|f| {
                f.join(TAG).is_file()
                    || OF_BUILD_SYSTEMS.iter().any(|name| f.ends_with(name))
                    || others.iter().any(|other| other == f)
            })
        };
        let mut earlier = Self::default();
        for path in programs_below(folder).into_iter().filter(|path| !is_other(path)) {
            let kind = if is_instrumented(&path) { &mut earlier.with_counters } else { &mut earlier.without };
            kind.push(path.strip_prefix(folder).map(Path::to_owned).unwrap_or(path));
        }
        let above = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        if above.ancestors().any(|f| f.join("Cargo.toml").is_file()) {
            let programs = cargo::programs(folder).into_iter().map(PathBuf::from);
            earlier.with_counters.extend(programs.filter(|p| is_instrumented(&folder.join(p))));
        }
        earlier
    }

    /// Whether there is something, and all of it counts.
    pub(super) fn is_complete(&self) -> bool {
        !self.with_counters.is_empty() && self.without.is_empty()
    }
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
        assert!(!Earlier::look(root.path(), &Caches::default()).is_complete());
        write("out/a", "a.gcda\0");
        write("b", "__llvm_prf_cnts\0");
        write("out/CMakeFiles/3.25.1/CompilerIdC/a.out", "");
        write("target/release/build/script", "");
        fs::write(root.path().join("target").join(TAG), "").unwrap();
        let found = Earlier::look(root.path(), &Caches::default());
        assert_eq!(found.with_counters, [Path::new("b"), Path::new("out/a")]);
        assert!(found.is_complete());
        write("c", "no counters");
        let found = Earlier::look(root.path(), &Caches::default());
        assert_eq!((found.is_complete(), found.without), (false, vec![PathBuf::from("c")]));
    }
}
