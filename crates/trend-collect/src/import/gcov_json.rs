//! What `gcov --json-format` writes: the executions of each line of each function, an object per document.
//!
//! With `--stdout` the documents of several objects follow each other. Compressed files are to be unpacked first.

use serde::Deserialize;

use super::place::{Places, Tally};
use super::{ImportError, Imported, ImportedRun, Root};

#[derive(Deserialize)]
struct Document {
    files: Vec<File>,
    #[serde(default)]
    current_working_directory: String,
}

#[derive(Deserialize)]
struct File {
    #[serde(rename = "file")]
    name: String,
    functions: Vec<FunctionRecord>,
    lines: Vec<Line>,
}

#[derive(Deserialize)]
struct FunctionRecord {
    name: String,
    start_line: u32,
    execution_count: u64,
}

#[derive(Deserialize)]
struct Line {
    #[serde(rename = "line_number")]
    number: u32,
    count: u64,
    #[serde(default)]
    function_name: String,
}

/// Reads one or several documents, which add up to one run.
///
/// # Errors
/// It is no such JSON, or is cut off.
pub fn read(bytes: &[u8], root: &Root) -> Result<Imported, ImportError> {
    let mut places = Places::default();
    let mut tally = Tally::default();
    let documents = serde_json::Deserializer::from_slice(bytes).into_iter::<Document>();
    for document in documents {
        let document = document.map_err(|e| ImportError::json(&e))?;
        let root = root.within(&document.current_working_directory);
        for file in &document.files {
            add(file, &root, &mut places, &mut tally);
        }
    }
    let run = ImportedRun { counts: tally.into_counts(), ..ImportedRun::default() };
    if run.counts.is_empty() {
        let reason = "it lists no line of any file".to_owned();
        return Err(ImportError::NoCounts { reason });
    }
    Ok(places.finish(vec![run]))
}

fn add(record: &File, root: &Root, places: &mut Places, tally: &mut Tally) {
    let file = places.file(&root.name(&record.name));
    let mut ids = std::collections::HashMap::new();
    for function in &record.functions {
        let id = places.function(&function.name, file, function.start_line);
        ids.insert(function.name.as_str(), id);
        tally.add(places.entry(id), function.execution_count);
    }
    for line in &record.lines {
        let name = line.function_name.as_str();
        let function = *ids.entry(name).or_insert_with(|| places.function(name, file, 0));
        tally.add(places.line(function, file, line.number), line.count);
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
    fn a_document_that_is_cut_anywhere_is_refused() {
        for length in 0..DOCUMENT.len() {
            assert!(read(&DOCUMENT.as_bytes()[..length], &Root::new("/p")).is_err(), "{length}");
        }
        let error = read(b"{\"files\": 3}", &Root::new("/p")).unwrap_err().to_string();
        assert!(error.starts_with("line 1, column 11: invalid type"), "{error}");
    }
}
