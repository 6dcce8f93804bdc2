//! What a program with the probe says of the build that made it.
//!
//! trend-probe writes a mark into each object, where compilers write their names: `.comment`. Linkers keep every different
//! one, so that programs, libraries and archives have the marks of all their objects.

use std::fmt;
use std::fs;
use std::path::Path;

use object::read::archive::ArchiveFile;
use object::read::elf::ElfFile64;
use object::{Endianness, Object, ObjectSection, SectionKind};
use serde::{Deserialize, Serialize};

use crate::ProbeOptions;
use crate::run::has_counters_in;

/// The section that has the marks, and what each begins with.
const SECTION: &str = ".comment";
const START: &str = "trend-prof build ";

/// A build with the probe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Mark {
    version: String,
    pub(crate) probe: ProbeOptions,
}

impl Mark {
    /// That of a build by this version; `None` without the probe.
    pub(crate) fn new(probe: ProbeOptions) -> Option<Self> {
        let version = env!("CARGO_PKG_VERSION").to_owned();
        probe.what.has_probe().then_some(Self { version, probe })
    }

    /// What is written into objects.
    pub(crate) fn text(&self) -> String {
        START.to_owned() + &serde_json::to_string(self).unwrap_or_default()
    }

    fn read(text: &[u8]) -> Option<Self> {
        serde_json::from_slice(text.strip_prefix(START.as_bytes())?).ok()
    }
}

/// The build as somebody would write it.
impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.probe)?;
        if self.version != env!("CARGO_PKG_VERSION") {
            write!(f, " of version {}", self.version)?;
        }
        Ok(())
    }
}

/// The marks of an object, an archive, a library or a program, each once; none of other files.
pub(crate) fn marks(file: &Path) -> Vec<Mark> {
    let Ok(bytes) = fs::read(file) else { return Vec::new() };
    let mut found = Vec::new();
    for object in objects(&bytes) {
        add(object, &mut found);
    }
    found
}

/// Whether an object, or one in an archive, has code of a compiler and neither counters nor a mark. Assemblers leave no name.
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

/// A file, or the members of it as an archive.
fn objects(bytes: &[u8]) -> Vec<&[u8]> {
    ArchiveFile::parse(bytes).map_or_else(
        |_| vec![bytes],
        |archive| archive.members().flatten().filter_map(|member| member.data(bytes).ok()).collect(),
    )
}

fn add(elf: &[u8], found: &mut Vec<Mark>) {
    let Ok(elf) = ElfFile64::<Endianness>::parse(elf) else { return };
    let texts = elf.section_by_name(SECTION).and_then(|section| section.data().ok()).unwrap_or_default();
    for mark in texts.split(|byte| *byte == 0).filter_map(Mark::read) {
        if !found.contains(&mark) {
            found.push(mark);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cost, Probe};

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
