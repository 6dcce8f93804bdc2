//! Build commands: what they call.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use crate::words::shell;

/// Returns true if cargo is the first program that a build command calls. Its program can then be built without
/// counters next to the usual builds. The command may set variables, and other programs may start cargo: `X=1 nice
/// cargo build`.
pub fn is_cargo_build(command: &[OsString]) -> bool {
    shell::programs(&shell_line(command)).first().is_some_and(|program| calls_cargo(program))
}

/// Returns true if a build command calls nothing but cargo.
pub(crate) fn calls_cargo_alone(command: &[OsString]) -> bool {
    let programs = shell::programs(&shell_line(command));
    !programs.is_empty() && programs.iter().all(|program| calls_cargo(program))
}

/// Returns true if a build command calls cargo, but not first, such as `cd a && cargo build`.
pub fn mentions_cargo(command: &[OsString]) -> bool {
    let programs = shell::programs(&shell_line(command));
    !is_cargo_build(command) && programs.iter().any(|program| calls_cargo(program))
}

fn calls_cargo(program: &OsStr) -> bool {
    Path::new(program).file_name().is_some_and(|name| name == "cargo")
}

/// Turns one word with blanks into a line for the shell.
pub(crate) fn shell_line(command: &[OsString]) -> Vec<OsString> {
    match command {
        [line]
            if line.to_string_lossy().trim().contains(char::is_whitespace) && !Path::new(line).exists() =>
        {
            vec!["sh".into(), "-c".into(), line.clone()]
        }
        words => words.to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_word_with_blanks_is_a_line_for_the_shell() {
        let words = |words: &[&str]| words.iter().map(OsString::from).collect::<Vec<_>>();
        assert_eq!(shell_line(&words(&["make && true"])), words(&["sh", "-c", "make && true"]));
        assert_eq!(shell_line(&words(&["make", "-j 2"])), words(&["make", "-j 2"]));
        assert_eq!(shell_line(&words(&["make"])), words(&["make"]));
    }

    #[test]
    fn cargo_is_known_in_words_and_in_a_line() {
        let is_cargo = |words: &[&str]| is_cargo_build(&words.iter().map(OsString::from).collect::<Vec<_>>());
        assert!(is_cargo(&["cargo", "build", "--release"]));
        assert!(is_cargo(&["sh", "-c", "cargo build --release"]));
        assert!(is_cargo(&["/u/.cargo/bin/cargo build"]));
        assert!(is_cargo(&["X=1 Y='a b' cargo build"]) && is_cargo(&["bash", "-c", "X=1 cargo build"]));
        let mentions = |line: &str| mentions_cargo(&[line.into()]);
        assert!(mentions("cd a && cargo build") && !is_cargo(&["cd a && cargo build"]));
        assert!(mentions("make; cargo build|tail") && !mentions("time nice -n 5 /u/.cargo/bin/cargo build"));
        // Programs that start another program pass their environment on.
        assert!(
            is_cargo(&["time nice -n 5 /u/.cargo/bin/cargo build"]) && is_cargo(&["nice", "cargo", "build"])
        );
        assert!(is_cargo(&["env", "X=1", "cargo", "build"]));
        assert!(!mentions("X=1 cargo build") && !mentions("make cargo-docs") && !mentions("make -C cargo"));
        assert!(
            !mentions("cd cargo && make -f cargo.mk") && !mentions("echo 'a; cargo build' && ./cargo.sh")
        );
        assert!(!mentions_cargo(&["make", "-C", "cargo"].map(OsString::from)));
        let alone = |line: &str| calls_cargo_alone(&[line.into()]);
        assert!(alone("X=1 cargo build") && alone("cargo build -p a && nice cargo build -p b"));
        assert!(!alone("cargo clean; make") && !alone("cd a && cargo build"));
        assert!(!is_cargo(&["make"]) && !is_cargo(&["sh", "-c", "make cargo"]) && !is_cargo(&[]));
    }
}
