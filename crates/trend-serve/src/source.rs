//! Source files: those that the study has stored, and those that it names in a folder that may be read.

use std::fs::{self, File};
use std::io::Read as _;
use std::os::fd::AsRawFd as _;
use std::path::{Component, Path, PathBuf};

use hyper::body::Bytes;
use trend_profile::Study;

use crate::answer::Refusal;

/// Larger files are generated tables, and nobody reads them.
const LONGEST: u64 = 16 << 20;

/// The folder of the sources, if the user named one. Only from that one files are handed out: a study names files as
/// well, and comes from anybody.
#[derive(Clone, Debug, Default)]
pub(crate) struct SourceRoot(pub(crate) Option<PathBuf>);

impl SourceRoot {
    /// With all symbolic links followed.
    fn named(&self) -> Option<PathBuf> {
        fs::canonicalize(self.0.as_ref()?).ok()
    }

    /// The folder in which the user's editor opens files: the one that was named, or else the one that the server runs in,
    /// unless that is the root of all files.
    fn to_edit(&self) -> Option<PathBuf> {
        let here = || fs::canonicalize(".").ok().filter(|folder| folder.parent().is_some());
        if self.0.is_some() { self.named() } else { here() }
    }
}

/// The text of a file that the study names.
///
/// - What the study has stored is the text that was run; only what it has not is read from the folder that was named.
pub(crate) fn text(study: &Study, root: &SourceRoot, file: &str) -> Result<Bytes, Refusal> {
    if let Some(text) = study.source(file) {
        return Ok(Bytes::copy_from_slice(text.as_bytes()));
    }
    let root = root.named();
    let path = within(root.as_deref(), study, file)?;
    let text = read(root.as_deref(), &path).map_err(|_| unknown(file))?;
    Ok(String::from_utf8_lossy(&text).into_owned().into())
}

/// Where a file that the study names is for the user's editor.
pub(crate) fn to_edit(study: &Study, root: &SourceRoot, file: &str) -> Result<PathBuf, Refusal> {
    within(root.to_edit().as_deref(), study, file)
}

/// An existing file within the root, which the study names, with all symbolic links followed.
fn within(root: Option<&Path>, study: &Study, file: &str) -> Result<PathBuf, Refusal> {
    let is_plain = !file.is_empty()
        && !file.contains('\0')
        && Path::new(file)
            .components()
            .all(|c| matches!(c, Component::Normal(_) | Component::RootDir | Component::CurDir));
    if !is_plain || !is_named(study, file) {
        return Err(unknown(file));
    }
    let found = || {
        let root = root?;
        let path = fs::canonicalize(root.join(file)).ok()?;
        // Looked at before it is opened: opening a pipe waits for somebody to write into it.
        (path.starts_with(root) && fs::metadata(&path).ok()?.is_file()).then_some(path)
    };
    found().ok_or_else(|| unknown(file))
}

/// Whether the study says that the program has code in this file.
fn is_named(study: &Study, file: &str) -> bool {
    let of_sources = study.sources().iter().map(|s| s.file.as_str());
    let of_functions = study.functions().iter().map(|f| f.file.as_str());
    let of_locations = study.locations().iter().map(|l| &*l.file);
    of_sources.chain(of_functions).chain(of_locations).any(|named| named == file)
}

fn read(root: Option<&Path>, path: &Path) -> std::io::Result<Vec<u8>> {
    let outside = || std::io::Error::from(std::io::ErrorKind::NotFound);
    let file = File::open(path)?;
    // A folder on the way can have been replaced by a link since the path was looked at: what counts is what was opened.
    let opened = fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd()))?;
    if opened != path || !root.is_some_and(|root| opened.starts_with(root)) {
        return Err(outside());
    }
    let mut text = Vec::new();
    file.take(LONGEST + 1).read_to_end(&mut text)?;
    if text.len() as u64 > LONGEST { Err(outside()) } else { Ok(text) }
}

/// The same for what there is not and what is none of the caller's business.
fn unknown(file: &str) -> Refusal {
    Refusal::not_found(format!("the study has no source file `{file}`"))
}
