//! Arguments of `trend-prof loops`.

use std::ffi::OsString;

use clap::{Args, ValueEnum};

use super::analysis::Analysis;

#[derive(Debug, Args)]
#[command(
    override_usage = "trend-prof loops [OPTIONS] [STUDY] [FUNCTION]",
    after_help = "\
Build the program with `trend-prof build --probe loops` to record loops. The formulas use variables of the program. \
With the name of a function or FILE:LINE, its source is shown next to the loops."
)]
pub(crate) struct Loops {
    /// Study [default: the only *.trend file in this folder], and a function whose source to show
    #[arg(value_name = "STUDY_OR_FUNCTION", num_args = 0..=2)]
    pub(crate) words: Vec<OsString>,
    /// Output format
    #[arg(long, default_value = "table", value_name = "FORMAT")]
    pub(crate) format: LoopsFormat,
    /// Number of loops and functions [default: 30]
    #[arg(long, value_name = "N")]
    pub(crate) top: Option<usize>,
    /// Size to predict trip counts for, such as `bytes=1GB`
    #[arg(long, value_name = "FEATURE=SIZE")]
    pub(crate) at: Vec<String>,
    #[command(flatten)]
    pub(crate) analysis: Analysis,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LoopsFormat {
    Table,
    Json,
    Markdown,
}
