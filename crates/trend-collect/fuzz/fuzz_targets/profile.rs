//! Fuzzes raw profiles. Good seeds are the `.profraw` files of small programs.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trend_collect::{SummedProfile, RawProfile};

fuzz_target!(|bytes: &[u8]| {
    trend_collect_fuzz::text(bytes, || {
        if let Ok(profile) = RawProfile::parse(bytes) {
            let mut counters = SummedProfile::default();
            let _ = counters.add(&profile);
        }
    });
});
