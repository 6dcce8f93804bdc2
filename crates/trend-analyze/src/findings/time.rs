//! The program's time at the target, and its parts.

use serde::Serialize;
use trend_answer::CacheStep;
#[cfg(doc)]
use trend_model::TimeLaw;

#[cfg(doc)]
use super::Findings;
use super::fitting::FittingSize;

/// Predicted CPU time at a point.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TimeOutlook {
    /// The predicted time in seconds.
    pub seconds: f64,
    /// Interval of that time.
    pub ci: [f64; 2],
    /// The law for other sizes.
    pub law: TimeTerms,
    /// The time of the longest timed run, in seconds of CPU time.
    pub longest: f64,
    /// Wall time ÷ CPU time in that run.
    pub elapsed: f64,
    /// The meaning of that ratio.
    pub elapsed_is: Elapsed,
    /// The largest size, in two digits, whose run takes at most a day. `null` if the point gives several sizes, or if
    /// no run takes longer.
    pub day_up_to: Option<f64>,
    /// The largest sizes within the times of [`Options::within`](crate::Options::within), for those times that some run
    /// takes. Empty if the point gives several sizes.
    pub fits: Vec<FittingSize>,
    /// Reasons not to trust the prediction; empty if there are none.
    pub doubts: Vec<TimeDoubt>,
}

impl TimeOutlook {
    /// Returns the time of the longest run beyond the startup, in seconds.
    pub fn longest_work(&self) -> f64 {
        self.longest - self.law.startup
    }
}

/// The terms of a [`TimeLaw`]. A run of size x with C counts takes `startup` plus the geometric mean of
/// `rate · C · (C ÷ counts)^(kept_drift · drift)` and `power[0] · x^power[1]`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TimeTerms {
    /// Seconds that every run takes, whatever its counts.
    pub startup: f64,
    /// Seconds per count beyond the startup, in the largest run.
    pub rate: f64,
    /// The counts of that run.
    pub counts: f64,
    /// The exponent with which the rate grows with the counts, 0 to 0.5.
    pub drift: f64,
    /// The fraction of the drift that continues beyond the largest run.
    pub kept_drift: f64,
    /// The relative margin of the interval at both ends, beyond the difference between no drift, full drift and the
    /// power law.
    pub margin: f64,
    /// Ratio of the ends of the counts' interval above which the time is undecided.
    pub open: f64,
    /// The point from which the working set leaves a cache of the machine and the time is not to be trusted; `null` if
    /// it leaves none.
    pub cache: Option<CacheStep>,
    /// Coefficient and exponent of the longest runs' times beyond the startup, over the size. `null` if the point gives
    /// several sizes, or if the counts outgrow every power of it.
    pub power: Option<[f64; 2]>,
}

/// Reason not to trust a predicted time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TimeDoubt {
    /// The longest run is too short.
    Short,
    /// Time is not proportional to the counts.
    Scattered,
    /// The working set leaves a cache of the machine on the way to the point.
    Cache,
    /// The growth of the counts is undecided.
    Undecided,
    /// Other processes used the processor during all runs, or the program waited, and its repetitions do not show that
    /// its CPU time stayed the same.
    Disturbed,
}

impl TimeDoubt {
    /// All doubts, the most serious first.
    pub const ALL: [Self; 5] = [Self::Short, Self::Scattered, Self::Cache, Self::Undecided, Self::Disturbed];
}

/// Relation of wall time to CPU time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Elapsed {
    /// The program worked all the time, on one processor.
    AsProcessor,
    /// The program waited, or other processes used the processor.
    Longer,
    /// The program used several processors.
    Shorter,
}

/// Breakdown of the time of one run, and of the time at the target.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TimeParts {
    /// The longest sampled run, which `share` refers to.
    pub run: SampledRun,
    /// A shorter run, which shows how parts without counts grow; absent if only one was sampled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub smaller: Option<SampledRun>,
    /// The cost of the whole program in the longest run.
    pub counts: f64,
    /// The size of that run; `null` if there is no single size, and counts replace it.
    pub size: Option<f64>,
    /// The parts by falling seconds at the target.
    pub rows: Vec<TimePart>,
}

/// A run with samples.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SampledRun {
    /// Name of the workload.
    pub workload: String,
    /// Its CPU time in seconds, without sampling.
    pub seconds: f64,
    /// Its CPU time in seconds while it was sampled, which takes a little longer.
    pub sampled_seconds: f64,
    /// Number of samples of its time in user mode.
    pub samples: u64,
    /// Number of further samples whose places are unknown.
    pub lost: u64,
}

/// A part of the time.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TimePart {
    /// The kind of part.
    pub kind: TimePartKind,
    /// The name of the function or library; empty for the kernel.
    pub name: String,
    /// The function's source file; empty for other parts.
    pub file: String,
    /// The function's line with the most samples; 0 if unknown.
    pub line: u32,
    /// Its share of the CPU time of the run, 0 to 1.
    pub share: f64,
    /// The standard error of that share, from the number of samples.
    pub share_error: f64,
    /// Its share in the smaller run; `null` if only one run was sampled.
    pub share_smaller: Option<f64>,
    /// Its CPU time in the run, in seconds.
    pub seconds: f64,
    /// Its CPU time at the target, in seconds.
    pub seconds_then: f64,
    /// Its share of the time at the target.
    pub share_then: f64,
    /// The basis of its predicted growth.
    pub growth: PartGrowth,
    /// The counts that it grows like; absent if it grows by samples, or like the whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counts: Option<PartCounts>,
    /// The power of the size by which its share of the time grows; absent if it grows by counts, or like the whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub power: Option<f64>,
    /// True if its time grew differently between the two sampled runs than its counts did.
    pub contradicted: bool,
    /// True if the study's counts cover its work. callgrind counts the work of libraries, and attributes it to the
    /// lines that call them.
    pub is_counted: bool,
}

/// Kind of a part of the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TimePartKind {
    /// A function with counts.
    Function,
    /// Other code: a shared library, a crate, or the rest of the program.
    Library,
    /// The kernel, on behalf of the program.
    Kernel,
}

/// Counts of a part of the time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PartCounts {
    /// The function, by its position in [`Findings::functions`].
    pub function: usize,
    /// Its cost in the longest sampled run.
    pub cost: f64,
}

/// Basis of a part's predicted growth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PartGrowth {
    /// The law of its counts.
    Counts,
    /// Samples of two sizes, or times of several: it grows like the whole times a power of the size.
    Samples,
    /// No basis is known: it is assumed to keep its share.
    Whole,
}
