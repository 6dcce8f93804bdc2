//! How much an import may unpack and keep, whatever its files say.
//!
//! A file of a few MB can stand for any amount: gzip makes a thousand bytes of one, and a line of two bytes becomes a
//! place with its names. What is allowed grows with the size of the files, so that no large file that a person has
//! is refused, and has a constant on top, so that small ones need not be looked at closely:
//!
//! | what | constant | for each byte of the files |
//! |---|---:|---:|
//! | bytes that come out of gzip | 128 MiB | 64 |
//! | bytes of a document that is read as a whole | 32 MiB | 4 |
//! | memory for places, counts and features | 256 MiB | 16 |
//!
//! Readers note what they keep ([`Budget::keep`]); [`Input`](super::Input) gives nothing more once it is too much.

use std::cell::Cell;
use std::rc::Rc;

use super::ImportError;

/// What is allowed to files of any size. With these, no file of a few MB takes an import to 1 GB or 30 s
/// (`benches/imports`): text is read at some 50 MB/s, and what is kept is there up to three times at the end.
const UNPACKED: u64 = 128 << 20;
const DOCUMENT: u64 = 32 << 20;
const KEPT: u64 = 256 << 20;

/// What is allowed for each byte of the files. gzip makes 10 to 40 bytes of a byte of coverage data; a line of lcov's
/// of 10 bytes is a place, which takes [`PLACE`].
const UNPACKED_PER_BYTE: u64 = 64;
const DOCUMENT_PER_BYTE: u64 = 4;
const KEPT_PER_BYTE: u64 = 16;

/// What a place takes, here and in what all files have in common, beside its names.
pub(super) const PLACE: usize = 160;
/// What a count takes: with the number of its place, in the run and in the workload.
pub(super) const COUNT: usize = 32;
/// What a run takes, beside its names, features and counts.
pub(super) const RUN: usize = 256;
/// What an entry of a table or a short text takes beside its bytes.
pub(super) const ENTRY: usize = 64;

/// What the files of one import may take together, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// What comes out of gzip.
    pub unpacked: u64,
    /// A file that is read as a whole.
    pub document: u64,
    /// Memory for places, counts and features.
    pub kept: u64,
}

impl Limits {
    /// For files that have so many bytes together, as they are on disk.
    pub fn for_files(bytes: u64) -> Self {
        let most = |constant: u64, per_byte: u64| constant.saturating_add(bytes.saturating_mul(per_byte));
        Self {
            unpacked: most(UNPACKED, UNPACKED_PER_BYTE),
            document: most(DOCUMENT, DOCUMENT_PER_BYTE),
            kept: most(KEPT, KEPT_PER_BYTE),
        }
    }
}

/// What the files of one import have taken.
#[derive(Debug)]
pub struct Budget {
    limits: Limits,
    unpacked: Cell<u64>,
    kept: Cell<u64>,
}

impl Budget {
    /// Nothing is taken yet.
    pub fn new(limits: Limits) -> Self {
        Self { limits, unpacked: Cell::new(0), kept: Cell::new(0) }
    }

    /// Notes so many bytes more that are kept.
    pub fn keep(&self, bytes: usize) {
        self.kept.set(self.kept.get().saturating_add(bytes as u64));
    }

    /// Notes that so many bytes are free again.
    pub fn free(&self, bytes: usize) {
        self.kept.set(self.kept.get().saturating_sub(bytes as u64));
    }

    /// # Errors
    /// More is kept than there may be.
    pub fn check(&self) -> Result<(), ImportError> {
        if self.kept.get() > self.limits.kept {
            return Err(ImportError::TooMuchMemory { most: self.limits.kept });
        }
        Ok(())
    }

    /// Notes that so many bytes came out of gzip.
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

/// Memory that is taken for a while.
#[derive(Debug)]
pub(super) struct Loan {
    budget: Rc<Budget>,
    bytes: usize,
}

impl Loan {
    pub(super) fn of(budget: &Rc<Budget>) -> Self {
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
