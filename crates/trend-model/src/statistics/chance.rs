//! Computes how well the best of many unrelated features explains a cost by chance. This module fits nothing.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// Returns the R² that the best of `tries` independent, unrelated features exceeds with at most this probability.
/// `degrees_of_freedom` is the number of points minus two for a straight line. Returns 1 if no degrees of freedom are
/// left, or if chance can explain any R².
///
/// # Formula
///
/// `r² = t²/(t² + ν)` with `t` the quantile of Student's t at `1 − p/(2·tries)`, which is Bonferroni's bound. For
/// ranks (Spearman), this holds approximately with ten points or more; with fewer points it is too low. See Kendall
/// and Stuart, *The Advanced Theory of Statistics*, vol. 2, 31.19.
///
/// - Time: O(1).
pub fn chance_r2(degrees_of_freedom: usize, tries: usize, probability: f64) -> f64 {
    let freedom = degrees_of_freedom as f64;
    let Ok(students) = StudentsT::new(0.0, 1.0, freedom) else { return 1.0 };
    // Uses the lower tail: next to 1, floating point would have no digits left.
    let t = students.inverse_cdf(probability / (2.0 * tries.max(1) as f64));
    let r2 = t * t / (t * t + freedom);
    if r2.is_finite() { r2 } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_try_has_the_critical_values_of_tables() {
        // Oracle: tables of the critical values of Pearson's r, two-sided at 5 % and 1 %.
        for (freedom, probability, r) in
            [(8, 0.05, 0.632), (8, 0.01, 0.765), (28, 0.05, 0.361), (98, 0.01, 0.256)]
        {
            let critical = chance_r2(freedom, 1, probability).sqrt();
            assert!((critical - r).abs() < 1e-3, "{freedom}: {critical} {r}");
        }
    }

    #[test]
    fn more_tries_explain_more_by_chance_and_more_points_less() {
        let r2: Vec<f64> = [1, 10, 5000, 5_000_000].map(|tries| chance_r2(28, tries, 0.05)).to_vec();
        assert!(r2.is_sorted() && r2[3] < 0.85, "{r2:?}");
        assert!(chance_r2(300, 5000, 0.05) < 0.1 && chance_r2(3, 5000, 0.05) > 0.99);
        assert_eq!(chance_r2(0, 10, 0.05), 1.0);
    }
}
