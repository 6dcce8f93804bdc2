//! Tests damaged files of every imported format: they give an error or a result, never a panic, and never a result much
//! larger than the file.

use std::rc::Rc;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use trend_collect::import::{Budget, ImportError, Imported, Input, Limits, Root, callgrind, hyperfine};

use crate::import_formats::{PARQUET, drawn, read_parquet, real};
use crate::memory::{PER_BYTE_OF_TEXT, PER_PACKED_BYTE, within};

/// Checks that all references are valid.
fn check(imported: &Imported) {
    for location in &imported.locations {
        assert!(location.function.index() < imported.functions.len());
    }
    for run in &imported.runs {
        let mut seen = std::collections::HashSet::new();
        for &(location, _) in &run.counts {
            assert!((location as usize) < imported.locations.len());
            assert!(seen.insert(location), "a location is there twice");
        }
        assert!(run.features.iter().all(|(_, value)| value.is_finite()));
    }
    for series in &imported.series {
        assert!(series.observations.windows(2).all(|pair| pair[0].sizes < pair[1].sizes));
        assert!(series.observations.iter().all(|o| o.min <= o.max && o.count > 0));
    }
}

#[test]
fn whole_samples_are_read() {
    for (name, read, sample) in drawn().into_iter().chain(real()) {
        let imported = read(sample.as_slice().into()).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(!imported.runs.is_empty(), "{name}");
        check(&imported);
    }
}

/// Returns a copy with some bytes changed, inserted, removed, repeated, or cut off.
fn damaged(sample: &[u8], random: &mut ChaCha8Rng) -> Vec<u8> {
    let bytes = b"0123456789 \n:,;=+-*.()[]{}\"/eE\\x\xff\xc3\0";
    let mut damaged = sample.to_vec();
    for _ in 0..=random.next_u32() % 5 {
        let at = random.next_u32() as usize % damaged.len();
        let to = random.next_u32() as usize % damaged.len();
        match random.next_u32() % 5 {
            0 => damaged[at] = bytes[random.next_u32() as usize % bytes.len()],
            1 => damaged.insert(at, bytes[random.next_u32() as usize % bytes.len()]),
            2 if damaged.len() > 1 => drop(damaged.remove(at)),
            3 => {
                let piece = damaged[at.min(to)..at.max(to)].to_vec();
                damaged.splice(at..at, piece);
                damaged.truncate(4 * sample.len());
            }
            _ => damaged.truncate(at.max(1)),
        }
    }
    damaged
}

#[test]
fn random_changes_never_panic_and_take_no_more_memory_than_the_length_explains() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    for (_, read, sample) in drawn() {
        for _ in 0..20_000 {
            let damaged = damaged(&sample, &mut random);
            let bytes = damaged.as_slice();
            if let Ok(imported) = within(damaged.len(), PER_BYTE_OF_TEXT, || read(bytes.into())) {
                check(&imported);
            }
        }
    }
}

#[test]
fn damaged_parquet_never_panics_and_takes_no_more_memory_than_the_length_explains() {
    let whole = read_parquet(PARQUET).unwrap();
    let names: Vec<&str> = whole.locations.iter().map(|l| &*l.label).collect();
    assert_eq!((names, whole.runs.len()), (vec!["a.c:3:main", "a.c:5:main"], 3));
    assert_eq!(whole.runs[2].counts, [(0, 31), (1, 900)]);
    let mut random = ChaCha8Rng::seed_from_u64(7);
    for _ in 0..20_000 {
        let mut damaged = PARQUET.to_vec();
        for _ in 0..=random.next_u32() % 3 {
            let at = random.next_u32() as usize % damaged.len();
            damaged[at] = random.next_u32() as u8;
        }
        if let Ok(imported) = within(damaged.len(), PER_PACKED_BYTE, || read_parquet(&damaged)) {
            check(&imported);
        }
    }
}

#[test]
fn a_list_that_claims_to_be_endless_costs_no_time() {
    // Found by the fuzzer: the library counted to 2^31.
    let error = read_parquet(include_bytes!("../data/long-list.parquet")).unwrap_err().to_string();
    assert!(error.contains("lists that are too long"), "{error}");
}

#[test]
fn random_bytes_are_of_no_format() {
    let mut random = ChaCha8Rng::seed_from_u64(6);
    for (name, read, _) in drawn() {
        for length in 0..400 {
            let mut bytes = vec![0; length];
            random.fill_bytes(&mut bytes);
            assert!(read(bytes.as_slice().into()).is_err(), "{name}");
        }
    }
}

#[test]
fn long_names_are_not_copied_without_end() {
    // Each of many short lines could copy one long name.
    let long = "x".repeat(200_000);
    let lines = "1 1\n+1 1\n".repeat(2_000);
    let text = format!("events: Ir\nfl=(1) {long}\nfn=(1) {long}\n{lines}");
    let imported = callgrind::read(text.as_bytes(), None, &Root::new("")).unwrap();
    let bytes: usize = imported.locations.iter().map(|l| l.file.len() + l.label.len()).sum();
    assert!(bytes <= 4 << 20, "{bytes}");
    let values = vec!["1"; 50_000].join(",");
    let text = format!(
        "{{\"results\":[{{\"command\":\"a\",\"times\":[{values}],\"parameters\":{{\"{long}\":\"5\"}}}}]}}"
    );
    assert!(hyperfine::read(text.as_bytes()).unwrap_err().to_string().contains("at most 100 bytes"));
}

#[test]
fn damaged_gzip_is_refused() {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(&b"SF:a.c\nDA:1,5\n".repeat(1000)).unwrap();
    let packed = encoder.finish().unwrap();
    let unpacked = |packed: &[u8]| {
        let budget = Rc::new(Budget::new(Limits::for_files(packed.len() as u64)));
        Input::new(packed, &budget).unwrap().document()
    };
    assert_eq!(unpacked(&packed).unwrap().len(), 14_000);
    for length in 2..packed.len() {
        let error = unpacked(&packed[..length]).unwrap_err();
        assert!(matches!(error, ImportError::CutOff { .. }), "{length}: {error}");
    }
}
