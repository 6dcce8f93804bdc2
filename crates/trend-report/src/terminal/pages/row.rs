//! Writes the page of one function or line, for a terminal.

use trend_analyze::{Findings, Row};
use trend_profile::Study;

use super::calling_lines;
use super::source_lines::{self, SourceLine};
use crate::layout::document::Document;
use crate::layout::number;
use crate::layout::style::PLAIN;
use crate::options::{By, TableOptions};
use crate::rows::item::Item;
use crate::rows::place;
use crate::rows::scope::Scope;
use crate::terminal::frame::{more, note, title_with_place};
use crate::terminal::laws::row::{models, of_row};
use crate::words::study;

/// Number of calling lines listed by default.
const USUAL_CALLERS: usize = 5;

/// Number of a function's lines listed by default.
const USUAL_LINES: usize = 30;

/// Writes the page of a function or a line.
pub(crate) fn row_page(
    out: &mut Document,
    findings: &Findings,
    study: Option<&Study>,
    row: &Row,
    by: By,
    scope: &Scope<'_>,
    options: &TableOptions,
) {
    let item = Item::of_row(0, row, by);
    let source = study.and_then(|study| source_lines::text(study, &row.file, row.line));
    let place_or_source = if by == By::Function { place::row_place(row) } else { source.unwrap_or_default() };
    title_with_place(out, &row.name, place_or_source.trim_start());
    let cost = format!(
        "Up to {}, {}; {}.",
        number::count(row.max_cost),
        study::unit(findings, study),
        item.shares()
    );
    out.paragraph(PLAIN, &cost);
    note(out, row.note.as_deref());
    out.blank();
    of_row(out, findings, &item, scope);
    if let (Some(study), By::Function) = (study, by) {
        calling_lines::section(out, findings, study, row, scope, options.top.unwrap_or(USUAL_CALLERS));
        let source_lines = source_lines::of_function(findings, study, row);
        lines(out, study, &source_lines, scope, options);
    }
    models(out, findings, &row.fits.models);
}

fn lines(
    out: &mut Document,
    study: &Study,
    source_lines: &[SourceLine<'_>],
    scope: &Scope<'_>,
    options: &TableOptions,
) {
    if source_lines.is_empty() {
        return;
    }
    let shown = &source_lines[..source_lines.len().min(options.top.unwrap_or(USUAL_LINES))];
    out.heading("Lines");
    out.table(source_lines::columns(study, shown, scope));
    more(out, source_lines.len() - shown.len(), "line", source_lines.len());
}
