//! The workloads that are in both studies, with their costs. This module fits nothing.

use serde::Serialize;
use trend_model::{MeanRatio, Paired, mean_ratio, paired};

use super::version::{CompareError, Version};
use crate::findings::Findings;

/// The workloads that are in both studies, with the same name and the same size.
pub(crate) struct Pairs {
    /// The size, and the positions before and after.
    shared: Vec<(f64, usize, usize)>,
    /// True if the shared workloads include the largest sizes of both versions.
    pub(super) reaches_the_largest: bool,
    /// The greatest cost of the whole in a run of either version.
    pub(super) largest_total: f64,
}

impl Pairs {
    pub(super) fn new(before: Version<'_>, after: Version<'_>, feature: &str) -> Result<Self, CompareError> {
        let values = |findings: &Findings| {
            let common: Vec<String> = findings.features.iter().map(|f| f.name.clone()).collect();
            let position = findings
                .feature(feature)
                .ok_or(CompareError::UnknownFeature { name: feature.to_owned(), common })?;
            Ok(findings.feature_values[position].clone())
        };
        let (old, new) = (values(before.findings)?, values(after.findings)?);
        // Both lists are sorted by name.
        let names = &before.findings.workload_names;
        let position = |name: &String| names.binary_search(name).ok();
        let shared = after.findings.workload_names.iter().enumerate().filter_map(|(j, name)| {
            let i = position(name)?;
            let (x, y) = (old[i]?, new[j]?);
            (x == y).then_some((x, i, j))
        });
        let shared: Vec<_> = shared.collect();
        let most = |values: &[Option<f64>]| values.iter().flatten().copied().fold(0.0, f64::max);
        let largest = shared.iter().map(|(x, ..)| *x).fold(0.0, f64::max);
        let reaches_the_largest = largest >= most(&old) && largest >= most(&new);
        let largest_total = before.findings.total.max_cost.max(after.findings.total.max_cost) as f64;
        Ok(Self { shared, reaches_the_largest, largest_total })
    }

    pub(super) fn shared(&self) -> usize {
        self.shared.len()
    }

    /// Returns the positions before and after, by ascending size.
    pub(super) fn by_size(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let mut shared = self.shared.clone();
        shared.sort_by(|a, b| a.0.total_cmp(&b.0));
        shared.into_iter().map(|(_, i, j)| (i, j))
    }

    /// Returns the number of sizes, and the greatest size divided by the least positive one.
    pub(super) fn sizes(&self) -> (usize, f64) {
        let mut sizes: Vec<f64> = self.shared.iter().map(|(x, ..)| *x).filter(|x| *x > 0.0).collect();
        sizes.sort_by(f64::total_cmp);
        sizes.dedup();
        let span = sizes.first().zip(sizes.last()).map_or(1.0, |(least, most)| most / least);
        (sizes.len(), span)
    }

    /// Returns sizes with the costs before and after.
    pub(super) fn costs(&self, before: &[u64], after: &[u64]) -> Vec<(f64, f64, f64)> {
        self.shared.iter().map(|&(x, i, j)| (x, before[i] as f64, after[j] as f64)).collect()
    }

    /// Compares the costs of the shared workloads before and after.
    pub(super) fn compared(&self, before: &[u64], after: &[u64]) -> Option<Paired> {
        let (x, (old, new)): (Vec<f64>, (Vec<f64>, Vec<f64>)) =
            self.costs(before, after).into_iter().map(|(x, old, new)| (x, (old, new))).unzip();
        paired(&x, &old, &new).ok()
    }

    /// Returns the mean ratio of the costs, after to before.
    pub(super) fn mean_ratio(&self, before: &[u64], after: &[u64]) -> Option<MeanRatio> {
        let (old, new): (Vec<f64>, Vec<f64>) =
            self.costs(before, after).into_iter().map(|(_, old, new)| (old, new)).unzip();
        mean_ratio(&old, &new)
    }

    /// Returns the ratio of the costs in the largest shared run that has both; 1 without one.
    pub(super) fn last_ratio(&self, before: &[u64], after: &[u64]) -> f64 {
        let both = self.costs(before, after).into_iter().filter(|(_, old, new)| *old > 0.0 && *new > 0.0);
        both.max_by(|a, b| a.0.total_cmp(&b.0)).map_or(1.0, |(_, old, new)| new / old)
    }

    /// Returns the geometric means of costs before and after, of the shared workloads that have both.
    pub(super) fn mean_costs(&self, before: &[u64], after: &[u64]) -> [f64; 2] {
        let costs = self.costs(before, after);
        let both = || costs.iter().filter(|(_, old, new)| *old > 0.0 && *new > 0.0);
        [mean(both().map(|(_, old, _)| *old)), mean(both().map(|(.., new)| *new))]
    }

    /// Returns the geometric mean of the positive costs of one version in the shared workloads.
    pub(super) fn mean_cost(&self, costs: &[u64], is_before: bool) -> f64 {
        let cost = |&(_, i, j): &(f64, usize, usize)| costs[if is_before { i } else { j }] as f64;
        mean(self.shared.iter().map(cost).filter(|cost| *cost > 0.0))
    }

    /// Returns true if all costs are unchanged.
    pub(super) fn are_equal(&self, before: &[u64], after: &[u64]) -> bool {
        !self.shared.is_empty() && self.shared.iter().all(|(_, i, j)| before[*i] == after[*j])
    }
}

fn mean(costs: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = costs.fold((0.0, 0), |(sum, count), cost| (sum + cost.ln(), count + 1));
    if count == 0 { 0.0 } else { (sum / f64::from(count)).exp() }
}

/// The kind of costs that a comparison is about.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Basis {
    /// Predictions at the target, by the law of each version.
    Predicted,
    /// The mean of the shared runs. Used if a version has too few sizes or too small a range for a law.
    Measured {
        /// Number of different sizes of the shared runs.
        sizes: usize,
        /// The greatest size divided by the least.
        span: f64,
        /// The least ratio of a run.
        least: f64,
        /// The greatest ratio of a run.
        most: f64,
    },
}

/// Numbers of workloads in each study, and in both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WorkloadCounts {
    /// Number of workloads before the change.
    pub before: usize,
    /// Number of workloads after the change.
    pub after: usize,
    /// Number of workloads in both studies, with the same size.
    pub shared: usize,
}

/// Largest factor between the ratios of two runs at which runs without a range of sizes agree. If inputs of one size
/// vary more, they follow something other than the size.
const AGREE: f64 = 2.0;

/// Returns true if the runs agree about a factor.
pub(super) fn agree(mean: &MeanRatio) -> bool {
    mean.most <= AGREE * mean.least
}
