//! Reads the description of a program's blocks, `covmeta.HASH`.
//!
//! ```text
//! file     magic  version  length  packages  hash  strings: offset, length  mode  granularity
//!          offsets of packages  lengths of packages  strings  packages
//! package  length  name  path  module  hash  files  functions  offsets of functions  strings  functions
//! function units  name  file  units: first line, column, last line, column, statements  is literal
//! ```
//!
//! Layout: version 1 of Go's `internal/coverage/defs.go`, Go 1.20 and later.

use super::bytes::Bytes;
use crate::import::ImportError;

const MAGIC: [u8; 4] = *b"\0cvm";
const VERSION: u32 = 1;
const HEADER: usize = 56;
const MODE_SET: u8 = 1;
const MODES: [u8; 3] = [MODE_SET, 2, 3];
const PER_BLOCK: u8 = 1;

pub(super) const FORMAT: &str = "description of Go's counters (covmeta)";

/// The blocks of a program.
#[derive(Clone, Debug)]
pub(super) struct Meta {
    pub(super) hash: [u8; 16],
    pub(super) packages: Vec<Package>,
    /// True if counters only tell if a block ran.
    pub(super) is_set: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Package {
    pub(super) name: String,
    pub(super) module: String,
    pub(super) functions: Vec<GoFunction>,
}

#[derive(Clone, Debug)]
pub(super) struct GoFunction {
    pub(super) name: String,
    pub(super) file: String,
    pub(super) units: Vec<Unit>,
}

/// A block: its first position and the end of its last statement, 1-based.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit {
    pub(super) begin: (u32, u32),
    pub(super) end: (u32, u32),
}

impl Meta {
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, ImportError> {
        let mut header = Bytes::new(bytes);
        if header.take(4).ok() != Some(&MAGIC) {
            let problem = format!("it begins with `{}`", bytes[..bytes.len().min(8)].escape_ascii());
            return Err(ImportError::OtherFormat { format: FORMAT, problem });
        }
        check_version(header.u32()?)?;
        if header.u64()? != bytes.len() as u64 {
            return Err(header.damaged("its length differs from that in its header"));
        }
        let count = header.u64()?;
        let hash = header.take(16)?.try_into().unwrap_or_default();
        let (_strings_at, _strings_length) = (header.u32()?, header.u32()?);
        let (mode, granularity) = (header.u8()?, header.u8()?);
        if !MODES.contains(&mode) || granularity != PER_BLOCK {
            let what = format!("counters of mode {mode} and granularity {granularity} are unknown");
            return Err(header.damaged(&what));
        }
        header.take(HEADER - header.offset())?;
        let count = usize::try_from(count).ok().filter(|count| *count <= header.remaining() / 16);
        let count = count.ok_or_else(|| header.damaged("its packages do not fit into it"))?;
        let numbers =
            |header: &mut Bytes<'_>| (0..count).map(|_| header.u64()).collect::<Result<Vec<_>, _>>();
        let (offsets, lengths) = (numbers(&mut header)?, numbers(&mut header)?);
        let mut packages = Vec::new();
        let mut last = header.offset() as u64;
        for (offset, length) in offsets.into_iter().zip(lengths) {
            let end = offset.checked_add(length).filter(|end| offset >= last && *end <= bytes.len() as u64);
            let end = end.ok_or_else(|| header.damaged("its packages overlap"))?;
            packages.push(package(&bytes[offset as usize..end as usize])?);
            last = end;
        }
        Ok(Self { hash, packages, is_set: mode == MODE_SET })
    }
}

pub(super) fn check_version(version: u32) -> Result<(), ImportError> {
    if version > VERSION {
        let what = format!(
            "it has version {version}, but this trend-prof reads version {VERSION}, that of Go 1.20 to 1.27"
        );
        return Err(ImportError::Table { what });
    }
    Ok(())
}

fn package(bytes: &[u8]) -> Result<Package, ImportError> {
    let mut reader = Bytes::new(bytes);
    let (_length, name, _path, module) = (reader.u32()?, reader.u32()?, reader.u32()?, reader.u32()?);
    // The hash, padding, and the number of files.
    reader.take(16 + 4 + 4)?;
    let count = reader.u32()? as usize;
    if count > reader.remaining() / 4 {
        return Err(reader.damaged("its functions do not fit into it"));
    }
    let offsets = (0..count).map(|_| reader.u32()).collect::<Result<Vec<_>, _>>()?;
    let strings = reader.strings()?;
    let text = |index: u32| {
        let text = strings.get(index as usize).map(|text| String::from_utf8_lossy(text).into_owned());
        text.ok_or_else(|| ImportError::Table { what: format!("it is damaged: string {index} is missing") })
    };
    let mut functions = Vec::with_capacity(count);
    for offset in offsets {
        if offset as usize != reader.offset() {
            return Err(reader.damaged("a function is not where the table says"));
        }
        functions.push(function(&mut reader, &text)?);
    }
    Ok(Package { name: text(name)?, module: text(module)?, functions })
}

/// Bytes of the shortest unit.
const UNIT: usize = 5;

fn function(
    reader: &mut Bytes<'_>,
    text: &impl Fn(u32) -> Result<String, ImportError>,
) -> Result<GoFunction, ImportError> {
    let count = reader.count(UNIT)?;
    let (name, file) = (text(reader.uleb()?)?, text(reader.uleb()?)?);
    let mut units = Vec::with_capacity(count);
    for _ in 0..count {
        let begin = (reader.uleb()?, reader.uleb()?);
        let end = (reader.uleb()?, reader.uleb()?);
        let _statements = reader.uleb()?;
        units.push(Unit { begin, end });
    }
    let _is_literal = reader.uleb()?;
    Ok(GoFunction { name, file, units })
}
