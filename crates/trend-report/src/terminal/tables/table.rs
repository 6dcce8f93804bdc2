//! Shows clusters, functions, lines or blocks as a table for a terminal.

use std::fmt::Write as _;

use trend_analyze::Findings;
use trend_profile::Study;

use super::functions;
use super::rows::{columns, legend};
use crate::error::ReportError;
use crate::layout::document::Document;
use crate::layout::number;
use crate::layout::style::DIM;
use crate::layout::text::shorten;
use crate::options::{By, Sort, TableOptions};
use crate::rows::scope::Scope;
use crate::rows::selection::{self, Selection};
use crate::terminal::frame;
use crate::terminal::series::table;
use crate::words::{advice, answer, point, study};

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
    if functions::is_meant(&Scope::new(findings, options)?, options) {
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
        return table::all_series(out, findings, options);
    }
    let scope = Scope::new(findings, options)?;
    if functions::is_meant(&scope, options) {
        return functions::write(out, findings, study, &scope, options);
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
        study::unit(findings, study),
        number::legend_of_times(&findings.unit)
    );
    let is_modelled = findings.features.iter().any(|feature| feature.min < feature.max);
    if is_modelled {
        let _ = match scope.feature.filter(|_| scope.several) {
            Some((_, feature)) => write!(text, "; laws in {} alone", shorten(feature, 40)),
            None => write!(text, "; laws"),
        };
        let _ = write!(text, " with {} intervals", study::level(findings));
        if let Some((_, at)) = scope.point {
            let _ = write!(text, ", predictions for {}", point::in_words(at));
        }
    }
    text + "."
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
