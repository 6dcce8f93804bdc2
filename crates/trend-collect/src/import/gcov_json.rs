//! Reads the output of `gcov --json-format`: the executions of each line of each function, one object per document.
//!
//! With `--stdout`, the documents of several objects follow each other. Compressed files must be unpacked first.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::Deserialize;

use super::budget::Loan;
use super::place::{Places, Tally};
use super::{ImportError, Imported, ImportedRun, Input, Root};

#[derive(Deserialize)]
struct Document<'a> {
    #[serde(borrow, default, rename = "current_working_directory")]
    directory: Cow<'a, str>,
    #[serde(borrow)]
    files: Vec<FileRecord<'a>>,
}

#[derive(Deserialize)]
struct FileRecord<'a> {
    #[serde(borrow, rename = "file")]
    name: Cow<'a, str>,
    #[serde(borrow)]
    functions: Vec<FunctionRecord<'a>>,
    #[serde(borrow)]
    lines: Vec<LineRecord<'a>>,
}

#[derive(Deserialize)]
struct FunctionRecord<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    start_line: u32,
    execution_count: u64,
}

#[derive(Deserialize)]
struct LineRecord<'a> {
    #[serde(rename = "line_number")]
    number: u32,
    count: u64,
    #[serde(borrow, default)]
    function_name: Cow<'a, str>,
}

/// Maximum bytes of memory per byte of a document while it is read, including its records.
const PARSED: usize = 6;

/// Reads one or several documents, which add up to one run.
///
/// # Errors
/// Fails if the input is not such JSON, or is cut off.
pub fn read<'a>(input: impl Into<Input<'a>>, root: &Root) -> Result<Imported, ImportError> {
    let input = input.into();
    let mut places = Places::new(input.budget());
    let mut tally = Tally::new(input.budget());
    let mut loan = Loan::new(input.budget());
    let bytes = input.long_document()?;
    loan.keep(PARSED * bytes.len());
    places.budget().check()?;
    for document in serde_json::Deserializer::from_slice(&bytes).into_iter::<Document<'_>>() {
        let document = document?;
        let root = root.within(&document.directory);
        for file in &document.files {
            add(file, &root, &mut places, &mut tally);
            places.budget().check()?;
        }
    }
    let run = ImportedRun { counts: tally.into_counts(), ..ImportedRun::default() };
    if run.counts.is_empty() {
        let reason = "it lists no line of any file".to_owned();
        return Err(ImportError::NoCounts { reason });
    }
    Ok(places.finish(vec![run]))
}

fn add(record: &FileRecord<'_>, root: &Root, places: &mut Places, tally: &mut Tally) {
    let file = places.file(&root.name(&record.name));
    let mut ids: HashMap<&str, u32> = HashMap::new();
    for function in &record.functions {
        let id = places.function(&function.name, file, function.start_line);
        ids.insert(&function.name, id);
        tally.add(places.entry(id), function.execution_count);
    }
    for line in &record.lines {
        let name = &*line.function_name;
        let id = *ids.entry(name).or_insert_with(|| places.function(name, file, 0));
        tally.add(places.line(id, file, line.number), line.count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = r#"{"format_version": "1", "gcc_version": "12.2.0", "current_working_directory": "/p",
        "data_file": "a.gcda", "files": [{"file": "a.c", "functions": [{"name": "sort", "demangled_name": "sort",
        "start_line": 3, "start_column": 1, "end_line": 9, "end_column": 1, "blocks": 5, "blocks_executed": 5,
        "execution_count": 2}], "lines": [{"branches": [], "count": 120, "line_number": 5,
        "unexecuted_block": false, "function_name": "sort"}]}]}"#;

    #[test]
    fn documents_that_follow_each_other_add_up() {
        let read = read([DOCUMENT, DOCUMENT].join("\n").as_bytes(), &Root::new("/p")).unwrap();
        let rows: Vec<_> =
            read.runs[0].counts.iter().map(|&(l, c)| (read.locations[l as usize].line, c)).collect();
        assert_eq!(rows, [(3, 4), (5, 240)]);
        assert_eq!(&*read.locations[0].file, "a.c");
        assert_eq!(read.functions[0].symbol.name, "sort");
    }

    #[test]
    fn json_of_another_shape_is_refused_with_its_place() {
        let error = read(b"{\"files\": 3}", &Root::new("/p")).unwrap_err().to_string();
        assert!(error.starts_with("line 1, column 11: invalid type"), "{error}");
    }
}
