//! Series by size, in the terminal.

use std::collections::BTreeSet;

use trend_analyze::{Findings, SeriesModel, SeriesRow};
use trend_profile::SeriesKind;

use crate::columns::{Columns, Room};
use crate::document::Document;
use crate::frame;
use crate::style::PLAIN;
use crate::text::{brief, shorten, visible};
use crate::{ReportError, Sort, TableOptions, number};

/// As many rows are shown unless somebody asks for more.
const USUAL_ROWS: usize = 20;

/// Which series a table has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeriesFilter {
    /// Whether each calling context is a row, besides those of the whole routines.
    pub contexts: bool,
    /// How many different sizes each has at least.
    pub min_sizes: usize,
}

/// The series of a kind with the models of their worst, average and best executions.
///
/// # Errors
/// [`ReportError::NoSeries`] for a study without such series, [`ReportError::NoSuchSort`] for an order that
/// series do not have.
pub fn series_table(
    findings: &Findings,
    kind: SeriesKind,
    filter: SeriesFilter,
    options: &TableOptions,
) -> Result<String, ReportError> {
    if findings.series.iter().all(|row| row.kind != kind) {
        return Err(ReportError::NoSeries(kind));
    }
    let mut out = Document::new(options.width);
    frame::title(&mut out, findings);
    series(&mut out, findings, &[kind], filter, options)?;
    Ok(out.for_terminal())
}

/// The series of all kinds, as every output has them.
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
    let (mut rows, hidden): (Vec<&SeriesRow>, Vec<_>) =
        of_kind.partition(|row| filter.contexts || row.context.is_none());
    rows.retain(|row| row.sizes >= filter.min_sizes);
    match options.sort {
        Sort::Cost | Sort::Share => {}
        Sort::Exponent => rows.sort_by(|a, b| exponent(b).total_cmp(&exponent(a))),
        Sort::Predicted => return Err(ReportError::NoSuchSort),
    }
    let all = rows.len();
    rows.truncate(options.top.unwrap_or(USUAL_ROWS));
    out.blank();
    let order = match options.sort {
        Sort::Exponent => format!("the exponent of its worst {}s", words.execution),
        _ => "its cost with what it called".to_owned(),
    };
    out.paragraph(
        PLAIN,
        &format!(
            "Each {}, by {order}; costs {}{}; n is {}; fits are a + b·n^c.",
            words.place,
            frame::unit(findings, None),
            number::legend_of_times(&findings.unit),
            words.size
        ),
    );
    out.blank();
    let name = |row: &SeriesRow| {
        let context = row.context.as_ref().map(|c| format!(" in {}", visible(c))).unwrap_or_default();
        format!("{}{context}", brief(&row.name, usize::MAX))
    };
    let columns = Columns::of(&rows)
        .left(words.place, Room::Shrinks(16), |r| name(r))
        .left("size", Room::Goes(7), |r| variables(r))
        .right("tuples", Room::Fixed, |r| r.sizes.to_string())
        .right(&format!("{}s", words.execution), Room::Goes(4), |r| number::count(r.count))
        .right("cost", Room::Fixed, |r| number::count(r.cumulative()))
        .right("cumulative", Room::Goes(1), |r| number::share(r.share))
        .right("self", Room::Goes(2), |r| r.self_share.map(number::share))
        .right("%thread", Room::Goes(3), |r| r.thread_input.map(number::share))
        .right("%syscall", Room::Goes(3), |r| r.kernel_input.map(number::share))
        .left(&format!("worst {} grows", words.execution), Room::Fixed, |r| verdict(&r.worst))
        .left("worst", Room::Goes(4), |r| fit(&r.worst))
        .left("average", Room::Goes(5), |r| fit(&r.average))
        .left("best", Room::Goes(6), |r| fit(&r.best));
    out.table(columns.columns);
    let mut more = Vec::new();
    if all > rows.len() {
        more.push(format!("{} {}s more; --top {all} shows all.", all - rows.len(), words.place));
    }
    if !hidden.is_empty() {
        more.push(format!("{} calling contexts of them; --contexts shows these.", hidden.len()));
    }
    if !more.is_empty() {
        out.blank();
        out.paragraph(PLAIN, &more.join(" "));
    }
    Ok(())
}

/// How steep the law of the worst calls is at its furthest prediction; what has no law goes last.
fn exponent(row: &SeriesRow) -> f64 {
    let slope = || {
        let [model] = row.worst.models.as_slice() else { return None };
        model.law()?.exponent(&[model.predictions.last()?.at])
    };
    slope().filter(|slope| !slope.is_nan()).unwrap_or(f64::NEG_INFINITY)
}

/// `rms`.
fn variables(row: &SeriesRow) -> String {
    row.variables.iter().map(|variable| variable.name()).collect::<Vec<_>>().join(", ")
}

fn verdict(model: &SeriesModel) -> String {
    match model.models.first().and_then(|model| model.growth.as_ref()) {
        Some(growth) => shorten(&growth.verdict, 32).into_owned(),
        None => "–".to_owned(),
    }
}

fn fit(model: &SeriesModel) -> String {
    model.offset_power.map_or_else(
        || "–".to_owned(),
        |law| {
            // Without growth, the exponent says nothing.
            if law.b == 0.0 {
                return number::significant(law.a, 2);
            }
            let sign = if law.b < 0.0 { '−' } else { '+' };
            format!(
                "{} {sign} {}·n^{}",
                number::significant(law.a, 2),
                number::significant(law.b.abs(), 2),
                number::significant(law.c, 2)
            )
        },
    )
}
