//! Fuzzes memory records of processes. Good seeds are files that `run --memory-by-line` leaves while it runs
//! (`TREND_PROF_MEMORY=/path/of/folder`).
#![no_main]

use libfuzzer_sys::fuzz_target;
use trend_collect::MemoryRecord;

fuzz_target!(|bytes: &[u8]| {
    trend_collect_fuzz::text(bytes, || {
        let _ = MemoryRecord::read(bytes);
    });
});
