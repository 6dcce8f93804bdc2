//! Fuzzes reports of aprof.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trend_collect::import::aprof;

fuzz_target!(|bytes: &[u8]| {
    trend_collect_fuzz::text(bytes, || {
        let _ = aprof::read(bytes);
    });
});
