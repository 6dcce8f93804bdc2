//! Fuzzes notes alone. Good seeds are the `.gcno` files of small programs.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trend_collect::Program;

fuzz_target!(|bytes: &[u8]| {
    trend_collect_fuzz::text(bytes, || {
        let mut program = Program::new("/p");
        let _ = program.add_notes("src/a.gcno", bytes);
    });
});
