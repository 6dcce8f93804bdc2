//! trend-prof predicts how the cost of a program grows with its input.

#![deny(unsafe_code)]

mod allocator;
mod cli;
mod commands;
mod failure;
mod formats;
mod interruption;
mod progress;
mod study;
mod terminal;
mod waiting;

use std::process::ExitCode;

use clap::Parser;

#[global_allocator]
static ALLOCATOR: allocator::Allocator = allocator::Allocator;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os();
    let name = arguments.next();
    // Under this name, the executable is the process between `run` and the programs that it runs.
    if trend_run::supervisor::requested(name.as_deref()) {
        return trend_run::supervisor::supervise();
    }
    // Under a compiler's name, the executable acts as the compiler of an instrumented build.
    if let Some(request) = trend_run::shim::requested(name.as_deref()) {
        return trend_run::shim::exec(&request, arguments).unwrap_or_else(|error| {
            failure::Failure::from_error("failed to compile", &error).print();
            ExitCode::from(127)
        });
    }
    commands::dispatch(&cli::Cli::parse()).unwrap_or_else(|failure| {
        failure.print();
        ExitCode::from(failure.exit_code)
    })
}
