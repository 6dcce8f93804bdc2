//! Tests whether the largest sizes alone grow as the verdict says. This module compares no classes.
//!
//! ```text
//!   cost          ╱●        A scan that looks back at most 1024 columns: its cost is a square up to there, and a line
//!     │         ●           beyond. Over all sizes, the best class is `n^2`. It misses the last three sizes,
//!     │       ●             which lie on a line. Beyond the data, the cost grows like the largest sizes.
//!     │ ● ● ●
//!     └─────────── n
//! ```
//!
//! Superlinear growth raises an alarm. So if the largest sizes contradict it, the verdict includes `n` as well.
//!
//! A robust fit treats a largest size that costs five times as much as the law says as an outlier. It may as well be
//! the beginning of another law, which then determines all costs beyond it. So if the largest size contradicts the
//! verdict, the verdict includes a power through that size.

use crate::growth::candidates::evidence::Evidence;
use crate::growth::candidates::growth_fit::GrowthFit;
use crate::growth::candidates::model::Model;
use crate::growth::fits::fit::{Design, Fit};
use crate::growth::fits::points::Points;
use crate::laws::class::{GrowthClass, Term};
use crate::numerics::linear_system::least_squares;

/// Minimum number of sizes through which the line is fitted. It is fitted through the upper half if that has more.
const FEWEST_SIZES: usize = 4;

/// Minimum number of distinct sizes for testing whether the three largest lie on a line.
const ENOUGH_SIZES: usize = 7;

/// Maximum relative error at which three sizes lie on a line. Some data satisfy this by chance: over the recovery
/// matrix, 2 more programs in 1000 stay undecided with 5 % noise, and 4 with 20 %.
const ON_A_LINE: f64 = 0.002;

/// Minimum relative error of a model at the three largest sizes for them not to lie on the model.
const OFF_THE_MODEL: f64 = 0.05;

/// Weight of the other law in a contradicted verdict: enough to be included, but not to lead.
pub(crate) const DOUBT: f64 = 0.3;

/// Minimum error of a law at the largest size that contradicts the law: the logarithm of a factor of 1.25.
const CONTRADICTING: f64 = 0.223;

/// Minimum error of a law at the largest size that contradicts the law, in standard deviations of log cost about the
/// law.
const CONTRADICTING_ERRORS: f64 = 4.0;

/// Minimum ratio of the largest size to the other size on the power that replaces a contradicted law.
const APART: f64 = 2.0;

/// Largest exponent of the power that replaces a contradicted law.
const GREATEST_EXPONENT: f64 = 8.0;

/// Distance to the exponent of a named class below which the power is of that class.
const SAME_EXPONENT: f64 = 0.05;

/// Returns the law that the largest sizes follow if they contradict the `named` classes.
pub(crate) fn law_instead(points: &Points, models: &[(f64, Model)], named: &[GrowthFit]) -> Option<Model> {
    line_instead(points, models, named).or_else(|| power_instead(points, named))
}

/// Returns the power through the largest size and one at most half as large, if the cost at the largest size is far
/// from the costs by all `named` classes.
fn power_instead(points: &Points, named: &[GrowthFit]) -> Option<Model> {
    if points.sizes(points.len()) < ENOUGH_SIZES {
        return None;
    }
    let largest = points.without_largest(1)..points.len();
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let log_cost = mean(&points.log_y[largest.clone()]);
    let known_variance = mean(&points.known_variances[largest.clone()]);
    let is_contradicted = |fit: &GrowthFit| {
        let error = (log_cost - (fit.predict(points.x_max()) / points.y_max).ln()).abs();
        error >= CONTRADICTING && error >= CONTRADICTING_ERRORS * fit.spread.hypot(known_variance.sqrt())
    };
    if !named.iter().all(is_contradicted) {
        return None;
    }
    let x = points.relative_x();
    let lower = x.partition_point(|x| *x * APART <= 1.0).checked_sub(1)?;
    let exponent = (log_cost - points.log_y[lower]) / -x[lower].ln();
    let exponent = exponent.clamp(0.0, GREATEST_EXPONENT);
    let term = Term::Power { exponent, log: false };
    let error = named.first()?.spread.hypot(known_variance.sqrt());
    let fit = Fit::through(log_cost, error, points.len());
    let is_near = |class: &&GrowthClass| matches!(class.term(), Term::Power { exponent: named, log: false } if (named - exponent).abs() < SAME_EXPONENT);
    let named = GrowthClass::NAMED.iter().find(is_near);
    let class = named.copied().unwrap_or_else(|| GrowthClass::free(exponent, false));
    let from = points.size(lower);
    Some(Model::of_pieces(class, fit, Evidence::new(0.0, 0.0), (from, vec![vec![(1.0, term)]]), Vec::new()))
}

/// Returns the line through the largest sizes if all `named` classes are superlinear and the largest sizes contradict
/// their models.
fn line_instead(points: &Points, models: &[(f64, Model)], named: &[GrowthFit]) -> Option<Model> {
    let of_class = |fit: &GrowthFit| models.iter().find(|(_, model)| model.class == fit.class);
    let are_contradicted = named.iter().all(|fit| fit.class > GrowthClass::Linear)
        && named.iter().filter_map(of_class).all(|(_, model)| ends_in_a_line(points, model));
    if are_contradicted { line(points) } else { None }
}

/// Returns true if the three largest sizes lie on a line, which may miss the origin, and not on the model.
fn ends_in_a_line(points: &Points, model: &Model) -> bool {
    if points.sizes(points.len()) < ENOUGH_SIZES {
        return false;
    }
    let from = points.without_largest(3);
    let x = points.relative_x();
    let missed = |i: usize| points.log_y[i] - model.predict(points, x[i] * points.x_max()).0;
    let missed: Vec<f64> = (from..points.len()).map(missed).collect();
    let mean = missed.iter().sum::<f64>() / missed.len() as f64;
    let misses = (missed.iter().map(|m| (m - mean).powi(2)).sum::<f64>() / missed.len() as f64).sqrt();
    // Least squares of the relative error, Σ (1 − (a + b·x)/y)².
    let largest = || x[from..].iter().zip(&points.relative_y[from..]);
    let rows = largest().map(|(x, y)| ([1.0 / y, x / y], 1.0));
    let Some(line) = least_squares(rows) else { return false };
    let squares: f64 = largest().map(|(x, y)| (1.0 - (line[0] + line[1] * x) / y).powi(2)).sum();
    let is_line = line[1] > 0.0 && (squares / (points.len() - from) as f64).sqrt() <= ON_A_LINE;
    is_line && misses >= OFF_THE_MODEL
}

/// Fits a line through the upper half of the sizes, at least four.
fn line(points: &Points) -> Option<Model> {
    let window = (points.sizes(points.len()) / 2).max(FEWEST_SIZES);
    let upper = points.from(points.without_largest(window));
    let x = upper.relative_x();
    let ones = vec![1.0; x.len()];
    let design = |with_floor: bool| {
        let columns = if with_floor { vec![x.as_slice(), &ones] } else { vec![x.as_slice()] };
        Fit::new(&upper, upper.len(), &Design { columns, exponent: None })
    };
    let term = Term::Power { exponent: 1.0, log: false };
    let mut columns = vec![vec![(1.0, term)], vec![(1.0, Term::ONE)]];
    let rising = design(true).filter(|fit| fit.coefficients[..2].iter().all(|&c| c > 0.0));
    let fit = if let Some(fit) = rising {
        fit
    } else {
        columns.pop();
        design(false)?
    };
    Some(Model::of_pieces(GrowthClass::Linear, fit, Evidence::new(0.0, 0.0), (0.0, columns), Vec::new()))
}

#[cfg(test)]
mod tests {
    use crate::growth::verdict::{Growth, growth};
    use crate::statistics::noise::Noise;

    const SIZES: [f64; 10] = [
        30000.0,
        54049.0,
        97378.0,
        175_441.0,
        316_083.0,
        569_471.0,
        1_025_986.0,
        1_848_465.0,
        3_330_284.0,
        6_000_000.0,
    ];

    fn judge(x: &[f64], y: &[f64]) -> Growth {
        growth(x, y).unwrap()
    }

    /// Counts of a sort in blocks of 900 kB: `n log n` up to one block, then `n`.
    #[test]
    fn growth_that_ends_within_the_data_is_not_superlinear() {
        let y = [
            514_016.0,
            1_259_351.0,
            2_343_926.0,
            4_460_208.0,
            8_872_234.0,
            17_797_442.0,
            33_256_678.0,
            62_248_048.0,
            110_476_348.0,
            201_197_875.0,
        ];
        let verdict = judge(&SIZES, &y);
        assert_eq!(verdict.is_superlinear(), None, "{}", verdict.verdict());
        assert_eq!(verdict.verdict(), "about n log n");
        let total: f64 = verdict.fits.iter().map(|fit| fit.support).sum();
        assert!((total - 1.0).abs() < 1e-9);
        let line = verdict.named().iter().find(|fit| fit.class.to_string() == "n").unwrap();
        // At 10 times the largest size, 33.5 per unit.
        assert!((line.predict(6e7) / 2.01e9 - 1.0).abs() < 0.03, "{}", line.formula("n"));
        let interval = verdict.predict_interval(6e7, 0.95).unwrap();
        assert!(interval.lo < 2.01e9 && interval.hi > 2.3e9, "{interval:?}");
    }

    /// Counts of small inputs that do not have the usual mixture yet.
    #[test]
    fn small_sizes_that_scatter_make_no_superlinear_growth() {
        let x = [100.0, 180.0, 325.0, 585.0, 1054.0, 1898.0, 3420.0, 6162.0, 11101.0, 20000.0];
        let y = [1092.0, 1228.0, 788.0, 1902.0, 2902.0, 4264.0, 8616.0, 15962.0, 28084.0, 52042.0];
        let verdict = judge(&x, &y);
        assert_eq!(verdict.is_superlinear(), None, "{}", verdict.verdict());
    }

    /// Exactly `85 + 38·n`, then `39·n`: a page split of two per cent.
    #[test]
    fn a_kink_of_two_per_cent_is_no_superlinear_growth() {
        let x = [3.0, 6.0, 11.0, 21.0, 40.0, 76.0, 144.0, 275.0, 524.0, 1000.0];
        let y = [199.0, 313.0, 503.0, 883.0, 1605.0, 2973.0, 5557.0, 10568.0, 20278.0, 38840.0];
        assert_ne!(judge(&x, &y).is_superlinear(), Some(true));
    }

    /// The program takes another path below 64 kB.
    #[test]
    fn a_step_is_no_superlinear_growth() {
        let y = [1.0, 1.0, 15161.0, 26780.0, 47849.0, 85848.0, 154_320.0, 277_830.0, 499_360.0, 899_424.0];
        assert_ne!(judge(&SIZES, &y).is_superlinear(), Some(true));
    }

    /// Counts of a scan that looks back at most 1024 columns, and of a search in a window of 32 kB.
    #[test]
    fn growth_whose_last_three_sizes_lie_on_a_line_is_not_said_to_be_superlinear() {
        let columns = [30.0, 52.0, 89.0, 153.0, 264.0, 455.0, 783.0, 1349.0, 2322.0, 4000.0];
        let scan = [
            960.0,
            2808.0,
            8099.0,
            23715.0,
            70224.0,
            207_935.0,
            614_655.0,
            2_049_349.0,
            5_039_378.0,
            10_195_872.0,
        ];
        let verdict = judge(&columns, &scan);
        assert_eq!(verdict.is_superlinear(), None, "{}", verdict.verdict());
        // The count measured at 16,000.
        let interval = verdict.predict_interval(16000.0, 0.95).unwrap();
        assert!(interval.lo < 47_071_872.0, "{interval:?}");
        let bytes = [1000.0, 1668.0, 2783.0, 4642.0, 7743.0, 12915.0, 21544.0, 35938.0, 59948.0, 100_000.0];
        let search = [
            399_382.0,
            797_374.0,
            1_745_748.0,
            4_018_701.0,
            10_036_960.0,
            15_231_929.0,
            38_035_272.0,
            99_557_113.0,
            213_320_062.0,
            402_587_229.0,
        ];
        assert_eq!(judge(&bytes, &search).is_superlinear(), None);
    }

    /// The largest cost of a call by its size, `1.5·n^2` with a scatter of 20 %, but for one call that costs five times
    /// as much.
    #[test]
    fn a_largest_size_far_above_the_law_makes_the_verdict_undecided() {
        let x: Vec<f64> = (0..60).map(|i| 20.0 * 1.1f64.powi(i)).chain([20_000.0]).collect();
        let mut y = Noise::new(7).costs(&x, 0.2, |n| 1.5 * n * n);
        assert_eq!(judge(&x, &y).verdict(), "n^2");
        y[60] = 5.0 * 1.5 * 4e8;
        let verdict = judge(&x, &y);
        assert!(!verdict.decided, "{}", verdict.verdict());
        let interval = verdict.predict_interval(40_000.0, 0.95).unwrap();
        assert!(interval.lo < 1.5 * 1.6e9 && interval.hi > 5.0 * 1.5 * 1.6e9, "{interval:?}");
    }

    /// A cache of 3,076 cells: each call reads what is in it, and the calls of the full cache write a third more.
    #[test]
    fn a_largest_size_off_an_exact_line_makes_the_verdict_undecided() {
        let x: Vec<f64> = (1..=200).map(|i| f64::from(i) * 15.0).chain([3076.0]).collect();
        let mut y = x.clone();
        y[200] = 4102.0;
        let verdict = judge(&x, &y);
        assert!(!verdict.decided, "{}", verdict.verdict());
        assert!(verdict.named().iter().any(|fit| fit.class.to_string() == "n"));
        let interval = verdict.predict_interval(5786.0, 0.95).unwrap();
        assert!(interval.lo < 5786.0 && interval.hi > 7716.0, "{interval:?}");
    }

    /// Student's errors with four degrees of freedom have outliers at the largest size, too.
    #[test]
    fn scatter_at_the_largest_size_contradicts_nothing() {
        let squares = |n: f64| n * n;
        let decided =
            (0..100).filter(|&seed| judge(&SIZES, &Noise::new(seed).costs(&SIZES, 0.05, squares)).decided);
        assert!(decided.count() >= 95);
    }

    #[test]
    fn what_is_superlinear_to_the_end_stays_so() {
        let cost = |n: f64| 3.0 * n * n.log2();
        assert_eq!(judge(&SIZES, &SIZES.map(cost)).is_superlinear(), Some(true));
        let superlinear = (0..100).filter(|&seed| {
            judge(&SIZES, &Noise::new(seed).costs(&SIZES, 0.02, cost)).is_superlinear() == Some(true)
        });
        assert!(superlinear.count() >= 95);
        let squares = |n: f64| n * n + 30_000.0 * n;
        let superlinear = (0..50).filter(|&seed| {
            judge(&SIZES, &Noise::new(seed).costs(&SIZES, 0.1, squares)).is_superlinear() == Some(true)
        });
        assert!(superlinear.count() >= 48);
    }
}
