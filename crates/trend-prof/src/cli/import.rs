//! The command line of `import`. All formats take the same options; some have one of their own.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub(crate) struct Import {
    #[command(subcommand)]
    pub(crate) format: ImportFormat,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ImportFormat {
    /// Counts as a table: a row per workload, a column per location
    Csv(ImportCsv),
    /// The same as a Parquet file; or a row per count, in the columns `workload`, `location` and `count`
    Parquet(ImportCsv),
    /// Line counts as lcov's tracefiles (Go, JavaScript, Ruby, Java, C, …)
    Lcov(ImportFiles),
    /// Line counts of `gcov --json-format`
    Gcov(ImportFiles),
    /// Region counts of `llvm-cov export`
    LlvmCov(ImportFiles),
    /// Instructions per line of `valgrind --tool=callgrind`; any program, no rebuild
    Callgrind(ImportCallgrind),
    /// Block counts of `go test -covermode=count -coverprofile=FILE`
    GoCover(ImportFiles),
    /// Line counts of `python3 -m trace --count`: its .cover files
    PythonTrace(ImportFiles),
    /// Routines by the size of their input, as aprof measures them
    Aprof(ImportFiles),
    /// Times of Google Benchmark, as `--benchmark_format=json` writes them
    GoogleBenchmark(ImportMetric),
    /// Times of commands, as `hyperfine --export-json` writes them
    Hyperfine(ImportFiles),
    /// Times of criterion: its folder, target/criterion
    Criterion(ImportFiles),
    /// Measurements as Extra-P reads them: text, JSON or JSON Lines
    ExtraP(ImportMetric),
    /// Features of workloads that were run: a row per workload, by its name in the column `workload`
    Features(ImportFeatures),
}

/// What is imported, what is known of it, and where it goes.
#[derive(Debug, Args)]
#[command(after_help = "\
Features tell how large a workload was. All of these can be given at once, and the first wins:

    --feature n=100                       of all files
    --pattern 'run-(?<n>\\d+)\\.info'       named groups, in the path of each file
    --feature-table sizes.csv             by the workload's name in the column `workload`

A group named `workload` names the workload, and files of one workload add up.")]
pub(crate) struct ImportFiles {
    /// The files; each is one workload, named like the file, unless the format or an option says otherwise
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// A feature of all files, such as `n=100` or `bytes=128MB`
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) feature: Vec<String>,
    /// A regular expression for the path of each file; its named groups are features
    #[arg(long, value_name = "REGEX")]
    pub(crate) pattern: Option<String>,
    /// A table of features: a row per workload, by its name in the column `workload`
    #[arg(long, value_name = "FILE")]
    pub(crate) feature_table: Option<PathBuf>,
    /// The name of the one workload that all files are of; their counts add up
    #[arg(long, value_name = "NAME")]
    pub(crate) workload: Option<String>,
    /// The program's name [default: that of the study]
    #[arg(long, value_name = "NAME")]
    pub(crate) program: Option<String>,
    /// The folder of the sources: files below it are named relative to it, and their text is kept
    /// [default: this folder]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) root: Option<PathBuf>,
    /// The study to make or to add to [default: a new one, named like the first file]
    #[arg(long, value_name = "FILE")]
    pub(crate) study: Option<PathBuf>,
    /// Memory for what is imported, such as `8GB` [default: 256 MiB, and 16 bytes for each byte of the files]
    #[arg(long, value_name = "SIZE")]
    pub(crate) memory: Option<String>,
    /// Replace a study that is there
    #[arg(long)]
    pub(crate) fresh: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ImportCsv {
    #[command(flatten)]
    pub(crate) files: ImportFiles,
    /// The columns that are features; `workload` names the run, every other column is a location
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) features: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ImportCallgrind {
    #[command(flatten)]
    pub(crate) files: ImportFiles,
    /// The event that is the cost [default: Ir, instructions]
    #[arg(long, value_name = "NAME")]
    pub(crate) event: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ImportMetric {
    #[command(flatten)]
    pub(crate) files: ImportFiles,
    /// Which of the measured numbers is the cost [default: the time that the benchmark is about]
    #[arg(long, value_name = "NAME")]
    pub(crate) metric: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ImportFeatures {
    /// The table
    pub(crate) file: PathBuf,
    /// The study [default: the one *.trend file of this folder]
    #[arg(long, value_name = "FILE")]
    pub(crate) study: Option<PathBuf>,
}
