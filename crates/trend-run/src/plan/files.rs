//! Finds files by pattern. File names may contain any bytes.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use glob::{MatchOptions, Pattern};

/// Maximum depth of the search, which also ends cycles of links.
const DEEPEST: usize = 64;

/// Names that begin with a dot are hidden, as in a shell.
const OPTIONS: MatchOptions =
    MatchOptions { case_sensitive: true, require_literal_separator: true, require_literal_leading_dot: true };

/// Returns the files that match at least one pattern, sorted by name. Relative patterns start in `folder`.
///
/// Names are decoded lossily and matched component by component, so that `*` also matches names that are not UTF-8.
/// `**` matches any number of folders.
pub(crate) fn matching(folder: &Path, patterns: &[String]) -> BTreeSet<PathBuf> {
    let mut paths = BTreeSet::new();
    for pattern in patterns {
        let (start, rest) = match pattern.strip_prefix('/') {
            Some(rest) => (PathBuf::from("/"), rest),
            None => (folder.to_owned(), pattern.as_str()),
        };
        let parts: Vec<&str> = rest.split('/').filter(|p| !p.is_empty() && *p != ".").collect();
        walk(&start, &parts, DEEPEST, &mut paths);
    }
    paths
}

fn walk(at: &Path, parts: &[&str], depth: usize, paths: &mut BTreeSet<PathBuf>) {
    let [part, rest @ ..] = parts else {
        if at.is_file() {
            paths.insert(at.to_owned());
        }
        return;
    };
    if depth == 0 {
        return;
    }
    if *part == "**" {
        // A trailing `**` matches every file below, as in `corpus/**`.
        walk(at, if rest.is_empty() { &["*"] } else { rest }, depth, paths);
        for folder in names(at).map(|name| at.join(name)).filter(|p| is_real_folder(p)) {
            walk(&folder, parts, depth - 1, paths);
        }
    } else if part.contains(['*', '?', '[']) {
        let Ok(pattern) = Pattern::new(part) else { return };
        let is_match = |name: &OsStr| pattern.matches_with(&name.to_string_lossy(), OPTIONS);
        for entry in all_names(at).filter(|name| is_match(name)).map(|name| at.join(name)) {
            walk(&entry, rest, depth - 1, paths);
        }
    } else {
        walk(&at.join(part), rest, depth - 1, paths);
    }
}

fn all_names(folder: &Path) -> impl Iterator<Item = std::ffi::OsString> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.file_name())
}

fn names(folder: &Path) -> impl Iterator<Item = std::ffi::OsString> {
    all_names(folder).filter(|name| !name.to_string_lossy().starts_with('.'))
}

fn is_real_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|m| m.is_dir())
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::OsStrExt;

    use super::*;

    #[test]
    fn patterns_find_files_of_every_name() {
        let root = tempfile::tempdir().unwrap();
        let file = |path: &[u8]| {
            let path = root.path().join(OsStr::from_bytes(path));
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        };
        for path in
            [&b"a.txt"[..], b"x/b c.txt", b"x/y/d\n.txt", b"x/y/\xff.txt", b"x/.hidden/e.txt", b"x/f.c"]
        {
            file(path);
        }
        let names = |pattern: &str| {
            let paths = matching(root.path(), &[pattern.to_owned()]);
            let names =
                paths.iter().map(|p| p.strip_prefix(root.path()).unwrap().as_os_str().as_bytes().to_vec());
            names.collect::<Vec<_>>()
        };
        assert_eq!(names("*.txt"), [b"a.txt"]);
        assert_eq!(names("./a.txt"), [b"a.txt"]);
        assert_eq!(names("**/*.txt").len(), 4);
        assert_eq!(names("x/**").len(), 4);
        assert_eq!(names("x/*/?.txt"), [b"x/y/\xff.txt".to_vec()]);
        assert_eq!(names("none/*"), Vec::<Vec<u8>>::new());
        assert_eq!(names("x/.hidden/*"), [b"x/.hidden/e.txt".to_vec()]);
        assert_eq!(names(&format!("{}/a.*", root.path().display())), [b"a.txt"]);
    }
}
