//! Fuzzes summaries of Gungraun.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trend_collect::import::gungraun;

fuzz_target!(|bytes: &[u8]| {
    trend_collect_fuzz::text(bytes, || {
        let _ = gungraun::read(bytes, None);
    });
});
