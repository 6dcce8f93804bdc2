//! Loops in the words of the program: a table of them, and the source with its loops beside it.

use std::collections::{BTreeMap, BTreeSet};

use trend_analyze::{Cluster, Findings, LoopFunctionRow, LoopInputRow, LoopRow, LoopStatus};
use trend_profile::Study;

use crate::columns::{Cell, Columns, Room};
use crate::document::Document;
use crate::style::{BOLD, DIM, DOUBTFUL, NOTABLE, PLAIN};
use crate::text::{brief, shorten, source_line, visible};
use crate::{ReportError, TableOptions, frame, markdown, number, row_page};

/// As many loops are shown unless somebody asks for more.
const USUAL_ROWS: usize = 30;

/// A formula is cut here.
const FORMULA_WIDTH: usize = 40;

/// Lines of source above and below what is shown of a function.
const LINES_AROUND: u32 = 1;

/// No function that somebody reads is longer.
const MOST_LINES: u32 = 2000;

/// The loops of a study, those with the most trips first, and what its functions come to.
///
/// # Errors
/// [`ReportError::NoLoops`] for a study without loops.
pub fn loops_table(findings: &Findings, options: &TableOptions) -> Result<String, ReportError> {
    Ok(document(findings, options, options.terminal_width())?.for_terminal())
}

/// The same as a Markdown document.
///
/// # Errors
/// As [`loops_table`].
pub fn loops_markdown(findings: &Findings, options: &TableOptions) -> Result<String, ReportError> {
    let mut out = document(findings, options, usize::MAX)?;
    out.paragraph(DIM, &frame::settings(findings));
    Ok(markdown::written(&out).trim_end().to_owned() + "\n")
}

/// One function: its source with the loops beside it, where the study has its text, and what is known of each loop.
///
/// # Errors
/// [`ReportError::NoLoops`] for a study without loops, [`ReportError::Unknown`] where no function with loops has the name.
pub fn loops_of_function(
    findings: &Findings,
    study: &Study,
    name: &str,
    options: &TableOptions,
) -> Result<String, ReportError> {
    Ok(page(findings, study, name, options.terminal_width())?.for_terminal())
}

/// The same as a Markdown document.
///
/// # Errors
/// As [`loops_of_function`].
pub fn loops_of_function_markdown(
    findings: &Findings,
    study: &Study,
    name: &str,
) -> Result<String, ReportError> {
    Ok(markdown::written(&page(findings, study, name, usize::MAX)?).trim_end().to_owned() + "\n")
}

fn document(findings: &Findings, options: &TableOptions, width: usize) -> Result<Document, ReportError> {
    if findings.loops.is_empty() {
        return Err(ReportError::NoLoops);
    }
    let mut out = Document::new(width);
    frame::title(&mut out, findings);
    out.paragraph(PLAIN, &counts(findings));
    let most = options.top.unwrap_or(USUAL_ROWS);
    let mut rows: Vec<&LoopRow> = findings.loops.iter().filter(|row| row.activations > 0).collect();
    rows.sort_by(|a, b| b.total.cmp(&a.total).then_with(|| (&a.file, a.line).cmp(&(&b.file, b.line))));
    let all = rows.len();
    rows.truncate(most);
    out.heading("Loops by their trips");
    loop_table(&mut out, &rows, true);
    row_page::more(&mut out, all - rows.len(), "loop", all);
    let mut functions: Vec<&LoopFunctionRow> =
        findings.loop_functions.iter().filter(|f| is_run(findings, f)).collect();
    let trips =
        |f: &LoopFunctionRow| of_function(findings, f).map(|row| row.total).fold(0, u64::saturating_add);
    functions.sort_by(|a, b| trips(b).cmp(&trips(a)).then_with(|| (&a.file, a.line).cmp(&(&b.file, b.line))));
    let all = functions.len();
    functions.truncate(most);
    out.heading("Functions by the trips of their loops");
    function_table(&mut out, &functions);
    row_page::more(&mut out, all - functions.len(), "function", all);
    relations(&mut out, &rows);
    doubts(&mut out, &rows);
    Ok(out)
}

fn of_function<'a>(findings: &'a Findings, function: &LoopFunctionRow) -> impl Iterator<Item = &'a LoopRow> {
    let (name, file) = (function.name.clone(), function.file.clone());
    findings.loops.iter().filter(move |row| row.function == name && row.file == file)
}

fn is_run(findings: &Findings, function: &LoopFunctionRow) -> bool {
    of_function(findings, function).any(|row| row.activations > 0)
}

/// How many loops there are, and how many of them are known how well.
fn counts(findings: &Findings) -> String {
    let executed: Vec<&LoopRow> = findings.loops.iter().filter(|row| row.activations > 0).collect();
    let of = |status| executed.iter().filter(|row| row.trips.status == status).count();
    format!(
        "{} in {}, {} of them executed: {} exact, {} fitted, {} symbolic, {} unknown",
        number::plural(findings.loops.len(), "loop"),
        number::plural(findings.loop_functions.len(), "function"),
        executed.len(),
        of(LoopStatus::Exact),
        of(LoopStatus::Fitted),
        of(LoopStatus::Symbolic),
        of(LoopStatus::Unknown)
    )
}

/// A formula that is not too long; its arguments belong to it.
fn cut(text: &str) -> String {
    shorten(&visible(text), FORMULA_WIDTH).into_owned()
}

/// The trips of an activation: a formula, `≤ n`, or `?`.
fn trips(row: &LoopRow) -> Cell {
    match (&row.trips.formula, &row.trips.bound) {
        (Some(formula), _) if row.trips.off > 0 => Cell::styled(format!("{} !", cut(formula)), NOTABLE),
        (Some(formula), _) => Cell::plain(cut(formula)),
        (None, Some(bound)) => Cell::plain(format!("≤ {}", cut(bound))),
        (None, None) => Cell::styled("?", DOUBTFUL),
    }
}

fn in_call(row: &LoopRow) -> Cell {
    let mark = if row.in_call.at_most { "≤ " } else { "" };
    Cell::plain(format!("{mark}{}", cut(&row.in_call.formula)))
}

fn status(row: &LoopRow) -> String {
    match row.trips.status {
        LoopStatus::Exact if row.trips.off > 0 => {
            format!("exact but {} of {}", row.trips.off, row.trips.points)
        }
        LoopStatus::Exact => "exact".to_owned(),
        LoopStatus::Fitted => "fitted".to_owned(),
        LoopStatus::Symbolic => "symbolic".to_owned(),
        LoopStatus::Unknown => "unknown".to_owned(),
    }
}

fn inputs(row: &LoopRow) -> String {
    row.inputs.iter().map(|input| visible(&input.name)).collect::<Vec<_>>().join(", ")
}

fn loop_table(out: &mut Document, rows: &[&LoopRow], has_function: bool) {
    let mut columns = Columns::of(rows).left("loop", Room::Shrinks(12), |row| {
        Cell::plain(format!("{}{}:{}", "  ".repeat(row.depth as usize - 1), visible(&row.file), row.line))
    });
    if has_function {
        columns = columns.left("function", Room::Shrinks(10), |row| brief(&row.function, usize::MAX));
    }
    let columns = columns
        .right("depth", Room::Goes(7), |row| row.depth.to_string())
        .left("inputs", Room::Goes(5), |row| inputs(row))
        .left("trips", Room::Fixed, |row| trips(row))
        .left("in a call", Room::Goes(1), |row| in_call(row))
        .left("status", Room::Goes(4), |row| status(row))
        .left("O", Room::Goes(2), |row| visible(&row.o))
        .left("Ω", Room::Goes(3), |row| visible(&row.omega))
        .right("entered", Room::Goes(6), |row| number::count(row.activations))
        .right("trips in all", Room::Goes(8), |row| number::count(row.total));
    out.table(columns.columns);
}

fn function_table(out: &mut Document, functions: &[&LoopFunctionRow]) {
    let columns = Columns::of(functions)
        .left("function", Room::Shrinks(12), |f| brief(&f.name, usize::MAX))
        .left("at", Room::Goes(4), |f| format!("{}:{}", visible(&f.file), f.line))
        .left("a call is", Room::Fixed, |f| format!("O({})", visible(&f.bounds)))
        .left("trips of its loops", Room::Goes(1), |f| f.trips.as_deref().map(visible))
        .left("recurrence", Room::Goes(2), |f| f.recurrence.as_deref().map(visible));
    out.table(columns.columns);
}

/// What inputs depend on, each name of a function once.
fn relations(out: &mut Document, rows: &[&LoopRow]) {
    let mut said: BTreeSet<(String, String)> = BTreeSet::new();
    for row in rows {
        for LoopInputRow { name, relation, .. } in &row.inputs {
            let Some(relation) = relation else { continue };
            let mark = if relation.exact { "=" } else { "≈" };
            let text = format!("{name} {mark} {}", relation.formula);
            said.insert((row.function.clone(), text));
        }
    }
    if said.is_empty() {
        return;
    }
    out.heading("What inputs depend on, at their greatest of each run");
    let mut by_function: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (function, text) in said {
        by_function.entry(function).or_default().push(text);
    }
    for (function, texts) in by_function {
        out.item("- ", PLAIN, &format!("{}: {}", brief(&function, usize::MAX), texts.join("; ")));
    }
}

/// What is doubtful about loops, and why.
fn doubts(out: &mut Document, rows: &[&LoopRow]) {
    let mut texts = Vec::new();
    for row in rows {
        texts.extend(notes(row).into_iter().map(|note| format!("{}:{}: {note}", row.file, row.line)));
    }
    if !texts.is_empty() {
        out.heading("What to know of them");
        for text in &texts {
            out.item("? ", PLAIN, text);
        }
    }
}

/// What has to be known about one loop.
fn notes(row: &LoopRow) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(off) = row.trips.off_points.first() {
        let names: Vec<String> = row
            .inputs
            .iter()
            .zip(&off.inputs)
            .map(|(input, value)| format!("{} = {value}", input.name))
            .collect();
        let expected = off.expected.map_or(String::new(), |expected| format!(" instead of {expected}"));
        let more = if row.trips.off > 1 {
            format!(", and {} points more", row.trips.off - 1)
        } else {
            String::new()
        };
        notes.push(format!("{} trips{expected} at {}{more}", off.trips, names.join(", ")));
    }
    if row.trips.ambiguous {
        notes.push("another formula as simple is right as well: some inputs always went together".to_owned());
    }
    if row.trips.status == LoopStatus::Unknown && row.activations > 0 {
        notes.push(format!(
            "seen at {}: run it at more sizes to learn its formula",
            number::plural(row.trips.points, "combination of inputs").replace("inputss", "inputs")
        ));
    }
    if row.trips.status == LoopStatus::Symbolic {
        notes.push(format!(
            "its inputs do not decide: between {} and {} trips, {} on average",
            number::count(row.least),
            number::count(row.greatest),
            number::significant(row.total as f64 / row.activations.max(1) as f64, 3)
        ));
    }
    if let Some(share) = row.sampled {
        notes.push(format!("{} of its activations were kept by inputs", number::share(share)));
    }
    if row.mispredicted > 0 {
        notes.push(format!(
            "in {} its greatest inputs do not come together: predictions are too high or too low",
            number::plural(row.mispredicted, "run")
        ));
    }
    notes
}

/// Which function is meant: by its whole name, or the only one whose name contains the word.
fn chosen<'a>(findings: &'a Findings, name: &str) -> Result<&'a LoopFunctionRow, ReportError> {
    if findings.loops.is_empty() {
        return Err(ReportError::NoLoops);
    }
    let whole = findings.loop_functions.iter().find(|f| f.name == name);
    let containing: Vec<&LoopFunctionRow> =
        findings.loop_functions.iter().filter(|f| f.name.contains(name)).collect();
    match (whole, containing.as_slice()) {
        (Some(one), _) => Ok(one),
        (None, [one]) => Ok(*one),
        (None, []) => {
            let nearest = findings.loop_functions.iter().take(3).map(|f| f.name.clone()).collect();
            Err(ReportError::Unknown { name: visible(name).into_owned(), nearest })
        }
        (None, several) => Err(ReportError::Ambiguous {
            name: visible(name).into_owned(),
            candidates: several.iter().take(5).map(|f| f.name.clone()).collect(),
            more: several.len().saturating_sub(5),
        }),
    }
}

fn page(findings: &Findings, study: &Study, name: &str, width: usize) -> Result<Document, ReportError> {
    let function = chosen(findings, name)?;
    let rows: Vec<&LoopRow> = of_function(findings, function).collect();
    let mut out = Document::new(width);
    out.title(vec![
        Cell::styled(visible(&function.name), BOLD),
        Cell::styled(format!(" · {}:{}", visible(&function.file), function.line), DIM),
    ]);
    let trips =
        function.trips.as_ref().map_or(String::new(), |trips| format!("; its loops make {trips} trips"));
    out.paragraph(PLAIN, &format!("A call is O({}){trips}.", function.bounds));
    if let Some(recurrence) = &function.recurrence {
        out.paragraph(PLAIN, recurrence);
    }
    source(&mut out, study, function, &rows);
    out.blank();
    loop_table(&mut out, &rows, false);
    relations(&mut out, &rows);
    doubts(&mut out, &rows);
    Ok(out)
}

/// A line of source with brackets of the loops that it is in.
struct Line {
    number: u32,
    brackets: String,
    trips: String,
    o: String,
    text: String,
}

fn source(out: &mut Document, study: &Study, function: &LoopFunctionRow, rows: &[&LoopRow]) {
    let Some(text) = study.source(&function.file) else {
        out.paragraph(DIM, &format!("The source of {} is not stored in the study.", function.file));
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
            o: all(&|row| row.o.clone()),
            text: source_line(lines[number as usize - 1]),
        }
    };
    let all: Vec<Line> = shown.map(line).collect();
    let columns = Columns::of(&all)
        .right("line", Room::Fixed, |line| line.number.to_string())
        .left("", Room::Fixed, |line| Cell::styled(line.brackets.clone(), DIM))
        .left("trips", Room::Fixed, |line| Cell::styled(visible(&line.trips), NOTABLE))
        .left("O", Room::Goes(1), |line| Cell::styled(visible(&line.o), NOTABLE))
        .left("source", Room::Shrinks(20), |line| Cell::plain(visible(&line.text)));
    out.blank();
    out.table(columns.columns);
}

/// The loops around a line, from the outermost to the innermost.
fn around<'a>(findings: &'a Findings, file: &str, line: u32) -> Vec<&'a LoopRow> {
    let is_around = |row: &&LoopRow| row.file == file && (row.line..=row.last_line).contains(&line);
    let mut found: Vec<&LoopRow> = findings.loops.iter().filter(is_around).collect();
    found.sort_by_key(|row| row.depth);
    // One of several that stand on a line is enough.
    found.dedup_by_key(|row| row.depth);
    found
}

/// Which loops make the growth of a cluster: `½n² − ½n = n (list.c:4) × i (list.c:5)`; `None` where its line is in none that are
/// known.
pub(crate) fn factors(findings: &Findings, cluster: &Cluster) -> Option<String> {
    let member = cluster.namesake()?;
    let loops = around(findings, &member.file, member.line);
    let innermost = loops.last()?;
    let factor = |row: &&LoopRow| {
        let mark = if row.trips.formula.is_none() { "≤ " } else { "" };
        let formula = row.trips.formula.as_ref().or(row.trips.bound.as_ref())?;
        Some(format!("{mark}{} ({}:{})", visible(formula), visible(&row.file), row.line))
    };
    let product = loops.iter().map(factor).collect::<Option<Vec<String>>>()?.join(" × ");
    let mark = if innermost.in_call.at_most { "≤ " } else { "" };
    Some(format!("{mark}{} = {product}", visible(&innermost.in_call.formula)))
}

#[cfg(test)]
mod tests;
