//! Fuzzes criterion's three files, separated by line ends.
#![no_main]

use std::rc::Rc;

use libfuzzer_sys::fuzz_target;
use trend_collect::import::{Budget, Limits};
use trend_collect::import::criterion::{self, Files};

fuzz_target!(|bytes: &[u8]| {
    trend_collect_fuzz::text(bytes, || {
        let mut parts = bytes.split(|&b| b == b'\n');
        let benchmark = parts.next().unwrap_or_default();
        let files = Files { benchmark, sample: parts.next(), estimates: parts.next() };
        let _ = criterion::read(&files, &Rc::new(Budget::new(Limits::for_files(bytes.len() as u64))));
    });
});
