//! Compares two studies of a program, before and after a change: which code grows differently, and whether that is
//! noise.
//!
//! ```text
//!   functions of both ─▶ matched (name, then moved, then renamed by content) ─▶ their lines ─▶ clusters by their members
//!                              │
//!   laws of both ──────▶ costs at the target ─▶ their ratio ─┐
//!                              │                             ├─▶ Compared, one per row ─▶ Outcome
//!   workloads of both ─▶ pairs of costs ─▶ what changed, and how well the ratio is known
//! ```
//!
//! Each version is predicted by its own law: a row has the numbers that `show` prints for its study. Costs of the same
//! workload are compared with each other, so that differences between inputs cancel. Among thousands of functions, some
//! differ by luck: the probability of a difference is multiplied by the number of comparisons (Bonferroni). Only the
//! rows decide the outcome (`outcome.rs`) and the sentences (`statements.rs`).

mod change;
mod lines;
pub(crate) mod matching;
mod outcome;
mod pairs;
mod ratio;
mod reach;
mod resources;
mod statements;
mod version_row;

use std::collections::HashSet;

pub use change::{Change, ChangeKind, Compared, Direction, GrowthChange, Side};
pub use outcome::{Effect, Outcome, OutcomeReason};
use rayon::prelude::*;
pub use reach::{OutOfReach, out_of_reach};
pub use resources::{Resource, Resources, Uncounted};
use serde::Serialize;
pub use statements::{ChangeStatement, change_statements};
use trend_model::{GrowthClass, MeanRatio, nearest_rank};
use trend_profile::{Study, Unit};

use self::change::Comparing;
use self::lines::{Bodies, LineMap};
use self::matching::Matched;
use self::pairs::Pairs;
use self::version_row::VersionRow;
use crate::expect::JudgedPlace;
use crate::findings::Findings;
use crate::findings::law::best_model;
use crate::findings::row::{Cluster, Row};
use crate::options::Options;
use crate::study::point::MULTIPLES_OF_P95;

/// The name and version of the published format.
pub(crate) const SCHEMA: &str = "trend-prof/diff/1";

/// Probability of finding any difference if nothing changed. Lines and clusters are compared only in functions that
/// changed.
const ALPHA: f64 = 0.01;

/// Largest factor between the ratios of two runs at which runs without a range of sizes agree. If inputs of one size
/// vary more, they follow something other than the size.
const AGREE: f64 = 2.0;

/// The result of a comparison, in the shape of the machine-readable output.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Comparison {
    /// The name and version of the format.
    pub schema: &'static str,
    /// The name of the program after the change.
    pub program: String,
    /// The unit of costs.
    #[cfg_attr(test, schemars(with = "String"), ts(type = "string"))]
    pub unit: Unit,
    /// Numbers of workloads with counts before, after, and in both.
    pub workloads: WorkloadCounts,
    /// The feature in which costs are compared.
    pub feature: String,
    /// The point at which costs are predicted: features and values.
    pub at: Vec<(String, f64)>,
    /// The confidence level of intervals.
    pub level: f64,
    /// The kind of costs that are compared.
    pub basis: Basis,
    /// The requested target, if a run there takes more than a day. [`Comparison::at`] is then the largest size that
    /// both versions run within a day.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub out_of_reach: Option<OutOfReach>,
    /// The outcome of the comparison.
    pub outcome: Outcome,
    /// The reason for the outcome.
    pub reason: OutcomeReason,
    /// True if it is certain that nothing grows faster than before.
    pub nothing_faster: bool,
    /// The comparison of the whole program.
    pub total: Compared,
    /// The rows that changed, by the change in cost at the target, greatest first.
    pub changes: Vec<Compared>,
    /// Number of functions that were executed exactly as often as before.
    pub unchanged: usize,
    /// Number of further functions whose counts differ by no more than the runs scatter.
    pub undecided: usize,
    /// The changed lines of functions that changed, in the same order.
    pub lines: Vec<Compared>,
    /// The clusters with code of changed functions that grow differently, are new or gone, in the same order.
    pub clusters: Vec<Compared>,
    /// True if no function differs by a single execution in any shared workload.
    pub identical: bool,
    /// Processor time and memory.
    pub resources: Resources,
}

/// The kind of costs that a comparison is about.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
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
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct WorkloadCounts {
    /// Number of workloads before the change.
    pub before: usize,
    /// Number of workloads after the change.
    pub after: usize,
    /// Number of workloads in both studies, with the same size.
    pub shared: usize,
}

/// A reason why two studies cannot be compared. Completes "failed to compare: …".
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompareError {
    /// The studies have no feature in common.
    #[error("the studies have no feature in common: before {}, after {}", .before.join(", "), .after.join(", "))]
    NoFeature {
        /// Features before the change.
        before: Vec<String>,
        /// Features after the change.
        after: Vec<String>,
    },
    /// One of the studies lacks the requested feature.
    #[error("`{name}` is not a feature of both studies; choose one of {}", .known.join(", "))]
    UnknownFeature {
        /// The feature that was requested.
        name: String,
        /// The features that both studies have.
        known: Vec<String>,
    },
    /// The studies count different things.
    #[error("the studies count different things: {before} before, {after} after")]
    Units {
        /// The unit before the change.
        before: String,
        /// The unit after the change.
        after: String,
    },
}

/// A study with its findings. Versions that are compared must predict at the same point.
#[derive(Clone, Copy, Debug)]
pub struct Version<'a> {
    /// The study of this version.
    pub study: &'a Study,
    /// The findings of the study. Their first point is the same in both versions.
    pub findings: &'a Findings,
}

/// Returns the feature in which two studies are compared: the requested one, or else the later study's first feature
/// that both have.
///
/// # Errors
/// Returns [`CompareError::NoFeature`] or [`CompareError::UnknownFeature`].
pub fn common_feature(before: &Study, after: &Study, asked: Option<&str>) -> Result<String, CompareError> {
    let names = |study: &Study| study.features().iter().map(|f| f.name.clone()).collect::<Vec<_>>();
    let (old, new) = (names(before), names(after));
    let known: Vec<String> = new.iter().filter(|name| old.contains(name)).cloned().collect();
    match asked {
        Some(name) if known.iter().any(|known| known == name) => Ok(name.to_owned()),
        Some(name) => Err(CompareError::UnknownFeature { name: name.to_owned(), known }),
        None => known.into_iter().next().ok_or(CompareError::NoFeature { before: old, after: new }),
    }
}

/// Returns the default size of a comparison: ten times the 95th percentile of the feature, in the study where that is
/// greater.
pub fn common_target(before: &Study, after: &Study, feature: &str) -> Option<f64> {
    common_targets(before, after, feature, [MULTIPLES_OF_P95[1]]).map(|[target]| target)
}

/// Returns the sizes of a comparison at several multiples of the 95th percentile.
pub fn common_targets<const N: usize>(
    before: &Study,
    after: &Study,
    feature: &str,
    multiples: [f64; N],
) -> Option<[f64; N]> {
    let p95 = |study: &Study| {
        let feature = study.features().iter().find(|f| f.name == feature)?;
        let values: Vec<f64> = feature.values.iter().flatten().copied().filter(|v| *v > 0.0).collect();
        nearest_rank(&values, 0.95)
    };
    let most = p95(before).into_iter().chain(p95(after)).fold(0.0, f64::max);
    (most > 0.0).then(|| multiples.map(|multiple| most * multiple))
}

/// Compares two versions of a program in one feature. Both were analyzed with these options.
///
/// - Time: O(functions · workloads), and O(functions²) if many functions are renamed at once.
///
/// # Errors
/// Returns [`CompareError::Units`] or [`CompareError::UnknownFeature`].
pub fn compare(
    before: Version<'_>,
    after: Version<'_>,
    feature: &str,
    options: &Options,
) -> Result<Comparison, CompareError> {
    let units = (&before.findings.unit, &after.findings.unit);
    if units.0 != units.1 {
        return Err(CompareError::Units {
            before: units.0.name().to_owned(),
            after: units.1.name().to_owned(),
        });
    }
    let pairs = Pairs::new(before, after, feature)?;
    let (old, new) = (before.findings, after.findings);
    let (old_bodies, new_bodies) = (Bodies::new(before), Bodies::new(after));
    let functions = matching::functions((old, &old_bodies), (new, &new_bodies));
    let level = new.level;
    let (old_total, new_total) = (VersionRow::of_total(old, feature), VersionRow::of_total(new, feature));
    let basis = basis(&old_total, &new_total, &pairs);
    let comparing = |rows: usize| Comparing { pairs: &pairs, basis, alpha: ALPHA / (rows + 1) as f64, level };
    let total = change::compared(&old_total, &new_total, &comparing(functions.pairs.len()));
    let whole = total.after.cost.max(total.before.cost);
    let wholes = Wholes { cost: whole, before: old_total.classes(), after: new_total.classes() };
    let compared = |old: &[VersionRow<'_>], new: &[VersionRow<'_>], matched: &Matched| {
        compared(old, new, matched, &comparing(matched.pairs.len()), &wholes)
    };
    let all = compared(&rows(old, &old.functions, feature), &rows(new, &new.functions, feature), &functions);
    let identical =
        all.iter().all(|c| c.change.kind == ChangeKind::None && c.change.exact) && pairs.shared() > 0;
    let both = functions.pairs.iter().map(|&(i, j)| (&old.functions[i], &new.functions[j]));
    let both: Vec<(&Row, &Row)> = both.collect();
    let map = LineMap::new(&both, &old_bodies, &new_bodies);
    // The pairs come first in `all`.
    let changed = both.iter().zip(&all).filter(|(_, c)| c.change.kind != ChangeKind::None);
    let changed: Vec<(&Row, &Row)> = changed.map(|(pair, _)| *pair).collect();
    let before_lines = old_bodies.rows(before, options, changed.iter().map(|(was, _)| *was));
    let after_lines = new_bodies.rows(after, options, changed.iter().map(|(_, is)| *is));
    let matched =
        lines::of_functions(&changed, &map, (&old_bodies, &before_lines), (&new_bodies, &after_lines));
    let lines = compared(&rows(old, &before_lines, feature), &rows(new, &after_lines, feature), &matched);
    let changed_functions: HashSet<&str> = {
        let changed = all.iter().filter(|c| c.change.kind != ChangeKind::None);
        changed.flat_map(|c| c.place.iter().chain(&c.was)).map(|place| place.name.as_str()).collect()
    };
    let may_change = |cluster: &Cluster| {
        cluster.members.iter().any(|member| changed_functions.contains(&*member.function))
    };
    let mut matched = lines::clusters(&old.clusters, &new.clusters, &map);
    matched.pairs.retain(|&(i, j)| may_change(&old.clusters[i]) || may_change(&new.clusters[j]));
    matched.vanished.retain(|&i| may_change(&old.clusters[i]));
    matched.new.retain(|&j| may_change(&new.clusters[j]));
    let mut clusters = compared(&clusters(old, feature), &clusters(new, feature), &matched);
    // A cluster's members may differ between the versions, so factors say nothing.
    clusters.retain(|c| {
        c.change.kind.is_of_law() || matches!(c.change.kind, ChangeKind::New | ChangeKind::Vanished)
    });
    let workloads = WorkloadCounts {
        before: before.findings.workloads.count,
        after: after.findings.workloads.count,
        shared: pairs.shared(),
    };
    let resources = Resources::new(before, after, &pairs);
    let (outcome, reason) = outcome::outcome(&total, &all, workloads, basis, &resources);
    let nothing_faster = reason.is_compared()
        && basis == Basis::Predicted
        && is_nothing_faster(&total, &all, [&lines, &clusters], whole);
    let none = |exact| move |c: &&Compared| c.change.kind == ChangeKind::None && c.change.exact == exact;
    let is_shared = pairs.shared() > 0;
    let count = |exact: bool| if is_shared { all.iter().filter(none(exact)).count() } else { 0 };
    let (unchanged, undecided) = (count(true), count(false));
    let [changes, lines, clusters] = [all, lines, clusters].map(only_changed);
    Ok(Comparison {
        schema: SCHEMA,
        program: after.findings.program.name.clone(),
        unit: after.findings.unit.clone(),
        workloads,
        feature: feature.to_owned(),
        at: point(after.findings),
        level,
        basis,
        out_of_reach: None,
        outcome,
        reason,
        nothing_faster,
        total,
        changes,
        unchanged,
        undecided,
        lines,
        clusters,
        identical,
        resources,
    })
}

/// The whole program that the rows are parts of.
struct Wholes {
    /// The greater cost of both versions.
    cost: f64,
    /// The possible classes before the change.
    before: Option<[GrowthClass; 2]>,
    /// The possible classes after the change.
    after: Option<[GrowthClass; 2]>,
}

/// Compares rows of both versions. Rows that both versions have come first.
fn compared(
    old: &[VersionRow<'_>],
    new: &[VersionRow<'_>],
    matched: &Matched,
    comparing: &Comparing<'_>,
    wholes: &Wholes,
) -> Vec<Compared> {
    let side = |row: &VersionRow<'_>, is_old: bool| match comparing.basis {
        Basis::Predicted => row.predicted(),
        Basis::Measured { .. } => row.measured(comparing.pairs.mean_cost(row.costs, is_old)),
    };
    let alone = |row: &VersionRow<'_>, kind: ChangeKind| {
        let is_old = kind == ChangeKind::Vanished;
        let other = if is_old { wholes.after } else { wholes.before };
        change::alone(side(row, is_old), row.place.clone(), kind, other)
    };
    let both = matched.pairs.par_iter().map(|&(i, j)| change::compared(&old[i], &new[j], comparing));
    let mut all: Vec<Compared> = both.collect();
    all.extend(matched.vanished.iter().map(|&i| alone(&old[i], ChangeKind::Vanished)));
    all.extend(matched.new.iter().map(|&j| alone(&new[j], ChangeKind::New)));
    for compared in &mut all {
        compared.weigh(wholes.cost);
    }
    all
}

/// Returns true if no row grows faster, and no function that may matter leaves it open. `others` are lines and clusters.
fn is_nothing_faster(total: &Compared, functions: &[Compared], others: [&[Compared]; 2], whole: f64) -> bool {
    let is_slow = |c: &Compared| match c.grows {
        GrowthChange::Faster => false,
        GrowthChange::Slower | GrowthChange::Alike => true,
        GrowthChange::Unknown => c.change.kind == ChangeKind::Vanished || !c.may_matter(whole),
    };
    let mut others = others.into_iter().flatten();
    functions.iter().chain([total]).all(is_slow) && others.all(|c| c.grows != GrowthChange::Faster)
}

/// Returns the basis of a comparison: predictions if both versions have a law of the whole, otherwise measurements.
fn basis(before: &VersionRow<'_>, after: &VersionRow<'_>, pairs: &Pairs) -> Basis {
    if before.has_range() && after.has_range() {
        return Basis::Predicted;
    }
    let (sizes, span) = pairs.sizes();
    let mean = pairs.mean_ratio(before.costs, after.costs);
    let (least, most) = mean.map_or((1.0, 1.0), |mean| (mean.least, mean.most));
    Basis::Measured { sizes, span, least, most }
}

/// Returns true if the runs agree about a factor.
fn agree(mean: &MeanRatio) -> bool {
    mean.most <= AGREE * mean.least
}

fn rows<'a>(findings: &'a Findings, rows: &'a [Row], feature: &str) -> Vec<VersionRow<'a>> {
    rows.iter().map(|row| VersionRow::of(findings, row, feature)).collect()
}

fn clusters<'a>(findings: &'a Findings, feature: &str) -> Vec<VersionRow<'a>> {
    findings.clusters.iter().map(|cluster| VersionRow::of_cluster(findings, cluster, feature)).collect()
}

/// Keeps the rows that changed, by the change in cost at the target, greatest first.
fn only_changed(mut all: Vec<Compared>) -> Vec<Compared> {
    all.retain(|compared| compared.change.kind != ChangeKind::None);
    all.sort_by(|a, b| {
        let by = |c: &Compared| (c.after.cost - c.before.cost).abs();
        by(b).total_cmp(&by(a)).then_with(|| a.name().cmp(b.name()))
    });
    all
}

fn point(findings: &Findings) -> Vec<(String, f64)> {
    let first = findings.points.first();
    first.map(|p| p.values.iter().map(|v| (v.feature.clone(), v.at)).collect()).unwrap_or_default()
}

/// Returns the place of a row, for display.
fn place(row: &Row) -> JudgedPlace {
    JudgedPlace { name: row.name.clone(), file: row.file.clone(), line: row.line }
}

/// Returns the model in a feature, or else the model that explains the row best.
fn model<'a>(
    models: &'a [crate::findings::model::Model],
    feature: &str,
) -> Option<&'a crate::findings::model::Model> {
    models.iter().find(|model| model.feature == feature).or_else(|| best_model(models))
}

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;
