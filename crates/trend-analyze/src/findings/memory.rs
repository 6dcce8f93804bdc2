//! Memory: the peak of the process at the target, and the lines that allocate it.

use serde::Serialize;
use trend_answer::Outlook;
use trend_model::MemoryCurve;
use trend_profile::MemoryMeasure;

use super::fitting::FittingSize;
#[cfg(test)]
use super::published::WithLaw;
use super::published::with_law;
use super::row::Row;

/// Peak memory of the process at a point: the most that is resident at one moment, including code, stack and memory
/// that the allocator keeps.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MemoryOutlook {
    /// The predicted peak in bytes.
    pub bytes: f64,
    /// Interval of that peak.
    pub ci: [f64; 2],
    /// Bytes that every run takes.
    pub constant: f64,
    /// Additional bytes per unit of the size.
    pub per_unit: f64,
    /// Additional bytes per unit of a power of the size; 0 if a line fits.
    pub per_power: f64,
    /// The exponent of that power.
    pub exponent: f64,
    /// Curves given by these four numbers. Beyond the largest run, memory lies above the lowest of the first list and
    /// below the highest of the second.
    pub bounds: [Vec<[f64; 4]>; 2],
    /// Sizes that were run, ascending, each with the ends of the interval of its bytes. Between sizes, memory lies
    /// between the lower end of the next smaller size, or 0, and the upper end of the next larger one.
    pub known: Vec<[f64; 3]>,
    /// The memory of the target machine, in bytes; `null` if unknown.
    pub machine_bytes: Option<u64>,
    /// The largest size, in two digits, whose run fits into that machine; `null` if memory does not grow.
    pub fits_up_to: Option<f64>,
    /// The largest sizes within the amounts of memory of [`Options::within`](crate::Options::within) and the memory of
    /// that machine, by rising amount, for those amounts that some run takes.
    pub fits: Vec<FittingSize>,
    /// Reasons not to trust the prediction; empty if there are none.
    pub doubts: Vec<MemoryDoubt>,
}

impl MemoryOutlook {
    /// Returns the curve that predicts memory at any size.
    pub(crate) fn curve(&self) -> MemoryCurve {
        let Self { constant, per_unit, per_power, exponent, .. } = *self;
        MemoryCurve { constant, per_unit, per_power, exponent }
    }
}

/// Reason not to trust a prediction of peak memory.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum MemoryDoubt {
    /// It grows in steps, like an array that doubles when it is full.
    Steps,
    /// It grows faster than a line, or in steps.
    Faster,
    /// A line explains the sizes that were run, but other shapes do as well. A run of this size may decide.
    MayStep(f64),
}

/// Memory that a line allocated. Each row has the numbers of whole runs.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MemoryLine {
    /// `file:line`; the function's name if lines are unknown, and `other code` for code that is not the program's own.
    pub name: String,
    /// The function; empty if unknown.
    pub function: String,
    /// The source file; empty if unknown.
    pub file: String,
    /// The line number; 0 if unknown.
    pub line: u32,
    /// Number of its allocations.
    #[serde(serialize_with = "with_law")]
    #[cfg_attr(test, schemars(with = "WithLaw<'static, Row>"))]
    pub allocations: Row,
    /// Total bytes of all allocations.
    #[serde(serialize_with = "with_law")]
    #[cfg_attr(test, schemars(with = "WithLaw<'static, Row>"))]
    pub asked: Row,
    /// Maximum bytes that were allocated at one moment.
    #[serde(serialize_with = "with_law")]
    #[cfg_attr(test, schemars(with = "WithLaw<'static, Row>"))]
    pub most: Row,
    /// Bytes that were allocated at the heap's peak, when the program had the most allocated.
    #[serde(serialize_with = "with_law")]
    #[cfg_attr(test, schemars(with = "WithLaw<'static, Row>"))]
    pub at_peak: Row,
    /// Bytes that were still allocated when the program ended.
    #[serde(serialize_with = "with_law")]
    #[cfg_attr(test, schemars(with = "WithLaw<'static, Row>"))]
    pub left: Row,
}

impl MemoryLine {
    /// Returns the line's row for a measure.
    pub fn row(&self, measure: MemoryMeasure) -> &Row {
        match measure {
            MemoryMeasure::Allocations => &self.allocations,
            MemoryMeasure::Asked => &self.asked,
            MemoryMeasure::Most => &self.most,
            MemoryMeasure::AtPeak => &self.at_peak,
            MemoryMeasure::Left => &self.left,
        }
    }

    /// Returns true if it is a line, or at least a function, of the program's own.
    pub fn is_own(&self) -> bool {
        !self.function.is_empty() || self.line > 0
    }
}

/// The line that the answer names because it holds memory.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MemoryHolder {
    /// The line's name, as in [`MemoryLine::name`].
    pub name: String,
    /// The function; empty if unknown.
    pub function: String,
    /// Its share of the bytes at the heap's peak, in the run with the highest peak, 0 to 1.
    pub share: f64,
    /// The growth class of its maximum bytes. If the class is undecided but certainly faster than the input, the
    /// slowest and the fastest class; `null` if unknown.
    pub growth: Option<String>,
    /// The feature that this growth is in; `null` if the growth is undecided.
    pub feature: Option<String>,
    /// Its predicted maximum bytes at one moment at the answer's target, as in its row; absent without a prediction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub then: Option<Outlook>,
}
