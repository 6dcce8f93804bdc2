//! Arguments of `trend-prof diff`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::Analysis;

#[derive(Debug, Args)]
#[command(
    override_usage = "trend-prof diff [OPTIONS] <BEFORE> <AFTER>\n       trend-prof diff [OPTIONS] --rev BEFORE..AFTER",
    after_help = "\
Costs of the same workloads are compared with each other, so that run both versions on the same inputs. What changed is told
apart: a factor, a floor, an exponent or the class of growth; what the runs do not decide is not called changed."
)]
pub(crate) struct Diff {
    /// The studies, before and after
    #[arg(value_name = "STUDY", num_args = 2, required_unless_present = "rev", conflicts_with = "rev")]
    pub(crate) studies: Vec<PathBuf>,
    /// Builds and runs two revisions of this git repository, such as `main..HEAD`, as trend-prof.toml of this folder says; your
    /// worktree is not touched
    #[arg(long, value_name = "BEFORE..AFTER")]
    pub(crate) rev: Option<String>,
    /// With --rev: where both studies are kept [default: nowhere]
    #[arg(long, value_name = "FOLDER", requires = "rev")]
    pub(crate) keep: Option<PathBuf>,
    /// With --rev: do not time the runs of both, in turns, without counters
    #[arg(long, requires = "rev")]
    pub(crate) no_time: bool,
    /// The feature in which they are compared [default: the first that both have]
    #[arg(long, value_name = "NAME")]
    pub(crate) feature: Option<String>,
    /// The size that costs are compared at, such as `bytes=128MB` [default: 10 times the 95th percentile]
    #[arg(long, value_name = "FEATURE=SIZE")]
    pub(crate) at: Vec<String>,
    /// How many changes [default: 20 that matter]
    #[arg(long, value_name = "N")]
    pub(crate) top: Option<usize>,
    /// How to write it
    #[arg(long, default_value = "text", value_name = "FORMAT")]
    pub(crate) format: DiffFormat,
    /// Exit with 1 where it regressed, and with 3 where that cannot be told
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
