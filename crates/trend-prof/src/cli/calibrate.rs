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
A program of experiments executes each fragment many times; `--header` writes what it needs in C and C++, and the
crate trend-fragment is the same for Rust. trend-prof.toml names it, and files of formulas:

    [fragments]
    worker = [\"./experiments\"]
    formulas = \"heap.formulas\"

with such as `seconds = nodes*insert + 1.5*nodes*log2(nodes)*sift`, where `nodes` is a feature and the others are
constants. `predict` then says the time by them, and `predict --machine FILE` that of a machine whose file was mailed."
)]
pub(crate) struct Calibrate {
    /// The configuration [default: trend-prof.toml in this folder]
    #[arg(long, value_name = "FILE", conflicts_with = "command")]
    pub(crate) config: Option<PathBuf>,
    /// The study that keeps the constants and the formulas [default: that of the configuration, where it is there]
    #[arg(long, value_name = "FILE")]
    pub(crate) study: Option<PathBuf>,
    /// The file of this machine; constants that are in it and still good are not measured again
    #[arg(short, long, value_name = "FILE", default_value = "machine.toml")]
    pub(crate) output: PathBuf,
    /// Measure these constants alone
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) only: Vec<String>,
    /// Measure all constants again
    #[arg(long)]
    pub(crate) fresh: bool,
    /// Shortest time of one measurement
    #[arg(long, value_name = "TIME", default_value = "20ms", value_parser = parse_duration)]
    pub(crate) least: Duration,
    /// The largest data of an experiment
    #[arg(long, value_name = "SIZE", default_value = "256MiB", value_parser = parse_bytes)]
    pub(crate) largest: u64,
    /// Write the header for C and C++ to stdout, and measure nothing
    #[arg(long, conflicts_with_all = ["config", "study", "command", "only", "fresh"])]
    pub(crate) header: bool,
    /// How to write the result
    #[arg(long, default_value = "table", value_name = "FORMAT")]
    pub(crate) format: CalibrateFormat,
    /// The program of experiments, in place of that of the configuration
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CalibrateFormat {
    Table,
    Json,
}
