//! Reads the bytes of a file in pieces, unpacks compressed ones, and enforces the limits.
//!
//! ```text
//!   file ──gunzip?──▶ Source ──▶ lines · a whole document
//!                       └ fails once the import's budget is exceeded
//! ```

use std::borrow::Cow;
use std::io::{self, BufRead as _, BufReader, Read};
use std::rc::Rc;

use flate2::read::MultiGzDecoder;

use super::{Budget, ImportError, Limits};

const GZIP: [u8; 2] = [0x1f, 0x8b];
/// Byte order mark that some editors put before UTF-8.
pub(super) const MARK: &[u8] = b"\xef\xbb\xbf";
/// Maximum bytes of a line. Names are cut at a few thousand bytes, and a tool's line of counts for a file is shorter
/// than this.
const LONGEST_LINE: usize = 1 << 20;

/// A file that is read once, from beginning to end.
pub struct Input<'a> {
    reader: BufReader<LimitedReader<'a>>,
    budget: Rc<Budget>,
    /// A line that spans several pieces of the file.
    line: Vec<u8>,
    /// Bytes of the current piece that the last line used.
    used: usize,
    number: usize,
    ended_with_newline: bool,
}

impl<'a> Input<'a> {
    /// Opens a file, compressed by gzip or not.
    ///
    /// # Errors
    /// Fails if the file cannot be read.
    pub fn new(mut file: impl Read + 'a, budget: &Rc<Budget>) -> Result<Self, ImportError> {
        let mut start = Vec::new();
        let read = file.by_ref().take(GZIP.len() as u64).read_to_end(&mut start);
        read.map_err(ImportError::from_read)?;
        let is_packed = start == GZIP;
        let whole = io::Cursor::new(start).chain(file);
        let bytes: Box<dyn Read + 'a> =
            if is_packed { Box::new(MultiGzDecoder::new(whole)) } else { Box::new(whole) };
        Ok(Self::from_reader(LimitedReader { bytes, is_packed, budget: Rc::clone(budget) }))
    }

    fn from_reader(source: LimitedReader<'a>) -> Self {
        let budget = Rc::clone(&source.budget);
        let reader = BufReader::with_capacity(64 << 10, source);
        Self { reader, budget, line: Vec::new(), used: 0, number: 0, ended_with_newline: true }
    }

    /// Returns the budget that everything kept of the file is charged to.
    pub(crate) fn budget(&self) -> &Rc<Budget> {
        &self.budget
    }

    /// Reads the next line without its end, with its number from 1. Invalid UTF-8 (possible in names of files and
    /// functions) becomes U+FFFD.
    pub(super) fn line(&mut self) -> Result<Option<(usize, Cow<'_, str>)>, ImportError> {
        self.reader.consume(std::mem::take(&mut self.used));
        self.line.clear();
        let mut end = None;
        while end.is_none() && self.line.len() <= LONGEST_LINE {
            let piece = self.reader.fill_buf().map_err(ImportError::from_read)?;
            end = memchr::memchr(b'\n', piece);
            if end.is_none() || !self.line.is_empty() {
                let used = end.map_or(piece.len(), |end| end + 1);
                if used == 0 {
                    break;
                }
                self.line.extend_from_slice(&piece[..used]);
                self.reader.consume(used);
            } else if let Some(end) = end {
                self.used = end + 1;
            }
        }
        let line = if self.used > 0 { &self.reader.buffer()[..self.used] } else { self.line.as_slice() };
        if line.is_empty() {
            return Ok(None);
        }
        self.number += 1;
        self.ended_with_newline = end.is_some();
        if line.len() > LONGEST_LINE {
            return Err(ImportError::LongLine { line: self.number, most: LONGEST_LINE });
        }
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let line = if self.number == 1 { line.strip_prefix(MARK).unwrap_or(line) } else { line };
        Ok(Some((self.number, String::from_utf8_lossy(line))))
    }

    /// Returns true if the last line read has a line end, or no line was read.
    pub(super) fn ended_with_newline(&self) -> bool {
        self.ended_with_newline
    }

    /// Returns the number of lines read.
    pub(super) fn lines(&self) -> usize {
        self.number
    }

    /// Reads the whole file, for formats that cannot be read in parts.
    ///
    /// # Errors
    /// Fails if the file cannot be read, or is larger than a document may be.
    pub fn document(self) -> Result<Vec<u8>, ImportError> {
        let most = self.budget.most_of_document();
        let mut bytes = Vec::new();
        self.reader.take(most + 1).read_to_end(&mut bytes).map_err(ImportError::from_read)?;
        if bytes.len() as u64 > most {
            return Err(ImportError::TooMuchUnpacked { most });
        }
        Ok(bytes)
    }

    /// Reads the whole file, for formats whose records take little more memory than their text.
    ///
    /// # Errors
    /// Fails if the file cannot be read, or unpacks to more than allowed.
    pub(crate) fn long_document(mut self) -> Result<Vec<u8>, ImportError> {
        let mut bytes = Vec::new();
        self.reader.read_to_end(&mut bytes).map_err(ImportError::from_read)?;
        Ok(bytes)
    }

    /// Reads the first bytes, to detect the format.
    ///
    /// # Errors
    /// Fails if the file cannot be read.
    pub fn beginning(self, most: u64) -> Result<Vec<u8>, ImportError> {
        let mut bytes = Vec::new();
        self.reader.take(most).read_to_end(&mut bytes).map_err(ImportError::from_read)?;
        Ok(bytes)
    }

    /// Returns the bytes in pieces, as they are read.
    pub(crate) fn pieces(self) -> BufReader<impl Read + 'a> {
        self.reader
    }
}

impl<'a> From<&'a [u8]> for Input<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        let budget = Rc::new(Budget::new(Limits::for_files(bytes.len() as u64)));
        Self::from_reader(LimitedReader { bytes: Box::new(bytes), is_packed: false, budget })
    }
}

impl<'a, const N: usize> From<&'a [u8; N]> for Input<'a> {
    fn from(bytes: &'a [u8; N]) -> Self {
        Self::from(bytes.as_slice())
    }
}

impl<'a> From<&'a Vec<u8>> for Input<'a> {
    fn from(bytes: &'a Vec<u8>) -> Self {
        Self::from(bytes.as_slice())
    }
}

/// A reader that returns an error once the budget is exceeded.
struct LimitedReader<'a> {
    bytes: Box<dyn Read + 'a>,
    is_packed: bool,
    budget: Rc<Budget>,
}

impl Read for LimitedReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.budget.check().map_err(io::Error::other)?;
        if !self.is_packed {
            return self.bytes.read(buffer);
        }
        let count = self.bytes.read(buffer).map_err(|e| {
            let missing = format!("gzip: {e}");
            if e.kind() == io::ErrorKind::Interrupted {
                e
            } else {
                io::Error::other(ImportError::CutOff { missing })
            }
        })?;
        self.budget.unpack(count).map_err(io::Error::other)?;
        Ok(count)
    }
}
