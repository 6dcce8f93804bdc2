//! Mapped files: the addresses whose contents came from the kernel.
//!
//! Mapping a file does nothing at first, since much of it may never be read. If a cell of a file was never written, its
//! contents came from the kernel. So each first read of a cell looks up if the cell belongs to a file. Any thread and
//! any signal handler may do so, without a lock:
//!
//! ```text
//!   version: 4        ranges: 0x7f10…–0x7f18… │ 0x7f20…–0x7f21… │        sorted, with gaps between them
//!   version: 5        being changed: readers wait for 6 and retry
//! ```

use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering, fence};

use crate::file::RECORD;
use crate::system;

/// Maximum number of ranges; unused ones take no memory. It is the largest number of mappings that common systems let a
/// process have.
const MOST: usize = 1 << 20;

pub(super) static FILES: Ranges = Ranges::new();

/// Ranges of addresses, sorted, with gaps between them.
pub(super) struct Ranges {
    /// Version of the ranges; odd while they change.
    version: AtomicUsize,
    length: AtomicUsize,
    /// Address of the ranges; 0 before the first one.
    at: AtomicUsize,
    is_full: AtomicBool,
}

impl Ranges {
    const fn new() -> Self {
        Self {
            version: AtomicUsize::new(0),
            length: AtomicUsize::new(0),
            at: AtomicUsize::new(0),
            is_full: AtomicBool::new(false),
        }
    }

    /// Returns the bounds of a range.
    fn bounds(&self, index: usize) -> &[AtomicUsize; 2] {
        let first = self.at.load(Ordering::Relaxed) as *const [AtomicUsize; 2];
        // SAFETY: there is room for `MOST` ranges, and the index is below that.
        unsafe { &*first.add(index) }
    }

    fn get(&self, index: usize) -> [usize; 2] {
        let [from, to] = self.bounds(index);
        [from.load(Ordering::Relaxed), to.load(Ordering::Relaxed)]
    }

    fn set(&self, index: usize, range: [usize; 2]) {
        let [from, to] = self.bounds(index);
        from.store(range[0], Ordering::Relaxed);
        to.store(range[1], Ordering::Relaxed);
    }

    /// Returns the index of the first range for which `is_so` is true. It must be true for all later ranges as well.
    fn first(&self, length: usize, is_so: impl Fn([usize; 2]) -> bool) -> usize {
        let (mut low, mut high) = (0, length);
        while low < high {
            let middle = low.midpoint(high);
            if is_so(self.get(middle)) { high = middle } else { low = middle + 1 }
        }
        low
    }

    fn contains(&self, address: usize) -> bool {
        loop {
            let version = self.version.load(Ordering::Acquire);
            if version % 2 == 1 {
                system::give_way();
                continue;
            }
            let length = self.length.load(Ordering::Relaxed).min(MOST);
            let index = self.first(length, |[_, to]| to > address);
            let is_there = index < length && self.get(index)[0] <= address;
            fence(Ordering::Acquire);
            if self.version.load(Ordering::Relaxed) == version {
                return is_there;
            }
        }
    }

    /// Adds or removes a range.
    pub(super) fn change(&self, start: usize, end: usize, is_added: bool) {
        // Signals and forks wait for the lock. Otherwise, a handler or a child could find a change that never ends.
        let _alone = RECORD.lock();
        let length = self.length.load(Ordering::Relaxed);
        if length == 0 && !is_added {
            return;
        }
        if self.at.load(Ordering::Relaxed) == 0 {
            let flags = system::MAP_PRIVATE | system::MAP_ANONYMOUS | system::MAP_NORESERVE;
            let room = MOST * size_of::<[usize; 2]>();
            let Some(at) = system::map(0, room, system::PROT_READ_WRITE, flags, -1, 0) else {
                system::fail(b"trend-prof: no memory is left to note mapped files in\n")
            };
            self.at.store(at, Ordering::Relaxed);
        }
        let touches = usize::from(is_added);
        let first = self.first(length, |[_, to]| to + touches > start);
        let behind = self.first(length, |[from, _]| from + 1 > end + touches);
        let mut new = [[start, end]; 2];
        let mut count = touches;
        if first < behind {
            let (from, to) = (self.get(first)[0], self.get(behind - 1)[1]);
            if is_added {
                new[0] = [start.min(from), end.max(to)];
            } else {
                for rest in [[from, start], [end, to]] {
                    if rest[0] < rest[1] {
                        new[count] = rest;
                        count += 1;
                    }
                }
            }
        }
        if length - (behind - first) + count > MOST {
            if !self.is_full.swap(true, Ordering::Relaxed) {
                system::say(b"trend-prof: more than a million files are mapped; reads from the others do not count as input from the kernel\n");
            }
            return;
        }
        let version = self.version.load(Ordering::Relaxed);
        self.version.store(version + 1, Ordering::Relaxed);
        fence(Ordering::Release);
        self.replace(length, first..behind, &new[..count]);
        self.version.store(version + 2, Ordering::Release);
    }

    fn replace(&self, length: usize, old: core::ops::Range<usize>, new: &[[usize; 2]]) {
        let (from, to) = (old.end, old.start + new.len());
        if to > from {
            (from..length).rev().for_each(|index| self.set(index + to - from, self.get(index)));
        } else if to < from {
            (from..length).for_each(|index| self.set(index + to - from, self.get(index)));
        }
        new.iter().enumerate().for_each(|(index, range)| self.set(old.start + index, *range));
        self.length.store(length + to - from, Ordering::Relaxed);
    }
}

/// Returns true if an address is in a mapped file.
pub(crate) fn is_of_file(address: usize) -> bool {
    FILES.contains(address)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Divides a number of rounds where each takes long.
    const fn rounds(usual: usize) -> usize {
        if cfg!(miri) { usual / 100 } else { usual }
    }

    fn all(ranges: &Ranges) -> Vec<[usize; 2]> {
        (0..ranges.length.load(Ordering::Relaxed)).map(|index| ranges.get(index)).collect()
    }

    #[test]
    fn ranges_are_joined_and_cut() {
        let ranges = Ranges::new();
        ranges.change(10, 20, false);
        assert!(!ranges.contains(15));
        ranges.change(30, 40, true);
        ranges.change(10, 20, true);
        assert_eq!(all(&ranges), [[10, 20], [30, 40]]);
        // Ranges that touch are joined.
        ranges.change(20, 25, true);
        ranges.change(25, 30, true);
        assert_eq!(all(&ranges), [[10, 40]]);
        ranges.change(20, 22, false);
        assert_eq!(all(&ranges), [[10, 20], [22, 40]]);
        ranges.change(40, 50, false);
        ranges.change(0, 10, false);
        assert_eq!(all(&ranges), [[10, 20], [22, 40]]);
        ranges.change(15, 30, false);
        assert_eq!(all(&ranges), [[10, 15], [30, 40]]);
        ranges.change(0, 100, true);
        assert_eq!(all(&ranges), [[0, 100]]);
        ranges.change(0, 100, false);
        assert!(all(&ranges).is_empty());
    }

    #[test]
    fn ranges_are_those_of_a_plain_set() {
        // Compares with one bit for each address. The numbers come from a linear congruential generator.
        let (ranges, mut bits, mut seed) = (Ranges::new(), [false; 256], 1_u64);
        let mut next = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((seed >> 33) % below) as usize
        };
        for _ in 0..rounds(5000) {
            let (start, length, is_added) = (next(240), 1 + next(16), next(2) == 1);
            ranges.change(start, start + length, is_added);
            bits[start..start + length].fill(is_added);
            let contained: Vec<bool> = (0..256).map(|address| ranges.contains(address)).collect();
            assert_eq!(contained, bits);
        }
        let whole = all(&ranges);
        assert!(whole.is_sorted() && whole.windows(2).all(|two| two[0][1] < two[1][0]), "{whole:?}");
    }

    #[test]
    fn ranges_are_found_while_they_change() {
        let ranges = Ranges::new();
        ranges.change(1_000_000, 1_000_010, true);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for round in 0..rounds(20_000) {
                    ranges.change(round % 97 * 20, round % 97 * 20 + 10, round % 2 == 0);
                }
            });
            for _ in 0..rounds(20_000) {
                assert!(ranges.contains(1_000_005) && !ranges.contains(1_000_010));
            }
        });
    }
}
