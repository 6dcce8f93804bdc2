//! Measures this machine's memory latency by the size of the working set, with a pointer chase.
//!
//! Each cache line of a working set holds the number of the next one, in an order that no hardware predicts. So every
//! access waits for the previous one. The cache sizes that a machine reports cannot be trusted if other programs share
//! the caches. For example, two cores reached 4 MB in 16 ns and 8 MB in 124 ns, although `lscpu` reported a cache of 32
//! MB.

use std::hint::black_box;
use std::time::Instant;

use trend_profile::MemoryLatency;

/// Size of a cache line in bytes. No supported machine has longer ones.
const LINE: usize = 64;

/// Sizes of the smallest working set, which fits into every cache, and of the largest, which fits into none.
const SMALLEST: usize = 16 << 10;
const LARGEST: usize = 256 << 20;

/// Number of accesses per measurement. They take some milliseconds, which other processes seldom interrupt.
const ACCESSES: usize = 50_000;

/// Number of measurements. The fastest counts, because disturbances only make memory slower.
const REPETITIONS: usize = 5;

/// Returns the nanoseconds per access for working sets of 16 kB, 32 kB, … up to an eighth of the free memory.
///
/// - Time: about a second.
pub(crate) fn latencies(free_bytes: u64) -> Vec<MemoryLatency> {
    let most = usize::try_from(free_bytes / 8).unwrap_or(usize::MAX).min(LARGEST);
    let sets = std::iter::successors(Some(SMALLEST), |bytes| bytes.checked_mul(2));
    sets.take_while(|bytes| *bytes <= most).map(latency).collect()
}

fn latency(bytes: usize) -> MemoryLatency {
    let lines = chain(bytes / LINE);
    let mut at = walk(&lines, 0, lines.len().min(4 * ACCESSES));
    let mut fastest = f64::INFINITY;
    for _ in 0..REPETITIONS {
        let begin = Instant::now();
        at = walk(&lines, at, ACCESSES);
        fastest = fastest.min(begin.elapsed().as_secs_f64());
    }
    let nanoseconds = fastest / ACCESSES as f64 * 1e9;
    MemoryLatency { working_set_bytes: bytes as u64, nanoseconds }
}

/// A cache line. Its first number is the index of the next line.
type Line = [u32; LINE / 4];

/// Creates a cycle through a power of two of lines. x → a·x + c has the full period if a − 1 is a multiple of 4 and c
/// is odd.
fn chain(lines: usize) -> Vec<Line> {
    let mask = lines as u32 - 1;
    let next = |line: u32| line.wrapping_mul(0x915f_77f5).wrapping_add(0x3c6e_f35f) & mask;
    (0..lines as u32).map(|line| [next(line); LINE / 4]).collect()
}

fn walk(lines: &[Line], from: u32, steps: usize) -> u32 {
    let mut at = from;
    for _ in 0..steps {
        at = lines[at as usize][0];
    }
    black_box(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_visits_every_line_once() {
        let lines = chain(1 << 12);
        let mut seen = vec![false; lines.len()];
        let mut at = 0;
        for _ in 0..lines.len() {
            assert!(!std::mem::replace(&mut seen[at as usize], true));
            at = walk(&lines, at, 1);
        }
        assert_eq!(at, 0);
    }

    #[test]
    fn memory_that_no_cache_holds_is_slower_than_the_smallest_cache() {
        let levels = latencies(1 << 30);
        let sizes: Vec<u64> = levels.iter().map(|l| l.working_set_bytes).collect();
        assert_eq!((sizes[0], sizes[1], sizes.last()), (16 << 10, 32 << 10, Some(&(128 << 20))));
        let (first, last) = (levels[0].nanoseconds, levels[levels.len() - 1].nanoseconds);
        assert!(first > 0.0 && last > 4.0 * first, "{levels:?}");
    }
}
