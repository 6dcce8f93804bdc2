//! callgrind's output.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trend_collect::import::{Root, callgrind};

fuzz_target!(|bytes: &[u8]| {
    trend_collect_fuzz::text(bytes, || {
        let _ = callgrind::read(bytes, None, &Root::new("/p"));
        let _ = callgrind::read(bytes, Some("Dr"), &Root::new(""));
    });
});
