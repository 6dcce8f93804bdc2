//! Destinations of a build's output.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::os::fd::AsFd;
use std::path::Path;
use std::process::{Command, Stdio};

use super::options::BuildOutput;
use crate::error::BuildError;

/// Returns a function that adds a path to an error.
pub(crate) fn io_error(path: &Path) -> impl Fn(io::Error) -> BuildError + use<> {
    let path = path.to_owned();
    move |error: io::Error| BuildError::io(&path, &error)
}

/// Sends a command's output to its destination. Returns the file that keeps it, if it is to be kept.
pub(crate) fn redirected(child: &mut Command, output: BuildOutput) -> Result<Option<File>, BuildError> {
    match output {
        BuildOutput::Inherit => {}
        BuildOutput::Stderr => {
            let stderr = io::stderr().as_fd().try_clone_to_owned().map_err(io_error(Path::new("stderr")))?;
            child.stdout(Stdio::from(stderr));
        }
        BuildOutput::Kept => {
            let temporary = std::env::temp_dir();
            let file = tempfile::tempfile().map_err(io_error(&temporary))?;
            let copy = || file.try_clone().map_err(io_error(&temporary));
            child.stdout(copy()?).stderr(copy()?);
            return Ok(Some(file));
        }
    }
    Ok(None)
}

/// Returns the whole content of a file.
pub(crate) fn whole(mut file: File) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
