//! Functions and locations, each once, and a run's counts of them.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use trend_profile::{Function, FunctionId, Kind, Location, Symbol};

use super::{Imported, ImportedRun};
use crate::names::symbol;
use crate::paths::{Base, shortened};

/// The folder that names of source files become relative to, where they lie below it.
#[derive(Clone, Debug)]
pub struct Root {
    folder: String,
    directory: Option<String>,
}

impl Root {
    /// An absolute folder; names stay as they are where it is empty.
    pub fn new(folder: &str) -> Self {
        Self { folder: folder.to_owned(), directory: None }
    }

    /// The same for names that are relative to another folder than the root.
    pub(super) fn within(&self, directory: &str) -> Self {
        let directory = Some(directory.to_owned()).filter(|d| d.starts_with('/'));
        Self { folder: self.folder.clone(), directory }
    }

    /// The study's name for a file.
    pub(super) fn name(&self, file: &str) -> String {
        match (self.folder.as_str(), &self.directory) {
            ("", None) => file.to_owned(),
            ("", Some(directory)) => Base::new("/", "", Some(directory)).absolute(file),
            (root, directory) => Base::new(root, "", Some(directory.as_deref().unwrap_or(root))).name(file),
        }
    }

    /// The same, where sources of crates and of Rust's standard library have the short names that they have in coverage
    /// mappings.
    pub(super) fn short_name(&self, file: &str) -> String {
        shortened(self.name(file))
    }
}

/// Longer names are cut: every function has a copy of its file's, and every location too.
const LONGEST_FILE: usize = 1024;
const LONGEST_FUNCTION: usize = 4096;

fn cut(name: &str, most: usize) -> &str {
    &name[..name.floor_char_boundary(most)]
}

/// Which of the locations of one function and line.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    function: u32,
    kind: Kind,
    block: u32,
    file: u32,
    line: u32,
    /// Which part of the line, by the number of its label; 0 where there is but one.
    part: u32,
}

/// Collects what is imported. Files, functions and locations are numbered as they come.
#[derive(Debug, Default)]
pub(super) struct Places {
    imported: Imported,
    functions: HashMap<Function, u32>,
    files: HashMap<String, u32>,
    file_names: Vec<String>,
    locations: HashMap<Key, u32>,
    parts: HashMap<String, u32>,
}

impl Places {
    /// The number of a file.
    pub(super) fn file(&mut self, name: &str) -> u32 {
        let name = cut(name, LONGEST_FILE);
        if let Some(&known) = self.files.get(name) {
            return known;
        }
        let number = self.file_names.len() as u32;
        self.file_names.push(name.to_owned());
        self.files.insert(name.to_owned(), number);
        number
    }

    /// The number of a function by its linkage name; an empty one stands for code outside of functions.
    pub(super) fn function(&mut self, linkage: &str, file: u32, line: u32) -> u32 {
        self.function_of(symbol(cut(linkage, LONGEST_FUNCTION)), file, line)
    }

    /// The number of a function whose readable name is known.
    pub(super) fn function_of(&mut self, mut symbol: Symbol, file: u32, line: u32) -> u32 {
        for name in [&mut symbol.name, &mut symbol.linkage] {
            name.truncate(name.floor_char_boundary(LONGEST_FUNCTION));
        }
        let file = self.file_names[file as usize].clone();
        let function = Function { symbol, file, line, signature: String::new() };
        let next = self.imported.functions.len() as u32;
        match self.functions.entry(function) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                self.imported.functions.push(new.key().clone());
                *new.insert(next)
            }
        }
    }

    /// A line of a function, as one location.
    pub(super) fn line(&mut self, function: u32, file: u32, line: u32) -> u32 {
        let of = &self.imported.functions[function as usize];
        // The study knows a function's locations by their number and label: lines of other files (code that was
        // inlined) need a label.
        let label = match &self.file_names[file as usize] {
            name if *name == of.file => String::new(),
            name => format!("{name}:{line}"),
        };
        self.location(Key { function, kind: Kind::Block, block: line, file, line, part: 0 }, &label)
    }

    /// A part of a line of a function, as one location.
    pub(super) fn part(&mut self, function: u32, file: u32, line: u32, label: &str) -> u32 {
        let next = self.parts.len() as u32 + 1;
        let part = match self.parts.get(label) {
            Some(&known) => known,
            None => *self.parts.entry(label.to_owned()).or_insert(next),
        };
        self.location(Key { function, kind: Kind::Block, block: line, file, line, part }, label)
    }

    /// The name of a function.
    pub(super) fn function_name(&self, function: u32) -> &str {
        &self.imported.functions[function as usize].symbol.name
    }

    /// The name of a file.
    pub(super) fn file_name(&self, file: u32) -> &str {
        &self.file_names[file as usize]
    }

    /// A place with a name of its own, which has to be unique in the function.
    pub(super) fn labelled(&mut self, function: u32, block: u32, file: u32, line: u32, label: &str) -> u32 {
        self.location(Key { function, kind: Kind::Block, block, file, line, part: 0 }, label)
    }

    /// A numbered block of a function.
    pub(super) fn block(&mut self, function: u32, block: u32, file: u32, line: u32) -> u32 {
        self.location(Key { function, kind: Kind::Block, block, file, line, part: 0 }, "")
    }

    /// A place without a source line, known by its function's name alone.
    pub(super) fn whole(&mut self, function: u32, file: u32, label: &str) -> u32 {
        self.location(Key { function, kind: Kind::Block, block: 0, file, line: 0, part: 0 }, label)
    }

    /// The function's entry.
    pub(super) fn entry(&mut self, function: u32) -> u32 {
        let Function { file, line, .. } = &self.imported.functions[function as usize];
        let (file, line) = (file.clone(), *line);
        let file = self.file(&file);
        self.location(Key { function, kind: Kind::Entry, block: 0, file, line, part: 0 }, "")
    }

    fn location(&mut self, key: Key, label: &str) -> u32 {
        let next = self.imported.locations.len() as u32;
        match self.locations.entry(key) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                let Key { function, kind, block, file, line, .. } = *new.key();
                self.imported.locations.push(Location {
                    function: FunctionId(function),
                    kind,
                    block,
                    file: self.file_names[file as usize].as_str().into(),
                    line,
                    lines: (line > 0).then_some(line).into_iter().collect(),
                    label: label.into(),
                });
                *new.insert(next)
            }
        }
    }

    pub(super) fn warn(&mut self, warning: trend_profile::Warning) {
        if !self.imported.warnings.contains(&warning) {
            self.imported.warnings.push(warning);
        }
    }

    /// What was collected, with these runs.
    pub(super) fn finish(self, runs: Vec<ImportedRun>) -> Imported {
        Imported { runs, ..self.imported }
    }
}

/// Counts of one run, added up.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    order: Vec<(u32, u64)>,
    at: HashMap<u32, usize>,
}

impl Tally {
    /// Adds to a location; costs beyond 64 bits stay at the largest.
    pub(super) fn add(&mut self, location: u32, count: u64) {
        let next = self.order.len();
        let at = *self.at.entry(location).or_insert(next);
        match self.order.get_mut(at) {
            Some((_, sum)) => *sum = sum.saturating_add(count),
            None => self.order.push((location, count)),
        }
    }

    pub(super) fn into_counts(self) -> Vec<(u32, u64)> {
        self.order
    }
}
