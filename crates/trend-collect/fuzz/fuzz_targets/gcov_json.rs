//! What `gcov --json-format` writes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trend_collect::import::{Root, gcov_json};

fuzz_target!(|bytes: &[u8]| {
    trend_collect_fuzz::text(bytes, || {
        let _ = gcov_json::read(bytes, &Root::new("/p"));
    });
});
