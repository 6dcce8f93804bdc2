//! Fuzzes Go's cover profiles.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trend_collect::import::{Root, go_cover};

fuzz_target!(|bytes: &[u8]| {
    trend_collect_fuzz::text(bytes, || {
        let _ = go_cover::read(bytes, &Root::new("/p"));
    });
});
