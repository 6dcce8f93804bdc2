//! What a run of the whole program costs at a size that was not run. Advises nothing.
//!
//! ```text
//!   cost ▲                ╱ a decided part     A run costs what the whole program does, whatever part it is for: the greatest of
//!        │              ╱ ╱ whole              what the whole's model says, what a part that is decided costs there, and the part
//!        │           ╱ ╱                       that is asked for with the rest.
//!        └──────────────────▶ size
//! ```

use trend_profile::Study;

use super::{MOST_COST, Runs};
use crate::{Cluster, Law, Model, Parts};

/// Models of one feature from which the cost of a run follows.
pub(super) struct Price {
    /// The whole program as one sum of models: itself, or its parts.
    whole: Vec<Law>,
    /// Parts whose law is known.
    decided: Vec<Law>,
    /// How many times as much the largest runs cost as the model says, where they do.
    behind: f64,
    /// The greatest cost of a run.
    pub(super) costliest: f64,
    /// Seconds per unit of cost, by the costliest run that was timed.
    seconds_per_cost: Option<f64>,
}

impl Price {
    /// `runs` are those of the whole program, `total` and `parts` the whole's, of this feature.
    pub(super) fn new(
        study: &Study,
        runs: &Runs,
        total: &Model,
        parts: Option<&Parts>,
        feature: usize,
        clusters: &[Cluster],
    ) -> Self {
        let of_parts = |parts: &Parts| parts.rows.iter().filter_map(|part| part.model.law()).collect();
        let is_decided =
            |model: &&Model| model.is_sound() && model.growth.as_ref().is_some_and(|growth| growth.decided);
        let costly = clusters.iter().filter(|cluster| cluster.costly);
        let decided =
            costly.filter_map(|c| c.models.get(feature)).filter(is_decided).filter_map(Model::law).collect();
        let Runs { x, y: costs, workloads } = runs;
        let costliest = costs.iter().copied().fold(0.0, f64::max);
        let seconds = |&w: &usize| study.workloads()[w].usage.map(|usage| usage.wall.as_secs_f64());
        let timed = costs.iter().zip(workloads).filter_map(|(cost, w)| Some((*cost, seconds(w)?)));
        let seconds_per_cost = timed.max_by(|p, q| p.0.total_cmp(&q.0)).map(|(cost, seconds)| seconds / cost);
        let whole = parts.map_or_else(|| total.law_of_itself().into_iter().collect(), of_parts);
        let mut price = Self { whole, decided, behind: 1.0, costliest, seconds_per_cost };
        if let Some(largest) = x.iter().copied().max_by(f64::total_cmp) {
            let there = x.iter().zip(costs).filter(|(x, _)| **x == largest).map(|(_, cost)| *cost);
            price.behind = (there.fold(0.0, f64::max) / price.at(largest)).clamp(1.0, f64::MAX);
        }
        price
    }

    /// One run at `x`; without end where that is too large for a number.
    pub(super) fn at(&self, x: f64) -> f64 {
        let of = |law: &Law| law.cost(&[x]).unwrap_or(f64::INFINITY);
        let whole: f64 = self.whole.iter().map(of).sum();
        self.behind * self.decided.iter().map(of).fold(whole, f64::max)
    }

    /// What further runs may cost together: [`MOST_COST`], and no more than they do in so many seconds.
    pub(super) fn limit(&self, seconds: f64) -> f64 {
        let in_time = self.seconds_per_cost.map_or(f64::INFINITY, |per_cost| seconds / per_cost);
        in_time.min(MOST_COST * self.costliest)
    }

    /// Whether time is what limits the cost.
    pub(super) fn is_limited_by_time(&self, seconds: f64) -> bool {
        self.limit(seconds) < MOST_COST * self.costliest
    }

    /// How long runs of a cost take, where runs were timed.
    pub(super) fn seconds(&self, cost: f64) -> Option<f64> {
        Some(self.seconds_per_cost? * cost)
    }

    /// The same where a part that the whole's model takes to cost `modelled` is expected to cost `expected`.
    pub(super) fn with(&self, x: f64, modelled: f64, expected: f64) -> f64 {
        let whole = self.at(x);
        whole.max(expected + (whole - modelled).max(0.0))
    }
}
