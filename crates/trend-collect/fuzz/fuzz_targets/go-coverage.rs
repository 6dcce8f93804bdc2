//! Fuzzes Go's coverage data: the length of the counters in two bytes, the counters, and their description.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trend_collect::import::{Root, go_coverage};

fuzz_target!(|bytes: &[u8]| {
    let Some((length, rest)) = bytes.split_at_checked(2) else { return };
    let length = usize::from(u16::from_le_bytes([length[0], length[1]])).min(rest.len());
    let (counters, meta) = rest.split_at(length);
    trend_collect_fuzz::text(bytes, || {
        let _ = go_coverage::read(counters, meta, &Root::new("/p"), &[], &|_| None);
    });
});
