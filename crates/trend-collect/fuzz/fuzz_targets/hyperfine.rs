//! Fuzzes reports of hyperfine.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trend_collect::import::hyperfine;

fuzz_target!(|bytes: &[u8]| {
    trend_collect_fuzz::text(bytes, || {
        let _ = hyperfine::read(bytes);
    });
});
