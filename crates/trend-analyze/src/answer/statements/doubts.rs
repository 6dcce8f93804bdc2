//! Statements about rows that are undecided or poorly modelled.

use super::{COSTLY_SHARE, GroupName, MOST_STATEMENTS, Statement};
use crate::findings::Findings;
use crate::findings::law::RowLaw;
use crate::findings::row::Cluster;

/// Ratio of a cluster's greatest to its least cost below which it hardly grows.
const STARTUP_FACTOR: u64 = 2;

/// The costly clusters about which too little is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spoken {
    /// Number of costly clusters.
    pub costly: usize,
    /// Positions of the clusters without a law, or with a poor one.
    pub poor: Vec<usize>,
    /// Number of clusters whose laws have no interval.
    pub without_intervals: usize,
}

/// Returns statements about the costly clusters for which the data do not decide if they grow faster than linearly.
pub(super) fn undecided(findings: &Findings) -> Vec<Statement> {
    let is_undecided = |cluster: &Cluster| {
        let law = cluster.fits.sound_law().filter(|law| !law.is_poor() && !law.is_about_linear());
        let Some(RowLaw::Of(model)) = law else { return false };
        model.growth.as_ref().is_some_and(|growth| growth.superlinear.is_none())
    };
    let all: Vec<usize> =
        costly(findings).filter(|(_, cluster)| is_undecided(cluster)).map(|(i, _)| i).collect();
    let count = all.len().saturating_sub(MOST_STATEMENTS);
    let group = |cluster: &usize| Statement::Undecided { group: GroupName::new(findings, *cluster), more: 0 };
    let mut statements: Vec<Statement> = all.iter().take(MOST_STATEMENTS).map(group).collect();
    if let Some(Statement::Undecided { more, .. }) = statements.last_mut() {
        *more = count;
    }
    statements
}

pub(super) fn doubts(findings: &Findings) -> Option<Statement> {
    let is_poor = |cluster: &Cluster| cluster.fits.law().is_none_or(RowLaw::is_poor);
    let is_bare = |cluster: &Cluster| cluster.fits.law().is_some_and(|law| !law.has_intervals());
    let spoken = Spoken {
        costly: costly(findings).count(),
        poor: costly(findings).filter(|(_, cluster)| is_poor(cluster)).map(|(i, _)| i).collect(),
        without_intervals: costly(findings).filter(|(_, cluster)| is_bare(cluster)).count(),
    };
    (!spoken.poor.is_empty() || spoken.without_intervals > 0).then_some(Statement::Doubtful(spoken))
}

fn costly(findings: &Findings) -> impl Iterator<Item = (usize, &Cluster)> {
    findings.clusters.iter().enumerate().filter(|(_, cluster)| cluster.costly && !is_startup(cluster))
}

/// Returns true if a cluster is costly only in small runs, and hardly costs more in others. It matters at no size.
fn is_startup(cluster: &Cluster) -> bool {
    let executed = || cluster.costs.iter().copied().filter(|cost| *cost > 0);
    let is_constant = executed().max() < executed().min().map(|least| least.saturating_mul(STARTUP_FACTOR));
    cluster.share_of_largest <= COSTLY_SHARE && is_constant
}
