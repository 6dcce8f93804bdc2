//! Diagnoses a power law by its residuals, looking for the patterns that a person would look for in the residuals plot.
//! A pattern is reported only if it is both certain (a test) and large enough to matter (an effect size): without noise
//! any deviation is certain, and with many points any deviation is significant. The sentences are in `words`.
//!
//! ```text
//!   Bend (concave)  Bend (convex)     ChangePoint        Fan               Split
//!       · · ·          ·            ·          ····        · ·          · · ·  ·· · ··
//!     ·       ·         ·          ·         ··         ·· · · ·
//!    ·         ·         · ·     ·      ··             ···· · · ·       (nothing between)
//!   ·           ·           · · ·         ··            ·· · · ·
//!                                           ····           · ·          · ·· · · · · ·
//! ```
//!
//! (log cost minus fit, over log feature.)

use super::change_point::ChangePoint;
use super::curvature::Curvature;
use super::equal_runs::{EqualRuns, different_points, equal_runs};
use super::scatter::{is_scatter, rank_correlation_p_value, spread_at_ends};
use super::two_trends::trends_of;
use crate::growth::candidates::growth_fit::GrowthFit;
use crate::growth::verdict::Growth;
use crate::lines::regression::linear_regression;
use crate::models::log_points::LogPoints;
use crate::models::power_law::PowerLaw;
use crate::statistics::order_statistics::sample_standard_deviation;

/// A way in which a power law does not describe the data, with the evidence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Diagnosis {
    /// Log cost over log feature is curved. It is concave if growth slows down, as with a logarithmic factor. It is
    /// convex if a lower-order term or startup cost hides part of the growth at the small end.
    Bend {
        /// Exponent in the smaller half of the feature's range.
        exponent_small: f64,
        /// Exponent in the larger half.
        exponent_large: f64,
        /// P-value of the hypothesis that there is no bend.
        p_value: f64,
    },
    /// The cost follows different trends below and above some value of the feature, and no smooth curve fits as well.
    ChangePoint {
        /// Feature value at which the trend changes.
        at: f64,
        /// Exponent below the change.
        exponent_below: f64,
        /// Exponent above the change.
        exponent_above: f64,
        /// Cost at the change by the trend above, divided by the cost by the trend below.
        jump: f64,
        /// Logarithm of the factor by which the data are more probable than under any smooth curve.
        log_odds: f64,
    },
    /// The scatter around the trend grows or shrinks with the feature, so another feature plays a part.
    Fan {
        /// Standard deviation of log cost around the trend, in the third of the points with the smallest feature
        /// values.
        spread_small: f64,
        /// Standard deviation in the third with the largest feature values.
        spread_large: f64,
        /// P-value of the hypothesis that the scatter does not depend on the feature.
        p_value: f64,
    },
    /// The points form two trends, parallel or not, with nothing in between: two kinds of workloads.
    Split {
        /// Cost by the upper trend divided by the cost by the lower trend, in the middle of the points.
        factor: f64,
        /// The same factor at the largest feature value.
        factor_at_largest: f64,
        /// Fraction of the points in the upper trend.
        upper_share: f64,
        /// Distance between the trends, in standard deviations around them.
        separation: f64,
    },
    /// Runs of equal feature value differ so much that the feature alone does not determine the cost.
    EqualRuns {
        /// Number and largest ratio of these runs.
        equal: EqualRuns,
        /// Standard deviation of log cost among runs of equal feature value.
        spread: f64,
    },
    /// The feature explains too little of the cost to speak of growth in it.
    Unexplained {
        /// Runs of equal feature value that differ, if there are any.
        equal: Option<EqualRuns>,
        /// R² of the power law.
        r2: f64,
        /// Standard deviation of log cost around the power law.
        spread: f64,
    },
}

/// Significance level of every test. A study tests a thousand clusters three times over; at 5 %, a hundred false alarms
/// would hide the true ones.
const SIGNIFICANCE: f64 = 0.001;

/// Minimum number of distinct points for a diagnosis other than a low R². Fewer leave less than three degrees of
/// freedom, besides the five coefficients of the smooth trend.
const FEWEST_POINTS: usize = 8;

/// Minimum number of distinct feature values for a bend: any three points lie on some parabola.
const FEWEST_FEATURE_VALUES: usize = 5;

/// Smallest change of the exponent over the data that matters. Over three further decades, 0.02 is a factor of 1.15,
/// about the accuracy of a prediction. Exact low-order terms, such as in 1.5n² − 0.5n for n ≥ 60, stay below it.
const SMALLEST_EXPONENT_CHANGE: f64 = 0.02;

/// Minimum number of distinct points for a fan. The distribution of the rank test is asymptotic, and with fewer points
/// a third of them would be less than six.
const FEWEST_POINTS_FOR_FAN: usize = 16;

/// Minimum ratio of the scatter at the two ends for a fan. A factor of two is visible to the naked eye.
const SMALLEST_FAN_RATIO: f64 = 2.0;

/// Scatter that needs no explanation, as a standard deviation of log cost, which is about a fraction of the cost.
const NEGLIGIBLE_SPREAD: f64 = 0.05;

/// Scatter among runs of equal feature value that is reported on its own, as a standard deviation of log cost. Two such
/// runs typically differ by a factor of 2, exp(√2·0.5).
const LARGEST_EQUAL_SPREAD: f64 = 0.5;

/// Minimum ratio of the costs of equal runs that is mentioned if a feature explains little.
const SMALLEST_EQUAL_FACTOR: f64 = 1.1;

/// R² below which the feature does not explain the cost. The scatter around the trend is then half as large as the
/// trend itself, √((1−R²)/R²) = 0.5.
const SMALLEST_R2: f64 = 0.8;

/// Returns the patterns in the residuals of `fit`; empty if a power law describes the data. The result is ordered as
/// the variants of [`Diagnosis`], with at most one of each, and at most one of [`Diagnosis::Bend`] and
/// [`Diagnosis::ChangePoint`]. `growth` is the growth verdict on the same points, if there is one. Without it, no
/// change point is searched for; if it is decided, no bend is reported.
///
/// Points that the fit ignores are ignored here too. Points that occur several times count once: three runs of a
/// deterministic program are not three observations.
///
/// # Formula
///
/// - Bend: the t test of an added quadratic term in log-log, also under unequal variances (HC3), and the change of the
///   local exponent over the data. The residuals are those of a smooth trend (a quartic in log-log), which may differ
///   from a power law.
/// - Fan: Spearman's correlation of log x and |residual|, and the ratio of the root mean
///   squares of the outer thirds.
/// - Change point: two lines in log-log against the supported growth classes and a polynomial of degree 6.
/// - Split: see [`two_trends()`](crate::two_trends()).
/// - Equal runs: the standard deviation of log cost about the mean of each feature value.
/// - Unexplained: R² and the standard deviation of the residuals of `fit`.
///
/// On power laws with lognormal noise, all tests together raise a false alarm in 0 to 0.5 % of data sets (simulated, 10
/// to 300 points).
///
/// - Time: O(k log k).
pub fn diagnose(x: &[f64], y: &[f64], fit: &PowerLaw, growth: Option<&Growth>) -> Vec<Diagnosis> {
    let logs = &LogPoints::new(x, y);
    let points = different_points(logs);
    let mut diagnoses = Vec::new();
    if points.x.len() >= FEWEST_POINTS
        && let Some(curvature) = Curvature::new(&points.x, &points.y)
    {
        let change = growth.and_then(|growth| change_point(&points, growth));
        // A decided class has a law whose terms cover every bend.
        let is_open = growth.is_none_or(Growth::is_open);
        diagnoses.extend(change.or_else(|| bend(&points, &curvature).filter(|_| is_open)));
        if is_scatter(&curvature.residuals) {
            // Two trends that diverge are also a fan, but the split says more.
            diagnoses.extend(split(logs).or_else(|| fan(&points, &curvature)));
        }
    }
    let is_split = diagnoses.iter().any(|d| matches!(d, Diagnosis::Split { .. }));
    diagnoses.extend(scatter(logs, fit).filter(|d| !is_split || matches!(d, Diagnosis::Unexplained { .. })));
    diagnoses
}

/// Diagnoses only the amount of scatter, not its pattern: returns [`Diagnosis::Unexplained`] or
/// [`Diagnosis::EqualRuns`].
///
/// - Time: O(k log k), a fraction of the time of [`diagnose`].
pub fn diagnose_scatter(x: &[f64], y: &[f64], fit: &PowerLaw) -> Option<Diagnosis> {
    scatter(&LogPoints::new(x, y), fit)
}

/// Computes [`diagnose_scatter`] from the logarithms of the usable points.
fn scatter(logs: &LogPoints, fit: &PowerLaw) -> Option<Diagnosis> {
    if fit.r2 < SMALLEST_R2 {
        let spread = sample_standard_deviation(&fit.residuals_of(logs));
        if spread >= NEGLIGIBLE_SPREAD {
            let equal = equal_runs(logs).map(|(equal, _)| equal);
            let equal = equal.filter(|e| e.factor >= SMALLEST_EQUAL_FACTOR);
            return Some(Diagnosis::Unexplained { equal, r2: fit.r2, spread });
        }
    }
    let (equal, spread) = equal_runs(logs).filter(|(_, spread)| *spread >= LARGEST_EQUAL_SPREAD)?;
    Some(Diagnosis::EqualRuns { equal, spread })
}

fn change_point(points: &LogPoints, growth: &Growth) -> Option<Diagnosis> {
    let squares = |class: &GrowthFit| {
        let residual = |(x, y): (&f64, &f64)| class.predict(x.exp()).ln() - y;
        let squares = points.x.iter().zip(&points.y).map(|p| residual(p).powi(2)).sum::<f64>();
        squares.is_finite().then_some((squares, class.terms.len()))
    };
    let rivals = growth.fits.iter().filter_map(squares);
    let ChangePoint { at, exponent_below, exponent_above, jump, log_odds } =
        ChangePoint::find(points, rivals)?;
    Some(Diagnosis::ChangePoint { at: at.exp(), exponent_below, exponent_above, jump: jump.exp(), log_odds })
}

fn bend(points: &LogPoints, curvature: &Curvature) -> Option<Diagnosis> {
    let change = curvature.slope_large - curvature.slope_small;
    let is_certain = curvature.p_value < SIGNIFICANCE && curvature.different >= FEWEST_FEATURE_VALUES;
    if !is_certain || change.abs() < SMALLEST_EXPONENT_CHANGE {
        return None;
    }
    let middle = points.x[0].midpoint(*points.x.last()?);
    let cut = points.x.partition_point(|&x| x <= middle);
    let exponent_small = linear_regression(&points.x[..cut], &points.y[..cut]).ok()?.slope;
    let exponent_large = linear_regression(&points.x[cut..], &points.y[cut..]).ok()?.slope;
    // A single outlier can bend a parabola, but rarely turns both halves in the same direction.
    let is_even = (exponent_large - exponent_small) * change > 0.0;
    is_even.then_some(Diagnosis::Bend { exponent_small, exponent_large, p_value: curvature.p_value })
}

fn fan(points: &LogPoints, curvature: &Curvature) -> Option<Diagnosis> {
    if points.x.len() < FEWEST_POINTS_FOR_FAN {
        return None;
    }
    let (small, large) = spread_at_ends(&curvature.residuals);
    let matters =
        small.max(large) >= NEGLIGIBLE_SPREAD && small.max(large) >= SMALLEST_FAN_RATIO * small.min(large);
    if !matters {
        return None;
    }
    let p_value = rank_correlation_p_value(&points.x, &curvature.residuals);
    (p_value < SIGNIFICANCE).then_some(Diagnosis::Fan { spread_small: small, spread_large: large, p_value })
}

fn split(logs: &LogPoints) -> Option<Diagnosis> {
    let trends = trends_of(logs)?;
    Some(Diagnosis::Split {
        factor: trends.factor,
        factor_at_largest: trends.factor_at_largest,
        upper_share: trends.upper_share,
        separation: trends.separation,
    })
}

#[cfg(test)]
mod tests;
