//! What the residuals of a power law say about it: a person would look at the residuals plot, and this is what
//! they would look for. It only reports what is both certain (a test) and large enough to matter (an effect size);
//! without noise any deviation is certain, and with many points any deviation is significant.
//!
//! ```text
//!   Hump            LowerOrderTerm        Fan               Split
//!       · · ·          ·            ·       · ·          · · ·  ·· · ··
//!     ·       ·         ·          ·     ·· · · ·
//!    ·         ·         · ·     ·      ···· · · ·       (nothing between)
//!   ·           ·           · · ·        ·· · · ·
//!                                           · ·          · ·· · · · · ·
//! ```
//!
//! (log cost minus fit, over log feature.)

use std::fmt;

use crate::curvature::Curvature;
use crate::power_law::LogPoints;
use crate::scatter::{Cut, Spread, is_scatter};
use crate::{PowerLaw, linear_regression, sample_standard_deviation};

/// A way in which a power law does not describe the data, with the evidence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Diagnosis {
    /// Log cost over log feature is concave: the cost grows more slowly at the large end than the power law,
    /// as with a logarithmic factor; predictions beyond the data are too high.
    Hump {
        /// Exponent of the smaller half of the feature's range.
        exponent_small: f64,
        /// Exponent of the larger half.
        exponent_large: f64,
        /// Of the hypothesis that there is no bend.
        p_value: f64,
    },
    /// Log cost over log feature is convex: a lower-order term or startup cost hides part of the growth at the
    /// small end; predictions beyond the data are too low.
    LowerOrderTerm {
        /// Feature value below which the cost is clearly above what the large end alone suggests.
        below: f64,
        /// Exponent of the smaller half of the feature's range.
        exponent_small: f64,
        /// Exponent of the larger half.
        exponent_large: f64,
        /// Of the hypothesis that there is no bend.
        p_value: f64,
    },
    /// The scatter about the trend grows or shrinks with the feature: another feature plays a part.
    Fan {
        /// Standard deviation of log cost about the trend, third of the points with the smallest feature.
        spread_small: f64,
        /// The same for the third with the largest.
        spread_large: f64,
        /// Of the hypothesis that the scatter does not depend on the feature.
        p_value: f64,
    },
    /// The points form two parallel trends with nothing between: two kinds of workloads.
    Split {
        /// How many times the cost of the lower trend the upper one has.
        factor: f64,
        /// Fraction of the points in the upper trend.
        upper_share: f64,
        /// Distance of the trends in standard deviations about them.
        separation: f64,
    },
    /// This feature explains too little of the cost to speak of growth in it.
    Unexplained {
        /// R² of the power law.
        r2: f64,
        /// Standard deviation of log cost about the power law.
        spread: f64,
    },
}

/// Significance asked of every test. A study tests a thousand clusters three times over; at 5 % a hundred false
/// alarms would hide the true ones.
const SIGNIFICANCE: f64 = 0.001;

/// Different points below which nothing but a low R² is reported: fewer leave less than three degrees of freedom
/// beside the five coefficients of the smooth trend.
const FEWEST_POINTS: usize = 8;

/// Different feature values below which no bend is reported: any three points are on some parabola.
const FEWEST_FEATURE_VALUES: usize = 5;

/// Change of the exponent over the data that matters: over three further decades 0.02 is a factor of 1.15, about
/// what a prediction is good for. Exact low-order terms such as those of 1.5n² − 0.5n for n ≥ 60 stay below.
const SMALLEST_EXPONENT_CHANGE: f64 = 0.02;

/// Factor by which costs differ from the large end's trend where a lower-order term is said to matter.
const LOWER_ORDER_FACTOR: f64 = 1.1;

/// Different points below which no fan is reported: the rank test's distribution is asymptotic, and a third of the
/// points would be less than six.
const FEWEST_POINTS_FOR_FAN: usize = 16;

/// Ratio of the scatter at the two ends that is a fan. A factor of two is seen with the bare eye.
const SMALLEST_FAN_RATIO: f64 = 2.0;

/// Scatter (as standard deviation of log cost, about a fraction of the cost) that nobody needs explained.
const NEGLIGIBLE_SPREAD: f64 = 0.05;

/// Points below which two groups are too easily seen in one: at 30 normally distributed residuals pass for two in
/// 0.1 % of data sets (simulated), at 20 in 1 %.
const FEWEST_POINTS_FOR_SPLIT: usize = 30;

/// Separation of two trends, in standard deviations; one uniform distribution, cut in two, has 3.46.
const SMALLEST_SEPARATION: f64 = 4.5;

/// Fraction of the points on either side of a split; less are outliers, not a trend.
const SMALLEST_SHARE: f64 = 0.2;

/// Fraction of the points allowed in the inner third between two trends; a uniform distribution has 1/6.
const LARGEST_MIDDLE_SHARE: f64 = 0.1;

/// Cost ratio of two trends that matters.
const SMALLEST_SPLIT_FACTOR: f64 = 1.1;

/// R² below which the feature is said not to explain the cost: the scatter about the trend is then half as large
/// as the trend itself, √((1−R²)/R²) = 0.5.
const SMALLEST_R2: f64 = 0.8;

/// What the residuals of `fit` say about it; empty when a power law describes the data. Ordered as the variants of
/// [`Diagnosis`], at most one of each, and at most one of [`Diagnosis::Hump`] and [`Diagnosis::LowerOrderTerm`].
///
/// Points that the fit ignores are ignored here. Points that occur several times count once: three runs of a
/// deterministic program are not three observations.
///
/// # Formula
///
/// - Bend: t test of an added quadratic term in log-log, also under unequal variances (HC3), and the change of the
///   local exponent over the data. Residuals are those of a smooth trend (a quartic in log-log), which a power law
///   need not be.
/// - Fan: Spearman's correlation of log x and |residual|, and the ratio of the root mean
///   squares of the outer thirds.
/// - Split: separation of the best cut of the residuals in two (2-means), and the gap between.
/// - Unexplained: R² and the standard deviation of the residuals of `fit`.
///
/// On power laws with lognormal noise the first three together raise a false alarm in 0 to 0.4 % of data sets
/// (simulated, 10 to 300 points).
///
/// - Time: O(k log k).
pub fn diagnose(x: &[f64], y: &[f64], fit: &PowerLaw) -> Vec<Diagnosis> {
    let points = different_points(x, y);
    let mut found = Vec::new();
    if points.x.len() >= FEWEST_POINTS
        && let Some(curvature) = Curvature::new(&points.x, &points.y)
    {
        found.extend(bend(&points, &curvature));
        if is_scatter(&curvature.residuals) {
            found.extend(fan(&points, &curvature));
            found.extend(split(&curvature));
        }
    }
    let residuals: Vec<f64> = fit.residuals(x, y).into_iter().flatten().collect();
    let spread = sample_standard_deviation(&residuals);
    if fit.r2 < SMALLEST_R2 && spread >= NEGLIGIBLE_SPREAD {
        found.push(Diagnosis::Unexplained { r2: fit.r2, spread });
    }
    found
}

/// Logarithms of the usable points, each once, by ascending x; points of equal x stay in the order given, so that
/// their scatter does not look sorted.
fn different_points(x: &[f64], y: &[f64]) -> LogPoints {
    let logs = LogPoints::new(x, y);
    let mut points: Vec<(usize, f64, f64)> =
        logs.x.iter().zip(&logs.y).enumerate().map(|(i, (&x, &y))| (i, x, y)).collect();
    points.sort_by(|p, q| p.1.total_cmp(&q.1).then(p.2.total_cmp(&q.2)).then(p.0.cmp(&q.0)));
    points.dedup_by(|p, q| p.1 == q.1 && p.2 == q.2);
    points.sort_by(|p, q| p.1.total_cmp(&q.1).then(p.0.cmp(&q.0)));
    let (x, y) = points.into_iter().map(|(_, x, y)| (x, y)).unzip();
    LogPoints { x, y }
}

fn bend(points: &LogPoints, curvature: &Curvature) -> Option<Diagnosis> {
    let change = curvature.slope_large - curvature.slope_small;
    let feature_values = points.x.chunk_by(|p, q| p == q).count();
    if feature_values < FEWEST_FEATURE_VALUES
        || change.abs() < SMALLEST_EXPONENT_CHANGE
        || curvature.p_value >= SIGNIFICANCE
    {
        return None;
    }
    let middle = points.x[0].midpoint(*points.x.last()?);
    let cut = points.x.partition_point(|&x| x <= middle);
    let small = linear_regression(&points.x[..cut], &points.y[..cut]).ok()?;
    let large = linear_regression(&points.x[cut..], &points.y[cut..]).ok()?;
    let (exponent_small, exponent_large, p_value) = (small.slope, large.slope, curvature.p_value);
    // A single outlier can bend a parabola, but hardly turns both halves the same way.
    if (exponent_large - exponent_small) * change <= 0.0 {
        return None;
    }
    if change < 0.0 {
        return Some(Diagnosis::Hump { exponent_small, exponent_large, p_value });
    }
    let excess: Vec<f64> =
        points.x.iter().zip(&points.y).map(|(x, y)| y - large.intercept - large.slope * x).collect();
    // Between the last feature value that is above and the first that is not.
    let below = end_of_excess(&excess).map_or(middle, |i| points.x[i].midpoint(points.x[i + 1])).exp();
    Some(Diagnosis::LowerOrderTerm { below, exponent_small, exponent_large, p_value })
}

/// Position of the last point, from the large end, around which the excess over the large end's trend is more than
/// [`LOWER_ORDER_FACTOR`], smoothed over a few neighbours; never the last point of all.
fn end_of_excess(excess: &[f64]) -> Option<usize> {
    let window = (excess.len() / 20).max(1) * 2 + 1;
    let is_above = |w: &[f64]| w.iter().sum::<f64>() / w.len() as f64 > LOWER_ORDER_FACTOR.ln();
    Some(excess.windows(window).rposition(is_above)? + window / 2)
}

fn fan(points: &LogPoints, curvature: &Curvature) -> Option<Diagnosis> {
    if points.x.len() < FEWEST_POINTS_FOR_FAN {
        return None;
    }
    let Spread { small, large, p_value } = Spread::new(&points.x, &curvature.residuals);
    let is_fan = p_value < SIGNIFICANCE
        && small.max(large) >= NEGLIGIBLE_SPREAD
        && small.max(large) >= SMALLEST_FAN_RATIO * small.min(large);
    is_fan.then_some(Diagnosis::Fan { spread_small: small, spread_large: large, p_value })
}

fn split(curvature: &Curvature) -> Option<Diagnosis> {
    if curvature.residuals.len() < FEWEST_POINTS_FOR_SPLIT {
        return None;
    }
    let cut = Cut::best(&curvature.residuals, SMALLEST_SHARE)?;
    let is_split = cut.separation >= SMALLEST_SEPARATION
        && cut.middle_share <= LARGEST_MIDDLE_SHARE
        && cut.distance >= SMALLEST_SPLIT_FACTOR.ln();
    is_split.then(|| Diagnosis::Split {
        factor: cut.distance.exp(),
        upper_share: cut.upper_share,
        separation: cut.separation,
    })
}

impl fmt::Display for Diagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Hump { exponent_small, exponent_large, .. } => write!(
                f,
                "the cost grows more slowly towards larger inputs than this power law (exponent \
                 {exponent_small:.2} in the smaller half of the range, {exponent_large:.2} in the larger), as with \
                 a logarithmic factor; predictions for much larger inputs are probably too high"
            ),
            Self::LowerOrderTerm { below, exponent_small, exponent_large, .. } => write!(
                f,
                "below about {} a lower-order term or startup cost hides part of the growth: the exponent rises \
                 from {exponent_small:.2} in the smaller half of the range to {exponent_large:.2} in the larger; \
                 predictions are probably too low, use larger inputs",
                two_digits(below)
            ),
            Self::Fan { spread_small, spread_large, .. } => {
                let verb = if spread_large > spread_small { "grows" } else { "shrinks" };
                write!(
                    f,
                    "the scatter about the trend {verb} with the feature (from {} to {} of the cost): another \
                     feature of the input plays a part, or two trends run apart",
                    percent(spread_small),
                    percent(spread_large)
                )
            }
            Self::Split { factor, upper_share, .. } => write!(
                f,
                "there are two trends, not one: {:.0} % of the runs cost {factor:.2} times as much as the others \
                 at the same feature value; look for what tells these workloads apart",
                upper_share * 100.0
            ),
            Self::Unexplained { r2, spread } => write!(
                f,
                "this feature does not explain the cost (R² = {r2:.2}, scatter of {} about the trend); look for \
                 another feature",
                percent(spread)
            ),
        }
    }
}

/// A standard deviation of log cost as the percentage by which costs typically exceed the trend.
fn percent(spread: f64) -> String {
    format!("{:.0} %", spread.exp_m1() * 100.0)
}

/// Rounded to two significant digits, without exponent up to a million.
fn two_digits(value: f64) -> String {
    let rounded = format!("{value:.1e}").parse().unwrap_or(value);
    let decimals = (1.0 - f64::log10(rounded).floor()).clamp(0.0, 20.0) as usize;
    if (1e-4..1e6).contains(&value) { format!("{rounded:.decimals$}") } else { format!("{value:.1e}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::Noise;

    const SIZES: [f64; 10] = [60.0, 200.0, 500.0, 1000.0, 2000.0, 4000.0, 8000.0, 15000.0, 30000.0, 60000.0];

    fn diagnosed(x: &[f64], y: &[f64]) -> Vec<Diagnosis> {
        diagnose(x, y, &PowerLaw::fit(x, y).unwrap())
    }

    /// The fraction of `data_sets` seeded data sets with a diagnosis that `is` holds for.
    fn rate(
        data_sets: u64,
        data: impl Fn(&mut Noise) -> (Vec<f64>, Vec<f64>),
        is: fn(&Diagnosis) -> bool,
    ) -> f64 {
        let hit = |seed: &u64| {
            let (x, y) = data(&mut Noise::new(*seed));
            diagnosed(&x, &y).iter().any(is)
        };
        (0..data_sets).filter(hit).count() as f64 / data_sets as f64
    }

    #[test]
    fn power_laws_with_noise_raise_few_false_alarms() {
        // Oracle: simulation; every alarm here is false.
        let mut all = Vec::new();
        for (k, sigma) in [(10, 0.1), (30, 0.02), (30, 0.3), (100, 0.3), (300, 1.0)] {
            let data = |noise: &mut Noise| {
                let x = noise.log_uniform(k, 100.0, 1e5);
                let y = noise.costs(&x, sigma, |x| 3.0 * x.powf(1.4));
                (x, y)
            };
            let alarms = rate(1000, data, |_| true);
            println!("k = {k}, sigma = {sigma}: false alarms {alarms}");
            assert!(alarms <= 0.006, "k = {k}, sigma = {sigma}: {alarms}");
            all.push(alarms);
        }
    }

    #[test]
    fn rounded_counts_and_uneven_designs_raise_few_false_alarms() {
        let rounded = |noise: &mut Noise| {
            let x = SIZES.repeat(3);
            let y = noise.costs(&x, 0.2, |x| 0.5 * x);
            (x, y.into_iter().map(f64::round).collect())
        };
        let alarms = rate(1000, rounded, |_| true);
        println!("ten sizes x 3, rounded: {alarms}");
        assert!(alarms <= 0.006, "{alarms}");
        // Most workloads small, as in a corpus: the square of a uniform number spreads log x unevenly.
        let uneven = |noise: &mut Noise| {
            let x: Vec<f64> = (0..40).map(|_| 10.0 * 1e4f64.powf(noise.uniform().powi(3))).collect();
            let y = noise.costs(&x, 0.3, |x| 7.0 * x * x);
            (x, y)
        };
        let alarms = rate(1000, uneven, |_| true);
        println!("uneven: {alarms}");
        assert!(alarms <= 0.01, "{alarms}");
    }

    #[test]
    fn a_fan_is_not_mistaken_for_a_bend() {
        let fan = |noise: &mut Noise| {
            let x = noise.log_uniform(60, 100.0, 1e5);
            let y = x.iter().map(|x| x * (0.02 * (x / 100.0).powf(0.5) * noise.normal()).exp()).collect();
            (x, y)
        };
        let found = rate(300, fan, |d| matches!(d, Diagnosis::Fan { .. }));
        let bends =
            rate(300, fan, |d| matches!(d, Diagnosis::Hump { .. } | Diagnosis::LowerOrderTerm { .. }));
        println!("fan: found {found}, bends {bends}");
        assert!(found >= 0.95, "{found}");
        assert!(bends <= 0.01, "{bends}");
    }

    #[test]
    fn n_log_n_over_three_decades_has_a_hump() {
        for (k, sigma) in [(10, 0.0), (30, 0.01), (60, 0.02), (300, 0.05)] {
            let data = |noise: &mut Noise| {
                let x = noise.log_uniform(k, 100.0, 1e5);
                let y = noise.costs(&x, sigma, |n| n * n.ln());
                (x, y)
            };
            let found = rate(300, data, |d| matches!(d, Diagnosis::Hump { .. }));
            println!("n log n, k = {k}, sigma = {sigma}: {found}");
            assert!(found >= 0.95, "k = {k}, sigma = {sigma}: {found}");
        }
    }

    #[test]
    fn a_linear_term_below_a_square_is_found_with_its_place() {
        // Oracle: closed form. 0.5n² − 0.5n + 20n is 10 % above 0.5n² at n = 390.
        let y: Vec<f64> = SIZES.iter().map(|n| 0.5 * n * n - 0.5 * n + 20.0 * n).collect();
        let found = diagnosed(&SIZES, &y);
        let [Diagnosis::LowerOrderTerm { below, exponent_small, exponent_large, .. }] = found[..] else {
            panic!("{found:?}");
        };
        assert!((200.0..=500.0).contains(&below), "{below}");
        assert!(
            exponent_small < 1.9 && (exponent_large - 2.0).abs() < 0.02,
            "{exponent_small} {exponent_large}"
        );
        let noisy = |noise: &mut Noise| {
            let x = noise.log_uniform(60, 60.0, 60000.0);
            let y = noise.costs(&x, 0.05, |n| 0.5 * n * n + 19.5 * n);
            (x, y)
        };
        let found = rate(
            300,
            noisy,
            |d| matches!(d, Diagnosis::LowerOrderTerm { below, .. } if (100.0..2000.0).contains(below)),
        );
        println!("0.5n^2 + 19.5n, sigma 0.05: {found}");
        assert!(found >= 0.95, "{found}");
    }

    #[test]
    fn terms_that_do_not_matter_are_not_mentioned() {
        for cost in [|n: f64| 1.5 * n * n - 0.5 * n, |n: f64| n + 1.0, |n: f64| 3.0 * n * n, |_| 17.0] {
            let y: Vec<f64> = SIZES.iter().copied().map(cost).collect();
            assert_eq!(diagnosed(&SIZES, &y), []);
            assert_eq!(diagnosed(&SIZES.repeat(3), &y.repeat(3)), []);
        }
    }

    #[test]
    fn copies_of_runs_are_no_further_evidence() {
        let mut noise = Noise::new(5);
        let x = noise.log_uniform(12, 100.0, 1e5);
        let y = noise.costs(&x, 0.3, |x| x);
        assert_eq!(diagnosed(&x.repeat(50), &y.repeat(50)), diagnosed(&x, &y));
    }

    #[test]
    fn two_kinds_of_workloads_are_two_trends() {
        let data = |noise: &mut Noise| {
            let x = noise.log_uniform(60, 100.0, 1e5);
            let y = x.iter().map(|x| {
                let kind = if noise.uniform() < 0.35 { 4.0 } else { 1.0 };
                kind * x * x * (0.15 * noise.normal()).exp()
            });
            let y = y.collect();
            (x, y)
        };
        let found =
            rate(300, data, |d| matches!(d, Diagnosis::Split { factor, .. } if (3.5..4.5).contains(factor)));
        println!("split: {found}");
        assert!(found >= 0.8, "{found}");
    }

    #[test]
    fn noise_without_trend_is_unexplained_and_a_flat_cost_is_not() {
        let mut noise = Noise::new(1);
        let x = noise.log_uniform(100, 100.0, 1e5);
        let y = noise.costs(&x, 1.0, |_| 1e6);
        let found = diagnosed(&x, &y);
        assert!(
            matches!(found[..], [Diagnosis::Unexplained { r2, spread }] if r2 < 0.1 && (spread - 1.0).abs() < 0.3),
            "{found:?}"
        );
        let y = noise.costs(&x, 0.001, |_| 1e6);
        assert_eq!(diagnosed(&x, &y), []);
    }

    #[test]
    fn few_points_are_not_diagnosed() {
        let x = [1.0, 10.0, 100.0, 1000.0, 10000.0];
        assert_eq!(diagnosed(&x, &x.map(|n| n * (n + 1.0).ln())), []);
    }

    #[test]
    fn sentences_are_plain() {
        let p_value = 1e-9;
        let sentence =
            Diagnosis::LowerOrderTerm { below: 387.0, exponent_small: 1.64, exponent_large: 1.99, p_value };
        assert_eq!(
            sentence.to_string(),
            "below about 390 a lower-order term or startup cost hides part of the growth: the exponent rises from 1.64 \
             in the smaller half of the range to 1.99 in the larger; predictions are probably too low, use larger inputs"
        );
        let sentence = Diagnosis::Fan { spread_small: 0.05, spread_large: 0.4, p_value };
        assert_eq!(
            sentence.to_string(),
            "the scatter about the trend grows with the feature (from 5 % to 49 % of the cost): another feature of the \
             input plays a part, or two trends run apart"
        );
        assert_eq!(two_digits(0.012_34), "0.012");
        assert_eq!(two_digits(9.96), "10");
        assert_eq!(two_digits(1.234_5e9), "1.2e9");
    }
}
