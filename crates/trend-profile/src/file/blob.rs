//! The compressed blob of one run's counts.
//!
//! One LEB128 number per location id, ascending from 0, then zstd. Locations that were added to the
//! study later are missing at the end and read as 0. Most counts are small, so that a block costs
//! one to three bytes before compression.

/// A LEB128 `u64` has at most this many bytes.
pub(super) const LONGEST: usize = 10;

/// A good trade of time for size, measured on the counts of sqlite: level 9 saves another 4 %.
const LEVEL: i32 = 3;

pub(super) fn pack(counts: &[u64]) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(counts.len() * 2);
    for &count in counts {
        let mut rest = count;
        while rest >= 0x80 {
            bytes.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        bytes.push(rest as u8);
    }
    let mut compressor = zstd::bulk::Compressor::new(LEVEL)?;
    compressor.include_checksum(true)?;
    compressor.compress(&bytes)
}

/// Unpacks blobs one after the other, with the same memory.
#[derive(Default)]
pub(super) struct Unpacker {
    zstd: Option<zstd::bulk::Decompressor<'static>>,
}

impl Unpacker {
    /// Unpacks into what [`Numbers`] reads exactly `locations` numbers from, which takes the place of `bytes`, or says
    /// what is wrong.
    pub(super) fn unpack(
        &mut self,
        blob: &[u8],
        locations: usize,
        bytes: &mut Vec<u8>,
    ) -> Result<(), String> {
        if blob.is_empty() {
            return Err("they are missing".to_owned());
        }
        let zstd = match &mut self.zstd {
            Some(zstd) => zstd,
            none => none.insert(zstd::bulk::Decompressor::new().map_err(|e| e.to_string())?),
        };
        // What a blob claims is only believed as far as it can be true.
        let most = locations * LONGEST;
        let claimed = zstd::zstd_safe::get_frame_content_size(blob).ok().flatten();
        bytes.clear();
        bytes.reserve(claimed.map_or(most, |claimed| usize::try_from(claimed).unwrap_or(most).min(most)));
        zstd.decompress_to_buffer(blob, bytes).map_err(|e| e.to_string())?;
        if bytes.last().is_some_and(|&last| last >= 0x80) {
            return Err("the last count is cut off".to_owned());
        }
        let counts = numbers_in(bytes);
        if counts > locations {
            return Err(format!("{counts} counts for {locations} locations"));
        }
        // The locations that came later, and what the last numbers are read together with.
        bytes.resize(bytes.len() + locations - counts + WORD, 0);
        Ok(())
    }
}

/// How many bytes are read at once.
const WORD: usize = 8;

/// The bit of every byte that says whether the number goes on.
const GOES_ON: u64 = 0x8080_8080_8080_8080;

/// The number of LEB128 numbers that end in these bytes.
fn numbers_in(bytes: &[u8]) -> usize {
    // As many as a byte can count.
    let going_on = |some: &[u8]| usize::from(some.iter().fold(0_u8, |sum, byte| sum + (byte >> 7)));
    bytes.len() - bytes.chunks(usize::from(u8::MAX)).map(going_on).sum::<usize>()
}

/// What is wrong where [`Numbers::next`] finds no number.
pub(super) const TOO_LARGE: &str = "a count has more than 64 bits";

/// LEB128 numbers, one after the other, with at least eight more bytes behind the last.
#[derive(Clone, Copy)]
pub(super) struct Numbers<'a> {
    rest: &'a [u8],
}

impl<'a> Numbers<'a> {
    pub(super) fn new(rest: &'a [u8]) -> Self {
        Self { rest }
    }

    /// What was not read yet.
    pub(super) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Leaves numbers out.
    pub(super) fn skip(&mut self, mut numbers: usize) {
        /// As many bytes as are counted at once.
        const SOME: usize = 256;
        while let Some(some) = self.rest.get(..SOME).filter(|_| numbers >= SOME) {
            numbers -= numbers_in(some);
            self.rest = &self.rest[SOME..];
        }
        while numbers > 0 && !self.rest.is_empty() {
            numbers -= usize::from(self.rest[0] < 0x80);
            self.rest = &self.rest[1..];
        }
    }

    /// The next number; `None` where it has more than 64 bits. Without branches for all numbers of at most eight bytes: their
    /// lengths follow no pattern that a processor could guess.
    #[inline]
    pub(super) fn next(&mut self) -> Option<u64> {
        let word = self.rest.first_chunk::<WORD>().map_or(GOES_ON, |word| u64::from_le_bytes(*word));
        let ends = !word & GOES_ON;
        if ends == 0 {
            return self.long();
        }
        let length = ends.trailing_zeros() / 8 + 1;
        self.rest = &self.rest[length as usize..];
        // Up to the end of the first number; seven bits of a byte each, moved together in three steps.
        let sevens = word & (ends ^ ends.wrapping_sub(1)) & !GOES_ON;
        let twice = (sevens & 0x007f_007f_007f_007f) | (sevens & 0x7f00_7f00_7f00_7f00) >> 1;
        let fourfold = (twice & 0x0000_3fff_0000_3fff) | (twice & 0x3fff_0000_3fff_0000) >> 2;
        Some((fourfold & 0x0fff_ffff) | (fourfold & 0x0fff_ffff_0000_0000) >> 4)
    }

    /// A number of any length.
    #[cold]
    fn long(&mut self) -> Option<u64> {
        let (mut value, mut shift) = (0, 0);
        while let Some((&byte, after)) = self.rest.split_first() {
            self.rest = after;
            let bits = u64::from(byte & 0x7f);
            if shift > 63 || (bits << shift) >> shift != bits {
                return None;
            }
            value |= bits << shift;
            shift += 7;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unpack(blob: &[u8], locations: usize) -> Result<Vec<u64>, String> {
        let mut bytes = vec![42; 5];
        Unpacker::default().unpack(blob, locations, &mut bytes)?;
        let mut numbers = Numbers::new(&bytes);
        let counts: Option<Vec<u64>> = (0..locations).map(|_| numbers.next()).collect();
        assert!(counts.is_none() || numbers.rest().len() == WORD);
        counts.ok_or_else(|| TOO_LARGE.to_owned())
    }

    #[test]
    fn counts_of_every_width_come_back() {
        let counts: Vec<u64> = (0..64).flat_map(|s| [(1 << s) - 1, 1 << s]).chain([u64::MAX]).collect();
        assert_eq!(unpack(&pack(&counts).unwrap(), counts.len()).unwrap(), counts);
    }

    #[test]
    fn numbers_that_are_left_out_are_those_before_the_next() {
        let counts: Vec<u64> = (0..2000).map(|i| (i * i * 7919) % (1 << (i % 40))).collect();
        let mut bytes = Vec::new();
        Unpacker::default().unpack(&pack(&counts).unwrap(), counts.len(), &mut bytes).unwrap();
        for left_out in [0, 1, 255, 256, 700, 1999] {
            let mut numbers = Numbers::new(&bytes);
            numbers.skip(left_out);
            assert_eq!(numbers.next(), Some(counts[left_out]), "{left_out}");
        }
    }

    #[test]
    fn numbers_of_more_than_64_bits_are_refused() {
        for bytes in [&[0xff; 11][..], &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02]] {
            let blob = zstd::bulk::compress(&[bytes, &[0]].concat(), LEVEL).unwrap();
            assert_eq!(unpack(&blob, 2), Err(TOO_LARGE.to_owned()));
        }
        let cut_off = zstd::bulk::compress(&[1, 0x80], LEVEL).unwrap();
        assert_eq!(unpack(&cut_off, 2), Err("the last count is cut off".to_owned()));
    }

    #[test]
    fn locations_that_came_later_read_as_zero() {
        assert_eq!(unpack(&pack(&[7, 300]).unwrap(), 4).unwrap(), [7, 300, 0, 0]);
    }

    #[test]
    fn a_blob_for_more_locations_than_there_are_is_refused() {
        assert!(unpack(&pack(&[1, 2, 3]).unwrap(), 2).unwrap_err().contains("3 counts for 2"));
        assert!(unpack(&pack(&vec![u64::MAX; 10_000]).unwrap(), 2).is_err());
    }

    #[test]
    fn every_damaged_byte_and_every_cut_is_noticed() {
        let blob = pack(&(0..200).map(|i| i * i * 977).collect::<Vec<_>>()).unwrap();
        for i in 0..blob.len() {
            let mut bad = blob.clone();
            bad[i] ^= 0x55;
            assert!(unpack(&bad, 200).is_err(), "byte {i}");
            assert!(unpack(&blob[..i], 200).is_err(), "cut at {i}");
        }
    }
}
