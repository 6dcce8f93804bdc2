//! Finds the smallest quadratic difference between two versions that the paired comparison detects. A t test on the
//! same number of runs, all of the largest size, serves as the baseline. Prints the table in docs/evidence/diff.md.
//!
//! Before: `n`. After: `n·(1 + s·n/n_max)`, so that `s` is the share that the new part adds at the largest size. Both
//! have lognormal noise, with 2,000 pairs of versions per step of the search. A difference is detected if its p-value
//! is at most 1 %.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example prints")]

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use statrs::distribution::{ContinuousCDF, StudentsT};
use trend_model::paired;

const ALPHA: f64 = 0.01;
const TRIALS: usize = 2_000;
const POWER: f64 = 0.9;

fn normal(random: &mut ChaCha8Rng) -> f64 {
    let mut uniform = || (f64::from(random.next_u32()) + 0.5) / 4_294_967_296.0;
    (-2.0 * uniform().ln()).sqrt() * (std::f64::consts::TAU * uniform()).cos()
}

/// Returns the fraction of paired comparisons that detect the new part.
fn of_laws(runs: usize, noise: f64, share: f64, random: &mut ChaCha8Rng) -> f64 {
    let sizes: Vec<f64> = (0..runs).map(|i| 1000f64.powf(i as f64 / (runs - 1) as f64)).collect();
    let detections = (0..TRIALS).filter(|_| {
        let mut noisy = |cost: f64| cost * (noise * normal(random)).exp();
        let before: Vec<f64> = sizes.iter().map(|n| noisy(1000.0 * n)).collect();
        let after: Vec<f64> = sizes.iter().map(|n| noisy(1000.0 * n * (1.0 + share * n / 1000.0))).collect();
        paired(&sizes, &before, &after).is_ok_and(|paired| paired.p_value() <= ALPHA)
    });
    detections.count() as f64 / TRIALS as f64
}

/// Returns the fraction that a one-sided t test of the slope detects. The test knows that the ratio is linear in the
/// size, and that the part is added.
fn of_the_line(runs: usize, noise: f64, share: f64, random: &mut ChaCha8Rng) -> f64 {
    let sizes: Vec<f64> = (0..runs).map(|i| 1000f64.powf(i as f64 / (runs - 1) as f64)).collect();
    let count = runs as f64;
    let mean = |values: &[f64]| values.iter().sum::<f64>() / count;
    let middle = mean(&sizes);
    let spread: f64 = sizes.iter().map(|n| (n - middle).powi(2)).sum();
    let Ok(students) = StudentsT::new(0.0, 1.0, count - 2.0) else { return 0.0 };
    let detections = (0..TRIALS).filter(|_| {
        let mut ratio =
            |n: f64| (1.0 + share * n / 1000.0) * (noise * (normal(random) - normal(random))).exp();
        let ratios: Vec<f64> = sizes.iter().map(|n| ratio(*n)).collect();
        let level = mean(&ratios);
        let slope = sizes.iter().zip(&ratios).map(|(n, r)| (n - middle) * (r - level)).sum::<f64>() / spread;
        let errors = sizes.iter().zip(&ratios).map(|(n, r)| (r - level - slope * (n - middle)).powi(2));
        let error = (errors.sum::<f64>() / (count - 2.0) / spread).sqrt();
        1.0 - students.cdf(slope / error) <= ALPHA
    });
    detections.count() as f64 / TRIALS as f64
}

/// Returns the fraction that a two-sided t test detects on the logarithms of as many runs, all of the largest size.
fn of_points(runs: usize, noise: f64, share: f64, random: &mut ChaCha8Rng) -> f64 {
    let count = runs as f64;
    let Ok(students) = StudentsT::new(0.0, 1.0, 2.0 * count - 2.0) else { return 0.0 };
    let detections = (0..TRIALS).filter(|_| {
        let mut sample = |mean: f64| (0..runs).map(|_| mean + noise * normal(random)).collect::<Vec<f64>>();
        let (before, after) = (sample(0.0), sample(share.ln_1p()));
        let mean = |values: &[f64]| values.iter().sum::<f64>() / count;
        let squares = |values: &[f64]| values.iter().map(|v| (v - mean(values)).powi(2)).sum::<f64>();
        let variance = (squares(&before) + squares(&after)) / (2.0 * count - 2.0);
        let t = (mean(&after) - mean(&before)) / (2.0 * variance / count).sqrt();
        2.0 * (1.0 - students.cdf(t.abs())) <= ALPHA
    });
    detections.count() as f64 / TRIALS as f64
}

/// A comparison method: runs, noise and share → the fraction detected.
type Way = fn(usize, f64, f64, &mut ChaCha8Rng) -> f64;

/// Returns the smallest share that the method detects in nine of ten trials.
fn smallest(way: Way, runs: usize, noise: f64) -> f64 {
    let (mut low, mut high) = (1e-4_f64, 1e3_f64);
    for _ in 0..14 {
        let middle = (low * high).sqrt();
        let mut random = ChaCha8Rng::seed_from_u64(1);
        if way(runs, noise, middle, &mut random) >= POWER { high = middle } else { low = middle }
    }
    high
}

fn main() {
    println!(
        "| runs of each version | noise | two laws | if the shape were known | a t test on the largest size |"
    );
    println!("|---|---|---|---|---|");
    for runs in [5, 10, 20] {
        for noise in [0.01, 0.05, 0.15] {
            let [laws, line, points] =
                [of_laws as Way, of_the_line, of_points].map(|way| smallest(way, runs, noise) * 100.0);
            println!("| {runs} | {:.0} % | {laws:.1} % | {line:.1} % | {points:.1} % |", noise * 100.0);
        }
    }
}
