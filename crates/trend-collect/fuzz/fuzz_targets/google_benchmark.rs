//! Fuzzes reports of Google Benchmark.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trend_collect::import::google_benchmark;

fuzz_target!(|bytes: &[u8]| {
    trend_collect_fuzz::text(bytes, || {
        let _ = google_benchmark::read(bytes, None);
    });
});
