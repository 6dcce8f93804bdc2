//! Fuzzes reports of Cobertura.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trend_collect::import::{Root, cobertura};

fuzz_target!(|bytes: &[u8]| {
    trend_collect_fuzz::text(bytes, || {
        let _ = cobertura::read(bytes, &Root::new("/p"), &|_| None);
    });
});
