//! `trend-prof report`: findings as a page.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use trend_analyze::Findings;
use trend_profile::Study;

use crate::cli;
use crate::failure::Failure;
use crate::terminal::Terminal;
use crate::{study, terminal};

pub(super) fn report(args: &cli::Report, terminal: Terminal) -> Result<ExitCode, Failure> {
    let at = study::sizes(&args.at)?;
    let (path, study) = study::load(args.study.as_deref())?;
    let findings = study::findings(&study, &args.analysis, &at, None)?;
    let output = args.output.clone().unwrap_or_else(|| default_page(&path));
    write(&output, &findings, &study)?;
    if output.as_os_str() != "-" {
        terminal.note(&format!("wrote {}", output.display()));
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes the page.
pub(super) fn write(path: &Path, findings: &Findings, study: &Study) -> Result<(), Failure> {
    let page = trend_report::html(findings, study, concat!("trend-prof ", env!("CARGO_PKG_VERSION")));
    terminal::file(path, &page)
}

/// The page beside the study.
pub(super) fn default_page(study: &Path) -> PathBuf {
    study.with_extension("html")
}
