//! Opens files that users name and that are read to their end: baselines, configurations, machines.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::Path;

use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl, fstatfs};

/// Opens a regular file, or a pipe that the shell passed (`<(git show …)`, `/dev/stdin`). Refuses other files: reading
/// a named pipe without a writer would never end.
///
/// # Errors
/// [`io::ErrorKind::InvalidInput`] for other kinds of files, and any error of the disk.
pub fn open_readable(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new().read(true).custom_flags(OFlags::NONBLOCK.bits() as i32).open(path)?;
    let kind = file.metadata()?.file_type();
    // Linux's PIPEFS_MAGIC: a pipe without a name.
    let is_passed = || fstatfs(&file).is_ok_and(|system| system.f_type == 0x5049_5045);
    if kind.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !(kind.is_file() || kind.is_fifo() && is_passed()) {
        let what = if kind.is_fifo() { "it is a named pipe" } else { "it is a device" };
        return Err(io::Error::new(io::ErrorKind::InvalidInput, format!("{what}, not a file")));
    }
    fcntl_setfl(&file, fcntl_getfl(&file)? - OFlags::NONBLOCK)?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn files_and_pipes_of_the_shell_are_read_and_nothing_else_is_waited_for() {
        let read = |path: &Path| open_readable(path).and_then(io::read_to_string);
        let folder = tempfile::tempdir().unwrap();
        let [file, pipe] = ["file", "pipe"].map(|name| folder.path().join(name));
        std::fs::write(&file, "whole").unwrap();
        assert_eq!(read(&file).unwrap(), "whole");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert_eq!(read(&pipe).unwrap_err().to_string(), "it is a named pipe, not a file");
        assert_eq!(read("/dev/zero".as_ref()).unwrap_err().to_string(), "it is a device, not a file");
        assert_eq!(read(folder.path()).unwrap_err().kind(), io::ErrorKind::IsADirectory);
        let writer = Command::new("sh").args(["-c", "sleep 0.05; echo later"]).stdout(Stdio::piped()).spawn();
        let passed = writer.unwrap().stdout.unwrap();
        let path = format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&passed));
        assert_eq!(read(path.as_ref()).unwrap(), "later\n");
    }
}
