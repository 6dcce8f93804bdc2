//! A minimal stand-in for the trend-prof binary: it acts as a compiler shim or as a supervisor, and does nothing else.
//! The tests build and run programs with it.

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os();
    let first = arguments.next();
    if trend_run::supervisor::requested(first.as_deref()) {
        return trend_run::supervisor::supervise();
    }
    let Some(request) = trend_run::shim::requested(first.as_deref()) else {
        return ExitCode::from(2);
    };
    match trend_run::shim::exec(&request, arguments) {
        Ok(code) => code,
        Err(_) => ExitCode::from(127),
    }
}
