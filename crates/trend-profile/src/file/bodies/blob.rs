//! The compressed blob of one run's counts.
//!
//! One LEB128 number per location id, ascending from 0, then zstd. Locations that were added to the study later are
//! missing at the end and read as 0. Most counts are small, so a block costs one to three bytes before compression.

use std::io;

/// Maximum number of bytes of one number.
const LONGEST: usize = 10;

/// Compression level: a good trade of time for size, measured on the counts of sqlite. Level 9 saves another 4 %.
const LEVEL: i32 = 3;

pub(in crate::file) fn pack(counts: &[u64]) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(counts.len() * 2);
    for count in counts {
        bytes = postcard::to_extend(count, bytes).map_err(io::Error::other)?;
    }
    let mut compressor = zstd::bulk::Compressor::new(LEVEL)?;
    compressor.include_checksum(true)?;
    compressor.compress(&bytes)
}

/// Unpacks blobs one after the other and reuses its memory.
#[derive(Default)]
pub(in crate::file) struct Unpacker {
    zstd: Option<zstd::bulk::Decompressor<'static>>,
    bytes: Vec<u8>,
}

impl Unpacker {
    /// Unpacks exactly `locations` counts into `counts`, or returns a description of the damage.
    pub(in crate::file) fn unpack(
        &mut self,
        blob: &[u8],
        locations: usize,
        counts: &mut Vec<u64>,
    ) -> Result<(), String> {
        if blob.is_empty() {
            return Err("they are missing".to_owned());
        }
        let zstd = match &mut self.zstd {
            Some(zstd) => zstd,
            none => none.insert(zstd::bulk::Decompressor::new().map_err(|e| e.to_string())?),
        };
        // A blob may claim any size: believe at most the largest possible one.
        let most = locations * LONGEST;
        let claimed = zstd::zstd_safe::get_frame_content_size(blob).ok().flatten();
        let claimed = claimed.map_or(most, |claimed| usize::try_from(claimed).unwrap_or(most).min(most));
        self.bytes.clear();
        self.bytes.reserve(claimed);
        zstd.decompress_to_buffer(blob, &mut self.bytes).map_err(|e| e.to_string())?;
        counts.resize(locations, 0);
        let mut rest = self.bytes.as_slice();
        for count in counts {
            // Locations that were added later cost nothing.
            (*count, rest) =
                if rest.is_empty() { Ok((0, rest)) } else { number(rest) }.map_err(|error| match error {
                    postcard::Error::DeserializeUnexpectedEnd => "the last count is cut off".to_owned(),
                    _ => "a count has more than 64 bits".to_owned(),
                })?;
        }
        if rest.is_empty() { Ok(()) } else { Err(format!("more counts than the {locations} locations")) }
    }
}

/// Splits off the first number. Has no branch that depends on the length for numbers of at most eight bytes: lengths
/// follow no pattern that a branch predictor could learn.
#[inline]
fn number(bytes: &[u8]) -> postcard::Result<(u64, &[u8])> {
    /// Continuation bit of every byte.
    const GOES_ON: u64 = 0x8080_8080_8080_8080;
    let word = bytes.first_chunk().map_or(GOES_ON, |word| u64::from_le_bytes(*word));
    let ends = !word & GOES_ON;
    if ends == 0 {
        return postcard::take_from_bytes(bytes);
    }
    let length = ends.trailing_zeros() / 8 + 1;
    // Takes seven bits of each byte up to the end of the first number, and moves them together in three steps.
    let sevens = word & (ends ^ ends.wrapping_sub(1)) & !GOES_ON;
    let twice = (sevens & 0x007f_007f_007f_007f) | (sevens & 0x7f00_7f00_7f00_7f00) >> 1;
    let fourfold = (twice & 0x0000_3fff_0000_3fff) | (twice & 0x3fff_0000_3fff_0000) >> 2;
    Ok(((fourfold & 0x0fff_ffff) | (fourfold & 0x0fff_ffff_0000_0000) >> 4, &bytes[length as usize..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unpack(blob: &[u8], locations: usize) -> Result<Vec<u64>, String> {
        let mut counts = vec![42; 5];
        Unpacker::default().unpack(blob, locations, &mut counts).map(|()| counts)
    }

    #[test]
    fn counts_of_every_width_come_back() {
        let counts: Vec<u64> = (0..64).flat_map(|s| [(1 << s) - 1, 1 << s]).chain([u64::MAX]).collect();
        assert_eq!(unpack(&pack(&counts).unwrap(), counts.len()).unwrap(), counts);
    }

    #[test]
    fn numbers_of_more_than_64_bits_are_refused() {
        for bytes in [&[0xff; 11][..], &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02]] {
            let blob = zstd::bulk::compress(&[bytes, &[0]].concat(), LEVEL).unwrap();
            assert_eq!(unpack(&blob, 2), Err("a count has more than 64 bits".to_owned()));
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
        assert!(unpack(&pack(&[1, 2, 3]).unwrap(), 2).unwrap_err().contains("more counts than the 2"));
        assert_eq!(
            unpack(&pack(&vec![u64::MAX; 10_000]).unwrap(), 2).unwrap_err(),
            "Destination buffer is too small"
        );
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
