//! Fuzzes the output of `gcovr --json`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trend_collect::import::{Root, gcovr};

fuzz_target!(|bytes: &[u8]| {
    trend_collect_fuzz::text(bytes, || {
        let _ = gcovr::read(bytes, &Root::new("/p"));
    });
});
