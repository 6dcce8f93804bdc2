//! What a program's growth is held to, and whether it keeps to it.
//!
//! An [`Expectation`] comes from a configuration, from a comment beside the code ([`in_sources`]) or from laws that were
//! kept of an earlier study ([`Baseline`]). [`judge`] compares each with the same findings that every other output shows: a
//! row grows here as its verdict says there.
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

pub use against::Against;
pub use baseline::{Baseline, BaselineError};
pub use comments::{BadComment, CommentError, in_sources};
pub use judge::judge;
pub use limit::{BadLimit, GrowthLimit};

use std::cmp::Reverse;

use serde::{Serialize, Serializer};
use trend_profile::{Measure, Unit};

use crate::{Findings, NextRuns, TimeDoubt};

/// What some part of the program is held to.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Expectation {
    /// Where it is written.
    pub origin: Origin,
    /// What it is about.
    pub subject: Subject,
    /// What is expected.
    pub limit: Limit,
    /// The feature in which it grows; by default the study's first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub feature: Option<String>,
}

impl Expectation {
    /// True if it comes from a baseline.
    pub(crate) fn is_of_baseline(&self) -> bool {
        matches!(self.origin, Origin::Baseline { .. })
    }
}

/// Where an expectation is written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Origin {
    /// In a configuration, on this line.
    Config {
        /// The file.
        file: String,
        /// From 1.
        line: usize,
    },
    /// In a comment of a source file, on this line.
    Comment {
        /// The file, as the study names it.
        file: String,
        /// From 1.
        line: usize,
    },
    /// On the command line.
    CommandLine,
    /// It is what an earlier study found.
    Baseline {
        /// The file of the baseline.
        file: String,
    },
}

/// What an expectation is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "kind", content = "name", rename_all = "snake_case")]
pub enum Subject {
    /// The whole program.
    Program,
    /// The functions that a word means.
    Function(String),
    /// The function that begins on this line of a file.
    FunctionAt(String, u32),
    /// Every function of a file that takes at least 0.1 % of a run.
    File(String),
    /// A line, as `file:line`.
    Line(String),
    /// Every function that takes at least 0.1 % of a run, but those of these names and files.
    NewCode(#[serde(skip)] Vec<(String, String)>),
}

/// What is expected.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Limit {
    /// That the cost grows no faster.
    Growth {
        /// Than this: `<= n log n`.
        #[serde(serialize_with = "as_text")]
        #[cfg_attr(test, schemars(with = "String"))]
        limit: GrowthLimit,
    },
    /// That it costs, takes or needs no more at a size.
    Cost {
        /// Of what.
        #[cfg_attr(test, schemars(with = "String"))]
        measure: Measure,
        /// Features and values; what is not given goes along with the others.
        at: Vec<(String, f64)>,
        /// The most that is allowed: in the study's unit, seconds or bytes.
        most: f64,
    },
}

fn as_text<S: Serializer>(limit: &GrowthLimit, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(limit)
}

/// Whether an expectation is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Judgement {
    /// It is.
    Holds,
    /// The runs do not decide it.
    Undecided,
    /// The study has nothing of what it is about.
    Unknown,
    /// It is not.
    Broken,
}

/// What came of an expectation for one place.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Judged {
    /// What was expected.
    pub expectation: Expectation,
    /// Whether it is kept.
    pub judgement: Judgement,
    /// Where in the program that is; absent of the whole program and where there is no such place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<JudgedPlace>,
    /// What was found there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<Found>,
    /// Why nothing was found, or what was found decides nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// Which runs would tell more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<NextRuns>,
}

/// A place in the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct JudgedPlace {
    /// The function's name, or `file:line`.
    pub name: String,
    /// The source file; empty where it is not known.
    pub file: String,
    /// The line on which it begins; 0 where it is not known.
    pub line: u32,
}

/// What was found of a place.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Found {
    /// How its cost grows.
    Growth {
        /// In which feature.
        feature: String,
        /// The classes that the verdict names, in short: `n`, `n or n log n ?`.
        growth: String,
        /// The law, where it is decided.
        #[serde(skip_serializing_if = "Option::is_none")]
        formula: Option<String>,
    },
    /// What it is predicted to cost, take or need.
    Cost {
        /// The cost: in the study's unit, seconds or bytes, as its limit.
        cost: f64,
        /// Its interval; `null` where there is none.
        ci: Option<[f64; 2]>,
    },
}

/// Why an expectation cannot be judged.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Reason {
    /// No function, file or line is called so.
    NoSuchPlace {
        /// Names that are like it, nearest first.
        nearest: Vec<String>,
    },
    /// The study has no such feature.
    NoSuchFeature {
        /// What it has.
        known: Vec<String>,
    },
    /// Too little of a baseline's cost is in functions that are still there.
    OtherCode {
        /// The part that is, 0 to 1.
        known: f64,
    },
    /// Nothing in the program costs more at some sizes than at others.
    NothingVaries {
        /// The feature that the sizes are of.
        feature: String,
    },
    /// It is there, and no run executed it.
    NeverExecuted,
    /// There are too few runs, or they are of too few or too similar sizes.
    FewSizes {
        /// How many different sizes.
        sizes: usize,
    },
    /// No law describes its cost.
    NoLaw,
    /// Nearly all of the time goes by in code that is not counted.
    Uncounted,
    /// Peak memory is not known at four sizes of one feature, or nothing explains how it grows.
    NoLine,
    /// No run was timed without counters, which says how long it takes and what memory it needs.
    NotTimed,
    /// The time cannot be relied on.
    Time {
        /// Why.
        doubt: TimeDoubt,
        /// The longest run that was timed, in seconds.
        longest: f64,
    },
    /// The verdict names classes within and beyond the limit, or the interval of the cost contains it.
    Open,
}

/// The name and version of the published format.
pub(crate) const SCHEMA: &str = "trend-prof/check/1";

/// What came of all expectations, in the shape of the machine-readable output.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Checked {
    /// The name and version of the format.
    pub schema: &'static str,
    /// The program's name.
    pub program: String,
    /// What costs are counted in.
    #[cfg_attr(test, schemars(with = "String"))]
    pub unit: Unit,
    /// How many workloads have counts.
    pub workloads: usize,
    /// How many have none, as their runs failed.
    pub failed: usize,
    /// The worst judgement of all; without expectations they hold.
    pub judgement: Judgement,
    /// How many hold.
    pub holds: usize,
    /// How many are broken.
    pub broken: usize,
    /// How many are not decided.
    pub undecided: usize,
    /// How many are about what the study does not have.
    pub unknown: usize,
    /// Each of them, the worst first.
    pub expectations: Vec<Judged>,
}

impl Checked {
    /// What was judged by these findings.
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

/// The words that rows have to be meant by to get full attention, for
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
mod tests;
