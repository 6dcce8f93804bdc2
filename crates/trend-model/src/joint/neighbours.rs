//! Tests whether the residuals of a model in several features are alike among neighbours. This module fits nothing.
//!
//! ```text
//!   log y ▲  + + ○     If the law bends between two features, as the minimum of both does, a product of powers is too
//!         │ + ○ ○ −    high on one side and too low on the other: residuals of neighbours have the same sign.
//!         │ ○ − −
//!         └────────▶ log x
//! ```

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::statistics::order_statistics::sample_standard_deviation;

/// Number of neighbours that each point is compared with.
const NEIGHBOURS: usize = 3;

/// Number of permutations of the residuals in the test.
const ORDERS: usize = 400;

/// Number of permutations with neighbours at least as alike from which the likeness of the residuals counts as
/// chance: one in a hundred.
const MOST_AS_ALIKE: usize = 4;

/// Returns true if residuals of neighbours are more alike than by chance, by a permutation test. `features[j][i]` is
/// positive and belongs to the same point as `residuals[i]`.
///
/// - Time: O(k²), and 400·k.
pub(crate) fn are_alike(features: &[Vec<f64>], residuals: &[f64]) -> bool {
    if residuals.len() <= 2 * NEIGHBOURS {
        return false;
    }
    let axes: Vec<Vec<f64>> = features.iter().map(|values| standardized_logs(values)).collect();
    let neighbours: Vec<[usize; NEIGHBOURS]> = (0..residuals.len()).map(|i| nearest(&axes, i)).collect();
    let mean = residuals.iter().sum::<f64>() / residuals.len() as f64;
    let mut centred: Vec<f64> = residuals.iter().map(|r| r - mean).collect();
    let likeness = |r: &[f64]| -> f64 {
        neighbours.iter().zip(r).map(|(near, own)| own * near.iter().map(|&j| r[j]).sum::<f64>()).sum()
    };
    let observed_likeness = likeness(&centred);
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let as_alike = (0..ORDERS).filter(|_| {
        for i in (1..centred.len()).rev() {
            centred.swap(i, ((u64::from(random.next_u32()) * (i as u64 + 1)) >> 32) as usize);
        }
        likeness(&centred) >= observed_likeness
    });
    as_alike.count() < MOST_AS_ALIKE
}

/// Returns the logarithms in units of their standard deviation.
fn standardized_logs(values: &[f64]) -> Vec<f64> {
    let logs: Vec<f64> = values.iter().map(|v| v.ln()).collect();
    let deviation = sample_standard_deviation(&logs);
    if deviation > 0.0 { logs.iter().map(|v| v / deviation).collect() } else { vec![0.0; logs.len()] }
}

/// Returns the points nearest to point `i`. Ties go to the lower index.
fn nearest(axes: &[Vec<f64>], i: usize) -> [usize; NEIGHBOURS] {
    let distance = |j: usize| axes.iter().map(|axis| (axis[j] - axis[i]).powi(2)).sum::<f64>();
    let points = axes.first().map_or(0, Vec::len);
    let mut others: Vec<(f64, usize)> = (0..points).filter(|&j| j != i).map(|j| (distance(j), j)).collect();
    others.sort_by(|p, q| p.0.total_cmp(&q.0).then(p.1.cmp(&q.1)));
    std::array::from_fn(|n| others[n].1)
}
