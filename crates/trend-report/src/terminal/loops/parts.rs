//! Writes tables of loops, and lists of the dependencies of their inputs and of doubts.

use std::collections::{BTreeMap, BTreeSet};

use trend_analyze::{Findings, LoopFunctionRow, LoopInputRow, LoopRow, RelationStatus};

use super::cells::{self, at, counted, cut, growth, in_call, in_run, inputs, predicted, status, trips};
use crate::layout::columns::{Cell, Columns, Room};
use crate::layout::document::Document;
use crate::layout::number;
use crate::layout::style::{DIM, PLAIN};
use crate::layout::text::{brief, shorten, visible};
use crate::options::TableOptions;
use crate::rows::scope::Scope;
use crate::words::loops::place;
use crate::words::point;

/// Minimum width of a formula, and of the cost of a call, on a terminal.
const FORMULA: usize = 16;
const COST: usize = 28;

/// Maximum width of a function's name and of its place in a table of formulas, which need the room.
const NAME: usize = 36;
const PLACE: usize = 28;

/// Minimum width of a law in a feature, whose exponent is at its end.
const IN_RUN: usize = 22;

/// Maximum number of loops named for a shared note.
const MOST_NAMED: usize = 4;

pub(super) fn loop_table(
    out: &mut Document,
    findings: &Findings,
    rows: &[&LoopRow],
    options: &TableOptions,
    has_function: bool,
) {
    let room = |least| shortened(options, Room::Shrinks(least));
    let formula = |least| shortened(options, Room::Cut(least));
    // Sorted loops of many functions are not below the loops around them.
    let depth = |row: &LoopRow| if has_function { 0 } else { row.depth as usize - 1 };
    let mut columns = Columns::new(rows)
        .left("loop", room(12), |row| Cell::plain(format!("{}{}", "  ".repeat(depth(row)), cells::at(row))));
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
        .left("O", formula(FORMULA), |row| cut(&growth(row, &row.o)))
        .left("Ω", Room::Goes(7), |row| cut(&growth(row, &row.omega)))
        .left("inputs", Room::Goes(8), |row| cut(&inputs(row)))
        .right("entered", Room::Goes(3), |row| counted(row.activations))
        .right("trips in all", Room::Goes(2), |row| counted(row.total));
    out.table(columns.columns);
}

pub(super) fn function_table(out: &mut Document, functions: &[&LoopFunctionRow], options: &TableOptions) {
    let widest = |most: usize| if options.whole_names { usize::MAX } else { most };
    let columns = Columns::new(functions)
        .left("function", shortened(options, Room::Shrinks(12)), |f| brief(&f.name, widest(NAME)))
        .left("a call is", shortened(options, Room::Cut(COST)), |f| {
            cut(&format!("O({})", visible(&f.bounds)))
        })
        .left("trips of its loops", Room::Goes(1), |f| f.trips.as_deref().map(|trips| cut(&visible(trips))))
        .left("in features", Room::Goes(3), |f| {
            f.trips_in_features.as_deref().map(|trips| cut(&visible(trips)))
        })
        .left("recurrence", Room::Goes(2), |f| f.recurrence.as_deref().map(visible))
        .left("at", Room::Goes(4), |f| shorten(&place(f), widest(PLACE)).into_owned());
    out.table(columns.columns);
    if functions.iter().any(|function| function.o != function.omega) {
        out.paragraph(DIM, "a ⊕ b: a is certain, b is possible.");
    }
    if functions.iter().any(|function| function.never_ran > 0) {
        out.paragraph(DIM, "Loops that never ran are left out.");
    }
}

/// Keeps a column whole that a terminal would shorten, if the output is not for a terminal.
fn shortened(options: &TableOptions, room: Room) -> Room {
    match room {
        Room::Shrinks(least) if options.whole_names => Room::Whole(least),
        Room::Cut(least) if options.whole_names => Room::WholeCut(least),
        room => room,
    }
}

/// Writes the dependencies of inputs on features, each once per function.
pub(super) fn relations(out: &mut Document, rows: &[&LoopRow]) {
    let mut dependencies: BTreeSet<(String, String)> = BTreeSet::new();
    for row in rows {
        for LoopInputRow { name, relation, .. } in &row.inputs {
            let Some(relation) = relation else { continue };
            let Some(law) = cells::relation(relation) else { continue };
            let mark = if relation.status == RelationStatus::Exact { "= " } else { "" };
            let sample = if row.sampled.is_some() { " (of a sample)" } else { "" };
            dependencies.insert((row.function.clone(), format!("{name} {mark}{law}{sample}")));
        }
    }
    if dependencies.is_empty() {
        return;
    }
    out.heading("Largest inputs of each run, by feature");
    let mut by_function: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (function, text) in dependencies {
        by_function.entry(function).or_default().push(text);
    }
    for (function, texts) in by_function {
        out.item("- ", PLAIN, &format!("{}: {}", brief(&function, usize::MAX), texts.join("; ")));
    }
}

/// Writes the doubts about loops, each once, with its loops.
pub(super) fn doubts(out: &mut Document, rows: &[&LoopRow], texts: impl Fn(&LoopRow) -> Vec<String>) {
    let mut all: Vec<(String, Vec<String>)> = Vec::new();
    for row in rows {
        for text in texts(row) {
            match all.iter_mut().find(|(note, _)| *note == text) {
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
