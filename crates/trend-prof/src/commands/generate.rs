//! `trend-prof generate`: prints completions, and writes man pages.

use std::fs;
use std::io;
use std::process::ExitCode;

use clap::CommandFactory as _;
use clap_complete::Shell;

use crate::cli::{Cli, Generate, Generated};
use crate::failure::Failure;
use crate::terminal::{Terminal, document, plural};

pub(super) fn generate(args: &Generate, terminal: Terminal) -> Result<ExitCode, Failure> {
    let shell = match args.what {
        Generated::Bash => Shell::Bash,
        Generated::Zsh => Shell::Zsh,
        Generated::Fish => Shell::Fish,
        Generated::Man => return man(args, terminal),
    };
    let mut completions = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "trend-prof", &mut completions);
    document(&String::from_utf8_lossy(&completions))?;
    Ok(ExitCode::SUCCESS)
}

/// Writes a page for the program, and one for each command.
fn man(args: &Generate, terminal: Terminal) -> Result<ExitCode, Failure> {
    let write = || {
        fs::create_dir_all(&args.output)?;
        clap_mangen::generate_to(Cli::command().disable_help_subcommand(true), &args.output)
    };
    write().map_err(|error: io::Error| {
        Failure::from_error(&format!("failed to write man pages to {}", args.output.display()), &error)
    })?;
    let pages = 1 + Cli::command().get_subcommands().count();
    terminal.note(&format!("{} in {}", plural(pages, "man page"), args.output.display()));
    Ok(ExitCode::SUCCESS)
}
