//! The folder of shims: links to our own executable, named like compilers.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use twox_hash::XxHash3_64;

use crate::error::BuildError;
use crate::machine::cache::user_cache;
use crate::shim;
use crate::shim::names::is_compiler;

/// The location of the shims.
pub(super) enum ShimFolder {
    /// A folder in the user's cache. Its path is the same for every build with this executable, because cmake, autoconf
    /// and meson store it.
    Stable(PathBuf),
    /// A folder that is removed after the build, used if the cache is not writable.
    Temporary(tempfile::TempDir),
}

impl ShimFolder {
    /// Chooses the executable's stable folder if it is writable, and a temporary one otherwise. Removes the folders of
    /// executables that no longer exist.
    pub(super) fn choose(cache: Option<&Path>, executable: &Path) -> Result<Self, BuildError> {
        if let Some(cache) = cache.map(Path::to_owned).or_else(user_cache) {
            let all = cache.join("shims");
            let folder = all.join(name_of(executable));
            if fs::create_dir_all(&folder).is_ok() && is_writable(&folder) {
                clear(&all);
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

    /// Links each name to `executable`, and removes the links of compilers that no longer exist.
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

/// Returns the folder's name for an executable. Two executables, such as an installed and a freshly built one, must not
/// replace each other's links and runtime while both build. A newer version at the same path keeps the folder, because
/// builds that cmake configured store its path.
pub(crate) fn name_of(executable: &Path) -> String {
    let path = fs::canonicalize(executable).unwrap_or_else(|_| executable.to_owned());
    format!("{:016x}", XxHash3_64::oneshot(path.as_os_str().as_bytes()))
}

/// Removes the folders of executables that no longer exist. Also removes links of old versions, which shared one
/// folder.
fn clear(all: &Path) {
    let is_gone = |link: &Path| fs::read_link(link).is_ok_and(|target| !target.exists());
    for path in fs::read_dir(all).into_iter().flatten().flatten().map(|entry| entry.path()) {
        if is_gone(&path) {
            let _ = fs::remove_file(path);
            continue;
        }
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let is_ours = name.len() == 16 && name.bytes().all(|digit| digit.is_ascii_hexdigit());
        // A folder without a link is still being created.
        if is_ours && is_gone(&path.join(shim::LINKER)) {
            let _ = fs::remove_dir_all(path);
        }
    }
}

/// Replaces a link atomically, so that a concurrent build never misses its compiler.
fn replace(link: &Path, target: &Path) -> io::Result<()> {
    let unfinished = link.with_file_name(format!(".new-{}", std::process::id()));
    let _ = fs::remove_file(&unfinished);
    symlink(target, &unfinished)?;
    fs::rename(&unfinished, link)
}

fn is_writable(folder: &Path) -> bool {
    rustix::fs::access(folder, rustix::fs::Access::WRITE_OK | rustix::fs::Access::EXEC_OK).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|n| (*n).to_owned()).collect()
    }

    #[test]
    fn links_are_made_replaced_and_removed() {
        let root = tempfile::tempdir().unwrap();
        let place = ShimFolder::choose(Some(root.path()), Path::new("/new")).unwrap();
        place.fill(Path::new("/old"), &names(&["gcc", "gcc-9"])).unwrap();
        place.fill(Path::new("/new"), &names(&["gcc", "c++"])).unwrap();
        let shims = place.path();
        assert!(shims.starts_with(root.path().join("shims")));
        assert_eq!(fs::read_link(shims.join("gcc")).unwrap(), Path::new("/new"));
        assert_eq!(fs::read_link(shims.join("c++")).unwrap(), Path::new("/new"));
        assert!(fs::symlink_metadata(shims.join("gcc-9")).is_err());
    }

    #[test]
    fn two_copies_of_the_executable_have_their_own_shims_until_one_is_gone() {
        let root = tempfile::tempdir().unwrap();
        let copies = ["one", "other"].map(|name| root.path().join(name));
        let made = |copy: &Path| {
            fs::write(copy, "").unwrap();
            let place = ShimFolder::choose(Some(root.path()), copy).unwrap();
            place.fill(copy, &names(&["gcc", shim::LINKER])).unwrap();
            fs::write(place.path().join("libtrend_runtime.a"), copy.to_str().unwrap()).unwrap();
            place.path().to_owned()
        };
        let [one, other] = [made(&copies[0]), made(&copies[1])];
        for (place, copy) in [(&one, &copies[0]), (&other, &copies[1])] {
            assert_eq!(&fs::read_link(place.join("gcc")).unwrap(), copy);
            let runtime = fs::read_to_string(place.join("libtrend_runtime.a")).unwrap();
            assert_eq!(Path::new(&runtime), copy);
        }
        // A link left by an earlier version, which used one shared folder, and a folder that is not ours.
        let all = root.path().join("shims");
        symlink("/gone", all.join("gcc")).unwrap();
        fs::create_dir(all.join("objects")).unwrap();
        fs::remove_file(&copies[1]).unwrap();
        assert_eq!(made(&copies[0]), one, "the path stays");
        let left = [one.exists(), other.exists(), all.join("objects").exists()];
        assert_eq!(left, [true, false, true]);
        assert!(fs::symlink_metadata(all.join("gcc")).is_err());
    }
}
