//! Reads numbers, ULEB128 and strings from bytes, and checks each against the remaining length.

use super::LlvmError;

#[derive(Clone, Debug)]
pub(super) struct ByteReader<'a> {
    bytes: &'a [u8],
    at: usize,
    is_big_endian: bool,
    /// Description of the part, for errors.
    within: &'static str,
}

impl<'a> ByteReader<'a> {
    pub(super) fn new(bytes: &'a [u8], is_big_endian: bool, within: &'static str) -> Self {
        Self { bytes, at: 0, is_big_endian, within }
    }

    pub(super) fn offset(&self) -> usize {
        self.at
    }

    pub(super) fn remaining(&self) -> usize {
        self.bytes.len() - self.at
    }

    pub(super) fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    pub(super) fn malformed(&self, what: impl Into<String>) -> LlvmError {
        LlvmError::Malformed { offset: self.at, within: self.within, what: what.into() }
    }

    pub(super) fn take(&mut self, length: u64) -> Result<&'a [u8], LlvmError> {
        let rest = self.rest();
        let taken = usize::try_from(length).ok().and_then(|length| rest.get(..length));
        let Some(taken) = taken else {
            let missing = usize::try_from(length).unwrap_or(usize::MAX) - rest.len();
            return Err(LlvmError::Truncated { offset: self.at, within: self.within, missing });
        };
        self.at += taken.len();
        Ok(taken)
    }

    /// Returns a reader of other bytes, with an equal byte order.
    pub(super) fn part<'b>(&self, bytes: &'b [u8], within: &'static str) -> ByteReader<'b> {
        ByteReader { bytes, at: 0, is_big_endian: self.is_big_endian, within }
    }

    /// Skips to a multiple of 8 bytes, or to the end.
    pub(super) fn align(&mut self) {
        self.at = self.at.next_multiple_of(8).min(self.bytes.len());
    }

    /// Skips the padding after `length` bytes to a multiple of 8.
    pub(super) fn pad(&mut self, length: u64) -> Result<(), LlvmError> {
        self.take(length.wrapping_neg() % 8).map(drop)
    }

    pub(super) fn u64(&mut self) -> Result<u64, LlvmError> {
        let bytes = self.take(8)?.try_into().unwrap_or_default();
        Ok(if self.is_big_endian { u64::from_be_bytes(bytes) } else { u64::from_le_bytes(bytes) })
    }

    pub(super) fn u32(&mut self) -> Result<u32, LlvmError> {
        let bytes = self.take(4)?.try_into().unwrap_or_default();
        Ok(if self.is_big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) })
    }

    pub(super) fn u16(&mut self) -> Result<u16, LlvmError> {
        let bytes = self.take(2)?.try_into().unwrap_or_default();
        Ok(if self.is_big_endian { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) })
    }

    /// Reads a ULEB128 number: seven bits per byte, low ones first; the high bit means that more follow.
    pub(super) fn uleb(&mut self) -> Result<u64, LlvmError> {
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = self.take(1)?[0];
            let bits = u64::from(byte & 0x7f);
            if bits != 0 && bits > u64::MAX >> shift {
                break;
            }
            value |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(self.malformed("a number has more than 64 bits"))
    }

    /// Reads a number that must fit into 32 bits.
    pub(super) fn uleb32(&mut self) -> Result<u32, LlvmError> {
        let value = self.uleb()?;
        u32::try_from(value).map_err(|_| self.malformed(format!("{value} does not fit 32 bits")))
    }

    /// Reads the number of items that follow; each takes at least one byte.
    pub(super) fn count(&mut self) -> Result<usize, LlvmError> {
        let value = self.uleb()?;
        let count = usize::try_from(value).ok().filter(|count| *count <= self.remaining());
        count.ok_or_else(|| {
            self.malformed(format!("{value} items do not fit into {} bytes", self.remaining()))
        })
    }

    pub(super) fn string(&mut self) -> Result<&'a [u8], LlvmError> {
        let length = self.uleb()?;
        self.take(length)
    }
}

/// Maximum number of bytes that zlib can make of one; short inputs may have a little more.
const LARGEST_RATIO: usize = 1032;

/// Inflates text that claims to have `length` bytes when inflated.
pub(super) fn inflated(compressed: &[u8], length: u64, at: &ByteReader<'_>) -> Result<Vec<u8>, LlvmError> {
    let limit = compressed.len().saturating_mul(LARGEST_RATIO).saturating_add(64);
    let length = usize::try_from(length).ok().filter(|length| *length <= limit);
    let length = length.ok_or_else(|| at.malformed("the compressed text claims an impossible length"))?;
    let text = miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(compressed, length);
    let text = text.map_err(|e| at.malformed(format!("the compressed text cannot be inflated ({e})")))?;
    if text.len() == length {
        Ok(text)
    } else {
        Err(at.malformed("the compressed text has the wrong length"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_seven_bits_a_byte() {
        let read = |bytes: &[u8]| ByteReader::new(bytes, false, "x").uleb();
        assert_eq!(read(&[0x7f]), Ok(127));
        assert_eq!(read(&[0xe5, 0x8e, 0x26]), Ok(624_485));
        assert_eq!(read(&[&[0xff; 9][..], &[1]].concat()), Ok(u64::MAX));
        assert!(matches!(read(&[&[0xff; 9][..], &[2]].concat()), Err(LlvmError::Malformed { .. })));
        assert!(matches!(read(&[0x80; 12]), Err(LlvmError::Malformed { .. })));
        assert!(matches!(read(&[0x80]), Err(LlvmError::Truncated { missing: 1, .. })));
    }
}
