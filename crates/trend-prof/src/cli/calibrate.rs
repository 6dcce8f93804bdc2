//! Arguments of `trend-prof calibrate`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use trend_run::{parse_bytes, parse_duration};

#[derive(Debug, Args)]
#[command(
    override_usage = "trend-prof calibrate [OPTIONS] [-- COMMAND…]",
    after_help = "\
A program of experiments executes each fragment many times. For C and C++, `--header` writes the header that it needs; \
for Rust, use the crate trend-fragment. trend-prof.toml names the program and the formula files:

    [fragments]
    worker = [\"./experiments\"]
    formulas = \"heap.formulas\"

A formula is, for example, `seconds = nodes*insert + 1.5*nodes*log2(nodes)*sift`, where `nodes` is a feature and the \
other names are constants. `predict` then predicts the time with the formulas. `predict --machine FILE` does so for \
another machine, after you copy its machine file here."
)]
pub(crate) struct Calibrate {
    /// Configuration file [default: trend-prof.toml in this folder]
    #[arg(long, value_name = "FILE", conflicts_with = "command")]
    pub(crate) config: Option<PathBuf>,
    /// Study in which to store the constants and formulas [default: the one of the configuration, if it exists]
    #[arg(long, value_name = "FILE")]
    pub(crate) study: Option<PathBuf>,
    /// Machine file to write; constants in it that are still valid are not measured again
    #[arg(short, long, value_name = "FILE", default_value = "machine.toml")]
    pub(crate) output: PathBuf,
    /// Measure only these constants
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) only: Vec<String>,
    /// Measure all constants again
    #[arg(long)]
    pub(crate) fresh: bool,
    /// Minimum time of one measurement; longer ones are more precise
    #[arg(long, value_name = "TIME", default_value = "20ms", value_parser = parse_duration)]
    pub(crate) least: Duration,
    /// Maximum data size of an experiment; it limits the memory that the experiments take
    #[arg(long, value_name = "SIZE", default_value = "256MiB", value_parser = parse_bytes)]
    pub(crate) largest: u64,
    /// Write the header for C and C++ to stdout, and measure nothing
    #[arg(long, conflicts_with_all = ["config", "study", "command", "only", "fresh"])]
    pub(crate) header: bool,
    /// Output format
    #[arg(long, default_value = "table", value_name = "FORMAT")]
    pub(crate) format: CalibrateFormat,
    /// Program of experiments, which replaces the configured one
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CalibrateFormat {
    Table,
    Json,
}
