//! `trend-prof predict`: predicts costs and ranks at a size that was never run.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use trend_analyze::Rows;
use trend_profile::Study;
use trend_report::TableOptions;

use crate::cli::{self, Format};
use crate::failure::Failure;
use crate::terminal::Terminal;
use crate::{study, terminal};

pub(crate) fn predict(args: &cli::Predict, terminal: Terminal) -> Result<ExitCode, Failure> {
    // A word with an equals sign is a size, unless it is a study.
    let is_size = |word: &&OsString| word.to_string_lossy().contains('=') && !study::is_study(word);
    let (sizes, named): (Vec<&OsString>, Vec<&OsString>) = args.words.iter().partition(is_size);
    let named = match named.as_slice() {
        [] => None,
        [one] => Some(Path::new(one)),
        [_, second, ..] => {
            return Err(Failure::new(format!("`{}` is not a size", second.to_string_lossy()))
                .hint("write feature=size, for example bytes=128MB"));
        }
    };
    if sizes.is_empty() && args.within.is_empty() {
        return Err(Failure::new("no size to predict")
            .hint("write feature=size, for example bytes=128MB, or a limit: `--within 1h`"));
    }
    let sizes: Vec<(String, f64)> =
        sizes.into_iter().map(|size| study::size(&size.to_string_lossy())).collect::<Result<_, _>>()?;
    if let Some((name, _)) =
        sizes.iter().enumerate().find_map(|(i, size)| sizes[..i].iter().find(|s| s.0 == size.0))
    {
        return Err(Failure::new(format!("{name} is given twice; give one size per feature")));
    }
    let (_, study) = study::selected(named, &args.analysis, terminal)?;
    let study = match &args.machine {
        Some(machine) => on_machine(study, machine)?,
        None => study,
    };
    let study = trend_analyze::to_analyze(study, &[], &sizes);
    let waiting = study::analysing(&study, terminal);
    let wanted = study::Wanted {
        rows: &[Rows::Functions],
        full_rows: args.top.unwrap_or(0),
        within: Some(&args.within),
        ..study::Wanted::default()
    };
    let findings = study::findings(&study, &args.analysis, &sizes, &wanted)?;
    drop(waiting);
    let options =
        TableOptions { sort: trend_report::Sort::Predicted, top: args.top, ..terminal.table_options() };
    match args.format {
        Format::Table => {
            let text = if sizes.is_empty() {
                trend_report::fitting_table(&findings, &options)
            } else {
                trend_report::prediction_table(&findings, &options)?
            };
            terminal::table(&text)?;
        }
        Format::Json => terminal::json(&findings)?,
        Format::Csv => terminal::document(&trend_report::csv(&findings, &options)?)?,
        Format::Markdown => terminal::document(&trend_report::markdown(&findings, &options)?)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the study with the constants of another machine.
fn on_machine(study: Study, path: &Path) -> Result<Study, Failure> {
    if study.calibration().is_none() {
        return Err(Failure::new("the study has no formulas, so a machine's constants do not apply")
            .hint("add [fragments] to trend-prof.toml and run `trend-prof calibrate`"));
    }
    Ok(study.on_machine(super::calibrate::read_machine(path)?))
}
