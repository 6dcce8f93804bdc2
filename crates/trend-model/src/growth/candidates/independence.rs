//! Estimates how many independent observations the points of a fit are worth. This module fits no models.
//!
//! Evidence grows with every point, as if errors were independent. If they are not, k points are fewer observations,
//! and a verdict that counts all of them is confidently wrong. Residuals of a model that may be right reveal dependence
//! in these ways:
//!
//! ```text
//!   smooth pattern        runs of a size alike       growing or shrinking spread
//!     ·  ··                  :     .    :               .     :    '
//!   ·      ·      ··         :  :  .  : :             ..:..  .:.   :
//!            ·  ·               :  :  :                 '     :    .
//!             ··                                                   :
//!   no model is right     sizes are observations,    kinds of inputs with trends of their
//!                         not runs                   own: kinds are observations
//! ```

use crate::growth::fits::fit::Fit;
use crate::growth::fits::points::Points;

/// Number of kinds of inputs that may cause a spread that grows or shrinks.
const KINDS: f64 = 3.0;

/// Squared standard errors of a slope of the spread that are attributed to chance.
const FAN_CHANCE: f64 = 2.0;

/// Standard errors of an autocorrelation that are attributed to chance.
const SERIAL_CHANCE: f64 = 2.0;

/// Mean square of residuals, in units of their errors, below which the fit is exact. The rest is less than rounding; it
/// shows how far the fit has converged, which looks like a smooth pattern.
const EXACT: f64 = 0.01;

/// Variance of the errors, in units of the known variance of the median point, below which only rounding or the scatter
/// of single calls is left. That rest has no common causes, and a pattern in it is chance.
const ROUNDED: f64 = 0.1;

/// Minimum number of independent observations that the points are worth, whatever their pattern. With fewer, a model
/// that misses by a factor of five would be as good as one that misses by a tenth.
const FEWEST: f64 = 4.0;

/// Returns the fraction of the points that are independent observations, greater than 0 and at most 1.
///
/// # Formula
///
/// The product of three factors:
///
/// - `(1−ρ)/(1+ρ)`, the effective fraction of a sample with autocorrelation ρ = 1 − V/2. V is von Neumann's ratio of
///   the means per size. Applied if ρ exceeds the values that independent residuals show;
/// - `1/(1 + (m−1)·ι)`, Kish's design effect. m is the mean number of points per size, and ι is the correlation within
///   a size, from the analysis of variance;
/// - `1/(1 + z²/3)`. z is the slope of |residual| over log x, in standard errors of the slope of a residual. This is
///   the scatter of the slope if the spread came from three kinds of inputs with different exponents.
pub(crate) fn independent_fraction(points: &Points, fit: &Fit) -> f64 {
    let residuals = &fit.standardized;
    let squares: f64 = residuals.iter().map(|r| r * r).sum();
    if squares < EXACT * residuals.len() as f64 || is_rounding(points, fit) {
        return 1.0;
    }
    let groups = points.groups();
    let smooth = serial(&groups, residuals);
    let alike = 1.0 / within_sizes(&groups, residuals, fit.parameters);
    let fan = 1.0 / (1.0 + fan(&points.log_x(), residuals) / KINDS);
    (smooth * alike * fan).max(FEWEST.min(points.len() as f64) / points.len() as f64)
}

/// Returns true if the scatter is below the usual rounding error of the points.
fn is_rounding(points: &Points, fit: &Fit) -> bool {
    let mut variances = points.known_variances.clone();
    variances.sort_by(f64::total_cmp);
    fit.sigma.powi(2) < ROUNDED * variances[variances.len() / 2]
}

/// Returns the effective fraction of a sequence of means.
fn serial(groups: &[usize], residuals: &[f64]) -> f64 {
    let means = means(groups, residuals);
    let steps: f64 = means.windows(2).map(|w| (w[1] - w[0]).powi(2)).sum();
    let squares: f64 = means.iter().map(|r| r * r).sum();
    let chance = SERIAL_CHANCE / (means.len() as f64).sqrt();
    let correlation = (1.0 - steps / squares / 2.0).min(0.98);
    if squares > 0.0 && correlation > chance { (1.0 - correlation) / (1.0 + correlation) } else { 1.0 }
}

/// Returns the means of the groups times the root of their sizes, so that independent residuals have equal variances.
fn means(groups: &[usize], residuals: &[f64]) -> Vec<f64> {
    let mut rest = residuals;
    let mean = |&size: &usize| {
        let (group, others) = rest.split_at(size);
        rest = others;
        group.iter().sum::<f64>() / (size as f64).sqrt()
    };
    groups.iter().map(mean).collect()
}

/// Returns Kish's design effect of the sizes, at least 1.
fn within_sizes(groups: &[usize], residuals: &[f64], parameters: usize) -> f64 {
    let (points, sizes) = (residuals.len() as f64, groups.len() as f64);
    if points < sizes + 2.0 {
        return 1.0;
    }
    let between: f64 = means(groups, residuals).iter().map(|m| m * m).sum();
    let all: f64 = residuals.iter().map(|r| r * r).sum();
    let within = (all - between).max(0.0) / (points - sizes);
    let between = between / (sizes - parameters as f64).max(1.0);
    let per_size = points / sizes;
    let correlation = ((between - within) / (between + (per_size - 1.0) * within)).max(0.0);
    if !correlation.is_finite() {
        return 1.0;
    }
    // The scale of the errors, too, is estimated from the sizes alone.
    let parameters = parameters as f64;
    let freedom = (1.0 - parameters / sizes).max(1.0 / sizes) / (1.0 - parameters / points);
    (1.0 + (per_size - 1.0) * correlation) / (1.0 - correlation * (1.0 - freedom))
}

/// Returns the square of the slope of |residual| over log x beyond chance, in units of the variance of a residual's
/// slope.
fn fan(log_x: &[f64], residuals: &[f64]) -> f64 {
    let n = residuals.len() as f64;
    let spread: Vec<f64> = residuals.iter().map(|r| r.abs()).collect();
    let (mean_x, mean) = (log_x.iter().sum::<f64>() / n, spread.iter().sum::<f64>() / n);
    let (mut xx, mut xs, mut ss, mut rr) = (0.0, 0.0, 0.0, 0.0);
    for ((x, s), r) in log_x.iter().zip(&spread).zip(residuals) {
        xx += (x - mean_x).powi(2);
        xs += (x - mean_x) * (s - mean);
        ss += (s - mean).powi(2);
        rr += r * r;
    }
    let explained = xs * xs / xx;
    let chance = (ss - explained) / (n - 2.0);
    let fan = (explained - FAN_CHANCE * chance) / (rr / n);
    if fan.is_finite() { fan.max(0.0) } else { 0.0 }
}
