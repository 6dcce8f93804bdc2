//! Fuzzes Parquet files and their claims.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trend_collect::import::parquet;

fuzz_target!(|bytes: &[u8]| {
    trend_collect_fuzz::packed(bytes, || {
        let _ = parquet::read(bytes, &["n".to_owned()]);
    });
});
