//! Fuzzes programs with debug information. Good seeds are small programs that gcc, clang and rustc compiled with `-g`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trend_collect::AskingCode;

fuzz_target!(|bytes: &[u8]| {
    trend_collect_fuzz::text(bytes, || {
        let Ok(mut code) = AskingCode::parse(bytes) else { return };
        for address in [0, 0x1000, 0x1100, u64::MAX] {
            code.asker(address);
        }
    });
});
