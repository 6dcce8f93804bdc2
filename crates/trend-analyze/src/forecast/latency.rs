//! Finds the working set at which a program leaves a cache on the way from one size to another.

use trend_profile::MemoryLatency;

/// Minimum ratio of memory latencies that counts as leaving a cache. Between two caches, or a cache and memory, it is 3
/// or more; from megabytes to gigabytes in memory it is 1.6.
const STEP: f64 = 2.0;

/// Uncertainty of a step's position, as a factor. A shared cache has more room at one time than at another: 8 MB took
/// 24, 65 and 124 ns within an hour. A working set less than twice as large as a step may have been before it.
const CLEAR: f64 = 2.0;

/// Returns the bytes from which a program leaves a cache if its working set is `from` now. `latencies` are sorted by
/// working set. `None` if it leaves no cache; beyond the last measurement, latencies are assumed constant.
pub(crate) fn leaves_a_cache(latencies: &[MemoryLatency], from: f64) -> Option<f64> {
    let before = from / CLEAR;
    let too_slow = STEP * nanoseconds(latencies, before).filter(|_| from > 0.0)?;
    let is_slow = |l: &MemoryLatency| l.working_set_bytes as f64 > before && l.nanoseconds > too_slow;
    let slow = latencies.iter().position(is_slow)?;
    let (x0, y0) = logs(&latencies[slow.checked_sub(1)?]);
    let (x1, y1) = logs(&latencies[slow]);
    Some((x0 + (x1 - x0) * (too_slow.ln() - y0) / (y1 - y0)).exp().max(before))
}

/// Interpolates the latency of a working set linearly in the logarithms of both.
fn nanoseconds(latencies: &[MemoryLatency], bytes: f64) -> Option<f64> {
    let next = latencies.iter().position(|l| l.working_set_bytes as f64 >= bytes);
    let (below, above) = match next {
        None => return latencies.last().map(|l| l.nanoseconds),
        Some(0) => return latencies.first().map(|l| l.nanoseconds),
        Some(next) => (&latencies[next - 1], &latencies[next]),
    };
    let ((x0, y0), (x1, y1)) = (logs(below), logs(above));
    Some((y0 + (y1 - y0) * (bytes.ln() - x0) / (x1 - x0)).exp())
}

fn logs(latency: &MemoryLatency) -> (f64, f64) {
    ((latency.working_set_bytes as f64).ln(), latency.nanoseconds.ln())
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
        let leaves = |from: f64, to: f64| {
            leaves_a_cache(&latencies, from * 1024.0).is_some_and(|bytes| to * 1024.0 > bytes)
        };
        assert!(leaves(1.0, 64.0) && leaves(20.0, 48.0) && leaves(100.0, 8000.0) && leaves(8192.0, 1e9));
        assert!(
            !leaves(1.0, 20.0) && !leaves(128.0, 4096.0) && !leaves(16384.0, 1e9) && !leaves(8192.0, 20.0)
        );
        assert_eq!(leaves_a_cache(&[], 1.0), None);
        // The latency is twice the first cache's, half way from 1 to 4 ns in logarithms: between 32 and 64 kB.
        let cache_size = leaves_a_cache(&latencies, 20.0 * 1024.0).unwrap() / 1024.0;
        assert!((cache_size - 32.0 * 2f64.sqrt()).abs() < 1e-9, "{cache_size}");
    }
}
