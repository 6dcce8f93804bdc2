//! Starts programs that keep running on their own, such as a browser or an editor.

use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};

/// Starts a program without waiting for it. `command` is the program and its arguments.
///
/// The program gets no access to this process's terminal, and Ctrl-C does not reach it. No shell interprets the words.
///
/// # Errors
/// Fails if the program cannot be started. Later failures are not reported.
pub fn launch(command: &[OsString]) -> io::Result<()> {
    let (program, arguments) = command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()?;
    // Wait in a thread, or the ended process stays in the process table.
    std::thread::Builder::new().name("launched".to_owned()).spawn(move || child.wait())?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_started_is_told() {
        assert_eq!(launch(&[]).unwrap_err().kind(), io::ErrorKind::InvalidInput);
        let missing = launch(&["/nowhere/at/all".into()]);
        assert_eq!(missing.unwrap_err().kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn arguments_reach_the_program_as_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let made = folder.path().join("$(echo a) 'b'; c");
        launch(&["mkdir".into(), made.clone().into()]).unwrap();
        let begin = std::time::Instant::now();
        while !made.is_dir() && begin.elapsed().as_secs() < 20 {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        assert!(made.is_dir());
    }
}
