//! Shows clusters, functions, lines or blocks as a table for a terminal.

use std::fmt::Write as _;

use trend_analyze::{Findings, Outlook, PowerLawModel, RowLaw, Source};
use trend_profile::Study;

use crate::columns::{Cell, Column, Columns, Room};
use crate::document::Document;
use crate::rows::{self, FLAGS, Item, Scope};
use crate::selection::{self, Selection};
use crate::style::{BOLD, DIM, DOUBTFUL, NOTABLE, PLAIN};
use crate::text::{shorten, visible};
use crate::{
    By, ReportError, Sort, TableOptions, advice, answer, cells, frame, number, overview, point, series,
};

/// Minimum width of names on a wide terminal, before other columns get room. On narrower terminals it is two fifths of
/// the width.
pub(crate) const LEAST_NAME_WIDTH: usize = 40;

/// Maximum width of the detail after a name.
const DETAIL_WIDTH: usize = 28;

/// Returns the findings as a table for a terminal, with the verdict above and the warnings below.
///
/// # Errors
/// [`ReportError::UnknownFeature`], and [`ReportError::NotAnalyzed`] for lines and blocks that the findings do not
/// have.
pub fn table(
    findings: &Findings,
    study: Option<&Study>,
    options: &TableOptions,
) -> Result<String, ReportError> {
    let mut out = Document::new(options.terminal_width());
    let options = &selection::settled(findings, options);
    if overview::is_meant(&Scope::new(findings, options)?, options) {
        frame::title_with_runs(&mut out, findings);
        out.blank();
    } else {
        frame::title(&mut out, findings);
    }
    self::findings(&mut out, findings, study, options)?;
    Ok(out.for_terminal())
}

/// Writes program, verdict, table and warnings, in the same way for every output.
pub(crate) fn findings(
    out: &mut Document,
    findings: &Findings,
    study: Option<&Study>,
    options: &TableOptions,
) -> Result<(), ReportError> {
    if findings.clusters.is_empty() && !findings.series.is_empty() && options.by == By::Cluster {
        return series::all_series(out, findings, options);
    }
    let scope = Scope::new(findings, options)?;
    if overview::is_meant(&scope, options) {
        return overview::write(out, findings, study, &scope, options);
    }
    let selection = selection::selection(findings, &scope, options)?;
    answer::write(out, findings);
    frame::head(out, findings);
    out.blank();
    frame::statements(out, findings);
    out.blank();
    if !selection.shown.is_empty() {
        out.paragraph(DIM, &caption(findings, study, &scope, options));
        out.blank();
        out.table(columns(&scope, &selection.shown, options));
    }
    advice::of_findings(out, findings, &scope);
    foot(out, findings, &scope, &selection, options);
    Ok(())
}

/// Returns the caption, which explains all numbers of the table once: their unit, the feature, and the level of the
/// intervals.
fn caption(findings: &Findings, study: Option<&Study>, scope: &Scope<'_>, options: &TableOptions) -> String {
    let sorted = match options.sort {
        Sort::Cost => "maximum cost",
        Sort::Predicted => "predicted cost",
        Sort::Exponent => "exponent",
        Sort::Share => "share",
    };
    let mut text = format!(
        "{} by {sorted}; costs {}{}; shares of the most expensive run",
        options.by.title(),
        frame::unit(findings, study),
        number::legend_of_times(&findings.unit)
    );
    let is_modelled = findings.features.iter().any(|feature| feature.min < feature.max);
    if is_modelled {
        let _ = match scope.feature.filter(|_| scope.several) {
            Some((_, feature)) => write!(text, "; laws in {} alone", shorten(feature, 40)),
            None => write!(text, "; laws"),
        };
        let _ = write!(text, " with {} intervals", frame::level(findings));
        if let Some((_, at)) = scope.point {
            let _ = write!(text, ", predictions for {}", point::in_words(at));
        }
    }
    text + "."
}

/// Returns the columns of a table of rows. Exponent and R² belong to the power law. They are shown only if it is the
/// row's law, or if rows are sorted by exponent.
pub(crate) fn columns(scope: &Scope<'_>, items: &[Item<'_>], options: &TableOptions) -> Vec<Column> {
    let &TableOptions { by, sort, whole_names, .. } = options;
    let least = (options.terminal_width() * 2 / 5).min(LEAST_NAME_WIDTH);
    let detail = if by == By::Function { "begins at" } else { "" };
    let at = target(scope);
    let law = |i: &Item<'_>, cell: fn(&PowerLawModel) -> Cell| {
        let is_law = matches!(i.row_law(scope), Some(RowLaw::Of(m)) if m.source == Some(Source::PowerLaw));
        let shown = scope.model(i.models).filter(|_| is_law || sort == Sort::Exponent)?;
        Some(cell(shown.power_law.as_ref()?))
    };
    let named = |i: &Item<'_>| {
        let name = if whole_names { visible(i.name).into_owned() } else { i.shown() };
        Cell::styled(name, if i.is_costly { BOLD } else { PLAIN })
    };
    let up_to = |i: &Item<'_>| Some(Cell::styled(number::share(i.share_of_others()?), DIM));
    let predicted =
        |i: &Item<'_>, cell: fn(&Outlook) -> String| Some(cells::aligned(cell(&rows::predicted(i, scope)?)));
    // The column by which rows are sorted is kept longest, together with the names.
    let is_of_then = sort == Sort::Predicted;
    let rank = |i: usize, item: &Item<'_>| match (item.rank, i + 1) {
        (now, then) if is_of_then && now != then => {
            Cell::styled(format!("{now} → {then}"), if then < now { NOTABLE } else { PLAIN })
        }
        (now, _) => Cell::styled(now.to_string(), DIM),
    };
    let (now, then, interval) = if is_of_then {
        (Room::Goes(3), Room::Fixed, Room::Goes(1))
    } else {
        (Room::Fixed, Room::Goes(13), Room::Goes(4))
    };
    Columns::of(items)
        .numbered("#", rank)
        .left(by.noun(), if whole_names { Room::Whole(least) } else { Room::Shrinks(least) }, named)
        .left(detail, Room::Goes(12), |i| shorten(&visible(&i.detail()), DETAIL_WIDTH).into_owned())
        .right("max cost", now, |i| cells::aligned(number::count(i.max_cost)))
        .right("share", Room::Goes(9), |i| number::share(i.share))
        .right("up to", Room::Goes(11), up_to)
        .left("growth", Room::Goes(2), |i| i.row_law(scope).map(cells::growth_or_trends))
        .left("law", Room::Goes(6), |i| cells::fit(i.row_law(scope)))
        .right("exponent", Room::Goes(7), |i| law(i, cells::exponent))
        .right("R²", Room::Goes(8), |i| law(i, cells::r2))
        .right(&format!("cost at {at}"), then, |i| predicted(i, cells::point))
        .right(&format!("at {at}"), interval, |i| predicted(i, cells::interval))
        .right("blocks", Room::Goes(14), |i| i.cluster().map(|c| c.members.len().to_string()))
        .left("", Room::Goes(5), |i| Cell::styled(i.flags(scope), DOUBTFUL))
        .columns
}

/// Returns the target of the predictions for a heading; empty if there is none.
pub(crate) fn target(scope: &Scope<'_>) -> String {
    match scope.point {
        Some((_, at)) if scope.several => point::given(at),
        Some((_, at)) => at.values.first().map(|value| number::size(value.at)).unwrap_or_default(),
        None => String::new(),
    }
}

/// Writes the number of omitted rows, the meaning of the flags, and the doubts.
fn foot(
    out: &mut Document,
    findings: &Findings,
    scope: &Scope<'_>,
    selection: &Selection<'_>,
    options: &TableOptions,
) {
    out.blank();
    let more = selection.total - selection.shown.len();
    if more > 0 {
        let mut text = number::more(more, options.by.noun());
        if selection.costly_only {
            text += ", all under 2 % of every run";
        }
        out.more(text, format!("--top {} shows all", selection.total));
    }
    legend(out, &selection.shown, scope);
    out.blank();
    frame::doubts_of_study(out, findings, options);
}

/// Writes the meaning of the flags that the rows use.
pub(crate) fn legend(out: &mut Document, shown: &[Item<'_>], scope: &Scope<'_>) {
    let used: String = shown.iter().map(|i| i.flags(scope)).collect();
    let meanings = FLAGS.iter().filter(|(flag, _)| used.contains(*flag));
    let meanings: Vec<String> = meanings.map(|(flag, meaning)| format!("{flag} {meaning}")).collect();
    if !meanings.is_empty() {
        out.paragraph(DIM, &format!("{}.", meanings.join("; ")));
    }
}
