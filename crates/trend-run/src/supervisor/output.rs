//! Stores the output of programs in files, and keeps all of it or only its end on disk.
//!
//! ```text
//!   0                                   size − keep        size
//!   │ a hole: reads as zeros, no blocks      │ read later    │
//! ```
//!
//! A pipe with a reader would cost the program time, and the program could not seek in it.

use std::fs::File;
use std::io;

use rustix::fd::{BorrowedFd, OwnedFd};
use rustix::fs::{FallocateFlags, Mode, OFlags, fallocate, fstat, openat};
use rustix::io::Errno;

use super::wire::{self, Part};

/// Number of bytes that may stay on disk beyond `keep` before a hole is punched. A hole costs about ten microseconds,
/// and programs with little output should need none.
const SLACK: u64 = 1 << 20;

/// Number of bytes reserved for output that is read as a whole; programs usually print less.
const RESERVED: u64 = 16 << 10;

/// Unit of `st_blocks` in bytes.
const BLOCK: u64 = 512;

/// A file that a program writes to while it runs.
#[derive(Debug)]
pub(super) struct Output {
    file: File,
    /// Number of bytes at the end that are kept; `None` keeps all of them.
    keep: Option<u64>,
    part: Part,
}

impl Output {
    /// Creates or truncates the file. Does not follow links.
    pub(super) fn create(folder: BorrowedFd<'_>, output: &wire::Output, part: Part) -> io::Result<Self> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = openat(folder, &output.path, flags, Mode::from_raw_mode(0o666))?;
        if output.keep.is_none_or(|keep| keep >= RESERVED) {
            reserve(&file)?;
        }
        Ok(Self { file: file.into(), keep: output.keep, part })
    }

    /// Returns the file handle for the program.
    pub(super) fn for_program(&self) -> io::Result<File> {
        self.file.try_clone()
    }

    /// Frees the disk space before the end that is kept. Fails if the file system does not support this.
    pub(super) fn trim(&self) -> Result<(), (Part, i32)> {
        let failed = |e: rustix::io::Errno| (self.part, e.raw_os_error());
        let Some(keep) = self.keep else { return Ok(()) };
        let state = fstat(&self.file).map_err(failed)?;
        if state.st_blocks as u64 * BLOCK <= keep + SLACK {
            return Ok(());
        }
        match (state.st_size as u64).saturating_sub(keep) {
            0 => Ok(()),
            length => {
                let hole = FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE;
                fallocate(&self.file, hole, 0, length).map_err(failed)
            }
        }
    }
}

/// Reserves disk space for a program's output. Programs often ignore failed writes, so a disk that is full for a moment
/// would truncate the output that a feature reads. File systems that cannot reserve space go without it.
fn reserve(file: &OwnedFd) -> io::Result<()> {
    match fallocate(file, FallocateFlags::KEEP_SIZE, 0, RESERVED) {
        Err(error @ (Errno::NOSPC | Errno::DQUOT)) => Err(error.into()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::os::fd::AsFd;
    use std::os::unix::fs::MetadataExt;

    use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, memfd_create};

    use super::*;

    #[test]
    fn the_end_stays_and_the_rest_leaves_the_disk() {
        let folder = tempfile::tempdir().unwrap();
        let handle = File::open(folder.path()).unwrap();
        let wanted = wire::Output { path: "text".into(), keep: Some(5000) };
        let output = Output::create(handle.as_fd(), &wanted, Part::Stderr).unwrap();
        let mut program = output.for_program().unwrap();
        let text: Vec<u8> = (0..3 << 20).map(|k: u32| (k % 251) as u8).collect();
        for _ in 0..4 {
            program.write_all(&text).unwrap();
            output.trim().unwrap();
            let on_disk = program.metadata().unwrap().blocks() * BLOCK;
            assert!(on_disk <= 5000 + SLACK, "{on_disk}");
        }
        let all = std::fs::read(folder.path().join("text")).unwrap();
        assert_eq!(all.len(), 4 * text.len());
        assert_eq!(all[all.len() - 5000..], text[text.len() - 5000..]);
    }

    #[test]
    fn a_file_that_cannot_have_holes_is_reported() {
        let file = memfd_create("sealed", MemfdFlags::ALLOW_SEALING).unwrap();
        let mut file = File::from(file);
        file.write_all(&vec![1; 2 << 20]).unwrap();
        let output = Output { file, keep: Some(10), part: Part::Stdout };
        output.trim().unwrap();
        let mut file = output.for_program().unwrap();
        file.write_all(&vec![1; 2 << 20]).unwrap();
        fcntl_add_seals(&file, SealFlags::WRITE).unwrap();
        assert_eq!(output.trim().unwrap_err().0, Part::Stdout);
    }

    #[test]
    fn a_link_in_place_of_the_file_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let mine = folder.path().join("thesis");
        std::fs::write(&mine, "x").unwrap();
        std::os::unix::fs::symlink(&mine, folder.path().join("text")).unwrap();
        let handle = File::open(folder.path()).unwrap();
        let wanted = wire::Output { path: "text".into(), keep: None };
        let refused = Output::create(handle.as_fd(), &wanted, Part::Stdout).err().unwrap();
        assert_eq!(refused.raw_os_error(), Some(Errno::LOOP.raw_os_error()));
        assert_eq!(std::fs::read(&mine).unwrap(), b"x");
    }
}
