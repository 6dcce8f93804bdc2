//! Twenty functions with known growth, in two versions.
//!
//! The second version of the first ten grows faster than the limit in the table below. The second version of the last
//! ten is a rewrite with the same growth; half of them do slightly more work.

pub mod first;
pub mod input;
pub mod second;

/// The version that the benchmarks measure.
#[cfg(not(feature = "second"))]
pub use first as measured;
#[cfg(feature = "second")]
pub use second as measured;

/// Passes all functions to `$each!`, with the data that the tools need:
///
/// - the growth of the first version, in the notations of trend-prof, bigoish and big-o-test;
/// - the type of its argument;
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

/// Passes all functions to `$tests!` in a module for each version, where `version` is its code.
#[macro_export]
macro_rules! both_versions {
    ($tests:ident) => {
        mod before {
            use super::*;
            use growth_tests::first as version;
            growth_tests::functions!($tests);
        }
        mod after {
            use super::*;
            use growth_tests::second as version;
            growth_tests::functions!($tests);
        }
    };
}
