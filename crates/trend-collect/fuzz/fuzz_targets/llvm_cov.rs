//! Fuzzes the output of `llvm-cov export`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trend_collect::import::{Root, llvm_cov};

fuzz_target!(|bytes: &[u8]| {
    trend_collect_fuzz::text(bytes, || {
        let _ = llvm_cov::read(bytes, &Root::new("/p"));
    });
});
