//! Links a program with the object that writes counters at every end. Afterwards makes its counters plain if possible.
//!
//! Neither step may break a build: if linking with the object fails, the link is repeated without it.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus};

use super::log::{self, Call};
use super::unlock::{self, Updates};
use super::variables::update;
use super::{ending, linkage};
use crate::program::instrumentation::Update;

/// A link of a program or library.
pub(super) struct Link {
    /// Path of the build's log.
    pub(super) log: PathBuf,
    /// The arguments that link the object in, or the reason for leaving it out.
    pub(super) ending: Result<Vec<OsString>, String>,
    /// True if these arguments go after the others.
    pub(super) comes_last: bool,
}

impl Link {
    /// Calls the compiler, with `arguments` after those that `compiler` already has.
    pub(super) fn run(
        self,
        compiler: &Command,
        arguments: &[OsString],
        products: impl Fn() -> Vec<PathBuf>,
    ) -> io::Result<ExitCode> {
        let link = |ending: &[OsString]| {
            let mut command = copy(compiler);
            let (first, last) = if self.comes_last { (&[][..], ending) } else { (ending, &[][..]) };
            command.args(first).args(arguments).args(last).status()
        };
        let (status, left_out) = match &self.ending {
            Err(reason) => (link(&[])?, Some(reason.clone())),
            Ok(ending) => {
                let status = link(ending)?;
                match refusal(status, &products()) {
                    None => (status, None),
                    Some(reason) => {
                        let again = link(&[])?;
                        // If this link fails as well, the object is not the reason.
                        (again, again.success().then_some(reason))
                    }
                }
            }
        };
        // If the log cannot be written, the report loses detail, but the build must not break.
        if let Some(reason) = left_out {
            let _ = log::append(&self.log, &Call::EndsUncounted { reason });
        }
        let programs = if status.success() { products() } else { Vec::new() };
        for program in programs {
            let is_plain = match update() {
                // In this mode, C compilers already produce plain updates; rustc always produces atomic ones.
                Update::Single => self.comes_last,
                Update::Atomic => linkage::is_single_threaded(&program),
            };
            if is_plain {
                // If the program cannot be changed, it is only slower.
                let _ = unlock::rewrite(&program, Updates::Plain);
            }
            let program = std::path::absolute(&program).unwrap_or(program);
            let _ = log::append(&self.log, &Call::Linked { program: program.to_string_lossy().into_owned() });
        }
        Ok(exit_code(status))
    }
}

/// Returns the reason why a program must be linked without the object, if there is one.
fn refusal(status: ExitStatus, products: &[PathBuf]) -> Option<String> {
    if !status.success() {
        return Some("the linker does not take what writes them".to_owned());
    }
    let own = products.iter().find_map(|program| Some((program, ending::own_call(program)?)));
    own.map(|(program, call)| format!("{} has a function `{call}` of its own", name(program)))
}

fn name(program: &Path) -> String {
    program.file_name().unwrap_or(OsStr::new("the program")).to_string_lossy().into_owned()
}

/// Copies a command that has not been started.
fn copy(command: &Command) -> Command {
    let mut copy = Command::new(command.get_program());
    copy.args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => copy.env(name, value),
            None => copy.env_remove(name),
        };
    }
    copy
}

/// Returns the exit code of a status as a shell would.
pub(super) fn exit_code(status: ExitStatus) -> ExitCode {
    let code = status.code().or_else(|| status.signal().map(|s| 128 + s));
    ExitCode::from(code.and_then(|c| u8::try_from(c).ok()).unwrap_or(1))
}
