//! Arguments of `trend-prof import`. All formats take the same options; some have one of their own.

use std::path::PathBuf;

use clap::Args;

use crate::commands::import::formats;

/// What is imported, what is known of it, and where it goes.
#[derive(Debug, Args)]
#[command(
    override_usage = "trend-prof import [OPTIONS] [FORMAT] <FILE>...\n       trend-prof import features <FILE> [--study STUDY]"
)]
#[command(after_help = format!("{}\n{FEATURES}", formats::table()))]
pub(crate) struct Import {
    /// The format, if it is not to be found out, and the files; each is one workload, named like the file, unless the format
    /// or an option says otherwise. `features` reads a table of numbers that describe workloads of a study: a row per workload,
    /// by its name in the column `workload`
    #[arg(required = true, value_name = "FORMAT_OR_FILE")]
    pub(crate) words: Vec<PathBuf>,
    /// Of csv and parquet: the columns that are features; `workload` names the run, every other column is a location
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) features: Vec<String>,
    /// Of callgrind and gungraun: the event that is the cost [default: Ir, instructions]
    #[arg(long, value_name = "NAME")]
    pub(crate) event: Option<String>,
    /// Of google-benchmark, go-bench and extra-p: which of the measured numbers is the cost, such as `B/op` [default: the time that
    /// the benchmark is about]
    #[arg(long, value_name = "NAME")]
    pub(crate) metric: Option<String>,
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
    #[arg(long, value_name = "SIZE", value_parser = trend_run::parse_bytes)]
    pub(crate) memory: Option<u64>,
    /// Replace a study that is there
    #[arg(long)]
    pub(crate) fresh: bool,
}

const FEATURES: &str = "\
Features tell how large a workload was. All of these can be given at once, and the first wins:

    --feature n=100                       of all files
    --pattern 'run-(?<n>\\d+)\\.info'       named groups, in the path of each file
    --feature-table sizes.csv             by the workload's name in the column `workload`

A group named `workload` names the workload, and files of one workload add up.";
