//! Lists samples of every format, with their readers.

use std::fs;
use std::path::{Path, PathBuf};

use trend_collect::import::{ImportError, Imported, Root, go_coverage, parquet};

use crate::import_readers::{READERS, Read, reader};

/// Name of a sample, its reader and its bytes.
pub(crate) type Sample = (String, Read, Vec<u8>);

/// A Parquet file with text, numbers that may be missing, and counts; compressed like pandas' files.
pub(crate) const PARQUET: &[u8] = include_bytes!("../data/counts.parquet");

const GO_COUNTERS: &[u8] = include_bytes!("../seeds/go-coverage/sort.covcounters");

/// Format and name of samples that tools wrote.
const REAL: [(&str, &str); 17] = [
    ("lcov", "c8.info"),
    ("clover", "clover/nyc-50.xml"),
    ("cobertura", "cobertura/nyc-50.xml"),
    ("lcov", "coverage-py.info"),
    ("python-trace", "dedup.cover"),
    ("extra-p", "extra-p/exported.jsonl"),
    ("extra-p", "extra-p/lines.jsonl"),
    ("extra-p", "extra-p/nested.json"),
    ("extra-p", "extra-p/one-parameter.txt"),
    ("extra-p", "extra-p/sections.txt"),
    ("gcovr", "gcovr/gcovr-6.0.json"),
    ("go-bench", "go-bench/count.txt"),
    ("go-cover", "go-cover.out"),
    ("google-benchmark", "google-benchmark.json"),
    ("gungraun", "gungraun/0.19.4/unique.n_50/summary.json"),
    ("hyperfine", "hyperfine.json"),
    ("istanbul", "istanbul/nyc-50.json"),
];

pub(crate) fn read_parquet(bytes: &[u8]) -> Result<Imported, ImportError> {
    parquet::read(bytes, &["n".to_owned()])
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

/// Returns the names of the entries of a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let name = |entry: fs::DirEntry| entry.file_name().into_string().unwrap();
    let mut names: Vec<String> = fs::read_dir(folder).unwrap().map(|entry| name(entry.unwrap())).collect();
    names.sort();
    names
}

/// Returns small files that contain each kind of line, field and compression. They are seeds of the fuzz targets, too.
pub(crate) fn drawn() -> Vec<Sample> {
    let of = |name: &str, read: Read| -> Vec<Sample> {
        let folder = folder("seeds").join(name);
        let sample = |file: String| (format!("{name}/{file}"), read, fs::read(folder.join(&file)).unwrap());
        names(&folder).into_iter().map(sample).collect()
    };
    READERS.iter().flat_map(|reader| of(reader.name, reader.read)).collect()
}

/// Returns samples that tools wrote.
pub(crate) fn real() -> Vec<Sample> {
    let sample =
        |name: &str, read: Read| (name.to_owned(), read, fs::read(folder("data").join(name)).unwrap());
    let mut samples: Vec<Sample> =
        REAL.iter().map(|(format, name)| sample(name, reader(format).read)).collect();
    // The description of a Go program's counters.
    samples.push(sample("sort.covmeta", |input| {
        go_coverage::read(GO_COUNTERS, &input.document()?, &Root::new("/p"), &[], &|_| None)
    }));
    samples.push(sample("counts.parquet", |input| parquet::read(input, &["n".to_owned()])));
    samples
}

#[test]
fn every_format_with_seeds_has_a_reader_here() {
    let formats: Vec<String> = names(&folder("seeds")).into_iter().filter(|name| name != "probe").collect();
    assert_eq!(formats, READERS.iter().map(|reader| reader.name).collect::<Vec<_>>());
}
