//! Measures decoding notes of some 30,000 blocks, and adding up data.
//!
//! Besides a synthetic program it reads SQLite, if the integration test has left it in `target/tmp`.

use std::hint::black_box;
use std::path::Path;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use trend_collect::{Data, Program};

const FUNCTIONS: u32 = 600;
/// Number of `if`s without `else` in a function; each adds two blocks.
const IFS: u32 = 25;

fn words(out: &mut Vec<u8>, words: &[u32]) {
    out.extend(words.iter().flat_map(|w| w.to_le_bytes()));
}

/// Returns notes and data in the format of gcc 11.
fn synthetic() -> (Vec<u8>, Vec<u8>) {
    let version = u32::from_be_bytes(*b"B13*");
    let (mut notes, mut data) = (Vec::new(), Vec::new());
    words(&mut notes, &[0x6763_6e6f, version, 1, 0, 0]);
    words(&mut data, &[0x6763_6461, version, 1]);
    for function in 0..FUNCTIONS {
        let name = u32::from_le_bytes(*b"f\0\0\0") + (function << 8) % 0x0100_0000;
        words(&mut notes, &[0x0100_0000, 12, function, 2, 3, 1, name | 0x40_4000, 0, 1, 0x0063_2e61]);
        words(&mut notes, &[function * 100 + 1, 1, 1, 1, 0x0141_0000, 1, 2 * IFS + 3]);
        words(&mut notes, &[0x0143_0000, 3, 0, 2, 0]);
        for i in 0..IFS {
            let (test, then, next) = (2 + 2 * i, 3 + 2 * i, 4 + 2 * i);
            words(&mut notes, &[0x0143_0000, 5, test, then, 0, next, 1, 0x0143_0000, 3, then, next, 1]);
        }
        words(&mut notes, &[0x0143_0000, 3, 2 * IFS + 2, 1, 1]);
        for block in 2..2 * IFS + 3 {
            words(&mut notes, &[0x0145_0000, 7, block, 0, 1, 0x0063_2e61, function * 100 + block, 0, 0]);
        }
        words(&mut data, &[0x0100_0000, 3, function, 2, 3, 0x01a1_0000, 2 * (IFS + 1)]);
        words(&mut data, &[100, 0]);
        (0..IFS).for_each(|i| words(&mut data, &[i, 0]));
    }
    words(&mut data, &[0]);
    (notes, data)
}

fn read_all(c: &mut Criterion, name: &str, notes: &[u8], data: &[u8]) {
    let decoded = || {
        let mut program = Program::new("/p");
        let object = program.add_notes("/p/a.gcno", notes).expect("notes are good");
        (program, object)
    };
    let (program, object) = decoded();
    let blocks = program.locations().len();
    let mut counts = vec![0; blocks];
    let mut group = c.benchmark_group(format!("{name}, {blocks} locations"));
    group.bench_function("add_notes", |b| b.iter_batched(|| (), |()| decoded(), BatchSize::LargeInput));
    group.bench_function("add_counts", |b| {
        b.iter(|| {
            let data = Data::parse(black_box(data)).expect("data is good");
            program.add_data(object, &data, &mut counts).expect("data fits")
        });
    });
    group.finish();
}

fn gcov(c: &mut Criterion) {
    let (notes, data) = synthetic();
    read_all(c, "synthetic", &notes, &data);
    let sqlite = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/tmp/sqlite");
    let read = |name: &str| std::fs::read(sqlite.join(name));
    if let (Ok(notes), Ok(data)) = (read("sqlite3.gcno"), read("sqlite3.gcda")) {
        read_all(c, "SQLite", &notes, &data);
    }
}

criterion_group!(benches, gcov);
criterion_main!(benches);
