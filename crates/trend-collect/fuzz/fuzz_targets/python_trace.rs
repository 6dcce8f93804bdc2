//! Fuzzes files of Python's `trace`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trend_collect::import::python_trace;

fuzz_target!(|bytes: &[u8]| {
    trend_collect_fuzz::text(bytes, || {
        let _ = python_trace::read(bytes, "pkg.mod");
    });
});
