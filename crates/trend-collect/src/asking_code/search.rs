//! Finds own code by debug information: addresses of lines in own files, code inlined into them from libraries, and
//! functions that hand memory on.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use gimli::{AttributeValue, DebuggingInformationEntry, Unit, UnitOffset};

use super::ranges::{Ranges, merged, without};
use super::{Role, is_own};
use crate::DebugInfoError;
use crate::debug_info::{Section, ranges_of};

/// Maximum number of references followed from one entry to another.
const FURTHEST: usize = 32;

/// Maximum number of ranges of all functions. More means damage: many functions share long lists.
const MOST_RANGES: usize = 1 << 24;

/// Searches debug information for own code.
pub(super) struct Search<'d> {
    dwarf: &'d gimli::Dwarf<Section>,
    units: Vec<Unit<Section>>,
    /// Known results of `hands_on`, by unit and offset.
    hands_on_results: HashMap<(usize, usize), bool>,
    pub(super) names: HashSet<Arc<str>>,
}

/// A function with its own code, or an inlined one.
struct Function {
    /// Nesting depth of its entry.
    depth: isize,
    offset: UnitOffset<usize>,
    is_inlined: bool,
    /// True if it was inlined into a line of an own file.
    is_called_by_own: bool,
    ranges: Vec<(u64, u64)>,
}

/// A function around the current entry.
struct Enclosing {
    depth: isize,
    hands_on: bool,
}

type Entry = DebuggingInformationEntry<Section>;

/// Position of an entry: index of its unit, and offset.
type EntryPosition = (usize, UnitOffset<usize>);

impl<'d> Search<'d> {
    pub(super) fn new(dwarf: &'d gimli::Dwarf<Section>) -> Result<Self, DebugInfoError> {
        let (mut headers, mut units) = (dwarf.units(), Vec::new());
        while let Some(header) = headers.next()? {
            units.push(dwarf.unit(header)?);
        }
        Ok(Self { dwarf, units, hands_on_results: HashMap::new(), names: HashSet::new() })
    }

    /// Returns the ranges of all own code.
    pub(super) fn ranges(&mut self) -> Result<Vec<(u64, u64, Role)>, DebugInfoError> {
        let (mut asking, mut handing_calls) = (Vec::new(), Vec::new());
        let mut handing = Ranges::default();
        let (mut rows, mut range_count) = (Vec::new(), 0);
        for unit in 0..self.units.len() {
            let own = self.rows(unit, &mut rows)?;
            let mut enclosing: Vec<Enclosing> = Vec::new();
            for function in self.functions(unit, &own, &mut range_count)? {
                while enclosing.last().is_some_and(|outer| outer.depth >= function.depth) {
                    enclosing.pop();
                }
                let hands_on = self.hands_on((unit, function.offset), FURTHEST)?;
                let caller =
                    enclosing.last().filter(|_| function.is_inlined).is_some_and(|outer| outer.hands_on);
                for range in function.ranges {
                    if function.is_called_by_own {
                        if caller { &mut handing_calls } else { &mut asking }.push(range);
                    }
                    match (caller, hands_on) {
                        (false, true) => handing.add(range),
                        (true, false) => handing.remove(range),
                        _ => {}
                    }
                }
                enclosing.push(Enclosing { depth: function.depth, hands_on });
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

    /// Returns the functions of a unit that have code, in the order of their entries. `own` holds a flag per file of
    /// the unit; `range_count` is the number of ranges so far.
    fn functions(
        &self,
        unit: usize,
        own: &[bool],
        range_count: &mut usize,
    ) -> Result<Vec<Function>, DebugInfoError> {
        let mut functions = Vec::new();
        let mut entries = self.units[unit].entries();
        while let Some(entry) = entries.next_dfs()? {
            let is_inlined = entry.tag() == gimli::DW_TAG_inlined_subroutine;
            if !is_inlined && entry.tag() != gimli::DW_TAG_subprogram {
                continue;
            }
            let ranges = ranges_of(self.dwarf, &self.units[unit], entry)?;
            if ranges.is_empty() {
                continue;
            }
            *range_count += ranges.len();
            if *range_count > MOST_RANGES {
                return Err(DebugInfoError::Unreadable { what: "it has too many ranges".to_owned() });
            }
            let file = match entry.attr_value(gimli::DW_AT_call_file) {
                Some(AttributeValue::FileIndex(file)) => Some(file),
                Some(value) => value.udata_value(),
                None => None,
            };
            let is_called_by_own = is_inlined && file.and_then(|file| own.get(file as usize)) == Some(&true);
            let (depth, offset) = (entry.depth(), entry.offset());
            functions.push(Function { depth, offset, is_inlined, is_called_by_own, ranges });
        }
        Ok(functions)
    }

    /// Adds the address ranges of lines in own files. Returns a flag per file number: true for own files.
    fn rows(&self, unit: usize, rows: &mut Vec<(u64, u64)>) -> Result<Vec<bool>, DebugInfoError> {
        let unit = &self.units[unit];
        let Some(program) = unit.line_program.clone() else { return Ok(Vec::new()) };
        let header = program.header();
        let mut own = Vec::new();
        for number in 0.. {
            match header.file(number) {
                Some(file) => own.push(is_own(&self.path(unit, file, header)?)),
                // Before DWARF version 5, files are numbered from 1.
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

    /// Returns true if a function hands on the memory that it gets, and records its names if so.
    fn hands_on(&mut self, place: EntryPosition, left: usize) -> Result<bool, DebugInfoError> {
        let key = (place.0, place.1.0);
        if let Some(result) = self.hands_on_results.get(&key) {
            return Ok(*result);
        }
        let entry = self.units[place.0].entry(place.1)?;
        let origin = [gimli::DW_AT_abstract_origin, gimli::DW_AT_specification]
            .into_iter()
            .find_map(|name| self.reference(place.0, &entry.attr_value(name)?));
        let hands_on = match origin {
            Some(origin) if left > 0 => self.hands_on(origin, left - 1)?,
            Some(_) => false,
            None => self.gives_untyped(place, &entry)? || self.gives_cells(place, &entry)?,
        };
        if hands_on {
            for name in [gimli::DW_AT_linkage_name, gimli::DW_AT_name] {
                if let Some(value) = entry.attr_value(name) {
                    let text = self.dwarf.attr_string(&self.units[place.0], value)?;
                    self.names.insert(gimli::Reader::to_string_lossy(&text)?.as_ref().into());
                }
            }
        }
        self.hands_on_results.insert(key, hands_on);
        Ok(hands_on)
    }

    /// Returns true if a function returns `void *` or takes `void **`.
    fn gives_untyped(&self, place: EntryPosition, entry: &Entry) -> Result<bool, DebugInfoError> {
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

    /// Returns true if a function only takes sizes (unsigned numbers), returns a pointer to cells (numbers,
    /// characters), and has no variables but pointers. It can check what it got and return it, but it has no counter to
    /// fill the cells with.
    ///
    /// A function that returns a structure does not qualify: it sets the fields. A function that takes a signed number
    /// computes a size from it.
    fn gives_cells(&self, place: EntryPosition, entry: &Entry) -> Result<bool, DebugInfoError> {
        // A declaration does not list the variables.
        if entry.attr(gimli::DW_AT_declaration).is_some() {
            return Ok(false);
        }
        let Some(given) = self.type_of(place.0, entry) else { return Ok(false) };
        let Some((unit, pointer)) = self.plain(given)? else { return Ok(false) };
        let target = self.type_of(unit, &pointer).filter(|_| pointer.tag() == gimli::DW_TAG_pointer_type);
        let Some(target) = target else { return Ok(false) };
        if !self.is(target, |of| of.tag() == gimli::DW_TAG_base_type)? {
            return Ok(false);
        }
        let (mut takes_sizes, mut inside) = (false, vec![place.1]);
        while let Some(offset) = inside.pop() {
            let mut tree = self.units[place.0].entries_tree(Some(offset))?;
            let mut children = tree.root()?.children();
            while let Some(child) = children.next()? {
                let entry = child.entry();
                let allowed = match entry.tag() {
                    gimli::DW_TAG_formal_parameter => is_size,
                    gimli::DW_TAG_variable => is_pointer,
                    gimli::DW_TAG_lexical_block => {
                        inside.push(entry.offset());
                        continue;
                    }
                    _ => continue,
                };
                let Some(of) = self.type_of(place.0, entry) else { return Ok(false) };
                if !self.is(of, allowed)? {
                    return Ok(false);
                }
                takes_sizes |= entry.tag() == gimli::DW_TAG_formal_parameter;
            }
        }
        Ok(takes_sizes)
    }

    /// Returns true if `kind` holds for the type that remains without typedefs and qualifiers.
    fn is(&self, of: EntryPosition, kind: fn(&Entry) -> bool) -> Result<bool, DebugInfoError> {
        Ok(self.plain(of)?.is_some_and(|(_, entry)| kind(&entry)))
    }

    /// Returns true if a type is `void *` without typedefs and qualifiers.
    fn is_untyped(&self, place: EntryPosition) -> Result<bool, DebugInfoError> {
        let Some((unit, entry)) = self.plain(place)? else { return Ok(false) };
        if entry.tag() != gimli::DW_TAG_pointer_type {
            return Ok(false);
        }
        let Some(target) = self.type_of(unit, &entry) else {
            return Ok(entry.attr(gimli::DW_AT_type).is_none());
        };
        // A qualified target counts too: `const void *`.
        Ok(self.plain(target)?.is_none())
    }

    /// Strips typedefs and qualifiers from a type; returns `None` for `void`.
    fn plain(&self, place: EntryPosition) -> Result<Option<(usize, Entry)>, DebugInfoError> {
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

    fn type_of(&self, unit: usize, entry: &Entry) -> Option<EntryPosition> {
        self.reference(unit, &entry.attr_value(gimli::DW_AT_type)?)
    }

    fn reference(&self, unit: usize, value: &AttributeValue<Section>) -> Option<EntryPosition> {
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

/// Returns true for an unsigned number type.
fn is_size(of: &Entry) -> bool {
    let encoding = of.attr_value(gimli::DW_AT_encoding);
    matches!(encoding, Some(AttributeValue::Encoding(gimli::DW_ATE_unsigned)))
}

fn is_pointer(of: &Entry) -> bool {
    of.tag() == gimli::DW_TAG_pointer_type
}

fn joined(folder: &str, name: &str) -> String {
    match (folder, name) {
        (_, name) if name.starts_with('/') => name.to_owned(),
        (folder, "") => folder.to_owned(),
        (folder, name) => format!("{folder}/{name}"),
    }
}
