//! Axes: they map values to positions between 0 and 1, and choose the ticks.
//!
//! Every position is finite and between 0 and 1, even for no values, for a single one, and for values from 1e-300 to
//! 1e300.

use super::number;

/// Margin at both ends of an axis, as a fraction of its length.
const MARGIN: f64 = 0.04;

/// Minimum number of decades that an axis spans. On a shorter axis, noise on a constant would fill the plot.
const LEAST_DECADES: f64 = 0.1;

/// A labelled position on an axis.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tick {
    /// Position on the axis, between 0 and 1.
    pub(crate) position: f64,
    pub(crate) label: String,
}

/// A logarithmic scale with its ticks.
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    /// Decimal logarithm of the value at position 0.
    lo: f64,
    /// Decimal logarithm of the value at position 1; above `lo`.
    hi: f64,
    pub(crate) ticks: Vec<Tick>,
}

impl Axis {
    /// Returns a logarithmic axis over the positive finite values. It has about `count` ticks, at powers of ten or, if
    /// it spans few decades, at 1-2-5.
    pub(crate) fn logarithmic(values: impl Iterator<Item = f64>, count: usize) -> Self {
        let logs = values.filter(|v| *v > 0.0 && v.is_finite()).map(f64::log10);
        let (lo, hi) = extent(logs, LEAST_DECADES);
        let mut axis = Self { lo, hi, ticks: Vec::new() };
        axis.ticks = logarithmic_ticks(lo, hi, count)
            .into_iter()
            .map(|v| Tick { position: axis.position(v).unwrap_or(0.0), label: number::tick(v) })
            .collect();
        axis
    }

    /// Returns the position of a value, between 0 and 1. Returns `None` if the value is not finite, not positive, or
    /// outside the axis.
    pub(crate) fn position(&self, value: f64) -> Option<f64> {
        // Rounding may put an end slightly outside.
        let position = (value.log10() - self.lo) / (self.hi - self.lo);
        (position.is_finite() && (-1e-6..=1.0 + 1e-6).contains(&position)).then(|| position.clamp(0.0, 1.0))
    }

    /// Returns the position of a value. A value outside the axis gets the nearest end; only NaN gives `None`.
    pub(crate) fn nearest(&self, value: f64) -> Option<f64> {
        let position = (value.max(f64::MIN_POSITIVE).log10() - self.lo) / (self.hi - self.lo);
        (!position.is_nan()).then(|| position.clamp(0.0, 1.0))
    }

    /// Returns the value at a position.
    pub(crate) fn value(&self, position: f64) -> f64 {
        10_f64.powf(self.lo + position * (self.hi - self.lo))
    }
}

/// Returns the range of the values with a margin, at least `least` wide. Without values, the range covers 0 to 1.
fn extent(values: impl Iterator<Item = f64>, least: f64) -> (f64, f64) {
    let (lo, hi) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), v| (lo.min(v), hi.max(v)));
    let (lo, hi) = if lo <= hi { (lo, hi) } else { (0.0, 1.0) };
    let widened = ((least - (hi - lo)) / 2.0).max(0.0);
    let margin = (hi - lo).max(least) * MARGIN;
    (lo - widened - margin, hi + widened + margin)
}

/// Returns the powers of ten, thinned out to about `count`. If there are fewer than three, returns finer steps (1-2-5),
/// and as a last resort both ends.
fn logarithmic_ticks(lo: f64, hi: f64, count: usize) -> Vec<f64> {
    let count = count.max(2);
    let inside = |v: &f64| (lo..=hi).contains(&v.log10()) && v.is_finite() && *v > 0.0;
    let decades = lo.floor() as i32..=hi.ceil() as i32;
    let powers: Vec<f64> = decades.clone().map(|d| 10_f64.powi(d)).filter(inside).collect();
    if powers.len() >= 3 || powers.len() >= count {
        let every = powers.len().div_ceil(count).max(1);
        return powers.into_iter().step_by(every).collect();
    }
    for steps in [&[1.0, 2.0, 5.0][..], &[1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]] {
        let ticks: Vec<f64> = decades
            .clone()
            .flat_map(|d| steps.iter().map(move |s| s * 10_f64.powi(d)))
            .filter(inside)
            .collect();
        if ticks.len() >= 2 {
            let every = ticks.len().div_ceil(count + 1).max(1);
            return ticks.into_iter().step_by(every).collect();
        }
    }
    let margin = (hi - lo) * MARGIN;
    [lo + margin, hi - margin].map(|v| number::rounded(10_f64.powf(v), 3)).to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(values: &[f64]) -> Vec<String> {
        let axis = Axis::logarithmic(values.iter().copied(), 5);
        axis.ticks.into_iter().map(|t| t.label).collect()
    }

    #[test]
    fn ticks_are_powers_of_ten_or_1_2_5() {
        assert_eq!(labels(&[60.0, 60_000.0]), ["100", "1000", "10 k"]);
        assert_eq!(labels(&[90.0, 1100.0]), ["100", "200", "500", "1000"]);
        assert_eq!(labels(&[1.0, 1e300]).len(), 5);
    }

    #[test]
    fn an_axis_over_degenerate_data_is_still_an_axis() {
        for values in [&[][..], &[5.0], &[0.0, -1.0], &[f64::NAN, f64::INFINITY], &[1e-300, 1e300], &[7.0; 9]]
        {
            let axis = Axis::logarithmic(values.iter().copied(), 5);
            assert!(axis.lo < axis.hi && axis.ticks.len() >= 2, "{values:?} {axis:?}");
            assert!(axis.ticks.iter().all(|t| (0.0..=1.0).contains(&t.position)), "{axis:?}");
            assert_eq!(axis.position(0.0), None);
        }
    }
}
