//! Errors of choosing sizes.

use trend_analyze::AnalyzeError;
use trend_profile::StudyError;
use trend_run::RunError;

/// Reason why no sizes, or no further ones, can be chosen.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SteerError {
    /// The workloads are not a sweep over a number.
    #[error("no numeric parameter to choose sizes of")]
    NoParameter {
        /// True if the workloads are input files.
        has_files: bool,
        /// Sizes that the recorded study needs, as a sentence.
        advice: Option<String>,
    },
    /// A round could not be run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The study could not be read.
    #[error(transparent)]
    Study(#[from] StudyError),
    /// The study could not be analysed.
    #[error(transparent)]
    Analyze(#[from] AnalyzeError),
}

impl SteerError {
    /// Returns sentences that suggest a way out.
    pub fn hints(&self) -> Vec<String> {
        let Self::NoParameter { has_files, advice } = self else { return Vec::new() };
        let way = if *has_files {
            "add input files, or generate them with `parameters` and `generate` under [workloads]"
        } else {
            "sweep over a size: `--param n=100..10000x8`, or `parameters = { n = \"100..10000 x8\" }`"
        };
        let advice = advice.iter().map(|advice| format!("try: {advice}"));
        [way.to_owned()].into_iter().chain(advice).collect()
    }
}
