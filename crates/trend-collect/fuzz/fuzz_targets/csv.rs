//! Fuzzes tables with and without a feature.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trend_collect::csv;

fuzz_target!(|bytes: &[u8]| {
    trend_collect_fuzz::text(bytes, || {
        let _ = csv::read(bytes, &["n".to_owned()]);
        let _ = csv::read(bytes, &[]);
        let _ = csv::read_features(bytes);
    });
});
