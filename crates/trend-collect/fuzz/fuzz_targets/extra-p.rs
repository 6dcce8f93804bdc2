//! Fuzzes Extra-P's text, JSON and JSON Lines.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trend_collect::import::extra_p;

fuzz_target!(|bytes: &[u8]| {
    trend_collect_fuzz::text(bytes, || {
        let _ = extra_p::read(bytes, None);
        let _ = extra_p::read(bytes, Some("time"));
    });
});
