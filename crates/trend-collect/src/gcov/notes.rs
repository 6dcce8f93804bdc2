//! Parses the compiler's notes (`.gcno`): functions, their control flow, and the lines of each block.
//!
//! ```text
//! header  [cwd: gcc ≥ 9]  [unexecuted blocks: gcc ≥ 8]
//! FUNCTION  ident  checksums  name  [artificial]  file  line  [columns, end]
//!   BLOCKS  number
//!   ARCS    block  (destination  flags)…                  one record per block
//!   LINES   block  (0 file | line)…  0 ""                 one record per block that has lines
//! ```
//!
//! A damaged file is rejected as a whole. gcc writes no end marker, so a file can be cut exactly between two records.
//! This parser notices missing arcs of the last function, and the data reveals missing functions. Missing lines of the
//! last function go unnoticed.

use indexmap::IndexSet;

use super::GcovError;
use super::reader::{RecordReader, TAG_ARCS, TAG_BLOCKS, TAG_FUNCTION, TAG_LINES, TaggedRecord};
use super::version::Version;

/// The notes of one object file.
#[derive(Clone, Debug)]
pub struct Notes {
    version: Version,
    stamp: u32,
    directory: Option<String>,
    files: Vec<String>,
    functions: Vec<FunctionNotes>,
}

/// The notes of one function.
#[derive(Clone, Debug)]
pub struct FunctionNotes {
    pub(crate) ident: u32,
    pub(crate) checksums: [u32; 2],
    name: String,
    is_artificial: bool,
    file: u32,
    line: u32,
    pub(super) blocks: u32,
    exit: u32,
    arcs: Vec<Arc>,
    lines: Vec<BlockLine>,
}

/// A possible step from one block to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arc {
    /// Block that the arc leaves.
    pub source: u32,
    /// Block that the arc enters.
    pub destination: u32,
    flags: u32,
}

/// A line with code of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockLine {
    /// Number of the block.
    pub block: u32,
    /// Index into [`Notes::files`].
    pub file: u32,
    /// Line number, 1-based.
    pub line: u32,
}

impl Arc {
    /// Returns true if the arc has no counter; its count follows from the others.
    pub fn is_on_tree(self) -> bool {
        self.flags & 1 != 0
    }

    /// Returns true for a call that does not return, or returns twice; the program does not jump there.
    pub fn is_fake(self) -> bool {
        self.flags & 2 != 0
    }

    /// Returns true if control falls through to the destination without a jump.
    pub fn is_fall_through(self) -> bool {
        self.flags & 4 != 0
    }

    pub(crate) fn flags(self) -> u32 {
        self.flags
    }
}

impl FunctionNotes {
    /// Returns the linkage name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns true if the compiler made the function: static initialisers, OpenMP's outlined regions.
    pub fn is_artificial(&self) -> bool {
        self.is_artificial
    }

    /// Returns an index into [`Notes::files`].
    pub fn file(&self) -> u32 {
        self.file
    }

    /// Returns the function's first line.
    pub fn line(&self) -> u32 {
        self.line
    }

    /// Returns the number of blocks, including entry and exit.
    pub fn block_count(&self) -> u32 {
        self.blocks
    }

    /// Returns the exit block that the compiler added; the entry block is 0.
    pub fn exit_block(&self) -> u32 {
        self.exit
    }

    /// Returns the arcs in the order of their counters.
    pub fn arcs(&self) -> &[Arc] {
        &self.arcs
    }

    /// Returns the lines of the blocks in the order of the notes.
    pub fn lines(&self) -> &[BlockLine] {
        &self.lines
    }

    fn check(&self, reader: &RecordReader<'_>) -> Result<(), GcovError> {
        let mut named = vec![];
        named.extend(self.arcs.iter().flat_map(|a| [a.source, a.destination]));
        named.extend(self.lines.iter().map(|l| l.block));
        if let Some(block) = named.iter().find(|&&b| b >= self.blocks) {
            let what = format!("block {block} of function `{}`, which has {}", self.name, self.blocks);
            return Err(reader.malformed(what));
        }
        // Nothing is stored for a block without arcs and lines, so a huge number of blocks would only waste memory.
        // Entry and exit may have neither.
        if self.blocks as usize > named.len() + 2 {
            let what = format!("{} blocks of function `{}` lack their arcs", self.blocks, self.name);
            return Err(reader.malformed(what));
        }
        Ok(())
    }
}

impl Notes {
    /// Parses a `.gcno` file.
    ///
    /// - Time and memory: O(bytes).
    pub fn parse(bytes: &[u8]) -> Result<Self, GcovError> {
        let (mut reader, header) = RecordReader::open(bytes, *b"gcno")?;
        let version = header.version.number();
        let directory = if version >= Version::GCC_9 { reader.string()? } else { None };
        if version >= Version::GCC_8 {
            reader.word()?;
        }
        let mut parser =
            Parser { version, files: IndexSet::new(), functions: Vec::new(), file: 0, arc_records: 0 };
        while let Some(record) = reader.record()? {
            parser.record(record)?;
        }
        parser.finish_function(&reader)?;
        if !reader.is_at_marker() {
            parser.check_end(&reader)?;
        }
        Ok(Self {
            version: header.version,
            stamp: header.stamp,
            directory,
            files: parser.files.into_iter().collect(),
            functions: parser.functions,
        })
    }

    /// Returns the format version of the file.
    pub fn version(&self) -> Version {
        self.version
    }

    /// Returns the stamp of the build, which data has as well.
    pub fn stamp(&self) -> u32 {
        self.stamp
    }

    /// Returns the compiler's working directory, if the notes contain it.
    pub fn directory(&self) -> Option<&str> {
        self.directory.as_deref()
    }

    /// Returns the names of source files as the compiler had them.
    pub fn files(&self) -> &[String] {
        &self.files
    }

    /// Returns the functions in the order of the notes.
    pub fn functions(&self) -> &[FunctionNotes] {
        &self.functions
    }
}

struct Parser {
    version: u32,
    files: IndexSet<String>,
    functions: Vec<FunctionNotes>,
    /// File of the previous line; it applies to the next line unless that names another.
    file: u32,
    /// Number of arc records of the last function. gcc writes one per block except the exit, even an empty one.
    arc_records: u32,
}

impl Parser {
    fn record(&mut self, record: TaggedRecord<'_>) -> Result<(), GcovError> {
        let TaggedRecord { tag, mut body, .. } = record;
        match tag {
            TAG_FUNCTION => self.function(&mut body),
            TAG_BLOCKS => self.blocks(&mut body, record.length),
            TAG_ARCS => self.arcs(&mut body),
            TAG_LINES => self.lines(&mut body),
            // Conditions (gcc 14), paths (gcc 15) and future kinds.
            _ => Ok(()),
        }
    }

    fn function(&mut self, body: &mut RecordReader<'_>) -> Result<(), GcovError> {
        self.finish_function(body)?;
        let ident = body.word()?;
        let checksums = [body.word()?, body.word()?];
        let name = body.string()?.unwrap_or_default();
        let is_artificial = self.version >= Version::GCC_8 && body.word()? != 0;
        let file = self.files.insert_full(body.string()?.unwrap_or_default()).0 as u32;
        let line = body.word()?;
        self.file = file;
        self.arc_records = 0;
        self.functions.push(FunctionNotes {
            ident,
            checksums,
            name,
            is_artificial,
            file,
            line,
            blocks: 0,
            exit: 0,
            arcs: Vec::new(),
            lines: Vec::new(),
        });
        Ok(())
    }

    fn blocks(&mut self, body: &mut RecordReader<'_>, length: u32) -> Result<(), GcovError> {
        let number = match self.version {
            // One word of flags per block.
            ..Version::GCC_8 => length,
            _ => body.word()?,
        };
        let old = self.version < Version::GCC_4_8;
        let function = current(&mut self.functions, body)?;
        if function.blocks != 0 {
            return Err(body.malformed(format!("function `{}` has its blocks twice", function.name)));
        }
        function.blocks = number;
        function.exit = if old { number.saturating_sub(1) } else { 1.min(number.saturating_sub(1)) };
        Ok(())
    }

    fn arcs(&mut self, body: &mut RecordReader<'_>) -> Result<(), GcovError> {
        self.arc_records += 1;
        let function = current(&mut self.functions, body)?;
        let source = body.word()?;
        if !body.remaining().is_multiple_of(8) {
            return Err(body.malformed("arcs are two words each, and half of one is left over"));
        }
        function.arcs.reserve(body.remaining() / 8);
        while body.remaining() > 0 {
            let (destination, flags) = (body.word()?, body.word()?);
            function.arcs.push(Arc { source, destination, flags });
        }
        Ok(())
    }

    fn lines(&mut self, body: &mut RecordReader<'_>) -> Result<(), GcovError> {
        let function = current(&mut self.functions, body)?;
        let block = body.word()?;
        loop {
            match body.word()? {
                0 => match body.string()? {
                    Some(file) if !file.is_empty() => {
                        self.file = self.files.insert_full(file).0 as u32;
                    }
                    _ => return Ok(()),
                },
                line => function.lines.push(BlockLine { block, file: self.file, line }),
            }
        }
    }

    /// Checks that the last function is complete, for notes without an end marker.
    fn check_end(&self, reader: &RecordReader<'_>) -> Result<(), GcovError> {
        let Some(function) = self.functions.last() else { return Ok(()) };
        let lacking = function.blocks.saturating_sub(1).saturating_sub(self.arc_records) as usize;
        if lacking == 0 {
            return Ok(());
        }
        let (offset, within) = (reader.offset(), "the arcs of the last function");
        Err(GcovError::Truncated { offset, within, missing: lacking.saturating_mul(12) })
    }

    /// Finishes the last function. gcc's counters are in the order of the blocks, whatever the order of the records.
    fn finish_function(&mut self, reader: &RecordReader<'_>) -> Result<(), GcovError> {
        let Some(function) = self.functions.last_mut() else { return Ok(()) };
        function.arcs.sort_by_key(|a| a.source);
        function.check(reader)
    }
}

fn current<'f>(
    functions: &'f mut [FunctionNotes],
    reader: &RecordReader<'_>,
) -> Result<&'f mut FunctionNotes, GcovError> {
    functions.last_mut().ok_or_else(|| reader.malformed("blocks, arcs or lines of no function"))
}
