//! Reads the parts shared by notes and data: header, versions, records, words and strings.
//!
//! ```text
//! magic  version  stamp  [checksum: gcc ≥ 12]  record …  [0]
//! record: tag  length  body          length in words, since gcc 12 in bytes
//! ```
//!
//! The magic number determines the byte order. Every length is checked against the rest of the input before it is used.
//! Only strings allocate memory.

use super::GcovError;
use super::version::Version;

pub(crate) const TAG_FUNCTION: u32 = 0x0100_0000;
pub(crate) const TAG_BLOCKS: u32 = 0x0141_0000;
pub(crate) const TAG_ARCS: u32 = 0x0143_0000;
pub(crate) const TAG_LINES: u32 = 0x0145_0000;
/// Tag of arc counters, the first of many kinds of counters.
pub(crate) const TAG_ARC_COUNTERS: u32 = 0x01a1_0000;
/// Difference between the tags of two kinds.
const COUNTER_STEP: u32 = 1 << 17;
/// Maximum number of kinds; no compiler has more.
const COUNTER_KINDS: u32 = 32;

/// Returns true if the tag is one of counters of any kind.
pub(crate) fn is_counters(tag: u32) -> bool {
    tag.checked_sub(TAG_ARC_COUNTERS)
        .is_some_and(|t| t.is_multiple_of(COUNTER_STEP) && t / COUNTER_STEP < COUNTER_KINDS)
}

/// A position in a file or in one of its records.
#[derive(Clone)]
pub(crate) struct RecordReader<'a> {
    bytes: &'a [u8],
    at: usize,
    is_big_endian: bool,
    /// True if lengths of records and strings are in bytes instead of words.
    has_lengths_in_bytes: bool,
    is_at_marker: bool,
    /// Description of the current part, for errors.
    within: &'static str,
}

/// Header of every file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) version: Version,
    pub(crate) stamp: u32,
}

impl Header {
    /// Checks that data with the header `other` is from the same build.
    pub(crate) fn check_same(self, other: Self) -> Result<(), GcovError> {
        if self == other {
            return Ok(());
        }
        let (notes, data) = (self.stamp, other.stamp);
        Err(GcovError::OtherBuild { notes, data, notes_version: self.version, data_version: other.version })
    }
}

/// One record; `body` ends where the record ends.
pub(crate) struct TaggedRecord<'a> {
    pub(crate) tag: u32,
    pub(crate) offset: usize,
    pub(crate) length: u32,
    pub(crate) body: RecordReader<'a>,
}

impl<'a> RecordReader<'a> {
    /// Reads the header of a notes (`gcno`) or data (`gcda`) file.
    pub(crate) fn open(bytes: &'a [u8], magic: [u8; 4]) -> Result<(Self, Header), GcovError> {
        let expected = if magic == *b"gcno" { "notes" } else { "data" };
        let first = &bytes[..bytes.len().min(4)];
        let mut swapped = magic;
        swapped.reverse();
        let is_big_endian = first == magic;
        if !is_big_endian && first != swapped {
            let beginning = match first {
                [] => "nothing".to_owned(),
                first => format!("`{}`", first.escape_ascii()),
            };
            return Err(GcovError::NotGcov { expected, beginning });
        }
        let mut reader = Self {
            bytes,
            at: 4,
            is_big_endian,
            has_lengths_in_bytes: false,
            is_at_marker: false,
            within: "the header",
        };
        let version = Version(reader.word()?);
        if !(Version::OLDEST..Version::TOO_NEW).contains(&version.number()) {
            return Err(GcovError::UnknownVersion { version });
        }
        let stamp = reader.word()?;
        if version.number() >= Version::GCC_12 {
            reader.has_lengths_in_bytes = true;
            reader.word()?;
        }
        Ok((reader, Header { version, stamp }))
    }

    /// Returns the offset from the beginning of the file.
    pub(crate) fn offset(&self) -> usize {
        self.at
    }

    /// Returns the bytes left of the file, or of the record.
    pub(crate) fn remaining(&self) -> usize {
        self.bytes.len() - self.at
    }

    pub(crate) fn malformed(&self, what: impl Into<String>) -> GcovError {
        GcovError::Malformed { offset: self.at, what: what.into() }
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8], GcovError> {
        let rest = &self.bytes[self.at..];
        let Some(taken) = rest.get(..length) else {
            let missing = length - rest.len();
            return Err(GcovError::Truncated { offset: self.at, within: self.within, missing });
        };
        self.at += length;
        Ok(taken)
    }

    pub(crate) fn word(&mut self) -> Result<u32, GcovError> {
        let bytes = self.take(4)?.try_into().unwrap_or_default();
        Ok(if self.is_big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) })
    }

    /// Reads 64 bits; the low word is first in either byte order.
    pub(crate) fn counter(&mut self) -> Result<u64, GcovError> {
        let low = self.word()?;
        Ok(u64::from(low) | u64::from(self.word()?) << 32)
    }

    /// Reads a string and strips its padding. `None` means a missing string, which differs from an empty one only in
    /// the writer's intent.
    pub(crate) fn string(&mut self) -> Result<Option<String>, GcovError> {
        let length = self.word()? as usize;
        if length == 0 {
            return Ok(None);
        }
        let length = if self.has_lengths_in_bytes { length } else { length.saturating_mul(4) };
        let padded = self.take(length)?;
        let end = padded.iter().position(|&b| b == 0).unwrap_or(length);
        Ok(Some(String::from_utf8_lossy(&padded[..end]).into_owned()))
    }

    /// Reads the next record. Returns `None` at the end marker or at the end of the input; [`Self::is_at_marker`]
    /// distinguishes them.
    ///
    /// Counters that are all zero have a negative length and no body.
    pub(crate) fn record(&mut self) -> Result<Option<TaggedRecord<'a>>, GcovError> {
        self.within = "a record";
        if self.remaining() == 0 {
            return Ok(None);
        }
        let offset = self.at;
        let tag = self.word()?;
        if tag == 0 {
            self.is_at_marker = true;
            self.check_nothing_follows()?;
            return Ok(None);
        }
        let length = self.word()?;
        let in_body = if is_counters(tag) && length.cast_signed() < 0 { 0 } else { length as usize };
        let in_body = if self.has_lengths_in_bytes { in_body } else { in_body.saturating_mul(4) };
        let start = self.at;
        self.take(in_body)?;
        let body = Self { bytes: &self.bytes[..self.at], at: start, within: "a record's body", ..*self };
        Ok(Some(TaggedRecord { tag, offset, length, body }))
    }

    /// Returns true if an end marker was read (gcc's notes have none).
    pub(crate) fn is_at_marker(&self) -> bool {
        self.is_at_marker
    }

    /// Checks that only zeros follow, with which clang pads the end marker. Other data means that the marker is
    /// misplaced.
    fn check_nothing_follows(&self) -> Result<(), GcovError> {
        if self.bytes[self.at..].iter().all(|&b| b == 0) {
            return Ok(());
        }
        Err(self.malformed("data follows the end marker"))
    }

    /// Converts a length to a number of items.
    pub(crate) fn magnitude(&self, length: u32, item_bytes: u32) -> Option<usize> {
        let unit = if self.has_lengths_in_bytes { item_bytes } else { item_bytes / 4 };
        let magnitude = length.cast_signed().unsigned_abs();
        magnitude.is_multiple_of(unit).then_some((magnitude / unit) as usize)
    }
}
