//! Reads the rows of a table one after the other, however long the table is.

use std::io::BufRead;
use std::rc::Rc;

use csv_core::ReadRecordResult;

use crate::import::{Budget, ImportError, Input};

/// Maximum bytes of a row, which is in memory as a whole. One with the names of a million columns has less.
const LONGEST_ROW: usize = 32 << 20;

/// Reads rows in the format of RFC 4180. Spaces around cells are stripped, and empty lines are skipped.
pub(super) struct Rows<'a> {
    bytes: Box<dyn BufRead + 'a>,
    budget: Rc<Budget>,
    parser: csv_core::Reader,
    /// Current line, 1-based, and number of bytes read so far.
    line: u64,
    offset: usize,
    /// First bytes of a character that is not complete yet.
    begun: Vec<u8>,
    ended_with_newline: bool,
    text: Vec<u8>,
    ends: Vec<usize>,
}

/// A row of the table.
pub(super) struct Row<'r> {
    pub(super) line: u64,
    pub(super) cells: Vec<&'r str>,
}

impl<'a> Rows<'a> {
    pub(super) fn new(input: Input<'a>) -> Self {
        Self {
            budget: Rc::clone(input.budget()),
            bytes: Box::new(input.pieces()),
            parser: csv_core::Reader::new(),
            line: 1,
            offset: 0,
            begun: Vec::new(),
            ended_with_newline: false,
            text: Vec::new(),
            ends: Vec::new(),
        }
    }

    pub(super) fn budget(&self) -> &Rc<Budget> {
        &self.budget
    }

    /// Returns true if the last line has a line end. Nothing else reveals a table that is cut within its last number.
    pub(super) fn ended_with_newline(&self) -> bool {
        self.ended_with_newline
    }

    pub(super) fn next(&mut self) -> Result<Option<Row<'_>>, ImportError> {
        if self.skip_empty_lines()? {
            return Ok(None);
        }
        let (line, start) = (self.line, self.offset);
        let (mut length, mut cells) = (0, 0);
        loop {
            if self.offset - start > LONGEST_ROW {
                return Err(ImportError::LongLine { line: line as usize, most: LONGEST_ROW });
            }
            if self.text.len() < length + SLACK {
                self.budget.keep(length + SLACK);
                self.text.resize(2 * length + SLACK, 0);
            }
            if self.ends.len() < cells + SLACK {
                self.budget.keep((cells + SLACK) * size_of::<usize>());
                self.ends.resize(2 * cells + SLACK, 0);
            }
            self.budget.check()?;
            let bytes = self.bytes.fill_buf().map_err(ImportError::from_read)?;
            let (result, read, written, ended) =
                self.parser.read_record(bytes, &mut self.text[length..], &mut self.ends[cells..]);
            length += written;
            cells += ended;
            self.consume(read)?;
            match result {
                ReadRecordResult::Record => break,
                ReadRecordResult::End => return Ok(None),
                ReadRecordResult::InputEmpty
                | ReadRecordResult::OutputFull
                | ReadRecordResult::OutputEndsFull => {}
            }
        }
        let text = std::str::from_utf8(&self.text[..length]).map_err(|_| not_utf8(line, start))?;
        let mut begin = 0;
        let cell = |&end: &usize| text[std::mem::replace(&mut begin, end)..end].trim();
        Ok(Some(Row { line, cells: self.ends[..cells].iter().map(cell).collect() }))
    }

    /// Skips empty lines. Returns true at the end of the input.
    fn skip_empty_lines(&mut self) -> Result<bool, ImportError> {
        loop {
            let bytes = self.bytes.fill_buf().map_err(ImportError::from_read)?;
            if bytes.is_empty() {
                if self.begun.is_empty() {
                    return Ok(true);
                }
                let offset = self.offset - self.begun.len();
                return Err(not_utf8(self.line, offset));
            }
            let empty = bytes.iter().take_while(|b| b"\r\n".contains(b)).count();
            let is_row = empty < bytes.len();
            self.consume(empty)?;
            if is_row {
                return Ok(false);
            }
        }
    }

    /// Consumes bytes, which must be UTF-8.
    fn consume(&mut self, count: usize) -> Result<(), ImportError> {
        let bytes = self.bytes.fill_buf().map_err(ImportError::from_read)?;
        let bytes = &bytes[..count.min(bytes.len())];
        let joined = [&self.begun, bytes].concat();
        let start = self.offset - self.begun.len();
        let valid = match std::str::from_utf8(&joined) {
            Ok(_) => joined.len(),
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            Err(error) => {
                let line = self.line + newlines(&joined[..error.valid_up_to()]) as u64;
                return Err(not_utf8(line, start + error.valid_up_to()));
            }
        };
        self.begun = joined[valid..].to_vec();
        self.line += newlines(bytes) as u64;
        self.offset += bytes.len();
        if let Some(last) = bytes.last() {
            self.ended_with_newline = *last == b'\n';
        }
        self.bytes.consume(count);
        Ok(())
    }
}

/// Minimum free room in the buffers of a row: bytes of text, and number of cell ends.
const SLACK: usize = 4096;

fn not_utf8(line: u64, offset: usize) -> ImportError {
    ImportError::table(format!("line {line} is not UTF-8 (byte {offset}); save the table as UTF-8"))
}

fn newlines(bytes: &[u8]) -> usize {
    bytes.split(|&b| b == b'\n').count() - 1
}
