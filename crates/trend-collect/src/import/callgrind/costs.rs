//! Converts costs and calls of one file to locations and counts.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use trend_profile::{Symbol, Warning, WarningKind};

use super::charge::{Caller, Calls, shares};
use super::inlining::{Frame, Inlining, UNKNOWN};
use super::library::{is_library_file, is_library_name, is_library_object, short_name};
use crate::import::budget::{COUNT, ENTRY};
use crate::import::place::{Places, Tally};
use crate::import::{Budget, ImportError, Imported, ImportedRun, Root};
use crate::names::{is_mangled, symbol};

/// Position of one record of the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Position<'a> {
    /// Number of the function, from [`Costs::code`].
    pub(super) code: u32,
    pub(super) file: &'a str,
    pub(super) line: u32,
    pub(super) address: Option<u64>,
}

/// Owner of a function.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Program,
    Library,
    /// The function's file belongs to a library. That only shows what was inlined at its first instruction, so it is
    /// the program's function if any of its lines is.
    Unknown,
}

/// A function as callgrind distinguishes functions, with the code inlined into it.
struct Code {
    name: Rc<str>,
    file: Rc<str>,
    object: Rc<str>,
    owner: Owner,
    /// First program file with lines of the function.
    program_file: Option<u32>,
    /// True if its whole object is a library.
    is_in_library: bool,
    /// Number of the study's function, once needed.
    function: Option<u32>,
    /// File, line and own cost of lines that are not known to be the program's.
    lines: Vec<(u32, u32, u64)>,
    entered: u64,
    instructions: Instructions,
}

/// A caller, as far as known before the end of the file.
enum From {
    Program(ProgramLine),
    /// A function that may belong to a library, at a file and line.
    Code(u32, u32, u32),
}

/// A line of the program. `entry` names the library function that the line calls, if the cost is in one.
struct ProgramLine {
    function: u32,
    file: u32,
    line: u32,
    entry: Option<Rc<str>>,
}

/// A function's name and object, and its file if others in the object may have the same name.
type Named = (Arc<str>, Rc<str>, Option<u32>);

/// Instructions executed in some code, whatever event the costs count, and the part of them without lines.
#[derive(Clone, Copy, Default)]
struct Instructions {
    all: u64,
    without_line: u64,
}

pub(super) struct Costs<'a> {
    root: &'a Root,
    inlining: &'a mut dyn Inlining,
    places: Places,
    tally: Tally,
    budget: Rc<Budget>,
    codes: Vec<Code>,
    numbers: HashMap<[Rc<str>; 3], u32>,
    calls: Calls,
    /// Calls, callees and inclusive costs of functions whose owner is still unknown.
    undecided: Vec<(From, u32, u64)>,
    /// Functions that were inlined somewhere; their number of calls is unknown.
    inlined: HashSet<u32>,
    functions: HashMap<Named, u32>,
    entries: HashMap<Arc<str>, Rc<str>>,
    files: HashMap<String, u32>,
}

impl<'a> Costs<'a> {
    pub(super) fn new(root: &'a Root, inlining: &'a mut dyn Inlining, budget: &Rc<Budget>) -> Self {
        Self {
            root,
            inlining,
            places: Places::new(budget),
            tally: Tally::new(budget),
            budget: Rc::clone(budget),
            codes: Vec::new(),
            numbers: HashMap::new(),
            calls: Calls::default(),
            undecided: Vec::new(),
            inlined: HashSet::new(),
            functions: HashMap::new(),
            entries: HashMap::new(),
            files: HashMap::new(),
        }
    }

    pub(super) fn warn(&mut self, warning: Warning) {
        self.places.warn(warning);
    }

    /// Returns the number of a function, which is created on first use.
    pub(super) fn code(&mut self, name: &Rc<str>, file: &Rc<str>, object: &Rc<str>) -> u32 {
        let next = self.codes.len() as u32;
        let key = [Rc::clone(name), Rc::clone(file), Rc::clone(object)];
        let (codes, budget) = (&mut self.codes, &self.budget);
        *self.numbers.entry(key).or_insert_with(|| {
            budget.keep(size_of::<Code>() + 2 * ENTRY + name.len());
            // Only callgrind itself names objects; other writers of the format don't.
            let is_in_library = !object.is_empty() && is_library_object(object);
            let has_library_name = || is_library_name(&symbol(name).name);
            let owner = match is_library_file(file) {
                _ if is_in_library => Owner::Library,
                true if !has_library_name() => Owner::Unknown,
                false if is_known(file) || !has_library_name() => Owner::Program,
                _ => Owner::Library,
            };
            codes.push(Code {
                name: Rc::clone(name),
                file: Rc::clone(file),
                object: Rc::clone(object),
                owner,
                program_file: None,
                is_in_library,
                function: None,
                lines: Vec::new(),
                entered: 0,
                instructions: Instructions::default(),
            });
            next
        })
    }

    /// Adds to the own cost of a position that executed this many instructions.
    pub(super) fn add(&mut self, at: Position<'_>, cost: u64, instructions: u64) {
        let line = self.program_line(at);
        let instructions_of_code = &mut self.codes[at.code as usize].instructions;
        instructions_of_code.all = instructions_of_code.all.saturating_add(instructions);
        if line.as_ref().map_or(at.line, |line| line.line) == 0 {
            instructions_of_code.without_line =
                instructions_of_code.without_line.saturating_add(instructions);
        }
        if let Some(line) = line {
            return self.add_to_program(&line, cost);
        }
        let file = self.file(at.file);
        self.budget.keep(COUNT);
        self.codes[at.code as usize].lines.push((file, at.line, cost));
    }

    fn add_to_program(&mut self, line: &ProgramLine, cost: u64) {
        let location = self.location(line);
        self.tally.add(location, cost);
    }

    /// Adds calls of a function from a position, with their inclusive cost.
    pub(super) fn add_calls(&mut self, at: Position<'_>, callee: u32, inclusive: u64) {
        if self.codes[callee as usize].owner == Owner::Program {
            return;
        }
        let from = match self.program_line(at) {
            Some(line) => From::Program(line),
            None => From::Code(at.code, self.file(at.file), at.line),
        };
        let is_known = self.codes[callee as usize].owner == Owner::Library
            && !matches!(from, From::Code(code, ..) if self.codes[code as usize].owner == Owner::Unknown);
        if is_known {
            self.add_call_of_library(from, callee, inclusive);
        } else {
            self.budget.keep(2 * ENTRY);
            self.undecided.push((from, callee, inclusive));
        }
    }

    fn add_call_of_library(&mut self, from: From, callee: u32, inclusive: u64) {
        let caller = match from {
            From::Code(code, ..) if self.codes[code as usize].owner == Owner::Library => {
                Caller::Library(code)
            }
            From::Code(code, file, line) => {
                let (function, entry) = (self.function(code), Some(self.entry_of(callee)));
                Caller::Program(self.location(&ProgramLine { function, file, line, entry }))
            }
            From::Program(mut line) => {
                if line.entry.is_none() {
                    line.entry = Some(self.entry_of(callee));
                }
                Caller::Program(self.location(&line))
            }
        };
        if self.calls.add(caller, callee, inclusive) {
            self.budget.keep(3 * COUNT);
        }
    }

    /// Decides who owns the undecided functions, once all lines are known, and records their pending costs and calls.
    fn decide(&mut self) {
        for number in 0..self.codes.len() as u32 {
            let code = &mut self.codes[number as usize];
            if code.owner != Owner::Unknown {
                continue;
            }
            if code.program_file.is_none() {
                code.owner = Owner::Library;
                continue;
            }
            code.owner = Owner::Program;
            let lines = std::mem::take(&mut code.lines);
            let function = self.function(number);
            for (file, line, cost) in lines {
                self.add_to_program(&ProgramLine { function, file, line, entry: None }, cost);
            }
        }
        for (from, callee, inclusive) in std::mem::take(&mut self.undecided) {
            if self.codes[callee as usize].owner == Owner::Library {
                self.add_call_of_library(from, callee, inclusive);
            }
        }
    }

    pub(super) fn enter(&mut self, callee: u32, times: u64) {
        let entered = &mut self.codes[callee as usize].entered;
        *entered = entered.saturating_add(times);
    }

    /// Returns the program's line at a position; `None` if the position is in a library.
    fn program_line(&mut self, at: Position<'_>) -> Option<ProgramLine> {
        let code = &self.codes[at.code as usize];
        if code.is_in_library {
            return None;
        }
        let frames =
            at.address.map(|address| self.inlining.frames(&code.object, address)).unwrap_or_default();
        let own_file = frames.last().map_or(at.file, |outermost| &outermost.file);
        if code.owner == Owner::Unknown
            && code.program_file.is_none()
            && is_known(own_file)
            && !is_library_file(own_file)
        {
            let own_file = self.file(own_file);
            self.codes[at.code as usize].program_file = Some(own_file);
        }
        if let Some(line) = self.line_of(at.code, &frames) {
            return Some(line);
        }
        if self.codes[at.code as usize].owner != Owner::Program {
            return None;
        }
        let (function, file) = (self.function(at.code), self.file(at.file));
        Some(ProgramLine { function, file, line: at.line, entry: None })
    }

    /// Returns the innermost line outside of libraries. If the line of an inlined function is unknown, its caller's
    /// line counts.
    fn line_of(&mut self, code: u32, frames: &[Frame]) -> Option<ProgramLine> {
        let own = frames.iter().position(|f| f.line > 0 && !is_library_file(&f.file))?;
        let frame = &frames[own];
        let is_outermost = own + 1 == frames.len();
        let file = self.file(&frame.file);
        let function = match &frame.function {
            _ if is_outermost => self.outermost(code, frame, file),
            name => self.inlined(code, name.as_ref().map_or_else(|| "?".into(), Arc::clone), file),
        };
        let library = frames[..own].iter().rfind(|f| is_library_file(&f.file));
        let entry = library.map(|library| match &library.function {
            None => Rc::from("?"),
            Some(name) => Rc::clone(
                self.entries
                    .entry(Arc::clone(name))
                    .or_insert_with_key(|name| short_name(&symbol(name).name).into()),
            ),
        });
        Some(ProgramLine { function, file, line: frame.line, entry })
    }

    /// Returns the outermost function, which is one function whatever the files of its lines.
    fn outermost(&mut self, code: u32, frame: &Frame, file: u32) -> u32 {
        let Code { name: symbol_name, file: first, object, function, .. } = &self.codes[code as usize];
        if let Some(function) = *function {
            return function;
        }
        let name: Arc<str> = match &frame.function {
            Some(name) if is_better(name, symbol_name) => Arc::clone(name),
            _ => (**symbol_name).into(),
        };
        let (first, object) = (Rc::clone(first), Rc::clone(object));
        let file = if is_known(&first) && !is_library_file(&first) { self.file(&first) } else { file };
        let function = self.named(name, &object, file);
        self.codes[code as usize].function = Some(function);
        function
    }

    fn inlined(&mut self, code: u32, name: Arc<str>, file: u32) -> u32 {
        let object = Rc::clone(&self.codes[code as usize].object);
        let function = self.named(name, &object, file);
        self.inlined.insert(function);
        function
    }

    /// Returns the function with this name. A linkage name is unique in its object, any other name in its file.
    fn named(&mut self, name: Arc<str>, object: &Rc<str>, file: u32) -> u32 {
        let of_file = if is_mangled(&name) { None } else { Some(file) };
        let places = &mut self.places;
        *self
            .functions
            .entry((name, Rc::clone(object), of_file))
            .or_insert_with_key(|(name, ..)| places.function_of(symbol(name), file, 0))
    }

    /// Returns the display name of a library function called by the program; a nameless one gets the name of its
    /// object.
    fn entry_of(&mut self, code: u32) -> Rc<str> {
        let Code { name, object, .. } = &self.codes[code as usize];
        if is_named(name) {
            let name = Arc::from(&**name);
            let entry = self.entries.entry(name);
            return Rc::clone(entry.or_insert_with_key(|name| short_name(&symbol(name).name).into()));
        }
        object.rsplit('/').next().unwrap_or_default().into()
    }

    fn location(&mut self, place: &ProgramLine) -> u32 {
        let ProgramLine { function, file, line, entry } = place;
        let Some(entry) = entry else { return self.places.line(*function, *file, *line) };
        let label = match line {
            0 => format!("{} → {entry}", self.places.function_name(*function)),
            line => format!("{}:{line} → {entry}", self.places.file_name(*file)),
        };
        self.places.labelled(*function, *line, *file, *line, &label)
    }

    fn file(&mut self, name: &str) -> u32 {
        if let Some(&file) = self.files.get(name) {
            return file;
        }
        let short = if is_known(name) { self.root.short_name(name) } else { String::new() };
        let number = self.places.file(&short);
        self.files.insert(name.to_owned(), number);
        number
    }

    /// Returns the study's function for a function of the file. Functions without a file are distinguished by their
    /// object.
    fn function(&mut self, code: u32) -> u32 {
        let Code { name, file, object, function, .. } = &self.codes[code as usize];
        if let Some(function) = *function {
            return function;
        }
        let (name, file, object) = (Rc::clone(name), Rc::clone(file), Rc::clone(object));
        let program_file = self.codes[code as usize].program_file;
        let symbol = symbol(&name);
        let (number, linkage) = if let Some(file) = program_file {
            (file, symbol.linkage)
        } else if is_known(&file) {
            (self.file(&file), symbol.linkage)
        } else {
            (self.places.file(&self.root.short_name(&object)), format!("{} [{object}]", symbol.linkage))
        };
        let function = self.places.function_of(Symbol { name: symbol.name, linkage }, number, 0);
        self.codes[code as usize].function = Some(function);
        function
    }

    /// Charges the costs of libraries, and returns everything as one run.
    ///
    /// # Errors
    /// Fails if more is kept than allowed.
    pub(super) fn finish(mut self) -> Result<Imported, ImportError> {
        self.decide();
        self.budget.check()?;
        let own_cost =
            |code: &Code| code.lines.iter().fold(0_u64, |sum, (_, _, cost)| sum.saturating_add(*cost));
        let own: Vec<u64> = self.codes.iter().map(own_cost).collect();
        let charges = self.calls.charge(&own);
        for (location, cost) in charges.charged.into_iter().filter(|(_, cost)| *cost > 0) {
            self.tally.add(location, cost);
        }
        for (code, kept) in charges.kept.into_iter().enumerate() {
            self.keep(code as u32, kept, own[code], charges.part[code] > 0.0);
        }
        for code in 0..self.codes.len() {
            let entered = self.codes[code].entered;
            // Functions called by the program have no row of their own, or one for other calls only.
            if entered > 0 && charges.part[code] == 0.0 {
                let function = self.function(code as u32);
                if !self.inlined.contains(&function) {
                    let entry = self.places.entry(function);
                    self.tally.add(entry, entered);
                }
            }
        }
        self.tell_what_has_no_lines();
        self.budget.check()?;
        let counts = self.tally.into_counts();
        Ok(self.places.finish(vec![ImportedRun { counts, ..ImportedRun::default() }]))
    }

    /// Keeps costs that no line of the program was charged in the library function, in proportion to its lines' costs.
    fn keep(&mut self, code: u32, kept: u64, own: u64, is_called: bool) {
        let lines = std::mem::take(&mut self.codes[code as usize].lines);
        if kept == 0 && (is_called || lines.is_empty()) {
            return;
        }
        let function = self.function(code);
        if own == 0 && kept > 0 {
            // The function was charged by others and has no cost of its own.
            let file = self.file(&Rc::clone(&self.codes[code as usize].file));
            let location = self.places.line(function, file, 0);
            return self.tally.add(location, kept);
        }
        for (&(file, line, _), share) in
            lines.iter().zip(shares(kept, lines.iter().map(|(_, _, cost)| *cost)))
        {
            let location = self.places.line(function, file, line);
            self.tally.add(location, share);
        }
    }

    fn tell_what_has_no_lines(&mut self) {
        let mut objects: BTreeMap<&str, Instructions> = BTreeMap::new();
        for code in self.codes.iter().filter(|code| code.owner == Owner::Program) {
            let of_object = objects.entry(&code.object).or_default();
            of_object.all = of_object.all.saturating_add(code.instructions.all);
            of_object.without_line = of_object.without_line.saturating_add(code.instructions.without_line);
        }
        for (object, of_object) in objects {
            if object.is_empty() || of_object.without_line <= of_object.all / 2 {
                continue;
            }
            let message = format!(
                "{object} has no line information, so its costs are known only by function; compile it \
                 with `-g` (cargo: CARGO_PROFILE_RELEASE_DEBUG=true)"
            );
            self.places.warn(Warning::new(WarningKind::NoLines, message));
        }
    }
}

fn is_known(file: &str) -> bool {
    !file.is_empty() && file != UNKNOWN
}

/// Returns true if a function has a name. callgrind writes addresses for functions without one.
fn is_named(name: &str) -> bool {
    !name.is_empty() && name != UNKNOWN && !name.starts_with("0x")
}

/// Returns true if the debug information has a better name than the symbol table: with its path, or without the
/// compiler's suffix for a part of it (`sort.part.0`).
fn is_better(name: &str, symbol: &str) -> bool {
    !is_named(symbol)
        || is_mangled(name)
        || symbol.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}
