//! Limits of how much an import may unpack and keep, whatever its files claim.
//!
//! A file of a few MB can expand to any amount: gzip can turn one byte into a thousand, and a line of two bytes becomes
//! a place with its names. The limits grow with the size of the files, so that no large real file is rejected. The
//! constants cover small files:
//!
//! | what | constant | for each byte of the files |
//! |---|---:|---:|
//! | bytes unpacked from gzip | 128 MiB | 64 |
//! | bytes of a document that is read as a whole | 32 MiB | 4 |
//! | memory for places, counts and features | 256 MiB | 16 |
//!
//! Readers record what they keep ([`Budget::keep`]); [`Input`](super::Input) returns an error once the limit is
//! exceeded.

use std::cell::Cell;
use std::rc::Rc;

use super::ImportError;

/// Limits for files of any size, in bytes. With these, no file of a few MB takes an import to 1 GB or 30 s
/// (`benches/imports`). Text is read at some 50 MB/s, and kept data exists up to three times at the end.
const UNPACKED: u64 = 128 << 20;
const DOCUMENT: u64 = 32 << 20;
const KEPT: u64 = 256 << 20;

/// Limits per byte of the files. gzip turns one byte of coverage data into 10 to 40. An lcov line of 10 bytes is a
/// place, which takes [`PLACE`].
const UNPACKED_PER_BYTE: u64 = 64;
const DOCUMENT_PER_BYTE: u64 = 4;
const KEPT_PER_BYTE: u64 = 16;

/// Bytes of a place besides its names, both here and in the data merged from all files.
pub(super) const PLACE: usize = 160;
/// Bytes of a count: with the number of its place, in the run and in the workload.
pub(super) const COUNT: usize = 32;
/// Bytes of a run besides its names, features and counts.
pub(super) const RUN: usize = 256;
/// Bytes of a table entry or a short text besides its contents.
pub(super) const ENTRY: usize = 64;

/// Limits in bytes for the files of one import together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Total output of gzip.
    pub unpacked: u64,
    /// A file that is read as a whole.
    pub document: u64,
    /// Memory for places, counts and features.
    pub kept: u64,
}

impl Limits {
    /// Computes the limits for files of this total size on disk, in bytes.
    pub fn for_files(bytes: u64) -> Self {
        let most = |constant: u64, per_byte: u64| constant.saturating_add(bytes.saturating_mul(per_byte));
        Self {
            unpacked: most(UNPACKED, UNPACKED_PER_BYTE),
            document: most(DOCUMENT, DOCUMENT_PER_BYTE),
            kept: most(KEPT, KEPT_PER_BYTE),
        }
    }
}

/// Bytes that the files of one import have used.
#[derive(Debug)]
pub struct Budget {
    limits: Limits,
    unpacked: Cell<u64>,
    kept: Cell<u64>,
}

impl Budget {
    /// Creates a budget of which nothing is used.
    pub fn new(limits: Limits) -> Self {
        Self { limits, unpacked: Cell::new(0), kept: Cell::new(0) }
    }

    /// Records that this many more bytes are kept.
    pub fn keep(&self, bytes: usize) {
        self.kept.set(self.kept.get().saturating_add(bytes as u64));
    }

    /// Records that this many bytes are free again.
    pub fn free(&self, bytes: usize) {
        self.kept.set(self.kept.get().saturating_sub(bytes as u64));
    }

    /// # Errors
    /// Fails if more is kept than allowed.
    pub fn check(&self) -> Result<(), ImportError> {
        if self.kept.get() > self.limits.kept {
            return Err(ImportError::TooMuchMemory { most: self.limits.kept });
        }
        Ok(())
    }

    /// Records that this many bytes came out of gzip, and checks the limit.
    pub(super) fn unpack(&self, bytes: usize) -> Result<(), ImportError> {
        self.unpacked.set(self.unpacked.get().saturating_add(bytes as u64));
        if self.unpacked.get() > self.limits.unpacked {
            return Err(ImportError::TooMuchUnpacked { most: self.limits.unpacked });
        }
        Ok(())
    }

    pub(super) fn most_of_document(&self) -> u64 {
        self.limits.document
    }
}

/// Memory that is in use temporarily and returned on drop.
#[derive(Debug)]
pub(super) struct Loan {
    budget: Rc<Budget>,
    bytes: usize,
}

impl Loan {
    pub(super) fn new(budget: &Rc<Budget>) -> Self {
        Self { budget: Rc::clone(budget), bytes: 0 }
    }

    pub(super) fn keep(&mut self, bytes: usize) {
        self.bytes += bytes;
        self.budget.keep(bytes);
    }
}

impl Drop for Loan {
    fn drop(&mut self) {
        self.budget.free(self.bytes);
    }
}
