//! `trend-prof predict`: costs and ranks at a size that was never run.

use std::path::Path;
use std::process::ExitCode;

use trend_analyze::Rows;
use trend_report::TableOptions;

use crate::cli::{self, Format};
use crate::failure::Failure;
use crate::terminal::Terminal;
use crate::{study, terminal};

pub(super) fn predict(args: &cli::Predict, terminal: Terminal) -> Result<ExitCode, Failure> {
    let (named, size) = match args.words.as_slice() {
        [size] => (None, size),
        [first, second] if study::is_study(second) && !study::is_study(first) => {
            (Some(Path::new(second)), first)
        }
        [first, second] => (Some(Path::new(first)), second),
        _ => return Err(Failure::new("predict takes a study and a size")),
    };
    let (feature, at) = study::size(&size.to_string_lossy())?;
    let (_, study) = study::selected(named, &args.analysis, terminal)?;
    let sizes = [(feature.clone(), at)];
    let study = study::to_analyse(study, &[], &sizes);
    let waiting = study::analysing(&study, terminal);
    let findings = study::findings(&study, &args.analysis, &sizes, &[Rows::Functions], &[])?;
    drop(waiting);
    let options = TableOptions {
        sort: trend_report::Sort::Predicted,
        feature: Some(feature.clone()),
        at: Some(at),
        top: args.top,
        width: Terminal::width(),
        ..TableOptions::default()
    };
    match args.format {
        Format::Table => {
            terminal::table(&trend_report::prediction_table(&findings, &feature, at, &options)?)?;
        }
        Format::Json => terminal::json(&findings)?,
        Format::Csv => terminal::document(&trend_report::csv(&findings, &options)?)?,
        Format::Markdown => terminal::document(&trend_report::markdown(&findings, &options)?)?,
    }
    Ok(ExitCode::SUCCESS)
}
