//! Decides if the program has to be built before its workloads run.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use trend_collect::Program;
use trend_profile::StudyFile;

use super::choice;
use crate::config::settings::Config;
use crate::program::language::Language;
use crate::project::cargo;
use crate::words::placeholder::Fill;

/// Returns the reason why the configured build has to run before the workloads. Returns `None` if there is no build
/// command, or if everything is up to date.
///
/// Everything is up to date if the program exists with the configured instrumentation and the study has its objects. In
/// addition, no source may be newer than the notes. Plain, Go and probe programs never count as up to date.
pub fn needs_build(config: &Config, study: Option<&StudyFile>) -> Option<String> {
    config.program.build.as_ref()?;
    if config.program.plain {
        return Some(
            "a program without counters does not name its sources, so it is always rebuilt".to_owned(),
        );
    }
    if config.language() == Some(Language::Go) {
        return Some("only go knows what is up to date".to_owned());
    }
    if let Some(program) = program_path(config) {
        if !program.exists() {
            // Without `.` in the middle.
            let program: PathBuf = program.components().collect();
            return Some(format!("{} does not exist yet", program.display()));
        }
        let target = program.ancestors().find(|folder| folder.ends_with(cargo::FOLDER));
        if target.and_then(|folder| choice::differs(folder, config.program.instrumentation())) == Some(true) {
            return Some("the chosen crates or counters changed".to_owned());
        }
    }
    if config.program.probe.has_probe() {
        // Programs with the probe have no notes that name the sources.
        return Some("with the probe, only the build knows what is up to date".to_owned());
    }
    let objects = study.map(StudyFile::objects).unwrap_or_default();
    if objects.is_empty() {
        return Some("nothing has been recorded yet".to_owned());
    }
    objects.iter().find_map(|object| outdated(Path::new(&object.path), &config.folder))
}

/// Returns the program's file if the command names it by a path.
fn program_path(config: &Config) -> Option<PathBuf> {
    let word = config.program.command.first()?.fill(Fill { input: None, parameters: &[] });
    let path = Path::new(&word);
    (path.components().count() > 1 || path.starts_with(".")).then(|| config.folder.join(path))
}

/// Returns the reason why an object must be rebuilt: it is gone, or a source is newer.
fn outdated(notes: &Path, root: &Path) -> Option<String> {
    let Some(compiled) = modified(notes) else { return Some(format!("{} is gone", notes.display())) };
    let sources = source_files(notes, root);
    let newer = sources.into_iter().find(|s| modified(s).is_some_and(|time| time > compiled))?;
    Some(format!("{} changed", newer.display()))
}

fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|m| m.modified()).ok()
}

/// Returns the source files of an object's code. Returns nothing if its notes cannot be read.
fn source_files(notes: &Path, root: &Path) -> Vec<PathBuf> {
    let mut program = Program::new(&root.to_string_lossy());
    let bytes = fs::read(notes).unwrap_or_default();
    let path = notes.to_string_lossy();
    let is_usable = if bytes.starts_with(b"\x7fELF") {
        program.add_binary(&path, &bytes).is_ok()
    } else {
        program.add_notes(&path, &bytes).is_ok()
    };
    if !is_usable {
        return Vec::new();
    }
    let names: BTreeSet<&str> = program.locations().iter().map(|l| &*l.file).collect();
    names.into_iter().map(|name| root.join(name)).collect()
}
