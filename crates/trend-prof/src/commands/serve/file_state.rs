//! Whether a study file has been written to, told without holding it open.
//!
//! A connection that is held open would keep SQLite from bringing its write-ahead log into the file when a `run` ends:
//! whoever copied the study meanwhile would miss the last runs. So files are looked at from outside. While anybody writes
//! there is a `-shm` file beside the study, which begins with the header of the index of the write-ahead log: it counts
//! commits. When nobody does, the study's own size and time tell.

use std::fs::{self, File};
use std::io::Read as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

/// Bytes of the header: a counter, sizes, checksums and salts. What follows it changes with every reader as well.
const INDEX_HEADER: usize = 48;

/// What tells two states of a study file apart. Two equal states are of equal content; of two that are not, the content
/// can still be equal.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct FileState {
    /// Device, inode, size, seconds and nanoseconds of the last change; nothing where there is no file.
    study: Option<(u64, u64, u64, i64, i64)>,
    /// Nothing where nobody has the study open.
    index: Option<[u8; INDEX_HEADER]>,
}

impl FileState {
    pub(super) fn of(study: &Path) -> Self {
        let metadata = fs::metadata(study).ok();
        let identity = |m: fs::Metadata| (m.dev(), m.ino(), m.len(), m.mtime(), m.mtime_nsec());
        let mut index = study.as_os_str().to_owned();
        index.push("-shm");
        Self { study: metadata.map(identity), index: index_header(Path::new(&index)) }
    }
}

fn index_header(path: &Path) -> Option<[u8; INDEX_HEADER]> {
    if !fs::metadata(path).ok()?.is_file() {
        return None;
    }
    let mut header = [0; INDEX_HEADER];
    File::open(path).and_then(|mut file| file.read_exact(&mut header)).ok()?;
    Some(header)
}

#[cfg(test)]
mod tests {
    use trend_profile::{Access, NewStudy, StudyFile, Warning};

    use super::*;

    #[test]
    fn every_commit_is_seen_and_nothing_else_once_all_have_closed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.trend");
        assert_eq!(FileState::of(&path), FileState::default());
        let new = NewStudy { program: "p".to_owned(), root: String::new() };
        let mut study = StudyFile::create(&path, &new).unwrap();
        let mut states = vec![FileState::of(&path)];
        for commit in ["one", "two", "three"] {
            study.add_warnings(&[Warning::new("kind", commit.to_owned())]).unwrap();
            let state = FileState::of(&path);
            assert!(!states.contains(&state), "{commit}: {state:?} of {states:?}");
            assert_eq!(FileState::of(&path), state);
            states.push(state);
        }
        drop(study);
        let closed = FileState::of(&path);
        assert!(closed.index.is_none() && !states.contains(&closed));
        StudyFile::open(&path, Access::Read).unwrap().load().unwrap();
        assert_eq!(FileState::of(&path), closed);
    }
}
