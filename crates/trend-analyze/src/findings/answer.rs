//! The answer: the cost, time and memory of the program at the target, and the place to look at.

use serde::Serialize;
use trend_answer::{AnswerKind, Outlook, Spread, Unnamed};

#[cfg(doc)]
use super::Findings;
use super::memory::{MemoryHolder, MemoryOutlook};
use super::model::NextRuns;
use super::time::{TimeOutlook, TimeParts};

/// The summary for a reader who reads nothing else.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Answer {
    /// The target, by its position in [`Findings::points`].
    pub point: usize,
    /// The predicted cost of the whole program at the target.
    pub whole: Outlook,
    /// The cost today: the greatest of the whole's law in the run `run_now` and the laws of functions with a verdict
    /// there.
    pub whole_now: f64,
    /// The run that today's shares refer to, by its position: the one in which the law of the whole is greatest.
    pub run_now: usize,
    /// The CPU time at the target; absent if no run was timed. It depends on the machine, and varies when
    /// measured again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<TimeOutlook>,
    /// The breakdown of that time; absent if no run was sampled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_parts: Option<TimeParts>,
    /// The peak memory of the process at the target; absent if too few runs were timed, or if no law explains it. It
    /// depends on the machine too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<MemoryOutlook>,
    /// The line that holds memory; absent if no line holds most of it or grows faster than the input, or if memory was
    /// not recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_holder: Option<MemoryHolder>,
    /// The recommended action.
    pub kind: AnswerKind,
    /// The place to look at; absent if no function takes a notable part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<AnswerPlace>,
    /// The runs that would reveal more, for [`AnswerKind::Open`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<NextRuns>,
    /// The reason why no place is named, for [`AnswerKind::Spread`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spread: Option<Spread>,
    /// The largest groups of blocks that vary together, for [`AnswerKind::Spread`]; by falling share at the target.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<AnswerGroup>,
    /// The claim about all rows, for [`AnswerKind::Steady`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unnamed: Option<Unnamed>,
}

/// A function to look at, with its share of the whole.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AnswerPlace {
    /// Name of the function.
    pub function: String,
    /// Path of its source file.
    pub file: String,
    /// The function's costliest line at the target; 0 if unknown.
    pub line: u32,
    /// The loop that runs as often as the function is called, if the function grows because of more calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeating: Option<Repeating>,
    /// True if it is the user's own function, and not a library's.
    pub is_own: bool,
    /// The line of the user's own code that makes most of its calls, in the function that makes nearly all of them,
    /// perhaps through other functions; absent if no function does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caller: Option<Repeating>,
    /// A line at which the function calls itself more than once, perhaps through others, if this recursion makes its
    /// calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branching: Option<Repeating>,
    /// Its share of the cost today, 0 to 1: [`Row::share_now`](crate::Row::share_now).
    pub share: f64,
    /// Its share at the target.
    pub share_then: f64,
    /// The interval of that share, with everything else as predicted; `null` if it has none.
    pub share_then_ci: Option<[f64; 2]>,
    /// Its share of the time in the longest sampled run, and at the target; absent if it has no samples.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_shares: Option<[f64; 2]>,
    /// True if no other function costs more at the target. Compares times if samples show where time goes, and costs
    /// otherwise.
    pub costliest: bool,
}

/// Blocks that vary together, with their share of the whole.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AnswerGroup {
    /// The cluster, by its position in [`Findings::clusters`].
    pub cluster: usize,
    /// The title of the cluster.
    pub title: String,
    /// Number of functions that have a notable part of the cluster.
    pub functions: usize,
    /// Its share of the cost today, 0 to 1.
    pub share: f64,
    /// Its share at the target.
    pub share_then: f64,
}

/// A line that explains the calls of a function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Repeating {
    /// The function that contains the line.
    pub function: String,
    /// Path of the source file.
    pub file: String,
    /// Number of the line.
    pub line: u32,
}
