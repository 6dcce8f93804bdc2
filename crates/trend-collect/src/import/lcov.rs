//! lcov's tracefiles, which most coverage tools can write.
//!
//! ```text
//! TN:small              the test; names the workload where a file has several
//! SF:src/sort.c         a source file, up to end_of_record
//! FN:3,18,sort          line, last line (lcov 2), name     or FNL:0,3,18 and FNA:0,12,sort
//! FNDA:12,sort          how often it was entered
//! DA:4,120              line, executions
//! LF:9                  how many lines there are
//! end_of_record
//! ```
//!
//! A line belongs to the innermost function that contains it. Where no last line is told, a function lasts until the next
//! begins; in JavaScript, where functions are nested and code stands outside of them, its last line is looked for in the
//! source file. Branches (`BRDA`) and conditions (`MCDC`) are
//! parts of lines and no costs of their own.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::rc::Rc;

use trend_profile::Warning;

use super::budget::{COUNT, ENTRY, Loan, RUN};
use super::place::{Places, Tally};
use super::text::{self, count, line_number, shown};
use super::{Budget, ImportError, Imported, ImportedRun, Input, Root};

const FORMAT: &str = "lcov tracefile";

/// Records that say nothing about executions of lines, or repeat what others say.
const SKIPPED: [&str; 11] = ["VER", "FNF", "FNH", "BRDA", "BRF", "BRH", "BA", "LH", "MCDC", "MCF", "MCH"];

/// Endings of JavaScript's source files.
const JAVASCRIPT: [&str; 8] = ["js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx"];

/// Reads a tracefile. A file of one test gives one run without a name; several tests are one run each.
///
/// # Errors
/// It is none, is cut off, or a number in it cannot be read.
pub fn read<'a>(input: impl Into<Input<'a>>, root: &Root) -> Result<Imported, ImportError> {
    read_with_sources(input, root, &|_| None)
}

/// The same with the texts of source files, by the study's names for them.
///
/// # Errors
/// As [`read`].
pub fn read_with_sources<'a>(
    input: impl Into<Input<'a>>,
    root: &Root,
    sources: &dyn Fn(&str) -> Option<String>,
) -> Result<Imported, ImportError> {
    let mut input = input.into();
    let budget = Rc::clone(input.budget());
    let places = Places::new(&budget);
    let mut reader = TracefileReader { root, sources, places, test: String::new(), runs: BTreeMap::new() };
    let mut section: Option<Section> = None;
    while let Some((number, line)) = input.line()? {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if line == "end_of_record" {
            let section =
                section.take().ok_or_else(|| ImportError::line(number, "end_of_record without SF"))?;
            reader.finish(section, number);
            continue;
        }
        let Some((record, value)) = line.split_once(':') else {
            return Err(unknown(number, line, number == 1));
        };
        match (record, &mut section) {
            ("TN", None) => value.split(',').next().unwrap_or_default().clone_into(&mut reader.test),
            ("SF", None) => section = Some(Section::new(value, &budget)),
            ("TN" | "SF", Some(open)) => {
                let missing = format!("{} lacks its end_of_record before line {number}", shown(&open.file));
                return Err(ImportError::CutOff { missing });
            }
            (record, Some(open)) => open.record(record, value, number)?,
            (record, None) if SKIPPED.contains(&record) => {}
            (_, None) => return Err(unknown(number, line, number == 1)),
        }
    }
    if let Some(open) = section {
        let missing = format!("{} lacks its end_of_record after line {}", shown(&open.file), input.lines());
        return Err(ImportError::CutOff { missing });
    }
    reader.imported(&budget)
}

fn unknown(number: usize, line: &str, is_first: bool) -> ImportError {
    let found = format!("`{}` is no record of one", shown(line));
    if is_first {
        return ImportError::OtherFormat { format: FORMAT, found };
    }
    ImportError::line(number, found)
}

struct TracefileReader<'a> {
    root: &'a Root,
    sources: &'a dyn Fn(&str) -> Option<String>,
    places: Places,
    test: String,
    runs: BTreeMap<String, Tally>,
}

/// One source file of one test.
struct Section {
    loan: Loan,
    file: String,
    functions: Vec<Span>,
    /// Position in `functions` by lcov 2's index.
    indexed: BTreeMap<u64, usize>,
    /// Executions by name, of functions that `FN` tells of.
    entered: Vec<(String, u64)>,
    lines: BTreeMap<u32, u64>,
    claimed_lines: Option<u64>,
}

/// The lines of a function.
#[derive(Clone)]
struct Span {
    name: String,
    first: u32,
    last: Option<u32>,
    entered: Option<u64>,
}

impl Section {
    fn new(file: &str, budget: &Rc<Budget>) -> Self {
        Self {
            loan: Loan::of(budget),
            file: file.to_owned(),
            functions: Vec::new(),
            indexed: BTreeMap::new(),
            entered: Vec::new(),
            lines: BTreeMap::new(),
            claimed_lines: None,
        }
    }

    fn record(&mut self, record: &str, value: &str, number: usize) -> Result<(), ImportError> {
        let bad = |what: &str| ImportError::line(number, format!("`{record}:{}` {what}", shown(value)));
        match record {
            "DA" => {
                let mut fields = value.splitn(3, ',');
                let line = fields.next().and_then(line_number).ok_or_else(|| bad("has no line number"))?;
                let executions = count(fields.next().unwrap_or_default(), "count", number)?;
                let loan = &mut self.loan;
                let sum = self.lines.entry(line).or_insert_with(|| {
                    loan.keep(COUNT);
                    0
                });
                *sum = sum.saturating_add(executions);
            }
            "FN" => {
                let (first, rest) = value.split_once(',').ok_or_else(|| bad("has no name"))?;
                let first = line_number(first).ok_or_else(|| bad("has no line number"))?;
                // A name can contain commas; a number before one is lcov 2's last line.
                let (last, name) = match rest.split_once(',') {
                    Some((last, name)) if line_number(last).is_some() => (line_number(last), name),
                    _ => (None, rest),
                };
                self.loan.keep(2 * ENTRY + name.len());
                self.functions.push(Span { name: name.to_owned(), first, last, entered: None });
            }
            "FNDA" => {
                let (executions, name) = value.split_once(',').ok_or_else(|| bad("has no name"))?;
                self.loan.keep(ENTRY + name.len());
                self.entered.push((name.to_owned(), count(executions, "count", number)?));
            }
            "FNL" => {
                let mut fields = value.split(',').map(text::digits);
                let mut next = || fields.next().flatten();
                let (index, first) = next().zip(next()).ok_or_else(|| bad("is no index and line"))?;
                let first = u32::try_from(first).map_err(|_| bad("has no line number"))?;
                let last = next().and_then(|last| u32::try_from(last).ok());
                self.loan.keep(2 * ENTRY);
                self.indexed.insert(index, self.functions.len());
                self.functions.push(Span { name: String::new(), first, last, entered: None });
            }
            "FNA" => {
                let mut fields = value.splitn(3, ',');
                let index = fields.next().and_then(text::digits).ok_or_else(|| bad("has no index"))?;
                let executions = count(fields.next().unwrap_or_default(), "count", number)?;
                let at = self.indexed.get(&index).ok_or_else(|| bad("has an index without FNL"))?;
                let span = &mut self.functions[*at];
                // Aliases share an index and a place; the first names it.
                if span.name.is_empty() {
                    let name = fields.next().unwrap_or_default();
                    self.loan.keep(name.len());
                    name.clone_into(&mut span.name);
                }
                span.entered = Some(span.entered.unwrap_or(0).saturating_add(executions));
            }
            "LF" => self.claimed_lines = text::digits(value),
            record if SKIPPED.contains(&record) => {}
            // Tools have records of their own.
            record if record.len() <= 8 && record.bytes().all(|b| b.is_ascii_uppercase()) => {}
            _ => return Err(bad("is no record of a tracefile")),
        }
        Ok(())
    }

    /// Gives the functions the executions that are told by name. Functions of one name have them in their order, or where
    /// there are fewer, the first has all.
    fn enter(&mut self) {
        let mut by_name: HashMap<&str, VecDeque<u64>> = HashMap::new();
        for (name, executions) in &self.entered {
            by_name.entry(name).or_default().push_back(*executions);
        }
        let mut spans: HashMap<&str, usize> = HashMap::new();
        for span in &self.functions {
            *spans.entry(&span.name).or_default() += 1;
        }
        let entered: Vec<Option<u64>> = self
            .functions
            .iter()
            .map(|span| {
                let counts = by_name.get_mut(span.name.as_str())?;
                let left = spans.get_mut(span.name.as_str())?;
                *left -= 1;
                match counts.len() == *left + 1 {
                    true => counts.pop_front(),
                    false if counts.is_empty() => None,
                    false => Some(counts.drain(..).fold(0, u64::saturating_add)),
                }
            })
            .collect();
        for (span, entered) in self.functions.iter_mut().zip(entered) {
            span.entered = span.entered.or(entered);
        }
    }

    /// Finds the last lines of functions in the source: that of a function is the last one before a line that is indented
    /// no further than its first.
    fn end_functions(&mut self, source: &str) {
        let lines: Vec<&str> = source.lines().collect();
        let indent = |line: &str| line.len() - line.trim_start().len();
        for function in self.functions.iter_mut().filter(|f| f.last.is_none()) {
            let Some(first) = lines.get((function.first as usize).wrapping_sub(1)) else { continue };
            let mut last = function.first;
            for (line, number) in lines.iter().zip(1..).skip(function.first as usize) {
                let text = line.trim();
                let is_within = text.is_empty() || indent(line) > indent(first);
                // `) {` and `{` begin the body, `}` and `});` end it.
                let is_bracket = text.starts_with(['{', '}', ')', ']']);
                if is_within || is_bracket {
                    last = number;
                }
                if !is_within && !text.ends_with('{') {
                    break;
                }
            }
            function.last = Some(last);
        }
    }

    /// The innermost function of each line, as positions in `functions`, which it sorts.
    fn owners(&mut self) -> Vec<(u32, u64, Option<usize>)> {
        self.functions.sort_by_key(|f| (f.first, std::cmp::Reverse(f.last.unwrap_or(u32::MAX))));
        let mut open: Vec<usize> = Vec::new();
        let mut next = 0;
        let mut owned = Vec::with_capacity(self.lines.len());
        for (&line, &executions) in &self.lines {
            while self.functions.get(next).is_some_and(|f| f.first <= line) {
                // Without a last line, which is less than any, a function lasts until the next begins.
                while open.last().is_some_and(|&f| self.functions[f].last < Some(self.functions[next].first))
                {
                    open.pop();
                }
                open.push(next);
                next += 1;
            }
            while open.last().is_some_and(|&f| self.functions[f].last.is_some_and(|last| last < line)) {
                open.pop();
            }
            owned.push((line, executions, open.last().copied()));
        }
        owned
    }
}

impl TracefileReader<'_> {
    fn finish(&mut self, mut section: Section, number: usize) {
        if let Some(claimed) = section.claimed_lines.filter(|&c| c != section.lines.len() as u64) {
            let message = format!(
                "{} claims {claimed} lines and has {} (at line {number}): the tool that wrote it is in error, or lines \
                 are missing",
                shown(&section.file),
                section.lines.len()
            );
            self.places.warn(Warning::new("lines_missing", message));
        }
        let name = self.root.name(&section.file);
        let file = self.places.file(&name);
        section.enter();
        let is_script = name.rsplit_once('.').is_some_and(|(_, ending)| JAVASCRIPT.contains(&ending));
        if is_script && let Some(text) = (self.sources)(&name) {
            section.end_functions(&text);
        }
        let owned = section.owners();
        let ids: Vec<u32> =
            section.functions.iter().map(|f| self.places.function(&f.name, file, f.first)).collect();
        let budget = self.places.budget();
        let run = self.runs.entry(self.test.clone()).or_insert_with_key(|test| {
            budget.keep(RUN + test.len());
            Tally::new(&budget)
        });
        for (line, executions, owner) in owned {
            let function = owner.map_or_else(|| self.places.outside(file), |f| ids[f]);
            run.add(self.places.line(function, file, line), executions);
        }
        for (span, &id) in section.functions.iter().zip(&ids) {
            if let Some(entered) = span.entered {
                run.add(self.places.entry(id), entered);
            }
        }
    }

    fn imported(self, budget: &Budget) -> Result<Imported, ImportError> {
        budget.check()?;
        let Self { places, runs, .. } = self;
        let several = runs.len() > 1;
        let runs: Vec<ImportedRun> = runs
            .into_iter()
            .map(|(test, tally)| ImportedRun {
                workload: Some(test).filter(|t| several && !t.is_empty()).map(Into::into),
                counts: tally.into_counts(),
                ..ImportedRun::default()
            })
            .collect();
        if runs.iter().all(|run| run.counts.is_empty()) {
            let reason = "it lists no line of any file; measure with line counts".to_owned();
            return Err(ImportError::NoCounts { reason });
        }
        Ok(places.finish(runs))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str = "TN:\nSF:/p/a.c\nFN:3,sort\nFN:20,main\nFNDA:2,sort\nFNDA:1,main\nDA:1,9\nDA:3,2\n\
                       DA:5,120,abcd\nDA:21,1\nBRDA:5,0,0,-\nLF:4\nLH:4\nend_of_record\n";

    fn names(imported: &Imported) -> Vec<(String, u32, u64)> {
        let location = |&(i, count): &(u32, u64)| {
            let l = &imported.locations[i as usize];
            (imported.functions[l.function.index()].symbol.name.clone(), l.line, count)
        };
        imported.runs[0].counts.iter().map(location).collect()
    }

    fn named(rows: &[(&str, u32, u64)]) -> Vec<(String, u32, u64)> {
        rows.iter().map(|&(name, line, count)| (name.to_owned(), line, count)).collect()
    }

    #[test]
    fn lines_belong_to_the_function_that_begins_before_them() {
        let read = read(TWO.as_bytes(), &Root::new("/p")).unwrap();
        let expected =
            [("", 1, 9), ("sort", 3, 2), ("sort", 5, 120), ("main", 21, 1), ("sort", 3, 2), ("main", 20, 1)];
        assert_eq!(names(&read), named(&expected));
        assert!(read.locations.iter().all(|l| *l.file == *"a.c"));
        assert_eq!(read.runs[0].workload, None);
        assert_eq!(read.warnings, []);
    }

    #[test]
    fn last_lines_and_indexed_functions_of_lcov_2_are_read() {
        let text = "SF:a.js\nFNL:0,1,20\nFNL:1,5,9\nFNA:0,1,outer\nFNA:1,7,a, b\nFNA:1,1,alias\nDA:2,1\nDA:6,70\n\
                    DA:12,1\nDA:30,4\nend_of_record";
        let read = read(text.as_bytes(), &Root::new("")).unwrap();
        let expected = [
            ("outer", 2, 1),
            ("a, b", 6, 70),
            ("outer", 12, 1),
            ("", 30, 4),
            ("outer", 1, 1),
            ("a, b", 5, 8),
        ];
        assert_eq!(names(&read), named(&expected));
    }

    #[test]
    fn functions_of_one_name_have_their_own_entries_and_none_is_lost() {
        let entries = |records: &str| {
            let text = format!("SF:a.c\n{records}DA:1,1\nend_of_record\n");
            let read = read(text.as_bytes(), &Root::new("")).unwrap();
            let rows = names(&read).into_iter().filter(|(name, ..)| name == "f");
            rows.map(|(_, line, count)| (line, count)).collect::<Vec<_>>()
        };
        assert_eq!(entries("FN:3,f\nFN:9,f\nFNDA:2,f\nFNDA:5,f\n"), [(3, 2), (9, 5)]);
        assert_eq!(entries("FN:3,f\nFNDA:2,f\nFNDA:5,f\n"), [(3, 7)]);
        assert_eq!(entries("FN:3,f\nFN:9,f\nFNDA:2,f\n"), [(3, 2)]);
    }

    #[test]
    fn several_tests_of_one_file_are_several_workloads_and_sections_of_one_add_up() {
        let section = |test: &str, count: u32| format!("TN:{test}\nSF:a.c\nDA:4,{count}\nend_of_record\n");
        let text = [section("small", 3), section("large", 50), section("small", 4)].concat();
        let read = read(text.as_bytes(), &Root::new("")).unwrap();
        let runs: Vec<_> = read.runs.iter().map(|r| (r.workload.as_deref(), r.counts[0].1)).collect();
        assert_eq!(runs, [(Some("large"), 50), (Some("small"), 7)]);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let error = |text: &str| read(text.as_bytes(), &Root::new("")).unwrap_err().to_string();
        assert_eq!(error("a,b\n1,2\n"), "is no lcov tracefile: `a,b` is no record of one");
        assert_eq!(error("SF:a\nDA:1,-5\nend_of_record\n"), "line 2: the count `-5` is negative");
        assert_eq!(error("SF:a\nDA:x,5\nend_of_record\n"), "line 2: `DA:x,5` has no line number");
        assert_eq!(error("SF:a\nSF:b\n"), "is cut off: a lacks its end_of_record before line 2");
        assert!(error("TN:\n").contains("lists no line"));
        let warned = read(b"SF:a\nDA:1,1\nLF:2\nend_of_record\n", &Root::new("")).unwrap();
        assert_eq!(warned.warnings[0].kind, "lines_missing");
    }
}
