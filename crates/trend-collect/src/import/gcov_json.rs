//! What `gcov --json-format` writes: the executions of each line of each function, an object per document.
//!
//! With `--stdout` the documents of several objects follow each other. Compressed files are to be unpacked first.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use serde::Deserialize;
use serde::de::{DeserializeSeed as _, MapAccess};

use super::budget::{COUNT, ENTRY, Loan};
use super::json::{EachWith, Fields, IsWanted, Structure, each};
use super::place::{Places, Tally};
use super::{Budget, ImportError, Imported, ImportedRun, Input, Root};

/// One document. Its files are kept until its end, as what their names are relative to can come last.
#[derive(Default)]
struct Document {
    directory: String,
    files: Option<Vec<File>>,
}

/// A source file, as the document has it.
struct File {
    loan: Loan,
    name: Option<String>,
    /// Name, first line, executions.
    functions: Option<Vec<(String, u32, u64)>>,
    /// Line, the position of its function's name, executions.
    lines: Option<Vec<(u32, u32, u64)>>,
    names: Vec<String>,
    name_ids: HashMap<String, u32>,
}

#[derive(Deserialize)]
struct FunctionRecord {
    name: String,
    start_line: u32,
    execution_count: u64,
}

#[derive(Deserialize)]
struct LineRecord {
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
pub fn read<'a>(input: impl Into<Input<'a>>, root: &Root) -> Result<Imported, ImportError> {
    let input = input.into();
    let budget = Rc::clone(input.budget());
    let mut places = Places::new(&budget);
    let mut tally = Tally::new(&budget);
    let mut json = input.json();
    loop {
        match json.end() {
            Ok(()) => break,
            Err(error) if error.is_io() => return Err(ImportError::json(error)),
            // Something follows.
            Err(_) => {}
        }
        let document = RefCell::default();
        let fields = DocumentFields { document: &document, budget: &budget };
        Structure(fields).deserialize(&mut json).map_err(ImportError::json)?;
        let document = document.into_inner();
        let root = root.within(&document.directory);
        for file in document.files.into_iter().flatten() {
            add(file, &root, &mut places, &mut tally);
            budget.check()?;
        }
    }
    let run = ImportedRun { counts: tally.into_counts(), ..ImportedRun::default() };
    if run.counts.is_empty() {
        let reason = "it lists no line of any file".to_owned();
        return Err(ImportError::NoCounts { reason });
    }
    Ok(places.finish(vec![run]))
}

fn add(record: File, root: &Root, places: &mut Places, tally: &mut Tally) {
    let file = places.file(&root.name(&record.name.unwrap_or_default()));
    let mut ids: Vec<Option<u32>> = vec![None; record.names.len()];
    for (name, first, executions) in record.functions.into_iter().flatten() {
        let id = places.function(&name, file, first);
        if let Some(&known) = record.name_ids.get(&name) {
            ids[known as usize] = Some(id);
        }
        tally.add(places.entry(id), executions);
    }
    for (number, name, executions) in record.lines.into_iter().flatten() {
        let name = name as usize;
        let id = ids[name].unwrap_or_else(|| places.function(&record.names[name], file, 0));
        ids[name] = Some(id);
        tally.add(places.line(id, file, number), executions);
    }
}

struct DocumentFields<'r> {
    document: &'r RefCell<Document>,
    budget: &'r Rc<Budget>,
}

impl Fields for DocumentFields<'_> {
    fn field<'de, A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<IsWanted, A::Error> {
        match name {
            "files" => {
                self.document.borrow_mut().files.get_or_insert_default();
                let document = self.document;
                let file = || Structure(FileFields { file: File::new(self.budget), document });
                map.next_value_seed(EachWith(file))?;
            }
            "current_working_directory" => self.document.borrow_mut().directory = map.next_value()?,
            _ => return Ok(IsWanted::No),
        }
        Ok(IsWanted::Yes)
    }

    fn end(&mut self) -> Result<(), &'static str> {
        self.document.borrow().files.as_ref().map(drop).ok_or("files")
    }
}

struct FileFields<'r> {
    file: File,
    document: &'r RefCell<Document>,
}

impl File {
    fn new(budget: &Rc<Budget>) -> Self {
        let mut loan = Loan::of(budget);
        loan.keep(size_of::<Self>());
        Self { loan, name: None, functions: None, lines: None, names: Vec::new(), name_ids: HashMap::new() }
    }

    fn name_id(&mut self, name: String) -> u32 {
        if let Some(&known) = self.name_ids.get(&name) {
            return known;
        }
        self.loan.keep(2 * (ENTRY + name.len()));
        let id = self.names.len() as u32;
        self.names.push(name.clone());
        self.name_ids.insert(name, id);
        id
    }
}

impl Fields for FileFields<'_> {
    fn field<'de, A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<IsWanted, A::Error> {
        let file = &mut self.file;
        match name {
            "file" => {
                let name: String = map.next_value()?;
                file.loan.keep(name.len());
                file.name = Some(name);
            }
            "functions" => {
                let mut functions = file.functions.take().unwrap_or_default();
                map.next_value_seed(each(|function: FunctionRecord| {
                    file.loan.keep(ENTRY + function.name.len());
                    functions.push((function.name, function.start_line, function.execution_count));
                }))?;
                file.functions = Some(functions);
            }
            "lines" => {
                let mut lines = file.lines.take().unwrap_or_default();
                map.next_value_seed(each(|line: LineRecord| {
                    file.loan.keep(COUNT);
                    let name = file.name_id(line.function_name);
                    lines.push((line.number, name, line.count));
                }))?;
                file.lines = Some(lines);
            }
            _ => return Ok(IsWanted::No),
        }
        Ok(IsWanted::Yes)
    }

    fn end(&mut self) -> Result<(), &'static str> {
        let Self { file, document } = self;
        let missing = [
            ("file", file.name.is_none()),
            ("functions", file.functions.is_none()),
            ("lines", file.lines.is_none()),
        ];
        if let Some((name, _)) = missing.into_iter().find(|(_, is_missing)| *is_missing) {
            return Err(name);
        }
        let budget = file.loan.budget();
        let file = std::mem::replace(file, File::new(&budget));
        document.borrow_mut().files.get_or_insert_default().push(file);
        Ok(())
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
        assert!(error.starts_with("line 1, column 12: invalid type"), "{error}");
    }
}
