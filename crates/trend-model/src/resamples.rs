//! Bootstrap resamples: which points each of many imagined repetitions of a study would have seen, and how
//! often. Drawn once and shared by all fits, so that differences between fits are not resampling noise.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Resampling weights `[resamples × points]`, row-major: how often a point was drawn; every row sums to the
/// number of points.
///
/// The values are a stable function of `(points, resamples, seed)`, on every platform and in every version of
/// this crate: ChaCha with 8 rounds, its key expanded from the seed by `SeedableRng::seed_from_u64`, its 32-bit
/// outputs mapped to indices by the multiplication with rejection of Lemire, *Fast random integer generation in
/// an interval*, 2019.
#[derive(Clone, Debug, PartialEq)]
pub struct Resamples {
    points: usize,
    resamples: usize,
    /// Small integers, exact in `f32` up to 2²⁴ and half the memory traffic of `f64`.
    weights: Vec<f32>,
}

impl Resamples {
    /// Draws `points` of `points` indices with replacement, `resamples` times.
    ///
    /// - Time: O(resamples·points). Memory: 4 bytes per weight.
    ///
    /// # Panics
    ///
    /// With 2²⁴ points or more.
    pub fn new(points: usize, resamples: usize, seed: u64) -> Self {
        assert!(points < 1 << f32::MANTISSA_DIGITS, "weights are exact below 2^24 points");
        let mut weights = vec![0.0; resamples * points];
        if points > 0 {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            for row in weights.chunks_exact_mut(points) {
                for _ in 0..points {
                    row[index_below(points as u32, &mut random) as usize] += 1.0;
                }
            }
        }
        Self { points, resamples, weights }
    }

    /// Number of resamples.
    pub fn len(&self) -> usize {
        self.resamples
    }

    /// Whether there are no resamples.
    pub fn is_empty(&self) -> bool {
        self.resamples == 0
    }

    /// Number of points, the length of every row.
    pub fn points(&self) -> usize {
        self.points
    }

    /// How often each point was drawn in resample `r`.
    pub(crate) fn row(&self, r: usize) -> &[f32] {
        &self.weights[r * self.points..(r + 1) * self.points]
    }
}

/// A uniformly distributed integer below `bound`.
fn index_below(bound: u32, random: &mut ChaCha8Rng) -> u32 {
    let threshold = bound.wrapping_neg() % bound;
    loop {
        let product = u64::from(random.next_u32()) * u64::from(bound);
        if product as u32 >= threshold {
            return (product >> 32) as u32;
        }
    }
}
