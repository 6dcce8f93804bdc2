//! Seeded random data for the tests. Not part of the library.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

pub(crate) struct Noise(ChaCha8Rng);

impl Noise {
    pub(crate) fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// Draws a uniform number in (0, 1).
    pub(crate) fn uniform(&mut self) -> f64 {
        (f64::from(self.0.next_u32()) + 0.5) / 4_294_967_296.0
    }

    /// Draws a standard normal number, by Box and Muller.
    pub(crate) fn normal(&mut self) -> f64 {
        let radius = (-2.0 * self.uniform().ln()).sqrt();
        radius * (std::f64::consts::TAU * self.uniform()).cos()
    }

    /// Draws `k` values whose logarithms are uniform between the logarithms of `low` and `high`.
    pub(crate) fn log_uniform(&mut self, k: usize, low: f64, high: f64) -> Vec<f64> {
        (0..k).map(|_| low * (high / low).powf(self.uniform())).collect()
    }

    /// Returns `f(x)` times lognormal noise with logarithmic standard deviation `sigma`.
    pub(crate) fn costs(&mut self, x: &[f64], sigma: f64, f: impl Fn(f64) -> f64) -> Vec<f64> {
        x.iter().map(|&x| f(x) * (sigma * self.normal()).exp()).collect()
    }
}
