//! Series by size, in the terminal.

use trend_analyze::{Findings, SeriesModel, SeriesRow};

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

/// The series with the models of their worst, average and best executions.
///
/// # Errors
/// [`ReportError::NoSeries`] for a study without series, [`ReportError::NoSuchSort`] for an order that
/// series do not have.
pub fn series_table(
    findings: &Findings,
    filter: SeriesFilter,
    options: &TableOptions,
) -> Result<String, ReportError> {
    if findings.series.is_empty() {
        return Err(ReportError::NoSeries);
    }
    let mut out = Document::new(options.width);
    frame::title(&mut out, findings);
    series(&mut out, findings, filter, options)?;
    Ok(out.for_terminal())
}

/// The same, as every output has it.
pub(crate) fn series(
    out: &mut Document,
    findings: &Findings,
    filter: SeriesFilter,
    options: &TableOptions,
) -> Result<(), ReportError> {
    frame::head(out, findings);
    let (mut rows, hidden): (Vec<&SeriesRow>, Vec<_>) =
        findings.series.iter().partition(|row| filter.contexts || row.context.is_none());
    rows.retain(|row| row.sizes >= filter.min_sizes);
    match options.sort {
        Sort::Cost | Sort::Share => {}
        Sort::Exponent => rows.sort_by(|a, b| exponent(b).total_cmp(&exponent(a))),
        Sort::Predicted => return Err(ReportError::NoSuchSort),
    }
    let all = rows.len();
    rows.truncate(options.top.unwrap_or(USUAL_ROWS));
    if findings.clusters.is_empty() {
        out.blank();
        frame::statements(out, findings);
    }
    out.blank();
    out.paragraph(
        PLAIN,
        &format!(
            "Routines by {}; costs {}{}; n is the size of a call's own input in cells of memory \
             that it read (rms, drms); fits are a + b·n^c.",
            if options.sort == Sort::Exponent {
                "the exponent of their worst calls"
            } else {
                "their cost with what they called"
            },
            frame::unit(findings, None),
            number::legend_of_times(&findings.unit)
        ),
    );
    out.blank();
    let name = |row: &SeriesRow| {
        let context = row.context.as_ref().map(|c| format!(" in {}", visible(c))).unwrap_or_default();
        format!("{}{context}", brief(&row.name, usize::MAX))
    };
    let columns = Columns::of(&rows)
        .left("routine", Room::Shrinks(16), |r| name(r))
        .left("size", Room::Goes(1), |r| variables(r))
        .right("tuples", Room::Fixed, |r| r.sizes.to_string())
        .right("calls", Room::Goes(4), |r| number::count(r.count))
        .right("cost", Room::Fixed, |r| number::count(r.cumulative()))
        .right("cumulative", Room::Goes(7), |r| number::share(r.share))
        .right("self", Room::Goes(6), |r| r.self_share.map(number::share))
        .right("%thread", Room::Goes(5), |r| r.thread_input.map(number::share))
        .right("%syscall", Room::Goes(5), |r| r.kernel_input.map(number::share))
        .left("worst call grows", Room::Fixed, |r| verdict(&r.worst))
        .left("worst", Room::Goes(4), |r| fit(&r.worst))
        .left("average", Room::Goes(3), |r| fit(&r.average))
        .left("best", Room::Goes(2), |r| fit(&r.best));
    out.table(columns.columns);
    let mut more = Vec::new();
    if all > rows.len() {
        more.push(format!("{} routines more; --top {all} shows all.", all - rows.len()));
    }
    if !hidden.is_empty() {
        more.push(format!("{} calling contexts of them; --contexts shows these.", hidden.len()));
    }
    if !more.is_empty() {
        out.blank();
        out.paragraph(PLAIN, &more.join(" "));
    }
    out.blank();
    frame::doubts_of_study(out, findings, options);
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
