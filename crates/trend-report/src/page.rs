//! Everything about one thing that was named.

use trend_analyze::{Findings, MemoryLine, SeriesRow};
use trend_profile::Study;

use crate::cluster_page::cluster_page;
use crate::document::Document;
use crate::row_page::row_page;
use crate::rows::Scope;
use crate::select::{self, Subject};
use crate::series_page::series_page;
use crate::style::{DIM, PLAIN};
use crate::{By, ReportError, TableOptions, frame, markdown, memory};

/// Everything about one routine, cluster, function or line, for a terminal.
///
/// `name` is a routine's name that has costs by the size of its input; a cluster's name, its rank (`1` or `#1`) or one of its
/// members or lines; a function's name, the end of it
/// (`sum` for `sums::sum(int)`) or `FILE:NAME`; a library function that a line calls; or a line that is in no cluster, where the findings have lines.
/// A path may be given by its end, and `…` stands for what a table left out of a name. A routine that is a function as well
/// has what is known of both.
///
/// # Errors
/// [`ReportError::Unknown`], [`ReportError::Ambiguous`], [`ReportError::UnknownFeature`].
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

/// The same as a Markdown document, without plots.
///
/// # Errors
/// As [`page`].
pub fn page_markdown(
    findings: &Findings,
    study: Option<&Study>,
    name: &str,
    options: &TableOptions,
) -> Result<String, ReportError> {
    let mut out = Document::new(usize::MAX);
    named(&mut out, findings, study, name, options)?;
    out.paragraph(DIM, &frame::settings(findings));
    Ok(markdown::written(&out).trim_end().to_owned() + "\n")
}

/// The findings of one thing that was named as for [`page`]: its rows alone, of a routine with what was measured at each
/// size, for scripts.
///
/// # Errors
/// [`ReportError::Unknown`], [`ReportError::Ambiguous`].
pub fn findings_of(findings: &Findings, name: &str) -> Result<Findings, ReportError> {
    let series: Vec<SeriesRow> =
        select::series(findings, name)?.into_iter().map(|row| row.clone().with_tuples()).collect();
    let memory_lines: Vec<MemoryLine> = memory::named(findings, name).into_iter().cloned().collect();
    let is_known = !series.is_empty() || !memory_lines.is_empty();
    let mut one = Findings { series, memory_lines, ..findings.without_rows() };
    match select::subject(findings, name) {
        // The same as a place in the program.
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
        let lines = memory::named(findings, name);
        match select::subject(findings, name) {
            Ok(subject) => location(out, findings, study, subject, options)?,
            // It asks for memory, and is in no block.
            Err(ReportError::Unknown { .. }) if !lines.is_empty() => {}
            Err(error) => return Err(error),
        }
        memory::section(out, &lines, &Scope::new(findings, options)?);
        return Ok(());
    }
    series_page(out, findings, study, &series, options);
    // Workloads of one size say nothing about growth.
    let is_of_sizes = findings.features.iter().any(|feature| feature.min < feature.max);
    if is_of_sizes && let Ok(subject) = select::subject(findings, name) {
        out.blank();
        out.paragraph(PLAIN, "The same as a place in the program, by the features of the workloads:");
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
