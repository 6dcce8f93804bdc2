//! Counts Go programs that were built with `-cover`. Their processes write counters into the folder `GOCOVERDIR`.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use trend_collect::import::go_coverage::{self, Module};
use trend_collect::import::{Budget, Input, Limits};
use walkdir::WalkDir;

use super::read::{Own, Read, files, sources, texts};
use crate::run::decode::counted::Uncounted;
use crate::run::decode::diagnosis::EndedRun;
use crate::supervisor::wire::Job;

const VARIABLE: &str = "GOCOVERDIR";

/// Maximum depth of modules below the configuration's folder.
const DEEPEST: usize = 3;

/// Makes Go's processes write their counters below `folder`.
pub(super) fn count_into(job: &mut Job, folder: &Path) -> io::Result<()> {
    let folder = folder.join("go");
    fs::create_dir_all(&folder)?;
    job.variable(VARIABLE, folder);
    Ok(())
}

/// Reads the counters of all processes of a run.
pub(super) fn read(folder: &Path, own: Own<'_>) -> Result<Read, Uncounted> {
    let folder = folder.join("go");
    let modules = modules(own.folder);
    let mut counts = Vec::new();
    let mut begun = 0;
    for file in files(&folder) {
        let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        begun += usize::from(name.starts_with(go_coverage::META));
        let Some(meta) = go_coverage::meta_of(name) else { continue };
        let unreadable = |what: &dyn std::fmt::Display| {
            Uncounted::Unreadable(format!("the counters of a Go process: {what}"))
        };
        let io = |e: io::Error| unreadable(&format_args!("the file cannot be read: {e}"));
        let meta = fs::read(folder.join(meta)).map_err(io)?;
        let opened = File::open(&file).map_err(io)?;
        let length = opened.metadata().map_err(io)?.len() + meta.len() as u64;
        let budget = Rc::new(Budget::new(Limits::for_files(length)));
        let input = Input::new(opened, &budget).map_err(|e| unreadable(&e))?;
        let read = go_coverage::read(input, &meta, own.root, &modules, &|name| texts(own.path, name));
        counts.push(read.map_err(|e| unreadable(&e))?);
    }
    if counts.is_empty() {
        return Err(Uncounted::Nothing { lost: begun });
    }
    Ok(Read { sources: sources(&counts, own.path), counts })
}

/// Returns the modules around and below a folder.
pub fn modules(folder: &Path) -> Vec<Module> {
    let is_visible = |entry: &walkdir::DirEntry| {
        let name = entry.file_name().to_string_lossy();
        entry.depth() == 0 || !(name.starts_with('.') || name == "vendor" || name == "node_modules")
    };
    let below = WalkDir::new(folder).max_depth(DEEPEST).into_iter().filter_entry(is_visible).flatten();
    let below = below.filter(|entry| entry.file_name() == "go.mod").map(walkdir::DirEntry::into_path);
    let around = folder.ancestors().map(|folder| folder.join("go.mod"));
    let files: BTreeSet<PathBuf> = around.chain(below).filter(|file| file.is_file()).collect();
    files.iter().filter_map(|file| module(file)).collect()
}

fn module(file: &Path) -> Option<Module> {
    let text = fs::read_to_string(file).ok()?;
    let path = text.lines().find_map(|line| line.trim().strip_prefix("module "))?;
    let path = path.split("//").next()?.trim().trim_matches(['"', '`']).to_owned();
    Some(Module { path, folder: file.parent()?.to_string_lossy().into_owned() })
}

/// Explains why no process wrote counters.
pub(super) fn nothing_written(run: &EndedRun<'_>) -> String {
    let command = run.words[0].to_string_lossy();
    if run.lost > 0 {
        return format!(
            "`{command}` did not write its counters at its end: it was killed by a signal, or crashed; make \
             it end by os.Exit or a return from main"
        );
    }
    format!(
        "`{command}` is built without counters, or clears {VARIABLE} (`env -i`, `sudo`); build it with \
         `trend-prof build -- go build …`"
    )
}
