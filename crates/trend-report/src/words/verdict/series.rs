//! Describes the verdict on a study that has only series.

use std::fmt::Write as _;

use trend_analyze::{Findings, SeriesRow, SeriesStatement};

use super::pace::how_it_grows;
use super::statement::{NAME_WIDTH, Statement, StatementKind};
use crate::layout::number;
use crate::layout::text::brief;

pub(super) fn in_words(findings: &Findings, statement: SeriesStatement) -> Statement {
    let about = |series, kind, text| Statement { kind, cluster: None, series, text };
    match statement {
        SeriesStatement::Costliest { series, is_fastest } => {
            let kind = if is_fastest { StatementKind::Grows } else { StatementKind::Dominates };
            about(Some(series), kind, costliest(&findings.series[series], is_fastest))
        }
        SeriesStatement::Fastest { series } => {
            let row = &findings.series[series];
            let text = format!("{} grows fastest{}.", brief(&row.name, NAME_WIDTH), worst(row));
            about(Some(series), StatementKind::Grows, text)
        }
        SeriesStatement::Steady => {
            let place = findings.series.first().map_or("place", |row| row.kind.words().place);
            let text = format!(
                "No well-modelled, costly {place} grows measurably faster than linearly in the size of \
                 its own input."
            );
            about(None, StatementKind::Steady, text)
        }
        SeriesStatement::FewSizes { series } => {
            about(Some(series), StatementKind::Doubtful, of_few_sizes(&findings.series[series]))
        }
    }
}

fn costliest(row: &SeriesRow, is_fastest: bool) -> String {
    let by_itself = if row.self_sum.is_some() { " by itself" } else { "" };
    let also = if is_fastest { " and grows fastest" } else { "" };
    let count = usize::try_from(row.count).unwrap_or(usize::MAX);
    let mut text = format!(
        "{} costs most{by_itself}{also}: {} in {}",
        brief(&row.name, NAME_WIDTH),
        number::in_unit(row.self_sum.unwrap_or(row.sum), &row.unit),
        number::plural(count, row.kind.words().execution)
    );
    let _ = write!(text, "{}.", worst(row));
    text
}

/// Describes a place that was seen at too few sizes: `parse takes 90.2 % of the cost, but its input had one size …`.
fn of_few_sizes(row: &SeriesRow) -> String {
    let sizes = match row.sizes {
        1 => "one size".to_owned(),
        sizes => format!("only {sizes} different sizes"),
    };
    format!(
        "{} takes {} of the cost, but its input had {sizes}, so its growth is unknown; run the program on smaller \
         and larger inputs.",
        brief(&row.name, NAME_WIDTH),
        number::share(row.self_share.unwrap_or(row.share)),
    )
}

/// Describes the growth of the worst execution: `; its worst call: it grows as n^2 in rms (4·rms^2)`.
fn worst(row: &SeriesRow) -> String {
    let execution = row.kind.words().execution;
    let law = row.headline_law();
    law.map(|law| format!("; its worst {execution}: {}", how_it_grows(law, false))).unwrap_or_default()
}
