//! Finds inlined code in the programs that callgrind ran, using their debug information.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

use trend_collect::import::callgrind::{Frame, Inlining};
use trend_collect::{DebugInfo, DebugInfoError};
use trend_profile::{Warning, WarningKind};

/// Maximum size of a program to read, in bytes. Its debug information takes several times as much memory.
const LONGEST_PROGRAM: u64 = 4 << 30;

/// The debug information of programs and libraries, read when an address in them first occurs.
#[derive(Debug, Default)]
pub(crate) struct Inlined {
    objects: BTreeMap<String, Result<ObjectFrames, String>>,
}

#[derive(Debug)]
struct ObjectFrames {
    info: DebugInfo,
    /// True if frames were found for any address.
    has_frames: bool,
}

impl Inlining for Inlined {
    fn frames(&mut self, object: &str, address: u64) -> Arc<[Frame]> {
        if !self.objects.contains_key(object) {
            self.objects.insert(object.to_owned(), read(Path::new(object)));
        }
        let Some(Ok(object_frames)) = self.objects.get_mut(object) else { return Arc::default() };
        let frames = object_frames.info.frames(address);
        object_frames.has_frames |= !frames.is_empty();
        frames
    }
}

impl Inlined {
    /// Returns warnings about files that could not be read so far. The reader of callgrind's output warns of missing
    /// debug information, because it knows the affected costs.
    pub(crate) fn warnings(&self) -> impl Iterator<Item = Warning> {
        self.objects.iter().filter_map(|(object, object_frames)| {
            let what = match object_frames {
                Ok(object_frames) if object_frames.has_frames => return None,
                Ok(_) => "its debug information is for other code, or in separate files",
                Err(what) if what.is_empty() => return None,
                Err(what) => what,
            };
            let message = format!(
                "inlining in {object} is unknown, so costs of inlined library code count at the library's \
                 lines: {what}"
            );
            Some(Warning::new(WarningKind::UnknownInlining, message))
        })
    }
}

/// Reads a file's debug information. The error is empty if there is none.
fn read(object: &Path) -> Result<ObjectFrames, String> {
    let in_words = |e: io::Error| match e.kind() {
        io::ErrorKind::NotFound => "it no longer exists".to_owned(),
        _ => e.to_string(),
    };
    let metadata = fs::metadata(object).map_err(in_words)?;
    if !metadata.is_file() || metadata.len() > LONGEST_PROGRAM {
        return Err("it is not a file, or too large".to_owned());
    }
    let bytes = fs::read(object).map_err(in_words)?;
    match DebugInfo::parse(&bytes) {
        Ok(info) => Ok(ObjectFrames { info, has_frames: false }),
        Err(DebugInfoError::None) => Err(String::new()),
        Err(error) => Err(format!("it {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_read_is_told_and_has_no_frames() {
        let folder = tempfile::tempdir().unwrap();
        let text = folder.path().join("script");
        fs::write(&text, "#!/bin/sh").unwrap();
        let gone = folder.path().join("gone");
        let mut inlined = Inlined::default();
        for path in [&text, &gone, &folder.path().to_owned()] {
            assert!(inlined.frames(&path.to_string_lossy(), 0x1000).is_empty());
        }
        let messages: Vec<String> = inlined.warnings().map(|w| w.message).collect();
        assert_eq!(messages.len(), 3, "{messages:?}");
        assert!(messages.iter().any(|m| m.contains("gone is unknown") && m.ends_with("no longer exists")));
        assert!(messages.iter().any(|m| m.contains("script is unknown") && m.contains("not an ELF program")));
    }
}
