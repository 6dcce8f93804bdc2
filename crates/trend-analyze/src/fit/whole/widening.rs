//! Estimates how far off the whole's predictions may be, from the measurements at the largest sizes. Predicts nothing.
//!
//! ```text
//!   cost │             ● ┊╱     at the largest size more was measured than the law says: beyond it, the law may be as far
//!        │            ╱  ╱      off
//!        │     ●  ●  ╱ ╱ ┊
//!        │ ●  ───────────┊──── law of the whole
//!        └───────────────┊─────▶ size
//! ```

use trend_answer::Law;
use trend_model::nearest_rank;

use crate::findings::doubt::{Doubt, FeatureName};
use crate::findings::model::{Model, Prediction};
use crate::findings::row::{Cluster, Parts};
use crate::fit::column::Column;

/// Minimum distance of the measurement at the largest size from the model to count as off, in scatters about the
/// model.
const OFF_SCATTERS: f64 = 3.0;

/// Minimum distance of the measurement at the largest size from the model to count as off, as a fraction of the cost.
const LEAST_OFF: f64 = 0.05;

/// Minimum distance between measurement and model that is reported, as a logarithm or a fraction.
const REMARKABLE: f64 = 0.2;

/// Measurements of the whole in one feature, and lower bounds on its cost from its clusters.
pub(crate) struct Widening {
    /// Each size with the median of the costs measured there, ascending.
    measured: Vec<(f64, f64)>,
    /// The measurement at the largest size divided by the model's cost there; 1 if the difference may be chance.
    off: f64,
    /// Laws of the clusters with known growth, if no location is in two clusters. The whole costs at least their sum.
    disjoint: Vec<Law>,
}

/// Returns true if the clusters together cost no more than the whole. A location can be in several clusters.
fn are_disjoint(clusters: &[Cluster], totals: &[u64]) -> bool {
    let sum =
        |run: usize| clusters.iter().fold(0, |sum: u64, cluster| sum.saturating_add(cluster.costs[run]));
    totals.iter().enumerate().all(|(run, total)| sum(run) <= *total)
}

fn scatter(model: &Model) -> f64 {
    model.growth.as_ref().and_then(|growth| growth.best()).map_or(0.0, |best| best.spread)
}

impl Widening {
    /// `model` is the whole's own model, and `parts` are the parts that its prediction adds up, if it is a sum.
    /// `totals` is `[workloads]`.
    pub(crate) fn new(
        column: &Column,
        totals: &[u64],
        model: &Model,
        parts: Option<&Parts>,
        clusters: &[Cluster],
    ) -> Self {
        let mut runs: Vec<(f64, f64)> =
            column.present.iter().zip(&column.values).map(|(&i, &x)| (x, totals[i] as f64)).collect();
        runs.retain(|&(x, cost)| x > 0.0 && cost > 0.0);
        runs.sort_by(|p, q| p.0.total_cmp(&q.0));
        let middle = |group: &[(f64, f64)]| {
            let costs: Vec<f64> = group.iter().map(|run| run.1).collect();
            Some((group[0].0, nearest_rank(&costs, 0.5)?))
        };
        let measured: Vec<(f64, f64)> = runs.chunk_by(|p, q| p.0 == q.0).filter_map(middle).collect();
        let is_known = |model: &Model| {
            let grows = model.growth.as_ref().is_some_and(|g| !g.is_open() || g.superlinear == Some(true));
            grows && model.is_sound()
        };
        let late = clusters.iter().filter(|cluster| column.runs_at_the_end(&cluster.costs));
        let models_of_late = late.map(|cluster| &cluster.fits.models[column.id.index()]);
        let laws: Vec<Law> = models_of_late.filter(|model| is_known(model)).filter_map(Model::law).collect();
        let disjoint = if are_disjoint(clusters, totals) { laws } else { Vec::new() };
        let mut widening = Self { off: 1.0, disjoint, measured };
        if let Some(&(largest, cost)) = widening.measured.last() {
            let modelled = match parts {
                Some(parts) => Some(parts.rows.iter().filter_map(|part| part.model.predict(largest)).sum()),
                None => model.predict(largest),
            };
            let off =
                modelled.map(|modelled: f64| cost / modelled).filter(|off| off.is_normal()).unwrap_or(1.0);
            if off.ln().abs() > (OFF_SCATTERS * scatter(model)).max(LEAST_OFF) {
                widening.off = off;
            }
        }
        widening
    }

    /// Widens the interval of the whole's predicted cost at a size. Beyond the largest size, the law may be as far off
    /// as it is there, unless the interval already includes such a law.
    pub(crate) fn widen(&self, at: f64, cost: f64, ci: &mut Option<[f64; 2]>) {
        let Some([mut lo, mut hi]) = *ci else { return };
        let is_included = lo <= cost * self.off && cost * self.off <= hi;
        if !is_included && self.measured.last().is_some_and(|&(largest, _)| at >= largest) {
            lo *= self.off.min(1.0);
            hi *= self.off.max(1.0);
        }
        hi = self.cost_of_disjoint(at).map_or(hi, |sum| hi.max(sum));
        let there = self.measured.iter().find(|(size, _)| *size == at).map(|&(_, cost)| cost);
        let [lo, hi] = there.map_or([lo, hi], |there| [lo.min(there), hi.max(there)]);
        *ci = Some([lo, hi]).filter(|ci| ci.iter().all(|end| end.is_finite()));
    }

    /// Returns the total cost of the disjoint clusters at a size beyond the largest.
    fn cost_of_disjoint(&self, at: f64) -> Option<f64> {
        self.measured.last().filter(|&&(largest, _)| at > largest)?;
        let sum: f64 = self.disjoint.iter().filter_map(|law| law.cost(&[at])).sum();
        sum.is_finite().then_some(sum)
    }

    /// Returns the differences that are worth reporting; `before` are the whole's predictions.
    pub(crate) fn doubts(&self, feature: &FeatureName, before: &[Prediction]) -> Vec<Doubt> {
        let off = before.iter().filter_map(|prediction| self.off_what_was_measured(feature, prediction));
        off.chain(self.off_at_the_largest(feature)).collect()
    }

    fn off_what_was_measured(&self, feature: &FeatureName, prediction: &Prediction) -> Option<Doubt> {
        let [lo, hi] = prediction.ci?;
        let &(at, cost) = self.measured.iter().find(|(size, _)| *size == prediction.at)?;
        let is_off = cost > hi * (1.0 + REMARKABLE) || cost < lo / (1.0 + REMARKABLE);
        let factor = cost / prediction.cost;
        is_off.then(|| Doubt::OffWhatWasMeasured { feature: feature.clone(), at, factor })
    }

    fn off_at_the_largest(&self, feature: &FeatureName) -> Option<Doubt> {
        let &(largest, _) = self.measured.last().filter(|_| self.off.ln().abs() > REMARKABLE)?;
        Some(Doubt::OffAtTheLargest { feature: feature.clone(), largest, factor: self.off })
    }
}
