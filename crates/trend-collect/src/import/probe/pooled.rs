//! Reads the records in a file that several forked processes share.

use std::io::{self, Read, Seek, SeekFrom};
use std::mem::{offset_of, size_of};

use trend_runtime::record::pool::{Header, MAGIC, MOST_PIECES, Piece, Pieces, VERSION};
use trend_runtime::record::{Header as RecordHeader, PAGE};

use super::{Bytes, FORMAT, damaged};
use crate::import::ImportError;

/// Records in a file of the probe: all of a pool, the newest first, or the only one. It keeps one record in memory.
#[derive(Debug)]
pub struct Records<R> {
    file: R,
    /// Position of the next record.
    next: Next,
    /// Number of bytes of the records so far. No two records overlap, so they are no longer than the file.
    read: u64,
}

#[derive(Clone, Copy, Debug)]
enum Next {
    /// The whole file is the record.
    Whole,
    /// The record begins at an offset in the pool.
    At(u64),
    End,
}

impl<R: Read + Seek> Records<R> {
    /// Begins to read a file.
    ///
    /// # Errors
    /// Fails if the file cannot be read, or is a pool of another version or without a whole header.
    pub fn new(mut file: R) -> Result<Self, ImportError> {
        let length = file.seek(SeekFrom::End(0)).map_err(ImportError::from_read)?;
        let mut records = Self { file, next: Next::Whole, read: 0 };
        let header = records.bytes(0, length.min(size_of::<Header>() as u64))?;
        if header.starts_with(&MAGIC) {
            let header = Bytes(&header);
            let version = header.long(offset_of!(Header, version) as u64)?;
            if version != u64::from(VERSION) {
                let version = u32::try_from(version).unwrap_or(u32::MAX);
                return Err(ImportError::OtherVersion { format: FORMAT, version, supported: VERSION });
            }
            records.next = Next::from_offset(header.long(offset_of!(Header, newest) as u64)?);
        }
        Ok(records)
    }

    fn bytes(&mut self, at: u64, length: u64) -> Result<Vec<u8>, ImportError> {
        let mut bytes = vec![0; length as usize];
        let read = self.file.seek(SeekFrom::Start(at)).and_then(|_| self.file.read_exact(&mut bytes));
        match read {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                Err(ImportError::CutOff { missing: format!("the data at byte {at} are missing") })
            }
            read => read.map(|()| bytes).map_err(ImportError::from_read),
        }
    }

    /// Returns the bytes of the record at an offset in the pool, and the place of the previously added one.
    fn record(&mut self, at: u64) -> Result<(Vec<u8>, Next), ImportError> {
        // The process may still run and write. A record whose first page changed in between is read again.
        let mut first = self.bytes(at, PAGE as u64)?;
        for _ in 0..MOST_PIECES {
            let (record, next) = self.record_of(at, &first)?;
            let again = self.bytes(at, PAGE as u64)?;
            if again == first {
                self.read += record.len() as u64;
                if self.read > self.length()? {
                    return Err(damaged("records longer than the file"));
                }
                return Ok((record, next));
            }
            first = again;
        }
        Err(damaged("a record that is still written to"))
    }

    /// Returns the bytes of a record by its first page, and the place of the previously added one.
    fn record_of(&mut self, at: u64, first: &[u8]) -> Result<(Vec<u8>, Next), ImportError> {
        let pieces = Bytes(&first[size_of::<RecordHeader>()..]);
        let count = pieces.long(offset_of!(Pieces, count) as u64)?;
        if count == 0 || count > MOST_PIECES as u64 {
            return Err(damaged("a record with no pieces or too many"));
        }
        let end = self.length()?;
        let mut record = Vec::new();
        for number in 0..count {
            let piece = (offset_of!(Pieces, all) + number as usize * size_of::<Piece>()) as u64;
            let offset = pieces.long(piece + offset_of!(Piece, offset) as u64)?;
            let length = pieces.long(piece + offset_of!(Piece, length) as u64)?;
            if offset < PAGE as u64 || length < PAGE as u64 || (number == 0 && offset != at) {
                return Err(damaged("a part of a record in the wrong place"));
            }
            let is_there = offset.checked_add(length).is_some_and(|behind| behind <= end);
            if !is_there || record.len() as u64 + length > end {
                return Err(ImportError::CutOff {
                    missing: format!("the data at byte {offset} are missing"),
                });
            }
            record.extend(self.bytes(offset, length)?);
        }
        record[..PAGE].copy_from_slice(first);
        Ok((record, Next::from_offset(pieces.long(offset_of!(Pieces, next) as u64)?)))
    }

    fn length(&mut self) -> Result<u64, ImportError> {
        self.file.seek(SeekFrom::End(0)).map_err(ImportError::from_read)
    }

    /// Returns all bytes of the file.
    fn whole(&mut self) -> Result<Vec<u8>, ImportError> {
        let mut bytes = Vec::new();
        let read = self.file.rewind().and_then(|()| self.file.read_to_end(&mut bytes));
        read.map(|_| bytes).map_err(ImportError::from_read)
    }
}

impl Next {
    fn from_offset(offset: u64) -> Self {
        if offset == 0 { Self::End } else { Self::At(offset) }
    }
}

impl<R: Read + Seek> Iterator for Records<R> {
    type Item = Result<Vec<u8>, ImportError>;

    fn next(&mut self) -> Option<Self::Item> {
        let read = match std::mem::replace(&mut self.next, Next::End) {
            Next::End => return None,
            Next::Whole => self.whole(),
            Next::At(offset) => self.record(offset).map(|(record, next)| {
                self.next = next;
                record
            }),
        };
        Some(read)
    }
}
