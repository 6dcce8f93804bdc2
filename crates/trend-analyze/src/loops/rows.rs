//! What an analysis says of loops, in the shape of the machine-readable output.

use serde::Serialize;
use trend_profile::LoopInputKind;

use crate::Doubt;

/// How well the trips of a loop are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum LoopStatus {
    /// The formula gives every point but those that are named.
    Exact,
    /// A model of the usual kind: inputs decide, and no formula of the family gives the points. Models of two thirds of them give
    /// the others. Or a logarithm of which no run decides how it is rounded.
    Fitted,
    /// Every activation had as many trips. No formula: what decides them had one value, or did not matter in any run.
    Constant,
    /// Inputs do not decide: the data do.
    Symbolic,
    /// Never run, or at too few different inputs.
    Unknown,
}

/// An input of a loop, over all runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct LoopInputRow {
    /// In the program's words.
    pub name: String,
    /// What it is.
    #[cfg_attr(test, schemars(with = "String"), ts(type = "string"))]
    pub kind: LoopInputKind,
    /// The line of the loop around this one whose counter it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counter_of: Option<u32>,
    /// Whether it can change from trip to trip, so that no value of it is known: the loop is decided by data.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub changes: bool,
    /// The least value; absent where it is not an integer, or the loop never ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least: Option<i64>,
    /// The greatest value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub greatest: Option<i64>,
    /// How its greatest value in a run depends on a feature of the runs: `≈ 0.024·bytes`; absent where no law is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relation: Option<LoopRelation>,
}

/// How well a law of a feature is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum RelationStatus {
    /// It is right in every run.
    Exact,
    /// The data decide for one class of growth.
    Decided,
    /// It is one of several classes.
    Several,
    /// The runs are too few for an interval.
    Undecided,
}

/// A value in a program as a law of a feature of the runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct LoopRelation {
    /// The feature.
    pub feature: String,
    /// The law: `n`, `0.0244·bytes`.
    pub formula: String,
    /// How well it is known.
    pub status: RelationStatus,
    /// What it comes to at the points that predictions are for; `null` where the point says nothing of the feature, and where
    /// the runs are too few for an interval.
    pub at: Vec<Option<f64>>,
    /// The interval of each, as that of any other row; empty where the law is exact.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ci: Vec<Option<[f64; 2]>>,
    /// What makes it doubtful.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doubts: Vec<Doubt>,
}

/// A combination of inputs at which a formula is not right.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct OffPoint {
    /// The inputs, in order.
    pub inputs: Vec<i64>,
    /// The trips; the least where activations differ.
    pub trips: u64,
    /// What the formula gives; absent where it has no value.
    pub expected: Option<u64>,
}

/// The trips of a loop.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct LoopTrips {
    /// In the inputs; where it is below 0, there are none. Absent where it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formula: Option<String>,
    /// How well it is known.
    pub status: LoopStatus,
    /// At how many different inputs the loop was seen.
    pub points: usize,
    /// At how many of them the formula is not right.
    pub off: usize,
    /// The first of those.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub off_points: Vec<OffPoint>,
    /// What the trips never exceeded, where there is no formula.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<String>,
    /// Whether another formula as simple is right as well, as inputs were always equal.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ambiguous: bool,
}

/// How often a loop is run through in one call of its function.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct LoopCallTrips {
    /// The formula: `½n² − ½n`.
    pub formula: String,
    /// `exact` where it was compared with what was measured, or follows from exact laws; `symbolic` where it has symbols for
    /// what is not known, or is only an upper bound.
    pub status: LoopStatus,
    /// How many measured activations of outer loops confirm it.
    pub compared: usize,
    /// Whether it is at most this.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub at_most: bool,
}

/// A loop of the program.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct LoopRow {
    /// The function, as a person knows it.
    pub function: String,
    /// The source file.
    pub file: String,
    /// The line of its header.
    pub line: u32,
    /// Which of several loops of its function on this line it is, from 2 on; absent of the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u32>,
    /// Its last line, for drawing: as its text is indented, or else the last line of a loop or a call in it.
    pub last_line: u32,
    /// 1 for a loop in no other.
    pub depth: u32,
    /// The line of the loop around it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<u32>,
    /// What decides its trips.
    pub inputs: Vec<LoopInputRow>,
    /// Its trips in one activation.
    pub trips: LoopTrips,
    /// Its trips in one call of the function.
    pub in_call: LoopCallTrips,
    /// How its trips in a run depend on a feature of the runs, in whatever words its own formula is; absent where no law is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_run: Option<LoopRelation>,
    /// How one activation grows at most, with the loops and calls in it.
    pub o: String,
    /// How it grows at least.
    pub omega: String,
    /// Whether it can be passed over or left early.
    pub conditional: bool,
    /// How often it was entered; exact. `null` where that was not counted: a loop whose trips the compiler knows is not watched,
    /// and nothing that is counted around it or inside it says how often it was entered.
    pub activations: Option<u64>,
    /// Trips of all activations; exact. `null` where these were not counted.
    pub total: Option<u64>,
    /// The fewest trips of an activation; exact.
    pub least: u64,
    /// The most trips of an activation; exact.
    pub greatest: u64,
    /// The part of the activations whose inputs were kept, where it is not all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sampled: Option<f64>,
    /// Where the formula is right at all of that part: at 95 % confidence, no larger part of all activations has other trips.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sampled_error: Option<f64>,
    /// The trips of the activation with the greatest inputs at the points that predictions are for, by formula and
    /// relations; empty where these are not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub predicted: Vec<Option<f64>>,
    /// Runs in which the formula at the greatest inputs is not the greatest number of trips: inputs are not greatest
    /// together there, and predictions may be wrong.
    #[serde(default, skip_serializing_if = "is_none")]
    pub mispredicted: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_none(count: &usize) -> bool {
    *count == 0
}

/// What the loops of a function come to.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct LoopFunctionRow {
    /// The function, as a person knows it.
    pub name: String,
    /// The source file.
    pub file: String,
    /// The line where it begins.
    pub line: u32,
    /// The trips of all its loops in one call, where all are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trips: Option<String>,
    /// How a call grows at most, with the functions that it calls.
    pub o: String,
    /// How it grows at least.
    pub omega: String,
    /// Both as one expression: `n ⊕ n²` where the first is certain and the second possible.
    pub bounds: String,
    /// The recurrence of a function that calls itself: `T(n) = 2·T(n/2) + n`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recurrence: Option<String>,
}
