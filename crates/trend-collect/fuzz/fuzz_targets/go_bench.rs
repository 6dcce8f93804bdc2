//! Fuzzes the output of `go test -bench`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trend_collect::import::go_bench;

fuzz_target!(|bytes: &[u8]| {
    trend_collect_fuzz::text(bytes, || {
        let _ = go_bench::read(bytes, None);
    });
});
