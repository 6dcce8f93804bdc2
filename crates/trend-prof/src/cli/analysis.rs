//! Options of all commands that analyse a study.

use clap::Args;
use trend_analyze::{Intervals, Options};
use trend_run::parse_bytes;

use super::words::word;

#[derive(Debug, Args)]
pub(crate) struct Analysis {
    /// Random seed for `--intervals percentile` and for the simulations that choose which sizes to suggest
    #[arg(long, default_value_t = Options::default().seed, value_name = "N", help_heading = "Analysis")]
    pub(crate) seed: u64,
    /// A location joins a cluster if it fits with R² > 1 − ALPHA; a smaller ALPHA gives more and purer clusters
    #[arg(long, default_value_t = Options::default().alpha, value_name = "ALPHA", help_heading = "Analysis")]
    pub(crate) alpha: f64,
    /// Method for intervals: `robust` also suits few workloads; `percentile` is the paper's bootstrap
    #[arg(long, default_value = "robust", value_name = "HOW", value_parser = word::<Intervals>(&["robust", "percentile"]), help_heading = "Analysis")]
    pub(crate) intervals: Intervals,
    /// Exclude a workload by its name or a pattern such as 'corpus/big-*'; can be repeated
    #[arg(long, value_name = "WORKLOAD", help_heading = "Analysis")]
    pub(crate) exclude: Vec<String>,
    /// Skip growth classes, which take most of the time with thousands of clusters
    #[arg(long, help_heading = "Analysis")]
    pub(crate) no_growth: bool,
    /// Memory of the machine to predict for, such as `16GB`; the answer warns if the target needs more [default: that
    /// of the machine that made the runs]
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, help_heading = "Analysis")]
    pub(crate) machine_memory: Option<u64>,
    /// Memory limit for reading the study, such as `8GB` [default: 512 MiB or 32 times its size, whichever is larger]
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, help_heading = "Analysis")]
    pub(crate) memory: Option<u64>,
}

impl Default for Analysis {
    fn default() -> Self {
        let Options { seed, alpha, .. } = Options::default();
        let (intervals, exclude) = (Intervals::Robust, Vec::new());
        Self { seed, alpha, intervals, exclude, no_growth: false, machine_memory: None, memory: None }
    }
}
