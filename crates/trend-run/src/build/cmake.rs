//! Folders that cmake configured before, with compilers that do not instrument.
//!
//! cmake keeps the compiler's absolute path in its cache, so that neither PATH nor CC counts any more.

use std::fs;
use std::path::{Path, PathBuf};

const CACHE: &str = "CMakeCache.txt";

/// A cache that names a compiler outside of `shims`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Configured {
    /// Relative to the build's folder.
    pub(super) cache: PathBuf,
    pub(super) compiler: String,
}

/// Looks for such a cache in a folder and those right below it, the first by name.
pub(super) fn configured_before(folder: &Path, shims: &Path) -> Option<Configured> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path());
    let mut folders: Vec<PathBuf> = entries.filter(|p| p.is_dir()).collect();
    folders.sort();
    std::iter::once(folder.to_owned()).chain(folders).find_map(|place| {
        let path = place.join(CACHE);
        let compiler = compiler(&fs::read_to_string(&path).ok()?)?;
        let is_other = !Path::new(&compiler).starts_with(shims);
        let cache = path.strip_prefix(folder).unwrap_or(&path).to_owned();
        is_other.then_some(Configured { cache, compiler })
    })
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
        assert_eq!(configured_before(root.path(), shims), None);
        cache("b", "/usr/bin/cc");
        let found = configured_before(root.path(), shims).unwrap();
        assert_eq!(
            (found.cache.as_path(), found.compiler.as_str()),
            (Path::new("b/CMakeCache.txt"), "/usr/bin/cc")
        );
    }
}
