//! Writes the page of one function or line, for a terminal.

use trend_analyze::{Findings, Row};
use trend_profile::Study;

use crate::columns::Cell;
use crate::document::Document;
use crate::model_page::{models, of_row};
use crate::rows::{self, Item, Scope};
use crate::source_lines::{self, SourceLine};
use crate::style::{BOLD, PLAIN};
use crate::text::{cut, shorten, visible};
use crate::{By, TableOptions, frame, number};

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
    let beside = if by == By::Function { rows::row_place(row) } else { source.unwrap_or_default() };
    head(out, &row.name, beside.trim_start());
    let cost = format!(
        "Up to {}, {}; {}.",
        number::count(row.max_cost),
        frame::unit(findings, study),
        item.shares()
    );
    out.paragraph(PLAIN, &cost);
    out.blank();
    of_row(out, findings, &item, scope);
    if let (Some(study), By::Function) = (study, by) {
        let found = source_lines::of_function(findings, study, row);
        lines(out, study, &found, scope, options);
    }
    models(out, findings, &row.models);
}

pub(crate) fn head(out: &mut Document, name: &str, beside: &str) {
    let head = shorten(&visible(name), out.width).into_owned();
    let room = out.width.saturating_sub(crate::text::width(&head) + 2);
    let mut parts = vec![Cell::styled(head, BOLD)];
    if room > 0 && !beside.is_empty() {
        parts.push(format!("  {}", cut(&visible(beside), room)).into());
    }
    out.title(parts);
}

fn lines(
    out: &mut Document,
    study: &Study,
    found: &[SourceLine<'_>],
    scope: &Scope<'_>,
    options: &TableOptions,
) {
    if found.is_empty() {
        return;
    }
    let shown = &found[..found.len().min(options.top.unwrap_or(USUAL_LINES))];
    out.heading("Lines");
    out.table(source_lines::columns(study, shown, scope));
    more(out, found.len() - shown.len(), "line", found.len());
}

pub(crate) fn more(out: &mut Document, more: usize, noun: &str, all: usize) {
    if more > 0 {
        out.more(number::more(more, noun), format!("--top {all} shows all"));
    }
}
