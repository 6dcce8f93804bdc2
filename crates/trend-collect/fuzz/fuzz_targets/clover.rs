//! Fuzzes reports of Clover.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trend_collect::import::{Root, clover};

fuzz_target!(|bytes: &[u8]| {
    trend_collect_fuzz::text(bytes, || {
        let _ = clover::read(bytes, &Root::new("/p"), &|_| None);
    });
});
