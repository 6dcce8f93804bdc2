//! Makes statements about a study that has only series.

use super::{COSTLY_SHARE, Statement};
use crate::{Findings, RowLaw, SeriesRow};

/// A statement about a place with a series of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeriesStatement {
    /// The place that costs most.
    Costliest {
        /// The position of the place in the findings' series.
        series: usize,
        /// True if its worst execution also grows fastest.
        is_fastest: bool,
    },
    /// The place whose worst execution grows fastest.
    Fastest {
        /// The position of the place in the findings' series.
        series: usize,
    },
    /// No well-modelled place grows faster than linearly.
    Steady,
}

/// Returns statements about the place that costs most, and about the one whose worst execution grows fastest with its
/// own size.
pub(super) fn statements(findings: &Findings) -> Vec<Statement> {
    let series = &findings.series;
    let own = |row: &SeriesRow| row.self_sum.unwrap_or(row.sum);
    let Some(costliest) = (0..series.len()).rev().max_by_key(|&i| own(&series[i])) else {
        return Vec::new();
    };
    let least = series.iter().map(|row| row.sum).max().unwrap_or(0) as f64 * COSTLY_SHARE;
    let costly = || series.iter().enumerate().filter(|(_, row)| row.sum as f64 > least);
    let paced = costly().filter_map(|(i, row)| Some((sound(row)?.certain_pace()?, i)));
    let fastest = paced.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1))).map(|(_, i)| i);
    let is_fastest = fastest == Some(costliest);
    let first = SeriesStatement::Costliest { series: costliest, is_fastest };
    // A place that may grow faster, or that grows but costs little, shows this in its row.
    let grows = |row: &SeriesRow| row.worst.law().is_some_and(|law| law.certain_pace().is_some());
    let is_steady =
        || costly().any(|(_, row)| sound(row).is_some_and(RowLaw::is_bounded)) && !series.iter().any(grows);
    let second = match fastest.filter(|_| !is_fastest) {
        Some(series) => Some(SeriesStatement::Fastest { series }),
        None => (fastest.is_none() && is_steady()).then_some(SeriesStatement::Steady),
    };
    [Some(first), second].into_iter().flatten().map(Statement::Series).collect()
}

/// Returns the law of the worst execution if it is good enough for a headline.
fn sound(row: &SeriesRow) -> Option<RowLaw<'_>> {
    row.worst.law().filter(|law| match law {
        RowLaw::Of(model) => model.is_sound(),
        RowLaw::Joint(_) => true,
    })
}
