//! Notes on a loop that complete its formula (doubts about it or, if it has none, the variable that decides), and the
//! loops around a line.

use trend_analyze::{Cluster, Findings, LoopFunctionRow, LoopRow, LoopStatus};

use crate::layout::number;
use crate::layout::text::visible;

/// Returns the doubts about a loop's formula.
pub(crate) fn notes(row: &LoopRow) -> Vec<String> {
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
        notes.push(format!("the code states {stated} trips, but an activation contradicts it"));
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
pub(crate) fn all_notes(row: &LoopRow) -> Vec<String> {
    let mut notes = notes_of_trips(row);
    let of_run = row.in_run.iter().flat_map(|run| &run.doubts);
    notes.extend(of_run.map(|doubt| format!("in a run: {doubt}")));
    notes
}

/// Returns all notes on the trips of one loop.
pub(crate) fn notes_of_trips(row: &LoopRow) -> Vec<String> {
    let mut notes = notes(row);
    if row.activations.is_none() {
        let reason = match row.trips.status {
            LoopStatus::Unknown => {
                "not counted because the code enters it at several places, or leaves no place for counters"
            }
            _ => {
                "not watched because the compiler knows its trips; no counter shows how often it was entered"
            }
        };
        notes.push(reason.to_owned());
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

/// Formats the fewest and the most trips.
pub(crate) fn seen(row: &LoopRow) -> String {
    let (least, greatest) = (number::count(row.least), number::count(row.greatest));
    if least == greatest { greatest } else { format!("{least}–{greatest}") }
}

/// Returns true if the counts show that the loop was entered.
pub(crate) fn has_run(row: &LoopRow) -> bool {
    row.activations.is_some_and(|activations| activations > 0)
}

/// Returns true if the loop was entered, or was not counted.
pub(crate) fn may_have_run(row: &LoopRow) -> bool {
    row.activations != Some(0)
}

/// Formats the place where a function begins.
pub(crate) fn place(function: &LoopFunctionRow) -> String {
    format!("{}:{}", visible(&function.file), function.line)
}

/// Returns the loops around a line, outermost first.
fn around<'a>(findings: &'a Findings, file: &str, line: u32) -> Vec<&'a LoopRow> {
    let is_around = |row: &&LoopRow| row.file == file && (row.line..=row.last_line).contains(&line);
    let mut loops: Vec<&LoopRow> = findings.loops.iter().filter(is_around).collect();
    loops.sort_by_key(|row| row.depth);
    // Keep only the first of several loops at the same depth.
    loops.dedup_by_key(|row| row.depth);
    loops
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
