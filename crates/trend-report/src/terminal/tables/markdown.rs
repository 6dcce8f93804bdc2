//! Writes the findings as a Markdown document, for pull requests and mails.

use trend_analyze::Findings;
use trend_profile::SeriesKind;

use super::{functions, table};
use crate::error::ReportError;
use crate::layout::document::Document;
use crate::layout::markdown::{escaped, written};
use crate::layout::style::{DIM, PLAIN};
use crate::layout::text::brief;
use crate::options::{SeriesFilter, TableOptions};
use crate::rows::scope::Scope;
use crate::rows::selection;
use crate::terminal::series;
use crate::words::study;

/// Maximum width of the program's name in the title.
const NAME_WIDTH: usize = 60;

/// Returns the findings as a Markdown document: verdict, table, warnings.
///
/// # Errors
/// Fails in the same cases as [`crate::table`].
pub fn markdown(findings: &Findings, options: &TableOptions) -> Result<String, ReportError> {
    let mut out = Document::new(usize::MAX);
    let options = &selection::settled(findings, options);
    if functions::is_meant(&Scope::new(findings, options)?, options) {
        out.paragraph(PLAIN, &study::runs(findings));
    }
    table::findings(&mut out, findings, None, &TableOptions { all_doubts: true, ..options.clone() })?;
    out.paragraph(DIM, &study::settings(findings));
    let title = format!("## How {} scales\n\n", escaped(&brief(&findings.program.name, NAME_WIDTH)));
    Ok(title + written(&out).trim_end() + "\n")
}

/// Returns the table of a kind of series as a Markdown document.
///
/// # Errors
/// Fails in the same cases as [`crate::series_table`].
pub fn series_markdown(
    findings: &Findings,
    kind: SeriesKind,
    filter: SeriesFilter,
    options: &TableOptions,
) -> Result<String, ReportError> {
    let mut out = series::table::document(findings, kind, filter, options, usize::MAX)?;
    out.paragraph(DIM, &study::settings(findings));
    Ok(written(&out).trim_end().to_owned() + "\n")
}
