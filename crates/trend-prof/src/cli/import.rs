//! Arguments of `trend-prof import`. All formats take the same options; some have one of their own.

use std::path::PathBuf;

use clap::Args;

use crate::formats;

/// Arguments of `import`: files, their features, and the study.
#[derive(Debug, Args)]
#[command(
    override_usage = "trend-prof import [OPTIONS] [FORMAT] <FILE>...\n       trend-prof import features <FILE> [--study STUDY]"
)]
#[command(after_help = format!("{}\n{FEATURES}", formats::table()))]
pub(crate) struct Import {
    /// Format (detected if omitted) and files. Each file is one workload named after the file, unless the format or an
    /// option says otherwise. `features` reads a table of numbers that describe a study's workloads: one row per
    /// workload, with its name in the column `workload`
    #[arg(required = true, value_name = "FORMAT_OR_FILE")]
    pub(crate) words: Vec<PathBuf>,
    /// For csv and parquet: the columns that are features. The column `workload` names the run, and every other column
    /// is a location
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) features: Vec<String>,
    /// For callgrind and gungraun: the event that is the cost [default: Ir, instructions]
    #[arg(long, value_name = "NAME")]
    pub(crate) event: Option<String>,
    /// For google-benchmark, go-bench and extra-p: the measured number that is the cost, such as `B/op` [default: the
    /// time that the benchmark reports]
    #[arg(long, value_name = "NAME")]
    pub(crate) metric: Option<String>,
    /// Feature of all files, such as `n=100` or `bytes=128MB`
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) feature: Vec<String>,
    /// Regular expression for the path of each file; its named groups are features
    #[arg(long, value_name = "REGEX")]
    pub(crate) pattern: Option<String>,
    /// Table of features: one row per workload, with its name in the column `workload`
    #[arg(long, value_name = "FILE")]
    pub(crate) feature_table: Option<PathBuf>,
    /// Name of a single workload to which all files belong; their counts are added up
    #[arg(long, value_name = "NAME")]
    pub(crate) workload: Option<String>,
    /// Name of the program [default: that of the study]
    #[arg(long, value_name = "NAME")]
    pub(crate) program: Option<String>,
    /// Folder of the sources; paths below it are stored relative to it, with the text of the files [default: this
    /// folder]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) root: Option<PathBuf>,
    /// Study to create or to extend [default: a new one, named after the first file]
    #[arg(long, value_name = "FILE")]
    pub(crate) study: Option<PathBuf>,
    /// Memory limit of the import, such as `8GB` [default: 256 MiB plus 16 bytes per byte of the files]
    #[arg(long, value_name = "SIZE", value_parser = trend_run::parse_bytes)]
    pub(crate) memory: Option<u64>,
    /// Replace an existing study
    #[arg(long)]
    pub(crate) fresh: bool,
}

const FEATURES: &str = "\
Features describe the size of a workload. These options can be combined; the first one listed wins:

    --feature n=100                       the same value for all files
    --pattern 'run-(?<n>\\d+)\\.info'       named groups in the path of each file
    --feature-table sizes.csv             by the workload's name in the column `workload`

A group named `workload` names the workload, and files of one workload are added up.";
