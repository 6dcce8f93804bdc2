//! The results of the loop analysis, in the shape of the machine-readable output.

use serde::Serialize;
use trend_profile::LoopInputKind;

use super::doubt::Doubt;

/// The certainty of a loop's trips.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum LoopStatus {
    /// The formula is right at every point.
    Exact,
    /// The formula is right at every point except the listed ones, or another one is as simple and right as well. Without
    /// a formula, a usual growth model fits: models of two thirds of the points predict the rest.
    Fitted,
    /// Every activation had the same number of trips. A formula is unknown: the inputs that decide had one value, or
    /// did not matter in any run.
    Constant,
    /// The data decide the trips, not the inputs.
    Symbolic,
    /// The loop never ran, or ran with too few different inputs.
    Unknown,
}

/// An input of a loop, over all runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LoopInputRow {
    /// The name in the program's words.
    pub name: String,
    /// The kind of input.
    #[cfg_attr(test, schemars(with = "String"))]
    pub kind: LoopInputKind,
    /// The line of the enclosing loop, if the input is the counter of that loop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counter_of: Option<u32>,
    /// True if the input can change from trip to trip. Its value is then unknown: data decide the loop.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub changes: bool,
    /// The least value; absent if the input is not an integer or the loop never ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least: Option<i64>,
    /// The greatest value; absent if the input is not an integer or the loop never ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub greatest: Option<i64>,
    /// The relation of its greatest value in a run to a feature of the runs: `≈ 0.024·bytes`; absent if no law is
    /// known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relation: Option<LoopRelation>,
}

/// The certainty of a relation to a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum RelationStatus {
    /// The law is right in every run.
    Exact,
    /// The data decide for one growth class.
    Decided,
    /// The law is in one of several growth classes.
    Several,
    /// The runs are too few for an interval.
    Undecided,
}

/// The value of a program quantity as a law of a feature of the runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LoopRelation {
    /// The name of the feature, or the names of several: `m, n`.
    pub feature: String,
    /// The formula of the law: `n`, `m·n`, `0.0244·bytes`.
    pub formula: String,
    /// The certainty of the law.
    pub status: RelationStatus,
    /// The predicted value at each prediction point; `null` if the point lacks the feature or the runs are too few for
    /// an interval.
    pub at: Vec<Option<f64>>,
    /// The interval of each predicted value, as for any other row; empty if the law is exact.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ci: Vec<Option<[f64; 2]>>,
    /// Reasons to doubt the law.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doubts: Vec<Doubt>,
}

/// A combination of inputs at which a formula is wrong.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct OffPoint {
    /// The inputs, in order.
    pub inputs: Vec<i64>,
    /// The trips; the fewest if activations differ.
    pub trips: u64,
    /// The trips according to the formula; absent if the formula has no value.
    pub expected: Option<u64>,
}

/// The trips of a loop in one activation.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LoopTrips {
    /// The formula in the inputs; a value below 0 means no trips. Absent if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formula: Option<String>,
    /// The certainty of the trips.
    pub status: LoopStatus,
    /// Number of different input combinations observed.
    pub points: usize,
    /// Number of these combinations at which the formula is wrong.
    pub off: usize,
    /// The first combinations at which the formula is wrong.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub off_points: Vec<OffPoint>,
    /// An upper bound that the trips never exceeded, if there is no formula.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<String>,
    /// Trips that the code states, and that an activation contradicts: a counter that wraps around, or a value that is
    /// changed elsewhere. Absent if there is no contradiction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refuted: Option<String>,
    /// True if another formula, equally simple, fits as well because inputs were always equal.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ambiguous: bool,
}

/// The trips of a loop in one call of its function.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LoopCallTrips {
    /// The formula: `½n² − ½n`.
    pub formula: String,
    /// `exact` if the formula was compared with measurements or follows from exact laws: it is right at any combination
    /// of its names. `fitted` if it is interpolated, and right in the runs. `symbolic` if it has symbols for unknown
    /// quantities or is only an upper bound.
    pub status: LoopStatus,
    /// Number of measured activations of outer loops that confirm the formula.
    pub compared: usize,
    /// Names in the formula that no run varied independently: they had one value, or moved together with another name
    /// in all runs. The formula holds for them as far as the code states it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub together: Vec<String>,
    /// True if the formula is an upper bound.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub at_most: bool,
}

/// A loop of the program.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LoopRow {
    /// The readable (demangled) name of the function.
    pub function: String,
    /// The source file that contains the loop.
    pub file: String,
    /// The line of its header.
    pub line: u32,
    /// The ordinal of the loop among the loops of its function on this line, 2 or more; absent for the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u32>,
    /// The last line of the loop, for drawing. It follows from the indentation of the source, or else from the last
    /// loop or call inside.
    pub last_line: u32,
    /// The nesting depth; 1 for an outermost loop.
    pub depth: u32,
    /// The line of the enclosing loop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<u32>,
    /// The inputs that decide the trips.
    pub inputs: Vec<LoopInputRow>,
    /// The trips in one activation.
    pub trips: LoopTrips,
    /// The trips in one call of the function.
    pub in_call: LoopCallTrips,
    /// The relation of all trips in a run to a feature of the runs, independent of the names in the loop's own formula;
    /// absent if no law is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_run: Option<LoopRelation>,
    /// Upper bound on the growth of one activation, with the loops and calls inside.
    pub o: String,
    /// Lower bound on the growth of one activation.
    pub omega: String,
    /// True if the loop may be skipped or left early.
    pub conditional: bool,
    /// Number of activations; exact. `null` if unknown. A loop whose trips the compiler knows is not watched, and no
    /// count around it or inside it may determine its activations. A cycle with several entries is not counted.
    pub activations: Option<u64>,
    /// The trips of all activations; exact. `null` if they were not counted.
    pub total: Option<u64>,
    /// The fewest trips of an activation; exact.
    pub least: u64,
    /// The most trips of an activation; exact.
    pub greatest: u64,
    /// The share of activations whose inputs were kept; absent if all were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sampled: Option<f64>,
    /// The largest share of all activations with other trips than the formula gives, at 95 % confidence. Set for a
    /// sampled loop whose formula is right at all kept activations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sampled_error: Option<f64>,
    /// The predicted trips of the activation with the greatest inputs at each prediction point. They follow from the
    /// formula and the relations; empty if these are unknown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub predicted: Vec<Option<f64>>,
    /// Number of runs in which the formula at the greatest inputs differs from the greatest number of trips. The
    /// greatest inputs do not occur together there, and predictions may be wrong.
    #[serde(default, skip_serializing_if = "is_none")]
    pub mispredicted: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_none(count: &usize) -> bool {
    *count == 0
}

/// The trips and the growth of a function's loops.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LoopFunctionRow {
    /// The readable (demangled) name of the function.
    pub name: String,
    /// The source file that contains the function.
    pub file: String,
    /// The first line of the function.
    pub line: u32,
    /// The trips of all loops in one call; absent unless all are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trips: Option<String>,
    /// These trips as a formula of features; absent unless each of their names has an exact relation to features.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trips_in_features: Option<String>,
    /// Upper bound on the growth of a call, with the functions that it calls.
    pub o: String,
    /// Lower bound on the growth of a call.
    pub omega: String,
    /// Both bounds as one expression: `n ⊕ n²` if the first is certain and the second possible.
    pub bounds: String,
    /// The recurrence of a function that calls itself: `T(n) = 2·T(n/2) + n`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recurrence: Option<String>,
    /// The number of loops that no run entered. The bounds leave them out, with everything in them.
    pub never_ran: usize,
}
