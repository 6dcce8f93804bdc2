//! `trend-prof show`: shows findings in the terminal.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use trend_analyze::Rows;
use trend_profile::SeriesKind;
use trend_report::SeriesFilter;

use crate::cli::{self, By, Format};
use crate::failure::Failure;
use crate::terminal::Terminal;
use crate::{study, terminal};

pub(crate) fn show(args: &cli::Show, terminal: Terminal) -> Result<ExitCode, Failure> {
    let (named, subject) = study_and_name(&args.words)?;
    let filter = SeriesFilter { contexts: args.contexts, min_sizes: args.min_tuples.unwrap_or(0) };
    let kind = args.table.by.series();
    if filter != SeriesFilter::default() && kind != Some(SeriesKind::Routine) {
        return Err(
            Failure::new("--contexts and --min-tuples apply only to routines").hint("add `--by routine`")
        );
    }
    let at = study::sizes(&args.table.at)?;
    let (_, study) = study::selected(named, &args.analysis, terminal)?;
    let study = trend_analyze::to_analyze(study, &args.table.feature, &at);
    let waiting = study::analysing(&study, terminal);
    let rows = rows(args.table.by, args.format, subject.as_deref());
    let name = subject.as_deref();
    let full_rows = args.table.top.unwrap_or(0);
    let wanted = study::Wanted { rows: &rows, joint: &args.table.feature, full_rows, name, within: None };
    let mut findings = study::findings(&study, &args.analysis, &at, &wanted)?;
    // JSON contains all metrics, unless the user chooses one.
    if args.metric.is_some() || args.format != Format::Json {
        trend_report::choose_variable(&mut findings, args.metric)?;
    }
    drop(waiting);
    let options = study::table_options(&args.table, terminal);
    match (args.format, subject) {
        (Format::Table, Some(subject)) => {
            terminal::table(&trend_report::page(&findings, Some(&study), &subject, &options)?)?;
        }
        (Format::Markdown, Some(subject)) => {
            terminal::document(&trend_report::page_markdown(&findings, Some(&study), &subject, &options)?)?;
        }
        (Format::Json, Some(subject)) => {
            terminal::json(&trend_report::findings_of(&findings, &subject)?)?;
        }
        (Format::Csv, Some(subject)) => {
            return Err(Failure::new(format!(
                "{subject}: a single row is shown only as a table, Markdown or JSON"
            ))
            .hint("omit its name; CSV has all rows"));
        }
        (Format::Csv, None) if kind.is_some() || args.table.by == By::Time => {
            let (what, place) = match kind {
                Some(_) => ("rows measured by their own size", "series"),
                None => ("CPU time by part", "answer.time_parts"),
            };
            return Err(Failure::new(format!("{what}: shown only as a table, Markdown or JSON"))
                .hint(format!("use `--format json`, which has it under `{place}`")));
        }
        (Format::Table, None) => terminal::table(&match kind {
            Some(kind) => trend_report::series_table(&findings, kind, filter, &options)?,
            None if args.table.by == By::Time => trend_report::time_table(&findings, &options)?,
            None => trend_report::table(&findings, Some(&study), &options)?,
        })?,
        (Format::Json, None) => terminal::json(&findings)?,
        (Format::Csv, None) => terminal::document(&trend_report::csv(&findings, &options)?)?,
        (Format::Markdown, None) => terminal::document(&match kind {
            Some(kind) => trend_report::series_markdown(&findings, kind, filter, &options)?,
            None if args.table.by == By::Time => trend_report::time_markdown(&findings, &options)?,
            None => trend_report::markdown(&findings, &options)?,
        })?,
    }
    // Skip the destructors: the process ends now and frees all memory at once.
    std::mem::forget((study, findings));
    Ok(ExitCode::SUCCESS)
}

/// Returns the kinds of rows to model in addition to clusters.
fn rows(by: By, format: Format, subject: Option<&str>) -> Vec<Rows> {
    let mut rows = match by {
        By::Function | By::Time => vec![Rows::Functions],
        By::Line => vec![Rows::Lines],
        By::Block => vec![Rows::Blocks],
        // Series and clusters are always modelled.
        _ => Vec::new(),
    };
    if subject.is_some() || format == Format::Json {
        rows.push(Rows::Functions);
    }
    // Models of lines are needed only for a subject that is a line.
    if subject.is_some_and(is_place) {
        rows.push(Rows::Lines);
    }
    rows
}

/// Returns true if the word is `FILE:LINE`.
fn is_place(word: &str) -> bool {
    word.rsplit_once(':').is_some_and(|(_, line)| line.parse::<u32>().is_ok())
}

/// Returns the study and the subject among the words, which may be in any order.
pub(crate) fn study_and_name(words: &[OsString]) -> Result<(Option<&Path>, Option<String>), Failure> {
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
