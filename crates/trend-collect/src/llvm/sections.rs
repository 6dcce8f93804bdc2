//! Finds the sections of a program that hold its coverage mapping.

use std::collections::HashMap;

use md5::{Digest, Md5};
use object::{Object, ObjectSection};

use super::LlvmError;
use super::reader::{ByteReader, inflated};

/// Separator byte between names.
const SEPARATOR: u8 = 1;

/// The sections of a linked program or shared library.
pub(super) struct Sections<'a> {
    /// File tables of the translation units.
    pub(super) tables: ByteReader<'a>,
    /// Mappings of the functions.
    pub(super) functions: ByteReader<'a>,
    names: ByteReader<'a>,
    pub(super) build_id: Option<&'a [u8]>,
}

impl<'a> Sections<'a> {
    pub(super) fn find(program: &'a [u8]) -> Result<Self, LlvmError> {
        let not_program = |e: object::Error| LlvmError::NotProgram { what: e.to_string() };
        let file = object::File::parse(program).map_err(not_program)?;
        if !file.is_64() {
            return Err(LlvmError::NotProgram { what: "it has 32-bit pointers".to_owned() });
        }
        let big_endian = !file.is_little_endian();
        let section = |name: &'static str| {
            let section = file.section_by_name(name).ok_or(LlvmError::NoMapping { section: name })?;
            Ok(ByteReader::new(section.data().map_err(not_program)?, big_endian, name))
        };
        Ok(Self {
            tables: section("__llvm_covmap")?,
            functions: section("__llvm_covfun")?,
            names: section("__llvm_prf_names")?,
            build_id: file.build_id().ok().flatten(),
        })
    }

    /// Returns names by the first half of their digest.
    ///
    /// The section is a sequence of chunks, one per translation unit or a single one. A chunk has its length, its
    /// compressed length or zero, and the names. The linker can leave zeros between chunks.
    pub(super) fn names(&self) -> Result<HashMap<u64, String>, LlvmError> {
        let mut reader = self.names.clone();
        let mut names = HashMap::new();
        while reader.remaining() > 0 {
            if reader.rest()[0] == 0 {
                reader.take(1)?;
                continue;
            }
            let (length, compressed) = (reader.uleb()?, reader.uleb()?);
            if compressed == 0 {
                add_names(reader.take(length)?, &mut names);
            } else {
                let bytes = reader.take(compressed)?;
                add_names(&inflated(bytes, length, &reader)?, &mut names);
            }
        }
        Ok(names)
    }
}

fn add_names(chunk: &[u8], names: &mut HashMap<u64, String>) {
    for name in chunk.split(|b| *b == SEPARATOR) {
        names.entry(digest(name)).or_insert_with(|| String::from_utf8_lossy(name).into_owned());
    }
}

/// Returns the first half of the MD5 digest as a number, which identifies names and file tables.
pub(super) fn digest(bytes: &[u8]) -> u64 {
    let digest = Md5::digest(bytes);
    let (half, _) = digest.split_at(8);
    u64::from_le_bytes(half.try_into().unwrap_or_default())
}
