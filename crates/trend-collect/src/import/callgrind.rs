//! callgrind's output, and that of others who write its format.
//!
//! ```text
//! positions: line                 or `instr line`: what a cost line begins with
//! events: Ir Dr                   what its costs are
//! fl=(1) sort.c                   a file; `(1)` alone means the same from here on
//! fn=(3) sort                     a function, whose lines follow
//! 16 400                          line, costs: the function's own
//! +2 30                           relative to the line before; `*` is the same
//! cfn=(4) swap                    a call of swap, which
//! calls=50 +10                    happened 50 times and whose
//! 17 600                          costs are swap's and those beneath it: no costs of sort
//! totals: 1030                    what all own costs add up to
//! ```
//!
//! Costs are the functions' own, by line. `fi` and `fe` change the file within a function, where code was
//! inlined. Several parts in one file add up.

use std::collections::HashMap;

use trend_profile::{Symbol, Unit, Warning};

use super::error::listed;
use super::place::{Places, Tally};
use super::text::{self, digits, shown};
use super::{ImportError, Imported, ImportedRun, Root};

const FORMAT: &str = "callgrind output";
/// What callgrind writes for a file that is not known.
const UNKNOWN: &str = "???";
/// What instructions are called.
const INSTRUCTIONS: &str = "Ir";

/// Reads callgrind's output as one run; `event` is the column that is the cost, by default `Ir`, or the first
/// where there is none.
///
/// # Errors
/// It is none, is cut off, has no such event, or its costs do not add up to its totals.
pub fn read(bytes: &[u8], event: Option<&str>, root: &Root) -> Result<Imported, ImportError> {
    let mut reader = Reader::new(root, event);
    let mut last = 0;
    for (number, line) in text::lines(bytes) {
        last = number;
        reader.line(line.trim(), number)?;
    }
    reader.finish(last)
}

/// What the next line of costs is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    Own,
    /// Of a call: not the function's own.
    Called,
    /// The place of a jump.
    Jump,
}

/// Names by the numbers that stand for them.
#[derive(Default)]
struct Names(HashMap<u64, String>);

impl Names {
    /// `(1) name`, `(1)` or `name`.
    fn resolve(&mut self, text: &str) -> Option<String> {
        let Some((number, name)) = text.strip_prefix('(').and_then(|rest| rest.split_once(')')) else {
            return Some(text.to_owned());
        };
        let Some(number) = digits(number) else { return Some(text.to_owned()) };
        match name.trim() {
            "" => self.0.get(&number).cloned(),
            name => {
                self.0.insert(number, name.to_owned());
                Some(name.to_owned())
            }
        }
    }
}

struct Reader<'a> {
    root: &'a Root,
    event: Option<&'a str>,
    /// The column that is read; `None` before `events:`.
    column: Option<usize>,
    event_name: String,
    positions: usize,
    /// Which of the positions is the line.
    line_position: Option<usize>,
    previous: [u64; 2],
    objects: Names,
    files: Names,
    functions: Names,
    object: String,
    /// The file of the function, and that of its lines.
    file: String,
    line_file: String,
    /// The function of the next lines, its number and the number of their file.
    current: Option<(u32, u32)>,
    called: Called,
    next: Next,
    places: Places,
    tally: Tally,
    /// What the lines of this part add up to, and what it says that they do.
    own: u64,
    summary: Option<u64>,
    is_checked: bool,
    has_costs: bool,
}

/// The function that a call goes to, as far as it is told.
#[derive(Default)]
struct Called {
    object: Option<String>,
    file: Option<String>,
    function: Option<String>,
}

impl<'a> Reader<'a> {
    fn new(root: &'a Root, event: Option<&'a str>) -> Self {
        Self {
            root,
            event,
            column: None,
            event_name: String::new(),
            positions: 1,
            line_position: Some(0),
            previous: [0; 2],
            objects: Names::default(),
            files: Names::default(),
            functions: Names::default(),
            object: String::new(),
            file: UNKNOWN.to_owned(),
            line_file: UNKNOWN.to_owned(),
            current: None,
            called: Called::default(),
            next: Next::Own,
            places: Places::default(),
            tally: Tally::default(),
            own: 0,
            summary: None,
            is_checked: true,
            has_costs: false,
        }
    }

    fn line(&mut self, line: &str, number: usize) -> Result<(), ImportError> {
        let begins_with_position = line.starts_with(|c: char| c.is_ascii_digit() || "+-*".contains(c));
        if line.is_empty() || line.starts_with('#') {
            Ok(())
        } else if begins_with_position {
            self.costs(line, number)
        } else if let Some((key, value)) = line.split_once('=') {
            if self.column.is_none() && key.contains([':', ' ']) {
                return self.header(line, number);
            }
            self.specification(key.trim_end(), value.trim(), number)
        } else {
            self.header(line, number)
        }
    }

    fn header(&mut self, line: &str, number: usize) -> Result<(), ImportError> {
        let Some((key, value)) = line.split_once(':') else {
            let found = format!("`{}` is no line of one", shown(line));
            return Err(if number == 1 {
                ImportError::OtherFormat { format: FORMAT, found }
            } else {
                ImportError::line(number, found)
            });
        };
        match key {
            "events" => self.events(value, number)?,
            "positions" => {
                let words: Vec<&str> = value.split_whitespace().collect();
                if !(1..=2).contains(&words.len()) {
                    return Err(ImportError::line(
                        number,
                        "one or two positions are known, `instr` and `line`",
                    ));
                }
                self.positions = words.len();
                self.line_position = words.iter().position(|w| *w == "line");
                self.previous = [0; 2];
            }
            "summary" | "totals" => {
                let column = self.column.unwrap_or(0);
                let claimed = value.split_whitespace().nth(column).map_or(Some(0), digits);
                let claimed = claimed.ok_or_else(|| ImportError::line(number, "the total is no number"))?;
                if key == "totals" {
                    self.check(claimed)?;
                    self.summary = None;
                } else {
                    self.summary = Some(claimed);
                }
            }
            // A new part.
            "part" if self.has_costs => self.end_of_part()?,
            _ => {}
        }
        Ok(())
    }

    fn events(&mut self, value: &str, number: usize) -> Result<(), ImportError> {
        let names: Vec<&str> = value.split_whitespace().collect();
        let wanted = match self.event {
            Some(event) => names.iter().position(|n| *n == event),
            None => names.iter().position(|n| *n == INSTRUCTIONS).or(Some(0)),
        };
        let column = wanted.ok_or_else(|| ImportError::Unknown {
            what: "event",
            name: self.event.unwrap_or_default().to_owned(),
            known: listed(names.iter().copied()),
        })?;
        let name = names.get(column).ok_or_else(|| ImportError::line(number, "there are no events"))?;
        self.column = Some(column);
        (*name).clone_into(&mut self.event_name);
        Ok(())
    }

    fn specification(&mut self, key: &str, value: &str, number: usize) -> Result<(), ImportError> {
        let unknown = || ImportError::line(number, format!("`{}` stands for no name yet", shown(value)));
        match key {
            "ob" => self.object = self.objects.resolve(value).ok_or_else(unknown)?,
            "fl" | "fi" | "fe" => {
                let name = self.files.resolve(value).ok_or_else(unknown)?;
                if key == "fl" {
                    self.file.clone_from(&name);
                }
                self.line_file = name;
                if let Some((function, _)) = self.current {
                    let file = self.file_number(&self.line_file.clone());
                    self.current = Some((function, file));
                }
            }
            "fn" => {
                let name = self.functions.resolve(value).ok_or_else(unknown)?;
                // A file that was given before `fn` as `fi` is the function's as well in some writers.
                let (file, object) = (self.file.clone(), self.object.clone());
                let function = self.function(&name, &file, &object);
                self.line_file.clone_from(&self.file);
                self.current = Some((function, self.file_number(&file)));
            }
            "cob" => self.called.object = Some(self.objects.resolve(value).ok_or_else(unknown)?),
            "cfi" | "cfl" => self.called.file = Some(self.files.resolve(value).ok_or_else(unknown)?),
            "cfn" => self.called.function = Some(self.functions.resolve(value).ok_or_else(unknown)?),
            "calls" => {
                let times = value.split_whitespace().next().and_then(digits);
                let times = times.ok_or_else(|| ImportError::line(number, "`calls` says no number"))?;
                self.call(times);
                self.next = Next::Called;
            }
            "jump" | "jcnd" => self.next = Next::Jump,
            // The target of a jump; its name can be used from here on.
            "jfi" => drop(self.files.resolve(value).ok_or_else(unknown)?),
            "jfn" => drop(self.functions.resolve(value).ok_or_else(unknown)?),
            "rfn" | "frfn" | "rob" => {}
            _ => {
                let what = format!("`{}=` is not known in callgrind output", shown(key));
                return Err(ImportError::line(number, what));
            }
        }
        Ok(())
    }

    /// The name of a file; functions without one are told apart by their object.
    fn file_number(&mut self, file: &str) -> u32 {
        if file == UNKNOWN || file.is_empty() {
            self.places.file("")
        } else {
            self.places.file(&self.root.name(file))
        }
    }

    fn function(&mut self, name: &str, file: &str, object: &str) -> u32 {
        let known = file != UNKNOWN && !file.is_empty();
        let file = if known { self.root.name(file) } else { object.to_owned() };
        let number = self.places.file(&file);
        // Recursion and contexts are written as name'2.
        let symbol = crate::names::symbol(name);
        let linkage = if known { symbol.linkage } else { format!("{} [{object}]", symbol.linkage) };
        self.places.function_of(Symbol { name: symbol.name, linkage }, number, 0)
    }

    fn call(&mut self, times: u64) {
        let Called { object, file, function } = std::mem::take(&mut self.called);
        let Some(function) = function else { return };
        let file = file.unwrap_or_else(|| self.file.clone());
        let object = object.unwrap_or_else(|| self.object.clone());
        let id = self.function(&function, &file, &object);
        let entry = self.places.entry(id);
        self.tally.add(entry, times);
    }

    fn costs(&mut self, line: &str, number: usize) -> Result<(), ImportError> {
        let next = std::mem::replace(&mut self.next, Next::Own);
        let mut words = line.split_whitespace();
        let mut position = [0_u64; 2];
        for (previous, position) in self.previous.iter().zip(&mut position).take(self.positions) {
            let word = words.next().unwrap_or_default();
            *position = place(word, *previous)
                .ok_or_else(|| ImportError::line(number, format!("`{}` is no position", shown(word))))?;
        }
        self.previous = position;
        if next != Next::Own {
            return Ok(());
        }
        let Some(column) = self.column else {
            return Err(ImportError::line(number, "there are costs before `events:`"));
        };
        let Some((function, file)) = self.current else {
            return Err(ImportError::line(number, "there are costs before `fn=`"));
        };
        let mut cost = 0;
        for (index, word) in words.enumerate() {
            let value = digits(word).ok_or_else(|| {
                ImportError::line(number, format!("the cost `{}` is no number", shown(word)))
            })?;
            if index == column {
                cost = value;
            }
        }
        self.has_costs = true;
        self.own = self.own.saturating_add(cost);
        let line = self.line_position.map_or(0, |i| position[i]);
        let line = u32::try_from(line).map_err(|_| ImportError::line(number, "the line is out of range"))?;
        let location = self.places.line(function, file, line);
        self.tally.add(location, cost);
        Ok(())
    }

    /// Compares the costs of a part with what it says that they add up to.
    fn check(&mut self, claimed: u64) -> Result<(), ImportError> {
        let found = std::mem::take(&mut self.own);
        self.has_costs = false;
        if found == claimed {
            return Ok(());
        }
        let what =
            format!("its costs add up to {found}, and it says {claimed}; it may be cut off or changed");
        Err(ImportError::Contradictory { what })
    }

    fn end_of_part(&mut self) -> Result<(), ImportError> {
        if let Some(summary) = self.summary.take() {
            return self.check(summary);
        }
        self.is_checked = false;
        Ok(())
    }

    fn finish(mut self, last: usize) -> Result<Imported, ImportError> {
        if self.next != Next::Own {
            let missing = format!("after line {last} come the costs of a call");
            return Err(ImportError::CutOff { missing });
        }
        if self.column.is_none() {
            let found = "it has no line `events:`".to_owned();
            return Err(ImportError::OtherFormat { format: FORMAT, found });
        }
        if self.has_costs || self.summary.is_some() {
            // Without its totals at the end, callgrind's own output is not whole.
            self.end_of_part()?;
        }
        if !self.is_checked {
            let message = "it has neither `summary:` nor `totals:`, so that nothing says whether it is whole";
            self.places.warn(Warning::new("unchecked_total", message));
        }
        let counts = self.tally.into_counts();
        if counts.is_empty() {
            let reason = "no function has costs".to_owned();
            return Err(ImportError::NoCounts { reason });
        }
        let unit = if self.event_name == INSTRUCTIONS { "instructions" } else { &self.event_name };
        let unit = Unit::new(unit);
        Ok(Imported { unit, ..self.places.finish(vec![ImportedRun { counts, ..ImportedRun::default() }]) })
    }
}

/// `17`, `0x4a1`, `+3`, `-2` or `*`.
fn place(word: &str, previous: u64) -> Option<u64> {
    let number = |text: &str| match text.strip_prefix("0x") {
        Some(hex) if !hex.starts_with('+') => u64::from_str_radix(hex, 16).ok(),
        _ => digits(text).filter(|_| !text.is_empty()),
    };
    match word.as_bytes().first()? {
        b'*' if word.len() == 1 => Some(previous),
        b'+' => previous.checked_add(number(&word[1..])?),
        b'-' => previous.checked_sub(number(&word[1..])?),
        _ => number(word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "# callgrind format\nversion: 1\npositions: line\nevents: Ir Dr\nsummary: 1630 7\n\n\
                         ob=(1) /p/prog\nfl=(1) /p/sort.c\nfn=(3) sort\n16 400 7\n+2 30\nfi=(2) swap.h\n4 100\n\
                         fe=(1)\n-2 20\ncfn=(4) swap\ncalls=50 +10\n* 600\n\nfn=(4)\n26 1000\n* 50\n\
                         cfi=(2)\ncfn=(3)\ncalls=2 16\n27 80\njump=3 +4\n* \n+1 30\n\ntotals: 1630 7\n";

    fn own(imported: &Imported) -> Vec<(&str, &str, u32, u64)> {
        let row = |&(i, count): &(u32, u64)| {
            let l = &imported.locations[i as usize];
            let function = imported.functions[l.function.index()].symbol.name.as_str();
            (l.kind == trend_profile::Kind::Block).then_some((function, l.file.as_str(), l.line, count))
        };
        imported.runs[0].counts.iter().filter_map(row).collect()
    }

    #[test]
    fn own_costs_are_by_function_and_line_and_calls_are_entries() {
        let read = read(SMALL.as_bytes(), None, &Root::new("/p")).unwrap();
        let expected = [
            ("sort", "sort.c", 16, 400),
            ("sort", "sort.c", 18, 30),
            ("sort", "swap.h", 4, 100),
            ("sort", "sort.c", 2, 20),
            ("swap", "sort.c", 26, 1050),
            ("swap", "sort.c", 28, 30),
        ];
        assert_eq!(own(&read), expected);
        assert_eq!(read.unit.name(), "instructions");
        let entries: u64 = read.runs[0]
            .counts
            .iter()
            .filter(|(l, _)| read.locations[*l as usize].kind == trend_profile::Kind::Entry)
            .map(|(_, c)| c)
            .sum();
        assert_eq!(entries, 52);
    }

    #[test]
    fn another_event_can_be_the_cost() {
        let read_dr = read(SMALL.as_bytes(), Some("Dr"), &Root::new("/p")).unwrap();
        assert_eq!(own(&read_dr)[0], ("sort", "sort.c", 16, 7));
        assert_eq!(read_dr.unit.name(), "Dr");
        let error = read(SMALL.as_bytes(), Some("L2"), &Root::new("/p")).unwrap_err();
        assert_eq!(error.to_string(), "has no event `L2`; it has `Ir`, `Dr`");
    }

    #[test]
    fn parts_add_up() {
        let two = format!("{SMALL}\npart: 2\n\nfl=(1)\nfn=(3)\n16 5\n\ntotals: 5\n");
        let read = read(two.as_bytes(), None, &Root::new("/p")).unwrap();
        assert_eq!(own(&read)[0], ("sort", "sort.c", 16, 405));
    }

    #[test]
    fn a_file_that_is_cut_anywhere_is_refused_or_whole() {
        let whole = read(SMALL.as_bytes(), None, &Root::new("")).unwrap();
        for length in 0..SMALL.len() {
            if let Ok(part) = read(&SMALL.as_bytes()[..length], None, &Root::new("")) {
                assert_eq!(part, whole, "{length} of {}", SMALL.len());
            }
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        let error = |text: &str| read(text.as_bytes(), None, &Root::new("")).unwrap_err().to_string();
        assert!(error("TN:\nSF:a.c\n").contains("is no callgrind output"), "{}", error("TN:\nSF:a.c\n"));
        assert!(error("events: Ir\nfn=(7)\n1 2\n").contains("line 2: `(7)` stands for no name"));
        assert!(error("events: Ir\nfn=a\n-1 2\n").contains("line 3: `-1` is no position"));
        assert!(error(&SMALL.replace("16 400", "16 401")).contains("add up to 1631, and it says 1630"));
        let unchecked = read(b"events: Ir\nfn=a\n1 2\n", None, &Root::new("")).unwrap();
        assert_eq!(unchecked.warnings[0].kind, "unchecked_total");
    }
}
