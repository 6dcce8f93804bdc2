//! Checks sizes claimed by a Parquet file before the library trusts them.
//!
//! The library allocates the memory that a page's header claims before it reads the page. It also skips the claimed
//! number of list entries, even of a type that takes no bytes. Page headers and the file's metadata are structures in
//! Thrift's compact encoding. Each field is a byte with its type and the distance from the last field's number, then
//! the value.
//!
//! ```text
//! 15 00        field 1, a number: the kind of page
//! 15 e0 5d     field 2, a number: 6000, the unpacked size
//! 15 80 01     field 3, a number: 64, the size in the file
//! 2c … 00      field 5, a structure: data of this kind of page
//! 00           the end
//! ```

/// Fields of a page's header.
const UNPACKED: i64 = 2;
const PACKED: i64 = 3;
const LIST: u8 = 9;
const STRUCTURE: u8 = 12;
/// Maximum nesting of structures and lists; schemas have some, and nothing is deeper.
const DEEPEST: usize = 32;
/// Maximum compression ratio of all supported encodings, except for long runs of one byte in zstd.
const LARGEST_RATIO: u64 = 1032;
/// Size in bytes up to which any ratio is accepted: a short page may be one repeated byte.
const SMALL: u64 = 1 << 20;

/// Returns true if the metadata at the end of the file claims no more entries than its bytes can hold. A file in
/// another format passes; the library reports it.
pub(super) fn is_plausible(file: &[u8]) -> bool {
    let Some((rest, [length @ .., b'P', b'A', b'R', b'1'])) = file.split_last_chunk::<8>() else {
        return true;
    };
    let length = u32::from_le_bytes(*length) as usize;
    let Some(start) = rest.len().checked_sub(length) else { return true };
    Compact { bytes: &rest[start..] }.skip(STRUCTURE, DEEPEST).is_some()
}

/// Returns the unpacked size that the pages of one column claim, or `None` if it is impossible.
pub(super) fn claimed(mut column: &[u8]) -> Option<u64> {
    let length = column.len() as u64;
    let mut claimed = 0_u64;
    while !column.is_empty() {
        let mut reader = Compact { bytes: column };
        let (unpacked, packed) = reader.page()?;
        claimed = claimed.saturating_add(unpacked);
        if claimed > (length * LARGEST_RATIO).max(SMALL) {
            return None;
        }
        column = reader.bytes.get(usize::try_from(packed).ok()?..)?;
    }
    Some(claimed)
}

struct Compact<'a> {
    bytes: &'a [u8],
}

impl Compact<'_> {
    /// Reads a page's header, and returns the unpacked and packed sizes.
    fn page(&mut self) -> Option<(u64, u64)> {
        let (mut unpacked, mut packed) = (None, None);
        let mut field = 0_i64;
        while let Some((kind, number)) = self.field(field)? {
            field = number;
            match (number, kind) {
                (UNPACKED, 5) => unpacked = Some(self.number()?),
                (PACKED, 5) => packed = Some(self.number()?),
                _ => self.skip(kind, DEEPEST)?,
            }
        }
        Some((u64::try_from(unpacked?).ok()?, u64::try_from(packed?).ok()?))
    }

    /// Reads the type and number of the next field; `Some(None)` is the end of the structure.
    #[expect(clippy::option_option, reason = "cut off, and at the end")]
    fn field(&mut self, last: i64) -> Option<Option<(u8, i64)>> {
        let byte = self.byte()?;
        let kind = byte & 15;
        if kind == 0 {
            return Some(None);
        }
        let number = match byte >> 4 {
            0 => self.number()?,
            distance => last.checked_add(i64::from(distance))?,
        };
        Some(Some((kind, number)))
    }

    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(*first)
    }

    /// Reads an unsigned number, seven bits per byte.
    fn unsigned(&mut self) -> Option<u64> {
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    /// Reads a signed number, with the sign in the lowest bit.
    fn number(&mut self) -> Option<i64> {
        let value = self.unsigned()?;
        Some((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    fn skip(&mut self, kind: u8, depth: usize) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        match kind {
            // Truth values are part of their field's type.
            1 | 2 => {}
            3 => drop(self.byte()?),
            4..=6 => drop(self.unsigned()?),
            7 => self.bytes = self.bytes.get(8..)?,
            8 => {
                let length = usize::try_from(self.unsigned()?).ok()?;
                self.bytes = self.bytes.get(length..)?;
            }
            LIST => {
                let byte = self.byte()?;
                let (kind, few) = (byte & 15, u64::from(byte >> 4));
                let entries = if few == 15 { self.unsigned()? } else { few };
                // There are no lists of truth values; the library would count their entries as zero bytes.
                if kind <= 2 || entries > self.bytes.len() as u64 {
                    return None;
                }
                for _ in 0..entries {
                    self.skip(kind, depth)?;
                }
            }
            STRUCTURE => {
                let mut last = 0;
                while let Some((kind, number)) = self.field(last)? {
                    last = number;
                    self.skip(kind, depth)?;
                }
            }
            // Sets and maps do not occur.
            _ => return None,
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a page: a header with these sizes and a nested structure, and the packed bytes.
    fn page(unpacked: &[u8], packed: u8) -> Vec<u8> {
        let header =
            [&[0x15, 0, 0x15][..], unpacked, &[0x15, packed << 1, 0x2c, 0x15, 6, 0x11, 0, 0]].concat();
        [header, vec![7; usize::from(packed)]].concat()
    }

    fn are_plausible(column: &[u8]) -> bool {
        claimed(column).is_some()
    }

    #[test]
    fn pages_claim_what_they_can_become() {
        // Unpacked sizes: 6000, 16 MiB, 2 GiB.
        let (small, large, huge) = ([0xe0, 0x5d], [0x80, 0x80, 0x80, 0x10], [0xfe, 0xff, 0xff, 0xff, 0x0f]);
        assert!(are_plausible(&page(&small, 40)));
        assert!(are_plausible(&[page(&small, 40), page(&small, 3)].concat()));
        assert!(!are_plausible(&page(&large, 40)));
        assert!(!are_plausible(&[page(&small, 40), page(&huge, 40)].concat()));
    }

    #[test]
    fn headers_that_are_cut_are_none() {
        let whole = page(&[0xe0, 0x5d], 40);
        for length in 1..whole.len() {
            assert!(!are_plausible(&whole[..length]), "{length}");
        }
        assert!(!are_plausible(&[0xff; 40]));
        assert!(!are_plausible(&[0x2c; 400]), "structures in structures");
    }

    #[test]
    fn lists_have_as_many_entries_as_there_is_room_for() {
        let file = |metadata: &[u8]| {
            let length = (metadata.len() as u32).to_le_bytes();
            [b"PAR1", metadata, &length, b"PAR1"].concat()
        };
        // Lists of two numbers, of 268 million, and of three truth values.
        assert!(is_plausible(&file(&[0x19, 0x25, 2, 4, 0])));
        assert!(!is_plausible(&file(&[0x19, 0xf5, 0xff, 0xff, 0xff, 0x7f, 2, 4, 0])));
        assert!(!is_plausible(&file(&[0x19, 0x31, 1, 1, 1, 0])));
        assert!(is_plausible(include_bytes!("../../../tests/data/counts.parquet")));
        assert!(is_plausible(b"a,b\n1,2\n"), "no Parquet file");
    }
}
