//! Whether a model is too steep or too flat for the largest sizes, beyond what chance does. Judges no verdict.
//!
//! ```text
//!   ln cost − ln model        ·  ·          The slope over the largest sizes is not 0. How much of it is chance depends on how
//!          0 ───────·───────·──────·───     far costs scatter, and that is not how far the model misses them: a smooth
//!                ·                   ·      curve is taken out first.
//! ```

use super::model::Model;
use super::points::Points;
use crate::curvature::{Curvature, two_sided_p};
use crate::linear_regression;

/// Different sizes that speak for themselves: these many, and the upper third.
const FEWEST_SIZES: usize = 4;
const PART: usize = 3;

/// Coefficients of the smooth curve.
const SMOOTH: f64 = 5.0;

/// How the costs of the largest sizes turn away from a model.
pub(crate) struct Turn {
    /// The first of the points of the largest sizes.
    pub(crate) from: usize,
    /// Slope of log cost over them.
    pub(crate) slope: f64,
    /// The same less that of the model.
    pub(crate) excess: f64,
    /// Probability of an excess as great, either way, without a cause.
    pub(crate) p_value: f64,
    /// By how much the slope of the residuals changes from the two smallest sizes to the two largest, where it rises or falls
    /// from each pair of sizes to the next; else 0. Without a cause it does in 0.5 % of the cases
    /// with six sizes, in 4 % with five and in 27 % with four (simulated).
    pub(crate) bend: f64,
}

impl Turn {
    /// Slopes along `along`, one value per point, ascending; `None` with too few sizes to tell.
    ///
    /// # Formula
    ///
    /// `t = b/(s/√Σ(z−z̄)²)` over the largest of m sizes, b the slope of the residuals' means per size and s their standard
    /// deviation about a polynomial of up to the fourth degree, through all or over the largest, whichever is greater; with m − 5
    /// degrees of freedom.
    pub(crate) fn new(points: &Points, model: &Model, along: &[f64]) -> Option<Self> {
        let x = points.relative_x();
        let starts = points.starts();
        // Runs of a size that are alike are no more than one.
        let per_size = |values: &[f64]| -> Vec<f64> {
            let ends = starts.iter().skip(1).copied().chain([values.len()]);
            let mean =
                |(&from, to): (&usize, usize)| values[from..to].iter().sum::<f64>() / (to - from) as f64;
            starts.iter().zip(ends).map(mean).collect()
        };
        let predicted = |i: usize| model.predict(points, x[i] * points.x_max()).0;
        let residuals: Vec<f64> = (0..points.len()).map(|i| points.log_y[i] - predicted(i)).collect();
        let (along, residuals, costs) = (per_size(along), per_size(&residuals), per_size(&points.log_y));
        let first = along.len().checked_sub((along.len() / PART).max(FEWEST_SIZES))?;
        let smooth = Curvature::new(&along, &residuals)?.residuals;
        let mean_square = |values: &[f64]| values.iter().map(|r| r * r).sum::<f64>() / values.len() as f64;
        let scatter = mean_square(&smooth).max(mean_square(&smooth[first..])).sqrt();
        let largest = &along[first..];
        let slope = linear_regression(largest, &costs[first..]).ok()?.slope;
        let excess = linear_regression(largest, &residuals[first..]).ok()?.slope;
        let mean = largest.iter().sum::<f64>() / largest.len() as f64;
        let error = scatter / largest.iter().map(|z| (z - mean).powi(2)).sum::<f64>().sqrt();
        let freedom = (along.len() as f64 - SMOOTH).max(1.0);
        let p_value = if excess == 0.0 { 1.0 } else { two_sided_p(excess / error, freedom) };
        Some(Self { from: starts[first], slope, excess, p_value, bend: bend(&along, &residuals) })
    }
}

/// The change of the slope over points by ascending `x` where it only rises or only falls, else 0.
fn bend(x: &[f64], y: &[f64]) -> f64 {
    let slopes: Vec<f64> =
        x.windows(2).zip(y.windows(2)).map(|(x, y)| (y[1] - y[0]) / (x[1] - x[0])).collect();
    let is_one_way = slopes.is_sorted_by(|a, b| a < b) || slopes.is_sorted_by(|a, b| a > b);
    match slopes.as_slice() {
        [first, .., last] if is_one_way => last - first,
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use crate::growth;
    use crate::noise::Noise;

    /// Counts of a search for matches, which get longer with the text by less and less; at 400,000 it was 70,161,512.
    #[test]
    fn growth_that_flattens_over_the_largest_sizes_is_not_said_to_be_superlinear() {
        let x = [1000.0, 1668.0, 2783.0, 4642.0, 7743.0, 12915.0, 21544.0, 35938.0, 59948.0, 100_000.0];
        let y = [
            57882.0,
            120_224.0,
            244_463.0,
            477_270.0,
            920_303.0,
            1_690_805.0,
            3_112_566.0,
            5_556_895.0,
            9_800_501.0,
            16_932_485.0,
        ];
        let verdict = growth(&x, &y).unwrap();
        assert_eq!(verdict.verdict(), "undecided between n and n log n");
        let interval = verdict.predict_interval(400_000.0, 0.95).unwrap();
        assert!(interval.lo < 70_161_512.0 && 70_161_512.0 < interval.hi, "{interval:?}");
    }

    #[test]
    fn a_logarithm_that_does_not_flatten_is_hardly_ever_doubted() {
        let x: Vec<f64> = (0..15).map(|i| (100.0 * 1.9f64.powi(i)).round()).collect();
        let decided = (0..100).filter(|&seed| {
            let y = Noise::new(seed).costs(&x, 0.02, |n| n * n.log2() - 3.0 * n);
            growth(&x, &y).unwrap().is_superlinear() == Some(true)
        });
        // Measured: 100.
        assert!(decided.count() >= 99);
    }
}
