//! Computes the weights of averages over different numbers of observations. This module fits only what the weights
//! require.
//!
//! Suppose that single observations scatter around the mean of their point with the same relative variance v at every
//! point. The logarithm of the average of m observations then has a variance of v/m. That is known beforehand, but the
//! other deviation from a law, τ², is not:
//!
//! ```text
//!   m = 100,000   ·         the whole deviation is τ²                  weight 1/(τ² + v/m)
//!   m = 1        ( ·  )     nearly the whole deviation is chance
//! ```

use super::log_points::{self, LogPoints};
use crate::lines::weighted_line::WeightedLine;

/// Several observations of one point, as sums.
#[derive(Clone, Copy, Debug)]
pub struct Scattered {
    /// Number of observations.
    pub count: u64,
    /// Smallest observation.
    pub min: f64,
    /// Largest observation.
    pub max: f64,
    /// Sum of the observations.
    pub sum: f64,
    /// Sum of the squares; 0 if unknown.
    pub sum_of_squares: f64,
}

impl Scattered {
    /// Returns the mean.
    pub fn mean(&self) -> f64 {
        self.sum / self.count as f64
    }

    /// Returns the sum of squares about the mean; `None` if unknown. It is exactly 0 if all observations are equal.
    ///
    /// # Formula
    ///
    /// `Σy² − (Σy)²/m`. This cancels almost completely if the scatter is small compared with the mean, so it is limited
    /// to a range. The lower end, `(max − min)²/2`, is the contribution of the two extremes alone. The upper end,
    /// `m·(max − mean)(mean − min)`, is reached if all others are extremes too (R. Bhatia and C. Davis, *A better bound
    /// on the variance*, 2000). For two observations the ends coincide.
    pub fn squares_about_mean(&self) -> Option<f64> {
        let mean = self.mean();
        let least = (self.max - self.min).powi(2) / 2.0;
        let most = self.count as f64 * (self.max - mean).max(0.0) * (mean - self.min).max(0.0);
        if least <= 0.0 {
            return Some(0.0);
        }
        if self.count == 2 {
            return Some(least);
        }
        (self.sum_of_squares > 0.0).then(|| (self.sum_of_squares - self.sum * mean).min(most).max(least))
    }
}

/// Returns the variance of single observations around the mean of their point, relative to the square of the mean,
/// pooled over all points with several observations. Returns `None` without such points.
///
/// # Formula
///
/// `v = Σ SSᵢ/meanᵢ² / Σ (mᵢ − 1)`, over points with `mᵢ > 1`, known squares and a positive mean.
///
/// - Time: O(k).
pub fn scatter_of_one(points: &[Scattered]) -> Option<f64> {
    let (mut squares, mut freedom) = (0.0, 0.0);
    for point in points.iter().filter(|point| point.count > 1 && point.sum > 0.0) {
        if let Some(about_mean) = point.squares_about_mean() {
            squares += about_mean / point.mean().powi(2);
            freedom += (point.count - 1) as f64;
        }
    }
    (freedom > 0.0).then(|| squares / freedom)
}

/// Returns the known variance of `ln y` of the points' averages, `[points]`. The result is empty if all averages are
/// equally reliable: each has the same number of observations, or there is no scatter.
///
/// # Formula
///
/// `ln(1 + v/m)` with v [of one observation](scatter_of_one). This is the variance of a lognormal with a relative
/// variance of v/m, and is about v/m if that is small.
///
/// - Time: O(k).
pub fn variances_of_averages(points: &[Scattered]) -> Vec<f64> {
    let is_even = points.windows(2).all(|pair| pair[0].count == pair[1].count);
    match scatter_of_one(points) {
        Some(scatter) if scatter > 0.0 && !is_even => {
            points.iter().map(|point| (scatter / point.count.max(1) as f64).ln_1p()).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the weights of averages for a power law through them, and for other lines through the same points: `1/(τ² +
/// variance)`. `variances` is the known variance of `ln y`, `[points]`. Returns `None` if all points weigh the same or
/// no power law exists.
///
/// # Formula
///
/// τ² is the additional scatter of the points around the power law. It solves `Σ wᵢ(ln yᵢ − ln ŷᵢ)² = k − 2`, where the
/// sum is over the weighted fit's residuals. It is 0 if the known variances explain everything (R. Paule, J. Mandel,
/// *Consensus values and weighting factors*, 1982).
///
/// - Time: O(k) for each of at most 64 fits.
pub fn weights_of_averages(x: &[f64], y: &[f64], variances: &[f64]) -> Option<Vec<f64>> {
    const HALVINGS: usize = 60;
    let first = *variances.first()?;
    let is_even = variances.iter().all(|&v| v == first);
    let is_usable = variances.iter().all(|v| v.is_finite() && *v > 0.0);
    if is_even || !is_usable || variances.len() != x.len() {
        return None;
    }
    let logs = LogPoints::new(x, y);
    let usable = x.iter().zip(y).map(|(&x, &y)| log_points::is_usable(x, y));
    let used_variances: Vec<f64> =
        variances.iter().zip(usable).filter(|(_, used)| *used).map(|(v, _)| *v).collect();
    let freedom = (logs.x.len() as f64 - 2.0).max(1.0);
    // Weighted squares divided by their expectation, minus 1: falls with τ².
    let excess = |between: f64| {
        let weights: Vec<f64> = used_variances.iter().map(|v| 1.0 / (between + v)).collect();
        let line = WeightedLine::fit(&logs.x, &logs.y, &weights).ok()?.line;
        let error = |(x, y): (&f64, &f64)| y - line.intercept - line.slope * x;
        let squares = logs.x.iter().zip(&logs.y).zip(&weights).map(|(p, w)| w * error(p).powi(2));
        Some(squares.sum::<f64>() / freedom - 1.0)
    };
    let (mut low, mut high) = (0.0, used_variances.iter().copied().fold(f64::INFINITY, f64::min));
    if excess(0.0)? > 0.0 {
        while excess(high)? > 0.0 {
            (low, high) = (high, high * 4.0);
        }
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(low, high);
            if excess(middle)? > 0.0 { low = middle } else { high = middle }
        }
    } else {
        high = 0.0;
    }
    Some(variances.iter().map(|v| 1.0 / (high + v)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::noise::Noise;

    fn scattered(values: &[f64]) -> Scattered {
        Scattered {
            count: values.len() as u64,
            min: values.iter().copied().fold(f64::INFINITY, f64::min),
            max: values.iter().copied().fold(0.0, f64::max),
            sum: values.iter().sum(),
            sum_of_squares: values.iter().map(|v| v * v).sum(),
        }
    }

    #[test]
    fn scatter_is_pooled_over_points_by_their_degrees_of_freedom() {
        // 1, 2, 3 about 2: 2/4; 10, 30 about 20: 200/400; a single observation contributes nothing. Degrees of freedom:
        // 2 + 1.
        let points = [scattered(&[1.0, 2.0, 3.0]), scattered(&[10.0, 30.0]), scattered(&[7.0])];
        assert!((scatter_of_one(&points).unwrap() - 1.0 / 3.0).abs() < 1e-15);
        assert_eq!(scatter_of_one(&points[2..]), None);
        assert_eq!(scatter_of_one(&[scattered(&[5.0; 9]), scattered(&[8.0; 3])]), Some(0.0));
    }

    #[test]
    fn squares_that_cancel_are_kept_between_what_the_extremes_allow() {
        // Values of 4.5e15 ± 1: the squares of the sums leave no digit.
        let middle = 4.5e15;
        let costs: Vec<f64> = (0..100).map(|i| middle + f64::from(i % 3) - 1.0).collect();
        let squares = scattered(&costs).squares_about_mean().unwrap();
        assert!((2.0..=100.0).contains(&squares), "{squares}");
        let unknown = Scattered { sum_of_squares: 0.0, ..scattered(&[1.0, 4.0, 4.0]) };
        assert_eq!(unknown.squares_about_mean(), None);
        assert_eq!(
            Scattered { sum_of_squares: 0.0, ..scattered(&[1.0, 4.0]) }.squares_about_mean(),
            Some(4.5)
        );
    }

    #[test]
    fn what_points_scatter_by_besides_is_found() {
        // Oracle: simulation. Known variances of 0.0001 to 1, plus an additional scatter of 0.3.
        let mut estimates = Vec::new();
        for seed in 0..60 {
            let mut noise = Noise::new(seed);
            let x = noise.log_uniform(80, 10.0, 1e4);
            let variances = noise.log_uniform(80, 1e-4, 1.0);
            let y: Vec<f64> = (x.iter().zip(&variances))
                .map(|(x, v)| x.powf(1.5) * ((v + 0.09_f64).sqrt() * noise.normal()).exp())
                .collect();
            let weights = weights_of_averages(&x, &y, &variances).unwrap();
            estimates.push(1.0 / weights[0] - variances[0]);
        }
        let mean = estimates.iter().sum::<f64>() / 60.0;
        // The standard error is 0.0025.
        assert!((mean - 0.09).abs() < 0.008, "{mean}");
    }

    #[test]
    fn points_that_are_off_by_less_than_is_known_weigh_by_that_alone() {
        let x = [1.0, 2.0, 4.0, 8.0, 16.0];
        let variances = [0.1, 0.2, 0.4, 0.1, 0.1];
        let weights = weights_of_averages(&x, &x, &variances).unwrap();
        assert!(weights.iter().zip(variances).all(|(w, v)| (w * v - 1.0).abs() < 1e-12), "{weights:?}");
        assert_eq!(weights_of_averages(&x, &x, &[0.1; 5]), None);
        assert_eq!(weights_of_averages(&x, &x, &[0.0; 5]), None);
    }

    /// Averages of calls that cost 40·n^1.5 on average; one in ten costs six times as much as the others.
    fn rare(seed: u64, count: impl Fn(i32) -> f64) -> (Vec<f64>, Vec<Scattered>) {
        let mut noise = Noise::new(seed);
        let sizes: Vec<f64> = (0..15).map(|i| (10.0 * 1.6_f64.powi(i)).round()).collect();
        let calls = |(i, n): (i32, &f64)| {
            let count = count(i).round() as usize;
            // With many calls, the number of rare ones is its expectation plus a random deviation.
            let few = count.min(300);
            let drawn = (0..few).filter(|_| noise.uniform() < 0.1).count() as f64;
            let chance = (drawn - 0.1 * few as f64) / (few as f64).sqrt() * (count as f64).sqrt();
            let rare = (0.1 * count as f64 + chance).round().clamp(0.0, count as f64);
            let (low, high) = (40.0 * n.powf(1.5) / 1.5, 40.0 * n.powf(1.5) * 4.0);
            let cheap = count as f64 - rare;
            Scattered {
                count: count as u64,
                min: if cheap > 0.0 { low } else { high },
                max: if rare > 0.0 { high } else { low },
                sum: cheap * low + rare * high,
                sum_of_squares: cheap * low * low + rare * high * high,
            }
        };
        let points = (0..).zip(&sizes).map(calls).collect();
        (sizes, points)
    }

    #[test]
    fn weighted_verdicts_are_right_more_often_and_weighted_intervals_hold() {
        // Oracle: simulation. The smallest size has 100,000 calls, and the largest has 1.
        const DATA_SETS: u64 = 100;
        let is_right = |growth: &crate::Growth| growth.decided && growth.best().class.to_string() == "n^1.5";
        let (mut right, mut held) = ([0, 0], [0, 0, 0]);
        let mut squares = [0.0, 0.0];
        for seed in 0..DATA_SETS {
            let (x, points) = rare(seed, |i| 10_f64.powf(5.0 * (1.0 - f64::from(i) / 14.0)));
            let y: Vec<f64> = points.iter().map(Scattered::mean).collect();
            let variances = variances_of_averages(&points);
            let weights = weights_of_averages(&x, &y, &variances).unwrap();
            let at = 10.0 * x[14];
            let truth = 40.0 * at.powf(1.5);
            let growth = [crate::growth(&x, &y), crate::growth_of_averages(&x, &y, &variances, usize::MAX)];
            let growth = growth.map(Result::unwrap);
            for (right, growth) in right.iter_mut().zip(&growth) {
                *right += u64::from(is_right(growth));
            }
            let even = crate::PowerLaw::fit(&x, &y).unwrap();
            let weighted = crate::PowerLaw::fit_weighted(&x, &y, &weights).unwrap();
            squares[0] += (even.b - 1.5).powi(2);
            squares[1] += (weighted.b - 1.5).powi(2);
            let intervals =
                crate::weighted_intervals(crate::Axes::LogLog, &x, &y, &weights, &[at], 0.95).unwrap();
            held[0] += u64::from(intervals.b.contains(1.5));
            held[1] += u64::from(intervals.predictions[0].contains(truth));
            held[2] += u64::from(growth[1].predict_interval(at, 0.95).unwrap().contains(truth));
        }
        // Measured by `examples/weights` over four laws: 36 and 89 % right, errors of 0.044 and 0.005.
        assert!(right[1] >= right[0] + 20, "{right:?}");
        assert!(squares[1] < squares[0] / 9.0, "{squares:?}");
        assert!(held.iter().all(|held| (90..=100).contains(held)), "{held:?}");
    }

    #[test]
    fn where_no_average_is_told_from_another_everything_stays_as_it_is() {
        let (x, points) = rare(7, |_| 40.0);
        let y: Vec<f64> = points.iter().map(Scattered::mean).collect();
        assert!(scatter_of_one(&points).unwrap() > 0.5);
        let variances = variances_of_averages(&points);
        assert!(variances.is_empty() && weights_of_averages(&x, &y, &variances).is_none());
        let exact: Vec<Scattered> =
            (1..9).map(|m| scattered(&vec![3.0 * f64::from(m); m as usize])).collect();
        assert!(variances_of_averages(&exact).is_empty());
        let [even, weighted] = [crate::growth(&x, &y), crate::growth_of_averages(&x, &y, &[], usize::MAX)];
        assert_eq!(format!("{even:?}"), format!("{weighted:?}"));
    }
}
