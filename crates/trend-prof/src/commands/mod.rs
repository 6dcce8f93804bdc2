//! The commands. Each takes its part of the command line and calls the library crates.
//!
//! Begin with [`dispatch`]: calls the command that the command line names. [`measuring`] builds and runs programs,
//! [`studies`] handles files, and [`findings`] shows what they say. [`trial`] and [`demo`] do all of it in one command.

mod demo;
mod findings;
mod generate;
mod measuring;
mod studies;
mod trial;

use std::process::ExitCode;

use self::findings::{calibrate, check, diff, loops, predict, report, serve, show};
use self::measuring::{build, grow, init, run};
use self::studies::{export, import, merge, note, repair};
use crate::cli::{Cli, Command};
use crate::failure::Failure;
use crate::terminal::Terminal;

/// Runs the command that the command line names.
pub(crate) fn dispatch(cli: &Cli) -> Result<ExitCode, Failure> {
    let terminal = Terminal::new(&cli.global);
    // Started here, as rayon panics where it starts threads itself and there is no memory for them. 0 is one per core.
    rayon::ThreadPoolBuilder::new().num_threads(cli.global.threads.unwrap_or(0)).build_global().map_err(
        |error| {
            Failure::from_error("failed to start threads", &error)
                .hint("allow more memory, or fewer threads: --threads 1")
        },
    )?;
    match &cli.command {
        Command::Demo(args) => demo::demo(args, terminal),
        Command::Try(args) => trial::trial(args, terminal),
        Command::Init(args) => init::init(args, terminal),
        Command::Build(args) => build::build(args, terminal),
        Command::Run(args) => run::run(args, terminal),
        Command::Show(args) => show::show(args, terminal),
        Command::Note(args) => note::note(args, terminal),
        Command::Loops(args) => loops::loops(args, terminal),
        Command::Report(args) => report::report(args, terminal),
        Command::Serve(args) => serve::serve(args, terminal),
        Command::Predict(args) => predict::predict(args, terminal),
        Command::Calibrate(args) => calibrate::calibrate(args, terminal),
        Command::Check(args) => check::check(args, terminal),
        Command::Diff(args) => diff::diff(args, terminal),
        Command::Import(args) => import::import(args, terminal),
        Command::Grow(args) => grow::grow(args),
        Command::Merge(args) => merge::merge(args, terminal),
        Command::Repair(args) => repair::repair(args, terminal),
        Command::Export(args) => export::export(args, terminal),
        Command::Generate(args) => generate::generate(args, terminal),
    }
}
