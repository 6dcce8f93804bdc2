//! Reads the counters of a process, `covcounters.HASH.PID.TIME`.
//!
//! ```text
//! file     magic  version  hash  flavour  is big-endian  segments, each followed by a footer
//! segment  functions  lengths of strings and arguments  strings  arguments  functions
//! function counters  package  function  counters: …
//! footer   magic  segments
//! ```

use super::bytes::Bytes;
use super::meta::check_version;
use crate::import::ImportError;

const MAGIC: [u8; 4] = *b"\0cwm";
const FOOTER: usize = 16;
/// Numbers of four bytes, and numbers as ULEB128.
const RAW: u8 = 1;
const ULEB: u8 = 2;

const FORMAT: &str = "file of Go's counters (covcounters)";

/// Counters of a function: the indices of package and function, and one number per unit.
#[derive(Clone, Debug)]
pub(super) struct Counted {
    pub(super) package: u32,
    pub(super) function: u32,
    pub(super) counters: Vec<u32>,
}

/// Returns the hash of the description, and the counters of all segments.
pub(super) fn parse(bytes: &[u8]) -> Result<([u8; 16], Vec<Counted>), ImportError> {
    let mut reader = Bytes::new(bytes);
    if reader.take(4).ok() != Some(&MAGIC) {
        let problem = format!("it begins with `{}`", bytes[..bytes.len().min(8)].escape_ascii());
        return Err(ImportError::OtherFormat { format: FORMAT, problem });
    }
    check_version(reader.u32()?)?;
    let hash = reader.take(16)?.try_into().unwrap_or_default();
    let flavour = reader.u8()?;
    let is_big_endian = reader.u8()? != 0;
    reader.take(6)?;
    if !(flavour == ULEB || flavour == RAW && !is_big_endian) {
        return Err(reader.damaged("its numbers are stored in an unknown way"));
    }
    let mut counted = Vec::new();
    loop {
        segment(&mut reader, flavour, &mut counted)?;
        let footer = reader.take(FOOTER)?;
        if footer[..4] != MAGIC {
            return Err(reader.damaged("the end of its counters is missing"));
        }
        if reader.remaining() == 0 {
            return Ok((hash, counted));
        }
    }
}

fn segment(reader: &mut Bytes<'_>, flavour: u8, counted: &mut Vec<Counted>) -> Result<(), ImportError> {
    let functions = reader.u64()?;
    let (strings, arguments) = (reader.u32()? as usize, reader.u32()? as usize);
    reader.take(strings)?;
    reader.take(arguments)?;
    reader.take(reader.offset().next_multiple_of(4) - reader.offset())?;
    // A number takes at least one byte.
    if functions > reader.remaining() as u64 {
        return Err(reader.damaged(&format!("{functions} functions do not fit into the rest")));
    }
    let number = |reader: &mut Bytes<'_>| if flavour == RAW { reader.u32() } else { reader.uleb() };
    for _ in 0..functions {
        let count = number(reader)? as usize;
        let (package, function) = (number(reader)?, number(reader)?);
        if count > reader.remaining() {
            return Err(reader.damaged(&format!("{count} counters do not fit into the rest")));
        }
        let counters = (0..count).map(|_| number(reader)).collect::<Result<Vec<_>, _>>()?;
        counted.push(Counted { package, function, counters });
    }
    Ok(())
}
