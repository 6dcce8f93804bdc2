//! Checks whether a program's growth keeps to its expectations.
//!
//! An [`Expectation`] comes from a configuration, from a comment in the code ([`in_sources`]), or from the laws of an
//! earlier study ([`Baseline`]). [`judge`] compares each expectation with the findings that every other output shows: a
//! row's growth here equals its verdict there.
//!
//! ```text
//!   classes that the verdict names      expected <= n log n
//!   n                                   holds
//!   n, n log n                          holds: whichever it is
//!   n log n, n^1.5                      undecided
//!   n^1.5                               broken
//! ```

mod against;
mod baseline;
mod comments;
mod growth;
mod judge;
mod limit;
mod source_root;

use std::cmp::Reverse;

pub use against::Against;
pub use baseline::{Baseline, BaselineError};
pub use comments::{BadComment, CommentError, in_sources};
pub use judge::judge;
pub use limit::{BadLimit, GrowthLimit};
use serde::{Serialize, Serializer};
use trend_profile::{Measure, Unit};

use crate::findings::Findings;
use crate::findings::model::NextRuns;
use crate::findings::row::JudgedPlace;
use crate::findings::time::TimeDoubt;

/// A limit on some part of the program.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Expectation {
    /// The place where the expectation is written.
    pub origin: Origin,
    /// The part of the program that is limited.
    pub subject: Subject,
    /// The limit on growth or cost.
    pub limit: Limit,
    /// The feature in which the growth is limited; by default the study's first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub feature: Option<String>,
}

impl Expectation {
    /// Returns true if the expectation comes from a baseline.
    pub(crate) fn is_of_baseline(&self) -> bool {
        matches!(self.origin, Origin::Baseline { .. })
    }
}

/// The place where an expectation is written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Origin {
    /// A line of a configuration.
    Config {
        /// The path of the file.
        file: String,
        /// The line number, from 1.
        line: usize,
    },
    /// A comment on a line of a source file.
    Comment {
        /// The file, as the study names it.
        file: String,
        /// The line number, from 1.
        line: usize,
    },
    /// An option on the command line.
    CommandLine,
    /// The results of an earlier study.
    Baseline {
        /// The file of the baseline.
        file: String,
    },
}

/// The part of the program that an expectation is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "kind", content = "name", rename_all = "snake_case")]
pub enum Subject {
    /// The whole program.
    Program,
    /// The functions that match a word.
    Function(String),
    /// The function that begins on this line of a file.
    FunctionAt(String, u32),
    /// Every function of a file that takes at least 0.1 % of a run.
    File(String),
    /// A line, as `file:line`.
    Line(String),
    /// Every function that takes at least 0.1 % of a run, except those with these names and files.
    NewCode(#[serde(skip)] Vec<(String, String)>),
}

/// The limit of an expectation.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Limit {
    /// An upper limit on the growth of the cost.
    Growth {
        /// The limiting class: `<= n log n`.
        #[serde(serialize_with = "as_text")]
        #[cfg_attr(test, schemars(with = "String"))]
        limit: GrowthLimit,
    },
    /// An upper limit on cost, time or memory at one size.
    Cost {
        /// The quantity that is limited.
        #[cfg_attr(test, schemars(with = "String"))]
        measure: Measure,
        /// Features and values; a feature without a value follows the others.
        at: Vec<(String, f64)>,
        /// The greatest allowed value: in the study's unit, seconds or bytes.
        most: f64,
    },
}

fn as_text<S: Serializer>(limit: &GrowthLimit, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(limit)
}

/// The verdict on an expectation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Judgement {
    /// The program keeps to the expectation.
    Holds,
    /// The runs do not decide.
    Undecided,
    /// The study lacks the subject of the expectation.
    Unknown,
    /// The program does not keep to the expectation.
    Broken,
}

/// The judgement of an expectation at one place.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Judged {
    /// The expectation that was judged.
    pub expectation: Expectation,
    /// The verdict on the expectation.
    pub judgement: Judgement,
    /// The judged place; absent for the whole program, and if the place does not exist.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<JudgedPlace>,
    /// The findings at the place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<Found>,
    /// The reason why nothing was found, or why the findings decide nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// Runs that would help to decide.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<NextRuns>,
}

/// The findings at a place.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Found {
    /// The growth of the cost.
    Growth {
        /// The feature in which the cost grows.
        feature: String,
        /// The classes that the verdict names, in short: `n`, `n or n log n ?`.
        growth: String,
        /// The law, if it is decided.
        #[serde(skip_serializing_if = "Option::is_none")]
        formula: Option<String>,
    },
    /// The predicted cost, time or memory.
    Cost {
        /// The prediction in the unit of the limit: the study's unit, seconds or bytes.
        cost: f64,
        /// The interval of the prediction; `null` if unknown.
        ci: Option<[f64; 2]>,
    },
}

/// A reason why an expectation cannot be judged.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Reason {
    /// No function, file or line has this name.
    NoSuchPlace {
        /// Similar names, nearest first.
        nearest: Vec<String>,
    },
    /// The study lacks the feature.
    NoSuchFeature {
        /// The features that the study has.
        known: Vec<String>,
    },
    /// Too little of a baseline's cost is in functions that still exist.
    OtherCode {
        /// The share of the baseline's cost in existing functions, 0 to 1.
        known: f64,
    },
    /// No code costs more at some sizes than at others.
    NothingVaries {
        /// The feature that gives the sizes.
        feature: String,
    },
    /// The code exists, but no run executed it.
    NeverExecuted,
    /// The runs are too few, or have too few or too similar sizes.
    FewSizes {
        /// Number of different sizes.
        sizes: usize,
    },
    /// No law describes the cost.
    NoLaw,
    /// Nearly all of the time is spent in code that is not counted.
    Uncounted,
    /// Peak memory is known at fewer than four sizes of one feature, or nothing explains its growth.
    NoLine,
    /// No run was timed without counters, so time and memory are unknown.
    NotTimed,
    /// The predicted time is unreliable.
    Time {
        /// The reason for the doubt.
        doubt: TimeDoubt,
        /// The longest timed run, in seconds.
        longest: f64,
    },
    /// The growth is about that of the limit, and may exceed it by a log factor.
    WithinLog {
        /// The fastest class that the verdict allows, in `n`.
        fastest: String,
    },
    /// The verdict names classes within and beyond the limit, or the interval of the cost contains the limit.
    Open,
}

/// The name and version of the published format.
pub(crate) const SCHEMA: &str = "trend-prof/check/1";

/// The results of a check, in the shape of the machine-readable output.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Checked {
    /// The name and version of the format.
    pub schema: &'static str,
    /// The name of the program.
    pub program: String,
    /// The unit of costs.
    #[cfg_attr(test, schemars(with = "String"))]
    pub unit: Unit,
    /// Number of workloads with counts.
    pub workloads: usize,
    /// Number of workloads without counts because their runs failed.
    pub failed: usize,
    /// The worst judgement; `holds` without expectations.
    pub judgement: Judgement,
    /// Number of judgements that hold.
    pub holds: usize,
    /// Number of broken judgements.
    pub broken: usize,
    /// Number of undecided judgements.
    pub undecided: usize,
    /// Number of judgements whose subject the study lacks.
    pub unknown: usize,
    /// The judgements, worst first.
    pub expectations: Vec<Judged>,
}

impl Checked {
    /// Sorts and counts the judgements that were made with these findings.
    pub fn new(findings: &Findings, mut expectations: Vec<Judged>) -> Self {
        expectations.sort_by_key(|judged| Reverse(judged.judgement));
        let count = |judgement| expectations.iter().filter(|judged| judged.judgement == judgement).count();
        Self {
            schema: SCHEMA,
            program: findings.program.name.clone(),
            unit: findings.unit.clone(),
            workloads: findings.workloads.count,
            failed: findings.workloads.failed,
            judgement: expectations.first().map_or(Judgement::Holds, |worst| worst.judgement),
            holds: count(Judgement::Holds),
            broken: count(Judgement::Broken),
            undecided: count(Judgement::Undecided),
            unknown: count(Judgement::Unknown),
            expectations,
        }
    }
}

/// Returns the words that expectations use for rows. These rows get full attention through
/// [`Options::full_meant`](crate::Options::full_meant).
pub fn words(expectations: &[Expectation]) -> Vec<String> {
    let word = |expectation: &Expectation| match &expectation.subject {
        Subject::Function(word) | Subject::File(word) | Subject::Line(word) => Some(word.clone()),
        Subject::FunctionAt(file, _) => Some(file.clone()),
        Subject::Program | Subject::NewCode(_) => None,
    };
    let mut words: Vec<String> =
        expectations.iter().filter(|expectation| !expectation.is_of_baseline()).filter_map(word).collect();
    words.sort_unstable();
    words.dedup();
    words
}

#[cfg(test)]
mod baseline_tests;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;
