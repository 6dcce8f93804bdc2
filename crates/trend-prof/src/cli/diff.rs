//! Arguments of `trend-prof diff`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::analysis::Analysis;

#[derive(Debug, Args)]
#[command(
    override_usage = "trend-prof diff [OPTIONS] <BEFORE> <AFTER>\n       trend-prof diff [OPTIONS] --rev BEFORE..AFTER",
    after_help = "\
Run both versions on the same inputs: costs of equal workloads are compared. A change is a constant factor, a \
floor (an added constant cost), another exponent, or another growth class. Undecided differences are left out."
)]
pub(crate) struct Diff {
    /// Studies to compare: before, after
    #[arg(value_name = "STUDY", num_args = 2, required_unless_present = "rev", conflicts_with = "rev")]
    pub(crate) studies: Vec<PathBuf>,
    /// Build and run two revisions of this git repository, such as `main..HEAD`, with the trend-prof.toml of this
    /// folder; the working tree is not touched
    #[arg(long, value_name = "BEFORE..AFTER")]
    pub(crate) rev: Option<String>,
    /// With --rev: folder in which to keep both studies [default: none are kept]
    #[arg(long, value_name = "FOLDER", requires = "rev")]
    pub(crate) keep: Option<PathBuf>,
    /// With --rev: skip the uninstrumented runs that compare time and memory (both versions alternate)
    #[arg(long, requires = "rev")]
    pub(crate) no_time: bool,
    /// Feature to compare by [default: the first that both studies have]
    #[arg(long, value_name = "NAME")]
    pub(crate) feature: Option<String>,
    /// Size at which to compare costs, such as `bytes=128MB` [default: 10 times the 95th percentile]
    #[arg(long, value_name = "FEATURE=SIZE")]
    pub(crate) at: Vec<String>,
    /// Number of changes [default: the 20 most important]
    #[arg(long, value_name = "N")]
    pub(crate) top: Option<usize>,
    /// Output format
    #[arg(long, default_value = "text", value_name = "FORMAT")]
    pub(crate) format: DiffFormat,
    /// Exit with 1 if the program regressed, and with 3 if the runs cannot tell
    #[arg(long)]
    pub(crate) exit_code: bool,
    #[command(flatten)]
    pub(crate) analysis: Analysis,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiffFormat {
    Text,
    Json,
    Markdown,
}
