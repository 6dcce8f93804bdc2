//! Fuzzes programs with a coverage mapping and a profile. The first three bytes are the length of the program. Good
//! seeds are small programs of `clang -fprofile-instr-generate -fcoverage-mapping`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trend_collect::{SummedProfile, CoverageMap, Program, RawProfile};

fuzz_target!(|bytes: &[u8]| {
    trend_collect_fuzz::packed(bytes, || {
        let Some((length, bytes)) = bytes.split_first_chunk::<3>() else { return };
        let length = length.iter().rev().fold(0, |length, byte| length << 8 | usize::from(*byte));
        let (binary, profile) = bytes.split_at(length.min(bytes.len()));
        if let Ok(map) = CoverageMap::parse(binary) {
            for function in map.functions() {
                let _ = function.counts(&[u64::MAX, 1, 2, 3]);
            }
        }
        let mut program = Program::new("/p");
        if let Ok(object) = program.add_binary("/p/a", binary) {
            let mut counters = SummedProfile::default();
            if RawProfile::parse(profile).and_then(|p| counters.add(&p)).is_ok() {
                let mut counts = vec![0; program.locations().len()];
                let _ = program.add_profiles(object, &counters, &mut counts);
            }
        }
    });
});
