//! Shows the loops of a study as tables.

use std::collections::HashMap;

use trend_analyze::{Findings, LoopFunctionRow, LoopRow, LoopStatus};

use super::parts::{doubts, function_table, loop_table, relations};
use crate::error::ReportError;
use crate::layout::document::Document;
use crate::layout::style::{DIM, PLAIN};
use crate::layout::{markdown, number};
use crate::options::TableOptions;
use crate::terminal::frame;
use crate::words::loops::{has_run, may_have_run, notes};
use crate::words::study;

/// Number of loops listed by default.
const USUAL_ROWS: usize = 30;

/// Returns tables of a study's loops, those with the most trips first, and of the functions that contain them.
///
/// # Errors
/// [`ReportError::NoLoops`] for a study without loops.
pub fn loops_table(findings: &Findings, options: &TableOptions) -> Result<String, ReportError> {
    Ok(document(findings, options, options.terminal_width())?.for_terminal())
}

/// Returns the tables of loops as a Markdown document.
///
/// # Errors
/// Fails in the same cases as [`loops_table`].
pub fn loops_markdown(findings: &Findings, options: &TableOptions) -> Result<String, ReportError> {
    let mut out = document(findings, options, usize::MAX)?;
    out.paragraph(DIM, &study::settings(findings));
    Ok(markdown::written(&out).trim_end().to_owned() + "\n")
}

fn document(findings: &Findings, options: &TableOptions, width: usize) -> Result<Document, ReportError> {
    if findings.loops.is_empty() {
        return Err(ReportError::NoLoops);
    }
    let mut out = Document::new(width);
    frame::title(&mut out, findings);
    out.paragraph(PLAIN, &counts(findings));
    let most = options.top.unwrap_or(USUAL_ROWS);
    let mut rows: Vec<&LoopRow> = findings.loops.iter().filter(|row| may_have_run(row)).collect();
    rows.sort_by(|a, b| {
        b.total
            .unwrap_or(0)
            .cmp(&a.total.unwrap_or(0))
            .then_with(|| (&a.file, a.line).cmp(&(&b.file, b.line)))
    });
    let all = rows.len();
    rows.truncate(most);
    out.heading("Loops by their trips");
    loop_table(&mut out, findings, &rows, options, true);
    frame::more(&mut out, all - rows.len(), "loop", all);
    let functions = functions_by_trips(findings);
    let all = functions.len();
    let functions = &functions[..all.min(most)];
    out.heading("Functions by the trips of their loops");
    function_table(&mut out, functions, options);
    frame::more(&mut out, all - functions.len(), "function", all);
    relations(&mut out, &rows);
    doubts(&mut out, &rows, notes);
    let unknown = findings.loops.iter().filter(|row| has_run(row) && row.trips.status == LoopStatus::Unknown);
    match unknown.count() {
        0 => {}
        count => out.paragraph(
            DIM,
            &format!(
                "{} seen at too few sizes; run more sizes to find their formulas.",
                number::plural(count, "loop")
            ),
        ),
    }
    Ok(out)
}

/// Returns the functions whose loops may have run, those with the most trips first, and recursive functions without
/// loops.
fn functions_by_trips(findings: &Findings) -> Vec<&LoopFunctionRow> {
    let mut trips: HashMap<(&str, &str), Option<u64>> = HashMap::new();
    for row in &findings.loops {
        let sum = trips.entry((&row.function, &row.file)).or_default();
        if may_have_run(row) {
            *sum = Some(sum.unwrap_or(0).saturating_add(row.total.unwrap_or(0)));
        }
    }
    let of_function = |f: &LoopFunctionRow| {
        let recursive = f.recurrence.is_some().then_some(0);
        trips.get(&(f.name.as_str(), f.file.as_str())).copied().unwrap_or(recursive)
    };
    let mut functions: Vec<(u64, &LoopFunctionRow)> =
        findings.loop_functions.iter().filter_map(|f| Some((of_function(f)?, f))).collect();
    functions.sort_by(|(a, f), (b, g)| b.cmp(a).then_with(|| (&f.file, f.line).cmp(&(&g.file, g.line))));
    functions.into_iter().map(|(_, function)| function).collect()
}

/// Counts the loops by the status of their formulas.
fn counts(findings: &Findings) -> String {
    let executed: Vec<&LoopRow> = findings.loops.iter().filter(|row| has_run(row)).collect();
    let with_status = |status| executed.iter().filter(|row| row.trips.status == status).count();
    let uncounted = match findings.loops.iter().filter(|row| row.activations.is_none()).count() {
        0 => String::new(),
        count => format!("; {count} not counted"),
    };
    format!(
        "{} in {}; {} executed: {} exact, {} fitted, {} constant, {} symbolic, {} unknown{uncounted}",
        number::plural(findings.loops.len(), "loop"),
        number::plural(findings.loop_functions.len(), "function"),
        executed.len(),
        with_status(LoopStatus::Exact),
        with_status(LoopStatus::Fitted),
        with_status(LoopStatus::Constant),
        with_status(LoopStatus::Symbolic),
        with_status(LoopStatus::Unknown)
    )
}
