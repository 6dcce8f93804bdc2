//! One feature of a study as models need it: its values, the resamples of its workloads, and the sizes where costs are
//! predicted. Fits no growth classes.

use std::sync::Arc;

use trend_model::{
    Axes, FitError, LineIntervals, Linear, PowerLaw, Resamples, intervals, nearest_rank,
    percentile_intervals, weighted_intervals, weighted_percentile_intervals, weights_of_averages,
};
use trend_profile::{FeatureId, Study};

use crate::findings::Intervals;
use crate::options::Options;
use crate::study::point::{Given, MULTIPLES_OF_P95, Point};

/// Number of points of a curve, evenly spaced on a log scale.
const CURVE_POINTS: u32 = 24;

/// Number of points per power of ten beyond the predictions. Power laws are straight there, and sums of terms nearly.
const POINTS_PER_DECADE: f64 = 2.0;

/// One feature, ready to be fitted.
pub(crate) struct Column {
    pub(crate) id: FeatureId,
    pub(crate) name: Arc<str>,
    /// The workloads that have a value.
    pub(crate) present: Vec<usize>,
    /// The values of these workloads.
    pub(crate) values: Vec<f64>,
    /// The values in ascending order, which speeds up fitting.
    pub(crate) ascending: Vec<f64>,
    /// Positions of the ascending values; equal ones in their original order.
    order: Vec<usize>,
    /// Resamples of the present workloads, for intervals that need them.
    pub(crate) resamples: Option<Resamples>,
    /// Number of resamples and their seed, for intervals that need them.
    draws: Option<(usize, u64)>,
    /// Sizes at which costs are predicted, ascending. True if the user asked for the size.
    pub(crate) at: Vec<(f64, bool)>,
    /// The largest size that is predicted even if the user asks for none.
    pub(crate) furthest_usual: Option<f64>,
    /// Sizes at which curves are computed, ascending.
    pub(crate) curve: Vec<f64>,
    pub(crate) workloads: usize,
}

/// Costs of the workloads that have a value of a feature, `[points]`, and the laws fitted to them.
pub(crate) struct Fitted {
    pub(crate) costs: Vec<f64>,
    /// The known variance of the logarithm of each cost; empty if unknown.
    pub(crate) variances: Vec<f64>,
    /// The weight of each cost; `None` if all weigh the same.
    pub(crate) weights: Option<Vec<f64>>,
    pub(crate) law: Result<PowerLaw, FitError>,
    pub(crate) line: Result<Linear, FitError>,
}

/// The intervals of one row in one feature, as far as they exist.
pub(crate) struct FittedIntervals {
    pub(crate) power_law: Option<LineIntervals>,
    pub(crate) linear: Option<LineIntervals>,
}

impl Fitted {
    pub(crate) fn new(x: &[f64], costs: Vec<f64>, variances: Vec<f64>) -> Self {
        let weights = weights_of_averages(x, &costs, &variances);
        let (law, line) = match &weights {
            None => (PowerLaw::fit(x, &costs), Linear::fit(x, &costs)),
            Some(weights) => {
                (PowerLaw::fit_weighted(x, &costs, weights), Linear::fit_weighted(x, &costs, weights))
            }
        };
        Self { costs, variances, weights, law, line }
    }
}

impl Column {
    /// Returns the column restricted to some of the workloads; `keep` is `[workloads]`. `of_workloads` is the number of
    /// workloads that the models describe: dropped ones among them count as having no cost.
    pub(crate) fn restrict(&self, keep: &[bool], of_workloads: usize) -> Self {
        let pairs = self.present.iter().zip(&self.values).filter(|&(&i, _)| keep[i]);
        let (present, values): (Vec<usize>, Vec<f64>) = pairs.unzip();
        let (order, ascending) = ascending(&values);
        Self {
            order,
            ascending,
            id: self.id,
            name: self.name.clone(),
            resamples: self.draws.map(|(resamples, seed)| Resamples::new(values.len(), resamples, seed)),
            draws: self.draws,
            present,
            values,
            at: self.at.clone(),
            furthest_usual: self.furthest_usual,
            curve: Vec::new(),
            workloads: of_workloads,
        }
    }

    /// Returns the costs of the workloads that have a value, with their laws.
    pub(crate) fn fitted(&self, costs: &[f64]) -> Fitted {
        self.fitted_averages(costs, &[])
    }

    /// Returns averages for the workloads that have a value, with their laws. `variances` are the known variances of
    /// their logarithms, or empty.
    pub(crate) fn fitted_averages(&self, costs: &[f64], variances: &[f64]) -> Fitted {
        let present = |values: &[f64]| self.present.iter().map_while(|&i| values.get(i).copied()).collect();
        Fitted::new(&self.values, present(costs), present(variances))
    }

    /// Returns true if any of the largest quarter of the workloads has a positive cost; `costs` is `[workloads]`.
    pub(crate) fn runs_at_the_end(&self, costs: &[u64]) -> bool {
        let quarter = self.order.len().div_ceil(4);
        self.order.iter().rev().take(quarter).any(|&i| costs[self.present[i]] > 0)
    }

    /// Returns the costs of the workloads that have a value, in the order of the ascending values. Empty if `costs` is.
    pub(crate) fn by_size(&self, costs: &[f64]) -> Vec<f64> {
        self.order.iter().map_while(|&i| costs.get(i).copied()).collect()
    }

    /// Returns the sizes of the predictions, followed by the sizes of the curve.
    fn sizes(&self, with_curve: bool) -> Vec<f64> {
        let curve = if with_curve { self.curve.as_slice() } else { &[] };
        self.at.iter().map(|&(at, _)| at).chain(curve.iter().copied()).collect()
    }

    /// Returns the intervals of rows.
    pub(crate) fn intervals(&self, rows: &[Fitted], with_curve: bool, level: f64) -> Vec<FittedIntervals> {
        let (x, at) = (&self.values, self.sizes(with_curve));
        let costs: Vec<&[f64]> = rows.iter().map(|row| row.costs.as_slice()).collect();
        let weighted = |row: &Fitted, weights: &[f64], axes: Axes, at: &[f64]| match &self.resamples {
            Some(draws) => {
                weighted_percentile_intervals(draws, axes, x, &[&row.costs], Some(weights), at, level)
                    .remove(0)
            }
            None => weighted_intervals(axes, x, &row.costs, weights, at, level),
        };
        let intervals_in = |axes: Axes, at: &[f64]| -> Vec<_> {
            let mut even = match &self.resamples {
                Some(resamples) => percentile_intervals(resamples, axes, x, &costs, at, level),
                None => costs.iter().map(|y| intervals(axes, x, y, at, level)).collect(),
            };
            for (intervals, row) in even.iter_mut().zip(rows) {
                if let Some(weights) = &row.weights {
                    *intervals = weighted(row, weights, axes, at);
                }
            }
            even
        };
        let pairs = intervals_in(Axes::LogLog, &at).into_iter().zip(intervals_in(Axes::Plain, &[]));
        pairs.map(|(law, line)| FittedIntervals { power_law: law.ok(), linear: line.ok() }).collect()
    }
}

/// Builds the column of a study's feature. Predictions are made at its values in the points, and at the usual sizes.
pub(crate) fn column(study: &Study, id: FeatureId, options: &Options, points: &[Point]) -> Column {
    let feature = &study.features()[id.index()];
    let (present, values): (Vec<usize>, Vec<f64>) =
        feature.values.iter().enumerate().filter_map(|(i, v)| v.map(|v| (i, v))).unzip();
    let at = points.iter().flat_map(|point| &point.values).filter(|value| value.id == id);
    let at: Vec<(f64, bool)> = at.map(|value| (value.at, value.given == Given::Asked)).collect();
    column_of((id, &feature.name), (present, values), study.workloads().len(), options, &at)
}

pub(crate) fn column_of(
    (id, name): (FeatureId, &str),
    (present, values): (Vec<usize>, Vec<f64>),
    workloads: usize,
    options: &Options,
    requested: &[(f64, bool)],
) -> Column {
    let p95 = nearest_rank(&values, 0.95);
    let usual = p95.into_iter().flat_map(|p95| MULTIPLES_OF_P95.map(|m| (m * p95, false)));
    let furthest_usual =
        usual.clone().map(|(at, _)| at).filter(|at| at.is_finite() && *at > 0.0).max_by(f64::total_cmp);
    // If a size occurs twice, the one that the user asked for sorts first and remains.
    let mut at: Vec<(f64, bool)> =
        requested.iter().copied().chain(usual).filter(|(at, _)| at.is_finite() && *at > 0.0).collect();
    at.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
    at.dedup_by(|a, b| a.0 == b.0);
    let draws = (options.intervals == Intervals::Percentile).then_some((options.resamples, options.seed));
    let mut curve = curve_sizes(&values, &at);
    if let Some((&last, p95)) = curve.last().zip(p95) {
        curve.extend(sizes_beyond(last, p95 * options.reach));
    }
    let (order, ascending) = ascending(&values);
    Column {
        id,
        name: name.into(),
        order,
        ascending,
        resamples: draws.map(|(resamples, seed)| Resamples::new(values.len(), resamples, seed)),
        draws,
        curve,
        present,
        values,
        at,
        furthest_usual,
        workloads,
    }
}

/// Returns sizes from the least positive value to the furthest prediction.
fn curve_sizes(values: &[f64], at: &[(f64, bool)]) -> Vec<f64> {
    let least = values.iter().copied().filter(|v| *v > 0.0).min_by(f64::total_cmp);
    let Some((least, &(furthest, _))) = least.zip(at.last()).filter(|(least, last)| *least < last.0) else {
        return Vec::new();
    };
    let (lo, hi) = (least.ln(), furthest.ln());
    let size = |i: u32| match i {
        0 => least,
        _ if i == CURVE_POINTS - 1 => furthest,
        _ => (lo + (hi - lo) * f64::from(i) / f64::from(CURVE_POINTS - 1)).exp(),
    };
    (0..CURVE_POINTS).map(size).collect()
}

/// Returns sizes beyond the last of a curve up to `furthest`, evenly spaced on a log scale.
fn sizes_beyond(last: f64, furthest: f64) -> Vec<f64> {
    let decades = (furthest / last).log10();
    if !(decades.is_finite() && decades > 0.0) {
        return Vec::new();
    }
    let steps = (decades * POINTS_PER_DECADE).ceil();
    let size = |i: u32| {
        if f64::from(i) == steps { furthest } else { last * 10_f64.powf(decades * f64::from(i) / steps) }
    };
    (1..=steps as u32).map(size).collect()
}

/// Returns the positions of values in ascending order, and the sorted values.
fn ascending(values: &[f64]) -> (Vec<usize>, Vec<f64>) {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&i, &j| values[i].total_cmp(&values[j]));
    let ascending = order.iter().map(|&i| values[i]).collect();
    (order, ascending)
}

/// Returns the distinct feature values that a power law uses, ascending; `costs` are in the order of `ascending`.
pub(crate) fn sizes(ascending: &[f64], costs: &[f64]) -> Vec<f64> {
    let usable = ascending.iter().zip(costs).filter(|&(&x, &y)| x > 0.0 && y > 0.0);
    let mut sizes: Vec<f64> = usable.map(|(&x, _)| x).collect();
    sizes.dedup();
    sizes
}

pub(crate) fn span(sizes: &[f64]) -> f64 {
    sizes.first().zip(sizes.last()).map_or(1.0, |(min, max)| max / min)
}
