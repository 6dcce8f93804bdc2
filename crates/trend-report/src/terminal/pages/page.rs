//! Writes the page of one named item.

use trend_analyze::{Findings, MemoryLine, SeriesRow};
use trend_profile::Study;

use super::cluster::cluster_page;
use super::row::row_page;
use crate::error::ReportError;
use crate::layout::document::Document;
use crate::layout::markdown;
use crate::layout::style::{DIM, PLAIN};
use crate::options::{By, TableOptions};
use crate::rows::scope::Scope;
use crate::rows::select::{self, Subject};
use crate::terminal::memory;
use crate::terminal::series::page::series_page;
use crate::words::study;

/// Returns the page of one routine, cluster, function or line, for a terminal.
///
/// `name` may be a routine with costs by the size of its input; a cluster's name, rank (`1` or `#1`), member or line; a
/// function's name, the end of it (`sum` for `sums::sum(int)`) or `FILE:NAME`; a library function that a line calls;
/// or, if the findings have lines, a line in no cluster. A path may be given by its end, and `…` stands for text that a
/// table left out of a name. If a routine is also a function, the page covers both.
///
/// # Errors
/// [`ReportError::Unknown`] or [`ReportError::Ambiguous`] if `name` does not refer to exactly one item;
/// [`ReportError::UnknownFeature`] if the requested feature does not exist.
pub fn page(
    findings: &Findings,
    study: Option<&Study>,
    name: &str,
    options: &TableOptions,
) -> Result<String, ReportError> {
    let mut out = Document::new(options.terminal_width());
    named(&mut out, findings, study, name, options)?;
    Ok(out.for_terminal())
}

/// Returns the page as a Markdown document, without plots.
///
/// # Errors
/// Fails in the same cases as [`page`].
pub fn page_markdown(
    findings: &Findings,
    study: Option<&Study>,
    name: &str,
    options: &TableOptions,
) -> Result<String, ReportError> {
    let mut out = Document::new(usize::MAX);
    named(&mut out, findings, study, name, options)?;
    out.paragraph(DIM, &study::settings(findings));
    Ok(markdown::written(&out).trim_end().to_owned() + "\n")
}

/// Returns the findings about one item, named as for [`page`], for scripts. They contain only its rows; a routine has
/// the measurements at each size.
///
/// # Errors
/// [`ReportError::Unknown`] or [`ReportError::Ambiguous`] if `name` does not refer to exactly one item.
pub fn findings_of(findings: &Findings, name: &str) -> Result<Findings, ReportError> {
    let series: Vec<SeriesRow> =
        select::series(findings, name)?.into_iter().map(|row| row.clone().with_tuples()).collect();
    let memory_lines: Vec<MemoryLine> = select::memory_lines(findings, name).into_iter().cloned().collect();
    let is_known = !series.is_empty() || !memory_lines.is_empty();
    let mut one = Findings { series, memory_lines, ..findings.without_rows() };
    match select::subject(findings, name) {
        // The routine is also a function in the program.
        Ok(Subject::Function(row)) => one.functions = vec![row.clone()],
        Err(ReportError::Unknown { .. }) if is_known => {}
        _ if !one.series.is_empty() => {}
        Ok(Subject::Cluster(cluster) | Subject::Place(cluster, _)) => one.clusters = vec![cluster.clone()],
        Ok(Subject::Line(row)) => one.lines = Some(vec![row.clone()]),
        Err(error) => return Err(error),
    }
    Ok(one)
}

fn named(
    out: &mut Document,
    findings: &Findings,
    study: Option<&Study>,
    name: &str,
    options: &TableOptions,
) -> Result<(), ReportError> {
    let series = select::series(findings, name)?;
    if series.is_empty() {
        let lines = select::memory_lines(findings, name);
        match select::subject(findings, name) {
            Ok(subject) => location(out, findings, study, subject, options)?,
            // The line only allocates memory, and is in no block.
            Err(ReportError::Unknown { .. }) if !lines.is_empty() => {}
            Err(error) => return Err(error),
        }
        memory::section(out, &lines, &Scope::new(findings, options)?);
        return Ok(());
    }
    series_page(out, findings, study, &series, options);
    // Workloads of a single size do not show growth.
    let is_of_sizes = findings.features.iter().any(|feature| feature.min < feature.max);
    if is_of_sizes && let Ok(subject) = select::subject(findings, name) {
        out.blank();
        out.paragraph(PLAIN, "As a function of the workloads' features:");
        out.blank();
        location(out, findings, study, subject, options)?;
    }
    Ok(())
}

fn location(
    out: &mut Document,
    findings: &Findings,
    study: Option<&Study>,
    subject: Subject<'_>,
    options: &TableOptions,
) -> Result<(), ReportError> {
    let scope = Scope::new(findings, options)?;
    match subject {
        Subject::Cluster(cluster) => cluster_page(out, findings, study, cluster, None, &scope, options),
        Subject::Place(cluster, place) => {
            cluster_page(out, findings, study, cluster, Some(&place), &scope, options);
        }
        Subject::Function(row) => row_page(out, findings, study, row, By::Function, &scope, options),
        Subject::Line(row) => row_page(out, findings, study, row, By::Line, &scope, options),
    }
    Ok(())
}
