//! Finds the folders that cmake or meson configured, and tells which of them use the instrumenting compilers.
//!
//! Both tools store the compiler's absolute path, so PATH and CC no longer have an effect.

use std::ffi::OsString;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;

/// The file in which cmake stores its settings.
const CACHE: &str = "CMakeCache.txt";

/// Folder by which meson marks the folders that it configured, and the file that it writes there for ninja.
const OF_MESON: &str = "meson-private";
const RULES: &str = "build.ninja";

/// A cmake cache and the compiler that it names.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Configured {
    /// Path of the cache, relative to the build's folder.
    pub(super) cache: PathBuf,
    pub(super) compiler: String,
}

/// The configured folders among the build's folder, its direct subfolders and the folders that its command names.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Folders {
    /// True if a folder was configured with the instrumenting compilers.
    pub(super) has_ours: bool,
    /// Instrumented folders that this build configured, or that its command names; relative to the build's folder.
    pub(super) meant: Vec<PathBuf>,
    /// cmake caches that name other compilers, sorted by path.
    pub(super) others: Vec<Configured>,
}

impl Folders {
    /// Finds the configured folders. `shims` contains the instrumenting compilers. `words` are the words of the build's
    /// command, which began at `start`.
    pub(super) fn find(folder: &Path, shims: &Path, words: &[OsString], start: SystemTime) -> Self {
        let named: Vec<PathBuf> = words.iter().map(|word| plain(Path::new(word))).collect();
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let mut places: Vec<PathBuf> = entries.map(|e| PathBuf::from(e.file_name())).collect();
        places.extend(named.iter().cloned());
        places.push(PathBuf::new());
        places.retain(|place| folder.join(place).is_dir());
        places.sort();
        places.dedup();
        let mut folders = Self::default();
        for place in places {
            let Some((file, by)) = configuration(&folder.join(&place), shims) else { continue };
            match by {
                By::Ours => {
                    let written = fs::metadata(&file).and_then(|m| m.modified());
                    folders.has_ours = true;
                    if named.contains(&place) || written.is_ok_and(|time| time >= start) {
                        folders.meant.push(place);
                    }
                }
                By::Other(compiler) => folders.others.push(Configured { cache: place.join(CACHE), compiler }),
            }
        }
        folders
    }
}

/// The compiler of a configured folder.
enum By {
    Ours,
    /// A compiler given by its absolute path. PATH has no effect on it.
    Other(String),
}

/// Returns the file that names a folder's compiler, and that compiler. Returns `None` if PATH decides, as it does when
/// meson was given no compiler.
fn configuration(folder: &Path, shims: &Path) -> Option<(PathBuf, By)> {
    let read = |name: &str| {
        let path = folder.join(name);
        Some((fs::read_to_string(&path).ok()?, path))
    };
    if let Some((cache, path)) = read(CACHE) {
        let compiler = compiler(&cache)?;
        let is_ours = Path::new(&compiler).starts_with(shims);
        return Some((path, if is_ours { By::Ours } else { By::Other(compiler) }));
    }
    let (rules, path) = folder.join(OF_MESON).is_dir().then(|| read(RULES))??;
    let mut commands = rules.lines().filter_map(|line| line.trim_start().strip_prefix("command = "));
    commands.any(|command| Path::new(command).starts_with(shims)).then_some((path, By::Ours))
}

/// Extracts `/usr/bin/cc` from `CMAKE_C_COMPILER:FILEPATH=/usr/bin/cc`.
fn compiler(cache: &str) -> Option<String> {
    let names = ["CMAKE_C_COMPILER:", "CMAKE_CXX_COMPILER:"];
    let value = |line: &str| {
        let rest = names.iter().find_map(|name| line.strip_prefix(name))?;
        Some(rest.split_once('=')?.1.trim().to_owned())
    };
    cache.lines().find_map(value).filter(|path| path.starts_with('/'))
}

/// Normalizes `./out/` to `out`.
fn plain(path: &Path) -> PathBuf {
    path.components().filter(|c| *c != Component::CurDir).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const SHIMS: &str = "/cache/shims";

    fn write(root: &Path, name: &str, text: &str) {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn find(root: &Path, words: &[&str], start: SystemTime) -> Folders {
        let words: Vec<OsString> = words.iter().map(OsString::from).collect();
        Folders::find(root, Path::new(SHIMS), &words, start)
    }

    fn cache(compiler: &str) -> String {
        format!("# a cache\nCMAKE_C_COMPILER_AR:FILEPATH=/usr/bin/ar\nCMAKE_C_COMPILER:STRING={compiler}\n")
    }

    #[test]
    fn a_cache_with_a_compiler_of_its_own_is_found() {
        let root = tempfile::tempdir().unwrap();
        let later = SystemTime::now() + Duration::from_mins(1);
        let (root, ours) = (root.path(), Folders { has_ours: true, ..Folders::default() });
        write(root, "a/CMakeCache.txt", &cache("/cache/shims/cc"));
        assert_eq!(find(root, &[], later), ours);
        write(root, "b/CMakeCache.txt", &cache("/usr/bin/cc"));
        let other = Configured { cache: "b/CMakeCache.txt".into(), compiler: "/usr/bin/cc".into() };
        assert_eq!(find(root, &[], later), Folders { others: vec![other], ..ours });
    }

    #[test]
    fn a_build_means_what_it_configures_and_what_its_command_names() {
        let root = tempfile::tempdir().unwrap();
        let (root, start) = (root.path(), SystemTime::now() - Duration::from_mins(1));
        let later = start + Duration::from_mins(2);
        write(root, "build/deep/CMakeCache.txt", &cache("/cache/shims/cc"));
        fs::create_dir_all(root.join("out/meson-private")).unwrap();
        write(root, "out/build.ninja", "rule c\n command = /cache/shims/cc $ARGS -c $in\n");
        fs::create_dir_all(root.join("plain/meson-private")).unwrap();
        write(root, "plain/build.ninja", "rule c\n command = cc $ARGS -c $in\n");
        assert_eq!(find(root, &["meson", "setup", "out"], start).meant, [Path::new("out")]);
        assert_eq!(find(root, &["make"], start).meant, [Path::new("out")]);
        assert_eq!(find(root, &["make"], later), Folders { has_ours: true, ..Folders::default() });
        assert_eq!(find(root, &["ninja", "-C", "./out/"], later).meant, [Path::new("out")]);
        assert_eq!(find(root, &["cmake", "--build", "build/deep"], later).meant, [Path::new("build/deep")]);
        assert!(find(root, &["ninja", "-C", "plain"], later).meant.is_empty());
    }
}
