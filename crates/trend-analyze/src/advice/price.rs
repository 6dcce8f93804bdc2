//! Predicts the cost of a run of the whole program at a size that was not run. Advises nothing.
//!
//! ```text
//!   cost ▲                ╱ a decided part     A run costs as much as the whole program, whichever part it is meant for:
//!        │              ╱ ╱ whole              the maximum of the whole's model, the law of a decided part, and the part
//!        │           ╱ ╱                       in question plus the rest.
//!        └──────────────────▶ size
//! ```

use trend_answer::Law;

use crate::findings::model::Model;
use crate::findings::row::{Cluster, Parts};

/// Maximum cost of the advised runs together, as a multiple of the cost of all runs so far: after two minutes of runs,
/// one hour more.
pub(super) const MOST_COST: f64 = 30.0;

/// Models of one feature from which the cost of a run follows.
pub(super) struct Price {
    /// Laws that add up to the whole program: its own, or those for its parts.
    whole: Vec<Law>,
    /// Laws of the costly clusters with a decided verdict.
    decided: Vec<Law>,
    /// Measured cost of the largest runs divided by the model's, at least 1.
    underestimate: f64,
    /// The greatest cost of a run.
    pub(super) costliest: f64,
    /// The cost of all runs together.
    pub(super) so_far: f64,
}

impl Price {
    /// Uses the runs of the whole program (sizes `x` and their `costs`), and the whole's model `total` and its `parts`
    /// in this feature.
    pub(super) fn new(
        (x, costs): (&[f64], &[f64]),
        total: &Model,
        parts: Option<&Parts>,
        feature: usize,
        clusters: &[Cluster],
    ) -> Self {
        let of_parts = |parts: &Parts| parts.rows.iter().filter_map(|part| part.model.law()).collect();
        let is_decided = |model: &&Model| {
            model.is_sound() && model.growth.as_ref().is_some_and(|growth| !growth.is_open())
        };
        let costly = clusters.iter().filter(|cluster| cluster.costly);
        let decided = costly
            .filter_map(|c| c.fits.models.get(feature))
            .filter(is_decided)
            .filter_map(Model::law)
            .collect();
        let costliest = costs.iter().copied().fold(0.0, f64::max);
        let so_far = costs.iter().sum();
        let whole = parts.map_or_else(|| total.law_of_itself().into_iter().collect(), of_parts);
        let mut price = Self { whole, decided, underestimate: 1.0, costliest, so_far };
        if let Some(largest) = x.iter().copied().max_by(f64::total_cmp) {
            let there = x.iter().zip(costs).filter(|(x, _)| **x == largest).map(|(_, cost)| *cost);
            price.underestimate = (there.fold(0.0, f64::max) / price.at(largest)).clamp(1.0, f64::MAX);
        }
        price
    }

    /// Returns the cost of one run at `x`; infinite if it is too large for a number.
    pub(super) fn at(&self, x: f64) -> f64 {
        let cost = |law: &Law| law.cost(&[x]).unwrap_or(f64::INFINITY);
        let whole: f64 = self.whole.iter().map(cost).sum();
        self.underestimate * self.decided.iter().map(cost).fold(whole, f64::max)
    }

    /// Returns the cost of one run at `x` if a part costs `expected` there, and not `modelled` as the whole's model
    /// assumes.
    pub(super) fn with(&self, x: f64, modelled: f64, expected: f64) -> f64 {
        let whole = self.at(x);
        whole.max(expected + (whole - modelled).max(0.0))
    }
}
