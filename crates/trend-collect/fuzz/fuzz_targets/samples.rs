//! Fuzzes the kernel's samples. Good seeds are the files `samples` in the folders of a timed `run`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trend_collect::Samples;

fuzz_target!(|bytes: &[u8]| {
    trend_collect_fuzz::text(bytes, || {
        Samples::parse(bytes);
    });
});
