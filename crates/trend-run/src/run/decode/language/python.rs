//! Counts Python programs: the interpreter imports modules of this crate first, which rewrite the others.
//!
//! ```text
//!   counters/python/trend-prof/sitecustomize.py   imported at Python's startup, through PYTHONPATH; starts the others
//!   counters/python/trend-prof/settings           the root, and the code to count
//!   counters/python/4711-1.counts                 the counts of a process; empty until it ends
//!   counters/python/4711-1.failed                 counts that could not be written
//! ```

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};

use trend_collect::PythonCounts;
use trend_collect::import::Root;

use super::read::Read;
use crate::program::language::Packages;
use crate::run::decode::counted::{Uncounted, lost_processes};
use crate::run::decode::diagnosis::EndedRun;
use crate::supervisor::wire::Job;

/// The modules that count.
const RUNTIME: [(&str, &str); 3] = [
    ("sitecustomize.py", include_str!("python/sitecustomize.py")),
    ("trend_prof_blocks.py", include_str!("python/trend_prof_blocks.py")),
    ("trend_prof_process.py", include_str!("python/trend_prof_process.py")),
];

/// The variable with the folders that Python searches for modules first.
const SEARCHED: &str = "PYTHONPATH";

/// Maximum size of a process's counts in bytes.
const LONGEST: u64 = 1 << 30;

/// Makes Python processes import the runtime, which writes counts below `folder`.
pub(super) fn count_into(job: &mut Job, folder: &Path, root: &Path, packages: Packages) -> io::Result<()> {
    let carried = folder.join("python/trend-prof");
    fs::create_dir_all(&carried)?;
    for (name, text) in RUNTIME {
        fs::write(carried.join(name), text)?;
    }
    let mut settings = match packages {
        Packages::Own => b"own\n".to_vec(),
        Packages::All => b"all\n".to_vec(),
    };
    settings.extend_from_slice(root.as_os_str().as_bytes());
    fs::write(carried.join("settings"), settings)?;
    let set = job.value_of(SEARCHED).cloned().or_else(|| std::env::var_os(SEARCHED));
    job.variable(SEARCHED, searched(&carried, set));
    Ok(())
}

/// Returns the value of `PYTHONPATH` with the runtime's folder before the user's.
fn searched(carried: &Path, users: Option<OsString>) -> OsString {
    let mut all = carried.as_os_str().as_bytes().to_vec();
    if let Some(users) = users.filter(|users| !users.is_empty()) {
        all.push(b':');
        all.extend_from_slice(users.as_bytes());
    }
    OsString::from_vec(all)
}

/// Adds up the counts of all processes of a run.
pub(super) fn read(folder: &Path, root: &Root) -> Result<Read, Uncounted> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder.join("python")).into_iter().flatten().flatten().map(|e| e.path()).collect();
    files.sort();
    if files.iter().any(|file| file.extension() == Some(OsStr::new("failed"))) {
        let what = "a process could not write its counts: the disk is full, or the program limits the size of \
                    its files";
        return Err(Uncounted::Unreadable(what.to_owned()));
    }
    let (mut counts, mut lost, mut is_any) = (PythonCounts::default(), 0, false);
    for file in files.iter().filter(|file| file.extension() == Some(OsStr::new("counts"))) {
        let unreadable = |what: &dyn std::fmt::Display| {
            Uncounted::Unreadable(format!("the counts of a Python process {what}"))
        };
        let bytes = bytes(file).map_err(|e| unreadable(&format_args!("cannot be read: {e}")))?;
        if bytes.is_empty() {
            lost += 1;
            continue;
        }
        counts.add(&bytes).map_err(|e| unreadable(&e))?;
        is_any = true;
    }
    if !is_any {
        return Err(Uncounted::Nothing { lost });
    }
    let sources = counts.files().filter_map(source).collect::<BTreeSet<PathBuf>>();
    let mut counts = counts.into_imported(root);
    counts.warnings.extend(lost_processes(lost));
    Ok(Read { counts: vec![counts], sources })
}

fn bytes(file: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(file)?.take(LONGEST).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns the file with a module's code: the module's own, or the archive that contains it.
pub(crate) fn source(module: &str) -> Option<PathBuf> {
    Path::new(module).ancestors().find(|path| path.is_file()).map(Path::to_owned)
}

/// Explains why no Python process wrote counts.
pub(super) fn nothing_written(run: &EndedRun<'_>) -> String {
    let command = run.words[0].to_string_lossy();
    if run.lost > 0 {
        return format!(
            "`{command}` could not write its counts: it ended by SIGKILL, or crashed in a C extension; make \
             it end by exit or another signal"
        );
    }
    format!(
        "`{command}` did not count: it is not CPython 3.9 or newer, or it ignores {SEARCHED} (`-E`, `-I`, `-S`, \
         `env -i`, `sudo`); remove that option"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_users_folders_are_searched_after_the_runtime() {
        let carried = Path::new("/c");
        assert_eq!(searched(carried, None), "/c");
        assert_eq!(searched(carried, Some(OsString::new())), "/c");
        assert_eq!(searched(carried, Some("src:lib".into())), "/c:src:lib");
    }
}
