//! Parses the mapping of one function from counters to ranges of the source.
//!
//! ```text
//! files  expressions  regions of the first file  regions of the second …
//! ```
//!
//! A macro used by a function is a separate file here; an expansion region in the surrounding file stands for it.
//! Encoding: LLVM's *Code Coverage Mapping Format*, versions 4 to 7.

use super::LlvmError;
use super::counter::{Expression, Term, read_expressions};
use super::reader::ByteReader;

/// Purpose of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegionKind {
    /// Code: the only kind whose count is a cost.
    Code,
    /// Placeholder for the regions of another file of the function, such as a macro's text.
    Expansion,
    /// Text that the preprocessor left out.
    Skipped,
    /// White space between two statements.
    Gap,
    /// Counts of a condition being true and false.
    Branch,
    /// A decision of several conditions; it has a bitmap and no counter.
    Decision,
}

/// A range of the source and its counter. Lines and columns are 1-based; the end is exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// Purpose of the region.
    pub kind: RegionKind,
    /// Index in the function's files.
    pub file: u32,
    /// Line and column of the start.
    pub start: (u32, u32),
    /// Line and column of the end.
    pub end: (u32, u32),
    pub(crate) term: Term,
    /// File that an expansion stands for.
    pub(crate) expands: u32,
}

/// Column number that means the end of the line.
const END_OF_LINE: u32 = u32::MAX;
const GAP: u32 = 1 << 31;

/// Maximum depth of nested macros. Deeper macros keep a count of zero and add no cost.
const DEEPEST_EXPANSION: usize = 512;

/// The mapping of one function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mapping {
    /// Indices in the file table of the translation unit.
    pub(super) files: Vec<u32>,
    pub(super) expressions: Vec<Expression>,
    pub(super) regions: Vec<Region>,
}

impl Mapping {
    /// Parses a mapping. `known_files` is the length of the file table.
    pub(super) fn parse(reader: &mut ByteReader<'_>, known_files: usize) -> Result<Self, LlvmError> {
        let number = reader.count()?;
        let mut files = Vec::with_capacity(number);
        for _ in 0..number {
            let file = reader.uleb32()?;
            if file as usize >= known_files {
                return Err(reader.malformed(format!("no file {file} of {known_files}")));
            }
            files.push(file);
        }
        let expressions = read_expressions(reader)?;
        let mut mapping = Self { files, expressions, regions: Vec::new() };
        for file in 0..mapping.files.len() as u32 {
            mapping.read_regions(reader, file)?;
        }
        mapping.propagate_into_expansions();
        Ok(mapping)
    }

    fn read_regions(&mut self, reader: &mut ByteReader<'_>, file: u32) -> Result<(), LlvmError> {
        let number = reader.count()?;
        // Each region takes at least five bytes.
        self.regions.reserve(number.min(reader.remaining() / 5));
        let mut line = 0_u32;
        for _ in 0..number {
            let (mut kind, term, expands) = self.read_kind(reader)?;
            let line_delta = reader.uleb32()?;
            let (mut column, lines, mut end_column) = (reader.uleb32()?, reader.uleb32()?, reader.uleb32()?);
            let end_line = line.checked_add(line_delta).and_then(|start| {
                line = start;
                start.checked_add(lines)
            });
            let end_line = end_line.ok_or_else(|| reader.malformed("a line does not fit 32 bits"))?;
            if end_column & GAP != 0 {
                kind = RegionKind::Gap;
                end_column &= !GAP;
            }
            if (column, end_column) == (0, 0) {
                (column, end_column) = (1, END_OF_LINE);
            }
            let region =
                Region { kind, file, start: (line, column), end: (end_line, end_column), term, expands };
            if region.start > region.end {
                return Err(reader.malformed("a region ends before it begins"));
            }
            self.regions.push(region);
        }
        Ok(())
    }

    /// Reads the first word of a region: its kind, and its counter unless the kind has none or two.
    fn read_kind(&self, reader: &mut ByteReader<'_>) -> Result<(RegionKind, Term, u32), LlvmError> {
        let word = reader.uleb32()?;
        if word & 3 != 0 {
            return Ok((RegionKind::Code, self.checked(Term::decode(word), reader)?, 0));
        }
        let number = word >> 3;
        if word & 4 != 0 {
            if number as usize >= self.files.len() {
                return Err(reader.malformed(format!("the function has no file {number}")));
            }
            return Ok((RegionKind::Expansion, Term::Zero, number));
        }
        match number {
            0 => Ok((RegionKind::Code, Term::Zero, 0)),
            2 => Ok((RegionKind::Skipped, Term::Zero, 0)),
            4 | 6 => {
                let word = reader.uleb32()?;
                let term = self.checked(Term::decode(word), reader)?;
                let word = reader.uleb32()?;
                self.checked(Term::decode(word), reader)?;
                if number == 6 {
                    // The condition, and the next ones for false and true.
                    for _ in 0..3 {
                        reader.uleb32()?;
                    }
                }
                Ok((RegionKind::Branch, term, 0))
            }
            5 => {
                let _bitmap_and_conditions = (reader.uleb32()?, reader.uleb32()?);
                Ok((RegionKind::Decision, Term::Zero, 0))
            }
            _ => Err(reader.malformed(format!("no region kind {number}"))),
        }
    }

    fn checked(&self, term: Term, reader: &ByteReader<'_>) -> Result<Term, LlvmError> {
        match term {
            Term::Sum(number) | Term::Difference(number) if number as usize >= self.expressions.len() => {
                Err(reader.malformed(format!("the function has no expression {number}")))
            }
            term => Ok(term),
        }
    }

    /// Gives each expansion the count of the first region in its file, which can be an expansion itself.
    fn propagate_into_expansions(&mut self) {
        let mut first = vec![None; self.files.len()];
        for region in self.regions.iter().rev() {
            first[region.file as usize] = Some((region.kind, region.term, region.expands));
        }
        for region in self.regions.iter_mut().filter(|r| r.kind == RegionKind::Expansion) {
            let mut file = region.expands;
            // Each step goes to another file, unless the mapping has a cycle.
            for _ in 0..DEEPEST_EXPANSION {
                match first[file as usize] {
                    Some((RegionKind::Expansion, _, next)) => file = next,
                    Some((_, term, _)) => {
                        region.term = term;
                        break;
                    }
                    None => break,
                }
            }
        }
    }

    /// Returns true if the function was seen but not compiled: it has a single region that never counts.
    pub(super) fn is_dummy(&self, hash: u64) -> bool {
        let is_one_zero = matches!(self.regions.as_slice(), [only] if only.term == Term::Zero);
        hash == 0 && self.files.len() == 1 && self.expressions.is_empty() && is_one_zero
    }
}
