//! `trend-prof init`: writes a configuration as a starting point.

use std::process::ExitCode;

use crate::cli;
use crate::failure::Failure;
use crate::terminal::{self, Terminal};

pub(crate) fn init(args: &cli::Init, terminal: Terminal) -> Result<ExitCode, Failure> {
    if !args.folder.is_dir() {
        return Err(Failure::new(format!("{}: no such folder", args.folder.display())));
    }
    let path = args.folder.join(trend_run::CONFIG_FILE);
    if path.exists() && !args.force {
        return Err(
            Failure::new(format!("{} already exists", path.display())).hint("replace it with `--force`")
        );
    }
    if let Some(seed) = args.grow.as_ref().map(|seed| args.folder.join(seed)).filter(|seed| !seed.is_file()) {
        return Err(Failure::new(format!("{}: no such file", seed.display())));
    }
    let proposal =
        trend_run::propose(&args.folder, &args.command, args.grow.as_deref().map(super::grow::seed))?;
    terminal::file(&path, &proposal.text)?;
    for finding in &proposal.findings {
        terminal.note(finding);
    }
    terminal.note(&format!("wrote {}", path.display()));
    for to_do in &proposal.to_do {
        terminal.note(&format!("to do: {to_do}"));
    }
    if proposal.to_do.is_empty() {
        terminal.note("next: `trend-prof run`");
    }
    Ok(ExitCode::SUCCESS)
}
