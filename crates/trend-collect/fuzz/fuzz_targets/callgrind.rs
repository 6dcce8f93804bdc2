//! Fuzzes callgrind's output.
#![no_main]

use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use trend_collect::import::callgrind::{Frame, Inlining};
use trend_collect::import::{Root, callgrind};

/// Inlining derived from the bits of the address, so that anything can be inlined anywhere.
struct ByAddress;

impl Inlining for ByAddress {
    fn frames(&mut self, object: &str, address: u64) -> Arc<[Frame]> {
        let frame = |depth: u64| {
            let bits = address >> (4 * depth);
            let file = ["/p/main.rs", "/rustc/1/library/alloc/src/vec/mod.rs", "/usr/include/string.h", object];
            let function = ["main", "_ZN5alloc3vec6removeE", object];
            Frame {
                function: function.get((bits >> 2 & 3) as usize).map(|&name| name.into()),
                file: file[(bits & 3) as usize].into(),
                line: (bits & 0xf) as u32,
            }
        };
        (0..address % 4).map(frame).collect()
    }
}

fuzz_target!(|bytes: &[u8]| {
    trend_collect_fuzz::text(bytes, || {
        let _ = callgrind::read(bytes, None, &Root::new("/p"));
        let _ = callgrind::read_inlined(bytes, Some("Dr"), &Root::new(""), &mut ByAddress);
        let _ = callgrind::read_inlined(bytes, None, &Root::new("/p"), &mut ByAddress);
    });
});
