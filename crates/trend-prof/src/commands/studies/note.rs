//! `trend-prof note`: writes notes on functions and clusters into the study.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use trend_analyze::Rows;
use trend_profile::{Access, LONGEST_NOTE, Note, Noted, StudyFile};

use crate::cli;
use crate::failure::Failure;
use crate::terminal::Terminal;
use crate::{study, terminal};

pub(crate) fn note(args: &cli::Note, terminal: Terminal) -> Result<ExitCode, Failure> {
    let (named, words) = match args.words.split_first() {
        Some((first, words)) if study::is_study(first) => (Some(Path::new(first)), words),
        _ => (None, args.words.as_slice()),
    };
    let text = |word: &OsString| word.to_string_lossy().into_owned();
    let words: Vec<String> = words.iter().map(text).collect();
    match (words.as_slice(), args.remove) {
        ([], false) => list(named, terminal),
        ([name], false) => print(named, name, terminal),
        ([name], true) => set(named, name, "", terminal),
        ([name, text], false) => set(named, name, text, terminal),
        ([], true) => Err(Failure::new("--remove needs the name of a function or a cluster")),
        ([_, _], true) => Err(Failure::new("--remove takes no text")),
        ([_, _, ..], _) => Err(Failure::new("too many words; put quotation marks around the note")),
    }
}

fn list(named: Option<&Path>, terminal: Terminal) -> Result<ExitCode, Failure> {
    let path = study::path_or_only_with_counts(named, terminal)?;
    let notes = StudyFile::open(&path, Access::Read)?.notes();
    let lines = notes.iter().map(|note| format!("{}: {}\n", name(&note.on), note.text));
    terminal::document(&lines.collect::<String>())?;
    Ok(ExitCode::SUCCESS)
}

fn print(named: Option<&Path>, name: &str, terminal: Terminal) -> Result<ExitCode, Failure> {
    let (path, on) = place(named, name, terminal)?;
    let notes = StudyFile::open(&path, Access::Read)?.notes();
    match notes.iter().find(|note| note.on == on) {
        Some(note) => terminal::document(&format!("{}\n", note.text))?,
        None => terminal.note(&format!("{name} has no note")),
    }
    Ok(ExitCode::SUCCESS)
}

fn set(named: Option<&Path>, name: &str, text: &str, terminal: Terminal) -> Result<ExitCode, Failure> {
    if text.len() > LONGEST_NOTE {
        return Err(Failure::new(format!("the note is longer than {LONGEST_NOTE} bytes")));
    }
    let (path, on) = place(named, name, terminal)?;
    let mut file = StudyFile::open(&path, Access::Write)?;
    file.set_note(Note { on, text: text.to_owned() })?;
    file.close()?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the path of the study, and the row that `name` refers to.
fn place(named: Option<&Path>, name: &str, terminal: Terminal) -> Result<(PathBuf, Noted), Failure> {
    let analysis = cli::Analysis::default();
    let (path, study) = study::selected(named, &analysis, terminal)?;
    let study = trend_analyze::to_analyze(study, &[], &[]);
    let waiting = study::analysing(&study, terminal);
    let wanted = study::Wanted { rows: &[Rows::Functions], name: Some(name), ..study::Wanted::default() };
    let findings = study::findings(&study, &analysis, &[], &wanted)?;
    drop(waiting);
    let on = trend_report::noted(&findings, name)?;
    let on = on.ok_or_else(|| Failure::new(format!("{name}: only functions and clusters can have notes")))?;
    Ok((path, on))
}

fn name(on: &Noted) -> &str {
    match on {
        Noted::Function { name, .. } => name,
        Noted::Cluster { representative } => representative,
    }
}
