//! Statements about the rows, in order of importance, as kinds, numbers and rows. Outputs word them.
//!
//! - A statement follows from rows and from the [`Answer`](crate::Answer). None contradicts a growth that a row shows.
//! - There is one culprit. The place that the answer names comes before everything that grows as fast or faster. If a
//!   group of blocks spans functions and includes this place, it is named after it.

mod doubts;
mod group;
mod growing;
mod series;

pub use doubts::Spoken;
pub use group::GroupName;
pub use growing::Growing;
pub use series::SeriesStatement;

use crate::findings::Findings;
use crate::findings::doubt::Doubt;
use crate::findings::law::RowLaw;
use crate::findings::time::TimePart;

/// Default of [`Options::costly_share`](crate::Options::costly_share), for rows that are not marked as costly.
pub const COSTLY_SHARE: f64 = 0.02;

/// Maximum number of statements of one kind.
const MOST_STATEMENTS: usize = 3;

/// Minimum share of a cluster's cost with which a line of another function is named too.
const NOTABLE_PART: f64 = 0.1;

/// Minimum share of the time with which uncounted code is mentioned.
pub const NOTABLE_UNCOUNTED: f64 = 0.25;

/// A statement about rows, which are given by their positions in the findings.
#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    /// Every run above some size failed.
    LargestFailed {
        /// The position of the doubt that says so.
        doubt: usize,
    },
    /// No cost varies, so nothing can be said about growth.
    NothingVaries {
        /// Number of counted workloads.
        workloads: usize,
    },
    /// Work that matters was not counted.
    Uncounted,
    /// The cluster with the greatest cost.
    Costliest {
        /// The name of the cluster.
        group: GroupName,
        /// True if the cluster certainly grows faster than linearly, and no costly one certainly grows faster.
        is_fastest: bool,
        /// The position of the costliest member in another function, if its share of the cost is notable.
        elsewhere: Option<usize>,
    },
    /// A cluster that certainly grows faster than linearly.
    Grows {
        /// The name of the cluster.
        group: GroupName,
        /// The comparison with other clusters.
        how: Growing,
        /// Its share of the cost at the target, if it costs little so far.
        share_then: Option<f64>,
        /// Number of further costly clusters that grow faster than linearly; on the last statement of the kind.
        more: usize,
    },
    /// No cluster is known to grow faster than linearly.
    Steady {
        /// Number of laws that are good enough to say so.
        bounded: usize,
        /// Number of all laws.
        laws: usize,
        /// True if some laws may be `n log n`.
        within_log: bool,
    },
    /// A costly cluster that may or may not grow faster than linearly.
    Undecided {
        /// The name of the cluster.
        group: GroupName,
        /// Number of further undecided clusters; on the last statement of the kind.
        more: usize,
    },
    /// A cluster that will cost more than one that costs more today.
    Overtakes {
        /// The name of the cluster.
        group: GroupName,
        /// The position in the cluster's overtakings.
        overtaking: usize,
        /// The size at which it overtakes, as a multiple of the largest size that was run.
        times: f64,
    },
    /// Costly clusters about which too little is known.
    Doubtful(Spoken),
    /// A place with a separate series.
    Series(SeriesStatement),
}

/// Returns the statements that follow from the rows: the costliest, the fastest growing, the overtaking, and the
/// doubtful. Each cluster is judged by its law.
pub fn statements(findings: &Findings) -> Vec<Statement> {
    let failed = findings.doubts.iter().position(|doubt| matches!(doubt, Doubt::LargestFailed { .. }));
    let mut statements: Vec<Statement> =
        failed.map(|doubt| Statement::LargestFailed { doubt }).into_iter().collect();
    if findings.clusters.is_empty() {
        let series = series::statements(findings);
        let nothing = Statement::NothingVaries { workloads: findings.workloads.count };
        statements.extend(if series.is_empty() { vec![nothing] } else { series });
        return statements;
    }
    statements.extend(findings.is_uncounted().then_some(Statement::Uncounted));
    let growing = growing::growing(findings);
    statements.extend(growing::in_order(findings, &growing));
    if growing.is_empty() && !findings.is_partial() {
        statements.extend(steady(findings));
    }
    statements.extend(doubts::undecided(findings));
    statements.extend(overtaking(findings));
    statements.extend(doubts::doubts(findings));
    statements
}

impl Findings {
    /// Returns true if work that matters was not counted.
    pub fn is_uncounted(&self) -> bool {
        let is_uncounted =
            |doubt: &Doubt| matches!(doubt, Doubt::UncountedGrowth { .. } | Doubt::MostlyUncounted { .. });
        self.doubts.iter().any(is_uncounted)
    }

    /// Returns the part of the time with the most uncounted work, if it takes at least [`NOTABLE_UNCOUNTED`] of the
    /// whole.
    pub fn notable_uncounted(&self) -> Option<&TimePart> {
        let rows = self.answer.iter().flat_map(|answer| &answer.time_parts).flat_map(|parts| &parts.rows);
        let not_counted = rows.filter(|part| !part.is_counted);
        let most = not_counted.max_by(|a, b| a.share.total_cmp(&b.share));
        most.filter(|most| most.share >= NOTABLE_UNCOUNTED)
    }

    /// Returns true if work that matters was not counted. It may grow in any way, as counts do not cover it.
    pub fn is_partial(&self) -> bool {
        self.is_uncounted() || self.notable_uncounted().is_some()
    }
}

/// Returns a statement that nothing grows faster than linearly; `None` if a function does, although no cluster does.
fn steady(findings: &Findings) -> Option<Statement> {
    let functions = findings.functions.iter();
    let mut of_functions = functions.filter_map(|row| row.fits.law());
    if of_functions.any(|law| law.certain_pace().is_some()) {
        return None;
    }
    let laws: Vec<RowLaw<'_>> =
        findings.clusters.iter().filter_map(|c| c.fits.sound_law().or_else(|| c.fits.law())).collect();
    let bounded = laws.iter().filter(|law| law.is_bounded());
    let is_open = |law: &RowLaw<'_>| match law {
        RowLaw::Of(model) => model.growth.as_ref().is_some_and(|growth| growth.superlinear.is_none()),
        RowLaw::Joint(_) => false,
    };
    let within_log = bounded.clone().any(is_open);
    (!laws.is_empty()).then(|| Statement::Steady { bounded: bounded.count(), laws: laws.len(), within_log })
}

fn overtaking(findings: &Findings) -> Vec<Statement> {
    let nearest = |(cluster, row): (usize, &crate::findings::row::Cluster)| {
        // Overtaking the costliest cluster is the most important.
        let (overtaking, passed) = row.overtakes.iter().enumerate().min_by(|a, b| a.1.rank.cmp(&b.1.rank))?;
        let max = findings.features.iter().find(|f| f.name == passed.feature)?.max?;
        let group = GroupName::new(findings, cluster);
        Some((passed.at / max, Statement::Overtakes { group, overtaking, times: passed.at / max }))
    };
    let mut passing: Vec<_> = findings.clusters.iter().enumerate().filter_map(nearest).collect();
    passing.sort_by(|a, b| a.0.total_cmp(&b.0));
    passing.into_iter().take(MOST_STATEMENTS).map(|(_, statement)| statement).collect()
}

#[cfg(test)]
mod tests;
