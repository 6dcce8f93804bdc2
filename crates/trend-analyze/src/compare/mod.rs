//! Two studies of a program, before and after a change: what grows differently, and whether that is noise.
//!
//! ```text
//!   functions of both ─▶ matched (name, then moved, then renamed by content) ─▶ their lines ─▶ clusters by their members
//!                              │
//!   workloads of both ─▶ pairs of costs ─▶ [`paired`]: same, factor, floor, other exponent ─┐
//!                              │                                                            ├─▶ Change ─▶ Outcome
//!   verdicts of both  ─────────┴──────────▶ another class, where both are decided ──────────┘
//! ```
//!
//! Costs of the same workload are compared with each other, so that what differs from input to input cancels. Of thousands
//! of functions none is to be found by luck: the chance of a difference is multiplied by how many were compared (Bonferroni).

mod change;
mod lines;
pub(crate) mod matching;

use std::collections::HashSet;

use rayon::prelude::*;
use serde::Serialize;
use trend_model::{nearest_rank, paired};
use trend_profile::{Study, Unit};

pub use change::{Change, ChangeKind, Compared, Direction, Side};

use self::change::VersionRow;
use self::lines::{Bodies, LineMap};
use self::matching::Matched;
use crate::point::MULTIPLES_OF_P95;
use crate::{Cluster, Findings, JudgedPlace, Options, Row, best_model};

/// The name and version of the published format.
pub(crate) const SCHEMA: &str = "trend-prof/diff/1";

/// The chance with which anything at all is found where nothing changed: lines and clusters are compared in functions that
/// changed alone.
const ALPHA: f64 = 0.01;

/// A change of less than this at the target is none that anybody would undo: it is told, and decides nothing.
const NOTABLE: f64 = 0.05;

/// The same for what is less than this share of the whole at the target.
const WORTHWHILE: f64 = 0.001;

/// Workloads in both studies below which nothing is compared.
const FEWEST: usize = 4;

/// What came of a comparison, in the shape of the machine-readable output.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Comparison {
    /// The name and version of the format.
    pub schema: &'static str,
    /// The program after the change.
    pub program: String,
    /// What costs are counted in.
    #[cfg_attr(test, schemars(with = "String"), ts(type = "string"))]
    pub unit: Unit,
    /// Workloads with counts before, after, and in both.
    pub workloads: WorkloadCounts,
    /// The feature in which costs are compared.
    pub feature: String,
    /// Where they are predicted: features and values.
    pub at: Vec<(String, f64)>,
    /// The level of intervals.
    pub level: f64,
    /// What came of it.
    pub outcome: Outcome,
    /// The whole program.
    pub total: Compared,
    /// What changed, by the change in cost at the target, the greatest first.
    pub changes: Vec<Compared>,
    /// How many functions are as they were.
    pub unchanged: usize,
    /// Of functions that changed, the lines that did, in the same order.
    pub lines: Vec<Compared>,
    /// The clusters with code of these functions that grow differently, are new or gone, in the same order.
    pub clusters: Vec<Compared>,
    /// Whether none differed by a single execution in any shared workload.
    pub identical: bool,
}

/// Numbers of workloads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct WorkloadCounts {
    /// Before.
    pub before: usize,
    /// After.
    pub after: usize,
    /// In both, with the same features.
    pub shared: usize,
}

/// What came of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Nothing that matters grows faster or costs more than before.
    Holds,
    /// Something grows faster, or costs notably more at the target.
    Regressed,
    /// Something grows slower or costs notably less, and nothing the other way.
    Improved,
    /// Too few workloads are in both studies.
    CannotTell,
}

/// Why two studies cannot be compared. Completes "failed to compare: …".
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompareError {
    /// They have no feature in common.
    #[error("the studies have no feature in common: before {}, after {}", .before.join(", "), .after.join(", "))]
    NoFeature {
        /// Before.
        before: Vec<String>,
        /// After.
        after: Vec<String>,
    },
    /// One of them has not the feature that was asked for.
    #[error("`{name}` is no feature of both studies; these are {}", .known.join(", "))]
    UnknownFeature {
        /// What was asked for.
        name: String,
        /// What both have.
        known: Vec<String>,
    },
    /// They count different things.
    #[error("the costs before are {before}, and after {after}")]
    Units {
        /// Before.
        before: String,
        /// After.
        after: String,
    },
}

/// A study with its findings, which must predict at the same point as those that they are compared with.
#[derive(Clone, Copy, Debug)]
pub struct Version<'a> {
    /// The study.
    pub study: &'a Study,
    /// What an analysis of it found, with a first point that both have.
    pub findings: &'a Findings,
}

/// The feature that two studies are compared in: the one that is asked for, else the first of the later study that both
/// have.
///
/// # Errors
/// [`CompareError::NoFeature`], [`CompareError::UnknownFeature`].
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

/// The size at which they are compared unless somebody asks for another: ten times the 95th percentile of the feature, of
/// the study where that is greater.
pub fn common_target(before: &Study, after: &Study, feature: &str) -> Option<f64> {
    common_targets(before, after, feature, [MULTIPLES_OF_P95[1]]).map(|[target]| target)
}

/// The same at multiples of the 95th percentile.
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

/// Compares two versions of a program in one feature; both were analysed with these options.
///
/// - Time: O(functions · workloads), and O(functions²) where many are renamed at once.
///
/// # Errors
/// [`CompareError::Units`], [`CompareError::UnknownFeature`].
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
    let alpha = ALPHA / (functions.pairs.len() + 1) as f64;
    let level = new.level;
    let (old_total, new_total) = (VersionRow::of_total(old, feature), VersionRow::of_total(new, feature));
    let total = change::compared(&old_total, &new_total, &pairs, alpha, level);
    let whole = total.after.cost.max(total.before.cost);
    let compared = |old: &[VersionRow<'_>], new: &[VersionRow<'_>], matched: &Matched| -> Vec<Compared> {
        let alpha = ALPHA / (matched.pairs.len() + 1) as f64;
        let both =
            matched.pairs.par_iter().map(|&(i, j)| change::compared(&old[i], &new[j], &pairs, alpha, level));
        let mut all: Vec<Compared> = both.collect();
        all.extend(matched.vanished.iter().map(|&i| change::alone(&old[i], ChangeKind::Vanished)));
        all.extend(matched.new.iter().map(|&j| change::alone(&new[j], ChangeKind::New)));
        for compared in &mut all {
            compared.weigh(whole);
        }
        all
    };
    let all = compared(&rows(old, &old.functions, feature), &rows(new, &new.functions, feature), &functions);
    let identical =
        all.iter().all(|c| c.change.kind == ChangeKind::None && c.change.exact) && pairs.shared() > 0;
    let both = functions.pairs.iter().map(|&(i, j)| (&old.functions[i], &new.functions[j]));
    let both: Vec<(&Row, &Row)> = both.collect();
    let map = LineMap::new(&both, &old_bodies, &new_bodies);
    // The pairs come first.
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
    // Members can be others as well, so that factors say nothing.
    clusters.retain(|c| {
        c.change.kind.is_of_law() || matches!(c.change.kind, ChangeKind::New | ChangeKind::Vanished)
    });
    let unchanged = all.iter().filter(|compared| compared.change.kind == ChangeKind::None).count();
    let [changes, lines, clusters] = [all, lines, clusters].map(only_changed);
    let outcome = outcome(&total, &changes, pairs.shared());
    Ok(Comparison {
        schema: SCHEMA,
        program: after.findings.program.name.clone(),
        unit: after.findings.unit.clone(),
        workloads: WorkloadCounts {
            before: before.findings.workloads.count,
            after: after.findings.workloads.count,
            shared: pairs.shared(),
        },
        feature: feature.to_owned(),
        at: point(after.findings),
        level,
        outcome,
        total,
        changes,
        unchanged,
        lines,
        clusters,
        identical,
    })
}

fn rows<'a>(findings: &'a Findings, rows: &'a [Row], feature: &str) -> Vec<VersionRow<'a>> {
    rows.iter().map(|row| VersionRow::of(findings, row, feature)).collect()
}

fn clusters<'a>(findings: &'a Findings, feature: &str) -> Vec<VersionRow<'a>> {
    findings.clusters.iter().map(|cluster| VersionRow::of_cluster(findings, cluster, feature)).collect()
}

/// What changed, by the change in cost at the target, the greatest first.
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

/// What it comes to: what is decided of the functions that matter, and of the whole.
fn outcome(total: &Compared, changes: &[Compared], shared: usize) -> Outcome {
    if shared < FEWEST {
        return Outcome::CannotTell;
    }
    let notable = |c: &&Compared| {
        let matters = c.share_of_change >= NOTABLE || c.change.kind.is_of_law();
        c.weight >= WORTHWHILE && matters && (c.ratio() - 1.0).abs() >= NOTABLE
    };
    let directions: Vec<Direction> =
        changes.iter().chain([total]).filter(notable).map(|c| c.change.direction).collect();
    let worse = directions.contains(&Direction::Worse) && total.change.direction != Direction::Better
        || changes
            .iter()
            .filter(notable)
            .any(|c| c.change.kind.is_of_law() && c.change.direction == Direction::Worse);
    let better = directions.contains(&Direction::Better);
    match (worse, better) {
        (true, _) => Outcome::Regressed,
        (false, true) => Outcome::Improved,
        (false, false) => Outcome::Holds,
    }
}

/// Workloads that are in both studies: those of one name and one size.
pub(crate) struct Pairs {
    /// Size, and positions before and after.
    shared: Vec<(f64, usize, usize)>,
}

impl Pairs {
    fn new(before: Version<'_>, after: Version<'_>, feature: &str) -> Result<Self, CompareError> {
        let values = |findings: &Findings| {
            let known: Vec<String> = findings.features.iter().map(|f| f.name.clone()).collect();
            let position = findings
                .feature(feature)
                .ok_or(CompareError::UnknownFeature { name: feature.to_owned(), known })?;
            Ok(findings.feature_values[position].clone())
        };
        let (old, new) = (values(before.findings)?, values(after.findings)?);
        // Both are by name.
        let names = &before.findings.workload_names;
        let position = |name: &String| names.binary_search(name).ok();
        let shared = after.findings.workload_names.iter().enumerate().filter_map(|(j, name)| {
            let i = position(name)?;
            let (x, y) = (old[i]?, new[j]?);
            (x == y).then_some((x, i, j))
        });
        Ok(Self { shared: shared.collect() })
    }

    fn shared(&self) -> usize {
        self.shared.len()
    }

    /// Costs before and after of the shared workloads, compared.
    fn compared(&self, before: &[u64], after: &[u64]) -> Option<trend_model::Paired> {
        let x: Vec<f64> = self.shared.iter().map(|(x, ..)| *x).collect();
        let old: Vec<f64> = self.shared.iter().map(|(_, i, _)| before[*i] as f64).collect();
        let new: Vec<f64> = self.shared.iter().map(|(.., j)| after[*j] as f64).collect();
        paired(&x, &old, &new).ok()
    }

    /// Whether all costs are what they were.
    fn are_equal(&self, before: &[u64], after: &[u64]) -> bool {
        !self.shared.is_empty() && self.shared.iter().all(|(_, i, j)| before[*i] == after[*j])
    }
}

/// Where a row is, for a person.
fn place(row: &Row) -> JudgedPlace {
    JudgedPlace { name: row.name.clone(), file: row.file.clone(), line: row.line }
}

/// The model in a feature, or the one that explains the row best.
fn model<'a>(models: &'a [crate::Model], feature: &str) -> Option<&'a crate::Model> {
    models.iter().find(|model| model.feature == feature).or_else(|| best_model(models))
}

#[cfg(test)]
mod tests;
