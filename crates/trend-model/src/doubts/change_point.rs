//! Finds change points: sizes at which log cost over log feature is better described by two lines than by one smooth
//! curve. The two lines meet there or break. Examples are a cache that overflows, a table that is resized, or an
//! algorithm that is replaced above a size.
//!
//! ```text
//!   log cost             ╱             no change point:          ╱
//!      │             ● ╱                                      ●╱
//!      │            ╱●                                     ●
//!      │     jump  │                                   ●
//!      │         ●─┘                         ●   ●          n + n²/1000 bends, but smoothly, and over a decade
//!      │      ●╱                    ●   ●
//!      └────────────────── log n   └────────────────────── log n
//! ```

use super::curvature::orthonormal_polynomials;
use crate::lines::line::Line;
use crate::models::log_points::LogPoints;

/// Two lines in log-log, one on each side of a feature value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ChangePoint {
    /// Logarithm of the feature value.
    pub(crate) at: f64,
    /// Exponent below the change.
    pub(crate) exponent_below: f64,
    /// Exponent above the change.
    pub(crate) exponent_above: f64,
    /// Difference of log cost between the two lines at the change.
    pub(crate) jump: f64,
    /// Logarithm of the factor by which the data are more probable than under the best smooth rival.
    pub(crate) log_odds: f64,
}

/// Minimum number of distinct feature values on each side. A line through three leaves one degree of freedom, which a
/// single outlier takes up.
const FEWEST_FEATURE_VALUES: usize = 4;

/// Minimum share of the points on each side: fewer are outliers at an end of the data.
const SMALLEST_SHARE: f64 = 0.1;

/// Degree of the polynomial in log-log that a change point must beat, besides every supported growth class. The
/// polynomial has seven coefficients; two lines and the place of their break have five.
const RIVAL_DEGREE: usize = 6;

/// Minimum log odds. The rivals are not nested and the place is searched for, so this value was set by simulation: it
/// raises no false alarm in 8400 data sets of smooth laws with noise.
const SMALLEST_LOG_ODDS: f64 = 5.0;

/// Smallest jump of the cost that matters, as a logarithm: a factor of 1.5 is visible to the naked eye.
const SMALLEST_JUMP: f64 = 0.405;

/// Smallest change of the exponent that matters: half the difference between `n` and `n^1.5`.
const SMALLEST_EXPONENT_CHANGE: f64 = 0.25;

/// Scatter of log cost below which models count as equally good: 1 % of the cost.
const NEGLIGIBLE_SPREAD: f64 = 0.01;

impl ChangePoint {
    /// Returns the place where two lines describe the points clearly better than any smooth rival. `points` ascend in
    /// x. `rivals` are the sums of squared residuals of log cost that other models leave on the same points, each with
    /// its number of coefficients.
    ///
    /// # Formula
    ///
    /// `log odds = e/2·ln((S + kε²)/(S₂ + kε²)) − max(5 − p, 0)/2·ln k`, the minimum over the rivals. This is the
    /// difference between the Bayesian information criteria of two lines with a place (five numbers, sum of squares S₂)
    /// and a rival (p numbers, sum of squares S). A rival with more than five numbers is not penalized for them. ε is
    /// [`NEGLIGIBLE_SPREAD`]. If the residuals of the two lines form a pattern, k points count as e = k(1−ρ)/(1+ρ)
    /// observations.
    ///
    /// - Time: O(k); evaluation of the rivals stops at the first one that is not beaten.
    pub(crate) fn find(points: &LogPoints, rivals: impl Iterator<Item = (f64, usize)>) -> Option<Self> {
        const OWN_PARAMETERS: f64 = 5.0;
        let (x, y): (&[f64], &[f64]) = (&points.x, &points.y);
        let k = x.len() as f64;
        let cut = best_cut(x, y)?;
        let lines = [Line::fit(&x[..cut], &y[..cut]).ok()?, Line::fit(&x[cut..], &y[cut..]).ok()?];
        let residual = |i: usize| y[i] - lines[usize::from(i >= cut)].at(x[i]);
        let residuals: Vec<f64> = (0..x.len()).map(residual).collect();
        let own = residuals.iter().map(|r| r * r).sum::<f64>();
        let negligible = k * NEGLIGIBLE_SPREAD.powi(2);
        let observations = k * independent_fraction(&residuals);
        let odds = |(squares, parameters): (f64, usize)| {
            observations / 2.0 * ((squares + negligible) / (own + negligible)).ln()
                - (OWN_PARAMETERS - parameters as f64).max(0.0) / 2.0 * k.ln()
        };
        let middle = x[cut - 1].midpoint(x[cut]);
        let (below, above) = (lines[0], lines[1]);
        // If the lines cross near the cut, their crossing is the better place.
        let meeting = (below.intercept - above.intercept) / (above.slope - below.slope);
        let near = x[cut.saturating_sub(3)]..=x[(cut + 2).min(x.len() - 1)];
        let at = if near.contains(&meeting) { meeting } else { middle };
        let jump = above.at(at) - below.at(at);
        let change = above.slope - below.slope;
        let matters = jump.abs() >= SMALLEST_JUMP || change.abs() >= SMALLEST_EXPONENT_CHANGE;
        if !matters {
            return None;
        }
        let mut log_odds = f64::INFINITY;
        for rival in polynomial_squares(x, y).into_iter().chain(rivals) {
            log_odds = log_odds.min(odds(rival));
            if log_odds < SMALLEST_LOG_ODDS {
                return None;
            }
        }
        let change_point =
            Self { at, exponent_below: below.slope, exponent_above: above.slope, jump, log_odds };
        log_odds.is_finite().then_some(change_point)
    }
}

/// Returns the number of points below the best change. The best cut between two distinct x leaves the two lines the
/// smallest sum of squares.
///
/// - Time: O(k), by running sums about the means.
fn best_cut(x: &[f64], y: &[f64]) -> Option<usize> {
    let n = x.len();
    let mean = |v: &[f64]| v.iter().sum::<f64>() / n as f64;
    let (mean_x, mean_y) = (mean(x), mean(y));
    let mut sums = vec![[0.0; 5]];
    for (x, y) in x.iter().zip(y).map(|(x, y)| (x - mean_x, y - mean_y)) {
        let last = sums[sums.len() - 1];
        let next = [x, y, x * x, x * y, y * y];
        sums.push(std::array::from_fn(|j| last[j] + next[j]));
    }
    // Returns the sum of squares that a line leaves on the points `from..to`.
    let residual_squares = |from: usize, to: usize| {
        let m = (to - from) as f64;
        let [x, y, xx, xy, yy] = std::array::from_fn(|j| sums[to][j] - sums[from][j]);
        let (sxx, sxy, syy) = (xx - x * x / m, xy - x * y / m, yy - y * y / m);
        if sxx > 0.0 { (syy - sxy * sxy / sxx).max(0.0) } else { f64::INFINITY }
    };
    let starts: Vec<usize> = std::iter::once(0).chain((1..n).filter(|&i| x[i] > x[i - 1])).collect();
    let fewest = (SMALLEST_SHARE * n as f64).ceil() as usize;
    let last = starts.len().checked_sub(FEWEST_FEATURE_VALUES)?;
    let cuts = starts.get(FEWEST_FEATURE_VALUES..=last)?.iter().copied();
    let cuts = cuts.filter(|&cut| cut >= fewest && n - cut >= fewest);
    cuts.min_by(|&p, &q| {
        (residual_squares(0, p) + residual_squares(p, n))
            .total_cmp(&(residual_squares(0, q) + residual_squares(q, n)))
    })
}

/// Returns the sum of squares that a polynomial in log-log leaves, and its number of coefficients.
fn polynomial_squares(x: &[f64], y: &[f64]) -> Option<(f64, usize)> {
    let n = x.len() as f64;
    let different = x.chunk_by(|p, q| p == q).count();
    let degree = RIVAL_DEGREE.min(different.checked_sub(2)?);
    let (mean_x, mean_y) = (x.iter().sum::<f64>() / n, y.iter().sum::<f64>() / n);
    let scale = x.iter().map(|x| (x - mean_x).abs()).fold(0.0, f64::max);
    let z: Vec<f64> = x.iter().map(|x| (x - mean_x) / scale).collect();
    let mut residuals: Vec<f64> = y.iter().map(|y| y - mean_y).collect();
    for p in orthonormal_polynomials(&z, degree)? {
        let along: f64 = p.iter().zip(&residuals).map(|(p, v)| p * v).sum();
        for (v, p) in residuals.iter_mut().zip(&p) {
            *v -= along * p;
        }
    }
    Some((residuals.iter().map(|v| v * v).sum(), degree + 1))
}

/// Returns `(1−ρ)/(1+ρ)` if neighbouring residuals are alike, with ρ = 1 − V/2 for von Neumann's ratio V; 1 otherwise.
fn independent_fraction(residuals: &[f64]) -> f64 {
    let steps: f64 = residuals.windows(2).map(|w| (w[1] - w[0]).powi(2)).sum();
    // Residuals too small to matter do not count as a pattern.
    let squares: f64 = residuals.iter().map(|r| r * r + NEGLIGIBLE_SPREAD.powi(2)).sum();
    let steps = steps + 2.0 * residuals.len() as f64 * NEGLIGIBLE_SPREAD.powi(2);
    let correlation = 1.0 - steps / squares / 2.0;
    if correlation > 0.0 { (1.0 - correlation) / (1.0 + correlation) } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_exact_lines_are_found_with_their_place_and_exponents() {
        // Oracle: closed form. The first fixture is n below 35 and 10·n above; the second is n below 33 and n²/33
        // above.
        let x: Vec<f64> = (1..=20).map(|i| 10f64.powf(f64::from(i) / 10.0).ln()).collect();
        let jump = |x: f64| if x < 35f64.ln() { x } else { x + 10f64.ln() };
        let points = LogPoints { y: x.iter().copied().map(jump).collect(), x: x.clone() };
        let change_point = ChangePoint::find(&points, std::iter::empty()).unwrap();
        assert!((change_point.at.exp() - 35.5).abs() < 0.1, "{change_point:?}");
        assert!(
            (change_point.jump - 10f64.ln()).abs() < 1e-9 && (change_point.exponent_below - 1.0).abs() < 1e-9
        );
        let corner = 33f64.ln();
        let kink = |x: f64| x.max(2.0 * x - corner);
        let points = LogPoints { y: x.iter().copied().map(kink).collect(), x };
        let change_point = ChangePoint::find(&points, std::iter::empty()).unwrap();
        assert!(
            (change_point.at - corner).abs() < 1e-9 && change_point.jump.abs() < 1e-9,
            "{change_point:?}"
        );
        assert!((change_point.exponent_above - 2.0).abs() < 1e-9);
    }

    #[test]
    fn the_best_cut_is_the_one_that_trying_all_finds() {
        let x: Vec<f64> =
            (0..12).map(|i| f64::from(i / 2)).chain((0..12).map(|i| 6.0 + f64::from(i))).collect();
        let y: Vec<f64> = x.iter().enumerate().map(|(i, x)| (x * 1.7).sin() + (i % 3) as f64).collect();
        let residual_squares = |range: std::ops::Range<usize>| {
            let line = Line::fit(&x[range.clone()], &y[range.clone()]).unwrap();
            range.map(|i| (y[i] - line.at(x[i])).powi(2)).sum::<f64>()
        };
        let cuts = (3..=20).filter(|&cut| x[cut] > x[cut - 1]).filter(|&cut| {
            let different = |v: &[f64]| v.chunk_by(|p, q| p == q).count();
            different(&x[..cut]) >= 4 && different(&x[cut..]) >= 4
        });
        let best = cuts.min_by(|&p, &q| {
            (residual_squares(0..p) + residual_squares(p..24))
                .total_cmp(&(residual_squares(0..q) + residual_squares(q..24)))
        });
        assert_eq!(best_cut(&x, &y), best);
    }

    #[test]
    fn too_few_sizes_have_no_change_point() {
        let x = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];
        let points = LogPoints { x: x.to_vec(), y: vec![1.0, 2.0, 3.0, 4.0, 15.0, 16.0, 17.0] };
        assert_eq!(ChangePoint::find(&points, std::iter::empty()), None);
    }
}
