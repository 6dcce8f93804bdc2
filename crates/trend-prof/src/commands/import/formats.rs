//! The formats: which reader a file goes to.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use trend_collect::csv::{self, CsvError};
use trend_collect::import::{
    Budget, ImportError, Imported, Input, Limits, Root, aprof, callgrind, criterion, extra_p, gcov_json,
    go_cover, google_benchmark, hyperfine, lcov, llvm_cov, parquet, python_trace,
};

use trend_profile::shell_path;

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
pub(super) fn read(
    path: &Path,
    format: &Format<'_>,
    root: &Path,
    budget: &Rc<Budget>,
) -> Result<Imported, Failure> {
    let input = input(path, budget)?;
    let root = Root::new(&root.to_string_lossy());
    let imported = match format {
        Format::Csv { features } => {
            return csv::read(input, features).map(Imported::from).map_err(|e| of_table(path, &e));
        }
        Format::Parquet { features } => parquet::read(input, features),
        Format::Lcov => lcov::read(input, &root),
        Format::Gcov => gcov_json::read(input, &root),
        Format::LlvmCov => llvm_cov::read(input, &root),
        Format::Callgrind { event } => callgrind::read(input, *event, &root),
        Format::GoogleBenchmark { metric } => google_benchmark::read(input, *metric),
        Format::Hyperfine => hyperfine::read(input),
        Format::ExtraP { metric } => extra_p::read(input, *metric),
        Format::Aprof => aprof::read(input),
        Format::GoCover => go_cover::read(input, &root),
        Format::PythonTrace => {
            let module = path.file_stem().unwrap_or_default().to_string_lossy();
            python_trace::read(input, &module)
        }
        Format::Criterion => criterion(path, input, budget),
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
        if path.is_dir() { benchmarks(path, DEEPEST, &mut files)? } else { files.push(path.clone()) }
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
fn benchmarks(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let failed = |e: std::io::Error| missing(folder, &e);
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let path = entry.path();
        if depth > 0 && entry.file_type().map_err(failed)?.is_dir() {
            benchmarks(&path, depth - 1, found)?;
        } else if path.ends_with("new/benchmark.json") {
            found.push(path);
        }
    }
    Ok(())
}

/// Reads one of criterion's benchmarks, by its `benchmark.json`.
fn criterion(path: &Path, benchmark: Input<'_>, budget: &Rc<Budget>) -> Result<Imported, ImportError> {
    let beside = |name: &str| match File::open(path.with_file_name(name)) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(ImportError::Unreadable { error: format!("{name}: {error}") }),
        Ok(file) => Input::new(file, budget)?.document().map(Some),
    };
    let (benchmark, sample, estimates) =
        (benchmark.document()?, beside("sample.json")?, beside("estimates.json")?);
    let files = criterion::Files {
        benchmark: &benchmark,
        sample: sample.as_deref(),
        estimates: estimates.as_deref(),
    };
    criterion::read(&files, budget)
}

/// What the files of one import may take: so much memory, where somebody says so.
pub(super) fn budget<'p>(
    files: impl IntoIterator<Item = &'p PathBuf>,
    memory: Option<u64>,
) -> Result<Rc<Budget>, Failure> {
    let mut bytes = 0_u64;
    for path in files {
        let metadata = fs::metadata(path).map_err(|e| missing(path, &e))?;
        bytes = bytes.saturating_add(metadata.len());
    }
    let limits = Limits::for_files(bytes);
    let kept = memory.unwrap_or(limits.kept);
    Ok(Rc::new(Budget::new(Limits { kept, ..limits })))
}

/// A file to be read, unpacked where it is compressed by gzip.
pub(super) fn input(path: &Path, budget: &Rc<Budget>) -> Result<Input<'static>, Failure> {
    let file = File::open(path).map_err(|e| missing(path, &e))?;
    Input::new(file, budget).map_err(|e| unreadable(path, &e))
}

fn missing(path: &Path, error: &std::io::Error) -> Failure {
    Failure::from_error(format!("failed to read {}", path.display()), error)
}

pub(super) fn unreadable(path: &Path, error: &ImportError) -> Failure {
    let unpack = || format!("if you trust it, unpack it first: `gunzip {}`", shell_path(path));
    let hint = match error {
        ImportError::TooMuchUnpacked { .. } => Some(unpack()),
        ImportError::TooMuchMemory { .. } | ImportError::TooMany { .. } => Some(
            "import fewer files or parts of the program at a time, or allow more: `--memory 8GB`".to_owned(),
        ),
        _ => None,
    };
    Failure::from_error(format!("failed to read {}", path.display()), error).maybe_hint(hint)
}

pub(super) fn of_table(path: &Path, error: &CsvError) -> Failure {
    match error {
        CsvError::Input(error) => unreadable(path, error),
        error => Failure::from_error(format!("failed to read {}", path.display()), error),
    }
}
