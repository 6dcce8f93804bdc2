//! Fuzzes the output of `gcov --json-format`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trend_collect::import::{Root, gcov_json};

fuzz_target!(|bytes: &[u8]| {
    trend_collect_fuzz::text(bytes, || {
        let _ = gcov_json::read(bytes, &Root::new("/p"));
    });
});
