//! Reads raw profiles, which a program's runtime writes when it ends.
//!
//! ```text
//! header  binary ids  data: one record per function  counters  bitmaps  names  virtual tables  values
//! ```
//!
//! The header contains the length of each part. A record points at its counters relative to itself. Several profiles
//! can follow each other in one file. Layouts: LLVM's `InstrProfData.inc`, versions 8 (LLVM 14 to 17), 9 (18) and 10
//! (19 to 22).

use std::ops::Range;

use super::LlvmError;
use super::reader::ByteReader;

/// First bytes of a profile: `\xfflprofr\x81`, read as a number. The profile of a program with 32-bit pointers has an
/// `R`.
const MAGIC: u64 = 0xff6c_7072_6f66_7281;
const MAGIC_32: u64 = 0xff6c_7072_6f66_5281;

const KNOWN: &str = "versions 8 to 10 (those of LLVM 14 to 22; rustc since 1.61)";

/// Bits in the upper half of the version that change the meaning of the counters.
const OTHER_KINDS: [(u32, &str); 7] = [
    (56, "for optimisation (`-fprofile-generate`)"),
    (57, "for optimisation (`-fcs-profile-generate`)"),
    (59, "without functions (debug information correlation)"),
    (60, "that only tells if code ran (single-byte counters)"),
    (61, "of function entries alone"),
    (62, "of memory"),
    (63, "for the order of functions (temporal profiling)"),
];

/// Record of a function in a profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FunctionRecord {
    /// First half of the MD5 digest of the function's name.
    pub(crate) name_digest: u64,
    /// Checksum of the function's control flow.
    pub(crate) hash: u64,
    counters: Range<usize>,
}

/// The counters of one process, or of several that wrote into one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawProfile {
    binary_ids: Vec<Vec<u8>>,
    records: Vec<FunctionRecord>,
    counters: Vec<u64>,
}

struct Header {
    version: u64,
    binary_ids_bytes: u64,
    records: u64,
    padding_before_counters: u64,
    counters: u64,
    padding_after_counters: u64,
    bitmap_bytes: u64,
    padding_after_bitmap: u64,
    names_bytes: u64,
    counters_delta: u64,
    virtual_tables: u64,
    virtual_table_names_bytes: u64,
}

impl RawProfile {
    /// Parses a `.profraw` file.
    ///
    /// - Time and memory: O(bytes).
    pub fn parse(bytes: &[u8]) -> Result<Self, LlvmError> {
        let big_endian = is_big_endian(bytes)?;
        let mut reader = ByteReader::new(bytes, big_endian, "the profile");
        let mut profile = Self::default();
        while reader.remaining() > 0 {
            profile.add(&mut reader)?;
        }
        Ok(profile)
    }

    /// Returns the build ids of the programs and libraries that wrote the profile, if they have one.
    pub fn binary_ids(&self) -> &[Vec<u8>] {
        &self.binary_ids
    }

    /// Returns the number of functions with counters.
    pub fn function_count(&self) -> usize {
        self.records.len()
    }

    /// Returns functions and their counters, in the order of the file.
    pub(crate) fn functions(&self) -> impl Iterator<Item = (&FunctionRecord, &[u64])> {
        self.records.iter().map(|r| (r, &self.counters[r.counters.clone()]))
    }

    fn add(&mut self, reader: &mut ByteReader<'_>) -> Result<(), LlvmError> {
        let header = Header::read(reader)?;
        let ids = reader.take(header.binary_ids_bytes)?;
        self.add_binary_ids(ids, reader)?;
        let record_bytes = if header.version == 8 { 48 } else { 64 };
        let data_bytes = header.records.saturating_mul(record_bytes);
        let data = reader.take(data_bytes)?;
        reader.take(header.padding_before_counters)?;
        let first = self.counters.len();
        let counter_bytes = header.counters.saturating_mul(8);
        let counters = reader.take(counter_bytes)?;
        let mut counters = reader.part(counters, "the counters");
        self.counters.reserve(counters.remaining() / 8);
        while counters.remaining() > 0 {
            self.counters.push(counters.u64()?);
        }
        for length in [
            header.padding_after_counters,
            header.bitmap_bytes,
            header.padding_after_bitmap,
            header.names_bytes,
        ] {
            reader.take(length)?;
        }
        reader.pad(header.names_bytes)?;
        // Each table has a name, an address and a size.
        let tables_bytes = header.virtual_tables.saturating_mul(24);
        reader.take(tables_bytes)?;
        reader.take(header.virtual_table_names_bytes)?;
        reader.pad(header.virtual_table_names_bytes)?;

        let mut data = reader.part(data, "the functions' records");
        let counter_count = header.counters as usize;
        for index in 0..header.records {
            let (mut record, has_values) = FunctionRecord::read(&mut data, &header, index, counter_count)?;
            record.counters = record.counters.start + first..record.counters.end + first;
            self.records.push(record);
            if has_values {
                skip_values(reader)?;
            }
        }
        Ok(())
    }

    /// Adds build ids. Each has its length, its bytes, and padding.
    fn add_binary_ids(&mut self, ids: &[u8], whole: &ByteReader<'_>) -> Result<(), LlvmError> {
        let mut reader = whole.part(ids, "the binary ids");
        while reader.remaining() > 0 {
            let length = reader.u64()?;
            if length == 0 {
                return Err(reader.malformed("an id has no length"));
            }
            let id = reader.take(length)?.to_vec();
            reader.pad(length)?;
            if !self.binary_ids.contains(&id) {
                self.binary_ids.push(id);
            }
        }
        Ok(())
    }
}

impl Header {
    fn read(reader: &mut ByteReader<'_>) -> Result<Self, LlvmError> {
        if reader.u64()? != MAGIC {
            return Err(reader.malformed("expected another profile here"));
        }
        let word = reader.u64()?;
        let version = word & 0xffff_ffff;
        if !(8..=10).contains(&version) {
            return Err(LlvmError::UnknownVersion {
                format: "raw profile format",
                version,
                supported: KNOWN,
            });
        }
        if let Some((_, what)) = OTHER_KINDS.iter().find(|(bit, _)| word >> bit & 1 == 1) {
            return Err(LlvmError::OtherKind { what });
        }
        let mut header = Self {
            version,
            binary_ids_bytes: reader.u64()?,
            records: reader.u64()?,
            padding_before_counters: reader.u64()?,
            counters: reader.u64()?,
            padding_after_counters: reader.u64()?,
            bitmap_bytes: 0,
            padding_after_bitmap: 0,
            names_bytes: 0,
            counters_delta: 0,
            virtual_tables: 0,
            virtual_table_names_bytes: 0,
        };
        if version >= 9 {
            header.bitmap_bytes = reader.u64()?;
            header.padding_after_bitmap = reader.u64()?;
        }
        header.names_bytes = reader.u64()?;
        header.counters_delta = reader.u64()?;
        if version >= 9 {
            let _bitmap_delta = reader.u64()?;
        }
        let _names_delta = reader.u64()?;
        if version >= 10 {
            header.virtual_tables = reader.u64()?;
            header.virtual_table_names_bytes = reader.u64()?;
        }
        let _last_value_kind = reader.u64()?;
        Ok(header)
    }
}

impl FunctionRecord {
    /// Reads one record. Returns true if values for it follow the counters.
    fn read(
        data: &mut ByteReader<'_>,
        header: &Header,
        index: u64,
        counter_count: usize,
    ) -> Result<(Self, bool), LlvmError> {
        let begin = data.offset();
        let (name_digest, hash) = (data.u64()?, data.u64()?);
        let pointer = data.u64()?;
        if header.version >= 9 {
            let _bitmap_pointer = data.u64()?;
        }
        let _function_and_values = (data.u64()?, data.u64()?);
        let counters = data.u32()? as usize;
        let kinds = if header.version >= 10 { 3 } else { 2 };
        let mut has_values = false;
        for _ in 0..kinds {
            has_values |= data.u16()? > 0;
        }
        let record_bytes = if header.version == 8 { 48 } else { 64 };
        data.take((begin + record_bytes - data.offset()) as u64)?;
        // The pointer starts from its own record, the delta from the first.
        let from_first = pointer.wrapping_add(index.wrapping_mul(record_bytes as u64));
        let offset = from_first.wrapping_sub(header.counters_delta);
        let start =
            usize::try_from(offset / 8).ok().filter(|s| offset.is_multiple_of(8) && *s < counter_count);
        let range = start.and_then(|s| Some(s..s.checked_add(counters).filter(|end| *end <= counter_count)?));
        match range {
            Some(range) if counters > 0 => Ok((Self { name_digest, hash, counters: range }, has_values)),
            _ => Err(data
                .malformed(format!("function {index} has no counters, or counters outside the profile's"))),
        }
    }
}

/// Skips the values of one function, which begin with their length.
fn skip_values(reader: &mut ByteReader<'_>) -> Result<(), LlvmError> {
    let total = reader.u32()?;
    reader.u32()?;
    match u64::from(total).checked_sub(8) {
        Some(rest) if rest.is_multiple_of(8) => reader.take(rest).map(drop),
        _ => Err(reader.malformed("the values of a function have an impossible length")),
    }
}

fn is_big_endian(bytes: &[u8]) -> Result<bool, LlvmError> {
    let first = bytes.get(..8).and_then(|first| first.try_into().ok());
    let Some(first) = first else {
        let beginning = match bytes {
            [] => "nothing".to_owned(),
            some => format!("`{}`", some.escape_ascii()),
        };
        return Err(LlvmError::NotProfile { beginning });
    };
    match (u64::from_le_bytes(first), u64::from_be_bytes(first)) {
        (MAGIC, _) => Ok(false),
        (_, MAGIC) => Ok(true),
        (MAGIC_32, _) | (_, MAGIC_32) => {
            Err(LlvmError::OtherKind { what: "of a program with 32-bit pointers" })
        }
        _ => Err(LlvmError::NotProfile { beginning: format!("`{}`", first.escape_ascii()) }),
    }
}
