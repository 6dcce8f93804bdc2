//! What `llvm-cov export` writes: the executions of each region of each function.
//!
//! A region is `[line, column, last line, last column, count, file, expanded file, kind]`. Only code is a cost:
//! an expansion repeats what the macro's own regions count, gaps and skipped regions have no code, branches
//! are parts of regions.

use serde::Deserialize;
use trend_profile::Symbol;

use super::place::{Places, Tally};
use super::{ImportError, Imported, ImportedRun, Root};

const FORMAT: &str = "export of llvm-cov";
const KIND: &str = "llvm.coverage.json.export";
/// The number of regions that are code.
const CODE: u64 = 0;

#[derive(Deserialize)]
struct Document {
    data: Vec<Export>,
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Deserialize)]
struct Export {
    #[serde(default)]
    functions: Vec<Record>,
}

/// Line, column, last line, last column, count, file, expanded file, kind.
type Region = (u32, u32, u32, u32, u64, u32, u32, u64);

#[derive(Deserialize)]
struct Record {
    name: String,
    count: u64,
    filenames: Vec<String>,
    regions: Vec<Region>,
}

/// Reads an export with functions, which is one run.
///
/// # Errors
/// It is no such JSON, is cut off, or was exported without functions.
pub fn read(bytes: &[u8], root: &Root) -> Result<Imported, ImportError> {
    let document: Document = serde_json::from_slice(bytes).map_err(|e| ImportError::json(&e))?;
    if document.kind != KIND {
        let found = format!("its type is `{}`", super::text::shown(&document.kind));
        return Err(ImportError::OtherFormat { format: FORMAT, found });
    }
    let mut places = Places::default();
    let mut tally = Tally::default();
    for record in document.data.iter().flat_map(|d| &d.functions) {
        add(record, root, &mut places, &mut tally)?;
    }
    let run = ImportedRun { counts: tally.into_counts(), ..ImportedRun::default() };
    if run.counts.is_empty() {
        let reason = "it has no functions; export without -summary-only and -skip-functions".to_owned();
        return Err(ImportError::NoCounts { reason });
    }
    Ok(places.finish(vec![run]))
}

fn add(record: &Record, root: &Root, places: &mut Places, tally: &mut Tally) -> Result<(), ImportError> {
    let contradictory = |what: String| ImportError::Contradictory { what };
    let files: Vec<u32> = record.filenames.iter().map(|f| places.file(&root.name(f))).collect();
    let of_function = record.regions.iter().find(|r| r.7 == CODE);
    let Some(first) = of_function else { return Ok(()) };
    let file_of = |index: u32| {
        files.get(index as usize).copied().ok_or_else(|| {
            contradictory(format!("function `{}` has no file {index}", super::text::shown(&record.name)))
        })
    };
    // `clang` writes `file.c:name` for what is local to a file.
    let linkage = record.name.rsplit_once(".c:").or_else(|| record.name.rsplit_once(".cpp:"));
    let linkage = linkage.map_or(record.name.as_str(), |(_, name)| name);
    let symbol = Symbol { linkage: record.name.clone(), ..crate::names::symbol(linkage) };
    let function = places.function_of(symbol, file_of(first.5)?, first.0);
    tally.add(places.entry(function), record.count);
    for (index, region) in record.regions.iter().enumerate().filter(|(_, r)| r.7 == CODE) {
        let &(line, _, _, _, count, file, _, _) = region;
        let location = places.block(function, index as u32, file_of(file)?, line);
        tally.add(location, count);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXPORT: &str = r#"{"data":[{"files":[],"functions":[{"branches":[],"count":1,
        "filenames":["/p/a.c","/p/a.h"],"name":"a.c:main","regions":[[3,1,9,2,1,0,0,0],[4,3,4,9,7,0,1,1],
        [5,1,6,2,70,0,0,0],[5,9,5,10,70,0,0,3],[2,1,2,5,7,1,0,0]]}],"totals":{}}],
        "type":"llvm.coverage.json.export","version":"2.0.1"}"#;

    #[test]
    fn regions_with_code_are_locations() {
        let read = read(EXPORT.as_bytes(), &Root::new("/p")).unwrap();
        let rows: Vec<_> = read.runs[0]
            .counts
            .iter()
            .map(|&(l, c)| {
                let l = &read.locations[l as usize];
                (l.file.as_ref(), l.line, l.block, c)
            })
            .collect();
        let expected = [("a.c", 3, 0, 1), ("a.c", 3, 0, 1), ("a.c", 5, 2, 70), ("a.h", 2, 4, 7)];
        assert_eq!(rows, expected);
        assert_eq!(read.functions[0].symbol.name, "main");
    }

    #[test]
    fn an_export_that_is_cut_or_without_functions_is_refused() {
        for length in 0..EXPORT.len() {
            assert!(read(&EXPORT.as_bytes()[..length], &Root::new("/p")).is_err(), "{length}");
        }
        let error = |text: &str| read(text.as_bytes(), &Root::new("")).unwrap_err().to_string();
        let empty = r#"{"data":[{"files":[]}],"type":"llvm.coverage.json.export"}"#;
        assert!(error(empty).contains("-skip-functions"));
        assert!(error(r#"{"data":[],"type":"x"}"#).contains("its type is `x`"));
        assert!(error(&EXPORT.replace("[2,1,2,5,7,1,", "[2,1,2,5,7,9,")).contains("no file 9"));
    }
}
