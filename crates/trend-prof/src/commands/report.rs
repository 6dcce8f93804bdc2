//! `trend-prof report`: findings as a page.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use trend_analyze::Findings;
use trend_profile::Study;
use trend_report::PageOptions;

use crate::cli;
use crate::failure::Failure;
use crate::terminal::Terminal;
use crate::{study, terminal};

pub(super) fn report(args: &cli::Report, terminal: Terminal) -> Result<ExitCode, Failure> {
    let at = study::sizes(&args.at)?;
    let (path, study) = study::selected(args.study.as_deref(), &args.analysis, terminal)?;
    let study = trend_analyze::to_analyze(study, &[], &at);
    let waiting = study::analysing(&study, terminal);
    let findings = study::findings_for_page(&study, &args.analysis, &at)?;
    let output = args.output.clone().unwrap_or_else(|| default_page(&path));
    waiting.step("making the page");
    write(&output, &findings, &study, &path)?;
    drop(waiting);
    // The process ends, and frees all of it at once.
    std::mem::forget((study, findings));
    if output.as_os_str() != "-" {
        terminal.note(&format!("wrote {}", output.display()));
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes the page of the study that is in a file.
pub(super) fn write(path: &Path, findings: &Findings, study: &Study, file: &Path) -> Result<(), Failure> {
    let study_name = file.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let options = PageOptions {
        generated_by: trend_report::GENERATED_BY,
        study_name: &study_name,
        ..PageOptions::default()
    };
    terminal::file(path, &trend_report::html(findings, study, &options))
}

/// The page beside the study.
pub(super) fn default_page(study: &Path) -> PathBuf {
    study.with_extension("html")
}
