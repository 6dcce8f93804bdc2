//! Fuzzes counts of Python processes. Good seeds are the files that such processes leave in a run's folder.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trend_collect::PythonCounts;
use trend_collect::import::Root;

fuzz_target!(|bytes: &[u8]| {
    trend_collect_fuzz::text(bytes, || {
        let mut counts = PythonCounts::default();
        if counts.add(bytes).is_ok() {
            let _ = counts.add(bytes);
            counts.into_imported(&Root::new("/p"));
        }
    });
});
