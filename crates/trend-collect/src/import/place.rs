//! Deduplicates functions and locations, and adds up a run's counts.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{BuildHasher as _, RandomState};
use std::rc::Rc;
use std::sync::Arc;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use indexmap::IndexSet;
use trend_profile::{Function, FunctionId, Kind, Location, Symbol, Warning, WarningKind};

use super::budget::{COUNT, ENTRY, PLACE};
use super::text::cut;
use super::{Budget, Imported, ImportedRun};
use crate::names::symbol;
use crate::paths::{Base, shortened};

/// Folder that names of source files below it become relative to.
#[derive(Clone, Debug)]
pub struct Root {
    folder: String,
    /// `None` if names stay as they are.
    base: Option<Base>,
}

impl Root {
    /// Creates a root from an absolute folder; an empty one leaves names as they are.
    pub fn new(folder: &str) -> Self {
        let base = (!folder.is_empty()).then(|| Base::new(folder, "", Some(folder)));
        Self { folder: folder.to_owned(), base }
    }

    /// Returns a root for names that are relative to another folder than the root.
    pub(super) fn within(&self, directory: &str) -> Self {
        if !directory.starts_with('/') || directory.len() > LONGEST_FOLDER {
            return self.clone();
        }
        let root = if self.folder.is_empty() { "/" } else { &self.folder };
        Self { folder: self.folder.clone(), base: Some(Base::new(root, "", Some(directory))) }
    }

    /// Returns the study's name for a file. Sources of crates have the short names used in coverage mappings.
    pub fn file(&self, file: &str) -> String {
        self.short_name(file)
    }

    /// Returns the study's name for a file.
    pub(super) fn name(&self, file: &str) -> String {
        match &self.base {
            None => file.to_owned(),
            Some(base) if self.folder.is_empty() => base.absolute(file),
            Some(base) => base.name(file),
        }
    }

    /// Returns the study's name for a file. Sources of crates and of Rust's standard library have the short names used
    /// in coverage mappings.
    pub(super) fn short_name(&self, file: &str) -> String {
        shortened(self.name(file))
    }
}

/// Maximum bytes of names; longer ones are cut. Every function and every location has a copy of its file's name.
const LONGEST_FILE: usize = 1024;
const LONGEST_FUNCTION: usize = 4096;

/// Maximum bytes of a folder, which precedes the name of every file; Linux has no longer paths.
const LONGEST_FOLDER: usize = 4096;

/// Collects imported places. Files, functions and locations are numbered in the order of their first use.
pub(super) struct Places {
    imported: Imported,
    budget: Rc<Budget>,
    hasher: RandomState,
    /// Positions in `imported`, so that no item is stored twice.
    functions: HashTable<u32>,
    locations: HashTable<u32>,
    files: IndexSet<Arc<str>>,
    /// File of each function, and by file the function for code outside of functions.
    function_files: Vec<u32>,
    outside: HashMap<u32, u32>,
    /// Lines of one-line locations, shared among files.
    lines: HashMap<u32, Arc<[u32]>>,
    no_label: Arc<str>,
    labels: HashSet<Arc<str>>,
    warnings: BTreeMap<WarningKind, usize>,
}

/// Maximum number of warnings kept per kind: a file can have one per line.
const MOST_WARNINGS: usize = 20;

impl Places {
    pub(super) fn new(budget: &Rc<Budget>) -> Self {
        Self {
            imported: Imported::default(),
            budget: Rc::clone(budget),
            hasher: RandomState::new(),
            functions: HashTable::new(),
            locations: HashTable::new(),
            files: IndexSet::new(),
            function_files: Vec::new(),
            outside: HashMap::new(),
            lines: HashMap::new(),
            no_label: Arc::from(""),
            labels: HashSet::new(),
            warnings: BTreeMap::new(),
        }
    }

    pub(super) fn budget(&self) -> Rc<Budget> {
        Rc::clone(&self.budget)
    }

    /// Returns the number of a file.
    pub(super) fn file(&mut self, name: &str) -> u32 {
        let name = &*cut(name, LONGEST_FILE);
        if let Some(id) = self.files.get_index_of(name) {
            return id as u32;
        }
        self.budget.keep(2 * ENTRY + name.len());
        self.files.insert_full(name.into()).0 as u32
    }

    /// Returns the number of a function by its linkage name; an empty name means code outside of functions.
    pub(super) fn function(&mut self, linkage: &str, file: u32, line: u32) -> u32 {
        self.function_of(symbol(&cut(linkage, LONGEST_FUNCTION)), file, line)
    }

    /// Returns the function for code of a file outside of functions.
    pub(super) fn outside(&mut self, file: u32) -> u32 {
        if let Some(&id) = self.outside.get(&file) {
            return id;
        }
        let function = self.function("", file, 0);
        self.outside.insert(file, function);
        function
    }

    /// Returns the number of a function whose demangled name is known.
    pub(super) fn function_of(&mut self, mut symbol: Symbol, file: u32, line: u32) -> u32 {
        for name in [&mut symbol.name, &mut symbol.linkage] {
            if name.len() > LONGEST_FUNCTION {
                *name = cut(name, LONGEST_FUNCTION).into_owned();
            }
        }
        let (functions, files) = (&self.imported.functions, &self.function_files);
        let hash = self.hasher.hash_one((&symbol, file, line));
        let is_same = |&f: &u32| {
            let function = &functions[f as usize];
            files[f as usize] == file && function.line == line && function.symbol == symbol
        };
        let hash_of = |&f: &u32| {
            let function = &functions[f as usize];
            self.hasher.hash_one((&function.symbol, files[f as usize], function.line))
        };
        match self.functions.entry(hash, is_same, hash_of) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(new) => {
                let number = functions.len() as u32;
                new.insert(number);
                let file_name = self.files[file as usize].to_string();
                let names = symbol.name.len() + symbol.linkage.len() + file_name.len();
                self.budget.keep(2 * (size_of::<Function>() + ENTRY + names));
                self.function_files.push(file);
                let function = Function { symbol, file: file_name, line, signature: String::new() };
                self.imported.functions.push(function);
                number
            }
        }
    }

    /// Returns the location for a line of a function.
    pub(super) fn line(&mut self, function: u32, file: u32, line: u32) -> u32 {
        if self.function_files[function as usize] == file {
            return self.location(function, Kind::Block, line, file, line, "");
        }
        // The study identifies a function's locations by number and label. Lines of other files (inlined code) need a
        // label.
        let label = format!("{}:{line}", self.files[file as usize]);
        self.location(function, Kind::Block, line, file, line, &label)
    }

    /// Returns the name of a function.
    pub(super) fn function_name(&self, function: u32) -> &str {
        &self.imported.functions[function as usize].symbol.name
    }

    /// Returns the name of a file.
    pub(super) fn file_name(&self, file: u32) -> &str {
        &self.files[file as usize]
    }

    /// Returns a numbered location. If the number is not unique in the function, the label must be.
    pub(super) fn labelled(&mut self, function: u32, block: u32, file: u32, line: u32, label: &str) -> u32 {
        self.location(function, Kind::Block, block, file, line, label)
    }

    /// Returns a numbered location that lies on these lines, which ascend.
    pub(super) fn spanning(
        &mut self,
        function: u32,
        block: u32,
        file: u32,
        lines: &[u32],
        label: &str,
    ) -> u32 {
        let line = lines.first().copied().unwrap_or_default();
        let before = self.imported.locations.len();
        let id = self.labelled(function, block, file, line, label);
        if id as usize == before && lines.len() > 1 {
            self.budget.keep(size_of_val(lines));
            self.imported.locations[before].lines = lines.into();
        }
        id
    }

    /// Returns the location of the function's entry.
    pub(super) fn entry(&mut self, function: u32) -> u32 {
        let (file, line) =
            (self.function_files[function as usize], self.imported.functions[function as usize].line);
        self.location(function, Kind::Entry, 0, file, line, "")
    }

    fn location(&mut self, function: u32, kind: Kind, block: u32, file: u32, line: u32, label: &str) -> u32 {
        let (locations, file) = (&self.imported.locations, &self.files[file as usize]);
        let function = FunctionId(function);
        // The file is not hashed: locations that only differ in their file are rare, and usually differ in line or
        // label as well.
        let hash = self.hasher.hash_one((function, kind, block, line, label));
        let is_same = |&l: &u32| {
            let l = &locations[l as usize];
            (l.function, l.kind, l.block, l.line) == (function, kind, block, line)
                && Arc::ptr_eq(&l.file, file)
                && *l.label == *label
        };
        let hash_of = |&l: &u32| {
            let l = &locations[l as usize];
            self.hasher.hash_one((l.function, l.kind, l.block, l.line, &*l.label))
        };
        match self.locations.entry(hash, is_same, hash_of) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(new) => {
                let number = locations.len() as u32;
                new.insert(number);
                self.budget.keep(PLACE);
                let file = Arc::clone(file);
                let lines = self.lines(line);
                let label = self.label(label);
                self.imported.locations.push(Location { function, kind, block, file, line, lines, label });
                number
            }
        }
    }

    fn lines(&mut self, line: u32) -> Arc<[u32]> {
        let budget = &self.budget;
        let lines = self.lines.entry(line).or_insert_with(|| {
            budget.keep(ENTRY);
            (line > 0).then_some(line).into_iter().collect()
        });
        Arc::clone(lines)
    }

    fn label(&mut self, label: &str) -> Arc<str> {
        if label.is_empty() {
            return Arc::clone(&self.no_label);
        }
        if let Some(shared) = self.labels.get(label) {
            return Arc::clone(shared);
        }
        self.budget.keep(2 * ENTRY + label.len());
        let label = Arc::<str>::from(label);
        self.labels.insert(Arc::clone(&label));
        label
    }

    /// Keeps a warning, unless it is known or there are many of its kind.
    pub(super) fn warn(&mut self, warning: Warning) {
        if self.imported.warnings.contains(&warning) {
            return;
        }
        let count = self.warnings.entry(warning.kind.clone()).or_default();
        *count += 1;
        if *count <= MOST_WARNINGS {
            self.imported.warnings.push(warning);
        }
    }

    /// Returns everything collected, with these runs.
    pub(super) fn finish(self, runs: Vec<ImportedRun>) -> Imported {
        let mut imported = Imported { runs, ..self.imported };
        for (kind, count) in self.warnings.iter().filter(|(_, count)| **count > MOST_WARNINGS) {
            let message = format!("{} more warnings of this kind", count - MOST_WARNINGS);
            imported.warnings.push(Warning::new(kind.clone(), message));
        }
        imported
    }
}

/// Counts of one run, added up.
pub(super) struct Tally {
    /// Location and cost; sorted by location, except for recent additions.
    counts: Vec<(u32, u64)>,
    /// Number of leading counts that are sorted and have distinct locations.
    settled: usize,
    budget: Rc<Budget>,
}

impl Tally {
    pub(super) fn new(budget: &Rc<Budget>) -> Self {
        Self { counts: Vec::new(), settled: 0, budget: Rc::clone(budget) }
    }

    /// Adds to a location, saturating.
    pub(super) fn add(&mut self, location: u32, count: u64) {
        // Most files list their places in the order of their numbers.
        if self.settled == self.counts.len() && self.counts.last().is_none_or(|&(last, _)| last < location) {
            self.settled += 1;
        } else if self.counts.len() >= (2 * self.settled).max(SOME_COUNTS) {
            self.settle();
        }
        self.budget.keep(COUNT);
        self.counts.push((location, count));
    }

    fn settle(&mut self) {
        let before = self.counts.len();
        self.counts.sort_by_key(|&(location, _)| location);
        self.counts.dedup_by(|next, sum| {
            let is_same = next.0 == sum.0;
            if is_same {
                sum.1 = sum.1.saturating_add(next.1);
            }
            is_same
        });
        self.settled = self.counts.len();
        self.budget.free(COUNT * (before - self.settled));
    }

    /// Returns location and cost, sorted by location.
    pub(super) fn into_counts(mut self) -> Vec<(u32, u64)> {
        self.settle();
        self.counts
    }
}

/// Minimum number of counts before intermediate sorting pays.
const SOME_COUNTS: usize = 1024;
