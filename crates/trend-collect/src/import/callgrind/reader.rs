//! Parses the lines of the format.

use std::collections::HashMap;
use std::rc::Rc;

use trend_profile::{Unit, Warning, WarningKind};

use super::costs::{Costs, Position};
use super::inlining::{FORMAT, Inlining, UNKNOWN};
use crate::import::budget::ENTRY;
use crate::import::error::listed;
use crate::import::text::{digits, shown};
use crate::import::{Budget, ImportError, Imported, Root};

/// Name of the event that counts instructions.
const INSTRUCTIONS: &str = "Ir";

/// Meaning of the next line of costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    Own,
    /// Inclusive costs of calls to this function, which are not own costs.
    Called(Option<u32>),
    /// Position of a jump.
    Jump,
}

/// Names by their numbers in the file.
#[derive(Default)]
struct Names(HashMap<u64, Rc<str>>);

impl Names {
    /// Resolves `(1) name`, `(1)` or `name`.
    fn resolve(&mut self, text: &str, budget: &Budget) -> Option<Rc<str>> {
        let Some((number, name)) = text.strip_prefix('(').and_then(|rest| rest.split_once(')')) else {
            return Some(text.into());
        };
        let Some(number) = digits(number) else { return Some(text.into()) };
        match name.trim() {
            "" => self.0.get(&number).cloned(),
            name => {
                budget.keep(2 * ENTRY + name.len());
                let name: Rc<str> = name.into();
                self.0.insert(number, Rc::clone(&name));
                Some(name)
            }
        }
    }
}

pub(super) struct ProfileReader<'a> {
    costs: Costs<'a>,
    budget: Rc<Budget>,
    event: Option<&'a str>,
    /// Column of the costs; `None` before `events:`.
    column: Option<usize>,
    /// Column of instructions, or the column of the costs if there is none.
    instructions: Option<usize>,
    event_name: String,
    positions: usize,
    /// Index of the line among the positions.
    line_position: Option<usize>,
    address_position: Option<usize>,
    previous: [u64; 2],
    objects: Names,
    files: Names,
    functions: Names,
    object: Rc<str>,
    /// File of the function, and file of its current lines.
    file: Rc<str>,
    line_file: Rc<str>,
    /// Function of the next lines.
    current: Option<u32>,
    called: Called,
    next: Next,
    /// Sum of own costs in this part, and the sum that the file claims.
    own: u64,
    summary: Option<u64>,
    is_checked: bool,
    has_costs: bool,
    /// True if the claimed total is zero.
    did_nothing: bool,
}

/// The callee of a call, as far as known.
#[derive(Default)]
struct Called {
    object: Option<Rc<str>>,
    file: Option<Rc<str>>,
    function: Option<Rc<str>>,
}

impl<'a> ProfileReader<'a> {
    pub(super) fn new(
        root: &'a Root,
        event: Option<&'a str>,
        inlining: &'a mut dyn Inlining,
        budget: &Rc<Budget>,
    ) -> Self {
        Self {
            costs: Costs::new(root, inlining, budget),
            budget: Rc::clone(budget),
            event,
            column: None,
            instructions: None,
            event_name: String::new(),
            positions: 1,
            line_position: Some(0),
            address_position: None,
            previous: [0; 2],
            objects: Names::default(),
            files: Names::default(),
            functions: Names::default(),
            object: Rc::from(""),
            file: UNKNOWN.into(),
            line_file: UNKNOWN.into(),
            current: None,
            called: Called::default(),
            next: Next::Own,
            own: 0,
            summary: None,
            is_checked: true,
            has_costs: false,
            did_nothing: false,
        }
    }

    pub(super) fn line(&mut self, line: &str, number: usize) -> Result<(), ImportError> {
        let begins_with_position = line.starts_with(|c: char| c.is_ascii_digit() || "+-*".contains(c));
        if line.is_empty() || line.starts_with('#') {
            Ok(())
        } else if begins_with_position {
            self.costs(line, number)
        } else if let Some((key, value)) = line.split_once('=').filter(|(key, _)| !key.contains(':')) {
            self.specification(key.trim_end(), value.trim(), number)
        } else {
            // The value of a header may contain `=`: `desc: Trigger: --dump-every-bb=20000`.
            self.header(line, number)
        }
    }

    fn header(&mut self, line: &str, number: usize) -> Result<(), ImportError> {
        let Some((key, value)) = line.split_once(':') else {
            let problem = format!("`{}` is not a valid line", shown(line));
            return Err(if number == 1 {
                ImportError::OtherFormat { format: FORMAT, problem }
            } else {
                ImportError::line(number, problem)
            });
        };
        match key {
            "events" => self.events(value, number)?,
            "positions" => {
                let words: Vec<&str> = value.split_whitespace().collect();
                if !(1..=2).contains(&words.len()) {
                    return Err(ImportError::line(number, "the positions must be `instr`, `line` or both"));
                }
                self.positions = words.len();
                self.line_position = words.iter().position(|w| *w == "line");
                self.address_position = words.iter().position(|w| *w == "instr");
                self.previous = [0; 2];
            }
            "summary" | "totals" => {
                let column = self.column.unwrap_or(0);
                let claimed = value.split_whitespace().nth(column).map_or(Some(0), digits);
                let claimed =
                    claimed.ok_or_else(|| ImportError::line(number, "the total is not a number"))?;
                if key == "totals" {
                    self.check(claimed)?;
                    self.did_nothing = claimed == 0;
                    self.summary = None;
                } else {
                    self.summary = Some(claimed);
                }
            }
            // A new part begins.
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
            choices: listed(names.iter().copied()),
        })?;
        let name = names.get(column).ok_or_else(|| ImportError::line(number, "no events"))?;
        self.column = Some(column);
        self.instructions = names.iter().position(|n| *n == INSTRUCTIONS).or(self.column);
        (*name).clone_into(&mut self.event_name);
        Ok(())
    }

    fn specification(&mut self, key: &str, value: &str, number: usize) -> Result<(), ImportError> {
        let unknown = || ImportError::line(number, format!("`{}` has no name yet", shown(value)));
        match key {
            "ob" => self.object = self.objects.resolve(value, &self.budget).ok_or_else(unknown)?,
            "fl" | "fi" | "fe" => {
                let name = self.files.resolve(value, &self.budget).ok_or_else(unknown)?;
                if key == "fl" {
                    self.file = Rc::clone(&name);
                }
                self.line_file = name;
            }
            "fn" => {
                let name = self.functions.resolve(value, &self.budget).ok_or_else(unknown)?;
                self.line_file = Rc::clone(&self.file);
                self.current = Some(self.costs.code(&name, &self.file, &self.object));
            }
            "cob" => {
                self.called.object = Some(self.objects.resolve(value, &self.budget).ok_or_else(unknown)?);
            }
            "cfi" | "cfl" => {
                self.called.file = Some(self.files.resolve(value, &self.budget).ok_or_else(unknown)?);
            }
            "cfn" => {
                self.called.function = Some(self.functions.resolve(value, &self.budget).ok_or_else(unknown)?);
            }
            "calls" => {
                let times = value.split_whitespace().next().and_then(digits);
                let times = times.ok_or_else(|| ImportError::line(number, "`calls` has no number"))?;
                self.next = Next::Called(self.call(times));
            }
            "jump" | "jcnd" => self.next = Next::Jump,
            // The target of a jump; its name can be referred to from here on.
            "jfi" => drop(self.files.resolve(value, &self.budget).ok_or_else(unknown)?),
            "jfn" => drop(self.functions.resolve(value, &self.budget).ok_or_else(unknown)?),
            "rfn" | "frfn" | "rob" => {}
            _ => {
                let what = format!("`{}=` is unknown in callgrind output", shown(key));
                return Err(ImportError::line(number, what));
            }
        }
        Ok(())
    }

    /// Records calls of a function, and returns its number.
    fn call(&mut self, times: u64) -> Option<u32> {
        let Called { object, file, function } = std::mem::take(&mut self.called);
        // Omitted parts are equal to the caller's.
        let file = file.unwrap_or_else(|| Rc::clone(&self.line_file));
        let object = object.unwrap_or_else(|| Rc::clone(&self.object));
        let callee = self.costs.code(&function?, &file, &object);
        self.costs.enter(callee, times);
        Some(callee)
    }

    fn costs(&mut self, line: &str, number: usize) -> Result<(), ImportError> {
        let next = std::mem::replace(&mut self.next, Next::Own);
        let mut words = line.split_whitespace();
        let mut position = [0_u64; 2];
        for (previous, position) in self.previous.iter().zip(&mut position).take(self.positions) {
            let word = words.next().unwrap_or_default();
            *position = place(word, *previous)
                .ok_or_else(|| ImportError::line(number, format!("`{}` is not a position", shown(word))))?;
        }
        self.previous = position;
        if next == Next::Jump {
            return Ok(());
        }
        let Some(column) = self.column else {
            return Err(ImportError::line(number, "costs come before `events:`"));
        };
        let Some(code) = self.current else {
            return Err(ImportError::line(number, "costs come before `fn=`"));
        };
        let (mut cost, mut instructions) = (0, 0);
        for (index, word) in words.enumerate() {
            let value = digits(word).ok_or_else(|| {
                ImportError::line(number, format!("the cost `{}` is not a number", shown(word)))
            })?;
            if index == column {
                cost = value;
            }
            if Some(index) == self.instructions {
                instructions = value;
            }
        }
        let line = self.line_position.map_or(0, |i| position[i]);
        let line = u32::try_from(line).map_err(|_| ImportError::line(number, "the line is out of range"))?;
        let address = self.address_position.map(|i| position[i]);
        let file = Rc::clone(&self.line_file);
        let at = Position { code, file: &file, line, address };
        match next {
            Next::Called(Some(callee)) => self.costs.add_calls(at, callee, cost),
            Next::Called(None) | Next::Jump => {}
            Next::Own => {
                self.has_costs = true;
                self.own = self.own.saturating_add(cost);
                self.costs.add(at, cost, instructions);
            }
        }
        Ok(())
    }

    /// Compares the costs of a part with the sum that it claims.
    fn check(&mut self, claimed: u64) -> Result<(), ImportError> {
        let own_costs = std::mem::take(&mut self.own);
        self.has_costs = false;
        if own_costs == claimed {
            return Ok(());
        }
        let what =
            format!("its costs add up to {own_costs}, not the claimed {claimed}; it is cut off or changed");
        Err(ImportError::Contradictory { what })
    }

    fn end_of_part(&mut self) -> Result<(), ImportError> {
        if let Some(summary) = self.summary.take() {
            return self.check(summary);
        }
        self.is_checked = false;
        Ok(())
    }

    pub(super) fn finish(mut self, last: usize) -> Result<Imported, ImportError> {
        if self.next != Next::Own {
            let missing = format!("the costs of a call must follow line {last}");
            return Err(ImportError::CutOff { missing });
        }
        if self.column.is_none() {
            let problem = "it has no line `events:`".to_owned();
            return Err(ImportError::OtherFormat { format: FORMAT, problem });
        }
        if self.has_costs || self.summary.is_some() {
            // callgrind's own output is incomplete without its totals at the end.
            self.end_of_part()?;
        }
        if !self.is_checked {
            let message = "it has neither `summary:` nor `totals:`, so it may be cut off";
            self.costs.warn(Warning::new(WarningKind::UncheckedTotal, message));
        }
        let did_nothing = self.did_nothing;
        let unit = if self.event_name == INSTRUCTIONS { "instructions" } else { &self.event_name };
        let imported = Imported { unit: Unit::new(unit), ..self.costs.finish()? };
        if imported.runs.iter().all(|run| run.counts.is_empty()) {
            // A thread that did nothing has the total 0.
            let reason = "no function has costs".to_owned();
            return if did_nothing { Ok(imported) } else { Err(ImportError::NoCounts { reason }) };
        }
        Ok(imported)
    }
}

/// Parses a position: `17`, `0x4a1`, `+3`, `-2` or `*`.
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
