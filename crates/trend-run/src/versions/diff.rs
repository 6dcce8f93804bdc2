//! Reads from git which files and lines changed since a revision.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::git::{RevisionError, commit, git, git_bytes};

/// A range of lines that was replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hunk {
    /// Number of the first old line, from 1. If there are no old lines, the new lines come after this line.
    pub(super) first: u32,
    /// Number of old lines.
    pub(super) old: u32,
    /// Number of new lines.
    pub(super) new: u32,
    /// The old and the new lines.
    pub(super) texts: Vec<String>,
}

/// A file that changed.
#[derive(Debug)]
pub(super) struct Change {
    /// Absolute path.
    pub(super) path: PathBuf,
    /// The replaced lines; `None` for files that are new, deleted or binary.
    pub(super) hunks: Option<Vec<Hunk>>,
}

/// The differences between a revision of a repository and the present files.
pub(super) struct Diff {
    pub(super) top: PathBuf,
    pub(super) commit: String,
    pub(super) changes: Vec<Change>,
}

impl Diff {
    pub(super) fn new(folder: &Path, revision: &str) -> Result<Self, RevisionError> {
        let (top, commit) = commit(folder, revision)?;
        let refused = |what| RevisionError::Refused { revision: revision.to_owned(), what };
        let words = ["diff", "--name-status", "--no-renames", "-z", commit.as_str(), "--"];
        let listed = git_bytes(&top, words).map_err(refused)?;
        let fields: Vec<&[u8]> = listed.split(|b| *b == 0).filter(|f| !f.is_empty()).collect();
        let mut changes = Vec::new();
        for pair in fields.chunks_exact(2) {
            let (status, path) = (pair[0], top.join(os(pair[1])));
            let hunks = if status == b"M" { of_file(&top, &commit, &path).map_err(refused)? } else { None };
            changes.push(Change { path, hunks });
        }
        let others =
            git_bytes(&top, ["ls-files", "--others", "--exclude-standard", "-z"]).map_err(refused)?;
        let others = others.split(|b| *b == 0).filter(|f| !f.is_empty());
        changes.extend(others.map(|other| Change { path: top.join(os(other)), hunks: None }));
        Ok(Self { top, commit, changes })
    }

    /// Returns the text of a file at the revision.
    pub(super) fn text(&self, path: &Path) -> Option<String> {
        let path = path.strip_prefix(&self.top).ok()?.to_str()?;
        let bytes = git_bytes(&self.top, ["show", &format!("{}:{path}", self.commit)]).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }
}

fn os(bytes: &[u8]) -> &OsStr {
    std::os::unix::ffi::OsStrExt::from_bytes(bytes)
}

fn of_file(top: &Path, commit: &str, path: &Path) -> Result<Option<Vec<Hunk>>, String> {
    let words =
        ["diff", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "--unified=0", commit, "--"];
    Ok(hunks(&git(top, words.map(OsStr::new).into_iter().chain([path.as_os_str()]))?))
}

/// Parses the hunks of a diff without context. Returns `None` if there are none.
fn hunks(text: &str) -> Option<Vec<Hunk>> {
    let mut hunks: Vec<Hunk> = Vec::new();
    for line in text.lines() {
        if let Some(header) = line.strip_prefix("@@ -") {
            let (old, rest) = header.split_once(" +")?;
            let (first, old) = range(old)?;
            let (_, new) = range(rest.split_once(" @@")?.0)?;
            hunks.push(Hunk { first, old, new, texts: Vec::new() });
        } else if let Some(hunk) = hunks.last_mut() {
            hunk.texts.extend(line.get(1..).map(str::to_owned));
        }
    }
    (!hunks.is_empty()).then_some(hunks)
}

/// Parses `12,3`, or `12` for a single line.
fn range(text: &str) -> Option<(u32, u32)> {
    match text.split_once(',') {
        Some((first, count)) => Some((first.parse().ok()?, count.parse().ok()?)),
        None => Some((text.parse().ok()?, 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hunks_are_read() {
        let text = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -3 +3,2 @@ int f()\n-old\n+new\n+newer\n@@ -9,0 +11 @@\n+more\n";
        let expected = [
            Hunk { first: 3, old: 1, new: 2, texts: vec!["old".into(), "new".into(), "newer".into()] },
            Hunk { first: 9, old: 0, new: 1, texts: vec!["more".into()] },
        ];
        assert_eq!(hunks(text).unwrap(), expected);
        assert_eq!(hunks("Binary files a/x and b/x differ\n"), None);
    }
}
