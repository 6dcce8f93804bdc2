//! Makes statements about a study that has only series.

use super::{COSTLY_SHARE, Statement};
use crate::findings::Findings;
use crate::findings::law::RowLaw;
use crate::findings::series::SeriesRow;

/// A statement about a place with a separate series.
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
    /// A place with much of the cost was seen at too few sizes to say how it grows.
    FewSizes {
        /// The position of the place in the findings' series.
        series: usize,
    },
}

/// Minimum share of the cost of a place whose few sizes are worth a statement.
const NOTABLE_SHARE: f64 = 0.5;

/// Returns statements about the place that costs most, and about the one whose worst execution grows fastest with its
/// own size.
pub(super) fn statements(findings: &Findings) -> Vec<Statement> {
    let series = &findings.series;
    let own = |row: &SeriesRow| row.self_sum.unwrap_or(row.sum);
    let Some(costliest) = (0..series.len()).rev().max_by_key(|&i| own(&series[i])) else {
        return Vec::new();
    };
    let least = series.iter().map(SeriesRow::cumulative).max().unwrap_or(0) as f64 * COSTLY_SHARE;
    let costly = || series.iter().enumerate().filter(|(_, row)| row.cumulative() as f64 > least);
    let paced = costly().filter_map(|(i, row)| Some((row.headline_law()?.certain_pace()?, i)));
    let fastest = paced.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1))).map(|(_, i)| i);
    let is_fastest = fastest == Some(costliest);
    let first = SeriesStatement::Costliest { series: costliest, is_fastest };
    // A place that may grow faster, or that grows but costs little, shows this in its row.
    let grows = |row: &SeriesRow| row.worst.fits.law().is_some_and(|law| law.certain_pace().is_some());
    let is_steady = || {
        costly().any(|(_, row)| row.headline_law().is_some_and(RowLaw::is_bounded))
            && !series.iter().any(grows)
    };
    let of_few_sizes = |i: &usize| {
        series[*i].worst.fits.law().is_none()
            && series[*i].self_share.unwrap_or(series[*i].share) >= NOTABLE_SHARE
    };
    let few_sizes = (0..series.len()).find(of_few_sizes).map(|series| SeriesStatement::FewSizes { series });
    let second = match fastest.filter(|_| !is_fastest) {
        Some(series) => Some(SeriesStatement::Fastest { series }),
        None => (fastest.is_none() && few_sizes.is_none() && is_steady()).then_some(SeriesStatement::Steady),
    };
    [Some(first), second, few_sizes].into_iter().flatten().map(Statement::Series).collect()
}

impl SeriesRow {
    /// Returns the law of the worst execution if it is good enough for a headline.
    pub fn headline_law(&self) -> Option<RowLaw<'_>> {
        self.worst.fits.law().filter(|law| match law {
            RowLaw::Of(model) => model.is_sound() && !law.is_poor(),
            RowLaw::Joint(_) => true,
        })
    }
}
