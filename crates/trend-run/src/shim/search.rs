//! Finds compilers on PATH, and skips our own executable.

use std::collections::BTreeSet;
use std::env;
use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::names::is_compiler;

/// The folders of PATH without the shims, and the path of our executable.
pub(crate) struct Search {
    folders: Vec<PathBuf>,
    myself: Option<PathBuf>,
}

impl Search {
    /// Creates a search that leaves out the folders `shims`.
    pub(crate) fn new(path: Option<&OsStr>, shims: &[PathBuf]) -> Self {
        let shims: Vec<PathBuf> = shims.iter().map(|s| canonical(s)).collect();
        let folders = env::split_paths(path.unwrap_or_default());
        let folders =
            folders.filter(|f| f.as_os_str().is_empty() || !shims.contains(&canonical(f))).collect();
        Self { folders, myself: env::current_exe().ok().map(|p| canonical(&p)) }
    }

    /// Skips another executable: the one that stands in for compilers.
    pub(crate) fn without(mut self, executable: &Path) -> Self {
        self.myself = Some(canonical(executable));
        self
    }

    /// Returns PATH without the shims.
    pub(crate) fn path(&self) -> OsString {
        env::join_paths(&self.folders).unwrap_or_default()
    }

    /// Returns the first executable of that name that is not ours.
    pub(crate) fn find(&self, name: &str) -> Option<PathBuf> {
        self.folders.iter().map(|f| f.join(name)).find(|candidate| self.is_real(candidate))
    }

    /// Returns the names of all compilers.
    pub(crate) fn compilers(&self) -> BTreeSet<String> {
        let entries = self.folders.iter().filter_map(|f| f.read_dir().ok()).flatten().flatten();
        let named = entries.filter_map(|e| {
            let name = e.file_name().into_string().ok()?;
            (is_compiler(&name) && self.is_real(&e.path())).then_some(name)
        });
        named.collect()
    }

    /// Returns true if the file is executable and not our own executable under another name.
    pub(crate) fn is_real(&self, path: &Path) -> bool {
        let is_executable = path.metadata().is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0);
        is_executable && self.myself.as_ref() != Some(&canonical(path))
    }
}

pub(crate) fn canonical(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_real_compiler_is_the_first_that_is_not_a_shim() {
        let root = tempfile::tempdir().unwrap();
        let folder = |name: &str| {
            let folder = root.path().join(name);
            std::fs::create_dir(&folder).unwrap();
            folder
        };
        let (shims, links, real) = (folder("shims"), folder("links"), folder("real"));
        let myself = env::current_exe().unwrap();
        std::os::unix::fs::symlink(&myself, shims.join("gcc")).unwrap();
        std::os::unix::fs::symlink(&myself, links.join("gcc")).unwrap();
        std::os::unix::fs::symlink("/bin/true", real.join("gcc")).unwrap();
        std::fs::write(real.join("g++"), "no program").unwrap();
        let path = env::join_paths([&shims, &links, &real]).unwrap();
        let search = Search::new(Some(&path), std::slice::from_ref(&shims));
        assert_eq!(search.find("gcc"), Some(real.join("gcc")));
        assert_eq!(search.find("g++"), None);
        assert_eq!(search.compilers().into_iter().collect::<Vec<_>>(), ["gcc"]);
        assert_eq!(search.path(), env::join_paths([&links, &real]).unwrap());
    }
}
