//! Reads the output of `llvm-cov export`: the executions of each region of each function.
//!
//! A region is `[line, column, last line, last column, count, file, expanded file, kind]`. Only code regions are costs.
//! An expansion repeats the counts of the macro's own regions, gaps and skipped regions have no code, and branches are
//! parts of regions.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::IgnoredAny;
use trend_profile::Symbol;

use super::place::{Places, Tally};
use super::{ImportError, Imported, ImportedRun, Input, Root};

const FORMAT: &str = "export of llvm-cov";
const KIND: &str = "llvm.coverage.json.export";
/// Kind of the regions that are code.
const CODE: u64 = 0;

#[derive(Deserialize)]
struct Document<'a> {
    #[serde(borrow)]
    data: Vec<Export<'a>>,
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
}

#[derive(Deserialize)]
struct Export<'a> {
    #[serde(borrow, default)]
    functions: Vec<FunctionRecord<'a>>,
}

#[derive(Deserialize)]
struct FunctionRecord<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    count: u64,
    #[serde(borrow)]
    filenames: Vec<Cow<'a, str>>,
    regions: Vec<RegionRecord>,
}

/// Line, column, last line, last column, count, file, expanded file, kind.
type RegionRecord = (u32, IgnoredAny, IgnoredAny, IgnoredAny, u64, u32, IgnoredAny, u64);

/// Reads an export with functions as one run.
///
/// # Errors
/// Fails if the input is not such JSON, is cut off, or was exported without functions.
pub fn read<'a>(input: impl Into<Input<'a>>, root: &Root) -> Result<Imported, ImportError> {
    let input = input.into();
    let mut places = Places::new(input.budget());
    let mut tally = Tally::new(input.budget());
    let bytes = input.document()?;
    let document: Document<'_> = serde_json::from_slice(&bytes)?;
    if document.kind != KIND {
        let problem = format!("its type is `{}`", super::text::shown(&document.kind));
        return Err(ImportError::OtherFormat { format: FORMAT, problem });
    }
    for function in document.data.iter().flat_map(|export| &export.functions) {
        add(function, root, &mut places, &mut tally)?;
        places.budget().check()?;
    }
    let run = ImportedRun { counts: tally.into_counts(), ..ImportedRun::default() };
    if run.counts.is_empty() {
        let reason = "it has no functions; export without -summary-only and -skip-functions".to_owned();
        return Err(ImportError::NoCounts { reason });
    }
    Ok(places.finish(vec![run]))
}

fn add(
    record: &FunctionRecord<'_>,
    root: &Root,
    places: &mut Places,
    tally: &mut Tally,
) -> Result<(), ImportError> {
    let name = &*record.name;
    let is_code = |(_, region): &(u32, &RegionRecord)| region.7 == CODE;
    let mut regions = (0..).zip(&record.regions).filter(is_code).peekable();
    let Some(&(_, &(first_line, .., first_file, _, _))) = regions.peek() else { return Ok(()) };
    let files: Vec<u32> = record.filenames.iter().map(|f| places.file(&root.name(f))).collect();
    let file_of = |index: u32| {
        files.get(index as usize).copied().ok_or_else(|| ImportError::Contradictory {
            what: format!("function `{}` has no file {index}", super::text::shown(name)),
        })
    };
    // `clang` writes `file.c:name` for a function that is local to a file.
    let linkage = name.rsplit_once(".c:").or_else(|| name.rsplit_once(".cpp:"));
    let linkage = linkage.map_or(name, |(_, name)| name);
    let symbol = Symbol { linkage: name.to_owned(), ..crate::names::symbol(linkage) };
    let function = places.function_of(symbol, file_of(first_file)?, first_line);
    tally.add(places.entry(function), record.count);
    for (number, &(line, _, _, _, count, file, ..)) in regions {
        let location = places.labelled(function, number, file_of(file)?, line, "");
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
    fn an_export_without_functions_is_refused() {
        let error = |text: &str| read(text.as_bytes(), &Root::new("")).unwrap_err().to_string();
        let empty = r#"{"data":[{"files":[]}],"type":"llvm.coverage.json.export"}"#;
        assert!(error(empty).contains("-skip-functions"));
        assert!(error(r#"{"data":[],"type":"x"}"#).contains("its type is `x`"));
        assert!(error(&EXPORT.replace("[2,1,2,5,7,1,", "[2,1,2,5,7,9,")).contains("no file 9"));
    }
}
