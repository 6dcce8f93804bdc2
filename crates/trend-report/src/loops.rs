//! Loops in the words of the program: a table of them, and the source with its loops beside it.

mod chosen;
mod notes;

use std::collections::{BTreeMap, BTreeSet};

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

/// As many loops are shown unless somebody asks for more.
const USUAL_ROWS: usize = 30;

/// A formula is cut to no less than this on a terminal.
const FORMULA: usize = 16;

/// A law of a feature has its exponent at its end.
const IN_RUN: usize = 22;

/// What is not for a terminal has formulas and inputs of no more characters in tables: whole ones stand below the source of a
/// function, and in JSON.
const MOST_CHARACTERS: usize = 80;

/// As many loops of which the same has to be known are named.
const MOST_NAMED: usize = 4;

/// Longer formulas are cut on most terminals: below the source of a function each stands as a whole.
const LONG: usize = 24;

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
    Ok(page(findings, study, name, options, options.terminal_width())?.for_terminal())
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
    let mut functions: Vec<&LoopFunctionRow> =
        findings.loop_functions.iter().filter(|f| is_run(findings, f)).collect();
    let trips = |f: &LoopFunctionRow| {
        of_function(findings, f).filter_map(|row| row.total).fold(0, u64::saturating_add)
    };
    functions.sort_by(|a, b| trips(b).cmp(&trips(a)).then_with(|| (&a.file, a.line).cmp(&(&b.file, b.line))));
    let all = functions.len();
    functions.truncate(most);
    out.heading("Functions by the trips of their loops");
    function_table(&mut out, &functions, options);
    row_page::more(&mut out, all - functions.len(), "function", all);
    relations(&mut out, &rows);
    doubts(&mut out, &rows, notes);
    let unknown = findings.loops.iter().filter(|row| has_run(row) && row.trips.status == LoopStatus::Unknown);
    match unknown.count() {
        0 => {}
        count => out.paragraph(
            DIM,
            &format!(
                "{} seen at too few sizes: run more of them to learn their formulas.",
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

fn is_run(findings: &Findings, function: &LoopFunctionRow) -> bool {
    of_function(findings, function).any(may_have_run)
}

/// How many loops there are, and how many of them are known how well.
fn counts(findings: &Findings) -> String {
    let executed: Vec<&LoopRow> = findings.loops.iter().filter(|row| has_run(row)).collect();
    let of = |status| executed.iter().filter(|row| row.trips.status == status).count();
    let uncounted = match findings.loops.iter().filter(|row| row.activations.is_none()).count() {
        0 => String::new(),
        count => format!("; {count} not counted (constant trips)"),
    };
    format!(
        "{} in {}, {} of them executed: {} exact, {} fitted, {} constant, {} symbolic, {} unknown{uncounted}",
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

/// The trips of an activation: a formula, `≤ n`, or as many as were seen.
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

/// From the fewest to the most trips.
fn seen(row: &LoopRow) -> String {
    let (least, greatest) = (number::count(row.least), number::count(row.greatest));
    if least == greatest { greatest } else { format!("{least}–{greatest}") }
}

/// The trips in a call of the function, where they are not those of an activation, and known.
fn in_call(row: &LoopRow) -> Option<String> {
    let is_known = row.in_call.at_most || row.in_call.status == LoopStatus::Exact;
    let mark = if row.in_call.at_most { "≤ " } else { "" };
    (is_known && row.depth > 1).then(|| format!("{mark}{}", visible(&row.in_call.formula)))
}

/// Whether a loop was entered, as what was counted says.
fn has_run(row: &LoopRow) -> bool {
    row.activations.is_some_and(|activations| activations > 0)
}

/// Whether a loop was entered, or was not counted.
fn may_have_run(row: &LoopRow) -> bool {
    row.activations != Some(0)
}

/// A number of activations or trips.
fn counted(count: Option<u64>) -> Cell {
    count.map_or_else(|| Cell::styled("not counted", DIM), |count| Cell::plain(number::count(count)))
}

/// `list.c:12`, and of several loops on a line `list.c:12 no. 2`.
fn at(row: &LoopRow) -> String {
    let number = row.number.map_or(String::new(), |number| format!(" no. {number}"));
    format!("{}:{}{number}", visible(&row.file), row.line)
}

/// What is too long for a table without its end: the beginning of a formula says most.
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
}

/// What is shortened on a terminal, and whole where there is none.
fn shortened(options: &TableOptions, room: Room) -> Room {
    match room {
        Room::Shrinks(least) | Room::Cut(least) if options.whole_names => Room::Whole(least),
        room => room,
    }
}

/// The law of all trips in a run, or that the runs do not decide one.
fn in_run(run: &LoopRelation) -> Cell {
    match relation(run) {
        Some(law) if run.status != RelationStatus::Several => Cell::plain(law),
        Some(law) => Cell::styled(law, DOUBTFUL),
        None => Cell::styled("undecided", DOUBTFUL),
    }
}

/// What a law comes to at a point, with its interval.
fn predicted(relation: &LoopRelation, point: usize) -> Option<String> {
    let cost = *relation.at.get(point)?.as_ref()?;
    let Some(ci) = relation.ci.get(point).copied().flatten() else {
        return (relation.status == RelationStatus::Exact).then(|| number::cost(cost, 3));
    };
    let digits = number::supported_digits(cost, Some(ci)).min(3);
    Some(format!("{} ({})", number::cost(cost, digits), number::cost_interval(ci)))
}

/// A law of a feature, with `?` where it is one of several; `None` where runs do not decide any.
fn relation(relation: &LoopRelation) -> Option<String> {
    let (mark, doubt) = match relation.status {
        RelationStatus::Exact => ("", ""),
        RelationStatus::Decided => ("≈ ", ""),
        RelationStatus::Several => ("≈ ", " ?"),
        RelationStatus::Undecided => return None,
    };
    Some(format!("{mark}{}{doubt}", visible(&relation.formula)))
}

/// Where a function begins.
fn place(function: &LoopFunctionRow) -> String {
    format!("{}:{}", visible(&function.file), function.line)
}

/// The formulas that tables cut, as a whole.
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

/// What inputs depend on, each name of a function once.
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
    out.heading("What inputs depend on, at their greatest of each run");
    let mut by_function: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (function, text) in said {
        by_function.entry(function).or_default().push(text);
    }
    for (function, texts) in by_function {
        out.item("- ", PLAIN, &format!("{}: {}", brief(&function, usize::MAX), texts.join("; ")));
    }
}

/// What is doubtful about loops, and why: each doubt once, with the loops that have it.
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
    out.heading("What to know of them");
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
        let text = format!(
            "The source of {} is not in the study: it has those in the folder of the program alone.",
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
