//! `trend-prof repair`: recovers the readable part of a damaged study.

use std::process::ExitCode;

use trend_profile::{StudyError, shell_path};

use crate::cli;
use crate::failure::Failure;
use crate::study::SUFFIX;
use crate::terminal::{Terminal, plural};

/// Maximum number of gaps that are listed.
const GAPS_SHOWN: usize = 5;

pub(crate) fn repair(args: &cli::Repair, terminal: Terminal) -> Result<ExitCode, Failure> {
    let target = match &args.output {
        Some(output) => output.clone(),
        None => args.study.with_extension(format!("repaired.{SUFFIX}")),
    };
    let repaired = trend_profile::repair(&args.study, &target).map_err(|error| match error {
        StudyError::Exists { path } => {
            Failure::new(format!("{} already exists", path.display())).hint(format!(
                "remove it, or choose another file: `trend-prof repair {} -o OTHER.{SUFFIX}`",
                shell_path(&args.study)
            ))
        }
        error => error.into(),
    })?;
    for (first, length) in repaired.gaps.iter().take(GAPS_SHOWN) {
        terminal.warn(&match length {
            0 => format!("records are missing before byte {first}"),
            _ => format!("{length} bytes from byte {first} cannot be read"),
        });
    }
    if let Some(more) = repaired.gaps.len().checked_sub(GAPS_SHOWN).filter(|more| *more > 0) {
        terminal.warn(&format!("{} more cannot be read", plural(more, "stretch")));
    }
    if repaired.lost_runs > 0 {
        terminal.warn(&format!(
            "{} useless: the names of their code locations are lost",
            if repaired.lost_runs == 1 {
                "1 run is".to_owned()
            } else {
                format!("{} runs are", repaired.lost_runs)
            }
        ));
    }
    terminal.note(&format!("{} in {}", plural(repaired.runs, "run"), target.display()));
    if !repaired.gaps.is_empty() || repaired.lost_runs > 0 {
        terminal.hint(&format!(
            "to run what is missing, repeat the command that made the study, but with `--study {}`",
            shell_path(&target)
        ));
    }
    Ok(ExitCode::SUCCESS)
}
