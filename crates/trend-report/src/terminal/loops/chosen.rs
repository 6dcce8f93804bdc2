//! Finds the function that the user means by a name or a place.

use std::collections::BTreeSet;

use trend_analyze::{Findings, IsMeant, LoopFunctionRow, LoopRow, WAYS};

use crate::error::ReportError;
use crate::layout::text::visible;
use crate::words::loops::place;

pub(super) fn of_function<'a>(
    findings: &'a Findings,
    function: &LoopFunctionRow,
) -> impl Iterator<Item = &'a LoopRow> {
    let (name, file) = (function.name.clone(), function.file.clone());
    findings.loops.iter().filter(move |row| row.function == name && row.file == file)
}

/// Number of nearby loops named if the requested line has none.
const MOST_NEAR: usize = 3;

/// Returns the function that `name` refers to: by a name as `show` accepts it, by a place in the function, or by a word
/// that only one function's name contains.
pub(super) fn chosen<'a>(findings: &'a Findings, name: &str) -> Result<&'a LoopFunctionRow, ReportError> {
    if findings.loops.is_empty() {
        return Err(ReportError::NoLoops);
    }
    let all = || findings.loop_functions.iter();
    let means = |is_meant: &IsMeant| all().filter(|f| is_meant((&f.name, &f.file), name)).collect::<Vec<_>>();
    let mut functions = WAYS.iter().map(means).find(|functions| !functions.is_empty()).unwrap_or_default();
    if functions.is_empty()
        && let Some((files, line)) = places_in(findings, name)
    {
        functions.extend(files.iter().filter_map(|file| at_place(findings, file, line)));
        if functions.is_empty() {
            return Err(no_loop_at(findings, name, &files, line));
        }
    }
    if functions.is_empty() {
        functions.extend(all().filter(|f| f.name.contains(name)));
    }
    match functions.as_slice() {
        [one] => Ok(one),
        [] => {
            let nearest = all().take(3).map(|f| f.name.clone()).collect();
            Err(ReportError::Unknown { name: visible(name).into_owned(), nearest })
        }
        several => Err(ReportError::Ambiguous {
            name: visible(name).into_owned(),
            candidates: several
                .iter()
                .take(5)
                .map(|f| format!("{} ({})", visible(&f.name), place(f)))
                .collect(),
            more: several.len().saturating_sub(5),
        }),
    }
}

/// Returns the files of the study that may be meant, and the line. The end of a path is sufficient.
fn places_in<'a>(findings: &'a Findings, place: &str) -> Option<(BTreeSet<&'a str>, u32)> {
    let (file, line) = place.rsplit_once(':')?;
    let line: u32 = line.parse().ok()?;
    let is_file = |f: &&LoopFunctionRow| {
        f.file.strip_suffix(file).is_some_and(|front| front.is_empty() || front.ends_with('/'))
    };
    let files: BTreeSet<&str> =
        findings.loop_functions.iter().filter(is_file).map(|f| f.file.as_str()).collect();
    (!files.is_empty()).then_some((files, line))
}

/// Returns the function around a line: the last one in the file that begins before it, if the line is not behind its
/// last loop. If there are several copies, as for generic code, returns the one whose loops have the most trips.
fn at_place<'a>(findings: &'a Findings, file: &str, line: u32) -> Option<&'a LoopFunctionRow> {
    let before = findings.loop_functions.iter().filter(|f| f.file == file && f.line <= line);
    let trips = |f: &LoopFunctionRow| of_function(findings, f).filter_map(|row| row.total).sum::<u64>();
    let function = before.max_by_key(|f| (f.line, trips(f)))?;
    let end = of_function(findings, function).map(|row| row.last_line).max();
    (line == function.line || end.is_some_and(|end| line <= end)).then_some(function)
}

/// Returns the error that a line has no loop, with the nearest lines that have one.
fn no_loop_at(findings: &Findings, place: &str, files: &BTreeSet<&str>, line: u32) -> ReportError {
    let rows = findings.loops.iter().filter(|row| files.contains(row.file.as_str()));
    let mut near: Vec<(u32, &str)> = rows.map(|row| (row.line, row.file.as_str())).collect();
    near.sort_by_key(|&(other, file)| (other.abs_diff(line), other, file));
    near.dedup();
    let near = near.into_iter().take(MOST_NEAR).map(|(line, file)| format!("{}:{line}", visible(file)));
    ReportError::NoLoopAt { place: visible(place).into_owned(), near: near.collect() }
}
