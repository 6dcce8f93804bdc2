//! The first bytes of a study file: its format, its identity, and its state (open or closed).
//!
//! ```text
//!    0  magic    16  "trend-prof study"
//!   16  version   4  of the format; all numbers are little-endian
//!   20  zero      4
//!   24  id       16  random, equal for all copies of the study
//!   40  check     8  XXH3 of the 40 bytes above
//!   48  closed    8  length of the whole file, or 0 while it is written
//!   56  check     8  XXH3 of `closed`, seeded with the check above
//! ```
//!
//! The last two fields are the only bytes of a study that ever change, in one write of 16 aligned bytes. They
//! distinguish a study that lost its end from a copy made while the study was written: only the copy is marked open.

use twox_hash::XxHash3_64;

use crate::identity::StudyId;

/// Length of the header, and offset of the first frame.
pub(in crate::file) const LENGTH: usize = 64;

/// Offset of the state.
pub(in crate::file) const STATE_OFFSET: u64 = 48;

/// First bytes of a study.
pub(in crate::file) const MAGIC: [u8; 16] = *b"trend-prof study";

/// Format version that this program writes.
pub(in crate::file) const VERSION: u32 = 3;

/// A parsed and checked header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::file) struct Header {
    pub(in crate::file) id: StudyId,
    pub(in crate::file) state: State,
}

/// State of the study as its last writer left it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::file) enum State {
    /// The study is being written, its writer was killed, or it was copied in that state.
    Open,
    /// The study has this length in bytes, and all its frames are intact.
    Closed(u64),
}

/// Reason why a header is unusable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::file) enum Unreadable {
    /// The file is not a study.
    OtherFile,
    /// The study has this later version.
    Newer(u32),
    /// A checksum does not match.
    Damaged,
}

impl Header {
    /// Encodes the header.
    pub(in crate::file) fn to_bytes(self) -> [u8; LENGTH] {
        let mut bytes = [0; LENGTH];
        bytes[..16].copy_from_slice(&MAGIC);
        bytes[16..20].copy_from_slice(&VERSION.to_le_bytes());
        bytes[24..40].copy_from_slice(&self.id.0);
        let check = XxHash3_64::oneshot(&bytes[..40]);
        bytes[40..48].copy_from_slice(&check.to_le_bytes());
        bytes[48..].copy_from_slice(&self.state_bytes());
        bytes
    }

    /// Returns the bytes at [`STATE_OFFSET`].
    pub(in crate::file) fn state_bytes(self) -> [u8; 16] {
        let closed = match self.state {
            State::Open => 0,
            State::Closed(length) => length,
        };
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&closed.to_le_bytes());
        bytes[8..].copy_from_slice(&self.state_check(closed).to_le_bytes());
        bytes
    }

    /// Parses a header and verifies its checksums.
    pub(in crate::file) fn parse(bytes: &[u8; LENGTH]) -> Result<Self, Unreadable> {
        let word = |at: usize| {
            let mut word = [0; 8];
            word.copy_from_slice(&bytes[at..at + 8]);
            u64::from_le_bytes(word)
        };
        if bytes[..16] != MAGIC {
            return Err(Unreadable::OtherFile);
        }
        if XxHash3_64::oneshot(&bytes[..40]) != word(40) {
            return Err(Unreadable::Damaged);
        }
        let version = word(16) as u32;
        if version != VERSION {
            return Err(Unreadable::Newer(version));
        }
        let mut id = [0; 16];
        id.copy_from_slice(&bytes[24..40]);
        let closed = word(STATE_OFFSET as usize);
        let state = if closed == 0 { State::Open } else { State::Closed(closed) };
        let header = Self { id: StudyId(id), state };
        if header.state_check(closed) != word(56) {
            return Err(Unreadable::Damaged);
        }
        Ok(header)
    }

    fn state_check(self, closed: u64) -> u64 {
        let seed = u64::from_le_bytes(std::array::from_fn(|i| self.id.0[i]));
        XxHash3_64::oneshot_with_seed(seed, &closed.to_le_bytes())
    }
}
