//! Compares all rows of two versions.

use std::collections::HashSet;

use rayon::prelude::*;
use serde::Serialize;
use trend_model::GrowthClass;
use trend_profile::Unit;

use super::bodies::Bodies;
use super::change::{ChangeKind, Compared, Comparing, GrowthChange};
use super::lines::LineMap;
use super::matching::Matched;
use super::outcome::{Outcome, OutcomeReason, outcome};
use super::pairs::{Basis, Pairs, WorkloadCounts};
use super::reach::OutOfReach;
use super::resources::Resources;
use super::version::{CompareError, Version};
use super::version_row::VersionRow;
use super::{change, lines, matching};
use crate::findings::Findings;
use crate::findings::row::{Cluster, Row};
use crate::options::Options;

/// The name and version of the published format.
pub(crate) const SCHEMA: &str = "trend-prof/diff/1";

/// Probability of finding any difference if nothing changed. Lines and clusters are compared only in functions that
/// changed.
const ALPHA: f64 = 0.01;

/// The result of a comparison, in the shape of the machine-readable output.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Comparison {
    /// The name and version of the format.
    pub schema: &'static str,
    /// The name of the program after the change.
    pub program: String,
    /// The unit of costs.
    #[cfg_attr(test, schemars(with = "String"))]
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
    /// CPU time and memory.
    pub resources: Resources,
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
    let (outcome, reason) = outcome(&total, &all, workloads, basis, &resources);
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

/// Returns true if no row grows faster, and no function that may matter leaves it open. `others` are lines and
/// clusters.
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

fn rows<'a>(findings: &'a Findings, rows: &'a [Row], feature: &str) -> Vec<VersionRow<'a>> {
    rows.iter().map(|row| VersionRow::new(findings, row, feature)).collect()
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
