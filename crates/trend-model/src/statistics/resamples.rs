//! Bootstrap resamples: how often each of many imagined repetitions of a study would have seen each point. They are
//! drawn once and shared by all fits, so that differences between fits are not resampling noise.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Resampling weights `[resamples × points]`, row-major: the number of times that a point was drawn. Every row sums to
/// the number of points.
///
/// The values are a stable function of `(points, resamples, seed)`, on every platform and in every version of this
/// crate. The generator is ChaCha with 8 rounds, whose key `SeedableRng::seed_from_u64` expands from the seed. Its
/// 32-bit outputs are mapped to indices by the multiplication with rejection of Lemire, *Fast random integer generation
/// in an interval*, 2019.
#[derive(Clone, Debug, PartialEq)]
pub struct Resamples {
    points: usize,
    count: usize,
    weights: Vec<f64>,
}

impl Resamples {
    /// Draws `points` indices out of `points` with replacement, `resamples` times.
    ///
    /// - Time: O(resamples·points). Memory: 8 bytes per weight.
    ///
    /// # Panics
    ///
    /// Panics with 2³² points or more.
    pub fn new(points: usize, resamples: usize, seed: u64) -> Self {
        assert!(u32::try_from(points).is_ok(), "points are drawn by numbers of 32 bits");
        let mut weights = vec![0.0; resamples * points];
        if points > 0 {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            for row in weights.chunks_exact_mut(points) {
                for _ in 0..points {
                    row[index_below(points as u32, &mut random) as usize] += 1.0;
                }
            }
        }
        Self { points, count: resamples, weights }
    }

    /// Returns the number of resamples.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Returns true if there are no resamples.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the number of points, the length of every row.
    pub fn points(&self) -> usize {
        self.points
    }

    /// Returns all weights, `[resamples × points]`, row-major.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// Returns how often each point was drawn in resample `r`.
    #[cfg(test)]
    pub(crate) fn row(&self, r: usize) -> &[f64] {
        &self.weights[r * self.points..(r + 1) * self.points]
    }
}

/// Draws a uniformly distributed integer below `bound`.
fn index_below(bound: u32, random: &mut ChaCha8Rng) -> u32 {
    let threshold = bound.wrapping_neg() % bound;
    loop {
        let product = u64::from(random.next_u32()) * u64::from(bound);
        if product as u32 >= threshold {
            return (product >> 32) as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_resample_draws_as_many_points_as_there_are() {
        let resamples = Resamples::new(13, 50, 1);
        assert_eq!((resamples.len(), resamples.points()), (50, 13));
        for r in 0..resamples.len() {
            assert_eq!(resamples.row(r).iter().sum::<f64>(), 13.0);
        }
    }

    #[test]
    fn nothing_to_draw_is_no_error() {
        assert!(Resamples::new(5, 0, 1).is_empty());
        assert_eq!(Resamples::new(0, 5, 1).row(4), [0.0; 0]);
    }

    #[test]
    fn the_seed_and_nothing_else_decides() {
        assert_eq!(Resamples::new(9, 9, 7), Resamples::new(9, 9, 7));
        assert_ne!(Resamples::new(9, 9, 7), Resamples::new(9, 9, 8));
    }

    #[test]
    fn drawn_values_stay_the_same_for_ever() {
        // Recorded when the generator was chosen; intervals in old reports depend on it.
        assert_eq!(Resamples::new(8, 1, 42).row(0), [0.0, 2.0, 1.0, 1.0, 0.0, 2.0, 1.0, 1.0]);
    }

    #[test]
    fn weights_are_multinomial() {
        // Oracle: closed form. A weight has mean 1 and variance 1 − 1/k. All 200 000 together have standard errors of 0
        // (mean) and 0.004 (variance).
        let resamples = Resamples::new(20, 10_000, 3);
        let squares: f64 = resamples.weights.iter().map(|&w| (w - 1.0).powi(2)).sum();
        assert!((squares / 200_000.0 - 0.95).abs() < 0.016);
        for point in 0..20 {
            let mean = (0..10_000).map(|r| resamples.row(r)[point]).sum::<f64>() / 10_000.0;
            assert!((mean - 1.0).abs() < 0.04, "point {point} was drawn {mean} times");
        }
    }
}
