//! Whether what a program works on leaves a cache on the way from one size to another.

use trend_profile::MemoryLatency;

/// It does where memory takes so many times as long to answer. Between two caches, or a cache and memory, it is 3 and more; from
/// megabytes to gigabytes in memory 1.6.
const STEP: f64 = 2.0;

/// A cache that others share holds more at one time and less at another: 8 MB were reached in 24, 65 and 124 ns within an hour. What is
/// less than twice as large as a step may have been before it.
const CLEAR: f64 = 2.0;

/// By what the machine takes to reach working sets of so many bytes, ascending; what is beyond them is as the last one.
pub(crate) fn leaves_a_cache(latencies: &[MemoryLatency], from: f64, to: f64) -> bool {
    let at = |bytes: f64| nanoseconds(latencies, bytes).filter(|_| bytes > 0.0);
    at(from / CLEAR).zip(at(to)).is_some_and(|(now, then)| then > STEP * now)
}

/// A straight line from each working set to the next, in the logarithms of both.
fn nanoseconds(latencies: &[MemoryLatency], bytes: f64) -> Option<f64> {
    let next = latencies.iter().position(|l| l.working_set_bytes as f64 >= bytes);
    let (below, above) = match next {
        None => return latencies.last().map(|l| l.nanoseconds),
        Some(0) => return latencies.first().map(|l| l.nanoseconds),
        Some(next) => (&latencies[next - 1], &latencies[next]),
    };
    let log = |l: &MemoryLatency| ((l.working_set_bytes as f64).ln(), l.nanoseconds.ln());
    let ((x0, y0), (x1, y1)) = (log(below), log(above));
    Some((y0 + (y1 - y0) * (bytes.ln() - x0) / (x1 - x0)).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_between_sizes_on_both_sides_of_it() {
        // Two caches, of 32 kB and 4 MB, and memory.
        let measured = [(16, 1.0), (32, 1.0), (64, 4.0), (4096, 4.0), (8192, 100.0), (65536, 150.0)];
        let latencies = measured.map(|(kilobytes, nanoseconds)| MemoryLatency {
            working_set_bytes: kilobytes * 1024,
            nanoseconds,
        });
        let leaves = |from: f64, to: f64| leaves_a_cache(&latencies, from * 1024.0, to * 1024.0);
        assert!(leaves(1.0, 64.0) && leaves(20.0, 48.0) && leaves(100.0, 8000.0) && leaves(8192.0, 1e9));
        assert!(
            !leaves(1.0, 20.0) && !leaves(128.0, 4096.0) && !leaves(16384.0, 1e9) && !leaves(8192.0, 20.0)
        );
        assert!(!leaves_a_cache(&[], 1.0, 1e12));
    }
}
