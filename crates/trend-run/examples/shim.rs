//! What the trend-prof binary does when it is called as a compiler or started as a supervisor, alone; the tests build and
//! run with it.

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
