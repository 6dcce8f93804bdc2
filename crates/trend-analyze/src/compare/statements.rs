//! Statements about two versions, in order of importance, as kinds and positions of rows. Outputs word them.
//!
//! Each statement follows from the rows of the [`Comparison`] and adds no number. None denies a growth
//! that a row shows.

use super::change::{ChangeKind, Compared, GrowthChange};
use super::comparison::Comparison;
use super::effect::Effect;
use super::outcome::OutcomeReason;
use crate::answer::statements::NOTABLE_UNCOUNTED;

/// Minimum share of the program's cost for a statement about a cluster.
const WORTHWHILE_CLUSTER: f64 = 0.01;

/// A statement about two versions. Rows are given by their positions in the comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangeStatement {
    /// Too few workloads are in both studies.
    FewShared {
        /// The minimum number of shared workloads.
        needed: usize,
    },
    /// A version has no law that predicts the cost at the target.
    NoPrediction,
    /// The cost of the whole, before and after.
    Whole {
        /// True if no count differs in any shared run, and neither do the costs.
        is_as_before: bool,
    },
    /// The interval of the change includes a change that matters and one that does not.
    Open,
    /// The runs disagree about a factor.
    NoFactor,
    /// Functions that grow faster, the most expensive first.
    Faster(Vec<usize>),
    /// Functions that grow slower, the formerly most expensive first.
    Slower(Vec<usize>),
    /// The function that accounts for at least half of the change. Only if no function is named for its growth.
    Most(usize),
    /// No row grows faster.
    NothingFaster {
        /// True if something grows slower.
        is_slower: bool,
    },
    /// The CPU time of a run changed.
    Seconds,
    /// The memory of a run changed.
    Memory,
    /// Code that is not counted takes much of the time in one version.
    Uncounted {
        /// The position of the version: 0 before, 1 after.
        version: usize,
    },
    /// Clusters that grow differently, are new or gone.
    Clusters(Vec<usize>),
    /// Functions without a change.
    Unchanged,
}

/// Returns the statements that follow from the rows: the outcome, what grows differently, resources, and the rest.
pub fn change_statements(comparison: &Comparison) -> Vec<ChangeStatement> {
    let mut statements = about_whole(comparison);
    if comparison.reason.is_compared() {
        statements.extend(about_growth(comparison));
        statements.extend(about_resources(comparison));
    }
    let clusters = notable_clusters(comparison);
    statements.extend((!clusters.is_empty()).then_some(ChangeStatement::Clusters(clusters)));
    let is_compared = !matches!(comparison.reason, OutcomeReason::FewShared { .. });
    let has_unchanged = comparison.unchanged + comparison.undecided > 0;
    statements.extend((is_compared && has_unchanged).then_some(ChangeStatement::Unchanged));
    statements
}

fn about_whole(comparison: &Comparison) -> Vec<ChangeStatement> {
    let total = &comparison.total;
    let is_as_before = total.change.kind == ChangeKind::None && total.change.exact;
    let whole = ChangeStatement::Whole { is_as_before };
    match comparison.reason {
        OutcomeReason::FewShared { needed } => vec![ChangeStatement::FewShared { needed }],
        OutcomeReason::NoPrediction => vec![ChangeStatement::NoPrediction],
        OutcomeReason::Open => vec![whole, ChangeStatement::Open],
        OutcomeReason::NoFactor { .. } => vec![whole, ChangeStatement::NoFactor],
        _ => vec![whole],
    }
}

fn about_growth(comparison: &Comparison) -> Vec<ChangeStatement> {
    let growing = |grows: GrowthChange, cost: fn(&Compared) -> f64| {
        let rows = comparison.changes.iter().enumerate().filter(|(_, row)| row.grows == grows);
        let mut rows: Vec<(usize, f64)> = rows.map(|(i, row)| (i, cost(row))).collect();
        rows.sort_by(|a, b| b.1.total_cmp(&a.1));
        rows.into_iter().map(|(i, _)| i).collect::<Vec<_>>()
    };
    let faster = growing(GrowthChange::Faster, |row| row.after.cost);
    let slower = growing(GrowthChange::Slower, |row| row.before.cost);
    let is_slower = !slower.is_empty();
    let is_named = match comparison.total.effect {
        Effect::Worse => !faster.is_empty(),
        Effect::Better => is_slower,
        Effect::Same | Effect::Open => true,
    };
    let mut statements = Vec::new();
    statements.extend((!faster.is_empty()).then_some(ChangeStatement::Faster(faster)));
    statements.extend(is_slower.then_some(ChangeStatement::Slower(slower)));
    statements.extend(most_of_change(comparison).filter(|_| !is_named).map(ChangeStatement::Most));
    statements.extend(comparison.nothing_faster.then_some(ChangeStatement::NothingFaster { is_slower }));
    statements
}

/// Returns the function with at least half of the change of the whole.
fn most_of_change(comparison: &Comparison) -> Option<usize> {
    let difference = |row: &Compared| row.after.cost - row.before.cost;
    let of_whole = difference(&comparison.total);
    let parts = comparison.changes.iter().map(|row| difference(row) / of_whole).enumerate();
    let (most, part) = parts.max_by(|a, b| a.1.total_cmp(&b.1))?;
    (part >= 0.5).then_some(most)
}

fn about_resources(comparison: &Comparison) -> Vec<ChangeStatement> {
    let resources = &comparison.resources;
    let changed =
        [(&resources.seconds, ChangeStatement::Seconds), (&resources.memory, ChangeStatement::Memory)];
    let changed = changed.into_iter().filter_map(|(resource, statement)| {
        resource.as_ref().is_some_and(|resource| resource.effect != Effect::Same).then_some(statement)
    });
    let shares = resources.uncounted.iter().enumerate();
    let shares = shares.filter_map(|(version, uncounted)| Some((version, uncounted.as_ref()?.share)));
    let most = shares.max_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, share)| *share >= NOTABLE_UNCOUNTED);
    changed.chain(most.map(|(version, _)| ChangeStatement::Uncounted { version })).collect()
}

/// Returns the clusters to name. A cluster that only costs more may just have another member.
fn notable_clusters(comparison: &Comparison) -> Vec<usize> {
    let is_notable = |row: &Compared| {
        let is_new = matches!(row.change.kind, ChangeKind::New | ChangeKind::Vanished);
        let is_other = matches!(row.grows, GrowthChange::Faster | GrowthChange::Slower);
        row.weight >= WORTHWHILE_CLUSTER && (is_new || is_other)
    };
    let rows = comparison.clusters.iter().enumerate();
    rows.filter(|(_, row)| is_notable(row)).map(|(i, _)| i).collect()
}
