//! Reads the texts of source files below a folder. Files outside it are not read: an import can name any file of this
//! machine, and a study can be mailed.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use trend_profile::{Location, SourceText};

/// Maximum size of a source file in bytes. Larger ones are generated tables that users do not read.
const LONGEST: u64 = 4 << 20;

/// Returns the text of one file.
pub(crate) fn text(root: &Path, file: &str) -> Option<String> {
    let root = root.canonicalize().ok()?;
    let path = root.join(file).canonicalize().ok().filter(|path| path.starts_with(&root))?;
    let metadata = fs::metadata(&path).ok()?;
    let bytes = (metadata.is_file() && metadata.len() <= LONGEST).then(|| fs::read(&path).ok())??;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns the texts of all files that the locations name.
pub(crate) fn texts(root: &Path, locations: &[Location]) -> Vec<SourceText> {
    let files: BTreeSet<&str> = locations.iter().map(|l| &*l.file).filter(|f| !f.is_empty()).collect();
    let source = |file: &str| Some(SourceText { file: file.to_owned(), text: text(root, file)? });
    files.into_iter().filter_map(source).collect()
}
