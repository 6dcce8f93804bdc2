//! Shows one function with loops: its source annotated with them, their formulas and notes.

use trend_analyze::{Findings, LoopFunctionRow, LoopRow};
use trend_profile::Study;

use super::cells::{at, cut_to, growth, in_call, relation, trips};
use super::chosen::{chosen, of_function};
use super::parts::{doubts, loop_table, relations};
use crate::error::ReportError;
use crate::layout::columns::{Cell, Columns, Room};
use crate::layout::document::Document;
use crate::layout::style::{BOLD, DIM, NOTABLE, PLAIN};
use crate::layout::text::{source_line, visible};
use crate::layout::{markdown, number};
use crate::options::TableOptions;
use crate::words::loops::{all_notes, may_have_run};

/// Maximum length of a formula on most terminals, and next to the source. Longer formulas are cut, and listed in full
/// below the source of a function.
const LONG: usize = 24;

/// Number of source lines shown before a function and after its last loop.
const LINES_AROUND: u32 = 1;

/// Maximum number of source lines shown, longer than any function that people read.
const MOST_LINES: u32 = 2000;

/// Returns the page of one function: its source annotated with the loops, if the study has the text, and the notes on
/// each loop.
///
/// # Errors
/// [`ReportError::NoLoops`] for a study without loops, [`ReportError::Unknown`] if no function with loops has the name.
pub fn loops_of_function(
    findings: &Findings,
    study: &Study,
    name: &str,
    options: &TableOptions,
) -> Result<String, ReportError> {
    Ok(page(findings, study, name, options, options.terminal_width())?.for_terminal())
}

/// Returns the page of one function as a Markdown document.
///
/// # Errors
/// Fails in the same cases as [`loops_of_function`].
pub fn loops_of_function_markdown(
    findings: &Findings,
    study: &Study,
    name: &str,
) -> Result<String, ReportError> {
    let page = page(findings, study, name, &TableOptions::default(), usize::MAX)?;
    Ok(markdown::written(&page).trim_end().to_owned() + "\n")
}

/// Writes the whole formulas that tables cut.
fn formulas(out: &mut Document, rows: &[&LoopRow]) {
    let long_formulas = |row: &&LoopRow| {
        let texts = [
            ("", trips(row).text),
            ("in a call ", in_call(row).unwrap_or_default()),
            ("in a run ", row.in_run.as_ref().and_then(relation).unwrap_or_default()),
            ("", format!("O({})", visible(&row.o))),
            ("", format!("Ω({})", visible(&row.omega))),
        ];
        let long = texts.into_iter().filter(|(_, text)| text.chars().count() > LONG);
        let long: Vec<String> = long.map(|(what, text)| format!("{what}{text}")).collect();
        (!long.is_empty()).then(|| format!("{}: {}", at(row), long.join("; ")))
    };
    let all: Vec<String> = rows.iter().filter(|row| may_have_run(row)).filter_map(long_formulas).collect();
    if !all.is_empty() {
        out.heading("Long formulas in full");
        for text in &all {
            out.item("- ", PLAIN, text);
        }
    }
}

fn page(
    findings: &Findings,
    study: &Study,
    name: &str,
    options: &TableOptions,
    width: usize,
) -> Result<Document, ReportError> {
    let function = chosen(findings, name)?;
    let rows: Vec<&LoopRow> = of_function(findings, function).collect();
    let mut out = Document::new(width);
    out.title(vec![
        Cell::styled(visible(&function.name), BOLD),
        Cell::styled(format!(" · {}:{}", visible(&function.file), function.line), DIM),
    ]);
    let trips =
        function.trips.as_ref().map_or(String::new(), |trips| format!("; its loops make {trips} trips"));
    let never_ran = match function.never_ran {
        0 => String::new(),
        count => format!(", leaving out {} that never ran", number::plural(count, "loop")),
    };
    out.paragraph(PLAIN, &format!("A call is O({}){never_ran}{trips}.", function.bounds));
    if let Some(recurrence) = &function.recurrence {
        out.paragraph(PLAIN, recurrence);
    }
    source(&mut out, study, function, &rows);
    out.blank();
    loop_table(&mut out, findings, &rows, options, false);
    formulas(&mut out, &rows);
    relations(&mut out, &rows);
    doubts(&mut out, &rows, all_notes);
    Ok(out)
}

/// A line of source with brackets for the loops around it.
struct Line {
    number: u32,
    brackets: String,
    trips: String,
    o: String,
    text: String,
}

fn source(out: &mut Document, study: &Study, function: &LoopFunctionRow, rows: &[&LoopRow]) {
    let Some(text) = study.source(&function.file) else {
        let text = format!(
            "The source of {} is not in the study, which keeps only sources in the program's folder.",
            function.file
        );
        out.paragraph(DIM, &text);
        return;
    };
    let first = function.line.min(rows.iter().map(|row| row.line).min().unwrap_or(function.line));
    let last = rows.iter().map(|row| row.last_line).max().unwrap_or(first);
    let lines: Vec<&str> = text.lines().collect();
    let last = last + LINES_AROUND;
    let deepest = rows.iter().map(|row| row.depth).max().unwrap_or(1);
    let shown =
        first.saturating_sub(LINES_AROUND).max(1)..=last.min(first + MOST_LINES).min(lines.len() as u32);
    let line = |number: u32| {
        let bracket = |depth: u32| {
            let of_depth = || rows.iter().filter(|row| row.depth == depth);
            if of_depth().any(|row| row.line == number) {
                '┌'
            } else if of_depth().any(|row| row.last_line == number && number > row.line) {
                '└'
            } else if of_depth().any(|row| row.line < number && number < row.last_line) {
                '│'
            } else {
                ' '
            }
        };
        let here: Vec<&&LoopRow> = rows.iter().filter(|row| row.line == number).collect();
        let all = |cell: &dyn Fn(&LoopRow) -> String| {
            here.iter().map(|row| cell(row)).collect::<Vec<_>>().join("; ")
        };
        Line {
            number,
            brackets: (1..=deepest).map(bracket).collect(),
            trips: all(&|row| trips(row).text),
            o: all(&|row| cut_to(&growth(row, &row.o), LONG)),
            text: source_line(lines[number as usize - 1]),
        }
    };
    let all: Vec<Line> = shown.map(line).collect();
    let columns = Columns::new(&all)
        .right("line", Room::Fixed, |line| line.number.to_string())
        .left("", Room::Fixed, |line| Cell::styled(line.brackets.clone(), DIM))
        .left("trips", Room::Cut(24), |line| Cell::styled(visible(&line.trips), NOTABLE))
        .left("O", Room::Cut(8), |line| Cell::styled(visible(&line.o), NOTABLE))
        .left("source", Room::Shrinks(20), |line| Cell::plain(visible(&line.text)));
    out.blank();
    out.table(columns.columns);
}
