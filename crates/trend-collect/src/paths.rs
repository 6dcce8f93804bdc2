//! Normalises names of source files: relative to the study's root below it, absolute elsewhere, and never with `.` or
//! `..`.
//!
//! Only the text is normalised. The file system is not read, so equal notes give equal names everywhere.

use std::borrow::Cow;

/// Folder that the relative names of one object's notes start from.
#[derive(Clone, Debug)]
pub(crate) struct Base {
    root: String,
    directory: Directory,
}

#[derive(Clone, Debug)]
enum Directory {
    /// The compiler's working directory, recorded in the notes.
    Known(String),
    /// The folder of the notes, used if they record no directory.
    OfNotes(String),
}

impl Base {
    /// Creates a base. `root` is absolute; `directory` is the compiler's directory if the notes record it.
    pub(crate) fn new(root: &str, notes_path: &str, directory: Option<&str>) -> Self {
        let root = folded(root);
        let directory = match directory {
            Some(directory) if directory.starts_with('/') => Directory::Known(folded(directory)),
            // clang writes `.` as the directory.
            _ => {
                let folder = notes_path.rsplit_once('/').map_or("", |(folder, _)| folder);
                Directory::OfNotes(folded(&joined(&root, folder)))
            }
        };
        Self { root, directory }
    }

    /// Returns the study's name for the file `name` of the notes.
    pub(crate) fn name(&self, name: &str) -> String {
        // `<built-in>` and `<stdin>` are not files.
        if name.is_empty() || name.starts_with('<') {
            return name.to_owned();
        }
        let absolute = self.absolute(name);
        match absolute.strip_prefix(self.root.as_str()).map(|rest| rest.strip_prefix('/').unwrap_or(rest)) {
            Some(rest) if !rest.is_empty() && is_below(&absolute, &self.root) => rest.to_owned(),
            _ => absolute,
        }
    }

    /// Returns the full path of the file `name` of the notes.
    pub(crate) fn absolute(&self, name: &str) -> String {
        folded(&match &self.directory {
            Directory::Known(directory) => joined(directory, name),
            Directory::OfNotes(folder) => self.guessed(folder, name),
        })
    }

    /// Like [`Self::name`], but with short names for the sources of crates and of Rust's standard library.
    /// `~/.cargo/registry/src/HOST/regex-1.10.0/src/lib.rs` becomes `regex-1.10.0/src/lib.rs`, and
    /// `/rustc/HASH/library/core/src/iter.rs` becomes `library/core/src/iter.rs`.
    pub(crate) fn named_short(&self, name: &str) -> String {
        shortened(self.name(name))
    }

    /// Guesses the folder that a relative name starts from. `src/a.c` with notes in `/p/src` starts from `/p`. `a.c`
    /// and `../a.c` start from the folder of the notes. Any other `src/a.c` starts from the root, because the objects
    /// have a folder of their own.
    fn guessed<'n>(&self, folder: &str, name: &'n str) -> Cow<'n, str> {
        if name.starts_with('/') {
            return Cow::Borrowed(name);
        }
        let name = name.trim_start_matches("./");
        let Some((name_folder, _)) = name.rsplit_once('/') else { return joined(folder, name) };
        match folder.strip_suffix(name_folder) {
            _ if name.starts_with("..") => joined(folder, name),
            Some(start) if start.ends_with('/') => joined(start, name),
            _ => joined(&self.root, name),
        }
    }
}

/// Returns the short name of a source of a crate or of Rust's standard library; other names stay.
pub(crate) fn shortened(name: String) -> String {
    let after = |mark: &str, parts: usize| {
        let (_, rest) = name.split_once(mark)?;
        rest.splitn(parts + 1, '/').nth(parts).filter(|r| !r.is_empty()).map(str::to_owned)
    };
    // Skips the folder of the registry, or of the repository and its revision.
    let crates = after("/registry/src/", 1).or_else(|| after("/git/checkouts/", 0));
    let library = name.starts_with("/rustc/").then(|| after("/rustc/", 1)).flatten();
    let library = library.or_else(|| after("/lib/rustlib/src/rust/", 0));
    crates.or(library).unwrap_or(name)
}

fn is_below(path: &str, root: &str) -> bool {
    root == "/" || path.as_bytes().get(root.len()) == Some(&b'/')
}

fn joined<'n>(start: &str, name: &'n str) -> Cow<'n, str> {
    if name.starts_with('/') {
        return Cow::Borrowed(name);
    }
    Cow::Owned(format!("{}/{name}", start.trim_end_matches('/')))
}

/// Removes empty parts, `.` and `..`; a `..` at the root has no effect.
fn folded(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_below_the_root_are_relative_and_others_absolute() {
        let base = Base::new("/p/", "/p/obj/a.gcno", Some("/p/src"));
        assert_eq!(base.name("a.c"), "src/a.c");
        assert_eq!(base.name("../include/./b.h"), "include/b.h");
        assert_eq!(base.name("/usr/include/c++/12/bits/../vector"), "/usr/include/c++/12/vector");
        assert_eq!(base.name("../../pp/a.c"), "/pp/a.c");
        assert_eq!(base.name("../../../../../x.c"), "/x.c");
        assert_eq!(base.name("<built-in>"), "<built-in>");
        assert_eq!(Base::new("/", "a.gcno", Some("/p")).name("a.c"), "p/a.c");
    }

    #[test]
    fn crates_and_the_standard_library_have_short_names() {
        let base = Base::new("/p", "/p/target/a", None);
        let short = |name: &str| base.named_short(name);
        let registry = "/root/.cargo/registry/src/index-1949cf8c6b5b557f";
        assert_eq!(short(&format!("{registry}/regex-1.10.0/src/lib.rs")), "regex-1.10.0/src/lib.rs");
        assert_eq!(short("/rustc/59807616/library/core/src/iter/mod.rs"), "library/core/src/iter/mod.rs");
        assert_eq!(short("/u/.cargo/git/checkouts/x-1a/2b/src/lib.rs"), "x-1a/2b/src/lib.rs");
        assert_eq!(short("/p/src/main.rs"), "src/main.rs");
        assert_eq!(short("/q/main.rs"), "/q/main.rs");
    }

    #[test]
    fn without_a_working_directory_the_place_of_the_notes_decides() {
        let base = |notes| Base::new("/p", notes, Some("."));
        assert_eq!(base("/p/src/a.gcno").name("a.c"), "src/a.c");
        assert_eq!(base("/p/src/a.gcno").name("src/a.c"), "src/a.c");
        assert_eq!(base("src/a.gcno").name("src/a.c"), "src/a.c");
        assert_eq!(base("/p/build/a.gcno").name("src/a.c"), "src/a.c");
        assert_eq!(base("/p/build/a.gcno").name("../src/a.c"), "src/a.c");
        assert_eq!(base("/p/xsrc/a.gcno").name("src/a.c"), "src/a.c");
        assert_eq!(base("/p/src/a.gcno").name("/q/a.c"), "/q/a.c");
    }
}
