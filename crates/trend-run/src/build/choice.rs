//! What was chosen to be instrumented in a cargo project's target directory.
//!
//! Cargo does not know of the flags that its wrapper adds, and would take what was compiled with others for up to
//! date. So the choice is noted in the directory, and with another one everything is built anew.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use super::{ClangCounters, Crates, Instrumentation, ProbeOptions, Update};
use crate::shim;

/// The file that names the choice.
const FILE: &str = ".trend-prof-instrumented";

/// Cargo's own mark of a folder that can be built again.
const TAG: &str = "CACHEDIR.TAG";

/// What it begins with, by the specification of cache directories.
const TAG_TEXT: &str = "Signature: 8a477f597d28d172789f06886806bc55\n";

impl Instrumentation {
    /// What the stand-ins for compilers look at.
    pub(super) fn variables(self) -> [(&'static str, &'static str); 3] {
        let counters = match self.counters {
            _ if self.plain => shim::NO_COUNTERS,
            ClangCounters::Llvm => "llvm",
            ClangCounters::Gcov => "gcov",
        };
        [(shim::UPDATE, self.update.word()), (shim::COUNTERS, counters), (shim::CRATES, self.crates.word())]
    }

    /// What a cargo build is told apart by.
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

/// Whether what is in a target directory was instrumented in another way; `None` where nothing was built.
pub(super) fn differs(target: &Path, instrument: Instrumentation) -> Option<bool> {
    let text = fs::read_to_string(target.join(FILE)).ok()?;
    Some(text != instrument.text())
}

/// Empties a target directory of ours that was built in another way, and notes the choice.
pub(super) fn settle(target: &Path, instrument: Instrumentation) -> io::Result<()> {
    let is_outdated = differs(target, instrument).unwrap_or_else(|| target.join(TAG).exists());
    if is_outdated {
        fs::remove_dir_all(target)?;
    }
    if differs(target, instrument) == Some(false) {
        return Ok(());
    }
    // Builds that begin at once must not take each other's folder for one that was built in another way: it never has the
    // tag without the whole of the file.
    fs::create_dir_all(target)?;
    let mut file = tempfile::NamedTempFile::new_in(target)?;
    file.write_all(instrument.text().as_bytes())?;
    file.persist(target.join(FILE))?;
    // Cargo marks only folders that it makes itself.
    fs::write(target.join(TAG), TAG_TEXT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Probe;

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
