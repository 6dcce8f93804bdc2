//! A confidence interval as data. This module computes none.

/// A confidence interval, both ends included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub lo: f64,
    /// Upper end, at least as large as the lower end.
    pub hi: f64,
    /// Confidence level, such as 0.95.
    pub level: f64,
}

impl Interval {
    /// Returns true if `value` is in the interval, ends included.
    pub fn contains(&self, value: f64) -> bool {
        self.lo <= value && value <= self.hi
    }

    /// Returns the image under a monotonically increasing function.
    pub(crate) fn map(self, f: impl Fn(f64) -> f64) -> Self {
        Self { lo: f(self.lo), hi: f(self.hi), level: self.level }
    }
}
