//! Maps addresses in a process to functions and lines of a program or library, and to functions of the study.
//!
//! ```text
//!   /proc/PID/maps ──Mappings──▶ object, offset in its file ──CodeObject──▶ frames ──OwnCode──▶ the study's function
//! ```
//!
//! Frames come from the debug information and include inlined functions. Without debug information there is one frame
//! from the symbol table, and its line is unknown.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use object::read::{Object, ObjectSegment, ObjectSymbol};
use trend_profile::{Function, FunctionId, Location};

use crate::debug_info::{DebugInfo, DebugInfoError};
use crate::import::callgrind::Frame;
use crate::names::{is_mangled, without_file};
use crate::paths::Base;

/// Suffixes that gcc and clang append to the names of parts and copies of a function.
const CLONES: [&str; 7] = [".cold", ".part.", ".isra.", ".constprop.", ".lto_priv.", ".llvm.", "._omp_fn."];

/// Files mapped into a process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mappings {
    /// Mappings by ascending address; none overlap.
    mapped: Vec<Mapping>,
}

/// A part of a file in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// First address of the mapping.
    pub start: u64,
    /// End address of the mapping, exclusive.
    pub end: u64,
    /// File offset of the first address, in bytes.
    pub offset: u64,
    /// Path of the file, or the kernel's name in brackets for memory without a file, such as `[vdso]`. Empty for
    /// unnamed memory.
    pub object: Arc<str>,
}

impl Mappings {
    /// Parses the text of a process's `/proc/PID/maps`. Skips lines that are not mappings.
    pub fn parse(text: &str) -> Self {
        let mut mappings = Self::default();
        text.lines().filter_map(Mapping::parse).for_each(|mapping| mappings.add(mapping));
        mappings
    }

    /// Adds a mapping and replaces whatever was mapped there. Parts of other mappings outside it remain. Ignores an
    /// empty mapping.
    ///
    /// - Time: O(mappings).
    pub fn add(&mut self, new: Mapping) {
        if new.start >= new.end {
            return;
        }
        let mut kept = Vec::with_capacity(self.mapped.len() + 2);
        for old in self.mapped.drain(..) {
            if old.start < new.start {
                kept.push(Mapping { end: old.end.min(new.start), ..old.clone() });
            }
            if old.end > new.end {
                let start = old.start.max(new.end);
                let offset = old.offset.saturating_add(start - old.start);
                kept.push(Mapping { start, offset, ..old });
            }
        }
        let place = kept.partition_point(|mapping| mapping.start < new.start);
        kept.insert(place, new);
        self.mapped = kept;
    }

    /// Returns the number of mappings.
    pub(crate) fn len(&self) -> usize {
        self.mapped.len()
    }

    /// Returns the object at an address, and the offset in its file.
    ///
    /// - Time: O(log mappings).
    pub fn find(&self, address: u64) -> Option<(&Arc<str>, u64)> {
        let behind = self.mapped.partition_point(|mapping| mapping.start <= address);
        let mapping = self.mapped[..behind].last().filter(|mapping| address < mapping.end)?;
        Some((&mapping.object, mapping.offset.checked_add(address - mapping.start)?))
    }
}

impl Mapping {
    /// Parses a line such as `7f20-7f40 r-xp 00001000 fd:01 1234    /usr/lib/libc.so.6`.
    fn parse(line: &str) -> Option<Self> {
        let mut rest = line;
        let mut word = || {
            let (word, behind) = rest.split_once(' ').unwrap_or((rest, ""));
            rest = behind.trim_start_matches(' ');
            word
        };
        let hexadecimal = |text: &str| u64::from_str_radix(text, 16).ok();
        let (start, end) = word().split_once('-')?;
        let (_, offset) = (word(), word());
        let (_, _) = (word(), word());
        Some(Self {
            start: hexadecimal(start)?,
            end: hexadecimal(end)?,
            offset: hexadecimal(offset)?,
            object: rest.strip_suffix(" (deleted)").unwrap_or(rest).into(),
        })
    }
}

/// The segments, symbols and debug information of a program or shared library.
#[derive(Debug)]
pub struct CodeObject {
    segments: Vec<Segment>,
    info: Option<DebugInfo>,
    /// Functions by ascending address.
    symbols: Vec<SymbolRange>,
}

/// A part of the file that is loaded into memory.
#[derive(Clone, Copy, Debug)]
struct Segment {
    offset: u64,
    size: u64,
    address: u64,
}

#[derive(Debug)]
struct SymbolRange {
    address: u64,
    /// Size in bytes; 0 if unknown.
    size: u64,
    name: Arc<str>,
}

impl CodeObject {
    /// Parses an ELF file. Unreadable debug information counts as missing.
    ///
    /// # Errors
    /// [`DebugInfoError::NotProgram`] if the bytes are not an ELF file.
    pub fn parse(bytes: &[u8]) -> Result<Self, DebugInfoError> {
        let not_program = |e: object::Error| DebugInfoError::NotProgram { what: e.to_string() };
        let file = object::File::parse(bytes).map_err(not_program)?;
        let segment = |segment: object::Segment<'_, '_>| {
            let (offset, size) = segment.file_range();
            Segment { offset, size, address: segment.address() }
        };
        let segments = file.segments().map(segment).collect();
        let info = DebugInfo::parse(bytes).ok();
        let function = |symbol: object::Symbol<'_, '_>| {
            let is_function = symbol.kind() == object::SymbolKind::Text && symbol.is_definition();
            let name = symbol.name().ok().filter(|name| is_function && !name.is_empty())?;
            Some(SymbolRange { address: symbol.address(), size: symbol.size(), name: name.into() })
        };
        let mut symbols: Vec<SymbolRange> = file.symbols().filter_map(function).collect();
        if symbols.is_empty() {
            symbols = file.dynamic_symbols().filter_map(function).collect();
        }
        symbols.sort_by(|a, b| (a.address, &a.name).cmp(&(b.address, &b.name)));
        symbols.dedup_by_key(|symbol| symbol.address);
        Ok(Self { segments, info, symbols })
    }

    /// Returns the debug information, if readable.
    pub(crate) fn debug_info(&self) -> Option<&DebugInfo> {
        self.info.as_ref()
    }

    /// Returns start, size and linkage name of each function, by ascending address; the size is 0 if unknown.
    pub(crate) fn functions(&self) -> impl Iterator<Item = (u64, u64, &str)> {
        self.symbols.iter().map(|symbol| (symbol.address, symbol.size, &*symbol.name))
    }

    /// Converts a file offset to an address of the object's own tables; returns `None` if the offset is not loaded.
    pub fn address(&self, offset: u64) -> Option<u64> {
        let is_in = |segment: &&Segment| offset.checked_sub(segment.offset).is_some_and(|o| o < segment.size);
        let segment = self.segments.iter().find(is_in)?;
        segment.address.checked_add(offset - segment.offset)
    }

    /// Returns the functions at a file offset, innermost first; empty if none are known.
    ///
    /// - Time: that of decoding the debug information of one unit, for the first offset in that unit.
    pub fn frames(&mut self, offset: u64) -> Arc<[Frame]> {
        self.address(offset).map(|address| self.frames_at(address)).unwrap_or_default()
    }

    /// Returns the functions at an address of the object's own tables, innermost first.
    pub fn frames_at(&mut self, address: u64) -> Arc<[Frame]> {
        let frames_known = self.info.as_mut().map(|info| info.frames(address)).unwrap_or_default();
        let Some(symbol) = self.symbol_at(address).cloned() else { return frames_known };
        if frames_known.iter().all(|frame| frame.function.is_none()) {
            let (file, line) =
                frames_known.first().map_or((Arc::default(), 0), |frame| (frame.file.clone(), frame.line));
            return Arc::new([Frame { function: Some(symbol), file, line }]);
        }
        // If there are only line tables, rustc gives functions short names.
        let is_short = |frame: &Frame| frame.function.as_deref().is_some_and(|name| !is_mangled(name));
        if is_mangled(&symbol) && frames_known.last().is_some_and(is_short) {
            let mut frames = frames_known.to_vec();
            frames.iter_mut().next_back().into_iter().for_each(|frame| frame.function = Some(symbol.clone()));
            return frames.into();
        }
        frames_known
    }

    /// Returns the linkage name of the function at an address of the object's own tables.
    fn symbol_at(&self, address: u64) -> Option<&Arc<str>> {
        let behind = self.symbols.partition_point(|symbol| symbol.address <= address);
        let symbol = self.symbols[..behind].last()?;
        (symbol.size == 0 || address - symbol.address < symbol.size).then_some(&symbol.name)
    }
}

/// Finds the study's functions for frames.
#[derive(Debug)]
pub struct OwnCode<'a> {
    root: PathBuf,
    base: Base,
    /// Functions by linkage name.
    functions: HashMap<&'a str, Vec<OwnFunction<'a>>>,
    /// Functions by the last part of a mangled name, without generic arguments. Debug information with only line tables
    /// has no more.
    short: HashMap<String, Vec<OwnFunction<'a>>>,
}

/// Location of the sources that an object was compiled from, according to its debug information.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sources {
    /// The study's folder on this machine.
    Same,
    /// Another folder with the same files, or another name for that folder (`-fdebug-prefix-map`).
    Copied,
}

/// A function and the files and lines of its code.
#[derive(Clone, Debug)]
struct OwnFunction<'a> {
    id: FunctionId,
    name: &'a str,
    files: HashSet<&'a str>,
    lines: HashSet<u32>,
}

impl<'a> OwnCode<'a> {
    /// Indexes a study's functions and locations by name.
    ///
    /// - Time: O(functions + locations).
    pub fn new(root: &str, functions: &'a [Function], locations: &'a [Location]) -> Self {
        let mut files: Vec<HashSet<&str>> =
            functions.iter().map(|function| [function.file.as_str()].into()).collect();
        let mut lines: Vec<HashSet<u32>> = vec![HashSet::new(); functions.len()];
        for location in locations {
            let function = location.function.index();
            if let (Some(files), Some(lines)) = (files.get_mut(function), lines.get_mut(function)) {
                files.insert(&location.file);
                lines.extend(location.lines.iter());
            }
        }
        let mut by_name: HashMap<&str, Vec<_>> = HashMap::new();
        let mut short: HashMap<String, Vec<_>> = HashMap::new();
        for (((i, function), files), lines) in functions.iter().enumerate().zip(files).zip(lines) {
            let id = FunctionId(u32::try_from(i).unwrap_or(u32::MAX));
            let own = OwnFunction { id, name: &function.symbol.name, files, lines };
            let linkage = without_file(&function.symbol.linkage);
            if is_mangled(linkage) {
                short.entry(last_part(&function.symbol.name)).or_default().push(own.clone());
            }
            by_name.entry(linkage).or_default().push(own);
        }
        Self { root: root.into(), base: Base::new(root, "", Some("/")), functions: by_name, short }
    }

    /// Returns where the object with these frames was compiled: elsewhere, unless a frame in the study's folder belongs
    /// to a function of the study. Headers of the system and crates don't count, because they have the same names
    /// wherever a program is compiled.
    pub fn sources<'f>(&self, frames: impl IntoIterator<Item = &'f Frame>) -> Sources {
        let is_same = |frame: &Frame| {
            Path::new(&*frame.file).starts_with(&self.root) && self.function(frame, Sources::Same).is_some()
        };
        if frames.into_iter().any(is_same) { Sources::Same } else { Sources::Copied }
    }

    /// Returns the study's function for a frame: the one with the frame's name and code in its file. For copied
    /// sources, the function whose file is the longest suffix of the frame's file. If the file is unknown, all
    /// functions with the name must be in the same files.
    pub fn function(&self, frame: &Frame, sources: Sources) -> Option<FunctionId> {
        self.find(frame, sources).map(|of| of.id)
    }

    /// Returns the function of a frame, and the frame's file as named in the study.
    pub(crate) fn place(&self, frame: &Frame, sources: Sources) -> Option<(FunctionId, &str)> {
        let of = self.find(frame, sources)?;
        let file = self.base.named_short(&frame.file);
        let is_it = |name: &&&str| is_end_of(name, &file);
        let name = of.files.iter().filter(is_it).max_by_key(|name| (name.len(), **name))?;
        Some((of.id, name))
    }

    fn find(&self, frame: &Frame, sources: Sources) -> Option<&OwnFunction<'_>> {
        let name = frame.function.as_deref()?;
        let end = CLONES.iter().filter_map(|clone| name.find(clone)).min().unwrap_or(name.len());
        let of_linkage = self.functions.get(name).or_else(|| self.functions.get(&name[..end]));
        let Some(named) = of_linkage else { return self.inlined(name, frame) };
        // Copies of one function that were compiled differently are in the same file.
        if frame.file.is_empty() {
            let first = named.first()?;
            return named.iter().all(|other| other.files == first.files).then_some(first);
        }
        let file = self.base.named_short(&frame.file);
        let is_end = |name: &&&str| is_end_of(name, &file);
        let longest_end = |of: &OwnFunction<'_>| of.files.iter().filter(is_end).map(|name| name.len()).max();
        match sources {
            Sources::Same => named.iter().find(|of| of.files.contains(file.as_str())),
            Sources::Copied => {
                let ends = named.iter().filter_map(|of| Some((longest_end(of)?, of)));
                ends.rev().max_by_key(|(length, _)| *length).map(|(_, of)| of)
            }
        }
    }
}

impl OwnCode<'_> {
    /// Returns the function in the frame's file with this short name. It must be the only one, or the only one with
    /// code on the frame's line. Instances of a generic function with equal names count as one.
    fn inlined(&self, name: &str, frame: &Frame) -> Option<&OwnFunction<'_>> {
        let file = self.base.named_short(&frame.file);
        let named: Vec<&OwnFunction<'_>> =
            self.short.get(&last_part(name))?.iter().filter(|of| of.files.contains(file.as_str())).collect();
        let on_line: Vec<&OwnFunction<'_>> =
            named.iter().copied().filter(|of| of.lines.contains(&frame.line)).collect();
        let only = |all: &[&'_ OwnFunction<'_>]| all.iter().all(|of| of.name == all[0].name);
        [named, on_line].into_iter().find(|all| !all.is_empty() && only(all)).map(|all| all[0])
    }
}

/// Returns true if `file` equals `end` or ends in `/end`.
fn is_end_of(end: &str, file: &str) -> bool {
    file.strip_suffix(end).is_some_and(|folder| folder.is_empty() || folder.ends_with('/'))
}

/// Returns the last part of a path without arguments: `a::f::<b::T>::{closure#0}` → `{closure#0}`, `<T as U>::g::<V>` →
/// `g`, `f<V>` → `f`.
fn last_part(name: &str) -> String {
    let (mut plain, mut depth, mut before) = (String::with_capacity(name.len()), 0_usize, ' ');
    for c in name.chars() {
        match c {
            '<' => depth += 1,
            '>' if before != '-' => depth = depth.saturating_sub(1),
            _ if depth == 0 => plain.push(c),
            _ => {}
        }
        before = c;
    }
    plain.rsplit("::").find(|part| !part.is_empty()).unwrap_or(name).to_owned()
}

#[cfg(test)]
mod tests {
    use trend_profile::Kind;

    use super::*;

    fn mapping(start: u64, end: u64, offset: u64, object: &str) -> Mapping {
        Mapping { start, end, offset, object: object.into() }
    }

    #[test]
    fn mappings_are_read_as_the_kernel_writes_them() {
        let text = "\
55a0-55b0 r-xp 00001000 fd:01 131   /p/my program (deleted)
7f00-7f20 rw-p 00000000 00:00 0
7f20-7f30 r-xp 00000000 00:00 0                          [vdso]
no line
zz-7f50 r-xp 00000000 00:00 0 /x
";
        let mappings = Mappings::parse(text);
        assert_eq!(mappings.mapped.len(), 3);
        assert_eq!(mappings.find(0x55a8), Some((&"/p/my program".into(), 0x1008)));
        assert_eq!(mappings.find(0x7f1f), Some((&"".into(), 0x1f)));
        assert_eq!(mappings.find(0x7f20), Some((&"[vdso]".into(), 0)));
        assert_eq!((mappings.find(0x55b0), mappings.find(0x559f)), (None, None));
    }

    #[test]
    fn a_later_mapping_replaces_what_was_there() {
        let mut mappings = Mappings::default();
        mappings.add(mapping(0x100, 0x200, 0x1000, "a"));
        mappings.add(mapping(0x140, 0x160, 0, "b"));
        mappings.add(mapping(0x160, 0x160, 0, "nothing"));
        mappings.add(mapping(0x300, 0x200, 0, "nothing"));
        let at = |address| mappings.find(address).map(|(object, offset)| (object.to_string(), offset));
        assert_eq!(at(0x13f), Some(("a".to_owned(), 0x103f)));
        assert_eq!(at(0x140), Some(("b".to_owned(), 0)));
        assert_eq!(at(0x160), Some(("a".to_owned(), 0x1060)));
        assert_eq!(at(0x200), None);
        mappings.add(mapping(0, 0x400, 7, "c"));
        assert_eq!(mappings.find(0x150), Some((&"c".into(), 0x157)));
        // At the end of the address space, the file offset would overflow.
        mappings.add(mapping(u64::MAX - 16, u64::MAX, u64::MAX - 4, "d"));
        assert_eq!(mappings.find(u64::MAX - 8), None);
    }

    fn frame(function: &str, file: &str) -> Frame {
        Frame { function: Some(function.into()), file: file.into(), line: 1 }
    }

    /// Returns the index of the study's function for a frame with this function and file.
    fn position(own: &OwnCode<'_>, function: &str, file: &str) -> Option<usize> {
        own.function(&frame(function, file), Sources::Same).map(FunctionId::index)
    }

    #[test]
    fn a_function_is_found_by_its_name_and_file() {
        let functions = [
            Function::plain("copy", "a.c", 3),
            Function::plain("copy", "lib/b.c", 9),
            Function::plain("sort", "a.c", 20),
        ];
        let own = OwnCode::new("/p", &functions, &[]);
        let position_of = |name: &str, file: &str| position(&own, name, file);
        assert_eq!(position_of("copy", "/p/a.c"), Some(0));
        assert_eq!(position_of("copy", "/p/lib/../lib/b.c"), Some(1));
        assert_eq!(position_of("copy", "/q/b.c"), None);
        assert_eq!(position_of("copy", ""), None);
        assert_eq!(position_of("copy.constprop.0", "/p/lib/b.c"), Some(1));
        assert_eq!(position_of("sort.isra.0.cold", ""), Some(2));
        assert_eq!(position_of("memcpy", "/p/a.c"), None);
        // An uncounted library may have functions with the same names.
        assert_eq!((position_of("sort", "/p/lib/b.c"), position_of("sort", "/usr/src/q/a.c")), (None, None));
    }

    #[test]
    fn a_function_has_the_code_that_was_written_in_another_file() {
        let functions = [Function::plain("yyparse", "parse.tab.c", 900)];
        let action = Location::on_line(Kind::Block, "parse.y", 40);
        let own = OwnCode::new("/p", &functions, std::slice::from_ref(&action));
        assert_eq!(position(&own, "yyparse", "/p/parse.tab.c"), Some(0));
        assert_eq!(position(&own, "yyparse", "/p/parse.y"), Some(0));
        assert_eq!(position(&own, "yyparse", "/p/other.y"), None);
    }

    #[test]
    fn local_functions_of_clang_are_found_by_the_name_that_the_linker_knows() {
        let functions = [
            Function::plain("lib/a.c:copy", "lib/a.c", 3),
            Function::plain("b.cc;_ZL4copyv", "b.cc", 9),
            Function::plain("b.c:copy", "b.c", 9),
        ];
        let own = OwnCode::new("/p", &functions, &[]);
        let position_of = |name: &str, file: &str| position(&own, name, file);
        assert_eq!(position_of("copy", "/p/lib/a.c"), Some(0));
        assert_eq!(position_of("_ZL4copyv", "/p/b.cc"), Some(1));
        assert_eq!(position_of("copy.llvm.17", "/p/b.c"), Some(2));
        assert_eq!(position_of("copy", ""), None);
    }

    #[test]
    fn a_build_in_another_folder_has_the_same_functions() {
        let functions = [
            Function::plain("copy", "b.c", 3),
            Function::plain("copy", "lib/b.c", 9),
            Function::plain("copy", "zlib/a.c", 7),
        ];
        let own = OwnCode::new("/p", &functions, &[]);
        let position_of = |file: &str| {
            let frame = frame("copy", file);
            own.function(&frame, own.sources([&frame])).map(FunctionId::index)
        };
        assert_eq!((position_of("/q/plain/b.c"), position_of("/q/plain/lib/b.c")), (Some(0), Some(1)));
        assert_eq!((position_of("/p/b.c"), position_of("/p/lib/b.c")), (Some(0), Some(1)));
        assert_eq!((position_of("/q/plain/libb.c"), position_of("/q/plain/lib/a.c")), (None, None));
    }

    #[test]
    fn one_file_of_the_study_says_that_the_others_have_their_own_names() {
        let header = "/usr/include/c++/12/vector";
        let functions = [
            Function::plain("copy", "b.c", 3),
            Function::plain("sort", "a.c", 9),
            Function::plain("push", header, 7),
        ];
        let own = OwnCode::new("/p", &functions, &[]);
        let (copied, own_file, no_file) =
            (frame("copy", "/q/b.c"), frame("sort", "/p/a.c"), frame("sort", ""));
        assert_eq!(own.sources([&copied, &own_file]), Sources::Same);
        // A name without a file does not show where the object was compiled.
        assert_eq!(own.sources([&copied, &no_file]), Sources::Copied);
        // A system header does not either: it has the same name in all builds.
        let of_header = frame("push", header);
        assert_eq!(own.sources([&copied, &of_header]), Sources::Copied);
        for sources in [Sources::Same, Sources::Copied] {
            assert_eq!(own.function(&of_header, sources).map(FunctionId::index), Some(2));
        }
        assert_eq!(own.function(&copied, Sources::Same), None);
        assert_eq!(own.function(&copied, Sources::Copied).map(FunctionId::index), Some(0));
    }

    #[test]
    fn own_code_is_found_in_this_program() {
        let program = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        let mut object = CodeObject::parse(&program).unwrap();
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        let address = Mapping::parse as fn(&str) -> Option<Mapping> as usize as u64;
        let mappings = Mappings::parse(&maps);
        let (file, offset) = mappings.find(address).unwrap();
        assert!(std::env::current_exe().unwrap().ends_with(&**file), "{file}");
        let frames = object.frames(offset);
        let outermost = frames.last().unwrap();
        assert!(outermost.function.as_ref().unwrap().contains("parse"), "{outermost:?}");
        assert!(outermost.file.ends_with("trend-collect/src/addresses.rs"), "{outermost:?}");
        // The symbol table has the function as well.
        object.info = None;
        let by_symbol = object.frames(offset);
        assert!(by_symbol[0].function.as_ref().unwrap().contains("parse"), "{by_symbol:?}");
        assert_eq!((by_symbol.len(), by_symbol[0].line), (1, 0));
    }

    #[test]
    fn what_is_no_program_is_refused_and_a_damaged_one_has_no_frames() {
        assert!(matches!(CodeObject::parse(b"#!/bin/sh"), Err(DebugInfoError::NotProgram { .. })));
        let program = std::fs::read("/bin/true").unwrap();
        for cut in [64, 200, program.len() / 2] {
            // Parsing a truncated file must not panic.
            if let Ok(mut object) = CodeObject::parse(&program[..cut]) {
                for offset in [0, 64, 0x2000, u64::MAX] {
                    let _ = object.frames(offset);
                }
            }
        }
        let mut damaged = program.clone();
        for at in (0..damaged.len()).step_by(7) {
            damaged[at] ^= 0x55;
            if at < 4096
                && let Ok(mut object) = CodeObject::parse(&damaged)
            {
                for offset in [0, 64, 0x2000, u64::MAX] {
                    let _ = object.frames(offset);
                }
            }
        }
    }
}
