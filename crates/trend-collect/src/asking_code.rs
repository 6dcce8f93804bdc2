//! Which code of a program is the user's own, and which line of it an address stands for, for what records who asks for memory.
//!
//! ```text
//!   list.c      xmalloc ──malloc──▶        hands on: it gives `void *`, or memory through a `void **`
//!   list.c      push ──xmalloc──▶          asks
//!   stl_vector.h  _M_realloc_insert        is a library's: its caller asks
//! ```
//!
//! Of what was inlined at an address, the innermost function of the user's own that does not hand on is the one that asks.
//! Without debug information, all functions in the program but those of the standard libraries ask, and lines are not known.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use gimli::{AttributeValue, DebuggingInformationEntry, Unit, UnitOffset};

use crate::DebugInfoError;
use crate::addresses::CodeObject;
use crate::debug_info::Section;
use crate::import::callgrind::Frame;
use crate::import::callgrind::library::{is_library_file, is_library_name};
use crate::names::symbol;

/// References from one entry to another are followed no further.
const FURTHEST: usize = 32;

/// Debug information in which functions have more ranges than this is damaged: many of them share lists that are long.
const MOST_RANGES: usize = 1 << 24;

/// What begins the file of own code: `\x89\x1aTPown1`, read as a number.
const MAGIC: u64 = 0x316e_776f_5054_1a89;

/// What code does that calls an allocating function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// It wants the memory.
    Asks = 1,
    /// It gives the memory to its caller.
    HandsOn = 2,
}

/// The user's own code in a program or library.
#[derive(Debug)]
pub struct AskingCode {
    object: CodeObject,
    has_lines: bool,
    /// By ascending address, apart from each other: beginning, end and role.
    ranges: Vec<(u64, u64, Role)>,
    /// Names of functions that hand on.
    handing: HashSet<Arc<str>>,
}

/// Who asks at an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asker {
    /// The function's linkage name; empty where it is not known.
    pub function: Arc<str>,
    /// The source file as the compiler had it; empty where it is not known.
    pub file: Arc<str>,
    /// 0 where it is not known.
    pub line: u32,
}

impl AskingCode {
    /// Finds own code in the bytes of an ELF file. Debug information that cannot be read is as none.
    ///
    /// - Time: O(bytes of debug information).
    ///
    /// # Errors
    /// [`DebugInfoError::NotProgram`].
    pub fn parse(program: &[u8]) -> Result<Self, DebugInfoError> {
        let object = CodeObject::parse(program)?;
        let found = object.debug_info().and_then(|info| {
            let mut search = Search::new(info.dwarf()).ok()?;
            let ranges = search.ranges().ok()?;
            Some((ranges, search.names))
        });
        let has_lines = found.is_some();
        let (ranges, handing) = found.unwrap_or_else(|| (by_symbols(&object), HashSet::new()));
        Ok(Self { object, has_lines, ranges, handing })
    }

    /// Whether lines are known.
    pub fn has_lines(&self) -> bool {
        self.has_lines
    }

    /// What the code at an address does; `None` where it is a library's.
    pub fn role(&self, address: u64) -> Option<Role> {
        let next = self.ranges.partition_point(|range| range.0 <= address);
        let (_, end, role) = self.ranges[..next].last()?;
        (address < *end).then_some(*role)
    }

    /// Who asks at an address; `None` where the code is a library's.
    pub fn asker(&mut self, address: u64) -> Option<Asker> {
        self.role(address)?;
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

    /// The file that tells a process which code is whose: for each program or library its device and inode, and its code.
    ///
    /// ```text
    /// file:    magic  number of modules  module …  range …          (8 8 … …  bytes; this machine's byte order)
    /// module:  device  inode  first range  number of ranges         (8 8 8 8)
    /// range:   beginning  length  role                              (8 4 4)
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

/// Without debug information, every function but those of the standard libraries.
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

/// Looks for own code in debug information.
struct Search<'d> {
    dwarf: &'d gimli::Dwarf<Section>,
    units: Vec<Unit<Section>>,
    /// Whether functions hand on, by unit and offset.
    known: HashMap<(usize, usize), bool>,
    names: HashSet<Arc<str>>,
}

/// A function that an entry is in.
struct Enclosing {
    depth: isize,
    hands_on: bool,
}

type Entry = DebuggingInformationEntry<Section>;

/// An entry of a unit.
type Place = (usize, UnitOffset<usize>);

impl<'d> Search<'d> {
    fn new(dwarf: &'d gimli::Dwarf<Section>) -> Result<Self, DebugInfoError> {
        let (mut headers, mut units) = (dwarf.units(), Vec::new());
        while let Some(header) = headers.next()? {
            units.push(dwarf.unit(header)?);
        }
        Ok(Self { dwarf, units, known: HashMap::new(), names: HashSet::new() })
    }

    /// All own code.
    fn ranges(&mut self) -> Result<Vec<(u64, u64, Role)>, DebugInfoError> {
        let (mut asking, mut handing_calls) = (Vec::new(), Vec::new());
        let mut handing = Ranges::default();
        let (mut rows, mut range_count) = (Vec::new(), 0);
        for unit in 0..self.units.len() {
            let own = self.rows(unit, &mut rows)?;
            let mut enclosing: Vec<Enclosing> = Vec::new();
            // What lies in an entry needs the unit, and looking up needs all of them.
            let mut found = Vec::new();
            let mut entries = self.units[unit].entries();
            while let Some(entry) = entries.next_dfs()? {
                let is_inlined = entry.tag() == gimli::DW_TAG_inlined_subroutine;
                if is_inlined || entry.tag() == gimli::DW_TAG_subprogram {
                    let ranges = self.ranges_of(unit, entry)?;
                    range_count += ranges.len();
                    if range_count > MOST_RANGES {
                        return Err(DebugInfoError::Unreadable { what: "it has too many ranges".to_owned() });
                    }
                    if !ranges.is_empty() {
                        let file = match entry.attr_value(gimli::DW_AT_call_file) {
                            Some(AttributeValue::FileIndex(file)) => Some(file),
                            Some(value) => value.udata_value(),
                            None => None,
                        };
                        let is_called_by_own = file.and_then(|file| own.get(file as usize)) == Some(&true);
                        found.push((
                            entry.depth(),
                            entry.offset(),
                            is_inlined,
                            is_inlined && is_called_by_own,
                            ranges,
                        ));
                    }
                }
            }
            for (depth, offset, is_inlined, is_called_by_own, ranges) in found {
                while enclosing.last().is_some_and(|outer| outer.depth >= depth) {
                    enclosing.pop();
                }
                let hands_on = self.hands_on((unit, offset), FURTHEST)?;
                let caller = enclosing.last().filter(|_| is_inlined).is_some_and(|outer| outer.hands_on);
                for range in ranges {
                    if is_called_by_own {
                        if caller { &mut handing_calls } else { &mut asking }.push(range);
                    }
                    match (caller, hands_on) {
                        (false, true) => handing.add(range),
                        (true, false) => handing.remove(range),
                        _ => {}
                    }
                }
                enclosing.push(Enclosing { depth, hands_on });
            }
        }
        let rows = merged(rows);
        let handing: Vec<(u64, u64)> = handing.0.into_iter().collect();
        let own_asking = without(&rows, &handing);
        handing_calls.extend(without(&rows, &own_asking));
        asking.extend(own_asking);
        let asking = merged(asking);
        let handing = without(&merged(handing_calls), &asking);
        let asking = asking.into_iter().map(|(begin, end)| (begin, end, Role::Asks));
        let handing = handing.into_iter().map(|(begin, end)| (begin, end, Role::HandsOn));
        let mut all: Vec<_> = asking.chain(handing).collect();
        all.sort_unstable();
        Ok(all)
    }

    /// Adds the addresses of lines in own files; gives which files are own, by their numbers.
    fn rows(&self, unit: usize, rows: &mut Vec<(u64, u64)>) -> Result<Vec<bool>, DebugInfoError> {
        let unit = &self.units[unit];
        let Some(program) = unit.line_program.clone() else { return Ok(Vec::new()) };
        let header = program.header();
        let mut own = Vec::new();
        for number in 0.. {
            match header.file(number) {
                Some(file) => own.push(is_own(&self.path(unit, file, header)?)),
                // Before version 5 files are numbered from 1.
                None if number == 0 => own.push(false),
                None => break,
            }
        }
        let mut lines = program.rows();
        let mut before: Option<(u64, bool)> = None;
        while let Some((_, row)) = lines.next_row()? {
            if let Some((begin, true)) = before
                && begin > 0
                && begin < row.address()
            {
                rows.push((begin, row.address()));
            }
            let is_own = own.get(row.file_index() as usize) == Some(&true);
            before = (!row.end_sequence()).then(|| (row.address(), is_own));
        }
        Ok(own)
    }

    fn path(
        &self,
        unit: &Unit<Section>,
        file: &gimli::FileEntry<Section>,
        header: &gimli::LineProgramHeader<Section>,
    ) -> Result<String, DebugInfoError> {
        let text = |value| -> Result<String, DebugInfoError> {
            Ok(gimli::Reader::to_string_lossy(&self.dwarf.attr_string(unit, value)?)?.into_owned())
        };
        let folder = match &unit.comp_dir {
            Some(folder) => gimli::Reader::to_string_lossy(folder)?.into_owned(),
            None => String::new(),
        };
        let directory = file.directory(header).filter(|_| file.directory_index() != 0);
        let directory = directory.map(text).transpose()?.unwrap_or_default();
        Ok(joined(&joined(&folder, &directory), &text(file.path_name())?))
    }

    /// The addresses of a function; that of what the linker left out is 0.
    fn ranges_of(&self, unit: usize, entry: &Entry) -> Result<Vec<(u64, u64)>, DebugInfoError> {
        let unit = &self.units[unit];
        let mut all = Vec::new();
        if let Some(value) = entry.attr_value(gimli::DW_AT_ranges)
            && let Some(mut ranges) = self.dwarf.attr_ranges(unit, value)?
        {
            while let Some(range) = ranges.next()? {
                all.push((range.begin, range.end));
            }
        } else if let Some(low) = entry.attr_value(gimli::DW_AT_low_pc)
            && let Some(begin) = self.dwarf.attr_address(unit, low)?
        {
            let end = match entry.attr_value(gimli::DW_AT_high_pc) {
                Some(value) => match value.udata_value() {
                    Some(size) => begin.checked_add(size),
                    None => self.dwarf.attr_address(unit, value)?,
                },
                None => None,
            };
            all.extend(end.map(|end| (begin, end)));
        }
        all.retain(|(begin, end)| 0 < *begin && begin < end);
        Ok(all)
    }

    /// Whether a function hands on the memory that it gets, and by which names.
    fn hands_on(&mut self, place: Place, left: usize) -> Result<bool, DebugInfoError> {
        let key = (place.0, place.1.0);
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        let entry = self.units[place.0].entry(place.1)?;
        let origin = [gimli::DW_AT_abstract_origin, gimli::DW_AT_specification]
            .into_iter()
            .find_map(|name| self.reference(place.0, &entry.attr_value(name)?));
        let hands_on = match origin {
            Some(origin) if left > 0 => self.hands_on(origin, left - 1)?,
            Some(_) => false,
            None => self.gives_untyped(place, &entry)?,
        };
        if hands_on {
            for name in [gimli::DW_AT_linkage_name, gimli::DW_AT_name] {
                if let Some(value) = entry.attr_value(name) {
                    let text = self.dwarf.attr_string(&self.units[place.0], value)?;
                    self.names.insert(gimli::Reader::to_string_lossy(&text)?.as_ref().into());
                }
            }
        }
        self.known.insert(key, hands_on);
        Ok(hands_on)
    }

    /// Whether a function gives `void *`, or takes `void **`.
    fn gives_untyped(&self, place: Place, entry: &Entry) -> Result<bool, DebugInfoError> {
        if let Some(given) = self.type_of(place.0, entry)
            && self.is_untyped(given)?
        {
            return Ok(true);
        }
        let mut tree = self.units[place.0].entries_tree(Some(place.1))?;
        let mut children = tree.root()?.children();
        while let Some(child) = children.next()? {
            let entry = child.entry();
            if entry.tag() != gimli::DW_TAG_formal_parameter {
                continue;
            }
            let Some(taken) = self.type_of(place.0, entry) else { continue };
            let Some((unit, pointer)) = self.plain(taken)? else { continue };
            if pointer.tag() == gimli::DW_TAG_pointer_type
                && let Some(target) = self.type_of(unit, &pointer)
                && self.is_untyped(target)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a type is `void *`, whatever it is called.
    fn is_untyped(&self, place: Place) -> Result<bool, DebugInfoError> {
        let Some((unit, entry)) = self.plain(place)? else { return Ok(false) };
        if entry.tag() != gimli::DW_TAG_pointer_type {
            return Ok(false);
        }
        let Some(target) = self.type_of(unit, &entry) else {
            return Ok(entry.attr(gimli::DW_AT_type).is_none());
        };
        // `const void *`
        Ok(self.plain(target)?.is_none())
    }

    /// A type without its other names and qualifiers; `None` for `void`.
    fn plain(&self, place: Place) -> Result<Option<(usize, Entry)>, DebugInfoError> {
        let mut place = place;
        for _ in 0..FURTHEST {
            let entry = self.units[place.0].entry(place.1)?;
            let is_name = [
                gimli::DW_TAG_typedef,
                gimli::DW_TAG_const_type,
                gimli::DW_TAG_volatile_type,
                gimli::DW_TAG_restrict_type,
            ]
            .contains(&entry.tag());
            if !is_name {
                return Ok(Some((place.0, entry)));
            }
            match self.type_of(place.0, &entry) {
                Some(next) => place = next,
                None => return Ok(None),
            }
        }
        Ok(None)
    }

    fn type_of(&self, unit: usize, entry: &Entry) -> Option<Place> {
        self.reference(unit, &entry.attr_value(gimli::DW_AT_type)?)
    }

    fn reference(&self, unit: usize, value: &AttributeValue<Section>) -> Option<Place> {
        match *value {
            AttributeValue::UnitRef(offset) => Some((unit, offset)),
            AttributeValue::DebugInfoRef(offset) => {
                let begins = |unit: &Unit<Section>| unit.header.debug_info_offset();
                let next = self.units.partition_point(|unit| begins(unit).is_some_and(|o| o.0 <= offset.0));
                let unit = next.checked_sub(1)?;
                Some((unit, offset.to_unit_offset(&self.units[unit].header)?))
            }
            _ => None,
        }
    }
}

fn joined(folder: &str, name: &str) -> String {
    match (folder, name) {
        (_, name) if name.starts_with('/') => name.to_owned(),
        (folder, "") => folder.to_owned(),
        (folder, name) => format!("{folder}/{name}"),
    }
}

/// Addresses, apart from each other: by the beginning of each range its end.
#[derive(Debug, Default)]
struct Ranges(BTreeMap<u64, u64>);

impl Ranges {
    fn add(&mut self, (begin, end): (u64, u64)) {
        self.remove((begin, end));
        self.0.insert(begin, end);
    }

    fn remove(&mut self, (begin, end): (u64, u64)) {
        if let Some((&first, &last)) = self.0.range(..begin).next_back()
            && last > begin
        {
            self.0.insert(first, begin);
            if last > end {
                self.0.insert(end, last);
            }
        }
        let inside: Vec<(u64, u64)> = self.0.range(begin..end).map(|(a, b)| (*a, *b)).collect();
        for (first, last) in inside {
            self.0.remove(&first);
            if last > end {
                self.0.insert(end, last);
            }
        }
    }
}

/// The same ranges, by ascending address and apart from each other.
fn merged(mut ranges: Vec<(u64, u64)>) -> Vec<(u64, u64)> {
    ranges.sort_unstable();
    let mut all: Vec<(u64, u64)> = Vec::new();
    for (begin, end) in ranges {
        match all.last_mut() {
            Some(last) if begin <= last.1 => last.1 = last.1.max(end),
            _ => all.push((begin, end)),
        }
    }
    all
}

/// What of some ranges is in none of the others; both by ascending address and apart from each other.
fn without(ranges: &[(u64, u64)], others: &[(u64, u64)]) -> Vec<(u64, u64)> {
    let mut left = Vec::new();
    let mut next = 0;
    for &(begin, end) in ranges {
        let mut begin = begin;
        while next < others.len() && others[next].1 <= begin {
            next += 1;
        }
        let mut other = next;
        while begin < end {
            let (first, last) = others.get(other).copied().unwrap_or((u64::MAX, u64::MAX));
            if first > begin {
                left.push((begin, end.min(first)));
            }
            begin = begin.max(last);
            other += 1;
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use object::{Object, ObjectSymbol};

    use super::*;

    #[test]
    fn ranges_are_taken_from_each_other() {
        assert_eq!(merged(vec![(5, 7), (1, 3), (3, 4), (6, 9)]), [(1, 4), (5, 9)]);
        assert_eq!(
            without(&[(1, 10), (20, 30)], &[(0, 2), (4, 5), (9, 21), (29, 40)]),
            [(2, 4), (5, 9), (21, 29)]
        );
        let mut ranges = Ranges::default();
        ranges.add((10, 20));
        ranges.remove((12, 14));
        ranges.add((13, 15));
        ranges.remove((18, 30));
        assert_eq!(Vec::from_iter(ranges.0), [(10, 12), (13, 15), (15, 18)]);
    }

    /// The roles and askers of the return addresses of calls of a function in a program.
    fn compiled(source: &str, language: &str, options: &[&str]) -> (AskingCode, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(format!("own.{language}"));
        std::fs::write(&file, source).unwrap();
        let compiler = if language == "c" { "gcc" } else { "g++" };
        let object = folder.path().join("own");
        let status = Command::new(compiler).args(options).arg(&file).arg("-o").arg(&object).status().unwrap();
        assert!(status.success());
        (AskingCode::parse(&std::fs::read(object).unwrap()).unwrap(), folder)
    }

    /// Where a function lies, by the program's symbols.
    fn address(folder: &tempfile::TempDir, name: &str) -> (u64, u64) {
        let bytes = std::fs::read(folder.path().join("own")).unwrap();
        let file = object::File::parse(&*bytes).unwrap();
        let found = file.symbols().find(|s| s.name() == Ok(name)).unwrap();
        (found.address(), found.size())
    }

    /// The last bytes of the calls in a function: what is before their return addresses.
    fn calls(folder: &tempfile::TempDir, name: &str) -> Vec<u64> {
        let (begin, size) = address(folder, name);
        let mut objdump = Command::new("objdump");
        objdump.args(["-d", "--no-show-raw-insn"]).arg(folder.path().join("own"));
        let text = String::from_utf8(objdump.output().unwrap().stdout).unwrap();
        let lines: Vec<(u64, bool)> = text
            .lines()
            .filter_map(|line| {
                let (at, code) = line.trim_start().split_once(":\t")?;
                Some((u64::from_str_radix(at, 16).ok()?, code.starts_with("call")))
            })
            .collect();
        let pairs = lines.windows(2).filter(|pair| pair[0].1 && (begin..begin + size).contains(&pair[0].0));
        pairs.map(|pair| pair[1].0 - 1).collect()
    }

    const C: &str = "#include <stdlib.h>\n\
        typedef void *memory;\n\
        struct node { struct node *next; };\n\
        __attribute__((noinline)) memory get(size_t n) { memory p = malloc(n); if (!p) abort(); return p; }\n\
        __attribute__((noinline)) int out(void **p) { *p = malloc(8); return *p != 0; }\n\
        __attribute__((noinline)) struct node *push(struct node *list) {\n\
          struct node *n = get(sizeof *n);\n\
          n->next = list;\n\
          return n;\n\
        }\n\
        int main(void) { void *p; return !push(0) + out(&p); }\n";

    #[test]
    fn functions_that_give_untyped_memory_hand_on() {
        for options in [&["-g", "-O0"][..], &["-g", "-O2"], &["-gdwarf-4", "-O2"]] {
            let (mut own, folder) = compiled(C, "c", options);
            for (name, role, lines) in
                [("get", Role::HandsOn, 4..=4), ("out", Role::HandsOn, 5..=5), ("push", Role::Asks, 6..=10)]
            {
                let (begin, size) = address(&folder, name);
                for at in begin..begin + size {
                    assert_eq!(own.role(at), Some(role), "{name} {options:?} {at:x}");
                }
                let asker = own.asker(begin + size / 2).unwrap();
                assert!(asker.file.ends_with("own.c") && &*asker.function == name);
                assert!(lines.contains(&asker.line), "{asker:?}");
            }
            assert_eq!(own.role(address(&folder, "_start").0), None);
        }
    }

    #[test]
    fn what_is_inlined_into_own_code_and_library_code_is_told_apart() {
        let source = "#include <vector>\n\
            __attribute__((noinline)) void fill(std::vector<int> &v, int n) {\n\
              for (int i = 0; i < n; i++) v.push_back(i);\n\
            }\n\
            int main(int n, char **) { std::vector<int> v; fill(v, n); return v.size(); }\n";
        let (mut own, folder) = compiled(source, "cc", &["-g", "-O2"]);
        let calls = calls(&folder, "_Z4fillRSt6vectorIiSaIiEEi");
        assert!(!calls.is_empty());
        for at in calls {
            assert_eq!(own.role(at), Some(Role::Asks), "{at:x}");
            let asker = own.asker(at).unwrap();
            assert!(asker.file.ends_with("own.cc") && (2..=4).contains(&asker.line), "{asker:?}");
        }
        // A function of the library's that was not inlined is the library's.
        let (own, folder) = compiled(source, "cc", &["-g", "-O0"]);
        let (begin, size) = address(&folder, "_ZNSt6vectorIiSaIiEE9push_backERKi");
        assert_eq!((own.role(begin), own.role(begin + size / 2)), (None, None));
    }

    #[test]
    fn without_debug_information_functions_ask_and_libraries_do_not() {
        let (mut own, folder) = compiled(C, "c", &["-O1"]);
        assert!(!own.has_lines());
        let (begin, _) = address(&folder, "push");
        assert_eq!(own.role(begin + 1), Some(Role::Asks));
        assert_eq!(&*own.asker(begin + 1).unwrap().function, "push");
    }

    #[test]
    fn the_table_has_every_module_and_range() {
        let ranges = vec![(16, 32, Role::Asks), (1 << 33, (1 << 33) + (1 << 32), Role::HandsOn)];
        let object = CodeObject::parse(&std::fs::read("/bin/true").unwrap()).unwrap();
        let own = AskingCode { object, has_lines: true, ranges, handing: HashSet::new() };
        let table = AskingCode::table([(1, 2, &own), (3, 4, &own)].into_iter());
        let word = |at: usize| u64::from_ne_bytes(table[8 * at..8 * at + 8].try_into().unwrap());
        assert_eq!((word(0), word(1)), (MAGIC, 2));
        assert_eq!((2..10).map(word).collect::<Vec<_>>(), [1, 2, 0, 3, 3, 4, 3, 3]);
        assert_eq!((word(10), word(11)), (16, 16 | (1 << 32)));
        // A range of 2³² bytes is two.
        assert_eq!((word(12), word(14)), (1 << 33, (1 << 33) + u64::from(u32::MAX)));
        assert_eq!(table.len(), 16 + 2 * 32 + 6 * 16);
    }

    #[test]
    fn debug_information_that_was_cut_or_changed_gives_no_panic() {
        let (_, folder) = compiled(C, "c", &["-g", "-O2"]);
        let whole = std::fs::read(folder.path().join("own")).unwrap();
        for length in (0..whole.len()).step_by(97) {
            let _ = AskingCode::parse(&whole[..length]);
        }
        let file = object::File::parse(&*whole).unwrap();
        let mut random = 1_u64;
        for name in [".debug_info", ".debug_abbrev", ".debug_line", ".debug_rnglists"] {
            let Some((at, size)) =
                object::ObjectSection::file_range(&file.section_by_name(name).unwrap()).filter(|r| r.1 > 0)
            else {
                continue;
            };
            for _ in 0..300 {
                let mut damaged = whole.clone();
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                damaged[(at + (random >> 33) % size) as usize] = (random >> 20) as u8;
                if let Ok(mut own) = AskingCode::parse(&damaged) {
                    own.asker(address(&folder, "push").0);
                }
            }
        }
    }
}
