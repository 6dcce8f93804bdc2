//! The two sentences that come first, as data: what the program costs at the target, and which place to look at.
//!
//! - `candidates` are the functions that may be named, with all that does not depend on the target.
//! - `choice` has the rule by which one of them is named at a target.
//! - `claim` says what may be said of all other rows.
//!
//! Every number is that of a row. Words are elsewhere.

mod candidates;
mod choice;
mod claim;

use serde::Serialize;
use trend_profile::Study;

pub use self::candidates::{Candidate, Candidates};
use self::choice::{Choice, Target};
pub use self::claim::{ShownPaces, Unnamed};
use crate::memory::{MemoryOutlook, memory};
use crate::memory_lines::{MemoryHolder, holder};
use crate::repeating::Repeating;
use crate::seconds::{TimeOutlook, seconds};
use crate::time_parts::{TimeParts, time_parts};
use crate::today::Now;
use crate::{Findings, NextRuns, Options, Outlook, Point};

/// A place that takes less of the cost at the target does not decide it.
const LEAST_SHARE: f64 = 0.05;

/// A row that takes less of the cost at the target is not mentioned.
const NOTABLE_SHARE: f64 = 0.01;

/// An open growth matters where it could take this share at the target,
const OPEN_SHARE: f64 = 0.1;

/// and so many times what it takes now.
const OPEN_TIMES: f64 = 1.5;

/// Groups that are named where no single place decides.
const MOST_GROUPS: usize = 3;

/// What a reader should know who reads nothing else.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Answer {
    /// The target, by its position among [`Findings::points`].
    pub point: usize,
    /// What the whole program costs there.
    pub whole: Outlook,
    /// The cost today: that of the largest run by the law of the whole.
    pub whole_now: f64,
    /// The run that shares of today are of, by its position: the one in which the law of the whole is greatest.
    pub run_now: usize,
    /// The processor time there; absent where nothing was timed. It is of the machine as well, and another time another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<TimeOutlook>,
    /// Whose time it is; absent where no run was sampled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_parts: Option<TimeParts>,
    /// The peak memory of the process there; absent where too few runs were timed, or nothing explains it. It is of
    /// the machine as well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<MemoryOutlook>,
    /// The line that holds memory; absent where none holds most or grows faster than the input, or it was not recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_holder: Option<MemoryHolder>,
    /// What is to be done.
    pub kind: AnswerKind,
    /// Where; absent where no function takes a notable part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<AnswerPlace>,
    /// Of [`AnswerKind::Open`]: which runs would tell more.
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

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum AnswerKind {
    /// The place grows faster than `n log n`: mend it.
    Fix,
    /// Whether the place will matter is not decided.
    Open,
    /// No single place decides what the program will cost.
    Spread,
    /// Nothing large is known to grow faster than `n log n`; the place is the costliest.
    Steady,
}

/// Why no single place decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Spread {
    /// Functions grow faster than `n log n`, and each takes little.
    SmallFast,
    /// Blocks that vary together grow faster than `n log n`, and no function is known to.
    FastGroup,
    /// The whole grows faster than `n log n`, and no function is known to.
    WholeFast,
    /// Every function takes little.
    AllSmall,
}

/// A function, and its share of the whole.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct AnswerPlace {
    /// The function.
    pub function: String,
    /// The source file.
    pub file: String,
    /// The line of it that costs most there; 0 where that is not known.
    pub line: u32,
    /// The loop that runs as often as it is called, where it grows because it is called more often.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeating: Option<Repeating>,
    /// True if it is the user's own, and not a library's.
    pub is_own: bool,
    /// The line of the user's own that calls it: of a library's function always, of an own one if it grows because it is called
    /// more often. Absent where no line is known to make nearly all of its calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caller: Option<Repeating>,
    /// A line of the function that calls itself more than once, perhaps through others, where that is what calls it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branching: Option<Repeating>,
    /// Its share of the cost today, 0 to 1: [`Row::share_now`](crate::Row::share_now).
    pub share: f64,
    /// Its share at the target.
    pub share_then: f64,
    /// The interval of that share, with all else as predicted; `null` where there is none.
    pub share_then_ci: Option<[f64; 2]>,
    /// Its share of the time of the longest sampled run, and of that at the target; absent where it has no samples.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_shares: Option<[f64; 2]>,
    /// True if no other function costs more there; of time, where samples say where it goes.
    pub costliest: bool,
}

/// Blocks that vary together, and their share of the whole.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct AnswerGroup {
    /// The cluster, by its position among [`Findings::clusters`].
    pub cluster: usize,
    /// The title of the cluster.
    pub title: String,
    /// Number of functions that have a notable part of it.
    pub functions: usize,
    /// Its share of the cost today, 0 to 1.
    pub share: f64,
    /// Its share at the target.
    pub share_then: f64,
}

impl Answer {
    /// A place that takes less of the cost at the target does not decide it.
    pub const LEAST_SHARE: f64 = LEAST_SHARE;

    /// Returns the answer to the findings of a study; `None` where the whole is of too few sizes to be predicted.
    pub(crate) fn new(findings: &Findings, study: &Study, options: &Options, now: Now) -> Option<Self> {
        let point = target(&findings.points)?;
        let candidates = Candidates::new(findings, study)?;
        let whole = findings.total.outlooks.get(point).copied().flatten().filter(|whole| whole.cost > 0.0)?;
        let at = &findings.points[point];
        let memory = memory(study, at, options.machine_memory);
        let time = seconds(study, at, whole, findings.total.law().as_ref(), memory.as_ref());
        let time_parts = time.as_ref().and_then(|time| time_parts(findings, study, point, whole, time));
        let target = Target { findings, point, whole, times: time_parts.as_ref() };
        let choice = candidates.choose(&target);
        let memory_holder = holder(&findings.memory_lines, point);
        let answer = Self {
            point,
            whole,
            whole_now: now.whole,
            run_now: now.run,
            time,
            time_parts: time_parts.clone(),
            memory,
            memory_holder,
            kind: choice.kind(),
            place: choice.named().map(|named| named.place(&candidates, &target)),
            next: None,
            spread: None,
            groups: Vec::new(),
            unnamed: None,
        };
        Some(match choice {
            Choice::Fix(_) => answer,
            Choice::Open(named) => Self { next: named.candidate.next.clone(), ..answer },
            Choice::Spread(why) => {
                Self { spread: Some(why), groups: candidates.groups(&target, why), ..answer }
            }
            Choice::Steady(_) => Self { unnamed: Some(candidates.shown.claim(&target)), ..answer },
        })
    }
}

/// Returns the point that an answer is about, by its position: the first that somebody asked for, or the last.
pub(crate) fn target(points: &[Point]) -> Option<usize> {
    let last = points.len().checked_sub(1)?;
    Some(if points[0].asked { 0 } else { last })
}

#[cfg(test)]
pub(crate) mod tests;
