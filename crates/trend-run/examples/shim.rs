//! What the trend-prof binary does when it is called as a compiler, alone; the tests build with it.

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os();
    let first = arguments.next();
    let Some(request) = trend_run::shim::requested(first.as_deref()) else {
        return ExitCode::from(2);
    };
    match trend_run::shim::exec(&request, arguments) {
        Ok(code) => code,
        Err(_) => ExitCode::from(127),
    }
}
