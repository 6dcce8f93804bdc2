//! Reads the output of `gcovr --json`: the executions of each line and function of a program, one object per source
//! file.
//!
//! ```text
//! version     gcovr   lines of a function                              other differences
//! 0.1 – 0.3   4, 5    from its first line to the next function         0.1 has no functions and lists lines without code
//! 0.5, 0.6    6, 7    from its first line to the next function
//! 0.11 –      8       each line names its function
//! ```
//!
//! Branches, conditions and calls are parts of lines and have no costs of their own.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::Deserialize;
use serde::de::IgnoredAny;
use trend_profile::{Warning, WarningKind};

use super::place::{Places, Tally};
use super::source_file::{SourceFile, Span};
use super::text::shown;
use super::{ImportError, Imported, ImportedRun, Input, Root};

const FORMAT: &str = "JSON of gcovr";
/// Newest known minor version, written by gcovr 8.8; all versions are 0.x.
const NEWEST: u32 = 15;

#[derive(Deserialize)]
struct Report<'a> {
    #[serde(borrow, default, rename = "gcovr/format_version")]
    version: Option<Version<'a>>,
    #[serde(default, rename = "gcovr/summary_format_version")]
    summary: Option<IgnoredAny>,
    #[serde(borrow)]
    files: Vec<FileRecord<'a>>,
}

/// Version of the format, which gcovr 4 writes as a number.
#[derive(Deserialize)]
#[serde(untagged)]
enum Version<'a> {
    Number(f64),
    Text(#[serde(borrow)] Cow<'a, str>),
}

#[derive(Deserialize)]
struct FileRecord<'a> {
    /// Name of the source file; summaries use another key.
    #[serde(borrow, rename = "file", alias = "filename")]
    name: Cow<'a, str>,
    #[serde(borrow, default)]
    functions: Vec<FunctionRecord<'a>>,
    #[serde(borrow, default)]
    lines: Vec<LineRecord<'a>>,
}

#[derive(Deserialize)]
struct FunctionRecord<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(rename = "lineno")]
    line: u32,
    execution_count: u64,
    #[serde(default, rename = "gcovr/excluded")]
    is_excluded: bool,
}

#[derive(Deserialize)]
struct LineRecord<'a> {
    #[serde(rename = "line_number")]
    number: u32,
    count: u64,
    #[serde(borrow, default)]
    function_name: Option<Cow<'a, str>>,
    #[serde(default, rename = "gcovr/excluded")]
    is_excluded: bool,
    #[serde(default, rename = "gcovr/noncode")]
    is_no_code: bool,
}

/// Reads a report as one run.
///
/// # Errors
/// Fails if the input is not such JSON, is cut off, or is a summary without lines.
pub fn read<'a>(input: impl Into<Input<'a>>, root: &Root) -> Result<Imported, ImportError> {
    let input = input.into();
    let mut places = Places::new(input.budget());
    let mut tally = Tally::new(input.budget());
    let bytes = input.document()?;
    let report: Report<'_> = serde_json::from_slice(&bytes)?;
    if report.summary.is_some() {
        let reason =
            "it is a summary, without lines; write it with --json, not with --json-summary".to_owned();
        return Err(ImportError::NoCounts { reason });
    }
    let Some(version) = &report.version else {
        let problem = "it has no `gcovr/format_version`".to_owned();
        return Err(ImportError::OtherFormat { format: FORMAT, problem });
    };
    if let Some(warning) = doubted(version) {
        places.warn(warning);
    }
    for file in &report.files {
        add(file, root, &mut places, &mut tally);
        places.budget().check()?;
    }
    let run = ImportedRun { counts: tally.into_counts(), ..ImportedRun::default() };
    if run.counts.is_empty() {
        return Err(ImportError::NoCounts { reason: "it lists no line of any file".to_owned() });
    }
    Ok(places.finish(vec![run]))
}

/// Returns a warning for a version that is newer than this reader.
fn doubted(version: &Version<'_>) -> Option<Warning> {
    let text = match version {
        Version::Number(number) => Cow::Owned(number.to_string()),
        Version::Text(text) => Cow::Borrowed(&**text),
    };
    let minor = text.strip_prefix("0.").and_then(|minor| minor.parse::<u32>().ok());
    let message = format!(
        "it has version {} of gcovr's format, but only versions up to 0.{NEWEST} are known; check the \
         counts",
        shown(&text)
    );
    minor.is_none_or(|minor| minor > NEWEST).then(|| Warning::new(WarningKind::UnknownVersion, message))
}

fn add(record: &FileRecord<'_>, root: &Root, places: &mut Places, run: &mut Tally) {
    let number = places.file(&root.name(&record.name));
    let mut file = SourceFile::new(&record.name, &places.budget());
    let mut first_lines: HashMap<&str, u32> = HashMap::new();
    for function in record.functions.iter().filter(|f| !f.is_excluded) {
        first_lines.entry(&function.name).or_insert(function.line);
        let name = function.name.clone().into_owned();
        let entered = Some(function.execution_count);
        file.function(Span { name, first: function.line, last: None, entered });
    }
    for line in record.lines.iter().filter(|l| !l.is_excluded && !l.is_no_code) {
        match &line.function_name {
            None => file.add(line.number, line.count),
            Some(name) => {
                let first = first_lines.get(&**name).copied().unwrap_or(0);
                let function = places.function(name, number, first);
                run.add(places.line(function, number, line.number), line.count);
            }
        }
    }
    file.record(root, &|_| None, places, run);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(version: &str, file: &str) -> String {
        format!("{{\"files\": [{file}], \"gcovr/format_version\": {version}}}")
    }

    fn rows(imported: &Imported) -> Vec<(&str, u32, u64)> {
        let row = |&(l, count): &(u32, u64)| {
            let l = &imported.locations[l as usize];
            (imported.functions[l.function.index()].symbol.name.as_str(), l.line, count)
        };
        imported.runs[0].counts.iter().map(row).collect()
    }

    #[test]
    fn lines_without_a_function_belong_to_the_one_that_begins_before_them() {
        let file = r#"{"file": "/p/a.c", "functions": [{"name": "g", "lineno": 9, "execution_count": 1},
            {"name": "f", "lineno": 3, "execution_count": 7}], "lines": [{"line_number": 3, "count": 7, "branches": []},
            {"line_number": 5, "count": 70, "gcovr/noncode": false}, {"line_number": 6, "count": 0, "gcovr/noncode": true},
            {"line_number": 7, "count": 4, "gcovr/excluded": true}, {"line_number": 10, "count": 1}]}"#;
        let read = read(report("\"0.3\"", file).as_bytes(), &Root::new("/p")).unwrap();
        assert_eq!(rows(&read), [("f", 3, 7), ("f", 5, 70), ("g", 10, 1), ("f", 3, 7), ("g", 9, 1)]);
        assert!(read.locations.iter().all(|l| *l.file == *"a.c"));
        assert_eq!(read.warnings, []);
    }

    /// Instances of a template have equal lines.
    #[test]
    fn lines_belong_to_the_function_that_they_name() {
        let file = r#"{"file": "a.cc", "lines": [{"line_number": 3, "function_name": "_Z1fIiEvT_", "count": 2},
            {"line_number": 3, "function_name": "_Z1fIcEvT_", "count": 5}, {"line_number": 4, "count": 1}], "functions": [
            {"name": "_Z1fIiEvT_", "demangled_name": "x", "lineno": 3, "execution_count": 2, "pos": ["3:1", "9:1"]},
            {"name": "_Z1fIcEvT_", "lineno": 3, "execution_count": 5}]}"#;
        let read = read(report("\"0.15\"", file).as_bytes(), &Root::new("")).unwrap();
        let (of_int, of_char) = ("f<int>(int)", "f<char>(char)");
        assert_eq!(
            rows(&read),
            [(of_int, 3, 2), (of_char, 3, 5), (of_char, 4, 1), (of_int, 3, 2), (of_char, 3, 5)]
        );
    }

    #[test]
    fn versions_that_are_not_known_are_warned_of_and_summaries_refused() {
        let file = r#"{"file": "a.c", "lines": [{"line_number": 3, "count": 7}]}"#;
        let read = |text: String| read(text.as_bytes(), &Root::new(""));
        assert_eq!(read(report("0.1", file)).unwrap().warnings, []);
        for version in ["\"0.16\"", "\"1.0\"", "2"] {
            assert_eq!(
                read(report(version, file)).unwrap().warnings[0].kind,
                WarningKind::UnknownVersion,
                "{version}"
            );
        }
        let error = |text: &str| read(text.to_owned()).unwrap_err().to_string();
        assert!(
            error(r#"{"gcovr/summary_format_version": "0.6", "files": [{"filename": "a"}]}"#)
                .contains("--json-summary")
        );
        assert!(error(r#"{"files": []}"#).contains("gcovr/format_version"));
        assert!(error(&report("\"0.3\"", "")).contains("lists no line"));
        assert!(error(&report("0.1", &file.replace('7', "-7"))).contains("line 1, column"));
    }
}
