//! Damaged files of every imported format: an error or a result, never a panic; and no result that is much
//! larger than its file.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use trend_collect::import::{
    ImportError, Imported, Root, aprof, callgrind, criterion, extra_p, gcov_json, go_cover, google_benchmark,
    hyperfine, lcov, llvm_cov, parquet, python_trace, unpacked,
};

type Reader = fn(&[u8]) -> Result<Imported, ImportError>;

fn criterion_files(bytes: &[u8]) -> Result<Imported, ImportError> {
    let mut parts = bytes.split(|&b| b == b'\n');
    let benchmark = parts.next().unwrap_or_default();
    criterion::read(&criterion::Files { benchmark, sample: parts.next(), estimates: parts.next() })
}

/// Every reader with files in which each kind of line, field and compression is there.
fn formats() -> Vec<(Reader, &'static str)> {
    vec![
        (
            |b| lcov::read(b, &Root::new("/p")),
            "TN:t\nSF:/p/a.c\nFN:3,9,sort\nFNDA:2,sort\nFNL:0,20,30\nFNA:0,1,main\nDA:3,2\nDA:21,1,x\nBRDA:5,0,0,-\n\
             LF:2\nend_of_record\nTN:u\nSF:b.c\nDA:1,4\nend_of_record\n",
        ),
        (
            |b| gcov_json::read(b, &Root::new("/p")),
            "{\"format_version\":\"1\",\"current_working_directory\":\"/p\",\"files\":[{\"file\":\"a.c\",\"functions\":[\
             {\"name\":\"f\",\"start_line\":3,\"execution_count\":2}],\"lines\":[{\"line_number\":4,\"count\":7,\
             \"function_name\":\"f\"}]}]}\n",
        ),
        (
            |b| llvm_cov::read(b, &Root::new("/p")),
            "{\"data\":[{\"functions\":[{\"name\":\"a.c:f\",\"count\":1,\"filenames\":[\"/p/a.c\"],\"regions\":\
             [[3,1,9,2,1,0,0,0],[4,3,4,9,7,0,1,1]]}]}],\"type\":\"llvm.coverage.json.export\"}",
        ),
        (
            |b| callgrind::read(b, None, &Root::new("/p")),
            "# callgrind format\npositions: instr line\nevents: Ir Dr\nsummary: 463 7\nob=(1) /p/x\nfl=(1) /p/a.c\nfn=(3) f\n\
             0x10 16 400 7\n+4 +2 30\nfi=(2) b.h\n* -1 3\ncfn=(4) g\ncalls=50 +10 *\n* * 600\njump=3 +4 1\n* * \nfn=(4)\n\
             0x90 26 30\ntotals: 463 7\n",
        ),
        (
            |b| go_cover::read(b, &Root::new("/p")),
            "mode: count\nx.org/a.go:12.34,15.2 3 120\nx.org/a.go:16.2,16.9 1 7\n",
        ),
        (
            |b| python_trace::read(b, "pkg.mod"),
            "    1: import sys\n\n    1: def f(xs):\n  400:     for x in xs:\n>>>>>>     never()\n       # done\n",
        ),
        (
            |b| aprof::read(b),
            "v 5\nm time-usec\ni drms\na p\nr \"main\" \"p\" 1\nu 1 \"_Z4main\"\nx 1 1 -1\nx 1 2 1\n\
             p 1 23 15 37 270 7500 10 199 200 10 30 4000 0 0 5 6\nq 2 23 15 37 270 7500 10 199 200 10 30 4000\n",
        ),
        (
            |b| google_benchmark::read(b, None),
            "{\"benchmarks\":[{\"name\":\"BM/8/x:2/real_time\",\"run_type\":\"iteration\",\"real_time\":1.5,\"cpu_time\":2,\
             \"time_unit\":\"us\"},{\"name\":\"BM/8_median\",\"run_name\":\"BM/8\",\"aggregate_name\":\"median\",\
             \"cpu_time\":1e3}]}",
        ),
        (
            |b| hyperfine::read(b),
            "{\"results\":[{\"command\":\"a 5 x5\",\"mean\":1,\"times\":[0.1,0.25],\"parameters\":{\"n\":\"5\",\"t\":\"a\"}}]}",
        ),
        (
            criterion_files,
            "{\"group_id\":\"g\",\"function_id\":\"f\",\"value_str\":\"200\",\"throughput\":{\"Bytes\":5}}\n\
             {\"iters\":[1,2],\"times\":[10,30.5]}\n{\"median\":{\"point_estimate\":7.5}}",
        ),
        (
            |b| extra_p::read(b, None),
            "PARAMETER p n\nPOINTS ( 2 10 ) ( 4 10 )\nREGION main->f\nMETRIC time\nDATA 1.5 1.6\nDATA 3 3.25\n\
             METRIC calls\nDATA 7\nDATA 9\n",
        ),
        (
            |b| extra_p::read(b, None),
            "{\"parameters\":[\"n\"],\"measurements\":{\"main\":{\"calls\":[{\"point\":[10],\"values\":[5,6]}]}}}",
        ),
        (
            |b| extra_p::read(b, None),
            "{\"params\":{\"n\":10},\"metric\":\"calls\",\"callpath\":\"main\",\"value\":[5,0.125]}\n\
             {\"params\":{\"n\":20},\"metric\":\"calls\",\"value\":7}\n",
        ),
        (
            |b| extra_p::read(b, None),
            "{\"callpaths\":[{\"id\":1,\"name\":\"f\"}],\"metrics\":[{\"id\":4,\"name\":\"c\"}],\"parameters\":[{\"id\":2,\
             \"name\":\"n\"}],\"coordinates\":[{\"id\":1,\"parameter_value_pairs\":[{\"parameter_id\":2,\
             \"parameter_value\":10}]}],\"measurements\":[{\"callpath_id\":1,\"coordinate_id\":1,\"metric_id\":4,\"value\":5}]}",
        ),
    ]
}

/// Everything that refers to something refers to what is there.
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
    for routine in &imported.routines {
        assert!(routine.tuples.windows(2).all(|pair| pair[0].size < pair[1].size));
        assert!(routine.tuples.iter().all(|t| t.min <= t.max && t.calls > 0));
    }
}

#[test]
fn whole_samples_are_read() {
    for (read, sample) in formats() {
        let imported = read(sample.as_bytes()).unwrap_or_else(|e| panic!("{sample}: {e}"));
        assert!(!imported.runs.is_empty());
        check(&imported);
    }
}

#[test]
fn random_changes_never_panic() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let bytes = b"0123456789 \n:,;=+-*.()[]{}\"/eE\\x\xff\xc3\0";
    for (read, sample) in formats() {
        for _ in 0..20_000 {
            let mut damaged = sample.as_bytes().to_vec();
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
            if let Ok(imported) = read(&damaged) {
                check(&imported);
            }
        }
    }
}

/// A Parquet file with text, numbers that may be missing, and counts; compressed as pandas does.
const PARQUET: &[u8] = include_bytes!("../data/counts.parquet");

#[test]
fn damaged_parquet_never_panics_and_is_never_a_part_for_the_whole() {
    let features = ["n".to_owned()];
    let whole = parquet::read(PARQUET.to_vec(), &features).unwrap();
    let names: Vec<&str> = whole.locations.iter().map(|l| l.label.as_str()).collect();
    assert_eq!((names, whole.runs.len()), (vec!["a.c:3:main", "a.c:5:main"], 3));
    assert_eq!(whole.runs[2].counts, [(0, 31), (1, 900)]);
    for length in 0..PARQUET.len() {
        assert!(parquet::read(PARQUET[..length].to_vec(), &features).is_err(), "{length}");
    }
    let mut random = ChaCha8Rng::seed_from_u64(7);
    for _ in 0..20_000 {
        let mut damaged = PARQUET.to_vec();
        for _ in 0..=random.next_u32() % 3 {
            let at = random.next_u32() as usize % damaged.len();
            damaged[at] = random.next_u32() as u8;
        }
        if let Ok(imported) = parquet::read(damaged, &features) {
            check(&imported);
        }
    }
}

#[test]
fn random_bytes_are_of_no_format() {
    let mut random = ChaCha8Rng::seed_from_u64(6);
    for (read, _) in formats() {
        for length in 0..400 {
            let mut bytes = vec![0; length];
            random.fill_bytes(&mut bytes);
            assert!(read(&bytes).is_err());
        }
    }
}

#[test]
fn long_names_are_not_copied_without_end() {
    // Each of many short lines could take a copy of one long name.
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
    assert!(hyperfine::read(text.as_bytes()).unwrap_err().to_string().contains("100 bytes at most"));
}

#[test]
fn damaged_gzip_is_refused() {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(&b"SF:a.c\nDA:1,5\n".repeat(1000)).unwrap();
    let packed = encoder.finish().unwrap();
    assert_eq!(unpacked(packed.clone()).unwrap().len(), 14_000);
    for length in 2..packed.len() {
        assert!(unpacked(packed[..length].to_vec()).is_err(), "{length}");
    }
}
