//! Shows loops in the program's own variables: a table of them, and the source annotated with its loops.

mod chosen;
mod notes;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use trend_analyze::{
    Cluster, Findings, LoopFunctionRow, LoopInputRow, LoopRelation, LoopRow, LoopStatus, RelationStatus,
};
use trend_profile::Study;

use self::chosen::chosen;
pub(crate) use self::notes::notes_of_trips;
use self::notes::{all_notes, notes};
use crate::columns::{Cell, Columns, Room};
use crate::document::Document;
use crate::rows::Scope;
use crate::style::{BOLD, DIM, DOUBTFUL, NOTABLE, PLAIN};
use crate::text::{brief, source_line, visible};
use crate::{ReportError, TableOptions, frame, markdown, number, point, row_page};

/// Number of loops listed by default.
const USUAL_ROWS: usize = 30;

/// Minimum width of a formula on a terminal.
const FORMULA: usize = 16;

/// Minimum width of a law in a feature, whose exponent is at its end.
const IN_RUN: usize = 22;

/// Maximum number of characters of formulas and inputs in tables outside of a terminal. Whole ones are listed below the
/// source of a function, and in JSON.
const MOST_CHARACTERS: usize = 80;

/// Maximum number of loops named for a shared note.
const MOST_NAMED: usize = 4;

/// Length from which a formula is cut on most terminals. Below the source of a function, longer ones are listed as a
/// whole.
const LONG: usize = 24;

/// Number of source lines shown before a function and after its last loop.
const LINES_AROUND: u32 = 1;

/// Maximum number of source lines shown, longer than any function that people read.
const MOST_LINES: u32 = 2000;

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
    out.paragraph(DIM, &frame::settings(findings));
    Ok(markdown::written(&out).trim_end().to_owned() + "\n")
}

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
    row_page::more(&mut out, all - rows.len(), "loop", all);
    let functions = functions_by_trips(findings);
    let all = functions.len();
    let functions = &functions[..all.min(most)];
    out.heading("Functions by the trips of their loops");
    function_table(&mut out, functions, options);
    row_page::more(&mut out, all - functions.len(), "function", all);
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

fn of_function<'a>(findings: &'a Findings, function: &LoopFunctionRow) -> impl Iterator<Item = &'a LoopRow> {
    let (name, file) = (function.name.clone(), function.file.clone());
    findings.loops.iter().filter(move |row| row.function == name && row.file == file)
}

/// Returns the functions whose loops may have run, those with the most trips first.
fn functions_by_trips(findings: &Findings) -> Vec<&LoopFunctionRow> {
    let mut trips: HashMap<(&str, &str), u64> = HashMap::new();
    for row in findings.loops.iter().filter(|row| may_have_run(row)) {
        let sum = trips.entry((&row.function, &row.file)).or_default();
        *sum = sum.saturating_add(row.total.unwrap_or(0));
    }
    let of_loops = |f: &LoopFunctionRow| trips.get(&(f.name.as_str(), f.file.as_str())).copied();
    let mut functions: Vec<(u64, &LoopFunctionRow)> =
        findings.loop_functions.iter().filter_map(|f| Some((of_loops(f)?, f))).collect();
    functions.sort_by(|(a, f), (b, g)| b.cmp(a).then_with(|| (&f.file, f.line).cmp(&(&g.file, g.line))));
    functions.into_iter().map(|(_, function)| function).collect()
}

/// Counts the loops by the status of their formulas.
fn counts(findings: &Findings) -> String {
    let executed: Vec<&LoopRow> = findings.loops.iter().filter(|row| has_run(row)).collect();
    let of = |status| executed.iter().filter(|row| row.trips.status == status).count();
    let uncounted = match findings.loops.iter().filter(|row| row.activations.is_none()).count() {
        0 => String::new(),
        count => format!("; {count} not counted (constant trips)"),
    };
    format!(
        "{} in {}; {} executed: {} exact, {} fitted, {} constant, {} symbolic, {} unknown{uncounted}",
        number::plural(findings.loops.len(), "loop"),
        number::plural(findings.loop_functions.len(), "function"),
        executed.len(),
        of(LoopStatus::Exact),
        of(LoopStatus::Fitted),
        of(LoopStatus::Constant),
        of(LoopStatus::Symbolic),
        of(LoopStatus::Unknown)
    )
}

/// Formats the trips per activation: a formula, a bound (`≤ n`), or the observed range.
fn trips(row: &LoopRow) -> Cell {
    match (&row.trips.formula, &row.trips.bound) {
        (Some(formula), _) if row.trips.off > 0 => Cell::styled(format!("{} !", visible(formula)), NOTABLE),
        (Some(formula), _) => Cell::plain(visible(formula)),
        _ if row.trips.status == LoopStatus::Constant => {
            Cell::plain(format!("{} each time", number::count(row.least)))
        }
        (None, Some(bound)) => Cell::plain(format!("≤ {}", visible(bound))),
        (None, None) if !has_run(row) => Cell::default(),
        (None, None) => Cell::styled(format!("{} seen", seen(row)), DOUBTFUL),
    }
}

/// Formats the fewest and the most trips.
fn seen(row: &LoopRow) -> String {
    let (least, greatest) = (number::count(row.least), number::count(row.greatest));
    if least == greatest { greatest } else { format!("{least}–{greatest}") }
}

/// Formats the trips per call, if these are known and differ from the trips per activation.
fn in_call(row: &LoopRow) -> Option<String> {
    let is_known = row.in_call.at_most || row.in_call.status != LoopStatus::Symbolic;
    let mark = match row.in_call.status {
        _ if row.in_call.at_most => "≤ ",
        LoopStatus::Fitted => "≈ ",
        _ => "",
    };
    (is_known && row.depth > 1).then(|| format!("{mark}{}", visible(&row.in_call.formula)))
}

/// Returns true if the counts show that the loop was entered.
fn has_run(row: &LoopRow) -> bool {
    row.activations.is_some_and(|activations| activations > 0)
}

/// Returns true if the loop was entered, or was not counted.
fn may_have_run(row: &LoopRow) -> bool {
    row.activations != Some(0)
}

/// Formats a number of activations or trips.
fn counted(count: Option<u64>) -> Cell {
    count.map_or_else(|| Cell::styled("not counted", DIM), |count| Cell::plain(number::count(count)))
}

/// Formats a loop's place: `list.c:12`, or `list.c:12 no. 2` if the line has several loops.
fn at(row: &LoopRow) -> String {
    let number = row.number.map_or(String::new(), |number| format!(" no. {number}"));
    format!("{}:{}{number}", visible(&row.file), row.line)
}

/// Cuts a text that is too long for a table at its end, because the beginning of a formula matters most.
fn cut(text: &str) -> String {
    let most = text.char_indices().nth(MOST_CHARACTERS).map(|_| MOST_CHARACTERS - 1);
    most.map_or_else(|| text.to_owned(), |most| text.chars().take(most).chain(['…']).collect())
}

fn status(row: &LoopRow) -> String {
    let sampled = if row.sampled.is_some() && row.trips.formula.is_some() { ", sampled" } else { "" };
    let status = match row.trips.status {
        LoopStatus::Exact if row.trips.off > 0 => {
            format!("exact but {} of {}", row.trips.off, row.trips.points)
        }
        LoopStatus::Exact => "exact".to_owned(),
        LoopStatus::Fitted => "fitted".to_owned(),
        LoopStatus::Constant => "constant".to_owned(),
        LoopStatus::Symbolic => "symbolic".to_owned(),
        LoopStatus::Unknown => "unknown".to_owned(),
    };
    status + sampled
}

fn inputs(row: &LoopRow) -> String {
    row.inputs.iter().map(|input| visible(&input.name)).collect::<Vec<_>>().join(", ")
}

fn loop_table(
    out: &mut Document,
    findings: &Findings,
    rows: &[&LoopRow],
    options: &TableOptions,
    has_function: bool,
) {
    let room = |least| shortened(options, Room::Shrinks(least));
    let formula = |least| shortened(options, Room::Cut(least));
    let mut columns = Columns::of(rows).left("loop", room(12), |row| {
        Cell::plain(format!("{}{}", "  ".repeat(row.depth as usize - 1), self::at(row)))
    });
    if has_function {
        columns = columns.left("function", room(10), |row| brief(&row.function, usize::MAX));
    }
    let point = Scope::of_page(findings).point;
    let at = |row: &LoopRow| row.in_run.as_ref().and_then(|run| predicted(run, point?.0));
    let of_point = point.map_or_else(String::new, |(_, point)| format!("at {}", point::given(point)));
    let columns = columns
        .left("trips", formula(FORMULA), |row| {
            let Cell { text, style } = trips(row);
            Cell::styled(cut(&text), style)
        })
        .left("status", Room::Goes(6), |row| status(row))
        .left("in a call", Room::Goes(4), |row| in_call(row).map(|text| cut(&text)))
        .left("in a run", formula(IN_RUN), |row| row.in_run.as_ref().map(in_run))
        .left(&of_point, Room::Goes(5), |row| at(row))
        .left("O", formula(FORMULA), |row| cut(&visible(&row.o)))
        .left("Ω", Room::Goes(7), |row| cut(&visible(&row.omega)))
        .left("inputs", Room::Goes(8), |row| cut(&inputs(row)))
        .right("entered", Room::Goes(3), |row| counted(row.activations))
        .right("trips in all", Room::Goes(2), |row| counted(row.total));
    out.table(columns.columns);
}

fn function_table(out: &mut Document, functions: &[&LoopFunctionRow], options: &TableOptions) {
    let columns = Columns::of(functions)
        .left("function", shortened(options, Room::Shrinks(12)), |f| brief(&f.name, usize::MAX))
        .left("at", Room::Goes(4), |f| place(f))
        .left("a call is", shortened(options, Room::Cut(FORMULA)), |f| {
            cut(&format!("O({})", visible(&f.bounds)))
        })
        .left("trips of its loops", Room::Goes(1), |f| f.trips.as_deref().map(|trips| cut(&visible(trips))))
        .left("recurrence", Room::Goes(2), |f| f.recurrence.as_deref().map(visible));
    out.table(columns.columns);
    if functions.iter().any(|function| function.o != function.omega) {
        out.paragraph(DIM, "a ⊕ b: a is certain, b is possible.");
    }
}

/// Keeps a column whole that a terminal would shorten, if the output is not for a terminal.
fn shortened(options: &TableOptions, room: Room) -> Room {
    match room {
        Room::Shrinks(least) | Room::Cut(least) if options.whole_names => Room::Whole(least),
        room => room,
    }
}

/// Returns the law of all trips in a run, or `undecided`.
fn in_run(run: &LoopRelation) -> Cell {
    match relation(run) {
        Some(law) if run.status != RelationStatus::Several => Cell::plain(law),
        Some(law) => Cell::styled(law, DOUBTFUL),
        None => Cell::styled("undecided", DOUBTFUL),
    }
}

/// Formats the value of a law at a point, with its interval.
fn predicted(relation: &LoopRelation, point: usize) -> Option<String> {
    let cost = *relation.at.get(point)?.as_ref()?;
    let Some(ci) = relation.ci.get(point).copied().flatten() else {
        return (relation.status == RelationStatus::Exact).then(|| number::cost(cost, 3));
    };
    let digits = number::supported_digits(cost, Some(ci)).min(3);
    Some(format!("{} ({})", number::cost(cost, digits), number::cost_interval(ci)))
}

/// Formats a law in a feature, with `?` if it is one of several. Returns `None` if the runs decide none.
fn relation(relation: &LoopRelation) -> Option<String> {
    let (mark, doubt) = match relation.status {
        RelationStatus::Exact => ("", ""),
        RelationStatus::Decided => ("≈ ", ""),
        RelationStatus::Several => ("≈ ", " ?"),
        RelationStatus::Undecided => return None,
    };
    Some(format!("{mark}{}{doubt}", visible(&relation.formula)))
}

/// Formats the place where a function begins.
fn place(function: &LoopFunctionRow) -> String {
    format!("{}:{}", visible(&function.file), function.line)
}

/// Writes the whole formulas that tables cut.
fn formulas(out: &mut Document, rows: &[&LoopRow]) {
    let of = |row: &&LoopRow| {
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
    let all: Vec<String> = rows.iter().filter_map(of).collect();
    if !all.is_empty() {
        out.heading("Long formulas as a whole");
        for text in &all {
            out.item("- ", PLAIN, text);
        }
    }
}

/// Writes the dependencies of inputs on features, each once per function.
fn relations(out: &mut Document, rows: &[&LoopRow]) {
    let mut said: BTreeSet<(String, String)> = BTreeSet::new();
    for row in rows {
        for LoopInputRow { name, relation, .. } in &row.inputs {
            let Some(relation) = relation else { continue };
            let Some(law) = self::relation(relation) else { continue };
            let mark = if relation.status == RelationStatus::Exact { "= " } else { "" };
            let sample = if row.sampled.is_some() { " (of a sample)" } else { "" };
            said.insert((row.function.clone(), format!("{name} {mark}{law}{sample}")));
        }
    }
    if said.is_empty() {
        return;
    }
    out.heading("What the largest inputs of each run depend on");
    let mut by_function: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (function, text) in said {
        by_function.entry(function).or_default().push(text);
    }
    for (function, texts) in by_function {
        out.item("- ", PLAIN, &format!("{}: {}", brief(&function, usize::MAX), texts.join("; ")));
    }
}

/// Writes the doubts about loops, each once, with its loops.
fn doubts(out: &mut Document, rows: &[&LoopRow], texts: impl Fn(&LoopRow) -> Vec<String>) {
    let mut all: Vec<(String, Vec<String>)> = Vec::new();
    for row in rows {
        for text in texts(row) {
            match all.iter_mut().find(|(known, _)| *known == text) {
                Some((_, places)) => places.push(at(row)),
                None => all.push((text, vec![at(row)])),
            }
        }
    }
    if all.is_empty() {
        return;
    }
    out.heading("Notes");
    for (text, places) in all {
        let more = places.len().saturating_sub(MOST_NAMED);
        let named = places[..places.len() - more].join(", ");
        let more =
            if more == 0 { String::new() } else { format!(" and {}", number::plural(more, "more loop")) };
        out.item("? ", PLAIN, &format!("{named}{more}: {text}"));
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
    out.paragraph(PLAIN, &format!("A call is O({}){trips}.", function.bounds));
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
            o: all(&|row| row.o.clone()),
            text: source_line(lines[number as usize - 1]),
        }
    };
    let all: Vec<Line> = shown.map(line).collect();
    let columns = Columns::of(&all)
        .right("line", Room::Fixed, |line| line.number.to_string())
        .left("", Room::Fixed, |line| Cell::styled(line.brackets.clone(), DIM))
        .left("trips", Room::Cut(24), |line| Cell::styled(visible(&line.trips), NOTABLE))
        .left("O", Room::Cut(8), |line| Cell::styled(visible(&line.o), NOTABLE))
        .left("source", Room::Shrinks(20), |line| Cell::plain(visible(&line.text)));
    out.blank();
    out.table(columns.columns);
}

/// Returns the loops around a line, outermost first.
fn around<'a>(findings: &'a Findings, file: &str, line: u32) -> Vec<&'a LoopRow> {
    let is_around = |row: &&LoopRow| row.file == file && (row.line..=row.last_line).contains(&line);
    let mut found: Vec<&LoopRow> = findings.loops.iter().filter(is_around).collect();
    found.sort_by_key(|row| row.depth);
    // Keep only the first of several loops at the same depth.
    found.dedup_by_key(|row| row.depth);
    found
}

/// Returns the loops that make a cluster grow, as a product: `½n² − ½n = n (list.c:4) × i (list.c:5)`. Returns `None`
/// if the cluster's line is in no known loop.
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
