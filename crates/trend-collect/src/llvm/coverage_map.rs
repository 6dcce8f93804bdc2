//! Reads the coverage mapping of a program: the regions of every function, and their counts in a profile.

use std::collections::{HashMap, HashSet};

use md5::{Digest, Md5};

use super::LlvmError;
use super::counter::{Evaluation, Expression};
use super::reader::{ByteReader, inflated};
use super::regions::{Mapping, Region};
use super::sections::{Sections, digest};

const KNOWN: &str = "versions 4 to 7 (those of LLVM 11 to 22)";
/// Version as encoded: one less than its name.
const OLDEST: u32 = 3;
const WITH_DIRECTORY: u32 = 5;
const NEWEST: u32 = 6;

/// The mapping of one function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MappedFunction {
    /// Linkage name; clang puts the file before the name of a local function.
    pub(super) name: String,
    pub(super) name_digest: u64,
    /// Checksum of the control flow; 0 if the function was not compiled.
    pub(super) hash: u64,
    pub(super) files: Vec<u32>,
    pub(super) expressions: Vec<Expression>,
    pub(super) regions: Vec<Region>,
    /// Bytes that the mapping takes in the program.
    pub(super) bytes: usize,
}

impl MappedFunction {
    /// Returns the linkage name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the regions in the order of the mapping.
    pub fn regions(&self) -> &[Region] {
        &self.regions
    }

    pub(crate) fn hash(&self) -> u64 {
        self.hash
    }

    /// Returns true if the function has counters. A function without them was seen by the compiler but not compiled.
    pub fn is_counted(&self) -> bool {
        self.hash != 0
    }

    /// Returns the counts of all regions, `[regions]`, and true if counters contradict each other. Negative counts
    /// become 0.
    pub fn counts(&self, counters: &[u64]) -> (Vec<u64>, bool) {
        let mut evaluation = Evaluation::new(counters, &self.expressions);
        let mut is_contradictory = false;
        let counts = self.regions.iter().map(|region| {
            let value = evaluation.value(region.term).unwrap_or_default();
            is_contradictory |= value < 0;
            u64::try_from(value.max(0)).unwrap_or(u64::MAX)
        });
        (counts.collect(), is_contradictory)
    }
}

/// The coverage mapping of a whole program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoverageMap {
    files: Vec<String>,
    functions: Vec<MappedFunction>,
    build_id: Option<Vec<u8>>,
    stamp: u32,
}

/// Range of a file table in the files of the map.
#[derive(Clone, Copy)]
struct Table {
    start: usize,
    length: usize,
    version: u32,
}

impl CoverageMap {
    /// Parses the mapping of a linked program or shared library.
    ///
    /// - Time and memory: O(bytes of the mapping when inflated).
    pub fn parse(program: &[u8]) -> Result<Self, LlvmError> {
        let sections = Sections::find(program)?;
        let mut map = Self {
            files: Vec::new(),
            functions: Vec::new(),
            build_id: sections.build_id.map(<[u8]>::to_vec),
            stamp: stamp(&sections),
        };
        let tables = map.read_tables(sections.tables.clone())?;
        map.read_functions(sections.functions.clone(), &tables, &sections.names()?)?;
        Ok(map)
    }

    /// Returns the functions in the order of the program.
    pub fn functions(&self) -> &[MappedFunction] {
        &self.functions
    }

    /// Returns the name of a region's file as the compiler got it. A name relative to the compiler's working directory
    /// is made absolute.
    pub fn file_of(&self, function: &MappedFunction, region: &Region) -> &str {
        let file = function.files.get(region.file as usize);
        file.and_then(|f| self.files.get(*f as usize)).map_or("", String::as_str)
    }

    /// Returns the linker's build id, if there is one.
    pub fn build_id(&self) -> Option<&[u8]> {
        self.build_id.as_deref()
    }

    /// Returns a digest of the mapping: it stays equal as long as the program counts the same things.
    pub fn stamp(&self) -> u32 {
        self.stamp
    }

    pub(crate) fn files(&self) -> &[String] {
        &self.files
    }

    /// Reads the file tables. Each has four numbers, the names of the files, and padding.
    fn read_tables(&mut self, mut reader: ByteReader<'_>) -> Result<HashMap<u64, Table>, LlvmError> {
        let mut tables: HashMap<u64, Table> = HashMap::new();
        while reader.remaining() > 0 {
            let records = reader.u32()?;
            let names_bytes = reader.u32()?;
            let mappings_bytes = reader.u32()?;
            let version = reader.u32()?;
            if !(OLDEST..=NEWEST).contains(&version) {
                let version = u64::from(version) + 1;
                let format = "coverage mapping format";
                return Err(LlvmError::UnknownVersion { format, version, supported: KNOWN });
            }
            if records != 0 || mappings_bytes != 0 {
                return Err(reader.malformed("functions are listed among the file names"));
            }
            let names = reader.take(u64::from(names_bytes))?;
            reader.align();
            let key = digest(names);
            // Translation units with equal files share a table.
            if tables.contains_key(&key) {
                continue;
            }
            let start = self.files.len();
            self.read_file_names(&mut reader.part(names, "the names of files"), version)?;
            tables.insert(key, Table { start, length: self.files.len() - start, version });
        }
        Ok(tables)
    }

    fn read_file_names(&mut self, reader: &mut ByteReader<'_>, version: u32) -> Result<(), LlvmError> {
        let number = reader.uleb()?;
        let (length, compressed) = (reader.uleb()?, reader.uleb()?);
        if compressed == 0 {
            return self.read_plain_names(reader, number, version);
        }
        let bytes = reader.take(compressed)?;
        let text = inflated(bytes, length, reader)?;
        self.read_plain_names(&mut reader.part(&text, "the names of files"), number, version)
    }

    /// Since version 6, the first name is the folder that the others are relative to.
    fn read_plain_names(
        &mut self,
        reader: &mut ByteReader<'_>,
        number: u64,
        version: u32,
    ) -> Result<(), LlvmError> {
        if number > reader.remaining() as u64 {
            return Err(reader.malformed(format!("{number} names do not fit into so few bytes")));
        }
        let mut folder = String::new();
        for index in 0..number {
            let name = String::from_utf8_lossy(reader.string()?).into_owned();
            let is_relative = !name.starts_with('/') && !name.starts_with('<');
            if version >= WITH_DIRECTORY && index == 0 {
                folder.clone_from(&name);
                self.files.push(name);
            } else if is_relative && !folder.is_empty() && folder.len() <= LONGEST_FOLDER {
                self.files.push(format!("{folder}/{name}"));
            } else {
                self.files.push(name);
            }
        }
        Ok(())
    }

    /// Reads the functions' records. Each has the digest of the name, a length, a checksum, the digest of the file
    /// table, the mapping, and padding.
    ///
    /// If several records have one name, the first compiled one is taken.
    fn read_functions(
        &mut self,
        mut reader: ByteReader<'_>,
        tables: &HashMap<u64, Table>,
        names: &HashMap<u64, String>,
    ) -> Result<(), LlvmError> {
        let mut places: HashMap<u64, (usize, bool)> = HashMap::new();
        while reader.remaining() > 0 {
            let name_digest = reader.u64()?;
            let length = reader.u32()?;
            let hash = reader.u64()?;
            let table = reader.u64()?;
            let bytes = reader.take(u64::from(length))?;
            reader.align();
            if places.get(&name_digest).is_some_and(|(_, is_dummy)| !is_dummy) {
                continue;
            }
            let table = tables.get(&table);
            let table = table.ok_or_else(|| reader.malformed("a function has missing files"))?;
            debug_assert!(table.version >= OLDEST);
            let mapping = Mapping::parse(&mut reader.part(bytes, "a function's mapping"), table.length)?;
            let name = names.get(&name_digest);
            let name = name.ok_or_else(|| reader.malformed("a function has no name")).cloned()?;
            let is_dummy = mapping.is_dummy(hash);
            let function = MappedFunction {
                name,
                name_digest,
                hash,
                files: mapping.files.iter().map(|f| f + table.start as u32).collect(),
                expressions: mapping.expressions,
                regions: mapping.regions,
                bytes: bytes.len(),
            };
            match places.get(&name_digest) {
                Some(_) if is_dummy => {}
                Some((place, _)) => {
                    let place = *place;
                    self.functions[place] = function;
                    places.insert(name_digest, (place, false));
                }
                None => {
                    places.insert(name_digest, (self.functions.len(), is_dummy));
                    self.functions.push(function);
                }
            }
        }
        Ok(())
    }

    /// Returns the name digests of the functions that the program counts.
    pub(super) fn name_digests(&self) -> HashSet<u64> {
        self.functions.iter().map(|f| f.name_digest).collect()
    }
}

/// Maximum bytes of a folder to prepend: a table would repeat a longer one for every name.
const LONGEST_FOLDER: usize = 4096;

fn stamp(sections: &Sections<'_>) -> u32 {
    let mut hash = Md5::new();
    hash.update(sections.tables.rest());
    hash.update(sections.functions.rest());
    let digest = hash.finalize();
    let (first, _) = digest.split_at(4);
    u32::from_le_bytes(first.try_into().unwrap_or_default())
}
