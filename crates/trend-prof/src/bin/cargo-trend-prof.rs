//! Runs `cargo trend-prof …` as `trend-prof …` by replacing itself with the executable in the same folder.

#![forbid(unsafe_code)]

use std::ffi::OsString;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let mut arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    // Cargo passes the name of the subcommand as the first argument.
    if arguments.first().is_some_and(|a| a == "trend-prof") {
        arguments.remove(0);
    }
    let sibling = std::env::current_exe().unwrap_or_default().with_file_name("trend-prof");
    let program = if sibling.is_file() { sibling } else { "trend-prof".into() };
    let error = Command::new(&program).args(arguments).exec();
    let _ = writeln!(std::io::stderr(), "error: failed to start {}: {error}", program.display());
    ExitCode::from(127)
}
