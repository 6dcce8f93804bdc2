//! Records which instrumentation was chosen for a cargo project's target directory.
//!
//! Cargo does not see the flags that its wrapper adds. It would take objects that were compiled with other flags for up
//! to date. Therefore the choice is written into the directory, and a different choice rebuilds everything.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use crate::program::instrumentation::{ClangCounters, Crates, Instrumentation, ProbeOptions, Update};
use crate::shim;

/// Name of the file that records the choice.
const FILE: &str = ".trend-prof-instrumented";

/// Name of the file by which cargo marks a folder that can be built again.
const TAG: &str = "CACHEDIR.TAG";

/// First line of [`TAG`], given by the specification of cache directories.
const TAG_TEXT: &str = "Signature: 8a477f597d28d172789f06886806bc55\n";

impl Instrumentation {
    /// Returns the environment variables that the compiler shims read.
    pub(super) fn variables(self) -> [(&'static str, &'static str); 3] {
        let counters = match self.counters {
            _ if self.plain => shim::NO_COUNTERS,
            ClangCounters::Llvm => "llvm",
            ClangCounters::Gcov => "gcov",
        };
        [(shim::UPDATE, self.update.word()), (shim::COUNTERS, counters), (shim::CRATES, self.crates.word())]
    }

    /// Returns the text that distinguishes this choice from others.
    fn text(self) -> String {
        if self.plain {
            return format!("counters = {}\n", shim::NO_COUNTERS);
        }
        let crates = self.crates.word();
        let ProbeOptions { what, cell_size, cost, metric, contexts } = self.probe;
        if !what.has_probe() {
            return format!("crates = {crates}\nupdate = {}\n", self.update.word());
        }
        format!(
            "crates = {crates}\nupdate = {}\nprobe = {}\nversion = {}\ncell-size = {}\ncost = {}\nmetric = {}\n\
             contexts = {contexts}\n",
            self.update.word(),
            what.words(),
            env!("CARGO_PKG_VERSION"),
            cell_size.bytes(),
            cost.word(),
            metric.word()
        )
    }
}

impl Update {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Atomic => "atomic",
            Self::Single => "single",
        }
    }
}

impl Crates {
    fn word(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Own => "own",
        }
    }
}

/// Returns true if the target directory was instrumented differently, and `None` if it records no choice.
pub(super) fn differs(target: &Path, instrument: Instrumentation) -> Option<bool> {
    let text = fs::read_to_string(target.join(FILE)).ok()?;
    Some(text != instrument.text())
}

/// Empties our target directory if it was built with another choice, then records the new choice.
pub(super) fn settle(target: &Path, instrument: Instrumentation) -> io::Result<()> {
    let is_outdated = differs(target, instrument).unwrap_or_else(|| target.join(TAG).exists());
    if is_outdated {
        fs::remove_dir_all(target)?;
    }
    if differs(target, instrument) == Some(false) {
        return Ok(());
    }
    // A concurrent build must not mistake this folder for one that was built differently. So the complete file is in
    // place before the tag.
    fs::create_dir_all(target)?;
    let mut file = tempfile::NamedTempFile::new_in(target)?;
    file.write_all(instrument.text().as_bytes())?;
    file.persist(target.join(FILE))?;
    // Cargo marks only the folders that it creates itself.
    fs::write(target.join(TAG), TAG_TEXT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::instrumentation::Probe;

    #[test]
    fn another_choice_empties_the_folder_and_the_same_one_does_not() {
        let root = tempfile::tempdir().unwrap();
        let target = root.path().join("target/trend-prof");
        let (all, own) =
            (Instrumentation::default(), Instrumentation { crates: Crates::Own, ..Default::default() });
        assert_eq!(differs(&target, all), None);
        settle(&target, all).unwrap();
        fs::write(target.join("program"), "").unwrap();
        settle(&target, all).unwrap();
        assert!(target.join("program").exists());
        assert_eq!((differs(&target, all), differs(&target, own)), (Some(false), Some(true)));
        settle(&target, own).unwrap();
        assert!(!target.join("program").exists());
        assert_eq!(differs(&target, own), Some(false));
        let probe = ProbeOptions { what: Probe::ROUTINES, ..Default::default() };
        let with_probe = Instrumentation { probe, ..own };
        assert_eq!(differs(&target, with_probe), Some(true));
        settle(&target, with_probe).unwrap();
        assert_eq!((differs(&target, own), differs(&target, with_probe)), (Some(true), Some(false)));
    }

    #[test]
    fn a_folder_that_was_built_before_choices_were_noted_is_built_anew() {
        let target = tempfile::tempdir().unwrap();
        fs::write(target.path().join(TAG), "").unwrap();
        fs::write(target.path().join("program"), "").unwrap();
        settle(target.path(), Instrumentation::default()).unwrap();
        assert!(!target.path().join("program").exists());
    }
}
