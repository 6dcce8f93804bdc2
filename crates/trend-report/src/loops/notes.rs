//! Notes on a loop that complete its formula: doubts about it or, if it has none, the variable that decides.

use trend_analyze::{LoopRow, LoopStatus};

use super::{has_run, seen};
use crate::number;

/// Returns the doubts about a loop's formula.
pub(super) fn notes(row: &LoopRow) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(off) = row.trips.off_points.first() {
        let names: Vec<String> = row
            .inputs
            .iter()
            .zip(&off.inputs)
            .filter(|(input, _)| !input.changes)
            .map(|(input, value)| format!("{} = {value}", input.name))
            .collect();
        let expected = off.expected.map_or(String::new(), |expected| format!(" instead of {expected}"));
        let more = match row.trips.off - 1 {
            0 => String::new(),
            more => format!(", and {} more", number::plural(more, "point")),
        };
        notes.push(format!("{} trips{expected} at {}{more}", off.trips, names.join(", ")));
    }
    if row.trips.ambiguous {
        notes.push("another equally simple formula also fits everything that was seen".to_owned());
    }
    if let Some(stated) = &row.trips.refuted {
        notes.push(format!("the code states {stated} trips, and an activation contradicts it"));
    }
    if !row.in_call.together.is_empty() {
        notes.push(format!(
            "no run varied {} independently; the formula holds as the code states it",
            row.in_call.together.join(", ")
        ));
    }
    if row.mispredicted > 0 {
        notes.push(format!(
            "in {} its largest inputs do not occur together, so its predictions are unreliable",
            number::plural(row.mispredicted, "run")
        ));
    }
    notes
}

/// Returns all notes on one loop.
pub(super) fn all_notes(row: &LoopRow) -> Vec<String> {
    let mut notes = notes_of_trips(row);
    let of_run = row.in_run.iter().flat_map(|run| &run.doubts);
    notes.extend(of_run.map(|doubt| format!("in a run: {doubt}")));
    notes
}

/// Returns all notes on the trips of one loop.
pub(crate) fn notes_of_trips(row: &LoopRow) -> Vec<String> {
    let mut notes = notes(row);
    if row.activations.is_none() {
        notes.push(
            "not watched because the compiler knows its trips; no counter shows how often it was entered"
                .to_owned(),
        );
    }
    if row.trips.status == LoopStatus::Unknown && has_run(row) {
        let combinations = match row.trips.points {
            1 => "one combination of inputs".to_owned(),
            points => format!("{points} combinations of inputs"),
        };
        notes.push(format!("seen at only {combinations}; run more sizes to find its formula"));
    }
    if row.trips.status == LoopStatus::Constant {
        notes.push(constant(row));
    }
    if row.trips.status == LoopStatus::Symbolic {
        let changing: Vec<&str> =
            row.inputs.iter().filter(|input| input.changes).map(|input| input.name.as_str()).collect();
        let decides = match changing.as_slice() {
            [] => "no formula in its inputs holds".to_owned(),
            [one] => format!("depends on {one}, which changes from trip to trip"),
            several => format!("depends on {}, which change from trip to trip", several.join(", ")),
        };
        notes.push(format!(
            "{decides}: {} trips, {} on average",
            seen(row),
            number::significant(average(row), 3)
        ));
    }
    if let Some(share) = row.sampled {
        let error = row.sampled_error.map_or(String::new(), |error| {
            let share = number::significant(100.0 * error, 2);
            format!(
                "; the formula fits all of them (with 95 % confidence, at most {share} % of all \
                 activations differ)"
            )
        });
        notes.push(format!(
            "sampled: inputs were kept for {} of its activations{error}; counts of activations and trips, \
             and extremes, are exact",
            number::share(share)
        ));
    }
    notes
}

/// Returns the average number of trips per activation.
fn average(row: &LoopRow) -> f64 {
    row.total.unwrap_or(0) as f64 / row.activations.unwrap_or(0).max(1) as f64
}

/// Describes the constant number of trips, with the values of the inputs: `8 trips in each of 500 activations; n was 8,
/// m was 3 to 70`.
fn constant(row: &LoopRow) -> String {
    let trips = number::plural(row.least as usize, "trip");
    let values = row.inputs.iter().filter_map(|input| {
        let (least, greatest) = (input.least?, input.greatest?);
        let values = if least == greatest { least.to_string() } else { format!("{least} to {greatest}") };
        Some(format!("{} was {values}", input.name))
    });
    let values: Vec<String> = values.collect();
    let all = format!("{trips} in each of {} activations", number::count(row.activations.unwrap_or(0)));
    if values.is_empty() { all } else { format!("{all}; {}", values.join(", ")) }
}
