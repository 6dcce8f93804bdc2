//! Folders that cmake configured before, with compilers that do not instrument.
//!
//! cmake keeps the compiler's absolute path in its cache, so that neither PATH nor CC counts any more.

use std::fs;
use std::path::{Path, PathBuf};

const CACHE: &str = "CMakeCache.txt";

/// A cache and the compiler that it names.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Configured {
    /// Relative to the build's folder.
    pub(super) cache: PathBuf,
    pub(super) compiler: String,
}

/// Caches in a folder and those right below it, by name.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Caches {
    /// Whether one of them names a compiler in `shims`.
    pub(super) has_ours: bool,
    pub(super) others: Vec<Configured>,
}

/// Looks for caches.
pub(super) fn caches(folder: &Path, shims: &Path) -> Caches {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path());
    let mut folders: Vec<PathBuf> = entries.filter(|p| p.is_dir()).collect();
    folders.sort();
    let found = std::iter::once(folder.to_owned()).chain(folders).filter_map(|place| {
        let path = place.join(CACHE);
        let compiler = compiler(&fs::read_to_string(&path).ok()?)?;
        Some(Configured { cache: path.strip_prefix(folder).unwrap_or(&path).to_owned(), compiler })
    });
    let (ours, others): (Vec<_>, Vec<_>) = found.partition(|c| Path::new(&c.compiler).starts_with(shims));
    Caches { has_ours: !ours.is_empty(), others }
}

/// `CMAKE_C_COMPILER:FILEPATH=/usr/bin/cc` → `/usr/bin/cc`
fn compiler(cache: &str) -> Option<String> {
    let names = ["CMAKE_C_COMPILER:", "CMAKE_CXX_COMPILER:"];
    let value = |line: &str| {
        let rest = names.iter().find_map(|name| line.strip_prefix(name))?;
        Some(rest.split_once('=')?.1.trim().to_owned())
    };
    cache.lines().find_map(value).filter(|path| path.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cache_with_a_compiler_of_its_own_is_found() {
        let root = tempfile::tempdir().unwrap();
        let cache = |folder: &str, compiler: &str| {
            fs::create_dir_all(root.path().join(folder)).unwrap();
            let text = format!(
                "# a cache\nCMAKE_C_COMPILER_AR:FILEPATH=/usr/bin/ar\nCMAKE_C_COMPILER:STRING={compiler}\n"
            );
            fs::write(root.path().join(folder).join(CACHE), text).unwrap();
        };
        let shims = Path::new("/cache/shims");
        cache("a", "/cache/shims/cc");
        assert_eq!(caches(root.path(), shims), Caches { has_ours: true, others: Vec::new() });
        cache("b", "/usr/bin/cc");
        let other = Configured { cache: "b/CMakeCache.txt".into(), compiler: "/usr/bin/cc".into() };
        assert_eq!(caches(root.path(), shims), Caches { has_ours: true, others: vec![other] });
    }
}
