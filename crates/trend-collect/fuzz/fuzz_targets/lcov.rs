//! Fuzzes tracefiles of lcov.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trend_collect::import::{Root, lcov};

fuzz_target!(|bytes: &[u8]| {
    trend_collect_fuzz::text(bytes, || {
        let _ = lcov::read(bytes, &Root::new("/p"));
    });
});
