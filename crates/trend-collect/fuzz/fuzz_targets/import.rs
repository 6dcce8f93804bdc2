//! Fuzzes the reader of the format that the environment variable `FORMAT` names, such as `lcov`.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    trend_collect_fuzz::import(bytes);
});
