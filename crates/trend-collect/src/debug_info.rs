//! Reads debug information: the functions inlined at an address of a program.
//!
//! Supports DWARF as gcc, clang and rustc put it into the program or library itself. Separate files (`-gsplit-dwarf`,
//! packages of a distribution) are not searched.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use addr2line::Context;
use gimli::{DebuggingInformationEntry, EndianArcSlice, RunTimeEndian, SectionId, Unit};
use object::{CompressionFormat, Object, ObjectSection};

use crate::import::callgrind::Frame;

pub(crate) type Section = EndianArcSlice<RunTimeEndian>;

/// Maximum depth of inlined functions; no real one is deeper.
const DEEPEST: usize = 1000;

/// Reason why a program's debug information is unusable. Each message completes "failed to read …: it …".
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum DebugInfoError {
    /// The bytes are not a program.
    #[error("is not an ELF program or library: {what}")]
    NotProgram {
        /// Error message of the reader.
        what: String,
    },
    /// The program was compiled without debug information, or stripped.
    #[error("has no debug information")]
    None,
    /// The debug information is damaged or in an unknown format.
    #[error("has unreadable debug information: {what}")]
    Unreadable {
        /// Description of the error.
        what: String,
    },
}

/// The debug information of a program or library.
pub struct DebugInfo {
    dwarf: Arc<gimli::Dwarf<Section>>,
    context: Context<Section>,
    cache: HashMap<u64, Arc<[Frame]>>,
    /// Deduplicated names of functions and files.
    names: HashSet<Arc<str>>,
}

impl std::fmt::Debug for DebugInfo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DebugInfo").field("cache", &self.cache.len()).finish_non_exhaustive()
    }
}

impl DebugInfo {
    /// Finds the debug information in an ELF file. Units are decoded when one of their addresses is looked up.
    ///
    /// # Errors
    /// Fails if the bytes are not an ELF file, or if the debug information is missing, damaged or compressed in an
    /// unknown way.
    pub fn parse(program: &[u8]) -> Result<Self, DebugInfoError> {
        let not_program = |e: object::Error| DebugInfoError::NotProgram { what: e.to_string() };
        let file = object::File::parse(program).map_err(not_program)?;
        let endian = if file.is_little_endian() { RunTimeEndian::Little } else { RunTimeEndian::Big };
        let info = section(&file, SectionId::DebugInfo)?;
        if info.is_empty() {
            return Err(DebugInfoError::None);
        }
        let load = |id: SectionId| Ok(Section::new(section(&file, id)?.into(), endian));
        let dwarf = gimli::Dwarf::load::<_, DebugInfoError>(load)?;
        let dwarf = Arc::new(dwarf);
        let context = Context::from_arc_dwarf(Arc::clone(&dwarf))?;
        Ok(Self { dwarf, context, cache: HashMap::new(), names: HashSet::new() })
    }

    /// Returns the functions at an address, innermost first; empty if none are known or the information is damaged.
    ///
    /// - Time: that of decoding the address's unit, for the first address in that unit.
    pub fn frames(&mut self, address: u64) -> Arc<[Frame]> {
        if let Some(frames) = self.cache.get(&address) {
            return Arc::clone(frames);
        }
        let frames: Arc<[Frame]> = self.find(address).unwrap_or_default().into();
        self.cache.insert(address, Arc::clone(&frames));
        frames
    }

    pub(crate) fn dwarf(&self) -> &gimli::Dwarf<Section> {
        &self.dwarf
    }

    fn find(&mut self, address: u64) -> Result<Vec<Frame>, gimli::Error> {
        let Self { context, names, .. } = self;
        let mut functions = Vec::new();
        let mut frames = context.find_frames(address).skip_all_loads()?;
        while let Some(frame) = frames.next()?.filter(|_| functions.len() < DEEPEST) {
            let function = frame.function.as_ref().and_then(|f| f.raw_name().ok());
            let (file, line) =
                frame.location.map_or(("", 0), |l| (l.file.unwrap_or(""), l.line.unwrap_or(0)));
            functions.push(Frame {
                function: function.map(|name| once(names, &name)),
                file: once(names, file),
                line,
            });
        }
        Ok(functions)
    }
}

/// Returns the address ranges of a function; code that the linker dropped has address 0.
pub(crate) fn ranges_of(
    dwarf: &gimli::Dwarf<Section>,
    unit: &Unit<Section>,
    entry: &DebuggingInformationEntry<Section>,
) -> Result<Vec<(u64, u64)>, gimli::Error> {
    let mut all = Vec::new();
    if let Some(value) = entry.attr_value(gimli::DW_AT_ranges)
        && let Some(mut ranges) = dwarf.attr_ranges(unit, value)?
    {
        while let Some(range) = ranges.next()? {
            all.push((range.begin, range.end));
        }
    } else if let Some(low) = entry.attr_value(gimli::DW_AT_low_pc)
        && let Some(begin) = dwarf.attr_address(unit, low)?
    {
        let end = match entry.attr_value(gimli::DW_AT_high_pc) {
            Some(value) => match value.udata_value() {
                Some(size) => begin.checked_add(size),
                None => dwarf.attr_address(unit, value)?,
            },
            None => None,
        };
        all.extend(end.map(|end| (begin, end)));
    }
    all.retain(|(begin, end)| 0 < *begin && begin < end);
    Ok(all)
}

fn once(names: &mut HashSet<Arc<str>>, name: &str) -> Arc<str> {
    if let Some(shared) = names.get(name) {
        return Arc::clone(shared);
    }
    let name: Arc<str> = name.into();
    names.insert(Arc::clone(&name));
    name
}

/// Returns the decompressed bytes of a section; empty if it is missing.
fn section(file: &object::File<'_>, id: SectionId) -> Result<Vec<u8>, DebugInfoError> {
    let unreadable = |what: String| DebugInfoError::Unreadable { what: format!("{}: {what}", id.name()) };
    let Some(section) = file.section_by_name(id.name()) else { return Ok(Vec::new()) };
    let data = section.compressed_data().map_err(|e| unreadable(e.to_string()))?;
    match data.format {
        CompressionFormat::None => Ok(data.data.to_vec()),
        CompressionFormat::Zlib => {
            let most = usize::try_from(data.uncompressed_size).unwrap_or(usize::MAX);
            miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(data.data, most)
                .map_err(|e| unreadable(e.to_string()))
        }
        _ => Err(unreadable("it is compressed, but not with zlib".to_owned())),
    }
}

impl From<gimli::Error> for DebugInfoError {
    fn from(error: gimli::Error) -> Self {
        Self::Unreadable { what: error.to_string() }
    }
}
