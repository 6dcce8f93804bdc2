//! Routines by input size as a report that aprof-plot reads.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use trend_profile::{InputMetric, RoutineProfile, Study, Tuple};

use crate::ReportError;

/// What the routine itself took is not known apart from what it called; these fields repeat the costs.
const VERSION: u32 = 4;

/// A report of version 4: the tuples of all workloads and contexts together, one point per routine and size. Costs
/// are as the study has them; times are in microseconds, as reports have them.
///
/// # Errors
/// [`ReportError::NoRoutines`] for a study without profiles by input size.
pub fn aprof(study: &Study) -> Result<String, ReportError> {
    let mut routines: BTreeMap<(&str, &str, &str), BTreeMap<u64, Tuple>> = BTreeMap::new();
    // Of two metrics the one that knows more is written.
    let metric = study.routines().iter().map(|r| r.metric).max().ok_or(ReportError::NoRoutines)?;
    let whole = |r: &&RoutineProfile| r.context.is_empty() && r.metric == metric;
    for profile in study.routines().iter().filter(whole) {
        let key = (profile.symbol.name.as_str(), profile.object.as_str(), profile.symbol.linkage.as_str());
        let sizes = routines.entry(key).or_default();
        for tuple in &profile.tuples {
            sizes.entry(tuple.size).and_modify(|known| add(known, tuple)).or_insert(*tuple);
        }
    }
    let scale = if study.unit().is_time() { 1_000_000 } else { 1 };
    let cost_metric = if study.unit().is_time() { "time-usec" } else { "bb-count" };
    let total = routines.values().flat_map(BTreeMap::values).map(|t| t.sum).max().unwrap_or(0) / scale;
    let program = word(study.program());
    let mut text = format!("c written by trend-prof\nv {VERSION}\nk {total}\nm {cost_metric}\n");
    if metric == InputMetric::Drms {
        text.push_str("i drms\n");
    }
    let _ = writeln!(text, "a {program}\nf {program}");
    for (id, ((name, object, linkage), sizes)) in routines.iter().enumerate() {
        let _ = writeln!(text, "r \"{}\" \"{}\" {id}", word(name), word(object));
        if linkage != name {
            let _ = writeln!(text, "u {id} \"{}\"", word(linkage));
        }
        for Tuple { size, calls, min, max, sum, sum_of_squares } in sizes.values() {
            let (min, max, sum) = (min / scale, max / scale, sum / scale);
            let squares = sum_of_squares / (scale as f64 * scale as f64);
            let _ = writeln!(
                text,
                "p {id} {size} {min} {max} {sum} {squares:.0} {calls} {sum} {sum} {min} {max} {squares:.0}"
            );
        }
    }
    Ok(text)
}

fn add(known: &mut Tuple, more: &Tuple) {
    known.calls = known.calls.saturating_add(more.calls);
    known.min = known.min.min(more.min);
    known.max = known.max.max(more.max);
    known.sum = known.sum.saturating_add(more.sum);
    known.sum_of_squares += more.sum_of_squares;
}

/// A name that ends no line and no quotation, and is not empty.
fn word(name: &str) -> String {
    let clean: String = name.chars().map(|c| if c.is_control() || c == '"' { '_' } else { c }).collect();
    if clean.is_empty() { "?".to_owned() } else { clean }
}
