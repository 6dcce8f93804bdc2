//! Refits of many rows of costs to all resamples at once, as one product of matrices. Chooses no seeds and draws nothing:
//! `Resamples` did.
//!
//! ```text
//!   resamples × points            points × columns                 resamples × columns
//!   1  0  2  1                    1  u  u²  v₁ uv₁ v₂ uv₂          Σw Σwu Σwu² Σwv₁ Σwuv₁ Σwv₂ Σwuv₂
//!   0  1  1  2         ×          …                          =     …                                  ──▶ lines
//!   …
//! ```
//!
//! The first three columns belong to the feature and serve all rows that use the same points; where a cost of zero leaves
//! a point out, they are 0 there, and rows with the same zeros share them too. The others are the *residuals* v of the
//! fit to all points, so that what is computed is the difference a resample makes: nothing cancels, and data without
//! noise has intervals without width.

use crate::intervals::{Interval, LinearIntervals, PowerLawIntervals};
use crate::logarithms::replace_by_ln;
use crate::power_law::is_usable;
use crate::regression::dot;
use crate::tails::Tails;
use crate::wide::widely;
use crate::{Costs, FitError, Linear, PowerLaw, Resamples};

/// Rows of costs over one feature, to be refitted to resamples.
#[derive(Debug)]
pub struct Bootstrap<'a> {
    resamples: &'a Resamples,
    x: &'a [f64],
    /// Where x is positive.
    log_x: Vec<f64>,
    /// `[columns × points]`, row-major.
    columns: Vec<f64>,
    features: Vec<FeatureColumns>,
}

/// A row of a [`Bootstrap`].
#[derive(Clone, Debug)]
pub struct BootstrapRow {
    full: Line,
    feature: usize,
    /// Of the residuals; the next one is theirs times u.
    column: usize,
}

/// The columns of a feature over the points that some rows use.
#[derive(Debug)]
struct FeatureColumns {
    /// Whether they are of its logarithm.
    is_log: bool,
    /// The points that the rows use.
    used: Vec<bool>,
    /// Of the ones; the next two are u and u².
    column: usize,
    centre: f64,
    scale: f64,
}

#[derive(Clone, Copy, Debug)]
struct Line {
    intercept: f64,
    slope: f64,
}

impl Line {
    fn at(&self, x: f64) -> f64 {
        self.intercept + self.slope * x
    }
}

impl<'a> Bootstrap<'a> {
    /// No rows yet; `x` is the feature they are to be fitted to.
    pub fn new(resamples: &'a Resamples, x: &'a [f64]) -> Self {
        let mut log_x = x.to_vec();
        replace_by_ln(&mut log_x);
        Self { resamples, x, log_x, columns: Vec::new(), features: Vec::new() }
    }

    /// Adds a row for [`Self::power_law_intervals`]; `fit` is the [`PowerLaw::fit`] of the feature and the costs.
    ///
    /// - Time: O(k).
    ///
    /// # Errors
    ///
    /// [`FitError::LengthMismatch`] when the resamples or the costs are for another number of points.
    pub fn push_power_law(&mut self, costs: &Costs, fit: &PowerLaw) -> Result<BootstrapRow, FitError> {
        let y = costs.values();
        self.check_length(y)?;
        let full = Line { intercept: fit.a.ln(), slope: fit.b };
        let used = self.x.iter().zip(y).map(|(&x, &y)| is_usable(x, y)).collect();
        let feature = self.feature(true, used);
        if let Some(logs) = costs.logs() {
            return Ok(self.push(full, feature, logs));
        }
        let mut logs = y.to_vec();
        replace_by_ln(&mut logs);
        Ok(self.push(full, feature, &logs))
    }

    /// Adds a row for [`Self::linear_intervals`]; `fit` is the [`Linear::fit`] of the feature and `y`.
    ///
    /// - Time: O(k).
    ///
    /// # Errors
    ///
    /// [`FitError::LengthMismatch`] when the resamples or the costs are for another number of points.
    pub fn push_linear(&mut self, y: &[f64], fit: &Linear) -> Result<BootstrapRow, FitError> {
        self.check_length(y)?;
        let full = Line { intercept: fit.a, slope: fit.b };
        let feature = self.feature(false, vec![true; y.len()]);
        Ok(self.push(full, feature, y))
    }

    fn check_length(&self, y: &[f64]) -> Result<(), FitError> {
        let expected = self.resamples.points();
        match [self.x.len(), y.len()].into_iter().find(|&found| found != expected) {
            Some(found) => Err(FitError::LengthMismatch { expected, found }),
            None => Ok(()),
        }
    }

    fn push(&mut self, full: Line, feature: usize, y: &[f64]) -> BootstrapRow {
        let FeatureColumns { is_log, column, ref used, .. } = self.features[feature];
        let points = self.x.len();
        let row = BootstrapRow { full, feature, column: self.columns.len() / points };
        let end = self.columns.len();
        self.columns.resize(end + 2 * points, 0.0);
        let (known, new) = self.columns.split_at_mut(end);
        let u = &known[(column + 1) * points..(column + 2) * points];
        let (residuals, times_u) = new.split_at_mut(points);
        let x = if is_log { self.log_x.as_slice() } else { self.x };
        fill_residuals(full, (x, used), y, u, (residuals, times_u));
        row
    }

    /// The columns of the feature over the points that are used, in which a row shares.
    fn feature(&mut self, is_log: bool, used: Vec<bool>) -> usize {
        let is_known = |feature: &FeatureColumns| feature.is_log == is_log && feature.used == used;
        let known = self.features.iter().position(is_known);
        known.unwrap_or_else(|| self.push_feature(is_log, used))
    }

    /// Centred and scaled, so that squares neither cancel nor overflow.
    fn push_feature(&mut self, is_log: bool, used: Vec<bool>) -> usize {
        let x = if is_log { self.log_x.as_slice() } else { self.x };
        let values: Vec<Option<f64>> = x.iter().zip(&used).map(|(&x, used)| used.then_some(x)).collect();
        let taking_part = || values.iter().flatten().copied();
        let low = taking_part().fold(f64::INFINITY, f64::min);
        let high = taking_part().fold(f64::NEG_INFINITY, f64::max);
        let (centre, scale) = (low / 2.0 + high / 2.0, high / 2.0 - low / 2.0);
        let column = self.columns.len() / values.len();
        let u = |x: &Option<f64>| x.map_or(0.0, |x| (x - centre) / scale);
        self.columns.extend(values.iter().map(|x| f64::from(u8::from(x.is_some()))));
        self.columns.extend(values.iter().map(u));
        self.columns.extend(values.iter().map(|x| u(x) * u(x)));
        self.features.push(FeatureColumns { is_log, used, column, centre, scale });
        self.features.len() - 1
    }

    /// What the weights of the resamples are to be multiplied with, `[columns × points]`, row-major; some columns for
    /// every row that was added.
    pub fn columns(&self) -> &[f64] {
        &self.columns
    }

    /// The weighted sums of all columns, `[columns × resamples]`, row-major: the product of [`Self::columns`] and the
    /// transposed [`Resamples::weights`]. A caller with a faster product of matrices may use that instead.
    ///
    /// - Time: O(columns·resamples·points).
    pub fn sums(&self) -> Vec<f64> {
        let columns = self.columns.chunks_exact(self.x.len().max(1));
        columns.flat_map(|c| (0..self.resamples.len()).map(|r| dot(c, self.resamples.row(r)))).collect()
    }

    /// The intervals of a row added by [`Self::push_power_law`], from the [`Self::sums`] of all rows; see
    /// [`power_law_intervals`](crate::power_law_intervals).
    ///
    /// # Errors
    ///
    /// [`FitError::PredictionOutOfDomain`] for an `at` that is not positive and finite, [`FitError::InvalidLevel`],
    /// [`FitError::NoUsableResamples`].
    ///
    /// # Panics
    ///
    /// When the row or the sums are of something else.
    pub fn power_law_intervals(
        &self,
        row: &BootstrapRow,
        sums: &[f64],
        at: &[f64],
        level: f64,
    ) -> Result<PowerLawIntervals, FitError> {
        if let Some(&at) = at.iter().find(|at| !(at.is_finite() && **at > 0.0)) {
            return Err(FitError::PredictionOutOfDomain { at });
        }
        let mut refits = self.refits(row, sums, level)?;
        Ok(PowerLawIntervals {
            a: refits.intercept().map(f64::exp),
            b: refits.slope(),
            predictions: at.iter().map(|at| refits.at(at.ln()).map(f64::exp)).collect(),
            usable: refits.slopes.len(),
        })
    }

    /// The intervals of a row added by [`Self::push_linear`], from the [`Self::sums`] of all rows; see
    /// [`linear_intervals`](crate::linear_intervals).
    ///
    /// # Errors
    ///
    /// [`FitError::PredictionOutOfDomain`] for an `at` that is not finite, [`FitError::InvalidLevel`],
    /// [`FitError::NoUsableResamples`].
    ///
    /// # Panics
    ///
    /// When the row or the sums are of something else.
    pub fn linear_intervals(
        &self,
        row: &BootstrapRow,
        sums: &[f64],
        at: &[f64],
        level: f64,
    ) -> Result<LinearIntervals, FitError> {
        if let Some(&at) = at.iter().find(|at| !at.is_finite()) {
            return Err(FitError::PredictionOutOfDomain { at });
        }
        let mut refits = self.refits(row, sums, level)?;
        Ok(LinearIntervals {
            a: refits.intercept(),
            b: refits.slope(),
            predictions: at.iter().map(|&at| refits.at(at)).collect(),
            usable: refits.slopes.len(),
        })
    }

    fn refits(&self, row: &BootstrapRow, sums: &[f64], level: f64) -> Result<Refits, FitError> {
        if !(level > 0.0 && level < 1.0) {
            return Err(FitError::InvalidLevel { level });
        }
        let resamples = self.resamples.len();
        let feature = &self.features[row.feature];
        let sums = |column: usize| &sums[column * resamples..(column + 1) * resamples];
        let of_feature: [&[f64]; 3] = std::array::from_fn(|j| sums(feature.column + j));
        let of_row: [&[f64]; 2] = std::array::from_fn(|j| sums(row.column + j));
        let (mut intercepts, mut slopes) = (vec![0.0; resamples], vec![0.0; resamples]);
        let middle = feature.centre / feature.scale;
        if !refit_all(of_feature, of_row, (middle, feature.scale), row.full, (&mut intercepts, &mut slopes)) {
            let refit =
                |r: usize| self.refit(row, r, of_feature.map(|sums| sums[r]), of_row.map(|sums| sums[r]));
            let lines = (0..resamples).filter_map(refit);
            (intercepts, slopes) = lines.map(|line| (line.intercept, line.slope)).unzip();
        }
        if slopes.is_empty() {
            return Err(FitError::NoUsableResamples { resamples });
        }
        Ok(Refits { intercepts, slopes, values: Vec::new(), tails: Tails::default(), level })
    }

    /// The weighted least-squares line; `None` when all points with weight have the same feature value.
    fn refit(
        &self,
        row: &BootstrapRow,
        resample: usize,
        [s, su, suu]: [f64; 3],
        [sv, suv]: [f64; 2],
    ) -> Option<Line> {
        if s == 0.0 {
            return None;
        }
        let (mean_u, mean_v) = (su / s, sv / s);
        let mut variance = suu - su * mean_u;
        let mut covariance = suv - su * mean_v;
        if variance <= CANCELLATION * suu {
            (variance, covariance) = self.centred_sums(row, resample, mean_u, mean_v)?;
        }
        let slope = covariance / variance;
        let FeatureColumns { centre, scale, .. } = self.features[row.feature];
        let line = Line {
            intercept: row.full.intercept + mean_v - slope * (mean_u + centre / scale),
            slope: row.full.slope + slope / scale,
        };
        (line.intercept.is_finite() && line.slope.is_finite()).then_some(line)
    }

    /// Second pass about the weighted means, for resamples whose features are close together. `None` when they
    /// are all the same.
    fn centred_sums(
        &self,
        row: &BootstrapRow,
        resample: usize,
        mean_u: f64,
        mean_v: f64,
    ) -> Option<(f64, f64)> {
        let points = self.x.len();
        let column = |column: usize| &self.columns[column * points..(column + 1) * points];
        let feature = &self.features[row.feature];
        let (mut variance, mut covariance) = (0.0, 0.0);
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        let points = column(feature.column + 1).iter().zip(column(row.column)).zip(&feature.used);
        for (((u, v), is_used), &w) in points.zip(self.resamples.row(resample)) {
            if w == 0.0 || !is_used {
                continue;
            }
            variance += w * (u - mean_u) * (u - mean_u);
            covariance += w * (u - mean_u) * (v - mean_v);
            low = low.min(*u);
            high = high.max(*u);
        }
        (low < high && variance > 0.0).then_some((variance, covariance))
    }
}

/// Below this fraction of Σu², the variance of u may be nothing but rounding.
const CANCELLATION: f64 = 1e-6;

widely! {
    /// What a line leaves of a row, and this times u; 0 at points that are not used.
    fn fill_residuals(
        line: Line,
        points: (&[f64], &[bool]),
        y: &[f64],
        u: &[f64],
        filled: (&mut [f64], &mut [f64]),
    ) {
        let (x, used) = points;
        let (residuals, times_u) = filled;
        for i in 0..residuals.len().min(x.len()).min(used.len()).min(y.len()).min(u.len()).min(times_u.len()) {
            let residual = if used[i] { y[i] - line.at(x[i]) } else { 0.0 };
            residuals[i] = residual;
            times_u[i] = u[i] * residual;
        }
    }
}

widely! {
    /// [`Bootstrap::refit`] for all resamples, where nothing is special about any; else false, and the lines (intercepts and
    /// slopes) are no matter. `full` is the line through all points; `scales` are the centre in units of the scale, and
    /// the scale.
    fn refit_all(
        of_feature: [&[f64]; 3],
        of_row: [&[f64]; 2],
        scales: (f64, f64),
        full: Line,
        lines: (&mut [f64], &mut [f64]),
    ) -> bool {
        let (middle, scale) = scales;
        let (intercepts, slopes) = lines;
        let slopes = &mut slopes[..intercepts.len()];
        let [s, su, suu] = of_feature.map(|sums| &sums[..intercepts.len()]);
        let [sv, suv] = of_row.map(|sums| &sums[..intercepts.len()]);
        let mut is_plain = true;
        for r in 0..intercepts.len() {
            let (mean_u, mean_v) = (su[r] / s[r], sv[r] / s[r]);
            let variance = suu[r] - su[r] * mean_u;
            let slope = (suv[r] - su[r] * mean_v) / variance;
            intercepts[r] = full.intercept + mean_v - slope * (mean_u + middle);
            slopes[r] = full.slope + slope / scale;
            // Where `s` is 0 nothing is finite.
            is_plain &= variance > CANCELLATION * suu[r];
            is_plain &= intercepts[r].is_finite();
            is_plain &= slopes[r].is_finite();
        }
        is_plain
    }
}

widely! {
    /// The values of all lines at `x`.
    fn fill_values(intercepts: &[f64], slopes: &[f64], x: f64, values: &mut [f64]) {
        for ((value, intercept), slope) in values.iter_mut().zip(intercepts).zip(slopes) {
            *value = intercept + slope * x;
        }
    }
}

/// The lines fitted to the resamples that could be.
struct Refits {
    intercepts: Vec<f64>,
    slopes: Vec<f64>,
    /// Of the lines at one place.
    values: Vec<f64>,
    tails: Tails,
    level: f64,
}

impl Refits {
    fn intercept(&mut self) -> Interval {
        interval(&mut self.tails, &self.intercepts, self.level)
    }

    fn slope(&mut self) -> Interval {
        interval(&mut self.tails, &self.slopes, self.level)
    }

    fn at(&mut self, x: f64) -> Interval {
        self.values.resize(self.slopes.len(), 0.0);
        fill_values(&self.intercepts, &self.slopes, x, &mut self.values);
        interval(&mut self.tails, &self.values, self.level)
    }
}

fn interval(tails: &mut Tails, values: &[f64], level: f64) -> Interval {
    let [lo, hi] = tails.percentiles(values, (1.0 - level) / 2.0);
    Interval { lo, hi, level }
}

#[cfg(test)]
mod tests;
