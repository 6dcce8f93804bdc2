//! The sentences about a study that has series and nothing else.

use std::fmt::Write as _;

use trend_analyze::{Findings, RowLaw, SeriesRow};

use super::pace::{certain_pace, how_it_grows, is_bounded};
use super::{NAME_WIDTH, Statement, StatementKind};
use crate::number;
use crate::rows::COSTLY_SHARE;
use crate::text::brief;

/// The place that costs most, and the one whose worst execution grows fastest with its own size.
pub(super) fn statements(findings: &Findings) -> Vec<Statement> {
    let series = &findings.series;
    let own = |row: &SeriesRow| row.self_sum.unwrap_or(row.sum);
    let Some(costliest) = (0..series.len()).rev().max_by_key(|&i| own(&series[i])) else {
        return Vec::new();
    };
    let least = series.iter().map(|row| row.sum).max().unwrap_or(0) as f64 * COSTLY_SHARE;
    let costly = || series.iter().enumerate().filter(|(_, row)| row.sum as f64 > least);
    let paced = costly().filter_map(|(i, row)| Some((certain_pace(sound(row)?)?, i)));
    let fastest = paced.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1))).map(|(_, i)| i);

    let row = &series[costliest];
    let execution = row.kind.words().execution;
    let by_itself = if row.self_sum.is_some() { " by itself" } else { "" };
    let also = if fastest == Some(costliest) { " and grows fastest" } else { "" };
    let mut text = format!(
        "{} costs most{by_itself}{also}: {} in {}",
        brief(&row.name, NAME_WIDTH),
        number::in_unit(own(row), &row.unit),
        number::plural(usize::try_from(row.count).unwrap_or(usize::MAX), execution)
    );
    if let Some(law) = row.worst.law() {
        let _ = write!(text, "; its worst {execution}: {}", how_it_grows(law, false));
    }
    let kind = if also.is_empty() { StatementKind::Dominates } else { StatementKind::Grows };
    let about = |i: usize, kind, text| Statement { kind, cluster: None, series: Some(i), text };
    let mut statements = vec![about(costliest, kind, text + ".")];
    match fastest.filter(|&i| i != costliest) {
        Some(i) => {
            let (name, law) = (brief(&series[i].name, NAME_WIDTH), series[i].worst.law());
            let execution = series[i].kind.words().execution;
            let law = law.map(|law| format!("; its worst {execution}: {}", how_it_grows(law, false)));
            let text = format!("{name} is what grows fastest{}.", law.unwrap_or_default());
            statements.push(about(i, StatementKind::Grows, text));
        }
        None if fastest.is_none() && costly().any(|(_, row)| sound(row).is_some_and(is_bounded)) => {
            let text = format!(
                "No {} that is well modelled and costs much grows measurably faster than linearly in the size of its own \
                 input.",
                row.kind.words().place
            );
            let steady = Statement { series: None, ..about(0, StatementKind::Steady, text) };
            statements.push(steady);
        }
        None => {}
    }
    statements
}

/// The law of the worst execution, where it is good enough for a headline.
fn sound(row: &SeriesRow) -> Option<RowLaw<'_>> {
    row.worst.law().filter(|law| match law {
        RowLaw::Of(model) => model.is_sound(),
        RowLaw::Joint(_) => true,
    })
}
