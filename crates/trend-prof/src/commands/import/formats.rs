//! The formats: which reader a file goes to.

use std::fs;
use std::path::{Path, PathBuf};

use trend_collect::csv;
use trend_collect::import::{
    ImportError, Imported, Root, aprof, callgrind, criterion, extra_p, gcov_json, go_cover, google_benchmark,
    hyperfine, lcov, llvm_cov, parquet, python_trace,
};

use crate::failure::Failure;

/// Criterion's folders are group, function, value and `new`; some put theirs deeper.
const DEEPEST: usize = 16;

/// A format with what its reader has to be told.
#[derive(Clone, Copy, Debug)]
pub(super) enum Format<'a> {
    Csv { features: &'a [String] },
    Parquet { features: &'a [String] },
    Lcov,
    Gcov,
    LlvmCov,
    Callgrind { event: Option<&'a str> },
    GoogleBenchmark { metric: Option<&'a str> },
    Hyperfine,
    Criterion,
    ExtraP { metric: Option<&'a str> },
    Aprof,
    GoCover,
    PythonTrace,
}

impl Format<'_> {
    /// The word that `import` knows it by.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Csv { .. } => "csv",
            Self::Parquet { .. } => "parquet",
            Self::Lcov => "lcov",
            Self::Gcov => "gcov",
            Self::LlvmCov => "llvm-cov",
            Self::Callgrind { .. } => "callgrind",
            Self::GoogleBenchmark { .. } => "google-benchmark",
            Self::Hyperfine => "hyperfine",
            Self::Criterion => "criterion",
            Self::ExtraP { .. } => "extra-p",
            Self::Aprof => "aprof",
            Self::GoCover => "go-cover",
            Self::PythonTrace => "python-trace",
        }
    }

    /// Whether files of one workload are parts of one run, whose counts add up. Elsewhere they are
    /// repetitions.
    pub(super) fn is_additive(&self) -> bool {
        matches!(
            self,
            Self::Lcov
                | Self::Gcov
                | Self::LlvmCov
                | Self::Callgrind { .. }
                | Self::GoCover
                | Self::PythonTrace
                | Self::Aprof
        )
    }
}

/// Reads one file.
pub(super) fn read(path: &Path, format: &Format<'_>, root: &Path) -> Result<Imported, Failure> {
    let bytes = bytes(path)?;
    let root = Root::new(&root.to_string_lossy());
    let imported = match format {
        Format::Csv { features } => {
            return csv::read(&bytes, features).map(Imported::from).map_err(|e| Failure::of_table(path, &e));
        }
        Format::Parquet { features } => parquet::read(bytes, features),
        Format::Lcov => lcov::read(&bytes, &root),
        Format::Gcov => gcov_json::read(&bytes, &root),
        Format::LlvmCov => llvm_cov::read(&bytes, &root),
        Format::Callgrind { event } => callgrind::read(&bytes, *event, &root),
        Format::GoogleBenchmark { metric } => google_benchmark::read(&bytes, *metric),
        Format::Hyperfine => hyperfine::read(&bytes),
        Format::ExtraP { metric } => extra_p::read(&bytes, *metric),
        Format::Aprof => aprof::read(&bytes),
        Format::GoCover => go_cover::read(&bytes, &root),
        Format::PythonTrace => {
            let module = path.file_stem().unwrap_or_default().to_string_lossy();
            python_trace::read(&bytes, &module)
        }
        Format::Criterion => return criterion(path, &bytes),
    };
    imported.map_err(|e| unreadable(path, &e))
}

/// The files that a path stands for: of criterion, every benchmark below a folder.
pub(super) fn files(paths: &[PathBuf], format: &Format<'_>) -> Result<Vec<PathBuf>, Failure> {
    if !matches!(format, Format::Criterion) {
        return Ok(paths.to_vec());
    }
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() { benchmarks(path, DEEPEST, &mut files) } else { files.push(path.clone()) }
    }
    if files.is_empty() {
        let names: Vec<String> = paths.iter().map(|p| p.display().to_string()).collect();
        return Err(Failure::new(format!("there is no benchmark below {}", names.join(", ")))
            .hint("criterion keeps its results in target/criterion"));
    }
    files.sort();
    Ok(files)
}

/// Every `new/benchmark.json` below a folder.
fn benchmarks(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let (path, kind) = (entry.path(), entry.file_type());
        if kind.as_ref().is_ok_and(fs::FileType::is_dir) && depth > 0 {
            benchmarks(&path, depth - 1, found);
        } else if path.ends_with("new/benchmark.json") {
            found.push(path);
        }
    }
}

/// Reads one of criterion's benchmarks, by its `benchmark.json`.
fn criterion(path: &Path, benchmark: &[u8]) -> Result<Imported, Failure> {
    let beside = |name: &str| {
        let path = path.with_file_name(name);
        path.exists().then(|| bytes(&path)).transpose()
    };
    let (sample, estimates) = (beside("sample.json")?, beside("estimates.json")?);
    let files = criterion::Files { benchmark, sample: sample.as_deref(), estimates: estimates.as_deref() };
    criterion::read(&files).map_err(|e| unreadable(path, &e))
}

/// The bytes of a file, unpacked where it is compressed by gzip.
pub(super) fn bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    let failed = |e: std::io::Error| Failure::from_error(format!("failed to read {}", path.display()), &e);
    let bytes = fs::read(path).map_err(failed)?;
    trend_collect::import::unpacked(bytes).map_err(|e| unreadable(path, &e))
}

pub(super) fn unreadable(path: &Path, error: &ImportError) -> Failure {
    Failure::from_error(format!("failed to read {}", path.display()), error)
}
