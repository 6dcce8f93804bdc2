//! Makes statements about the costliest rows and about the ones that grow faster than linearly.

use trend_answer::AnswerKind;

use super::group::has_named;
use super::{GroupName, MOST_STATEMENTS, NOTABLE_PART, Statement};
use crate::findings::Findings;
use crate::findings::row::Cluster;

/// Exponent below which growth that is certainly above linear matters little.
const BARELY: f64 = 1.05;

/// Growth of a cluster compared with the other clusters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Growing {
    /// No costly cluster grows as fast or faster.
    Fastest,
    /// No costly cluster grows as fast, but this one is barely faster than linear.
    BarelyFastest,
    /// Another cluster grows as fast.
    AmongFastest,
    /// It grows as fast as the cluster before.
    AsFast,
    /// It grows faster than the place that is named first.
    FasterStill,
    /// It grows faster than linearly.
    Also,
}

/// A cluster that certainly grows faster than linearly.
pub(super) struct Grower {
    cluster: usize,
    costly: bool,
    /// The exponent with which it certainly grows.
    pace: f64,
    /// The greatest exponent with which it may grow.
    most: f64,
    /// True if the place to fix, according to the answer, has a part in it.
    is_named: bool,
}

impl Grower {
    fn is_barely(&self) -> bool {
        self.pace < BARELY && self.most < BARELY
    }
}

/// Returns the clusters that certainly grow faster than linearly. Clusters with the place to fix come first, then
/// costly ones, then the fastest.
pub(super) fn growing(findings: &Findings) -> Vec<Grower> {
    let is_fix = is_fix(findings);
    let grower = |(cluster, row): (usize, &Cluster)| {
        let law = row.fits.sound_law()?;
        let (pace, most) = (law.certain_pace()?, law.greatest_pace().unwrap_or(f64::INFINITY));
        let is_named = is_fix && has_named(findings, cluster);
        Some(Grower { cluster, costly: row.costly, pace, most, is_named })
    };
    let mut growing: Vec<Grower> = findings.clusters.iter().enumerate().filter_map(grower).collect();
    growing.sort_by(|a, b| {
        let by_name = b.is_named.cmp(&a.is_named);
        by_name.then(b.costly.cmp(&a.costly)).then(b.pace.total_cmp(&a.pace))
    });
    growing
}

/// Returns the statements about the costliest cluster and the growing ones, the place to fix first.
pub(super) fn in_order(findings: &Findings, growing: &[Grower]) -> Vec<Statement> {
    let is_first = growing.first().is_some_and(|first| first.cluster == 0);
    let is_fastest = is_first && is_fastest(findings, growing);
    let group = GroupName::new(findings, 0);
    let elsewhere = elsewhere(&findings.clusters[0], &group);
    let costliest = Statement::Costliest { group, is_fastest, elsewhere };
    let mut statements = of_growing(findings, growing, usize::from(is_fastest));
    let is_named_first = !is_first && growing.first().is_some_and(|first| first.is_named);
    statements.insert(usize::from(is_named_first).min(statements.len()), costliest);
    statements
}

/// Returns true if no costly cluster grows faster than the first. If a place is to be fixed, this is only said about
/// that place.
fn is_fastest(findings: &Findings, growing: &[Grower]) -> bool {
    let first = &growing[0];
    let is_culprit = first.is_named || !is_fix(findings);
    is_culprit && growing.iter().all(|other| other.pace <= first.pace || first.costly && !other.costly)
}

fn is_fix(findings: &Findings) -> bool {
    findings.answer.as_ref().is_some_and(|answer| answer.kind == AnswerKind::Fix)
}

/// Returns the statements about growers, except the first `start`.
fn of_growing(findings: &Findings, growing: &[Grower], start: usize) -> Vec<Statement> {
    let Some(first) = growing.first() else { return Vec::new() };
    let is_first_fastest = is_fastest(findings, growing);
    let as_fast =
        |grower: &Grower| grower.costly == first.costly && grower.pace.total_cmp(&first.pace).is_eq();
    let has_equal = growing.get(1).is_some_and(as_fast);
    let how = |i: usize, grower: &Grower| match i {
        0 if !is_first_fastest => Some(Growing::Also),
        0 if grower.is_barely() => Some(Growing::BarelyFastest),
        0 if has_equal => Some(Growing::AmongFastest),
        0 => Some(Growing::Fastest),
        _ if grower.is_barely() => None,
        _ if as_fast(grower) => Some(Growing::AsFast),
        _ if grower.pace > first.pace && grower.costly => Some(Growing::FasterStill),
        _ => Some(Growing::Also),
    };
    let is_spoken_of = |(i, grower): &(usize, &Grower)| *i == 0 || grower.costly;
    let spoken_of = growing.iter().enumerate().take(MOST_STATEMENTS).take_while(is_spoken_of);
    let mut statements: Vec<Statement> = spoken_of
        .filter_map(|(i, grower)| {
            let (group, how) = (GroupName::new(findings, grower.cluster), how(i, grower)?);
            let share_then = share_then(findings, grower);
            Some(Statement::Grows { group, how, share_then, more: 0 })
        })
        .collect();
    let rest = growing.iter().skip(statements.len());
    let count = rest.filter(|grower| grower.costly && !grower.is_barely()).count();
    if let Some(Statement::Grows { more, .. }) = statements.last_mut() {
        *more = count;
    }
    statements.split_off(start.min(statements.len()))
}

/// Returns the share at the target for a cluster that costs little: even the fastest growing may be negligible at every
/// size that matters.
fn share_then(findings: &Findings, grower: &Grower) -> Option<f64> {
    let answer = findings.answer.as_ref().filter(|_| !grower.costly)?;
    let outlook = findings.clusters[grower.cluster].outlooks.get(answer.point).copied().flatten()?;
    Some((outlook.cost / answer.whole.cost).min(1.0))
}

/// Returns the costliest member in another function than the one that names the cluster, if its share of the cost is
/// notable.
fn elsewhere(cluster: &Cluster, group: &GroupName) -> Option<usize> {
    let first = group.after.map_or_else(|| cluster.namesake(), |member| cluster.members.get(member))?;
    let others = cluster.members.iter().enumerate();
    let others = others.filter(|(_, m)| !m.function.is_empty() && m.function != first.function);
    let (position, costliest) = others.max_by_key(|(_, m)| m.max_cost)?;
    (costliest.max_cost as f64 > NOTABLE_PART * cluster.max_cost as f64).then_some(position)
}
