//! Samples as the kernel writes them. Good seeds are the files `samples` in the folders of a `run` that is timed.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trend_collect::Samples;

fuzz_target!(|bytes: &[u8]| {
    trend_collect_fuzz::text(bytes, || {
        Samples::parse(bytes);
    });
});
