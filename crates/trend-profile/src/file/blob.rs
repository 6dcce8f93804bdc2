//! The compressed blob of one run's counts.
//!
//! One LEB128 number per location id, ascending from 0, then zstd. Locations that were added to the
//! study later are missing at the end and read as 0. Most counts are small, so that a block costs
//! one to three bytes before compression.

/// A LEB128 `u64` has at most this many bytes.
const LONGEST: usize = 10;

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

/// Unpacks blobs one after the other, in the same memory.
#[derive(Default)]
pub(super) struct Unpacker {
    zstd: Option<zstd::bulk::Decompressor<'static>>,
    bytes: Vec<u8>,
}

impl Unpacker {
    /// Unpacks into exactly `locations` numbers, which take the place of `counts`, or says what is wrong.
    pub(super) fn unpack(
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
        self.bytes.clear();
        self.bytes.reserve(locations * LONGEST);
        zstd.decompress_to_buffer(blob, &mut self.bytes).map_err(|e| e.to_string())?;
        counts.clear();
        counts.reserve(locations);
        let mut rest = self.bytes.as_slice();
        while let Some((&first, after)) = rest.split_first() {
            rest = after;
            // Most counts are this small.
            counts.push(if first < 0x80 { u64::from(first) } else { long(first, &mut rest)? });
        }
        if counts.len() > locations {
            return Err(format!("{} counts for {locations} locations", counts.len()));
        }
        counts.resize(locations, 0);
        Ok(())
    }
}

/// A number of several bytes, of which the first was taken off already.
fn long(first: u8, rest: &mut &[u8]) -> Result<u64, String> {
    let (mut value, mut shift) = (u64::from(first & 0x7f), 7_u32);
    loop {
        let Some((&byte, after)) = rest.split_first() else {
            return Err("the last count is cut off".to_owned());
        };
        *rest = after;
        let bits = u64::from(byte & 0x7f);
        if shift > 63 || (bits << shift) >> shift != bits {
            return Err("a count has more than 64 bits".to_owned());
        }
        value |= bits << shift;
        shift += 7;
        if byte & 0x80 == 0 {
            return Ok(value);
        }
    }
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
