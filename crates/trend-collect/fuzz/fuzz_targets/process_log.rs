//! Logs of processes. Good seeds are those that instrumented programs write (`TREND_PROF_COUNTS=/path/of/log`).
#![no_main]

use libfuzzer_sys::fuzz_target;
use trend_collect::ProcessLog;

fuzz_target!(|bytes: &[u8]| {
    trend_collect_fuzz::text(bytes, || {
        ProcessLog::parse(bytes);
    });
});
