//! `trend-prof loops`: shows trip counts of loops as formulas of program variables.

use std::process::ExitCode;

use trend_analyze::Findings;

use super::show::study_and_name;
use crate::cli::{self, LoopsFormat};
use crate::failure::Failure;
use crate::terminal::Terminal;
use crate::{study, terminal};

pub(crate) fn loops(args: &cli::Loops, terminal: Terminal) -> Result<ExitCode, Failure> {
    let (named, function) = study_and_name(&args.words)?;
    let at = study::sizes(&args.at)?;
    let (_, study) = study::selected(named, &args.analysis, terminal)?;
    let waiting = study::analysing(&study, terminal);
    let findings = study::findings(&study, &args.analysis, &at, &study::Wanted::default())?;
    drop(waiting);
    let options = trend_report::TableOptions { top: args.top, ..terminal.table_options() };
    match (args.format, function) {
        (LoopsFormat::Json, None) => {
            terminal::json(&Findings { series: findings.series.clone(), ..findings.without_rows() })?;
        }
        (LoopsFormat::Json, Some(function)) => {
            return Err(Failure::new(format!(
                "{function}: a single function is shown only as a table or Markdown"
            ))
            .hint("omit its name; JSON has all functions"));
        }
        (LoopsFormat::Table, None) => terminal::table(&trend_report::loops_table(&findings, &options)?)?,
        (LoopsFormat::Table, Some(function)) => {
            terminal::table(&trend_report::loops_of_function(&findings, &study, &function, &options)?)?;
        }
        (LoopsFormat::Markdown, None) => {
            terminal::document(&trend_report::loops_markdown(&findings, &options)?)?;
        }
        (LoopsFormat::Markdown, Some(function)) => {
            terminal::document(&trend_report::loops_of_function_markdown(&findings, &study, &function)?)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
