//! Fuzzes Istanbul's `coverage-final.json`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trend_collect::import::{Root, istanbul};

fuzz_target!(|bytes: &[u8]| {
    trend_collect_fuzz::text(bytes, || {
        let _ = istanbul::read(bytes, &Root::new("/p"));
    });
});
