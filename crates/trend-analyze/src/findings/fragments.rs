//! The time at the target by the user's formulas and a machine's constants.

use serde::Serialize;

/// CPU time by formulas.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FragmentsOutlook {
    /// The predicted time in seconds.
    pub seconds: f64,
    /// Its interval, from the least and the greatest value of every constant.
    pub ci: [f64; 2],
    /// The processor on which the constants were measured.
    pub cpu: String,
    /// The constants that were only measured with smaller working sets than their fragments have here.
    pub beyond: Vec<String>,
    /// The time of each constant, the most first.
    pub parts: Vec<FragmentPart>,
}

/// Time of one constant's fragment.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FragmentPart {
    /// Name of the constant.
    pub constant: String,
    /// Number of executions of its fragment.
    pub times: f64,
    /// Time of these executions, in seconds.
    pub seconds: f64,
    /// The working set of the fragment, in bytes; `null` if no formula gives it.
    pub memory_bytes: Option<f64>,
}
