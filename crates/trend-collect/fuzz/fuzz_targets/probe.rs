//! Fuzzes records of the probe.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trend_collect::import::{Root, probe};

fuzz_target!(|bytes: &[u8]| {
    trend_collect_fuzz::packed(bytes, || {
        let _ = probe::read(bytes, &Root::new("/p"));
    });
});
