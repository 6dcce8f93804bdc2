//! Reads numbers and string tables of Go's coverage data, and checks each length against the rest of the bytes.

use crate::import::ImportError;

/// Bytes that are read from the beginning to the end.
#[derive(Clone, Debug)]
pub(super) struct Bytes<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Bytes<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    pub(super) fn offset(&self) -> usize {
        self.at
    }

    pub(super) fn remaining(&self) -> usize {
        self.bytes.len() - self.at
    }

    pub(super) fn take(&mut self, length: usize) -> Result<&'a [u8], ImportError> {
        let taken = self.bytes[self.at..].get(..length).ok_or_else(|| {
            let missing = length - self.remaining();
            ImportError::CutOff { missing: format!("{missing} bytes are missing at byte {}", self.at) }
        })?;
        self.at += length;
        Ok(taken)
    }

    pub(super) fn u8(&mut self) -> Result<u8, ImportError> {
        Ok(self.take(1)?[0])
    }

    pub(super) fn u32(&mut self) -> Result<u32, ImportError> {
        Ok(u32::from_le_bytes(self.take(4)?.try_into().unwrap_or_default()))
    }

    pub(super) fn u64(&mut self) -> Result<u64, ImportError> {
        Ok(u64::from_le_bytes(self.take(8)?.try_into().unwrap_or_default()))
    }

    /// Reads a number of at most 32 bits as ULEB128: seven bits per byte, low ones first.
    pub(super) fn uleb(&mut self) -> Result<u32, ImportError> {
        let mut value = 0_u64;
        for shift in (0..35).step_by(7) {
            let byte = self.u8()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return u32::try_from(value).map_err(|_| self.damaged("a number has more than 32 bits"));
            }
        }
        Err(self.damaged("a number has more than 32 bits"))
    }

    /// Reads the number of items that follow; each takes at least `bytes`.
    pub(super) fn count(&mut self, bytes: usize) -> Result<usize, ImportError> {
        let count = self.uleb()? as usize;
        if count > self.remaining() / bytes {
            return Err(self.damaged(&format!("{count} items do not fit into the rest")));
        }
        Ok(count)
    }

    /// Reads a table of strings.
    pub(super) fn strings(&mut self) -> Result<Vec<&'a [u8]>, ImportError> {
        let count = self.count(1)?;
        (0..count)
            .map(|_| {
                let length = self.uleb()? as usize;
                self.take(length)
            })
            .collect()
    }

    pub(super) fn damaged(&self, what: &str) -> ImportError {
        ImportError::Table { what: format!("it is damaged at byte {}: {what}", self.at) }
    }
}
