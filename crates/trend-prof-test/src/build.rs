//! Builds the test binary again, with counters.

use std::env;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

/// Variable with the path of trend-prof; by default it is searched on PATH.
const PROGRAM: &str = "TREND_PROF";

/// The target that a test is compiled into, as cargo describes it to the compiler.
#[derive(Debug)]
pub struct Target {
    /// Folder of the package.
    pub folder: &'static str,
    /// The package, as `name@version`.
    pub package: &'static str,
    /// Name of the crate.
    pub crate_name: &'static str,
    /// Name of the program, if the crate is one.
    pub program: Option<&'static str>,
    /// True if the crate is an integration test in `tests/`.
    pub is_integration: bool,
    /// Names of the enabled features of the package.
    pub features: &'static [&'static str],
    /// True if debug assertions are enabled.
    pub is_debug: bool,
}

/// The result of a build.
#[derive(Clone, Debug)]
pub(crate) struct Build {
    pub(crate) binary: PathBuf,
}

/// Returns the path or name of trend-prof.
pub(crate) fn program() -> PathBuf {
    env::var_os(PROGRAM).filter(|word| !word.is_empty()).unwrap_or_else(|| "trend-prof".into()).into()
}

impl Target {
    /// Builds the binary with counters once for all tests of this process. If it is up to date, cargo does nothing.
    pub(crate) fn built(&self) -> Result<Build, String> {
        static BUILT: Mutex<Option<Result<Build, String>>> = Mutex::new(None);
        let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
        built.get_or_insert_with(|| self.build()).clone()
    }

    fn build(&self) -> Result<Build, String> {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let words = [&["build", "--"].map(OsString::from)[..], &[cargo], &self.words()].concat();
        let output = Command::new(program()).args(&words).current_dir(self.folder).output();
        let output = output.map_err(|error| match error.kind() {
            ErrorKind::NotFound => format!(
                "this test counts with `trend-prof`, and there is no {}: `cargo install --path crates/trend-prof` in the \
                 repository of trend-prof puts it on the PATH, or let the variable {PROGRAM} name it",
                program().display()
            ),
            _ => format!("failed to start {}: {error}", program().display()),
        })?;
        let failed = |what: &str| {
            let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
            let said = String::from_utf8_lossy(&output.stderr);
            Err(format!("{what}: `{} {}` in {}\n{said}", program().display(), words.join(" "), self.folder))
        };
        if !output.status.success() {
            return failed("failed to build this test with counters");
        }
        let messages = String::from_utf8_lossy(&output.stdout);
        match messages.lines().filter_map(|line| self.binary(line)).next_back() {
            Some(binary) => Ok(Build { binary }),
            None => failed("cargo names no binary with this test"),
        }
    }

    /// Returns cargo's arguments: the target, the features and the profile.
    fn words(&self) -> Vec<OsString> {
        let mut words =
            ["test", "--no-run", "--message-format=json-render-diagnostics"].map(str::to_owned).to_vec();
        words.extend(["--package".to_owned(), self.package.to_owned()]);
        words.extend(match self.program {
            Some(program) => vec!["--bin".to_owned(), program.to_owned()],
            // cargo takes a pattern. The crate's name has `_` in place of `-`.
            None if self.is_integration => vec!["--test".to_owned(), self.crate_name.replace('_', "[-_]")],
            None => vec!["--lib".to_owned()],
        });
        words.extend(["--no-default-features".to_owned(), format!("--features={}", self.features.join(","))]);
        if !self.is_debug {
            words.push("--release".to_owned());
        }
        words.into_iter().map(OsString::from).collect()
    }

    /// Returns the binary of a cargo message, if it contains this test.
    fn binary(&self, message: &str) -> Option<PathBuf> {
        let message: Value = serde_json::from_str(message).ok()?;
        let is_test = message["profile"]["test"] == true;
        let is_crate = message["target"]["name"].as_str()?.replace('-', "_") == self.crate_name;
        message["executable"].as_str().filter(|_| is_test && is_crate).map(PathBuf::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target() -> Target {
        Target {
            folder: "/p",
            package: "p@0.1.0",
            crate_name: "far_away",
            program: None,
            is_integration: true,
            features: &["default", "x"],
            is_debug: false,
        }
    }

    #[test]
    fn cargo_is_told_the_target_the_features_and_the_profile() {
        let words = |target: Target| target.words().join(" ".as_ref()).into_string().unwrap();
        let all = words(target());
        assert!(
            all.ends_with("--test far[-_]away --no-default-features --features=default,x --release"),
            "{all}"
        );
        let lib = words(Target { is_integration: false, is_debug: true, features: &[], ..target() });
        assert!(lib.ends_with("--package p@0.1.0 --lib --no-default-features --features="), "{lib}");
        assert!(words(Target { program: Some("tool"), ..target() }).contains("--bin tool"));
    }

    #[test]
    fn the_binary_is_that_of_the_crate_built_for_tests() {
        let message = r#"{"reason":"compiler-artifact","target":{"name":"far-away"},"profile":{"test":true},"executable":"/t/x"}"#;
        assert_eq!(target().binary(message), Some("/t/x".into()));
        assert_eq!(target().binary(&message.replace("true", "false")), None);
        assert_eq!(target().binary(&message.replace("far-away", "near")), None);
        assert_eq!(target().binary("warning: of a build script"), None);
    }
}
