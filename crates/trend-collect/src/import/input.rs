//! The bytes of a file: unpacked where they are compressed, counted, and given on in pieces.
//!
//! ```text
//!   file ──gunzip?──▶ Source ──▶ lines · a whole document
//!                       └ refuses to go on when the import's budget is spent
//! ```

use std::borrow::Cow;
use std::io::{self, BufRead as _, BufReader, Read};
use std::rc::Rc;

use flate2::read::MultiGzDecoder;

use super::{Budget, ImportError, Limits};

const GZIP: [u8; 2] = [0x1f, 0x8b];
/// What some editors put before UTF-8.
pub(super) const MARK: &[u8] = b"\xef\xbb\xbf";
/// Names are cut at a few thousand bytes; a line of counts that a tool writes for a file has fewer than this.
const LONGEST_LINE: usize = 1 << 20;

/// A file that is read once, from its beginning to its end.
pub struct Input<'a> {
    reader: BufReader<Source<'a>>,
    budget: Rc<Budget>,
    /// A line that is in two pieces of the file.
    line: Vec<u8>,
    /// How much of the present piece the last line was.
    used: usize,
    number: usize,
    is_finished: bool,
}

impl<'a> Input<'a> {
    /// A file, compressed by gzip or not.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn new(mut file: impl Read + 'a, budget: &Rc<Budget>) -> Result<Self, ImportError> {
        let mut start = Vec::new();
        let read = file.by_ref().take(GZIP.len() as u64).read_to_end(&mut start);
        read.map_err(ImportError::from_read)?;
        let is_packed = start == GZIP;
        let whole = io::Cursor::new(start).chain(file);
        let bytes: Box<dyn Read + 'a> =
            if is_packed { Box::new(MultiGzDecoder::new(whole)) } else { Box::new(whole) };
        Ok(Self::of(Source { bytes, is_packed, budget: Rc::clone(budget) }))
    }

    fn of(source: Source<'a>) -> Self {
        let budget = Rc::clone(&source.budget);
        let reader = BufReader::with_capacity(64 << 10, source);
        Self { reader, budget, line: Vec::new(), used: 0, number: 0, is_finished: true }
    }

    /// What is kept of the file is noted here.
    pub(crate) fn budget(&self) -> &Rc<Budget> {
        &self.budget
    }

    /// The next line and its number, from 1, without its end. Bytes that are no UTF-8 (names of files and functions
    /// can have some) become U+FFFD.
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
            } else {
                self.used = end.map_or(0, |end| end + 1);
            }
        }
        let line = if self.used > 0 { &self.reader.buffer()[..self.used] } else { self.line.as_slice() };
        if line.is_empty() {
            return Ok(None);
        }
        self.number += 1;
        self.is_finished = end.is_some();
        if line.len() > LONGEST_LINE {
            return Err(ImportError::LongLine { line: self.number, most: LONGEST_LINE });
        }
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let line = if self.number == 1 { line.strip_prefix(MARK).unwrap_or(line) } else { line };
        Ok(Some((self.number, String::from_utf8_lossy(line))))
    }

    /// Whether the last line that was read has an end, as far as there is one.
    pub(super) fn is_finished(&self) -> bool {
        self.is_finished
    }

    /// How many lines were read.
    pub(super) fn lines(&self) -> usize {
        self.number
    }

    /// Everything, for formats that have to be seen as a whole.
    ///
    /// # Errors
    /// It cannot be read, or is more than may be unpacked.
    pub fn document(self) -> Result<Vec<u8>, ImportError> {
        let most = self.budget.most_of_document();
        let mut bytes = Vec::new();
        self.reader.take(most + 1).read_to_end(&mut bytes).map_err(ImportError::from_read)?;
        if bytes.len() as u64 > most {
            return Err(ImportError::TooMuchUnpacked { most });
        }
        Ok(bytes)
    }

    /// Everything, for formats whose records take little more memory than their text.
    ///
    /// # Errors
    /// It cannot be read, or unpacks to more than may come out of gzip.
    pub(crate) fn long_document(mut self) -> Result<Vec<u8>, ImportError> {
        let mut bytes = Vec::new();
        self.reader.read_to_end(&mut bytes).map_err(ImportError::from_read)?;
        Ok(bytes)
    }

    /// The first bytes, to see what the file is.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn beginning(self, most: u64) -> Result<Vec<u8>, ImportError> {
        let mut bytes = Vec::new();
        self.reader.take(most).read_to_end(&mut bytes).map_err(ImportError::from_read)?;
        Ok(bytes)
    }

    /// The bytes in pieces, as they come.
    pub(crate) fn pieces(self) -> BufReader<impl Read + 'a> {
        self.reader
    }
}

impl<'a> From<&'a [u8]> for Input<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        let budget = Rc::new(Budget::new(Limits::for_files(bytes.len() as u64)));
        Self::of(Source { bytes: Box::new(bytes), is_packed: false, budget })
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

/// Bytes that end in an error where more of them would be too much.
struct Source<'a> {
    bytes: Box<dyn Read + 'a>,
    is_packed: bool,
    budget: Rc<Budget>,
}

impl Read for Source<'_> {
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
