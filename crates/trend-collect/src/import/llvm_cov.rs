//! What `llvm-cov export` writes: the executions of each region of each function.
//!
//! A region is `[line, column, last line, last column, count, file, expanded file, kind]`. Only code is a cost:
//! an expansion repeats what the macro's own regions count, gaps and skipped regions have no code, branches
//! are parts of regions.

use std::cell::RefCell;
use std::rc::Rc;

use serde::de::{DeserializeSeed as _, MapAccess};
use trend_profile::Symbol;

use super::budget::{COUNT, ENTRY, Loan};
use super::json::{EachWith, Fields, IsWanted, Structure, each};
use super::place::{Places, Tally};
use super::{ImportError, Imported, ImportedRun, Input, Root};

const FORMAT: &str = "export of llvm-cov";
const KIND: &str = "llvm.coverage.json.export";
/// The number of regions that are code.
const CODE: u64 = 0;

/// Line, column, last line, last column, count, file, expanded file, kind.
type Region = (u32, u32, u32, u32, u64, u32, u32, u64);

/// What was read of the file.
struct Reader<'r> {
    root: &'r Root,
    places: Places,
    tally: Tally,
    kind: Option<String>,
    has_data: bool,
    /// What is wrong with a function, of the first where something is.
    wrong: Option<ImportError>,
}

/// Reads an export with functions, which is one run.
///
/// # Errors
/// It is no such JSON, is cut off, or was exported without functions.
pub fn read<'a>(input: impl Into<Input<'a>>, root: &Root) -> Result<Imported, ImportError> {
    let input = input.into();
    let budget = Rc::clone(input.budget());
    let (places, tally) = (Places::new(&budget), Tally::new(&budget));
    let reader = RefCell::new(Reader { root, places, tally, kind: None, has_data: false, wrong: None });
    let mut json = input.json();
    Structure(DocumentFields(&reader)).deserialize(&mut json).map_err(ImportError::json)?;
    json.end().map_err(ImportError::json)?;
    let reader = reader.into_inner();
    let kind = reader.kind.unwrap_or_default();
    if kind != KIND {
        let found = format!("its type is `{}`", super::text::shown(&kind));
        return Err(ImportError::OtherFormat { format: FORMAT, found });
    }
    if let Some(wrong) = reader.wrong {
        return Err(wrong);
    }
    budget.check()?;
    let run = ImportedRun { counts: reader.tally.into_counts(), ..ImportedRun::default() };
    if run.counts.is_empty() {
        let reason = "it has no functions; export without -summary-only and -skip-functions".to_owned();
        return Err(ImportError::NoCounts { reason });
    }
    Ok(reader.places.finish(vec![run]))
}

struct DocumentFields<'r, 'p>(&'r RefCell<Reader<'p>>);

impl Fields for DocumentFields<'_, '_> {
    fn field<'de, A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<IsWanted, A::Error> {
        match name {
            "data" => {
                self.0.borrow_mut().has_data = true;
                map.next_value_seed(EachWith(|| Structure(ExportFields(self.0))))?;
            }
            "type" => {
                let kind = map.next_value()?;
                self.0.borrow_mut().kind = Some(kind);
            }
            _ => return Ok(IsWanted::No),
        }
        Ok(IsWanted::Yes)
    }

    fn end(&mut self) -> Result<(), &'static str> {
        let reader = self.0.borrow();
        if !reader.has_data {
            return Err("data");
        }
        reader.kind.as_ref().map(drop).ok_or("type")
    }
}

struct ExportFields<'r, 'p>(&'r RefCell<Reader<'p>>);

impl Fields for ExportFields<'_, '_> {
    fn field<'de, A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<IsWanted, A::Error> {
        if name != "functions" {
            return Ok(IsWanted::No);
        }
        map.next_value_seed(EachWith(|| Structure(FunctionFields::new(self.0))))?;
        Ok(IsWanted::Yes)
    }

    fn end(&mut self) -> Result<(), &'static str> {
        Ok(())
    }
}

/// A function as far as it was read.
struct FunctionFields<'r, 'p> {
    reader: &'r RefCell<Reader<'p>>,
    loan: Loan,
    name: Option<String>,
    count: Option<u64>,
    files: Option<Vec<String>>,
    /// Number, line, file and count of what is code.
    regions: Option<Vec<(u32, u32, u32, u64)>>,
}

impl<'r, 'p> FunctionFields<'r, 'p> {
    fn new(reader: &'r RefCell<Reader<'p>>) -> Self {
        let loan = Loan::of(&reader.borrow().places.budget());
        Self { reader, loan, name: None, count: None, files: None, regions: None }
    }
}

impl Fields for FunctionFields<'_, '_> {
    fn field<'de, A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<IsWanted, A::Error> {
        let loan = &mut self.loan;
        match name {
            "name" => self.name = Some(map.next_value()?),
            "count" => self.count = Some(map.next_value()?),
            "filenames" => {
                let mut files = Vec::new();
                map.next_value_seed(each(|file: String| {
                    loan.keep(ENTRY + file.len());
                    files.push(file);
                }))?;
                self.files = Some(files);
            }
            "regions" => {
                let (mut regions, mut next) = (Vec::new(), 0);
                map.next_value_seed(each(|region: Region| {
                    let (line, _, _, _, count, file, _, kind) = region;
                    if kind == CODE {
                        loan.keep(COUNT);
                        regions.push((next, line, file, count));
                    }
                    next += 1;
                }))?;
                self.regions = Some(regions);
            }
            _ => return Ok(IsWanted::No),
        }
        Ok(IsWanted::Yes)
    }

    fn end(&mut self) -> Result<(), &'static str> {
        let name = self.name.take().ok_or("name")?;
        let count = self.count.ok_or("count")?;
        let files = self.files.take().ok_or("filenames")?;
        let regions = self.regions.take().ok_or("regions")?;
        let mut reader = self.reader.borrow_mut();
        if let Err(wrong) = reader.add(&name, count, &files, &regions) {
            reader.wrong.get_or_insert(wrong);
        }
        Ok(())
    }
}

impl Reader<'_> {
    fn add(
        &mut self,
        name: &str,
        entered: u64,
        files: &[String],
        regions: &[(u32, u32, u32, u64)],
    ) -> Result<(), ImportError> {
        let Some(first) = regions.first() else { return Ok(()) };
        let files: Vec<u32> = files.iter().map(|f| self.places.file(&self.root.name(f))).collect();
        let file_of = |index: u32| {
            files.get(index as usize).copied().ok_or_else(|| ImportError::Contradictory {
                what: format!("function `{}` has no file {index}", super::text::shown(name)),
            })
        };
        // `clang` writes `file.c:name` for what is local to a file.
        let linkage = name.rsplit_once(".c:").or_else(|| name.rsplit_once(".cpp:"));
        let linkage = linkage.map_or(name, |(_, name)| name);
        let symbol = Symbol { linkage: name.to_owned(), ..crate::names::symbol(linkage) };
        let function = self.places.function_of(symbol, file_of(first.2)?, first.1);
        self.tally.add(self.places.entry(function), entered);
        for &(number, line, file, count) in regions {
            let location = self.places.block(function, number, file_of(file)?, line);
            self.tally.add(location, count);
        }
        Ok(())
    }
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
