//! Tests damaged files: they give an error or a result, never a panic, and a part never passes for the whole.

use std::process::Command;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use trend_collect::{Data, Doubt, GcovError, Notes, Program, csv};

use crate::compilers::workshop;
use crate::oracle::{Compiler, GCC, run};

/// Returns notes and data of a small program.
fn small(compiler: &Compiler) -> Option<(Vec<u8>, Vec<u8>)> {
    if !compiler.is_there() {
        return None;
    }
    let folder = workshop();
    compiler.build(folder.path(), &["bubble_sort.c"], &[]);
    run(Command::new("./program").current_dir(folder.path()));
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    Some((read("bubble_sort.gcno"), read("bubble_sort.gcda")))
}

fn every_format() -> Vec<(Vec<u8>, Vec<u8>)> {
    let clang = |c, cpp| Compiler { c, cpp, gcov: &["true"] };
    let gcc_11 = Compiler { c: "gcc-11", cpp: "g++-11", gcov: &["gcov-11"] };
    let compilers = [GCC, gcc_11, clang("clang-14", "clang++-14"), clang("clang-22", "clang++-22")];
    compilers.iter().filter_map(small).collect()
}

/// Runs all readers on notes and data.
fn use_all(notes: &[u8], data: &[u8]) -> Result<Vec<u64>, GcovError> {
    let parsed = Notes::parse(notes)?;
    parsed.solve(&Data::parse(data)?)?;
    let mut program = Program::new("/p");
    let object = program.add_notes("/p/a.gcno", notes)?;
    let mut counts = vec![0; program.locations().len()];
    program.add_data(object, &Data::parse(data)?, &mut counts)?;
    Ok(counts)
}

#[test]
fn data_that_is_cut_anywhere_is_refused() {
    for (notes, data) in every_format() {
        assert!(use_all(&notes, &data).is_ok());
        let padding = data.iter().rev().take_while(|&&b| b == 0).count();
        for length in 0..data.len() {
            // clang ends the file with two zero words, one of which is enough.
            let is_whole =
                data.len() - length <= 4 && padding >= 8 && use_all(&notes, &data[..length]).is_ok();
            assert!(is_whole || Data::parse(&data[..length]).is_err(), "{length} of {}", data.len());
        }
    }
}

#[test]
fn notes_that_are_cut_within_a_record_are_refused() {
    for (notes, data) in every_format() {
        let whole = Notes::parse(&notes).unwrap();
        let mut boundaries = 0;
        for length in 0..notes.len() {
            let Ok(part) = Notes::parse(&notes[..length]) else { continue };
            boundaries += 1;
            let is_whole = part.functions().len() == whole.functions().len()
                && part.functions().iter().zip(whole.functions()).all(|(a, b)| a.arcs() == b.arcs());
            let is_noticed = use_all(&notes[..length], &data).is_err();
            assert!(is_whole || is_noticed, "{length} of {}", notes.len());
        }
        assert!(boundaries < notes.len() / 16, "{boundaries} cuts look whole");
    }
}

#[test]
fn a_flipped_byte_is_an_error_or_changes_a_number() {
    for (notes, data) in every_format() {
        for at in 0..notes.len() {
            for flip in [0x01, 0x80, 0xff] {
                let mut damaged = notes.clone();
                damaged[at] ^= flip;
                let _ = use_all(&damaged, &data);
            }
        }
        for at in 0..data.len() {
            for flip in [0x01, 0x80, 0xff] {
                let mut damaged = data.clone();
                damaged[at] ^= flip;
                let _ = use_all(&notes, &damaged);
            }
        }
    }
}

#[test]
fn random_changes_never_panic() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let formats = every_format();
    let values =
        [0, 1, 2, 4, 8, 0x7fff_ffff, 0x8000_0000, 0xffff_fff8, 0xffff_ffff, 0x0100_0000, 0x0141_0000];
    for round in 0..40_000 {
        let (mut notes, mut data) = formats[round % formats.len()].clone();
        for _ in 0..=random.next_u32() % 4 {
            let bytes = if random.next_u32() % 2 == 0 { &mut notes } else { &mut data };
            let at = random.next_u32() as usize % (bytes.len() - 4);
            let aligned = at & !3;
            match random.next_u32() % 5 {
                0 => bytes[at] = random.next_u32() as u8,
                1 => {
                    let value: u32 = values[random.next_u32() as usize % values.len()];
                    bytes[aligned..aligned + 4].copy_from_slice(&value.to_le_bytes());
                }
                2 => bytes.truncate(at.max(8)),
                3 => drop(bytes.drain(aligned..aligned + 4)),
                _ => {
                    let to = random.next_u32() as usize % (bytes.len() - 4);
                    bytes.copy_within(aligned..aligned + 4, to);
                }
            }
            if bytes.len() < 12 {
                break;
            }
        }
        let _ = use_all(&notes, &data);
    }
}

#[test]
fn random_bytes_are_no_gcov_files() {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    for length in 0..2000 {
        let mut bytes = vec![0; length];
        random.fill_bytes(&mut bytes);
        assert!(matches!(Notes::parse(&bytes), Err(GcovError::NotGcov { .. })));
        if length >= 12 {
            bytes[..12].copy_from_slice(b"oncg*22Babcd");
            assert!(Notes::parse(&bytes).is_err() || length < 30);
        }
    }
}

#[test]
fn huge_lengths_cost_no_memory() {
    let word = |words: &[u32]| words.iter().flat_map(|w| w.to_le_bytes()).collect::<Vec<u8>>();
    let header = [0x6763_6e6f, u32::from_be_bytes(*b"B11*"), 1, 0, 0];
    let function = [0x0100_0000, 9, 1, 2, 3, 0, 0, 0, 1, 1, 1, 0x0141_0000, 1, u32::MAX];
    let mut notes = word(&header);
    for _ in 0..1000 {
        notes.extend(word(&function));
    }
    let error = Notes::parse(&notes).unwrap_err().to_string();
    assert!(error.contains("blocks of function `` lack their arcs"), "{error}");
    let data = word(&[0x6763_6461, header[1], 1, 0x0100_0000, 3, 1, 2, 3, 0x01a1_0000, 0x8000_0000, 0]);
    assert!(Data::parse(&data).is_ok(), "2^30 zeros are a number only");
    let data = word(&[0x6763_6461, header[1], 1, 0x0100_0000, 3, 1, 2, 3, 0x01a1_0000, 0x7fff_fffe, 0]);
    assert!(matches!(Data::parse(&data), Err(GcovError::Truncated { offset: 40, .. })));
}

#[test]
fn versions_that_are_not_known_are_named() {
    let bytes = |version: &[u8; 4]| [&b"oncg"[..], version, &[0; 16]].concat();
    let error = |version| Notes::parse(&bytes(version)).unwrap_err().to_string();
    assert!(error(b"*17B").contains("`B71*` (gcc 17.1)"), "{}", error(b"*17B"));
    assert!(error(b"*204").contains("`402*` (gcc 4.2)"), "{}", error(b"*204"));
    assert!(error(b"\x00\x01\xff!").contains("version `!\\xff\\x01\\x00`"), "{}", error(b"\x00\x01\xff!"));
    assert!(Notes::parse(&bytes(b"*25B")).is_ok(), "gcc 15.2");
}

#[test]
fn either_byte_order_is_read() {
    let words = |big: bool, words: &[u32]| -> Vec<u8> {
        words.iter().flat_map(|w| if big { w.to_be_bytes() } else { w.to_le_bytes() }).collect()
    };
    // Control flow: entry → 2 → exit, with a counter on the first arc.
    let notes = [
        &[0x6763_6e6f, u32::from_be_bytes(*b"A94*"), 5, 0, 0][..],
        &[0x0100_0000, 9, 1, 2, 3, 0, 0, 0, 7, 1, 9, 0x0141_0000, 1, 3],
        &[0x0143_0000, 3, 0, 2, 0, 0x0143_0000, 3, 2, 1, 1],
    ]
    .concat();
    let data = [0x6763_6461, notes[1], 5, 0x0100_0000, 3, 1, 2, 3, 0x01a1_0000, 2, 9, 1, 0];
    for big in [false, true] {
        let notes = Notes::parse(&words(big, &notes)).unwrap();
        let solved = notes.solve(&Data::parse(&words(big, &data)).unwrap()).unwrap();
        assert_eq!(solved[0].blocks(), [(1 << 32) + 9; 3]);
        assert_eq!(solved[0].doubt(), None);
    }
}

#[test]
fn counters_that_contradict_each_other_are_doubtful_and_not_negative() {
    let words = |words: &[u32]| words.iter().flat_map(|w| w.to_le_bytes()).collect::<Vec<u8>>();
    // Control flow: entry → 2 → {3 →, } 4 → exit. 2 ran 5 times, so it cannot have gone to 3 eight times.
    let notes = [
        &[0x6763_6e6f, u32::from_be_bytes(*b"A94*"), 5, 0, 0][..],
        &[0x0100_0000, 9, 1, 2, 3, 0, 0, 0, 7, 1, 9, 0x0141_0000, 1, 5],
        &[0x0143_0000, 3, 0, 2, 0, 0x0143_0000, 5, 2, 3, 0, 4, 1],
        &[0x0143_0000, 3, 3, 4, 1, 0x0143_0000, 3, 4, 1, 1],
    ]
    .concat();
    let data = [0x6763_6461, notes[1], 5, 0x0100_0000, 3, 1, 2, 3, 0x01a1_0000, 4, 5, 0, 8, 0, 0];
    let notes = Notes::parse(&words(&notes)).unwrap();
    let solved = notes.solve(&Data::parse(&words(&data)).unwrap()).unwrap();
    assert_eq!(solved[0].doubt(), Some(Doubt::Contradictory));
    assert_eq!(solved[0].blocks(), [5, 5, 5, 8, 5]);
}

#[test]
fn damaged_tables_never_panic() {
    let table = b"workload,n,a.c:3:main,\"x \"\"y\"\"\"\nsmall,10,1e2,12.0\n\nlarge,,3,4\r\n".to_vec();
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let bytes = b",\"\n\r:e.-0919 \xff\xef";
    for _ in 0..40_000 {
        let mut damaged = table.clone();
        for _ in 0..=random.next_u32() % 5 {
            let at = random.next_u32() as usize % damaged.len();
            damaged[at] = bytes[random.next_u32() as usize % bytes.len()];
        }
        damaged.truncate(1 + random.next_u32() as usize % damaged.len());
        if let Ok(read) = csv::read(&damaged, &["n".to_owned()]) {
            assert!(read.counts.iter().all(|row| row.len() == read.workloads.len()));
            assert_eq!(read.counts.len(), read.locations.len());
        }
        let _ = csv::read_features(&damaged);
    }
}
