//! Detects changes of a study file without keeping it open.

use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use trend_analyze::{Exclusion, Options};

/// State of a study file: device, inode, size, and time of the last change in seconds and nanoseconds; `None` if there
/// is no file. Every record enlarges a study, so equal states mean equal content.
#[derive(Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct FileState(Option<(u64, u64, u64, i64, i64)>);

impl FileState {
    pub(crate) fn read(study: &Path) -> Self {
        let metadata = fs::metadata(study).ok();
        Self(metadata.map(|m| (m.dev(), m.ino(), m.len(), m.mtime(), m.mtime_nsec())))
    }

    /// Returns hexadecimal digits that change when the study or the settings of its analysis change. A restarted server
    /// returns the same digits for the same study, so that open pages stay as they are.
    pub(crate) fn revision(&self, exclusion: &Exclusion, options: &Options) -> String {
        let mut digest = DefaultHasher::new();
        (self, format!("{exclusion:?} {options:?}")).hash(&mut digest);
        format!("{:016x}", digest.finish())
    }
}

#[cfg(test)]
mod tests {
    use trend_profile::{Access, NewStudy, StudyFile, Warning};

    use super::*;

    #[test]
    fn everything_that_is_recorded_is_seen_and_no_reader_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.trend");
        assert_eq!(FileState::read(&path), FileState::default());
        let mut study = StudyFile::create(&path, &NewStudy::new("p", "")).unwrap();
        let mut states = vec![FileState::read(&path)];
        for commit in ["one", "two", "three"] {
            study
                .add_warnings(&[Warning::new(trend_profile::WarningKind::Excluded, commit.to_owned())])
                .unwrap();
            let state = FileState::read(&path);
            assert!(!states.contains(&state), "{commit}: {state:?} of {states:?}");
            assert_eq!(FileState::read(&path), state);
            states.push(state);
        }
        drop(study);
        let usual = || (Exclusion::default(), Options::default());
        let revision = |state: &FileState, (exclusion, options)| state.revision(&exclusion, &options);
        let first = revision(&states[0], usual());
        assert_eq!(revision(&states[0], usual()), first);
        assert_ne!(revision(&states[1], usual()), first);
        assert_ne!(revision(&states[0], (Exclusion::new(&["w".to_owned()]), usual().1)), first);
        assert_ne!(revision(&states[0], (usual().0, Options { seed: 2, ..usual().1 })), first);
        let closed = FileState::read(&path);
        StudyFile::open(&path, Access::Read).unwrap().load().unwrap();
        assert_eq!(FileState::read(&path), closed);
    }
}
