//! Reads a process's record of the memory that its code allocated.
//!
//! ```text
//! file:    header  site …                                        (64 64 … bytes; the writer's byte order)
//! header:  magic  pid  flags  live  peak  peaks  sites  lock     (8 4 4 8 8 8 4 4, and 16 that are not used)
//! site:    module  lock  address  calls  bytes  live  most  at peak  peak      (4 4 8 8 8 8 8 8 8)
//! ```
//!
//! The process writes the record while it runs, into memory mapped from the file, so it survives however the process
//! ends. `at peak` holds a site's memory at the last peak only if the site changed since; otherwise `live` does.

use crate::bytes::{u32_at, u64_at};

/// First bytes of a record: `\x89\x1aTPmem1`, read as a number.
const MAGIC: u64 = 0x316d_656d_5054_1a89;
const HEADER_BYTES: usize = 64;
const SITE_BYTES: usize = 64;

const IS_FULL: u32 = 1;
const IS_UNTRACKED: u32 = 2;

/// File extension of records.
pub const EXTENSION: &str = "trend-memory";

/// Reason why a record is unusable. Each message completes "a process's record …".
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum MemoryRecordError {
    /// The process could not extend the file to its full length.
    #[error("is incomplete; is the disk full?")]
    Short,
    /// The file is not a record.
    #[error("is not a memory record, or is from another version of trend-prof")]
    Other,
}

/// Memory record of one process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryRecord {
    /// Allocation sites, each once. The first one holds memory that no own code asked for.
    pub sites: Vec<MemorySite>,
    /// Largest number of bytes allocated at one moment.
    pub peak: u64,
    /// True if sites were left out; the first site then holds their memory.
    pub is_full: bool,
    /// True if allocations were left out.
    pub is_untracked: bool,
}

/// Allocations at one address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemorySite {
    /// Program or library, by its position in the file of own code.
    pub module: u32,
    /// Address in the module.
    pub address: u64,
    /// Number of allocations at the site.
    pub allocations: u64,
    /// Total bytes of all allocations.
    pub asked: u64,
    /// Largest number of bytes allocated at one moment.
    pub most: u64,
    /// Bytes allocated when the process had allocated most.
    pub at_peak: u64,
    /// Bytes allocated at the end.
    pub left: u64,
}

impl MemoryRecord {
    /// Parses a memory record.
    ///
    /// # Errors
    /// Fails if the record is cut off, or the file is not a record.
    pub fn read(bytes: &[u8]) -> Result<Self, MemoryRecordError> {
        let header = bytes.get(..HEADER_BYTES).ok_or(MemoryRecordError::Short)?;
        if word(header, 0) == 0 {
            return Err(MemoryRecordError::Short);
        }
        if word(header, 0) != MAGIC {
            return Err(MemoryRecordError::Other);
        }
        let (flags, peak, peaks) = (half(header, 12), word(header, 24), word(header, 32));
        let count = half(header, 40) as usize;
        let sites = bytes[HEADER_BYTES..].chunks_exact(SITE_BYTES);
        if sites.len() < count {
            return Err(MemoryRecordError::Short);
        }
        let site = |site: &[u8]| MemorySite {
            module: half(site, 0),
            address: word(site, 8),
            allocations: word(site, 16),
            asked: word(site, 24),
            left: held(word(site, 32)),
            most: word(site, 40),
            at_peak: held(if word(site, 56) < peaks { word(site, 32) } else { word(site, 48) }),
        };
        Ok(Self {
            sites: sites.take(count).map(site).collect(),
            peak: held(peak),
            is_full: flags & IS_FULL != 0,
            is_untracked: flags & IS_UNTRACKED != 0,
        })
    }
}

/// Returns the number, or 0 if it is negative. With several threads it can be so for a moment, in which the process may
/// have been killed.
fn held(bytes: u64) -> u64 {
    if i64::try_from(bytes).is_ok() { bytes } else { 0 }
}

fn word(bytes: &[u8], at: usize) -> u64 {
    u64_at(bytes, at).unwrap_or(0)
}

fn half(bytes: &[u8], at: usize) -> u32 {
    u32_at(bytes, at).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(sites: &[[u64; 8]], peaks: u64) -> Vec<u8> {
        let mut words = vec![MAGIC, 7, 100, 240, peaks, sites.len() as u64, 0, 0];
        words.extend(sites.iter().flatten());
        words.into_iter().flat_map(u64::to_ne_bytes).collect()
    }

    #[test]
    fn what_was_held_at_the_peak_is_what_is_held_unless_it_changed_since() {
        // Module, address, calls, bytes, live, most, at peak, and the number of that peak.
        let changed = [0, 0x10, 10, 240, 0, 240, 216, 5];
        let unchanged = [1, 0x20, 1, 24, 24, 24, 7, 4];
        let read = MemoryRecord::read(&record(&[changed, unchanged], 5)).unwrap();
        assert_eq!((read.peak, read.is_full, read.is_untracked), (240, false, false));
        assert_eq!(read.sites.iter().map(|s| s.at_peak).collect::<Vec<_>>(), [216, 24]);
        let first = MemorySite {
            address: 0x10,
            allocations: 10,
            asked: 240,
            most: 240,
            at_peak: 216,
            ..<_>::default()
        };
        assert_eq!(read.sites[0], first);
        let below = MemoryRecord::read(&record(&[[0, 0, 1, 8, u64::MAX, 8, 0, 0]], 1)).unwrap();
        assert_eq!((below.sites[0].left, below.sites[0].at_peak), (0, 0));
    }

    #[test]
    fn whatever_the_bytes_are_there_is_no_panic_and_nothing_is_made_up() {
        let whole = record(&[[0, 1, 2, 3, 4, 5, 6, 7]; 3], 9);
        for length in 0..whole.len() {
            assert_eq!(MemoryRecord::read(&whole[..length]), Err(MemoryRecordError::Short), "{length}");
        }
        // The file may have room for more sites than there are.
        assert_eq!(MemoryRecord::read(&[whole.clone(), vec![0; 640]].concat()).unwrap().sites.len(), 3);
        let mut more = whole.clone();
        more[40..44].copy_from_slice(&u32::MAX.to_ne_bytes());
        assert_eq!(MemoryRecord::read(&more), Err(MemoryRecordError::Short));
        assert_eq!(MemoryRecord::read(&[0; 4096]), Err(MemoryRecordError::Short));
        assert_eq!(MemoryRecord::read(&[1; 4096]), Err(MemoryRecordError::Other));
        let mut random = 1_u64;
        for _ in 0..10_000 {
            let mut damaged = whole.clone();
            for _ in 0..4 {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                damaged[(random >> 33) as usize % whole.len()] = (random >> 20) as u8;
            }
            if let Ok(read) = MemoryRecord::read(&damaged) {
                assert!(read.sites.len() <= 3);
            }
        }
    }
}
