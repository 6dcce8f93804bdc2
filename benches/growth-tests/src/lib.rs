//! Twenty functions in two versions, whose growth is known.
//!
//! The second version of the first ten grows faster than the limit that stands in the table below; that of the last ten is
//! a rewrite which grows as before, and in half of them does a little more work.

pub mod first;
pub mod input;
pub mod second;

/// The version that the benchmarks measure.
#[cfg(not(feature = "second"))]
pub use first as measured;
#[cfg(feature = "second")]
pub use second as measured;

/// Gives `$each!` all functions, with what every tool wants to know of them:
///
/// - the growth of the first version, as trend-prof, bigoish and big-o-test write it;
/// - the type of what it takes;
/// - two sizes for benchmarks.
#[macro_export]
macro_rules! functions {
    ($each:ident) => {
        $each! {
            dedup "<= n" (N) ON Numbers 1000 5000;
            join_lines "<= n" (N) ON Text 1000 5000;
            merge_sort "<= n log n" (N * Log(N)) ONLogN Numbers 1000 5000;
            tokenize "<= n" (N) ON Text 1000 5000;
            two_sum "<= n" (N) ON Numbers 1000 5000;
            reachable "<= n" (N) ON Graph 1000 5000;
            schedule "<= n" (N) ON Numbers 1000 5000;
            range_sums "<= n" (N) ON Ranges 1000 5000;
            parse_records "<= n" (N) ON Text 1000 5000;
            merge_lists "<= n" (N) ON Lists 1000 5000;
            lookups "<= log n" (Log(N)) OLogN Lists 1000 5000;
            matrix_sum "<= n^2" (N2) ON2 Matrix 100 500;
            heap_sort "<= n log n" (N * Log(N)) ONLogN Numbers 1000 5000;
            lru_cache "<= n" (N) ON Numbers 1000 5000;
            edit_distance "<= n^2" (N2) ON2 Texts 100 500;
            merge_intervals "<= n log n" (N * Log(N)) ONLogN Pairs 1000 5000;
            word_count "<= n" (N) ON Text 1000 5000;
            checksum "<= n" (N) ON Text 1000 5000;
            powers "<= log n" (Log(N)) OLogN Powers 1000 5000;
            brackets "<= n" (N) ON Text 1000 5000;
        }
    };
}
