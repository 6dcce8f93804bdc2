//! Lists every reader of files, with samples of its format.

use std::rc::Rc;

use trend_collect::csv;
use trend_collect::import::{
    Budget, ImportError, Imported, Input, Limits, Root, aprof, callgrind, clover, cobertura, criterion,
    extra_p, gcov_json, gcovr, go_bench, go_cover, go_coverage, google_benchmark, gungraun, hyperfine,
    istanbul, lcov, llvm_cov, parquet, python_trace, v8_coverage,
};

pub(crate) type Reader = fn(&[u8]) -> Result<Imported, ImportError>;

/// Name of a sample, its reader and its bytes.
pub(crate) type Sample = (&'static str, Reader, &'static [u8]);

/// A Parquet file with text, numbers that may be missing, and counts; compressed like pandas' files.
pub(crate) const PARQUET: &[u8] = include_bytes!("../data/counts.parquet");

pub(crate) fn read_parquet(bytes: &[u8]) -> Result<Imported, ImportError> {
    parquet::read(bytes, &["n".to_owned()])
}

/// Reads one file that has each of criterion's three files on a line.
fn read_criterion(bytes: &[u8]) -> Result<Imported, ImportError> {
    let mut parts = bytes.split(|&b| b == b'\n');
    let benchmark = parts.next().unwrap_or_default();
    let files = criterion::Files { benchmark, sample: parts.next(), estimates: parts.next() };
    criterion::read(&files, &Rc::new(Budget::new(Limits::for_files(bytes.len() as u64))))
}

fn read_csv(bytes: &[u8]) -> Result<Imported, ImportError> {
    csv::read(bytes, &["n".to_owned()]).map(Imported::from)
}

fn read_lcov(bytes: &[u8]) -> Result<Imported, ImportError> {
    lcov::read(bytes, &Root::new("/p"))
}

fn read_go_cover(bytes: &[u8]) -> Result<Imported, ImportError> {
    go_cover::read(bytes, &Root::new("/p"))
}

fn read_python_trace(bytes: &[u8]) -> Result<Imported, ImportError> {
    python_trace::read(bytes, "pkg.mod")
}

fn read_gcovr(bytes: &[u8]) -> Result<Imported, ImportError> {
    gcovr::read(bytes, &Root::new("/p"))
}

fn read_istanbul(bytes: &[u8]) -> Result<Imported, ImportError> {
    istanbul::read(bytes, &Root::new("/p"))
}

fn read_cobertura(bytes: &[u8]) -> Result<Imported, ImportError> {
    cobertura::read(bytes, &Root::new("/p"), &|_| None)
}

const GO_META: &[u8] = include_bytes!("../data/sort.covmeta");
const GO_COUNTERS: &[u8] = include_bytes!("../seeds/go_coverage/sort.covcounters");

/// Reads counters of a Go program.
pub(crate) fn read_go_coverage(input: Input<'_>) -> Result<Imported, ImportError> {
    go_coverage::read(input, GO_META, &Root::new("/p"), &[], &|_| None)
}

/// Reads the description of a Go program's counters.
fn read_go_meta(bytes: &[u8]) -> Result<Imported, ImportError> {
    go_coverage::read(GO_COUNTERS, bytes, &Root::new("/p"), &[], &|_| None)
}

/// Reads V8's coverage of a script of 60 characters.
pub(crate) fn read_v8(input: Input<'_>) -> Result<Imported, ImportError> {
    let text = "function f(n) { for (;n--;) { if (n) { f(0) } /x/ } }\nf(5);\n";
    v8_coverage::read(input, &Root::new("/p"), v8_coverage::Scripts::Own, &|_| Some(text.to_owned()))
}

fn read_clover(bytes: &[u8]) -> Result<Imported, ImportError> {
    clover::read(bytes, &Root::new("/p"), &|_| None)
}

fn read_extra_p(bytes: &[u8]) -> Result<Imported, ImportError> {
    extra_p::read(bytes, None)
}

macro_rules! samples {
    ($folder:literal: $($name:literal $reader:expr,)*) => {
        vec![$(($name, $reader as Reader, include_bytes!(concat!("../", $folder, "/", $name)) as &[u8]),)*]
    };
}

/// Returns small files that contain each kind of line, field and compression. They are seeds of the fuzz targets, too.
pub(crate) fn drawn() -> Vec<Sample> {
    samples! {"seeds":
        "aprof/v0.aprof" |b| aprof::read(b),
        "aprof/v1.aprof" |b| aprof::read(b),
        "aprof/v2.aprof" |b| aprof::read(b),
        "aprof/v3.aprof" |b| aprof::read(b),
        "aprof/v4-contexts.aprof" |b| aprof::read(b),
        "aprof/v4-rvms.aprof" |b| aprof::read(b),
        "aprof/v5-drms.aprof" |b| aprof::read(b),
        "aprof/v6-drms.aprof" |b| aprof::read(b),
        "callgrind/compressed.out" |b| callgrind::read(b, None, &Root::new("/p")),
        "callgrind/library.out" |b| callgrind::read(b, None, &Root::new("/p")),
        "clover/methods.xml" read_clover,
        "cobertura/methods.xml" read_cobertura,
        "criterion/three-files.json" read_criterion,
        "csv/quoted.csv" read_csv,
        "extra_p/lines.jsonl" read_extra_p,
        "extra_p/nested.json" read_extra_p,
        "extra_p/sections.txt" read_extra_p,
        "gcov_json/function.json" |b| gcov_json::read(b, &Root::new("/p")),
        "gcovr/named.json" read_gcovr,
        "gcovr/number.json" read_gcovr,
        "go_bench/metrics.txt" |b| go_bench::read(b, None),
        "go_cover/blocks.out" read_go_cover,
        "go_coverage/sort.covcounters" |b| read_go_coverage(b.into()),
        "google_benchmark/arguments.json" |b| google_benchmark::read(b, None),
        "gungraun/v2.json" |b| gungraun::read(b, None),
        "gungraun/v6.json" |b| gungraun::read(b, None),
        "hyperfine/parameters.json" |b| hyperfine::read(b),
        "istanbul/map.json" read_istanbul,
        "lcov/records.info" read_lcov,
        "llvm_cov/function.json" |b| llvm_cov::read(b, &Root::new("/p")),
        "python_trace/function.cover" read_python_trace,
        "v8_coverage/mapped.json" |b| read_v8(b.into()),
    }
}

/// Returns samples that tools wrote.
pub(crate) fn real() -> Vec<Sample> {
    samples! {"data":
        "c8.info" read_lcov,
        "clover/nyc-50.xml" read_clover,
        "cobertura/nyc-50.xml" read_cobertura,
        "coverage-py.info" read_lcov,
        "dedup.cover" read_python_trace,
        "extra-p/exported.jsonl" read_extra_p,
        "extra-p/lines.jsonl" read_extra_p,
        "extra-p/nested.json" read_extra_p,
        "extra-p/one-parameter.txt" read_extra_p,
        "extra-p/sections.txt" read_extra_p,
        "gcovr/gcovr-6.0.json" read_gcovr,
        "go-bench/count.txt" |b| go_bench::read(b, None),
        "go-cover.out" read_go_cover,
        "sort.covmeta" read_go_meta,
        "google-benchmark.json" |b| google_benchmark::read(b, None),
        "gungraun/0.19.4/unique.n_50/summary.json" |b| gungraun::read(b, None),
        "hyperfine.json" |b| hyperfine::read(b),
        "istanbul/nyc-50.json" read_istanbul,
        "counts.parquet" read_parquet,
    }
}
