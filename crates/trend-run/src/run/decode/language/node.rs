//! Counts JavaScript programs: V8 counts if `NODE_V8_COVERAGE` names a folder, in which each process and worker leaves
//! a file, `counters/node/coverage-PID-….json`.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::rc::Rc;

use trend_collect::import::{Budget, ImportError, Input, Limits, v8_coverage};

use super::read::{Own, Read, files, sources, texts};
use crate::program::language::Packages;
use crate::run::decode::counted::Uncounted;
use crate::run::decode::diagnosis::EndedRun;
use crate::supervisor::wire::Job;

const VARIABLE: &str = "NODE_V8_COVERAGE";

/// Makes node's processes write their counts below `folder`.
pub(super) fn count_into(job: &mut Job, folder: &Path) -> io::Result<()> {
    let folder = folder.join("node");
    fs::create_dir_all(&folder)?;
    job.variable(VARIABLE, folder);
    Ok(())
}

/// Reads the counts of all processes of a run.
pub(super) fn read(folder: &Path, own: Own<'_>, packages: Packages) -> Result<Read, Uncounted> {
    let scripts = match packages {
        Packages::Own => v8_coverage::Scripts::Own,
        Packages::All => v8_coverage::Scripts::All,
    };
    let (mut counts, mut nothing) = (Vec::new(), None);
    for file in files(&folder.join("node")) {
        let unreadable = |what: &dyn std::fmt::Display| {
            Uncounted::Unreadable(format!("the counts of a node process: {what}"))
        };
        let opened = File::open(&file).and_then(|opened| Ok((opened.metadata()?.len(), opened)));
        let (length, opened) =
            opened.map_err(|e| unreadable(&format_args!("the file cannot be read: {e}")))?;
        let budget = Rc::new(Budget::new(Limits::for_files(length)));
        let input = Input::new(opened, &budget).map_err(|e| unreadable(&e))?;
        match v8_coverage::read(input, own.root, scripts, &|name| texts(own.path, name)) {
            Ok(read) => counts.push(read),
            // A process that only starts others, such as `npm`.
            Err(ImportError::NoCounts { reason }) => nothing = Some(reason),
            Err(error) => return Err(unreadable(&error)),
        }
    }
    match (counts.as_slice(), nothing) {
        ([], None) => Err(Uncounted::Nothing { lost: 0 }),
        ([], Some(reason)) => Err(Uncounted::Unreadable(format!("node counted nothing: {reason}"))),
        _ => Ok(Read { sources: sources(&counts, own.path), counts }),
    }
}

/// Explains why no process wrote counts.
pub(super) fn nothing_written(run: &EndedRun<'_>) -> String {
    let command = run.words[0].to_string_lossy();
    match Path::new(&run.words[0]).file_name().and_then(|name| name.to_str()) {
        Some(name @ ("bun" | "deno")) => {
            format!("`{name}` does not write V8's counts on its own; run the program with node")
        }
        _ => format!(
            "`{command}` wrote no counts: it ended by a signal, it clears {VARIABLE} (`env -i`, `sudo`), or \
             node is older than 18"
        ),
    }
}
