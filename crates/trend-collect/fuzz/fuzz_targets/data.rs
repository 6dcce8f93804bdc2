//! Fuzzes notes with their data. The first two bytes are the length of the notes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trend_collect::{Data, Notes, Program};

fuzz_target!(|bytes: &[u8]| {
    trend_collect_fuzz::text(bytes, || {
        let Some((length, bytes)) = bytes.split_first_chunk::<2>() else { return };
        let length = usize::from(u16::from_le_bytes(*length)).min(bytes.len());
        let (notes, data) = bytes.split_at(length);
        if let (Ok(notes), Ok(data)) = (Notes::parse(notes), Data::parse(data)) {
            let _ = notes.solve(&data);
        }
        let mut program = Program::new("/p");
        if let Ok(object) = program.add_notes("/p/a.gcno", notes) {
            let mut counts = vec![0; program.locations().len()];
            let _ = Data::parse(data).and_then(|data| program.add_data(object, &data, &mut counts));
        }
    });
});
