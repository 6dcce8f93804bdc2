//! Reads Istanbul's `coverage-final.json` of JavaScript, which nyc, jest, vitest and c8 write: one object per source
//! file.
//!
//! ```text
//! statementMap  {"3": {start: {line, column}, end: …}}      s  {"3": 1225}         executions of each statement
//! fnMap         {"0": {name, decl: …, loc: …}}              f  {"0": 50}           entries of each function
//! branchMap     {"0": {type, locations: […, …]}}            b  {"0": [50, 0]}      executions of each arm
//! ```
//!
//! Costs are statements, and the arms of `?:`, `&&`, `||`, `??` and default values, which are not statements. The
//! arms of `if` and `switch` consist of statements, so they don't count. c8's arms don't either: they are blocks
//! whose counts the statements have.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use serde::Deserialize;

use super::place::{Places, Tally};
use super::text::shown;
use super::{ImportError, Imported, ImportedRun, Input, Root};

/// Types of branches whose arms are expressions.
const EXPRESSIONS: [&str; 3] = ["cond-expr", "binary-expr", "default-arg"];

type Map<'a, T> = BTreeMap<Cow<'a, str>, T>;

#[derive(Deserialize)]
struct FileRecord<'a> {
    #[serde(borrow, default)]
    path: Option<Cow<'a, str>>,
    #[serde(borrow, rename = "statementMap")]
    statements: Map<'a, Range>,
    #[serde(borrow, rename = "fnMap")]
    functions: Map<'a, FunctionRecord<'a>>,
    #[serde(borrow, default, rename = "branchMap")]
    branches: Map<'a, BranchRecord<'a>>,
    #[serde(borrow)]
    s: Map<'a, u64>,
    #[serde(borrow)]
    f: Map<'a, u64>,
    #[serde(borrow, default)]
    b: Map<'a, Vec<u64>>,
}

#[derive(Deserialize)]
struct FunctionRecord<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(default)]
    decl: Option<Range>,
    loc: Range,
}

#[derive(Deserialize)]
struct BranchRecord<'a> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
    locations: Vec<Range>,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(default)]
struct Range {
    start: Position,
    end: Position,
}

/// A position in the source. Everything is `None` if there is no code, such as for a missing `else`. A missing column
/// is the end of the line.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(default)]
struct Position {
    line: Option<u32>,
    /// Column, 0-based; c8 has written negative ones.
    column: Option<i32>,
}

impl Position {
    /// Returns line and column, both 1-based.
    fn place(self) -> Option<(u32, u32)> {
        let column = self.column.map_or(u32::MAX, |column| column.max(0).unsigned_abs() + 1);
        self.line.map(|line| (line, column))
    }
}

/// An executed part of the source: its begin, its end if that is part of its name, and its count.
struct Part {
    begin: (u32, u32),
    end: Option<(u32, u32)>,
    count: u64,
}

/// Reads a report as one run.
///
/// # Errors
/// Fails if the input is not such JSON, is cut off, or lacks the count of a listed part.
pub fn read<'a>(input: impl Into<Input<'a>>, root: &Root) -> Result<Imported, ImportError> {
    let input = input.into();
    let mut places = Places::new(input.budget());
    let mut tally = Tally::new(input.budget());
    let bytes = input.document()?;
    let report: Map<'_, FileRecord<'_>> = serde_json::from_slice(&bytes)?;
    for (key, file) in &report {
        let name = file.path.as_deref().unwrap_or(key);
        add(file, name, root, &mut places, &mut tally)?;
        places.budget().check()?;
    }
    let run = ImportedRun { counts: tally.into_counts(), ..ImportedRun::default() };
    if run.counts.is_empty() {
        return Err(ImportError::NoCounts { reason: "it lists no statement of any file".to_owned() });
    }
    Ok(places.finish(vec![run]))
}

fn add(
    record: &FileRecord<'_>,
    path: &str,
    root: &Root,
    places: &mut Places,
    run: &mut Tally,
) -> Result<(), ImportError> {
    let name = root.name(path);
    let file = places.file(&name);
    let outside = places.outside(file);
    let functions = functions(record, path, file, places, run)?;
    let parts = parts(record, path)?;
    let mut on_line: HashMap<u32, usize> = HashMap::new();
    for part in &parts {
        *on_line.entry(part.begin.0).or_default() += 1;
    }
    // Functions around the current position, innermost last.
    let mut open: Vec<&(Extent, u32)> = Vec::new();
    let mut next = functions.iter().peekable();
    for Part { begin, end, count } in parts {
        while let Some(function) = next.next_if(|((first, _), _)| *first <= begin) {
            open.push(function);
        }
        while open.last().is_some_and(|((_, last), _)| *last <= begin) {
            open.pop();
        }
        let function = open.last().map_or(outside, |(_, id)| *id);
        let (line, column) = begin;
        let location = match end {
            None if on_line[&line] == 1 => places.line(function, file, line),
            None => places.labelled(function, column, file, line, &format!("{name}:{line}.{column}")),
            Some((last, end)) => {
                let label = format!("{name}:{line}.{column}-{last}.{end}");
                places.labelled(function, column, file, line, &label)
            }
        };
        run.add(location, count);
    }
    Ok(())
}

/// First and last position of a function.
type Extent = ((u32, u32), (u32, u32));

/// Returns the functions with their entries, by position; outer functions come before inner ones.
fn functions(
    record: &FileRecord<'_>,
    path: &str,
    file: u32,
    places: &mut Places,
    run: &mut Tally,
) -> Result<Vec<(Extent, u32)>, ImportError> {
    let mut functions = Vec::new();
    for (key, function) in &record.functions {
        let body = function.loc.start.place();
        let head = function.decl.and_then(|decl| decl.start.place());
        let Some(first) = head.into_iter().chain(body).min() else { continue };
        let last = function.loc.end.place().unwrap_or((u32::MAX, u32::MAX));
        let entered = *record.f.get(key).ok_or_else(|| missing(path, "function", key))?;
        let id = places.function(&function.name, file, head.unwrap_or(first).0);
        run.add(places.entry(id), entered);
        functions.push(((first, last), id));
    }
    functions.sort_by_key(|&((first, last), id)| (first, std::cmp::Reverse(last), id));
    Ok(functions)
}

/// Returns statements and arms of expressions, by position.
fn parts(record: &FileRecord<'_>, path: &str) -> Result<Vec<Part>, ImportError> {
    let mut parts = Vec::new();
    for (key, statement) in &record.statements {
        let count = *record.s.get(key).ok_or_else(|| missing(path, "statement", key))?;
        let Some(begin) = statement.start.place() else { continue };
        parts.push(Part { begin, end: None, count });
    }
    for (key, branch) in record.branches.iter().filter(|(_, b)| EXPRESSIONS.contains(&&*b.kind)) {
        let counts = record.b.get(key).filter(|counts| counts.len() == branch.locations.len());
        let counts = counts.ok_or_else(|| missing(path, "branch", key))?;
        for (arm, &count) in branch.locations.iter().zip(counts) {
            let Some((begin, end)) = arm.start.place().zip(arm.end.place()) else { continue };
            parts.push(Part { begin, end: Some(end), count });
        }
    }
    parts.sort_by_key(|part| (part.begin, part.end));
    Ok(parts)
}

fn missing(path: &str, what: &str, key: &str) -> ImportError {
    let what = format!("{} has a {what} {} without its count", shown(path), shown(key));
    ImportError::Contradictory { what }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = r#"{"/p/a.js": {"path": "/p/a.js", "statementMap": {
        "0": {"start": {"line": 2, "column": 2}, "end": {"line": 2, "column": 30}},
        "1": {"start": {"line": 2, "column": 20}, "end": {"line": 2, "column": 25}},
        "2": {"start": {"line": 9, "column": 0}, "end": {"line": 9, "column": null}}},
        "fnMap": {"0": {"name": "f", "decl": {"start": {"line": 1, "column": 9}, "end": {"line": 1, "column": 10}},
        "loc": {"start": {"line": 1, "column": 23}, "end": {"line": 3, "column": 1}}, "line": 1},
        "1": {"name": "(anonymous_1)", "loc": {"start": {"line": 2, "column": 20}, "end": {"line": 2, "column": 25}}}},
        "branchMap": {"0": {"type": "if", "locations": [{"start": {"line": 2, "column": 2}, "end": {}}, {"start": {}}]},
        "1": {"type": "binary-expr", "locations": [{"start": {"line": 2, "column": 20}, "end": {"line": 2, "column": 21}},
        {"start": {"line": 2, "column": 24}, "end": {"line": 2, "column": 25}}]}},
        "s": {"0": 5, "1": 50, "2": 1}, "f": {"0": 5, "1": 50}, "b": {"0": [3, 2], "1": [50, 7]}, "hash": "x"}}"#;

    #[test]
    fn statements_and_arms_of_expressions_are_in_the_function_that_contains_them() {
        let read = read(REPORT.as_bytes(), &Root::new("/p")).unwrap();
        let row = |&(l, count): &(u32, u64)| {
            let l = &read.locations[l as usize];
            let function = read.functions[l.function.index()].symbol.name.as_str();
            (function, l.kind == trend_profile::Kind::Entry, l.line, &*l.label, count)
        };
        let rows: Vec<_> = read.runs[0].counts.iter().map(row).collect();
        let expected = [
            ("f", true, 1, "", 5),
            ("(anonymous_1)", true, 2, "", 50),
            ("f", false, 2, "a.js:2.3", 5),
            ("(anonymous_1)", false, 2, "a.js:2.21", 50),
            ("(anonymous_1)", false, 2, "a.js:2.21-2.22", 50),
            ("(anonymous_1)", false, 2, "a.js:2.25-2.26", 7),
            ("", false, 9, "", 1),
        ];
        assert_eq!(rows, expected);
    }

    #[test]
    fn what_lacks_its_count_is_named() {
        let error = |from: &str, to: &str| {
            let text = REPORT.replace(from, to);
            assert_ne!(text, REPORT);
            read(text.as_bytes(), &Root::new("")).unwrap_err().to_string()
        };
        assert!(error("\"2\": 1}", "\"3\": 1}").contains("/p/a.js has a statement 2 without its count"));
        assert!(error("\"f\": {\"0\": 5, ", "\"f\": {").contains("has a function 0"));
        assert!(error("[50, 7]", "[50]").contains("has a branch 1"));
        assert!(error("\"0\": 5, \"1\": 50, \"2\"", "\"0\": -5, \"1\": 50, \"2\"").starts_with("line "));
        assert!(read(b"{}", &Root::new("")).unwrap_err().to_string().contains("lists no statement"));
    }
}
