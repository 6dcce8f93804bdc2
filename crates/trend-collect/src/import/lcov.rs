//! Reads lcov's tracefiles, which most coverage tools can write.
//!
//! ```text
//! TN:small              the test; names the workload if a file has several
//! SF:src/sort.c         a source file, up to end_of_record
//! FN:3,18,sort          line, last line (lcov 2), name     or FNL:0,3,18 and FNA:0,12,sort
//! FNDA:12,sort          number of entries
//! DA:4,120              line, executions
//! LF:9                  number of lines
//! end_of_record
//! ```
//!
//! A line belongs to the innermost function that contains it (`source_file.rs`). Branches (`BRDA`) and conditions
//! (`MCDC`) are parts of lines and have no costs of their own.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::rc::Rc;

use trend_profile::{Warning, WarningKind};

use super::budget::{ENTRY, RUN};
use super::place::{Places, Tally};
use super::source_file::{SourceFile, Sources, Span};
use super::text::{self, count, line_number, shown};
use super::{Budget, ImportError, Imported, ImportedRun, Input, Root};

const FORMAT: &str = "lcov tracefile";

/// Records without executions of lines, or ones that repeat other records.
const SKIPPED: [&str; 11] = ["VER", "FNF", "FNH", "BRDA", "BRF", "BRH", "BA", "LH", "MCDC", "MCF", "MCH"];

/// Reads a tracefile. A file of one test gives one run without a name; a file of several tests gives one run per test.
///
/// # Errors
/// Fails if the input is not a tracefile, is cut off, or has an invalid number.
pub fn read<'a>(input: impl Into<Input<'a>>, root: &Root) -> Result<Imported, ImportError> {
    read_with_sources(input, root, &|_| None)
}

/// Like [`read`], with the texts of source files by their names in the study.
///
/// # Errors
/// Fails like [`read`].
pub fn read_with_sources<'a>(
    input: impl Into<Input<'a>>,
    root: &Root,
    sources: Sources<'_>,
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
                let missing =
                    format!("{} lacks its end_of_record before line {number}", shown(&open.file.name));
                return Err(ImportError::CutOff { missing });
            }
            (record, Some(open)) => open.record(record, value, number)?,
            (record, None) if SKIPPED.contains(&record) => {}
            (_, None) => return Err(unknown(number, line, number == 1)),
        }
    }
    if let Some(open) = section {
        let missing =
            format!("{} lacks its end_of_record after line {}", shown(&open.file.name), input.lines());
        return Err(ImportError::CutOff { missing });
    }
    reader.imported(&budget)
}

fn unknown(number: usize, line: &str, is_first: bool) -> ImportError {
    let problem = format!("`{}` is not a known record", shown(line));
    if is_first {
        return ImportError::OtherFormat { format: FORMAT, problem };
    }
    ImportError::line(number, problem)
}

struct TracefileReader<'a> {
    root: &'a Root,
    sources: Sources<'a>,
    places: Places,
    test: String,
    runs: BTreeMap<String, Tally>,
}

/// One source file of one test.
struct Section {
    file: SourceFile,
    /// Position among the file's functions, by lcov 2's index.
    indexed: BTreeMap<u64, usize>,
    /// Names and executions of functions that `FN` lists.
    entered: Vec<(String, u64)>,
    claimed_lines: Option<u64>,
}

impl Section {
    fn new(file: &str, budget: &Rc<Budget>) -> Self {
        Self {
            file: SourceFile::new(file, budget),
            indexed: BTreeMap::new(),
            entered: Vec::new(),
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
                self.file.add(line, executions);
            }
            "FN" => {
                let (first, rest) = value.split_once(',').ok_or_else(|| bad("has no name"))?;
                let first = line_number(first).ok_or_else(|| bad("has no line number"))?;
                // A name can contain commas; a number before one is lcov 2's last line.
                let (last, name) = match rest.split_once(',') {
                    Some((last, name)) if line_number(last).is_some() => (line_number(last), name),
                    _ => (None, rest),
                };
                self.file.function(Span { name: name.to_owned(), first, last, entered: None });
            }
            "FNDA" => {
                let (executions, name) = value.split_once(',').ok_or_else(|| bad("has no name"))?;
                self.file.keep(ENTRY + name.len());
                self.entered.push((name.to_owned(), count(executions, "count", number)?));
            }
            "FNL" => {
                let mut fields = value.split(',').map(text::digits);
                let mut next = || fields.next().flatten();
                let (index, first) = next().zip(next()).ok_or_else(|| bad("is not an index and a line"))?;
                let first = u32::try_from(first).map_err(|_| bad("has no line number"))?;
                let last = next().and_then(|last| u32::try_from(last).ok());
                self.file.keep(ENTRY);
                let at = self.file.function(Span { name: String::new(), first, last, entered: None });
                self.indexed.insert(index, at);
            }
            "FNA" => {
                let mut fields = value.splitn(3, ',');
                let index = fields.next().and_then(text::digits).ok_or_else(|| bad("has no index"))?;
                let executions = count(fields.next().unwrap_or_default(), "count", number)?;
                let at = self.indexed.get(&index).ok_or_else(|| bad("has an index without FNL"))?;
                let name = fields.next().unwrap_or_default();
                self.file.keep(name.len());
                let span = &mut self.file.functions_mut()[*at];
                // Aliases share an index and a place; the first alias becomes the name.
                if span.name.is_empty() {
                    name.clone_into(&mut span.name);
                }
                span.entered = Some(span.entered.unwrap_or(0).saturating_add(executions));
            }
            "LF" => self.claimed_lines = text::digits(value),
            record if SKIPPED.contains(&record) => {}
            // Tools add their own records.
            record if record.len() <= 8 && record.bytes().all(|b| b.is_ascii_uppercase()) => {}
            _ => return Err(bad("is not a record of a tracefile")),
        }
        Ok(())
    }

    /// Assigns the executions listed by name to the functions. Functions with equal names get them in order; if there
    /// are fewer, the first function gets all.
    fn enter(&mut self) {
        let mut by_name: HashMap<&str, VecDeque<u64>> = HashMap::new();
        for (name, executions) in &self.entered {
            by_name.entry(name).or_default().push_back(*executions);
        }
        let mut spans: HashMap<&str, usize> = HashMap::new();
        for span in self.file.functions() {
            *spans.entry(&span.name).or_default() += 1;
        }
        let entered: Vec<Option<u64>> = self
            .file
            .functions()
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
        for (span, entered) in self.file.functions_mut().iter_mut().zip(entered) {
            span.entered = span.entered.or(entered);
        }
    }
}

impl TracefileReader<'_> {
    fn finish(&mut self, mut section: Section, number: usize) {
        if let Some(claimed) = section.claimed_lines.filter(|&c| c != section.file.len() as u64) {
            let message = format!(
                "{} claims {claimed} lines but has {} (at line {number}): the tool that wrote it is \
                 wrong, or lines are missing",
                shown(&section.file.name),
                section.file.len()
            );
            self.places.warn(Warning::new(WarningKind::LinesMissing, message));
        }
        section.enter();
        let budget = self.places.budget();
        let run = self.runs.entry(self.test.clone()).or_insert_with_key(|test| {
            budget.keep(RUN + test.len());
            Tally::new(&budget)
        });
        section.file.record(self.root, self.sources, &mut self.places, run);
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
        assert_eq!(
            error("a,b\n1,2\n"),
            "the file is not a valid lcov tracefile: `a,b` is not a known record"
        );
        assert_eq!(error("SF:a\nDA:1,-5\nend_of_record\n"), "line 2: the count `-5` is negative");
        assert_eq!(error("SF:a\nDA:x,5\nend_of_record\n"), "line 2: `DA:x,5` has no line number");
        assert_eq!(error("SF:a\nSF:b\n"), "the file is cut off: a lacks its end_of_record before line 2");
        assert!(error("TN:\n").contains("lists no line"));
        let warned = read(b"SF:a\nDA:1,1\nLF:2\nend_of_record\n", &Root::new("")).unwrap();
        assert_eq!(warned.warnings[0].kind, WarningKind::LinesMissing);
    }
}
