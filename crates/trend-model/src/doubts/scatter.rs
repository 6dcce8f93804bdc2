//! Tests whether the size of residuals from trend and bend depends on the feature. Call [`is_scatter`] first.

use super::curvature::two_sided_p;
use crate::lines::regression::r_squared;
use crate::statistics::order_statistics::ranks;

/// Minimum ratio of the mean squared step between neighbours to twice the variance. Below it, the residuals are a
/// smooth pattern instead of scatter. The ratio is 1 for independent residuals, with a standard error of about 1/√n,
/// and 0 for a curve. von Neumann, *Distribution of the ratio of the mean square successive difference to the
/// variance*, 1941.
const SMALLEST_ROUGHNESS: f64 = 0.5;

/// Returns true if residuals, in the order of the feature, jump around instead of following a curve.
pub(crate) fn is_scatter(residuals: &[f64]) -> bool {
    let Some(first) = residuals.first() else { return false };
    let (mut steps, mut squares) = (0.0, first * first);
    for step in residuals.windows(2) {
        steps += (step[1] - step[0]).powi(2);
        squares += step[1] * step[1];
    }
    squares > 0.0 && steps / (2.0 * squares) >= SMALLEST_ROUGHNESS
}

/// Returns the root mean squares of the residuals in the third of the points with the smallest feature values and in
/// the third with the largest. Residuals are in ascending order of the feature.
pub(crate) fn spread_at_ends(residuals: &[f64]) -> (f64, f64) {
    let n = residuals.len();
    let rms = |r: &[f64]| (r.iter().map(|r| r * r).sum::<f64>() / r.len() as f64).sqrt();
    let third = n.div_ceil(3);
    (rms(&residuals[..third]), rms(&residuals[n - third..]))
}

/// Returns the two-sided p-value of Spearman's rank correlation of feature and |residual|, which tests whether the size
/// of residuals depends on the feature. A test of variances under normal theory would mistake heavy tails for a fan.
///
/// # Formula
///
/// `t = ρ·√((n−2)/(1−ρ²))` with n−2 degrees of freedom, where ρ is the correlation of midranks.
///
/// - Time: O(n log n).
pub(crate) fn rank_correlation_p_value(x: &[f64], residuals: &[f64]) -> f64 {
    let by_size = ranks(&x.iter().copied().map(Some).collect::<Vec<_>>());
    let by_residual = ranks(&residuals.iter().map(|r| Some(r.abs())).collect::<Vec<_>>());
    let r2 = r_squared(&by_size, &by_residual).unwrap_or(0.0);
    let df = x.len() as f64 - 2.0;
    two_sided_p((r2 * df / (1.0 - r2)).sqrt(), df)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rank_test_is_that_of_scipy() {
        // Oracle: scipy.stats.spearmanr(x, abs(r)), ties and all.
        let x = [1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0];
        let residuals = [0.1, -0.3, 0.2, 0.5, -0.4, 0.6, -0.5, 0.9, 0.9, -1.1];
        assert!((rank_correlation_p_value(&x, &residuals) - 3.707_957_081_777_717_6e-5).abs() < 1e-9);
        // Closed form: √(0.39/4) and √(3.08/4), because each outer third has four points.
        let (small, large) = spread_at_ends(&residuals);
        assert!((small - (0.39_f64 / 4.0).sqrt()).abs() < 1e-12);
        assert!((large - (3.08_f64 / 4.0).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn a_wave_is_no_scatter_and_alternation_is() {
        let wave: Vec<f64> = (0..50).map(|i| (f64::from(i) / 8.0).sin()).collect();
        assert!(!is_scatter(&wave));
        let alternation: Vec<f64> = (0..50).map(|i| f64::from(i % 2) - 0.5).collect();
        assert!(is_scatter(&alternation));
        assert!(!is_scatter(&[0.0; 50]));
    }
}
