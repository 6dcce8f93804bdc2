//! Serves source files: those stored in the study, and those that it names in a permitted folder.

use std::fs::{self, File};
use std::io::Read as _;
use std::os::fd::AsRawFd as _;
use std::path::{Component, Path, PathBuf};

use hyper::body::Bytes;
use trend_profile::Study;

use crate::answer::Refusal;

/// Maximum length of a file in bytes. Longer files are generated tables, which are not read by people.
const LONGEST: u64 = 16 << 20;

/// Folder of the sources, if the user named one. Files are served only from this folder: a study also names files, but
/// it can come from anyone.
#[derive(Clone, Debug, Default)]
pub(crate) struct SourceRoot(pub(crate) Option<PathBuf>);

impl SourceRoot {
    /// Returns the folder with all symbolic links resolved.
    fn named(&self) -> Option<PathBuf> {
        fs::canonicalize(self.0.as_ref()?).ok()
    }

    /// Returns the folder in which the user's editor opens files: the named folder, or else the server's working
    /// directory unless that is `/`.
    fn to_edit(&self) -> Option<PathBuf> {
        let here = || fs::canonicalize(".").ok().filter(|folder| folder.parent().is_some());
        if self.0.is_some() { self.named() } else { here() }
    }
}

/// Returns the text of a file that the study names.
///
/// A text stored in the study is the one that was run. Only a missing text is read from the named folder.
pub(crate) fn text(study: &Study, root: &SourceRoot, file: &str) -> Result<Bytes, Refusal> {
    if let Some(text) = study.source(file) {
        return Ok(Bytes::copy_from_slice(text.as_bytes()));
    }
    let root = root.named();
    let path = within(root.as_deref(), study, file)?;
    let text = read(root.as_deref(), &path).map_err(|_| unknown(file))?;
    Ok(String::from_utf8_lossy(&text).into_owned().into())
}

/// Returns the path at which the user's editor opens a file that the study names.
pub(crate) fn to_edit(study: &Study, root: &SourceRoot, file: &str) -> Result<PathBuf, Refusal> {
    within(root.to_edit().as_deref(), study, file)
}

/// Returns an existing file within the root that the study names, with all symbolic links resolved.
fn within(root: Option<&Path>, study: &Study, file: &str) -> Result<PathBuf, Refusal> {
    let is_plain = !file.is_empty()
        && !file.contains('\0')
        && Path::new(file)
            .components()
            .all(|c| matches!(c, Component::Normal(_) | Component::RootDir | Component::CurDir));
    if !is_plain || !is_named(study, file) {
        return Err(unknown(file));
    }
    let file_below = || {
        let root = root?;
        let path = fs::canonicalize(root.join(file)).ok()?;
        // Check the file type before opening it, because opening a pipe blocks until something writes to it.
        (path.starts_with(root) && fs::metadata(&path).ok()?.is_file()).then_some(path)
    };
    file_below().ok_or_else(|| unknown(file))
}

/// Returns true if the study says that the program has code in this file.
fn is_named(study: &Study, file: &str) -> bool {
    let of_sources = study.sources().iter().map(|s| s.file.as_str());
    let of_functions = study.functions().iter().map(|f| f.file.as_str());
    let of_locations = study.locations().iter().map(|l| &*l.file);
    of_sources.chain(of_functions).chain(of_locations).any(|named| named == file)
}

fn read(root: Option<&Path>, path: &Path) -> std::io::Result<Vec<u8>> {
    let outside = || std::io::Error::from(std::io::ErrorKind::NotFound);
    let file = File::open(path)?;
    // A folder on the path may have been replaced by a link after the check, so check the file that was opened.
    let opened = fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd()))?;
    if opened != path || !root.is_some_and(|root| opened.starts_with(root)) {
        return Err(outside());
    }
    let mut text = Vec::new();
    file.take(LONGEST + 1).read_to_end(&mut text)?;
    if text.len() as u64 > LONGEST { Err(outside()) } else { Ok(text) }
}

/// Returns the same refusal for files that do not exist and for files that may not be read.
fn unknown(file: &str) -> Refusal {
    Refusal::not_found(format!("the study has no source file `{file}`"))
}
