//! Shows memory by allocating line: the table of all lines, and the sections of single lines.

use trend_analyze::{Findings, MemoryLine, Outlook, Row};
use trend_profile::MemoryMeasure;

use super::frame;
use crate::error::ReportError;
use crate::layout::columns::{Cell, Columns, Room};
use crate::layout::document::Document;
use crate::layout::number;
use crate::layout::style::{BOLD, DIM, PLAIN};
use crate::layout::text::{brief, visible};
use crate::options::{By, Sort, TableOptions};
use crate::rows::item::{self, Item};
use crate::rows::scope::Scope;
use crate::rows::selection;
use crate::words::memory::{FUNCTION_WIDTH, bytes_of};
use crate::words::{cells, point};

/// Number of lines listed by default.
const USUAL_ROWS: usize = 20;

/// Writes the table of all lines with their laws.
///
/// # Errors
/// [`ReportError::NoMemoryLines`] for a study without memory by line; [`ReportError::UnknownFeature`] if the requested
/// feature does not exist.
pub(crate) fn table(
    out: &mut Document,
    findings: &Findings,
    options: &TableOptions,
) -> Result<(), ReportError> {
    if findings.memory_lines.is_empty() {
        return Err(ReportError::NoMemoryLines);
    }
    let scope = Scope::new(findings, options)?;
    frame::head(out, findings);
    out.blank();
    let mut lines: Vec<&MemoryLine> = findings.memory_lines.iter().collect();
    let most = |line: &MemoryLine| predicted(&line.most, &scope).map_or(0.0, |outlook| outlook.cost);
    let order = match options.sort {
        Sort::Cost | Sort::Share => "bytes at the heap's peak",
        Sort::Predicted => {
            lines.sort_by(|a, b| most(b).total_cmp(&most(a)));
            "the most bytes predicted"
        }
        Sort::Exponent => {
            let slope = |line: &MemoryLine| {
                let slope = selection::exponent(&item(&line.most), &scope).filter(|slope| !slope.is_nan());
                slope.unwrap_or(f64::NEG_INFINITY)
            };
            lines.sort_by(|a, b| slope(b).total_cmp(&slope(a)));
            "the exponent of the most bytes"
        }
    };
    let then = scope.point.map(|(_, at)| format!(", at {}", point::in_words(at))).unwrap_or_default();
    out.paragraph(
        DIM,
        &format!(
            "Memory by the line that allocated it, by {order}; each number is from the run where it is \
             largest. Growth, law and prediction{then} are for the most bytes that a line held at once. \
             The heap's peak is the moment with the most memory allocated; the peak memory of the process \
             also includes code, stacks and the allocator's reserve."
        ),
    );
    out.blank();
    let all = lines.len();
    lines.truncate(options.top.unwrap_or(USUAL_ROWS));
    let columns = Columns::new(&lines)
        .left("line", Room::Shrinks(16), |line| {
            Cell::styled(visible(&line.name).into_owned(), if line.is_own() { BOLD } else { PLAIN })
        })
        .left("in", Room::Goes(6), |line| brief(&line.function, FUNCTION_WIDTH))
        .right("allocations", Room::Goes(4), |line| cells::aligned(number::count(line.allocations.max_cost)))
        .right("asked for", Room::Goes(3), |line| bytes(&line.asked))
        .right("most", Room::Fixed, |line| bytes(&line.most))
        .right("at heap peak", Room::Goes(2), |line| bytes(&line.at_peak))
        .right("of heap peak", Room::Fixed, |line| number::share(line.at_peak.share_of_largest))
        .right("at the end", Room::Goes(7), |line| bytes(&line.left))
        .left("growth", Room::Fixed, |line| item(&line.most).row_law(&scope).map(cells::growth_or_trends))
        .left("law", Room::Goes(5), |line| cells::fit(item(&line.most).row_law(&scope)))
        .right("most then", Room::Goes(1), |line| Some(bytes_of(&predicted(&line.most, &scope)?)));
    out.table(columns.columns);
    frame::more(out, all - lines.len(), "line", all);
    out.blank();
    frame::doubts_of_study(out, findings, options);
    Ok(())
}

/// Writes the memory that some lines allocate, each measure with its law.
pub(crate) fn section(out: &mut Document, lines: &[&MemoryLine], scope: &Scope<'_>) {
    for line in lines {
        out.heading(&format!("Memory that {} allocated", visible(&line.name)));
        let columns = Columns::new(&MemoryMeasure::ALL)
            .left("", Room::Fixed, |measure| words(*measure))
            .right("most of a run", Room::Fixed, |measure| match measure {
                MemoryMeasure::Allocations => number::count(line.allocations.max_cost),
                measure => bytes(line.row(*measure)),
            })
            .right("of all lines", Room::Goes(1), |measure| {
                number::share(line.row(*measure).share_of_largest)
            })
            .left("growth", Room::Fixed, |measure| {
                item(line.row(*measure)).row_law(scope).map(cells::growth_or_trends)
            })
            .left("law", Room::Goes(3), |measure| cells::fit(item(line.row(*measure)).row_law(scope)))
            .right("then", Room::Goes(2), |measure| {
                let then = predicted(line.row(*measure), scope)?;
                Some(if *measure == MemoryMeasure::Allocations {
                    cells::point(&then)
                } else {
                    bytes_of(&then)
                })
            });
        out.table(columns.columns);
    }
}

fn words(measure: MemoryMeasure) -> &'static str {
    match measure {
        MemoryMeasure::Allocations => "allocations",
        MemoryMeasure::Asked => "bytes asked for",
        MemoryMeasure::Most => "bytes at most",
        MemoryMeasure::AtPeak => "bytes at the heap's peak",
        MemoryMeasure::Left => "bytes at the end",
    }
}

fn item(row: &Row) -> Item<'_> {
    Item::of_row(0, row, By::Line)
}

fn predicted(row: &Row, scope: &Scope<'_>) -> Option<Outlook> {
    item::predicted(&item(row), scope)
}

fn bytes(row: &Row) -> String {
    number::bytes(row.max_cost as f64, 2)
}
