//! Formats a loop as cells of a table.

use trend_analyze::{LoopRelation, LoopRow, LoopStatus, RelationStatus};

use crate::layout::columns::Cell;
use crate::layout::number;
use crate::layout::style::{DIM, DOUBTFUL, NOTABLE};
use crate::layout::text::visible;
use crate::words::loops::{has_run, may_have_run, seen};

/// Maximum number of characters of formulas and inputs in tables outside of a terminal. Whole ones are listed below the
/// source of a function, and in JSON.
pub(super) const MOST_CHARACTERS: usize = 80;

/// Formats the trips per activation: a formula, a bound (`≤ n`), or the observed range.
pub(super) fn trips(row: &LoopRow) -> Cell {
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

/// Formats the trips per call, if these are known and differ from the trips per activation.
pub(super) fn in_call(row: &LoopRow) -> Option<String> {
    let is_known = row.in_call.at_most || row.in_call.status != LoopStatus::Symbolic;
    let mark = match row.in_call.status {
        _ if row.in_call.at_most => "≤ ",
        LoopStatus::Fitted => "≈ ",
        _ => "",
    };
    (is_known && row.depth > 1).then(|| format!("{mark}{}", visible(&row.in_call.formula)))
}

/// Formats a number of activations or trips.
pub(super) fn counted(count: Option<u64>) -> Cell {
    count.map_or_else(|| Cell::styled("not counted", DIM), |count| Cell::plain(number::count(count)))
}

/// Formats a loop's place: `list.c:12`, or `list.c:12 no. 2` if the line has several loops.
pub(super) fn at(row: &LoopRow) -> String {
    let number = row.number.map_or(String::new(), |number| format!(" no. {number}"));
    format!("{}:{}{number}", visible(&row.file), row.line)
}

/// Cuts a text that is too long for a table at its end, because the beginning of a formula matters most.
pub(super) fn cut(text: &str) -> String {
    cut_to(text, MOST_CHARACTERS)
}

/// Cuts a text to at most this many characters.
pub(super) fn cut_to(text: &str, most: usize) -> String {
    let is_long = text.chars().nth(most).is_some();
    if is_long { text.chars().take(most - 1).chain(['…']).collect() } else { text.to_owned() }
}

/// Formats the growth of an activation's cost; empty for a loop that never ran.
pub(super) fn growth(row: &LoopRow, growth: &str) -> String {
    if may_have_run(row) { visible(growth).into_owned() } else { String::new() }
}

pub(super) fn status(row: &LoopRow) -> String {
    let sampled = if row.sampled.is_some() && row.trips.formula.is_some() { ", sampled" } else { "" };
    let status = match row.trips.status {
        LoopStatus::Fitted if row.trips.off > 0 => {
            format!("fitted but {} of {}", row.trips.off, row.trips.points)
        }
        LoopStatus::Exact => "exact".to_owned(),
        LoopStatus::Fitted => "fitted".to_owned(),
        LoopStatus::Constant => "constant".to_owned(),
        LoopStatus::Symbolic => "symbolic".to_owned(),
        LoopStatus::Unknown => "unknown".to_owned(),
    };
    status + sampled
}

pub(super) fn inputs(row: &LoopRow) -> String {
    row.inputs.iter().map(|input| visible(&input.name)).collect::<Vec<_>>().join(", ")
}

/// Returns the law of all trips in a run, or `undecided`.
pub(super) fn in_run(run: &LoopRelation) -> Cell {
    match relation(run) {
        Some(law) if run.status != RelationStatus::Several => Cell::plain(law),
        Some(law) => Cell::styled(law, DOUBTFUL),
        None => Cell::styled("undecided", DOUBTFUL),
    }
}

/// Formats the value of a law at a point, with its interval.
pub(super) fn predicted(relation: &LoopRelation, point: usize) -> Option<String> {
    let cost = *relation.at.get(point)?.as_ref()?;
    let Some(ci) = relation.ci.get(point).copied().flatten() else {
        return (relation.status == RelationStatus::Exact).then(|| number::cost(cost, 3));
    };
    let digits = number::supported_digits(cost, Some(ci)).min(3);
    Some(number::followed_by(number::cost(cost, digits), Some(number::cost_ends(ci))))
}

/// Formats a law in a feature, with `?` if it is one of several. Returns `None` if the runs decide none.
pub(super) fn relation(relation: &LoopRelation) -> Option<String> {
    let (mark, doubt) = match relation.status {
        RelationStatus::Exact => ("", ""),
        RelationStatus::Decided => ("≈ ", ""),
        RelationStatus::Several => ("≈ ", " ?"),
        RelationStatus::Undecided => return None,
    };
    Some(format!("{mark}{}{doubt}", visible(&relation.formula)))
}
