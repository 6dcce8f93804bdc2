//! Lists the lines that call a function.

use trend_analyze::{CallingLine, Findings, Row};
use trend_profile::Study;

use super::source_lines;
use crate::layout::columns::{Cell, Columns, Room};
use crate::layout::document::Document;
use crate::layout::number;
use crate::layout::style::DIM;
use crate::layout::text::{brief, cut, visible};
use crate::rows::scope::Scope;
use crate::words::cells;

/// Maximum width of source text; the terminal may leave less.
const SOURCE_WIDTH: usize = 100;

/// Writes the lines that call a function; nothing if none is known.
pub(crate) fn section(
    out: &mut Document,
    findings: &Findings,
    study: &Study,
    row: &Row,
    scope: &Scope<'_>,
    most: usize,
) {
    if row.callers.is_empty() {
        return;
    }
    let shown = &row.callers[..row.callers.len().min(most)];
    let growth = |line: &CallingLine| {
        let name = line.cluster.as_ref()?;
        let cluster = findings.clusters.iter().find(|cluster| cluster.representative.name == *name)?;
        Some(cells::growth_or_trends(scope.law(&cluster.fits)?))
    };
    let source = |line: &CallingLine| {
        let text = source_lines::text(study, &line.file, line.line)?;
        Some(Cell::styled(cut(text.trim_start(), SOURCE_WIDTH), DIM))
    };
    out.heading("Called from, in the most expensive run");
    let columns = Columns::new(shown)
        .right("calls", Room::Fixed, calls)
        .left("growth", Room::Goes(2), growth)
        .left("line", Room::Shrinks(14), |line| visible(&format!("{}:{}", line.file, line.line)).into_owned())
        .left("function", Room::Goes(1), |line| brief(&line.function, 32))
        .left("source", Room::Shrinks(12), source);
    out.table(columns.columns);
    if shown.iter().any(|line| line.at_most) {
        out.paragraph(DIM, "≤: at most this many; the exact number is unknown.");
    }
    let left_out = row.callers.len() - shown.len() + row.more_callers;
    if left_out > 0 {
        out.paragraph(DIM, &number::more(left_out, "line"));
    }
}

fn calls(line: &CallingLine) -> String {
    let Some(calls) = line.calls else { return "not counted".to_owned() };
    let calls = cells::aligned(number::count(calls));
    if line.at_most { format!("≤ {calls}") } else { calls }
}
