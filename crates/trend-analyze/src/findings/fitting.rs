//! The largest inputs that stay within a limit.

use serde::Serialize;

/// A limit for a run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RunLimit {
    /// CPU time in seconds.
    Seconds(f64),
    /// Peak memory of the process in bytes.
    Bytes(u64),
}

impl RunLimit {
    /// Returns the limit in seconds, if it is one of time.
    pub(crate) fn seconds(&self) -> Option<f64> {
        match *self {
            Self::Seconds(seconds) => Some(seconds),
            Self::Bytes(_) => None,
        }
    }

    /// Returns the limit in bytes, if it is one of memory.
    pub(crate) fn bytes(&self) -> Option<u64> {
        match *self {
            Self::Seconds(_) => None,
            Self::Bytes(bytes) => Some(bytes),
        }
    }

    /// Returns the limit as a number of its unit.
    pub(crate) fn amount(self) -> f64 {
        match self {
            Self::Seconds(seconds) => seconds,
            Self::Bytes(bytes) => bytes as f64,
        }
    }
}

/// The largest input whose run stays within a limit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FittingSize {
    /// The greatest time or memory that the run may take.
    pub limit: RunLimit,
    /// The largest size by the law, in two digits.
    pub size: f64,
    /// The largest size for which the whole interval is within the limit, in two digits; `null` if the interval is
    /// unknown there, or exceeds the limit at all sizes that were run.
    pub at_least: Option<f64>,
}
