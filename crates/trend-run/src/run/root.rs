//! The folder that a study's relative paths start from. A study does not name it, and can be moved with its folder.

use std::path::{Path, PathBuf};

use trend_profile::{ObjectRecord, StudyFile};

/// Returns the folder: that of the configuration, unless an earlier version recorded one.
pub(crate) fn of_study(recorded: &str, folder: &Path) -> PathBuf {
    if recorded.is_empty() { folder.to_owned() } else { PathBuf::from(recorded) }
}

/// Returns the study's objects with absolute paths.
pub(crate) fn objects(study: &StudyFile, folder: &Path) -> Vec<ObjectRecord> {
    let root = of_study(study.root(), folder);
    let absolute = |object: ObjectRecord| {
        let path = root.join(&object.path).to_string_lossy().into_owned();
        ObjectRecord { path, ..object }
    };
    study.objects().into_iter().map(absolute).collect()
}

/// Returns an object as the study names it: relative to the root if it is below.
pub(crate) fn relative(object: &ObjectRecord, root: &Path) -> ObjectRecord {
    let path = Path::new(&object.path);
    let path = path.strip_prefix(root).unwrap_or(path).to_string_lossy().into_owned();
    ObjectRecord { path, stamp: object.stamp }
}
