//! `trend-prof show`: findings in the terminal.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use crate::cli::{self, By, Format};
use crate::failure::Failure;
use crate::terminal::Terminal;
use crate::{study, terminal};

pub(super) fn show(args: &cli::Show, terminal: Terminal) -> Result<ExitCode, Failure> {
    let (named, subject) = split(&args.words)?;
    let at = study::sizes(&args.table.at)?;
    let (_, study) = study::selected(named, &args.analysis, terminal)?;
    // Only what is named by a line needs models of lines.
    let by = if subject.as_deref().is_some_and(is_place) { cli::By::Line } else { args.table.by };
    let wanted = cli::Table { by, ..args.table.clone() };
    let findings = study::findings(&study, &args.analysis, &at, Some(&wanted))?;
    let options = study::table_options(&args.table, &at);
    let text = match (args.format, subject) {
        (Format::Table, Some(subject)) => trend_report::page(&findings, Some(&study), &subject, &options)?,
        (_, Some(subject)) => {
            return Err(Failure::new(format!("{subject}: a single row is shown as a table only"))
                .hint("leave its name out: the other formats have all of them"));
        }
        (Format::Csv | Format::Markdown, None) if args.table.by == By::Routine => {
            return Err(Failure::new("routines are shown as a table or as JSON")
                .hint("`--format json` has all of them under `routines`"));
        }
        (Format::Table, None) if args.table.by == By::Routine => {
            trend_report::routine_table(&findings, &options)?
        }
        (Format::Table, None) => trend_report::table(&findings, Some(&study), &options)?,
        (Format::Json, None) => trend_report::json(&findings),
        (Format::Csv, None) => trend_report::csv(&findings, &options)?,
        (Format::Markdown, None) => trend_report::markdown(&findings, &options)?,
    };
    match args.format {
        Format::Table => terminal::table(&text)?,
        Format::Json | Format::Csv | Format::Markdown => terminal::document(&text)?,
    }
    // The process ends, and frees all of it at once.
    std::mem::forget((study, findings));
    Ok(ExitCode::SUCCESS)
}

/// Whether the word is `FILE:LINE`.
fn is_place(word: &str) -> bool {
    word.rsplit_once(':').is_some_and(|(_, line)| line.parse::<u32>().is_ok())
}

/// The study and what to show of it among the words, in any order.
fn split(words: &[OsString]) -> Result<(Option<&Path>, Option<String>), Failure> {
    let text = |word: &OsString| word.to_string_lossy().into_owned();
    match words {
        [] => Ok((None, None)),
        [word] if study::is_study(word) => Ok((Some(Path::new(word)), None)),
        [word] => Ok((None, Some(text(word)))),
        [first, second] if study::is_study(first) => Ok((Some(Path::new(first)), Some(text(second)))),
        [first, second] if study::is_study(second) => Ok((Some(Path::new(second)), Some(text(first)))),
        _ => Err(Failure::new(format!("{}: no such study", text(&words[0])))),
    }
}
