//! `trend-prof import`: counts and features from elsewhere.

use std::process::ExitCode;

use crate::cli;
use crate::failure::Failure;
use crate::terminal::Terminal;

pub(super) fn import(args: &cli::Import, _terminal: Terminal) -> Result<ExitCode, Failure> {
    let _ = args;
    Ok(ExitCode::SUCCESS)
}
