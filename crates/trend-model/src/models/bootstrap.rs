//! Bootstrap intervals. Refits many rows of costs to all resamples at once, as one matrix product. This module draws
//! nothing and chooses no seeds: [`Resamples`] does.
//!
//! ```text
//!   columns × points              points × resamples             columns × resamples
//!   1   1   1   1                 1  0                           Σw
//!   u   ·   ·   ·                 0  1                           Σwu
//!   u²  ·   ·   ·         ×       2  1   …                 =     Σwu²        …       ──▶ lines ──▶ the middle 95 %
//!   v₁  ·   ·   ·                 1  2                           Σwv₁
//!   uv₁ ·   ·   ·                                                Σwuv₁
//! ```
//!
//! The first three columns belong to the feature and serve all rows that use the same points. A cost of zero leaves its
//! point out; the columns are 0 there, and rows with the same zeros share them. The other columns are the *residuals* v
//! of the fit to all points. The product then contains only the difference that a resample makes: nothing cancels, and
//! data without noise has intervals without width.

use super::axes::{Axes, LineIntervals};
use crate::error::FitError;
use crate::lines::line::Line;
use crate::lines::weighted_line::WeightedLine;
use crate::statistics::interval::Interval;
use crate::statistics::order_statistics::percentiles;
use crate::statistics::resamples::Resamples;

/// Fraction of Σu² below which the variance of u may be pure rounding.
const CANCELLATION: f64 = 1e-6;

/// Returns bootstrap percentile intervals for each row of costs, for the parameters of
/// [`PowerLaw::fit`](crate::PowerLaw::fit) or [`Linear::fit`](crate::Linear::fit) and for the predictions at the
/// feature values `at`.
///
/// Points that the fit ignores have weight 0 in every resample. Resamples whose sizes are all nearly equal are left
/// out. An end that is too large for `f64` is infinite.
///
/// # Formula
///
/// An interval is the `(1−level)/2` and `(1+level)/2` [percentiles](crate::percentiles()) of a quantity over the
/// resamples: Efron and Tibshirani, *An Introduction to the Bootstrap*, 1993, section 13.3. Points ("cases") are
/// resampled, which assumes neither normal nor equally spread residuals. The intervals are somewhat too narrow: 91 to
/// 94 % of the 95 % intervals contain the truth at 30 points, and 92 to 93 % at 100 (simulated, standard error 0.8 %).
///
/// - Time: O(rows·resamples·points). Memory: O(rows·(points + resamples)).
///
/// # Errors
///
/// Each row returns the errors of its fit; [`FitError::LengthMismatch`] if the resamples or the costs have another
/// number of points; [`FitError::InvalidLevel`]; [`FitError::NoUsableResamples`]; or
/// [`FitError::PredictionOutOfDomain`] for an `at` that is not finite or, for a power law, not positive.
pub fn percentile_intervals(
    resamples: &Resamples,
    axes: Axes,
    x: &[f64],
    rows: &[&[f64]],
    at: &[f64],
    level: f64,
) -> Vec<Result<LineIntervals, FitError>> {
    weighted_percentile_intervals(resamples, axes, x, rows, None, at, level)
}

/// Computes [`percentile_intervals`] for [`PowerLaw::fit_weighted`](crate::PowerLaw::fit_weighted) or
/// [`Linear::fit_weighted`](crate::Linear::fit_weighted): a point that is drawn brings its weight. `weights` is
/// `[points]` and holds for all rows; `None` if all points weigh the same.
pub fn weighted_percentile_intervals(
    resamples: &Resamples,
    axes: Axes,
    x: &[f64],
    rows: &[&[f64]],
    weights: Option<&[f64]>,
    at: &[f64],
    level: f64,
) -> Vec<Result<LineIntervals, FitError>> {
    let mut columns = Columns { axes, x, weights, values: Vec::new(), features: Vec::new() };
    let rows: Vec<_> = rows.iter().map(|y| columns.push(resamples, y)).collect();
    let sums = sums(&columns.values, resamples);
    let refits: Vec<Vec<FeatureRefit>> =
        columns.features.iter().map(|(_, feature)| feature.refits(&sums, resamples.len())).collect();
    let intervals = |row: Result<Row, FitError>| {
        if !(level > 0.0 && level < 1.0) {
            return Err(FitError::InvalidLevel { level });
        }
        let row = row?;
        let lines = row.refits(&refits[row.feature], &sums, resamples.len());
        if lines.is_empty() {
            return Err(FitError::NoUsableResamples { resamples: resamples.len() });
        }
        let interval = |values: Vec<f64>| {
            let [lo, hi] = percentiles(&values, [(1.0 - level) / 2.0, f64::midpoint(1.0, level)]);
            Interval { lo, hi, level }
        };
        let value_at = |x: f64| interval(lines.iter().map(|line| line.at(x)).collect());
        axes.intervals(at, value_at, interval(lines.iter().map(|line| line.slope).collect()))
    };
    rows.into_iter().map(intervals).collect()
}

/// The columns that rows of costs over one feature need.
struct Columns<'a> {
    axes: Axes,
    x: &'a [f64],
    weights: Option<&'a [f64]>,
    /// `[columns × points]`, row-major, each point times its weight.
    values: Vec<f64>,
    /// Used points, and the feature's columns over these points.
    features: Vec<(Vec<bool>, FeatureColumns)>,
}

/// Columns of ones, u and u², with `x = centre + scale·u`: squares neither cancel nor overflow.
#[derive(Clone, Copy)]
struct FeatureColumns {
    first: usize,
    centre: f64,
    scale: f64,
}

/// A row of costs: its fit to all points, and the positions of its columns.
struct Row {
    full: Line,
    centre: f64,
    scale: f64,
    /// Index into [`Columns::features`].
    feature: usize,
    /// First column of the row: the residuals. The next column is the residuals times u.
    first: usize,
}

/// Sums of a resample that depend only on the feature.
struct FeatureRefit {
    /// 1/Σw
    inverse_weight: f64,
    /// Σwu
    sum_u: f64,
    /// Σwu/Σw
    mean_u: f64,
    /// 1/(Σwu² − (Σwu)²/Σw); NaN if the sizes are all nearly equal.
    inverse_variance: f64,
}

impl Columns<'_> {
    fn push(&mut self, resamples: &Resamples, y: &[f64]) -> Result<Row, FitError> {
        let expected = resamples.points();
        if let Some(actual) = [self.x.len(), y.len()].into_iter().find(|&actual| actual != expected) {
            return Err(FitError::LengthMismatch { expected, actual });
        }
        let places = self.axes.places(self.x, y)?;
        let full = match self.weights {
            None => Line::fit(&places.x, &places.y)?,
            Some(weights) => {
                let (places, weights) = self.axes.weighted_places(self.x, y, weights)?;
                let line = WeightedLine::fit(&places.x, &places.y, &weights)?.line;
                Line { intercept: line.intercept, slope: line.slope }
            }
        };
        if self.axes == Axes::LogLog && !full.intercept.exp().is_normal() {
            return Err(FitError::ParametersOutOfRange);
        }
        let used: Vec<bool> = self.x.iter().zip(y).map(|(&x, &y)| self.axes.uses(x, y)).collect();
        let existing = self.features.iter().position(|(mask, _)| *mask == used);
        let feature = existing.unwrap_or_else(|| self.push_feature(used.clone()));
        let FeatureColumns { first: ones, centre, scale } = self.features[feature].1;
        let first = self.values.len() / expected;
        let mut used_residuals =
            places.x.iter().zip(&places.y).map(|(x, y)| y - full.intercept - full.slope * x);
        let residual = |used: &bool| if *used { used_residuals.next().unwrap_or(0.0) } else { 0.0 };
        let residuals: Vec<f64> = used.iter().map(residual).collect();
        // The columns of the feature include the weights already.
        let u = &self.values[(ones + 1) * expected..(ones + 2) * expected];
        let times_u: Vec<f64> = u.iter().zip(&residuals).map(|(u, v)| u * v).collect();
        let residuals: Vec<f64> = match self.weights {
            None => residuals,
            Some(weights) => residuals.iter().zip(weights).map(|(v, w)| v * w).collect(),
        };
        self.values.extend(residuals.into_iter().chain(times_u));
        Ok(Row { full, centre, scale, feature, first })
    }

    fn push_feature(&mut self, used: Vec<bool>) -> usize {
        let place = |(x, used): (&f64, &bool)| used.then(|| self.axes.place(*x));
        let places: Vec<Option<f64>> = self.x.iter().zip(&used).map(place).collect();
        let low = places.iter().flatten().copied().fold(f64::INFINITY, f64::min);
        let high = places.iter().flatten().copied().fold(f64::NEG_INFINITY, f64::max);
        let (centre, scale) = (low.midpoint(high), high / 2.0 - low / 2.0);
        let feature = FeatureColumns { first: self.values.len() / places.len(), centre, scale };
        let u = |x: &Option<f64>| x.map_or(0.0, |x| (x - centre) / scale);
        let first = self.values.len();
        self.values.extend(places.iter().map(|x| f64::from(u8::from(x.is_some()))));
        self.values.extend(places.iter().map(u));
        self.values.extend(places.iter().map(|x| u(x).powi(2)));
        if let Some(weights) = self.weights {
            for (value, weight) in self.values[first..].iter_mut().zip(weights.iter().cycle()) {
                *value *= weight;
            }
        }
        self.features.push((used, feature));
        self.features.len() - 1
    }
}

impl FeatureColumns {
    /// Returns the sums of every resample, from the sums of all columns.
    fn refits(&self, sums: &[f64], resamples: usize) -> Vec<FeatureRefit> {
        let refit = |r: usize| {
            let [weight, sum_u, sum_uu] = std::array::from_fn(|j| sums[(self.first + j) * resamples + r]);
            let mean_u = sum_u / weight;
            let variance = sum_uu - sum_u * mean_u;
            let inverse_variance = if variance > CANCELLATION * sum_uu { 1.0 / variance } else { f64::NAN };
            FeatureRefit { inverse_weight: 1.0 / weight, sum_u, mean_u, inverse_variance }
        };
        (0..resamples).map(refit).collect()
    }
}

impl Row {
    /// Returns the weighted least-squares lines of the resamples that have one, from the feature's sums and the sums of
    /// all columns.
    fn refits(&self, of_feature: &[FeatureRefit], sums: &[f64], resamples: usize) -> Vec<Line> {
        let [v, uv] = [self.first, self.first + 1].map(|column| &sums[column * resamples..][..resamples]);
        let middle = self.centre / self.scale;
        let line = |((feature, v), uv): ((&FeatureRefit, &f64), &f64)| {
            let mean_v = v * feature.inverse_weight;
            let slope = (uv - feature.sum_u * mean_v) * feature.inverse_variance;
            Line {
                intercept: self.full.intercept + mean_v - slope * (feature.mean_u + middle),
                slope: self.full.slope + slope / self.scale,
            }
        };
        let is_finite = |line: &Line| line.intercept.is_finite() && line.slope.is_finite();
        of_feature.iter().zip(v).zip(uv).map(line).filter(is_finite).collect()
    }
}

/// Returns the weighted sums of all columns, `[columns × resamples]`, row-major.
#[expect(unsafe_code, reason = "matrixmultiply takes pointers; the lengths are checked right before")]
fn sums(values: &[f64], resamples: &Resamples) -> Vec<f64> {
    let (points, count) = (resamples.points(), resamples.len());
    let columns = values.len() / points.max(1);
    let mut sums = vec![0.0; columns * count];
    assert_eq!((values.len(), resamples.weights().len()), (columns * points, count * points));
    // SAFETY: the three matrices are `columns × points`, `points × count` (the weights read column by column) and
    // `columns × count`; the slices have exactly these lengths.
    unsafe {
        matrixmultiply::dgemm(
            columns,
            points,
            count,
            1.0,
            values.as_ptr(),
            points as isize,
            1,
            resamples.weights().as_ptr(),
            1,
            points as isize,
            0.0,
            sums.as_mut_ptr(),
            count as isize,
            1,
        );
    }
    sums
}

#[cfg(test)]
mod tests;
