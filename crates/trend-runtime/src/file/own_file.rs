//! A file that the runtime has opened in a program that does not know of it.

use core::ffi::c_int;

use crate::layout::record;
use crate::system;

/// Size of a page in bytes.
pub(super) const PAGE: u64 = record::PAGE as u64;

/// A file of the runtime. The program may close its descriptor, and its number may then refer to another file.
#[derive(Clone, Copy)]
pub(super) struct OwnFile {
    pub(super) descriptor: c_int,
    /// Device and inode number.
    pub(super) identity: [u64; 2],
    /// Name of the file: the process that created it, and a serial number.
    pub(super) name: [u32; 2],
}

impl OwnFile {
    pub(super) fn is_open(&self) -> bool {
        system::identity(self.descriptor) == Some(self.identity)
    }

    /// Closes the file, unless the program has done so.
    pub(super) fn close(self) {
        if self.is_open() {
            system::close_file(self.descriptor);
        }
    }
}
