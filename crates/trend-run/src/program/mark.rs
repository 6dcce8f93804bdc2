//! The mark by which a program with the probe names the build that made it.
//!
//! trend-probe writes a mark into each object, in the section `.comment`, in which compilers write their names. Linkers
//! keep each distinct mark, so programs, libraries and archives have the marks of all their objects.

use std::fmt;
use std::fs;
use std::path::Path;

use object::read::archive::ArchiveFile;
use object::read::elf::ElfFile64;
use object::{Endianness, Object, ObjectSection, SectionKind};
use serde::{Deserialize, Serialize};

use super::instrumentation::ProbeOptions;
use super::nature::has_counters_in;

/// The section with the marks, and the prefix of each mark.
const SECTION: &str = ".comment";
const START: &str = "trend-prof build ";

/// A build with the probe: this crate's version and the probe's options.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Mark {
    version: String,
    pub(crate) probe: ProbeOptions,
}

impl Mark {
    /// Returns the mark of a build by this version, or `None` without the probe.
    pub(crate) fn new(probe: ProbeOptions) -> Option<Self> {
        let version = env!("CARGO_PKG_VERSION").to_owned();
        probe.what.has_probe().then_some(Self { version, probe })
    }

    /// Returns the text to write into objects.
    pub(crate) fn text(&self) -> String {
        START.to_owned() + &serde_json::to_string(self).unwrap_or_default()
    }

    fn read(text: &[u8]) -> Option<Self> {
        serde_json::from_slice(text.strip_prefix(START.as_bytes())?).ok()
    }
}

/// Formats the build as a user would write its options.
impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.probe)?;
        if self.version != env!("CARGO_PKG_VERSION") {
            write!(f, " of version {}", self.version)?;
        }
        Ok(())
    }
}

/// Returns the distinct marks of an object, archive, library or program. Other files have none.
pub(crate) fn marks(file: &Path) -> Vec<Mark> {
    let Ok(bytes) = fs::read(file) else { return Vec::new() };
    let mut marks_found = Vec::new();
    for object in objects(&bytes) {
        add(object, &mut marks_found);
    }
    marks_found
}

/// Returns true if an object, or an archive member, has compiled code but neither counters nor a mark. Assemblers
/// leave no name in `.comment`, so assembled code does not count.
pub(crate) fn has_uncounted_code(file: &Path) -> bool {
    let Ok(bytes) = fs::read(file) else { return false };
    objects(&bytes).into_iter().any(|object| {
        let Ok(elf) = ElfFile64::<Endianness>::parse(object) else { return false };
        let has_code =
            elf.sections().any(|section| section.kind() == SectionKind::Text && section.size() > 0);
        has_code && elf.section_by_name(SECTION).is_some() && !has_counters_in(object) && {
            let mut marks = Vec::new();
            add(object, &mut marks);
            marks.is_empty()
        }
    })
}

/// Returns an archive's members, or else the file itself.
fn objects(bytes: &[u8]) -> Vec<&[u8]> {
    ArchiveFile::parse(bytes).map_or_else(
        |_| vec![bytes],
        |archive| archive.members().flatten().filter_map(|member| member.data(bytes).ok()).collect(),
    )
}

fn add(elf: &[u8], marks_found: &mut Vec<Mark>) {
    let Ok(elf) = ElfFile64::<Endianness>::parse(elf) else { return };
    let texts = elf.section_by_name(SECTION).and_then(|section| section.data().ok()).unwrap_or_default();
    for mark in texts.split(|byte| *byte == 0).filter_map(Mark::read) {
        if !marks_found.contains(&mark) {
            marks_found.push(mark);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::instrumentation::{Cost, Probe};

    #[test]
    fn a_mark_comes_back_from_its_text_and_says_what_is_not_usual() {
        assert_eq!(Mark::new(ProbeOptions::default()), None);
        let probe = ProbeOptions {
            what: Probe::ROUTINES.and(Probe::BLOCKS),
            cost: Cost::Instructions,
            ..ProbeOptions::default()
        };
        let mark = Mark::new(probe).unwrap();
        assert_eq!(Mark::read(mark.text().as_bytes()), Some(mark.clone()));
        assert_eq!(mark.to_string(), "`--probe routines,blocks --cost instructions`");
        let older = Mark { version: "0.0.1".to_owned(), ..mark };
        assert_eq!(older.to_string(), "`--probe routines,blocks --cost instructions` of version 0.0.1");
        assert_eq!(Mark::read(b"GCC: (Debian) 12"), None);
    }
}
