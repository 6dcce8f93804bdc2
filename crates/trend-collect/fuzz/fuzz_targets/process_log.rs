//! Fuzzes process logs. Good seeds are logs that instrumented programs write (`TREND_PROF_COUNTS=/path/of/log`).
#![no_main]

use std::io::Cursor;

use libfuzzer_sys::fuzz_target;
use trend_collect::ProcessLog;

fuzz_target!(|bytes: &[u8]| {
    trend_collect_fuzz::text(bytes, || {
        let Ok(mut log) = ProcessLog::read(Cursor::new(bytes)) else { return };
        let _ = log.for_each(|_| Ok::<(), std::io::Error>(()));
    });
});
