//! Fuzzes V8's coverage, with the same bytes as the script that ran.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trend_collect::import::{Root, v8_coverage};

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes).into_owned();
    trend_collect_fuzz::text(bytes, || {
        let scripts = v8_coverage::Scripts::All;
        let _ = v8_coverage::read(bytes, &Root::new("/p"), scripts, &|_| Some(text.clone()));
    });
});
