//! Attributes allocations to the user's own code: finds which functions of a program are the user's, and the line for
//! an address.
//!
//! ```text
//!   list.c        xmalloc ──malloc──▶      hands memory on: returns `void *`, sets a `void **`, or returns unfilled cells of a size
//!   list.c        push ──xmalloc──▶        own code: asks for the memory
//!   stl_vector.h  _M_realloc_insert        library code: its caller asks
//!   libgcov       __gcov_exit              maintains counters: not the program's memory
//! ```
//!
//! If functions were inlined at an address, the allocation is attributed to the innermost own function that does not
//! hand memory on. Without debug information it is attributed to any function outside the standard libraries, and lines
//! are unknown.

mod ranges;
mod search;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::sync::Arc;

use self::ranges::{merged, without};
use self::search::Search;
use crate::DebugInfoError;
use crate::addresses::CodeObject;
use crate::import::callgrind::Frame;
use crate::import::callgrind::library::{is_library_file, is_library_name};
use crate::names::symbol;

/// Prefixes of the functions that gcc, clang and rustc link in to maintain counters.
const COUNTING: [&str; 5] = ["__gcov_", "__llvm_gcov_", "llvm_gcov_", "llvm_gcda_", "__llvm_profile_"];

/// First bytes of the own-code file: `\x89\x1aTPown1`, read as a number.
const MAGIC: u64 = 0x316e_776f_5054_1a89;

/// Role of the code that calls an allocating function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// The code needs the memory for itself.
    Asks = 1,
    /// The code hands the memory to its caller.
    HandsOn = 2,
    /// The code maintains counters: allocations below it are not the program's.
    Counts = 3,
}

/// The user's own code in a program or library.
#[derive(Debug)]
pub struct AskingCode {
    object: CodeObject,
    has_lines: bool,
    /// Disjoint ranges by ascending address: start, end and role.
    ranges: Vec<(u64, u64, Role)>,
    /// Names of functions that hand memory on.
    handing: HashSet<Arc<str>>,
}

/// The function and line that an allocation is attributed to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asker {
    /// Linkage name of the function; empty if unknown.
    pub function: Arc<str>,
    /// Path of the source file as the compiler recorded it; empty if unknown.
    pub file: Arc<str>,
    /// Line number; 0 if unknown.
    pub line: u32,
}

impl AskingCode {
    /// Finds own code in an ELF file. Unreadable debug information counts as missing.
    ///
    /// - Time: O(bytes of debug information).
    ///
    /// # Errors
    /// [`DebugInfoError::NotProgram`] if the bytes are not an ELF file.
    pub fn parse(program: &[u8]) -> Result<Self, DebugInfoError> {
        let object = CodeObject::parse(program)?;
        let from_debug_info = object.debug_info().and_then(|info| {
            let mut search = Search::new(info.dwarf()).ok()?;
            let ranges = search.ranges().ok()?;
            Some((ranges, search.names))
        });
        let has_lines = from_debug_info.is_some();
        let (ranges, handing) = from_debug_info.unwrap_or_else(|| (by_symbols(&object), HashSet::new()));
        let ranges = with_counting(&ranges, &object);
        Ok(Self { object, has_lines, ranges, handing })
    }

    /// Returns true if lines are known.
    pub fn has_lines(&self) -> bool {
        self.has_lines
    }

    /// Returns true if the owner of any code is known: without debug information and symbols, none is.
    pub fn is_known(&self) -> bool {
        self.has_lines || self.ranges.iter().any(|(_, _, role)| *role != Role::Counts)
    }

    /// Returns the role of the code at an address; `None` if it belongs to a library.
    pub fn role(&self, address: u64) -> Option<Role> {
        let next = self.ranges.partition_point(|range| range.0 <= address);
        let (_, end, role) = self.ranges[..next].last()?;
        (address < *end).then_some(*role)
    }

    /// Returns the function and line that an allocation at an address is attributed to; `None` if the code belongs to a
    /// library.
    pub fn asker(&mut self, address: u64) -> Option<Asker> {
        self.role(address).filter(|role| *role != Role::Counts)?;
        let frames = self.object.frames_at(address);
        let mut own = frames.iter().filter(|frame| !self.has_lines || is_own(&frame.file));
        let hands_on =
            |frame: &&Frame| frame.function.as_ref().is_some_and(|name| self.handing.contains(name));
        let asks = own.clone().find(|frame| !hands_on(frame)).or_else(|| own.next())?;
        Some(Asker {
            function: asks.function.clone().unwrap_or_default(),
            file: Arc::clone(&asks.file),
            line: asks.line,
        })
    }

    /// Encodes the file that tells a process which code is whose. It has the device and inode of each program or
    /// library, and its ranges.
    ///
    /// ```text
    /// file:    magic  number of modules  module …  range …          (8 8 … …  bytes; this machine's byte order)
    /// module:  device  inode  first range  number of ranges         (8 8 8 8)
    /// range:   start      length  role                              (8 4 4)
    /// ```
    pub fn table<'c>(modules: impl Iterator<Item = (u64, u64, &'c Self)>) -> Vec<u8> {
        let (mut heads, mut ranges, mut count) = (Vec::new(), Vec::new(), 0_u64);
        let mut modules_count = 0_u64;
        for (device, inode, code) in modules {
            let first = count;
            for &(begin, end, role) in &code.ranges {
                let mut begin = begin;
                while begin < end {
                    let length = u32::try_from(end - begin).unwrap_or(u32::MAX);
                    ranges.extend_from_slice(&begin.to_ne_bytes());
                    ranges.extend_from_slice(&length.to_ne_bytes());
                    ranges.extend_from_slice(&(role as u32).to_ne_bytes());
                    (begin, count) = (begin + u64::from(length), count + 1);
                }
            }
            for word in [device, inode, first, count - first] {
                heads.extend_from_slice(&word.to_ne_bytes());
            }
            modules_count += 1;
        }
        let start = [MAGIC.to_ne_bytes(), modules_count.to_ne_bytes()].concat();
        [start, heads, ranges].concat()
    }
}

/// Adds the functions that maintain counters, found by their names.
fn with_counting(ranges: &[(u64, u64, Role)], object: &CodeObject) -> Vec<(u64, u64, Role)> {
    let is_counting = |name: &str| COUNTING.iter().any(|start| name.starts_with(start));
    let counting = object.functions().filter(|(.., name)| is_counting(name));
    let counting =
        merged(counting.filter_map(|(begin, size, _)| Some((begin, begin.checked_add(size)?))).collect());
    let apart = |&(begin, end, role): &(u64, u64, Role)| {
        without(&[(begin, end)], &counting).into_iter().map(move |(begin, end)| (begin, end, role))
    };
    let mut all: Vec<_> = ranges.iter().flat_map(apart).collect();
    all.extend(counting.iter().map(|&(begin, end)| (begin, end, Role::Counts)));
    all.sort_unstable();
    all
}

/// Returns every function outside the standard libraries, for objects without debug information.
fn by_symbols(object: &CodeObject) -> Vec<(u64, u64, Role)> {
    let mut ranges: Vec<(u64, u64, Role)> = Vec::new();
    for (begin, size, name) in object.functions() {
        let begin = ranges.last().map_or(begin, |last| last.1.max(begin));
        let end = begin.checked_add(size).filter(|_| !is_library_name(&symbol(name).name));
        ranges.extend(end.filter(|end| begin < *end).map(|end| (begin, end, Role::Asks)));
    }
    ranges
}

fn is_own(file: &str) -> bool {
    !file.is_empty() && !is_library_file(file)
}
