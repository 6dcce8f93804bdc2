//! Finds the source folder of a build whose sources are not below the study's root. The study names such sources by
//! absolute paths, which differ between checkouts.

use trend_profile::Study;

/// Folders of installed files; no project's sources are below them.
const INSTALLED: [&str; 7] = ["/usr/", "/opt/", "/lib/", "/lib64/", "/nix/", "/snap/", "/Library/"];

/// The deepest folder with all sources that are neither below the study's root nor installed.
#[derive(Debug)]
pub(super) struct SourceRoot<'a> {
    /// The path with a `/` at its end; `None` if every source is below the study's root.
    folder: Option<&'a str>,
}

impl<'a> SourceRoot<'a> {
    /// Finds the folder from the source files of the study's functions.
    pub(super) fn new(study: &'a Study) -> Self {
        let files = study.functions().iter().map(|function| function.file.as_str());
        let folders =
            files.filter(|file| is_beside(file)).filter_map(|file| Some(&file[..=file.rfind('/')?]));
        Self { folder: folders.reduce(common) }
    }

    /// Returns true if a file belongs to the project although the study names it by an absolute path.
    pub(super) fn has(&self, file: &str) -> bool {
        self.folder.is_some_and(|folder| file.starts_with(folder))
    }

    /// Returns the name that a file has in every checkout.
    pub(super) fn name<'f>(&self, file: &'f str) -> &'f str {
        self.folder.and_then(|folder| file.strip_prefix(folder)).unwrap_or(file)
    }
}

/// Returns true if a file is neither below the study's root nor installed.
fn is_beside(file: &str) -> bool {
    file.starts_with('/') && !INSTALLED.iter().any(|folder| file.starts_with(folder))
}

/// Returns the deepest folder that contains both folders.
fn common<'a>(one: &'a str, other: &str) -> &'a str {
    let ends = one.match_indices('/').map(|(i, _)| i + 1);
    let shared = ends.take_while(|&end| other.get(..end) == Some(&one[..end]));
    &one[..shared.last().unwrap_or(0)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_beside_the_study_have_names_of_every_checkout() {
        let text = "gen.c:1:g: 1 2\n/home/me/p/src/a.c:1:f: 1 2\n/home/me/p/src/lib/b.c:1:h: 1 2\n/usr/include/v.h:1:v: 1 2";
        let study = Study::from_text(text).unwrap();
        let root = SourceRoot::new(&study);
        let names = ["gen.c", "/home/me/p/src/a.c", "/home/me/p/src/lib/b.c", "/usr/include/v.h"];
        assert_eq!(names.map(|file| root.name(file)), ["gen.c", "a.c", "lib/b.c", "/usr/include/v.h"]);
        assert_eq!(names.map(|file| root.has(file)), [false, true, true, false]);
        assert_eq!(common("/a/bc/", "/a/b/"), "/a/");
    }
}
