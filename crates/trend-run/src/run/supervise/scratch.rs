//! Workloads' folders in the scratch folder of a study's runs.
//!
//! ```text
//!   s.trend.run/5f3a…/input        a generated input
//!   s.trend.run/5f3a…/counters/    the folder in GCOV_PREFIX; removed after the run
//!   s.trend.run/5f3a…/stdout …     the program's output
//! ```
//!
//! A workload's folder has the same name in every run. Programs look at their arguments, and the length of a path can
//! affect the counts.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::BorrowedFd;
use std::path::{Path, PathBuf};

use super::process::Supervisor;
use crate::error::RunError;
use crate::program::digest::Digest;
use crate::supervisor::folder::{LockedFolder, below};
use crate::supervisor::wire::Output;

/// The scratch folder of a study, locked and with a supervisor. It is removed on drop.
#[derive(Debug)]
pub(crate) struct RunFolder {
    folder: LockedFolder,
    /// Removes the folder if this process is killed. Dropped last, when the folder is removed.
    _guard: Supervisor,
}

impl RunFolder {
    /// Creates and locks the folder, and removes what a killed process left in it. A supervisor without runs outlives
    /// this process, and removes the folder then.
    ///
    /// # Errors
    /// [`RunError::NotScratch`] if the folder or file of that name is not ours. [`RunError::UnderWay`] if another tool
    /// uses the folder and keeps it. [`RunError::NoSupervisor`].
    pub(crate) fn open(study: &Path, supervisor: &Path) -> Result<Self, RunError> {
        let folder = LockedFolder::open(study)?;
        let failed = |source| RunError::NoSupervisor { path: supervisor.to_owned(), source };
        let guard = Supervisor::start(supervisor, &folder).map_err(failed)?;
        Ok(Self { folder, _guard: guard })
    }

    /// The path that programs use.
    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn handle(&self) -> BorrowedFd<'_> {
        self.folder.handle()
    }

    /// The folder without its supervisor, which other supervisors share.
    pub(crate) fn locked(&self) -> &LockedFolder {
        &self.folder
    }

    /// Returns the folder of one workload, without creating it.
    pub(crate) fn of_workload(&self, workload: &str) -> WorkloadFolder {
        let name = OsString::from(&Digest::new().field(workload).finish()[..16]);
        let (path, handle) = (self.path().join(&name), below(self.handle(), &name));
        WorkloadFolder { name, path, handle }
    }
}

/// The folder of one workload.
#[derive(Clone, Debug)]
pub(crate) struct WorkloadFolder {
    /// Name in the scratch folder.
    pub(crate) name: OsString,
    /// The path that programs use.
    pub(crate) path: PathBuf,
    /// The path that this process uses to create and remove files, through the scratch folder's handle.
    pub(crate) handle: PathBuf,
}

impl WorkloadFolder {
    /// Returns a file in the folder for a program's output. Only the last `keep` bytes are needed.
    pub(crate) fn output(&self, file: &str, keep: Option<u64>) -> Output {
        Output { path: Path::new(&self.name).join(file).into(), keep }
    }

    /// Checks that a finished file can still grow. Programs and the runtimes of their counters often ignore failed
    /// writes. On a full disk, such a run seems successful although its output is truncated.
    ///
    /// # Errors
    /// Fails if there is no space, or if the disk fails otherwise.
    pub(crate) fn check_room(&self, file: impl AsRef<Path>) -> io::Result<()> {
        let mut file = File::options().append(true).create(true).open(self.handle.join(file))?;
        file.write_all(&[0; ROOM])
    }
}

/// Number of bytes to write as a test. A write that fails for lack of space fills the disk to its last block, but a
/// journal may need some more.
const ROOM: usize = 16 << 10;
