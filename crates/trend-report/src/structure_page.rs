//! On a page for a terminal: entries and cost per entry, and the trends that one curve was laid through.

use trend_analyze::{Decomposition, Factor, Findings, GrowthModel, PowerLawModel, Split};

use crate::columns::{Cell, Columns, Room};
use crate::document::Document;
use crate::style::{DIM, PLAIN};
use crate::text::{shorten, visible};
use crate::{cells, number, rows, structure};

/// A line of one of the tables.
struct Line<'a> {
    name: String,
    amount: String,
    growth: Option<&'a GrowthModel>,
    law: Option<&'a PowerLawModel>,
    such_as: String,
}

/// A cost as how often its function was entered times what an entry costs.
pub(crate) fn decomposition<'a>(out: &mut Document, parts: &'a Decomposition, feature: &str) {
    let Some(sentence) = structure::decomposition(parts, feature) else { return };
    out.heading("Entries and cost per entry");
    out.paragraph(PLAIN, &sentence);
    let line = |(name, factor): (&str, &'a Factor)| {
        let model = factor.models.iter().find(|m| m.feature == feature)?;
        Some(Line {
            name: name.to_owned(),
            amount: cells::aligned(number::cost(factor.max, 3)),
            growth: model.growth.as_ref(),
            law: model.power_law.as_ref(),
            such_as: String::new(),
        })
    };
    let lines: Vec<Line<'a>> = [("entries", &parts.entries), ("cost per entry", &parts.per_entry)]
        .into_iter()
        .filter_map(line)
        .collect();
    let place = if parts.line > 0 { format!("{}:{}", parts.file, parts.line) } else { parts.file.clone() };
    table(out, &shorten(&visible(&place), 40), "at most", feature, &lines);
}

/// Two trends, each with its own law.
pub(crate) fn split(out: &mut Document, findings: &Findings, split: &Split, feature: &str) {
    out.heading("Trends");
    out.paragraph(PLAIN, &format!("{}.", structure::split(split, feature)));
    let all = findings.workloads.count;
    let lines = split.trends.iter().enumerate().map(|(i, trend)| Line {
        name: (i + 1).to_string(),
        amount: format!("{} of {all}", trend.workloads.len()),
        growth: trend.growth.as_ref(),
        law: trend.power_law.as_ref(),
        such_as: structure::some_workloads(trend),
    });
    table(out, "trend", "workloads", feature, &lines.collect::<Vec<_>>());
}

fn table(out: &mut Document, name: &str, amount: &str, feature: &str, lines: &[Line<'_>]) {
    let law = |l: &Line<'_>, cell: fn(&PowerLawModel) -> Cell| l.law.map(cell);
    let columns = Columns::of(lines)
        .left(name, Room::Shrinks(12), |l| l.name.clone())
        .right(amount, Room::Fixed, |l| l.amount.clone())
        .left("growth", Room::Goes(5), |l| l.growth.map(cells::growth_cell))
        .left("fit", Room::Goes(4), |l| l.law.map(|law| cells::formula(law, feature)))
        .right("exponent", Room::Goes(3), |l| law(l, cells::exponent))
        .right("R²", Room::Goes(2), |l| law(l, cells::r2))
        .left("such as", Room::Shrinks(10), |l| l.such_as.clone());
    out.table(columns.columns);
    if lines.iter().any(|l| l.law.is_some_and(|law| !law.b_ci.as_ref().is_some_and(rows::is_finite))) {
        out.paragraph(DIM, "? no interval.");
    }
}
