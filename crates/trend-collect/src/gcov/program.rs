//! Many objects' notes as the functions and locations of one program.
//!
//! A function that several objects have a copy of (`static inline` in a header, templates) is one
//! function when the copies have the same control flow and the same lines, and its counts add up;
//! copies that were compiled differently have different signatures and stay apart. Names, lines
//! and signatures depend on the build alone; only the order of the indices depends on the order in
//! which objects were added.

use std::collections::HashMap;
use std::ops::Range;

use trend_profile::{Function, FunctionId, Kind, Location, Warning};

use super::flow::{Doubt, Plan, Scratch};
use super::matching::{Index, match_data};
use super::names::symbol;
use super::notes::{FunctionNotes, Notes};
use super::paths::Base;
use super::{Data, GcovError};

/// Index of an object file in a [`Program`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(u32);

impl ObjectId {
    /// The index as a subscript: objects are numbered in the order in which they were added.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The functions and locations of a program, and how to count them.
#[derive(Clone, Debug, Default)]
pub struct Program {
    root: String,
    functions: Vec<Function>,
    locations: Vec<Location>,
    /// The locations of each function, `[functions]`.
    of_function: Vec<Range<u32>>,
    known: HashMap<Function, FunctionId>,
    objects: Vec<Object>,
}

#[derive(Clone, Debug)]
struct Object {
    stamp: u32,
    index: Index,
    /// `[functions of the object]`
    functions: Vec<Counted>,
}

#[derive(Clone, Debug)]
struct Counted {
    plan: Plan,
    id: FunctionId,
    /// The blocks of the function's locations, in the order of the locations.
    blocks: Vec<u32>,
}

impl Program {
    /// A program without functions yet, whose source lies below the absolute folder `root`.
    pub fn new(root: &str) -> Self {
        Self { root: root.to_owned(), ..Self::default() }
    }

    /// Adds the notes of one object.
    ///
    /// `path` is where the notes lie, absolute or relative to the root. It finds the source files
    /// where the notes lack the compiler's working directory, as clang's do.
    ///
    /// - Time and memory: O(bytes).
    pub fn add_notes(&mut self, path: &str, notes: &[u8]) -> Result<ObjectId, GcovError> {
        let notes = Notes::parse(notes)?;
        let base = Base::new(&self.root, path, notes.directory());
        let files: Vec<String> = notes.files().iter().map(|f| base.name(f)).collect();
        let plans: Vec<Plan> = notes.functions().iter().map(Plan::new).collect();
        let index = Index::new(&notes, &plans);
        let functions = notes.functions().iter().zip(plans);
        let functions = functions.map(|(f, plan)| self.add_function(f, plan, &files)).collect();
        self.objects.push(Object { stamp: notes.stamp(), index, functions });
        Ok(ObjectId(self.objects.len() as u32 - 1))
    }

    /// The number of the build of one object, which its data has as well.
    ///
    /// # Panics
    /// The id is another program's.
    pub fn stamp(&self, object: ObjectId) -> u32 {
        self.objects[object.index()].stamp
    }

    /// How many objects were added.
    pub fn object_count(&self) -> usize {
        self.objects.len()
    }

    /// Functions in the order in which they were met, indexed by [`FunctionId`].
    pub fn functions(&self) -> &[Function] {
        &self.functions
    }

    /// Locations; the index is the position in the counts. Those of one function are consecutive: its
    /// entry first, then the blocks that have source lines, ascending.
    pub fn locations(&self) -> &[Location] {
        &self.locations
    }

    /// Adds one object's data to the counts, `[locations]`, saturating.
    ///
    /// On an error the counts are as they were. Warnings tell which functions' counts are doubtful;
    /// their text is the same in every run, so that equal ones can be merged.
    ///
    /// - Time: O(bytes + blocks + arcs).
    ///
    /// # Panics
    /// `counts` is not as long as the locations, or the id is another program's.
    pub fn add_counts(
        &self,
        object: ObjectId,
        data: &[u8],
        counts: &mut [u64],
    ) -> Result<Vec<Warning>, GcovError> {
        assert_eq!(counts.len(), self.locations.len(), "counts are [locations]");
        let object = &self.objects[object.index()];
        let data = Data::parse(data)?;
        let mut warnings = Vec::new();
        let mut scratch = Scratch::default();
        for (function, counters) in match_data(&object.index, &data)? {
            let Counted { plan, id, blocks } = &object.functions[function];
            if let Some(doubt) = plan.solve(counters, &mut scratch) {
                warnings.push(self.warning(doubt, *id));
            }
            let range = &self.of_function[id.index()];
            let counts = &mut counts[range.start as usize..range.end as usize];
            for (count, &block) in counts.iter_mut().zip(blocks) {
                *count = count.saturating_add(scratch.blocks()[block as usize]);
            }
        }
        Ok(warnings)
    }

    fn add_function(&mut self, notes: &FunctionNotes, plan: Plan, files: &[String]) -> Counted {
        let mut signature = signature(notes, files);
        let mut function = Function {
            symbol: symbol(notes.name()),
            file: files[notes.file() as usize].clone(),
            line: notes.line(),
            signature: String::new(),
        };
        let mut locations = locations(notes, files);
        let blocks: Vec<u32> = locations.iter().map(|l| l.block).collect();
        let id = loop {
            function.signature = format!("{signature:016x}");
            let Some(&id) = self.known.get(&function) else {
                let id = FunctionId(self.functions.len() as u32);
                let start = self.locations.len() as u32;
                set_function(&mut locations, id);
                self.locations.append(&mut locations);
                self.of_function.push(start..self.locations.len() as u32);
                self.functions.push(function.clone());
                self.known.insert(function, id);
                break id;
            };
            let range = &self.of_function[id.index()];
            let there = &self.locations[range.start as usize..range.end as usize];
            set_function(&mut locations, id);
            if there == locations {
                break id;
            }
            // Two signatures that are equal by accident, or made to be.
            signature = signature.wrapping_add(1);
        };
        Counted { plan, id, blocks }
    }

    fn warning(&self, doubt: Doubt, id: FunctionId) -> Warning {
        let Function { symbol, file, .. } = &self.functions[id.index()];
        let name = &symbol.name;
        match doubt {
            Doubt::Contradictory => Warning::new(
                "contradictory_counters",
                format!(
                    "the counters of `{name}` ({file}) contradict each other, so its counts are not exact: \
                     threads without `-fprofile-update=atomic`, or the program ended in the middle of it"
                ),
            ),
            Doubt::Undetermined => Warning::new(
                "undetermined_counters",
                format!(
                    "the compiler's notes of `{name}` ({file}) lack a jump, so that the counts of some of its \
                     blocks are wrong; clang does that to functions with several exits from a loop: build \
                     with gcc to be sure"
                ),
            ),
        }
    }
}

fn set_function(locations: &mut [Location], id: FunctionId) {
    for location in locations {
        location.function = id;
    }
}

/// A function's locations; their function is not known yet.
fn locations(notes: &FunctionNotes, files: &[String]) -> Vec<Location> {
    if notes.block_count() == 0 {
        return Vec::new();
    }
    let line = notes.line();
    let mut locations = vec![Location {
        function: FunctionId(0),
        kind: Kind::Entry,
        block: 0,
        file: files[notes.file() as usize].clone(),
        line,
        lines: if line > 0 { vec![line] } else { Vec::new() },
        label: String::new(),
    }];
    let mut lines = notes.lines().to_vec();
    lines.sort_by_key(|l| l.block);
    for lines in lines.chunk_by(|a, b| a.block == b.block) {
        let block = lines[0].block;
        if block == 0 || block == notes.exit_block() {
            continue;
        }
        let is_file = |file: u32| !files[file as usize].starts_with('<');
        let first = lines.iter().find(|l| is_file(l.file)).unwrap_or(&lines[0]);
        let mut all: Vec<u32> = lines.iter().filter(|l| l.file == first.file).map(|l| l.line).collect();
        all.sort_unstable();
        all.dedup();
        locations.push(Location {
            function: FunctionId(0),
            kind: Kind::Block,
            block,
            file: files[first.file as usize].clone(),
            line: first.line,
            lines: all,
            label: String::new(),
        });
    }
    locations
}

/// A number for control flow and lines: FNV-1a, which is the same on every machine.
fn signature(notes: &FunctionNotes, files: &[String]) -> u64 {
    let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
    hash.words([notes.block_count()]);
    for arc in notes.arcs() {
        hash.words([arc.source, arc.destination, arc.flags()]);
    }
    let mut file = None;
    for line in notes.lines() {
        if file.replace(line.file) != Some(line.file) {
            hash.bytes(files[line.file as usize].as_bytes());
        }
        hash.words([line.block, line.line]);
    }
    hash.0
}

struct Fnv(u64);

impl Fnv {
    fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn words<const N: usize>(&mut self, words: [u32; N]) {
        for word in words {
            self.bytes(&word.to_le_bytes());
        }
    }
}
