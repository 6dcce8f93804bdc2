//! The effect of a change on a cost.

use serde::Serialize;

/// Smallest factor that matters, up or down. A smaller change is not worth undoing.
pub(super) const MATTERS: f64 = 1.05;

/// Smallest share of the whole at the target for which a row can decide.
pub(super) const WORTHWHILE: f64 = 0.001;

/// The effect of a change on a cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// The cost is certainly higher, by a factor that matters.
    Worse,
    /// The cost is certainly lower, by a factor that matters.
    Better,
    /// No change that matters is possible.
    Same,
    /// The data leave it open.
    Open,
}

impl Effect {
    /// Returns the effect for an interval of a ratio. A change matters if its factor is at least `matters`.
    pub(super) fn from_interval(ci: Option<[f64; 2]>, matters: f64) -> Self {
        match ci {
            Some([low, _]) if low >= matters => Self::Worse,
            Some([_, high]) if high <= 1.0 / matters => Self::Better,
            Some([low, high]) if low > 1.0 / matters && high < matters => Self::Same,
            _ => Self::Open,
        }
    }
}
