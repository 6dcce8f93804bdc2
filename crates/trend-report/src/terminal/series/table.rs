//! Shows series by size as tables.

use std::collections::BTreeSet;

use trend_analyze::{Findings, RowLaw, SeriesRow};
use trend_profile::SeriesKind;

use super::context_tree;
use crate::error::ReportError;
use crate::layout::columns::{Cell, Columns, Room};
use crate::layout::document::Document;
use crate::layout::number;
use crate::layout::style::PLAIN;
use crate::layout::text::brief;
use crate::options::{SeriesFilter, Sort, TableOptions};
use crate::rows::selection::exponent_of_series;
use crate::terminal::{frame, memory};
use crate::words::series::{self, fit, variables};
use crate::words::{cells, study};

/// Number of rows listed by default.
const USUAL_ROWS: usize = 20;

/// Maximum width of a routine's name below the table.
const NAME_WIDTH: usize = 40;

/// Returns the table of the series of a kind, with the models of their worst, average and best executions.
///
/// # Errors
/// [`ReportError::NoSeries`] for a study without such series, [`ReportError::NoSuchSort`] for an order that series do
/// not have.
pub fn series_table(
    findings: &Findings,
    kind: SeriesKind,
    filter: SeriesFilter,
    options: &TableOptions,
) -> Result<String, ReportError> {
    Ok(document(findings, kind, filter, options, options.width)?.for_terminal())
}

/// Returns a document with the title and the table of one kind.
pub(crate) fn document(
    findings: &Findings,
    kind: SeriesKind,
    filter: SeriesFilter,
    options: &TableOptions,
    width: usize,
) -> Result<Document, ReportError> {
    if kind == SeriesKind::Line {
        let mut out = Document::new(width);
        frame::title(&mut out, findings);
        memory::table(&mut out, findings, options)?;
        return Ok(out);
    }
    if findings.series.iter().all(|row| row.kind != kind) {
        return Err(ReportError::NoSeries(kind));
    }
    let mut out = Document::new(width);
    frame::title(&mut out, findings);
    series(&mut out, findings, &[kind], filter, options)?;
    Ok(out)
}

/// Writes the series of all kinds, in the same way for every output.
pub(crate) fn all_series(
    out: &mut Document,
    findings: &Findings,
    options: &TableOptions,
) -> Result<(), ReportError> {
    let kinds: BTreeSet<SeriesKind> = findings.series.iter().map(|row| row.kind).collect();
    series(out, findings, &Vec::from_iter(kinds), SeriesFilter::default(), options)
}

fn series(
    out: &mut Document,
    findings: &Findings,
    kinds: &[SeriesKind],
    filter: SeriesFilter,
    options: &TableOptions,
) -> Result<(), ReportError> {
    frame::head(out, findings);
    if findings.clusters.is_empty() {
        out.blank();
        frame::statements(out, findings);
    }
    for kind in kinds {
        of_kind(out, findings, *kind, filter, options)?;
    }
    out.blank();
    frame::doubts_of_study(out, findings, options);
    Ok(())
}

fn of_kind(
    out: &mut Document,
    findings: &Findings,
    kind: SeriesKind,
    filter: SeriesFilter,
    options: &TableOptions,
) -> Result<(), ReportError> {
    let words = kind.words();
    let of_kind = findings.series.iter().filter(|row| row.kind == kind);
    let (contexts, mut wholes): (Vec<&SeriesRow>, Vec<_>) = of_kind.partition(|row| row.context.is_some());
    let order = match options.sort {
        Sort::Cost | Sort::Share => "its cost with callees".to_owned(),
        Sort::Exponent => {
            wholes.sort_by(|a, b| exponent_of_series(b).total_cmp(&exponent_of_series(a)));
            format!("the exponent of its worst {}s", words.execution)
        }
        Sort::Predicted => return Err(ReportError::NoSuchSort),
    };
    let place = if filter.contexts {
        format!("{0} below the {0} that called it", words.place)
    } else {
        words.place.to_owned()
    };
    out.blank();
    out.paragraph(
        PLAIN,
        &format!(
            "Each {place}, by {order}; costs {}{}; n is {}; fits are a + b·n^c.",
            study::unit(findings, None),
            number::legend_of_times(&findings.unit),
            words.size
        ),
    );
    out.blank();
    let most = options.top.unwrap_or(USUAL_ROWS);
    let is_kept = |row: &&SeriesRow| row.sizes >= filter.min_sizes;
    if filter.contexts {
        if contexts.is_empty() {
            return Err(ReportError::NoContexts(kind));
        }
        let contexts: Vec<&SeriesRow> = contexts.into_iter().filter(is_kept).collect();
        let (nodes, all) = context_tree::nodes(&contexts, options.sort, most);
        out.table(context_tree::columns(&nodes, words));
        frame::more(out, all - nodes.len(), "context", all);
        return Ok(());
    }
    let mut rows: Vec<&SeriesRow> = wholes.into_iter().filter(is_kept).collect();
    let all = rows.len();
    rows.truncate(most);
    let columns = Columns::new(&rows)
        .left(words.place, Room::Shrinks(16), |r| brief(&r.name, usize::MAX))
        .left("size", Room::Goes(7), |r| variables(r))
        .right("tuples", Room::Fixed, |r| r.sizes.to_string())
        .right(&format!("{}s", words.execution), Room::Goes(4), |r| number::count(r.count))
        .right("cost", Room::Fixed, |r| number::count(r.cumulative()))
        .right("cumulative", Room::Goes(1), |r| number::share(r.share))
        .right("self", Room::Goes(2), |r| r.self_share.map(number::share))
        .right("%thread", Room::Goes(3), |r| r.thread_input.map(number::share))
        .right("%syscall", Room::Goes(3), |r| r.kernel_input.map(number::share))
        .left(&format!("worst {} grows", words.execution), Room::Fixed, |r| {
            let law = r.worst.fits.law().or_else(|| r.worst.fits.models.first().map(RowLaw::Of));
            law.map_or_else(|| Cell::plain("–"), cells::growth_or_trends)
        })
        .left("worst", Room::Goes(4), |r| fit(&r.worst))
        .left("average", Room::Goes(5), |r| fit(&r.average))
        .left("best", Room::Goes(6), |r| fit(&r.best));
    out.table(columns.columns);
    let mut more = Vec::new();
    if all > rows.len() {
        more.push(format!("{} more {}s; --top {all} shows all.", all - rows.len(), words.place));
    }
    let few: Vec<String> = rows
        .iter()
        .filter(|row| series::has_few_sizes(row))
        .map(|row| brief(&row.name, NAME_WIDTH))
        .collect();
    if let [first, others @ ..] = few.as_slice() {
        let others = match others.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        more.push(format!(
            "{first}{others}: few sizes by rms, with very different costs at one size. Build with \
             --metric drms to count input that the kernel or another thread writes into the same memory \
             again."
        ));
    }
    if !contexts.is_empty() {
        more.push(format!("{} calling contexts; --contexts shows them.", contexts.len()));
    }
    if !more.is_empty() {
        out.blank();
        out.paragraph(PLAIN, &more.join(" "));
    }
    Ok(())
}
