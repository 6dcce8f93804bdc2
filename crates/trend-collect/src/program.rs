//! Combines many objects' notes, and programs' coverage mappings, into the functions and locations of one program.
//!
//! Several objects may have copies of a function (`static inline` in a header, templates). Copies with equal control
//! flow and lines are one function, and their counts add up. Copies that were compiled differently have different
//! signatures and stay separate. Names, lines and signatures depend on the build alone; only the order of the indices
//! depends on the order in which objects were added.

use std::collections::HashMap;
use std::ops::Range;

use trend_profile::{Function, FunctionId, Location, Warning, WarningKind};

use crate::fnv::Fnv;
use crate::gcov::flow::{Doubt, FlowPlan, Scratch};
use crate::gcov::matching::{Index, match_data};
use crate::gcov::notes::{FunctionNotes, Notes};
use crate::gcov::shape::{locations, signature};
use crate::gcov::{Data, GcovError};
use crate::llvm::{CoverageMap, FunctionLocations, LlvmError, RawProfile, SummedProfile, shape};
use crate::names::{symbol, symbol_of_mapping};
use crate::paths::Base;

/// Index of an object file in a [`Program`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(u32);

impl ObjectId {
    /// Returns the index as a `usize`: objects are numbered in the order in which they were added.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The functions and locations of a program, and the data needed to count them.
#[derive(Clone, Debug, Default)]
pub struct Program {
    root: String,
    functions: Vec<Function>,
    locations: Vec<Location>,
    /// Range of each function's locations, `[functions]`.
    of_function: Vec<Range<u32>>,
    ids: HashMap<Function, FunctionId>,
    objects: Vec<Object>,
}

#[derive(Clone, Debug)]
enum Object {
    Notes {
        stamp: u32,
        index: Index,
        /// `[functions of the object]`
        functions: Vec<Counted>,
    },
    Mapping {
        map: CoverageMap,
        /// `[counted functions of the map]`
        functions: Vec<Mapped>,
    },
}

/// A function of a coverage mapping.
#[derive(Clone, Debug)]
struct Mapped {
    /// Index of the function in the map.
    index: usize,
    id: FunctionId,
    /// Regions of the function's locations, in the order of the locations.
    regions: Vec<u32>,
}

#[derive(Clone, Debug)]
struct Counted {
    plan: FlowPlan,
    id: FunctionId,
    /// Blocks of the function's locations, in the order of the locations.
    blocks: Vec<u32>,
}

impl Program {
    /// Creates a program without functions, whose sources lie below the absolute folder `root`.
    pub fn new(root: &str) -> Self {
        Self { root: root.to_owned(), ..Self::default() }
    }

    /// Adds the notes of one object.
    ///
    /// `path` is the path of the notes, absolute or relative to the root. It helps to find the source files if the
    /// notes lack the compiler's working directory, as clang's do.
    ///
    /// - Time and memory: O(bytes).
    pub fn add_notes(&mut self, path: &str, notes: &[u8]) -> Result<ObjectId, GcovError> {
        let notes = Notes::parse(notes)?;
        let base = Base::new(&self.root, path, notes.directory());
        let files: Vec<String> = notes.files().iter().map(|f| base.name(f)).collect();
        let plans: Vec<FlowPlan> = notes.functions().iter().map(FlowPlan::new).collect();
        let index = Index::new(&notes, &plans);
        let functions = notes.functions().iter().zip(plans);
        let functions = functions.map(|(f, plan)| self.add_function(f, plan, &files)).collect();
        self.objects.push(Object::Notes { stamp: notes.stamp(), index, functions });
        Ok(ObjectId(self.objects.len() as u32 - 1))
    }

    /// Adds a linked program or library with LLVM's coverage mapping.
    ///
    /// Functions that the compiler saw but did not compile are left out, because nothing counts them.
    ///
    /// - Time and memory: O(bytes).
    pub fn add_binary(&mut self, path: &str, program: &[u8]) -> Result<ObjectId, LlvmError> {
        let map = CoverageMap::parse(program)?;
        let base = Base::new(&self.root, path, None);
        let files: Vec<String> = map.files().iter().map(|f| base.named_short(f)).collect();
        let counted = map.functions().iter().enumerate().filter(|(_, f)| f.is_counted());
        let functions = counted
            .map(|(index, function)| {
                let FunctionLocations { locations, regions } = shape(function, &files);
                let mut hash = Fnv::new();
                hash.words([function.hash() as u32, (function.hash() >> 32) as u32]);
                for l in &locations {
                    hash.bytes(l.file.as_bytes());
                    hash.words([l.block, l.line]);
                }
                let (file, line) =
                    locations.first().map_or_else(Default::default, |l| (l.file.to_string(), l.line));
                let symbol = symbol_of_mapping(function.name());
                let named = Function { symbol, file, line, signature: String::new() };
                Mapped { index, id: self.intern(named, hash.finish(), locations), regions }
            })
            .collect();
        self.objects.push(Object::Mapping { map, functions });
        Ok(ObjectId(self.objects.len() as u32 - 1))
    }

    /// Returns true if this object wrote the profile.
    ///
    /// # Panics
    /// Panics if the id belongs to another program.
    pub fn wrote(&self, object: ObjectId, profile: &RawProfile) -> bool {
        match &self.objects[object.index()] {
            Object::Notes { .. } => false,
            Object::Mapping { map, .. } => map.wrote(profile),
        }
    }

    /// Adds one run's counters of a program with a coverage mapping to the counts, `[locations]`, saturating. On an
    /// error the counts stay unchanged.
    ///
    /// # Panics
    /// Panics if `counts` differs in length from the locations, or the id belongs to another program.
    pub fn add_profiles(
        &self,
        object: ObjectId,
        counters: &SummedProfile,
        counts: &mut [u64],
    ) -> Result<Vec<Warning>, LlvmError> {
        assert_eq!(counts.len(), self.locations.len(), "counts are [locations]");
        let Object::Mapping { map, functions } = &self.objects[object.index()] else {
            return Err(LlvmError::OtherProgram);
        };
        let mut counted = Vec::new();
        for mapped in functions {
            if let Some(counters) = counters.of_function(&map.functions()[mapped.index])? {
                counted.push((mapped, counters));
            }
        }
        if counted.is_empty() {
            return Err(LlvmError::OtherProgram);
        }
        let mut warnings = Vec::new();
        for (mapped, counters) in counted {
            let (of_regions, is_contradictory) = map.functions()[mapped.index].counts(counters);
            if is_contradictory {
                warnings.push(self.warning(Doubt::Contradictory, mapped.id));
            }
            let range = &self.of_function[mapped.id.index()];
            let counts = &mut counts[range.start as usize..range.end as usize];
            for (count, &region) in counts.iter_mut().zip(&mapped.regions) {
                *count = count.saturating_add(of_regions[region as usize]);
            }
        }
        Ok(warnings)
    }

    /// Returns the stamp of one object's build, which its data has as well.
    ///
    /// # Panics
    /// Panics if the id belongs to another program.
    pub fn stamp(&self, object: ObjectId) -> u32 {
        match &self.objects[object.index()] {
            Object::Notes { stamp, .. } => *stamp,
            Object::Mapping { map, .. } => map.stamp(),
        }
    }

    /// Returns the functions in the order in which they were added, indexed by [`FunctionId`].
    pub fn functions(&self) -> &[Function] {
        &self.functions
    }

    /// Returns the locations; the index is the position in the counts. Locations of one function are consecutive: its
    /// entry first, then the blocks with source lines, ascending.
    pub fn locations(&self) -> &[Location] {
        &self.locations
    }

    /// Adds one object's data to the counts, `[locations]`, saturating.
    ///
    /// On an error the counts stay unchanged. Warnings name the functions with doubtful counts; their text is equal in
    /// every run, so that they can be deduplicated. Data of a child made by `fork` is only meaningful when added to its
    /// parent's.
    ///
    /// - Time: O(blocks + arcs).
    ///
    /// # Panics
    /// Panics if `counts` differs in length from the locations, or the id belongs to another program.
    pub fn add_data(
        &self,
        object: ObjectId,
        data: &Data,
        counts: &mut [u64],
    ) -> Result<Vec<Warning>, GcovError> {
        assert_eq!(counts.len(), self.locations.len(), "counts are [locations]");
        let Object::Notes { index, functions, .. } = &self.objects[object.index()] else {
            return Err(GcovError::NotGcov { expected: "notes", beginning: "a program".to_owned() });
        };
        let mut warnings = Vec::new();
        let mut scratch = Scratch::default();
        for (function, counters) in match_data(index, data)? {
            let Counted { plan, id, blocks } = &functions[function];
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

    fn add_function(&mut self, notes: &FunctionNotes, plan: FlowPlan, files: &[String]) -> Counted {
        let function = Function {
            symbol: symbol(notes.name()),
            file: files[notes.file() as usize].clone(),
            line: notes.line(),
            signature: String::new(),
        };
        let locations = locations(notes, files);
        let blocks = locations.iter().map(|l| l.block).collect();
        let id = self.intern(function, signature(notes, files), locations);
        Counted { plan, id, blocks }
    }

    /// Returns the function with these locations, which is added if it is new.
    fn intern(
        &mut self,
        mut function: Function,
        mut signature: u64,
        mut locations: Vec<Location>,
    ) -> FunctionId {
        loop {
            function.signature = format!("{signature:016x}");
            let Some(&id) = self.ids.get(&function) else {
                let id = FunctionId(self.functions.len() as u32);
                let start = self.locations.len() as u32;
                set_function(&mut locations, id);
                self.locations.append(&mut locations);
                self.of_function.push(start..self.locations.len() as u32);
                self.functions.push(function.clone());
                self.ids.insert(function, id);
                return id;
            };
            let range = &self.of_function[id.index()];
            let there = &self.locations[range.start as usize..range.end as usize];
            set_function(&mut locations, id);
            if there == locations {
                return id;
            }
            // Two different functions have equal signatures, by accident or on purpose.
            signature = signature.wrapping_add(1);
        }
    }

    fn warning(&self, doubt: Doubt, id: FunctionId) -> Warning {
        let Function { symbol, file, .. } = &self.functions[id.index()];
        let name = &symbol.name;
        match doubt {
            Doubt::Contradictory => Warning::new(
                WarningKind::ContradictoryCounters,
                format!(
                    "the counts of `{name}` ({file}) are not exact because its counters contradict each \
                     other: threads without `-fprofile-update=atomic`, or the program ended inside it"
                ),
            ),
            Doubt::Undetermined => Warning::new(
                WarningKind::UndeterminedCounters,
                format!(
                    "some counts of `{name}` ({file}) are wrong because the compiler's notes lack a jump; \
                     clang does this for loops with several exits. Build with gcc to be sure"
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
