//! The folder of the shims: links to our own executable under the names of compilers.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::BuildError;
use crate::shim::is_compiler;

/// Where the shims are.
pub(super) enum Place {
    /// In the user's cache. The path is the same for every build, because cmake, autoconf and meson
    /// remember it.
    Stable(PathBuf),
    /// In a folder that goes with the build, where the cache cannot be written.
    Temporary(tempfile::TempDir),
}

impl Place {
    /// The stable place when it can be written, else a temporary one.
    pub(super) fn choose(cache: Option<&Path>) -> Result<Self, BuildError> {
        if let Some(cache) = cache.map(Path::to_owned).or_else(user_cache) {
            let folder = cache.join("shims");
            if fs::create_dir_all(&folder).is_ok() && is_writable(&folder) {
                return Ok(Self::Stable(folder));
            }
        }
        let folder = tempfile::Builder::new().prefix("trend-prof-shims-").tempdir();
        folder.map(Self::Temporary).map_err(|e| BuildError::io(&std::env::temp_dir(), &e))
    }

    pub(super) fn path(&self) -> &Path {
        match self {
            Self::Stable(path) => path,
            Self::Temporary(folder) => folder.path(),
        }
    }

    /// Makes a link to `executable` under each name, and removes those of compilers that are gone.
    pub(super) fn fill(&self, executable: &Path, names: &BTreeSet<String>) -> Result<(), BuildError> {
        let path = self.path();
        let entries = fs::read_dir(path).into_iter().flatten().flatten();
        for name in entries.filter_map(|e| e.file_name().into_string().ok()) {
            if is_compiler(&name) && !names.contains(&name) {
                let _ = fs::remove_file(path.join(name));
            }
        }
        for name in names {
            let link = path.join(name);
            if fs::read_link(&link).is_ok_and(|target| target == executable) {
                continue;
            }
            replace(&link, executable).map_err(|e| BuildError::io(&link, &e))?;
        }
        Ok(())
    }
}

/// Puts a link in place at once, so that a build that is under way never misses its compiler.
fn replace(link: &Path, target: &Path) -> io::Result<()> {
    let unfinished = link.with_file_name(format!(".new-{}", std::process::id()));
    let _ = fs::remove_file(&unfinished);
    symlink(target, &unfinished)?;
    fs::rename(&unfinished, link)
}

fn user_cache() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|p| p.is_absolute());
    let cache = folder("XDG_CACHE_HOME").or_else(|| folder("HOME").map(|home| home.join(".cache")))?;
    Some(cache.join("trend-prof"))
}

fn is_writable(folder: &Path) -> bool {
    rustix::fs::access(folder, rustix::fs::Access::WRITE_OK | rustix::fs::Access::EXEC_OK).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_made_replaced_and_removed() {
        let root = tempfile::tempdir().unwrap();
        let place = Place::choose(Some(root.path())).unwrap();
        let names = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect::<BTreeSet<_>>();
        place.fill(Path::new("/old"), &names(&["gcc", "gcc-9"])).unwrap();
        place.fill(Path::new("/new"), &names(&["gcc", "c++"])).unwrap();
        let shims = root.path().join("shims");
        assert_eq!(place.path(), shims);
        assert_eq!(fs::read_link(shims.join("gcc")).unwrap(), Path::new("/new"));
        assert_eq!(fs::read_link(shims.join("c++")).unwrap(), Path::new("/new"));
        assert!(fs::symlink_metadata(shims.join("gcc-9")).is_err());
    }
}
