//! Fuzzes programs and libraries, and addresses in them. Good seeds are small ELF files with debug information.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trend_collect::CodeObject;

fuzz_target!(|bytes: &[u8]| {
    trend_collect_fuzz::text(bytes, || {
        let Ok(mut object) = CodeObject::parse(bytes) else { return };
        (0..bytes.len() as u64).step_by(64).for_each(|offset| drop(object.frames(offset)));
    });
});
