//! Parses the program's data (`.gcda`): the counters of each function.
//!
//! ```text
//! header  [summary]
//! FUNCTION  ident  checksums          (or empty: the linker took this function from another object)
//!   COUNTERS  64 bits each            (or a negative length and no body: all of them are zero)
//! 0
//! ```
//!
//! The runtimes of gcc and clang end the file with a zero word. A file without it is rejected as truncated, so that no
//! part is taken for the whole.

use std::ops::Range;

use super::GcovError;
use super::error::other_number;
use super::reader::{Header, RecordReader, TAG_ARC_COUNTERS, TAG_FUNCTION};

/// The counters of one object file.
#[derive(Clone, Debug)]
pub struct Data {
    pub(crate) header: Header,
    pub(crate) functions: Vec<FunctionData>,
    counters: Vec<u64>,
}

#[derive(Clone, Debug)]
pub(crate) struct FunctionData {
    pub(crate) offset: usize,
    pub(crate) ident: u32,
    pub(crate) checksums: [u32; 2],
    counters: StoredCounters,
}

#[derive(Clone, Debug)]
enum StoredCounters {
    /// No counters were written.
    Missing,
    /// This many counters, all of them zero.
    Zeros(usize),
    Values(Range<usize>),
}

impl Data {
    /// Parses a `.gcda` file.
    ///
    /// - Time and memory: O(bytes).
    pub fn parse(bytes: &[u8]) -> Result<Self, GcovError> {
        let (mut reader, header) = RecordReader::open(bytes, *b"gcda")?;
        let mut data = Self { header, functions: Vec::new(), counters: Vec::new() };
        // Counters after an empty FUNCTION record belong to no known function.
        let mut is_in_function = false;
        while let Some(record) = reader.record()? {
            let mut body = record.body;
            match record.tag {
                TAG_FUNCTION => {
                    is_in_function = body.remaining() > 0;
                    if is_in_function {
                        let ident = body.word()?;
                        let checksums = [body.word()?, body.word()?];
                        let counters = StoredCounters::Missing;
                        data.functions.push(FunctionData {
                            offset: record.offset,
                            ident,
                            checksums,
                            counters,
                        });
                    }
                }
                TAG_ARC_COUNTERS if is_in_function => data.read_counters(&mut body, record.length)?,
                // Summaries, and value counters for the optimiser.
                _ => {}
            }
        }
        if !reader.is_at_marker() {
            let (offset, within) = (reader.offset(), "the records: the end marker is missing");
            return Err(GcovError::Truncated { offset, within, missing: 4 });
        }
        Ok(data)
    }

    /// Returns the stamp of the build, which the notes have as well.
    pub fn stamp(&self) -> u32 {
        self.header.stamp
    }

    /// Returns the number of functions with counters.
    pub fn function_count(&self) -> usize {
        self.functions.len()
    }

    /// Adds the counters of another process for the same object, saturating.
    ///
    /// # Errors
    /// Fails without adding anything if the two are from different builds.
    ///
    /// - Time: O(counters), if both have the same functions in the same order.
    pub fn add(&mut self, other: &Self) -> Result<(), GcovError> {
        self.header.check_same(other.header)?;
        let mut places = Vec::with_capacity(other.functions.len());
        for (position, function) in other.functions.iter().enumerate() {
            let is_same = |f: &FunctionData| (f.ident, f.checksums) == (function.ident, function.checksums);
            let here = self.functions.get(position).is_some_and(is_same).then_some(position);
            let place = here.or_else(|| self.functions.iter().position(is_same));
            let numbers = (place.and_then(|p| self.number(p)), other.number(position));
            if let (Some(expected), Some(added)) = numbers
                && expected != added
            {
                let name = format!("{:#010x}", function.ident);
                return Err(other_number(function.offset, &name, expected, added));
            }
            places.push(place);
        }
        for (function, place) in other.functions.iter().zip(places) {
            match (place, other.counters_of(function)) {
                (_, None) => {}
                (Some(place), Some(counters)) => self.add_to(place, counters),
                (None, Some(counters)) => {
                    self.functions
                        .push(FunctionData { counters: StoredCounters::Missing, ..function.clone() });
                    self.add_to(self.functions.len() - 1, counters);
                }
            }
        }
        Ok(())
    }

    fn number(&self, position: usize) -> Option<usize> {
        self.counters_of(&self.functions[position]).map(|(number, _)| number)
    }

    /// Adds counters to a function, which has the same number of them or none.
    fn add_to(&mut self, position: usize, (number, values): (usize, Option<&[u64]>)) {
        let function = &mut self.functions[position];
        match (&function.counters, values) {
            (StoredCounters::Values(range), Some(values)) => {
                for (sum, value) in self.counters[range.clone()].iter_mut().zip(values) {
                    *sum = sum.saturating_add(*value);
                }
            }
            (StoredCounters::Values(_), None) => {}
            (_, None) => function.counters = StoredCounters::Zeros(number),
            (_, Some(values)) => {
                let start = self.counters.len();
                self.counters.extend_from_slice(values);
                function.counters = StoredCounters::Values(start..self.counters.len());
            }
        }
    }

    fn read_counters(&mut self, body: &mut RecordReader<'_>, length: u32) -> Result<(), GcovError> {
        let Some(number) = body.magnitude(length, 8) else {
            return Err(body.malformed("counters are 64 bits each, and a part of one is left over"));
        };
        let Some(function) = self.functions.last_mut() else { return Ok(()) };
        if !matches!(function.counters, StoredCounters::Missing) {
            return Err(body.malformed("a function has its counters twice"));
        }
        if body.remaining() == 0 {
            function.counters = StoredCounters::Zeros(number);
            return Ok(());
        }
        let start = self.counters.len();
        self.counters.reserve(body.remaining() / 8);
        while body.remaining() > 0 {
            self.counters.push(body.counter()?);
        }
        function.counters = StoredCounters::Values(start..self.counters.len());
        Ok(())
    }

    /// Returns a function's counters: their number, and their values unless all are zero. Returns `None` if none were
    /// written.
    pub(crate) fn counters_of(&self, function: &FunctionData) -> Option<(usize, Option<&[u64]>)> {
        match &function.counters {
            StoredCounters::Missing => None,
            StoredCounters::Zeros(number) => Some((*number, None)),
            StoredCounters::Values(range) => Some((range.len(), Some(&self.counters[range.clone()]))),
        }
    }
}
