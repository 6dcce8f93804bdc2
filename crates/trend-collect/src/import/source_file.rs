//! Assigns lines to functions, for formats that list a source file's lines and functions separately.
//!
//! ```text
//!   functions (first line, perhaps last line, entries) ─┐
//!   lines (number, executions) ─────────────────────────┴▶ the innermost function that contains the line
//! ```
//!
//! If its last line is unknown, a function extends to the next one. In JavaScript, where functions are nested and code
//! stands outside of them, the last line is searched in the source file.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::budget::{COUNT, ENTRY, Loan};
use super::place::{Places, Tally};
use super::{Budget, Root};

/// Extensions of JavaScript source files.
const JAVASCRIPT: [&str; 8] = ["js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx"];

/// Returns the text of a source file by its name in the study.
pub(super) type Sources<'a> = &'a dyn Fn(&str) -> Option<String>;

/// A function and its lines.
pub(super) struct Span {
    pub(super) name: String,
    pub(super) first: u32,
    pub(super) last: Option<u32>,
    /// Number of calls, if the format counts them.
    pub(super) entered: Option<u64>,
}

/// Lines and functions of one source file in one run.
pub(super) struct SourceFile {
    loan: Loan,
    /// Name of the file in the format.
    pub(super) name: String,
    functions: Vec<Span>,
    /// Executions by line number.
    lines: BTreeMap<u32, u64>,
}

impl SourceFile {
    pub(super) fn new(name: &str, budget: &Rc<Budget>) -> Self {
        let mut loan = Loan::new(budget);
        loan.keep(name.len());
        Self { loan, name: name.to_owned(), functions: Vec::new(), lines: BTreeMap::new() }
    }

    /// Returns the executions of a line; a new line starts with 0.
    pub(super) fn line(&mut self, number: u32) -> &mut u64 {
        let loan = &mut self.loan;
        self.lines.entry(number).or_insert_with(|| {
            loan.keep(COUNT);
            0
        })
    }

    /// Adds executions to a line.
    pub(super) fn add(&mut self, number: u32, executions: u64) {
        let sum = self.line(number);
        *sum = sum.saturating_add(executions);
    }

    /// Returns true if the line is listed.
    pub(super) fn has_line(&self, number: u32) -> bool {
        self.lines.contains_key(&number)
    }

    /// Returns the number of listed lines.
    pub(super) fn len(&self) -> usize {
        self.lines.len()
    }

    /// Adds a function and returns its position.
    pub(super) fn function(&mut self, span: Span) -> usize {
        self.loan.keep(2 * ENTRY + span.name.len());
        self.functions.push(span);
        self.functions.len() - 1
    }

    /// Returns the functions in the order in which they were added.
    pub(super) fn functions(&self) -> &[Span] {
        &self.functions
    }

    /// Returns the functions for later additions.
    pub(super) fn functions_mut(&mut self) -> &mut [Span] {
        &mut self.functions
    }

    /// Charges memory besides that of lines and functions, until the file is recorded.
    pub(super) fn keep(&mut self, bytes: usize) {
        self.loan.keep(bytes);
    }

    /// Adds everything to a run.
    pub(super) fn record(mut self, root: &Root, sources: Sources<'_>, places: &mut Places, run: &mut Tally) {
        let name = root.name(&self.name);
        let file = places.file(&name);
        let is_script = name.rsplit_once('.').is_some_and(|(_, ending)| JAVASCRIPT.contains(&ending));
        if is_script && let Some(text) = sources(&name) {
            self.end_functions(&text);
        }
        let owned = self.owners();
        let ids: Vec<u32> = self.functions.iter().map(|f| places.function(&f.name, file, f.first)).collect();
        for (line, executions, owner) in owned {
            let function = owner.map_or_else(|| places.outside(file), |f| ids[f]);
            run.add(places.line(function, file, line), executions);
        }
        for (span, &id) in self.functions.iter().zip(&ids) {
            if let Some(entered) = span.entered {
                run.add(places.entry(id), entered);
            }
        }
    }

    /// Finds the last lines of functions in the source. A function ends before the first line that is indented no
    /// further than its own first line.
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

    /// Returns the innermost function of each line, as positions in `functions`. Sorts `functions`.
    fn owners(&mut self) -> Vec<(u32, u64, Option<usize>)> {
        self.functions.sort_by_key(|f| (f.first, std::cmp::Reverse(f.last.unwrap_or(u32::MAX))));
        let mut open: Vec<usize> = Vec::new();
        let mut next = 0;
        let mut owned = Vec::with_capacity(self.lines.len());
        for (&line, &executions) in &self.lines {
            while self.functions.get(next).is_some_and(|f| f.first <= line) {
                // A function without a last line extends to the next one; `None` is less than any line.
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
