//! Finds the lines of a study's functions that call others, using machine code and debug information.
//!
//! ```text
//!   main.cpp:9 in dedupe ──call──▶ std::find ──inlined──▶ std::__find_if       two calls to counted functions
//!   main.rs:20 in rank ──call──▶ slice::sort ──call──▶ rank::{closure}         one call: the sort is not counted
//! ```
//!
//! An instruction calls a function if its operand is the function's first address. Calls through pointers and through
//! tables of the linker are not found. Inlined functions are called by the line that the debug information names.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use object::{Architecture, Object, ObjectSection, SectionKind};
use trend_profile::{Call, Function, FunctionId, FunctionName};

use crate::DebugInfoError;
use crate::addresses::{CodeObject, OwnCode, Sources};
use crate::debug_info::ranges_of;
use crate::import::callgrind::Frame;

/// Maximum number of calls kept.
const MOST_CALLS: usize = 500_000;

/// Maximum number of call sites of uncounted code. Code with more sites does not link two functions: it is unknown
/// which site causes its calls.
const MOST_SITES: usize = 200;

/// Finds the calls in an ELF file. Returns none if the debug information is unreadable.
///
/// - Time: O(bytes of code + inlined functions).
///
/// # Errors
/// [`DebugInfoError::NotProgram`] if the bytes are not an ELF file.
pub fn calls(program: &[u8], own: &OwnCode<'_>, functions: &[Function]) -> Result<Vec<Call>, DebugInfoError> {
    let object = CodeObject::parse(program)?;
    let instructions = instructions(program, &object)?;
    let inlined = object.debug_info().map(|info| inlined(info.dwarf()).unwrap_or_default());
    let Some(inlined) = inlined else { return Ok(Vec::new()) };
    let starts: Vec<u64> = object.functions().map(|(begin, ..)| begin).collect();
    let mut search = Search { object, own, sources: Sources::Same, starts, call_sites: CallSites::default() };
    search.sources = search.find_sources();
    for &(at, target) in &instructions {
        search.instruction(at, target);
    }
    for &(at, level) in &inlined {
        search.inlined(at, level);
    }
    Ok(search.call_sites.calls(functions))
}

/// A line of a function.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Site {
    function: FunctionId,
    file: Arc<str>,
    line: u32,
}

struct Search<'a> {
    object: CodeObject,
    own: &'a OwnCode<'a>,
    sources: Sources,
    /// First addresses of functions, ascending.
    starts: Vec<u64>,
    call_sites: CallSites,
}

#[derive(Default)]
struct CallSites {
    direct: BTreeMap<(Site, FunctionId), Sites>,
    /// Uncounted functions by their first address.
    outside: HashMap<u64, Outside>,
}

/// The call instructions on a line that call one function.
#[derive(Default)]
struct Sites {
    /// Number of calls in each copy of the caller. Compilers make a copy wherever they inline the caller.
    by_copy: BTreeMap<u64, u32>,
    /// True if uncounted code calls the function on behalf of the line.
    is_through: bool,
}

impl Sites {
    fn count(&self) -> u32 {
        if self.is_through { 0 } else { self.by_copy.values().copied().max().unwrap_or(0) }
    }
}

/// A function that is not counted.
#[derive(Default)]
struct Outside {
    sites: BTreeSet<Site>,
    callers: BTreeSet<u64>,
    callees: BTreeSet<FunctionId>,
}

impl Search<'_> {
    fn find_sources(&mut self) -> Sources {
        let (object, starts) = (&mut self.object, &self.starts);
        let frames: Vec<Arc<[Frame]>> = starts.iter().map(|start| object.frames_at(*start)).collect();
        self.own.sources(frames.iter().flat_map(|frames| frames.iter()))
    }

    /// Returns the first address of the function around an address.
    fn start_of(&self, address: u64) -> Option<u64> {
        let behind = self.starts.partition_point(|start| *start <= address);
        self.starts[..behind].last().copied()
    }

    /// Returns the innermost counted frame, and its position.
    ///
    /// Functions that gcc inlines early are counted as part of their caller. So if several frames are in the same file,
    /// the innermost one has the line.
    fn site(&self, frames: &[Frame]) -> Option<(usize, Site)> {
        let place = |(position, frame)| Some((position, self.own.place(frame, self.sources)?));
        let (position, (function, file)) = frames.iter().enumerate().find_map(place)?;
        let is_there = |frame: &&Frame| frame.file == frames[position].file && frame.line > 0;
        let line = frames[..=position].iter().find(is_there)?.line;
        Some((position, Site { function, file: file.into(), line }))
    }

    /// Adds a call. `frames` surround it, and the innermost counted one is at `position`.
    fn add(&mut self, start: u64, frames: &[Frame], (position, site): (usize, Site), callee: FunctionId) {
        let is_through = frames[0].file != frames[position].file;
        let sites = self.call_sites.direct.entry((site, callee)).or_default();
        sites.is_through |= is_through;
        *sites.by_copy.entry(copy_of(start, &frames[position + 1..])).or_default() += 1;
    }

    /// Adds an instruction that calls the function at `target`.
    fn instruction(&mut self, at: u64, target: u64) {
        let callee = self.object.frames_at(target);
        let callee = callee.last().and_then(|frame| self.own.function(frame, self.sources));
        let frames = self.object.frames_at(at);
        let Some(start) = self.start_of(at) else { return };
        match (self.site(&frames), callee) {
            (Some(site), Some(callee)) => self.add(start, &frames, site, callee),
            (Some((_, site)), None) => {
                self.call_sites.outside.entry(target).or_default().sites.insert(site);
            }
            (None, Some(callee)) => {
                self.call_sites.outside.entry(start).or_default().callees.insert(callee);
            }
            (None, None) => {
                self.call_sites.outside.entry(target).or_default().callers.insert(start);
            }
        }
    }

    /// Adds a function that was inlined at an address, `level` deep in the function around it.
    fn inlined(&mut self, at: u64, level: usize) {
        let frames = self.object.frames_at(at);
        let Some(position) = frames.len().checked_sub(1 + level) else { return };
        let Some(callee) = self.own.function(&frames[position], self.sources) else { return };
        match (self.site(&frames[position + 1..]), self.start_of(at)) {
            (Some(site), start) => {
                self.add(start.unwrap_or(at), &frames[position + 1..], site, callee);
            }
            (None, Some(start)) => {
                self.call_sites.outside.entry(start).or_default().callees.insert(callee);
            }
            (None, None) => {}
        }
    }
}

impl CallSites {
    /// Returns all calls, including those through uncounted code.
    fn calls(mut self, functions: &[Function]) -> Vec<Call> {
        let mut through: Vec<(&u64, &Outside)> =
            self.outside.iter().filter(|(_, outside)| !outside.callees.is_empty()).collect();
        through.sort_by_key(|(start, _)| **start);
        for (start, outside) in through {
            for site in self.sites_of(*start) {
                for callee in &outside.callees {
                    self.direct.entry((site.clone(), *callee)).or_default().is_through = true;
                }
            }
        }
        let mut names: HashMap<FunctionId, FunctionName> = HashMap::new();
        let mut name = |id: FunctionId| {
            let of = &functions[id.index()];
            names.entry(id).or_insert_with(|| FunctionName::new(&of.symbol.name, &of.file)).clone()
        };
        // Instances of a template with equal names are copies.
        let mut all: BTreeMap<(FunctionName, Arc<str>, u32, FunctionName), Sites> = BTreeMap::new();
        for ((site, callee), sites) in self.direct {
            let sites_of_line =
                all.entry((name(site.function), site.file, site.line, name(callee))).or_default();
            sites_of_line.is_through |= sites.is_through;
            for (copy, count) in sites.by_copy {
                *sites_of_line.by_copy.entry(copy).or_default() += count;
            }
        }
        let calls = all.into_iter().take(MOST_CALLS);
        calls
            .map(|((caller, file, line, callee), sites)| Call {
                caller,
                file,
                line,
                callee,
                sites: sites.count(),
            })
            .collect()
    }

    /// Returns the lines that call an uncounted function directly or through other uncounted functions; empty if there
    /// are too many.
    fn sites_of(&self, start: u64) -> BTreeSet<Site> {
        let (mut sites, mut seen, mut next) = (BTreeSet::new(), HashSet::from([start]), vec![start]);
        while let Some(start) = next.pop() {
            let Some(outside) = self.outside.get(&start) else { continue };
            sites.extend(outside.sites.iter().cloned());
            next.extend(outside.callers.iter().filter(|caller| seen.insert(**caller)));
            if sites.len() > MOST_SITES || seen.len() > MOST_SITES {
                return BTreeSet::new();
            }
        }
        sites
    }
}

/// Returns a hash that identifies a copy of a function, from the function's start and the frames around the copy.
fn copy_of(start: u64, around: &[Frame]) -> u64 {
    let mut copy = DefaultHasher::new();
    start.hash(&mut copy);
    for frame in around {
        (&frame.function, frame.line).hash(&mut copy);
    }
    copy.finish()
}

/// Returns the addresses of instructions that call functions, with their targets.
///
/// Code is not decoded. On x86-64, a byte `e8` or `e9` followed by the distance to a function's first byte counts as
/// a call. Accidental matches are negligible: at most one per 2³² calls. A jump to the start of the same function is
/// not a call.
fn instructions(program: &[u8], object: &CodeObject) -> Result<Vec<(u64, u64)>, DebugInfoError> {
    let not_program = |e: object::Error| DebugInfoError::NotProgram { what: e.to_string() };
    let file = object::File::parse(program).map_err(not_program)?;
    let starts: HashSet<u64> = object.functions().map(|(begin, ..)| begin).collect();
    let mut calls = Vec::new();
    for section in file.sections().filter(|section| section.kind() == SectionKind::Text) {
        let Ok(code) = section.data() else { continue };
        for (begin, size, _) in object.functions() {
            let of_function = begin
                .checked_sub(section.address())
                .and_then(|from| code.get(usize::try_from(from).ok()?..)?.get(..usize::try_from(size).ok()?));
            let Some(bytes) = of_function else { continue };
            let operands = match file.architecture() {
                Architecture::X86_64 => of_x86(bytes, begin),
                Architecture::Aarch64 => of_arm(bytes, begin),
                _ => Vec::new(),
            };
            let is_call = |&(_, target, is_jump): &(u64, u64, bool)| {
                starts.contains(&target) && !(is_jump && target == begin)
            };
            calls.extend(operands.into_iter().filter(is_call).map(|(at, target, _)| (at, target)));
        }
    }
    Ok(calls)
}

/// Finds possible operands of calls and jumps. Returns address, target, and true for a jump.
fn of_x86(code: &[u8], begin: u64) -> Vec<(u64, u64, bool)> {
    let operand = |(at, bytes): (usize, &[u8])| {
        let &[code @ (0xe8 | 0xe9), a, b, c, d] = bytes else { return None };
        let distance = i64::from(i32::from_le_bytes([a, b, c, d]));
        let at = begin.checked_add(at as u64)?;
        Some((at, at.checked_add(5)?.checked_add_signed(distance)?, code == 0xe9))
    };
    code.windows(5).enumerate().filter_map(operand).collect()
}

/// Finds calls by `bl` and tail calls by `b`.
fn of_arm(code: &[u8], begin: u64) -> Vec<(u64, u64, bool)> {
    let operand = |(at, bytes): (usize, &[u8])| {
        let word = u32::from_le_bytes(bytes.try_into().ok()?);
        let kind = word >> 26;
        if kind != 0b10_0101 && kind != 0b00_0101 {
            return None;
        }
        let distance = i64::from((word << 6).cast_signed() >> 6) * 4;
        let at = begin.checked_add(4 * at as u64)?;
        Some((at, at.checked_add_signed(distance)?, kind == 0b00_0101))
    };
    code.chunks_exact(4).enumerate().filter_map(operand).collect()
}

/// Returns an address of each inlined function, and its depth in the function around it.
fn inlined(dwarf: &gimli::Dwarf<crate::debug_info::Section>) -> Result<Vec<(u64, usize)>, DebugInfoError> {
    let mut inlined_calls = Vec::new();
    let mut headers = dwarf.units();
    while let Some(header) = headers.next()? {
        let unit = dwarf.unit(header)?;
        let mut entries = unit.entries();
        // Depths of the surrounding inlined functions.
        let mut around: Vec<isize> = Vec::new();
        while let Some(entry) = entries.next_dfs()? {
            while around.last().is_some_and(|depth| *depth >= entry.depth()) {
                around.pop();
            }
            match entry.tag() {
                gimli::DW_TAG_subprogram => around.clear(),
                gimli::DW_TAG_inlined_subroutine => {
                    around.push(entry.depth());
                    let ranges = ranges_of(dwarf, &unit, entry)?;
                    inlined_calls.extend(ranges.first().map(|(begin, _)| (*begin, around.len())));
                }
                _ => {}
            }
        }
    }
    Ok(inlined_calls)
}
