//! On a page for a terminal: entries and cost per entry, and the trends that one curve was laid through.

use trend_analyze::{Decomposition, Factor, Findings, GrowthModel, PowerLawModel, Split};

use crate::columns::{Cell, Column, Room, Side, lay_out};
use crate::lines::Lines;
use crate::model_page::{column, heading};
use crate::style::{HEADING, PLAIN};
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
pub(crate) fn decomposition<'a>(out: &mut Lines, parts: &'a Decomposition, feature: &str) {
    let Some(sentence) = structure::decomposition(parts, feature) else { return };
    heading(out, "Entries and cost per entry");
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
    lay_out_lines(out, &shorten(&visible(&place), 40), "at most", feature, &lines);
}

/// Two trends, each with its own law.
pub(crate) fn split(out: &mut Lines, findings: &Findings, split: &Split, feature: &str) {
    heading(out, "Trends");
    out.paragraph(PLAIN, &format!("{}.", structure::split(split, feature)));
    let all = findings.workloads.count;
    let lines = split.trends.iter().enumerate().map(|(i, trend)| Line {
        name: (i + 1).to_string(),
        amount: format!("{} of {all}", trend.workloads.len()),
        growth: trend.growth.as_ref(),
        law: trend.power_law.as_ref(),
        such_as: structure::some_workloads(trend),
    });
    lay_out_lines(out, "trend", "workloads", feature, &lines.collect::<Vec<_>>());
}

fn lay_out_lines(out: &mut Lines, name: &str, amount: &str, feature: &str, lines: &[Line<'_>]) {
    let cells = |cell: &dyn Fn(&Line<'_>) -> Cell| lines.iter().map(cell).collect::<Vec<_>>();
    let law = |cell: &dyn Fn(&PowerLawModel) -> Cell| {
        lines.iter().map(|l| l.law.map_or_else(Cell::default, cell)).collect::<Vec<_>>()
    };
    let columns: Vec<Column> = vec![
        column(name, Side::Left, Room::Shrinks(12), cells(&|l| Cell::plain(l.name.as_str()))),
        column(amount, Side::Right, Room::Fixed, cells(&|l| Cell::plain(l.amount.as_str()))),
        column(
            "growth",
            Side::Left,
            Room::Goes(5),
            cells(&|l| l.growth.map_or_else(Cell::default, cells::growth_cell)),
        ),
        column("fit", Side::Left, Room::Goes(4), law(&|l| Cell::plain(cells::formula(l, feature)))),
        column("exponent", Side::Right, Room::Goes(3), law(&cells::exponent)),
        column("R²", Side::Right, Room::Goes(2), law(&cells::r2)),
        column("such as", Side::Left, Room::Shrinks(10), cells(&|l| Cell::plain(l.such_as.as_str()))),
    ];
    out.lines.extend(lay_out(columns, out.width, HEADING));
    if lines.iter().any(|l| l.law.is_some_and(|law| !law.b_ci.as_ref().is_some_and(rows::is_finite))) {
        out.paragraph(crate::style::DIM, "? no interval.");
    }
}
