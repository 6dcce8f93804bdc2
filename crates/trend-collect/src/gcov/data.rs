//! The program's data (`.gcda`): the counters of each function.
//!
//! ```text
//! header  [summary]
//! FUNCTION  ident  checksums          (or empty: the linker took this function from another object)
//!   COUNTERS  64 bits each            (or a negative length and no body: all of them are zero)
//! 0
//! ```
//!
//! Both gcc's and clang's runtimes end the file with a zero word; without it the file is truncated,
//! so that no part of a file is taken for the whole.

use std::ops::Range;

use super::GcovError;
use super::reader::{Header, Reader, TAG_ARC_COUNTERS, TAG_FUNCTION};

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
    counters: Counters,
}

#[derive(Clone, Debug)]
enum Counters {
    /// None were written.
    Missing,
    /// So many, all of them zero.
    Zeros(usize),
    Stored(Range<usize>),
}

impl Data {
    /// Reads the bytes of a `.gcda`.
    ///
    /// - Time and memory: O(bytes).
    pub fn parse(bytes: &[u8]) -> Result<Self, GcovError> {
        let (mut reader, header) = Reader::open(bytes, *b"gcda")?;
        let mut data = Self { header, functions: Vec::new(), counters: Vec::new() };
        // Counters that follow an empty FUNCTION record belong to nothing that is known.
        let mut is_in_function = false;
        while let Some(record) = reader.record()? {
            let mut body = record.body;
            match record.tag {
                TAG_FUNCTION => {
                    is_in_function = body.remaining() > 0;
                    if is_in_function {
                        let ident = body.word()?;
                        let checksums = [body.word()?, body.word()?];
                        let counters = Counters::Missing;
                        data.functions.push(FunctionData {
                            offset: record.offset,
                            ident,
                            checksums,
                            counters,
                        });
                    }
                }
                TAG_ARC_COUNTERS if is_in_function => data.read_counters(&mut body, record.length)?,
                // Summaries, and counters of values for the optimiser.
                _ => {}
            }
        }
        if !reader.is_at_marker() {
            let (offset, within) = (reader.offset(), "the records: the end marker is not there");
            return Err(GcovError::Truncated { offset, within, missing: 4 });
        }
        Ok(data)
    }

    /// The number of the build, which the notes have as well.
    pub fn stamp(&self) -> u32 {
        self.header.stamp
    }

    /// The number of functions that were counted.
    pub fn function_count(&self) -> usize {
        self.functions.len()
    }

    fn read_counters(&mut self, body: &mut Reader<'_>, length: u32) -> Result<(), GcovError> {
        let Some(number) = body.magnitude(length, 8) else {
            return Err(body.malformed("counters are 64 bits each, and a part of one is left over"));
        };
        let Some(function) = self.functions.last_mut() else { return Ok(()) };
        if !matches!(function.counters, Counters::Missing) {
            return Err(body.malformed("a function has its counters twice"));
        }
        if body.remaining() == 0 {
            function.counters = Counters::Zeros(number);
            return Ok(());
        }
        let start = self.counters.len();
        self.counters.reserve(body.remaining() / 8);
        while body.remaining() > 0 {
            self.counters.push(body.counter()?);
        }
        function.counters = Counters::Stored(start..self.counters.len());
        Ok(())
    }

    /// A function's counters: how many there are, and their values unless all are zero. `None` where
    /// none were written.
    pub(crate) fn counters_of(&self, function: &FunctionData) -> Option<(usize, Option<&[u64]>)> {
        match &function.counters {
            Counters::Missing => None,
            Counters::Zeros(number) => Some((*number, None)),
            Counters::Stored(range) => Some((range.len(), Some(&self.counters[range.clone()]))),
        }
    }
}
