//! Functions and types for the code that the attribute generates. They are not stable.
//!
//! The test calls `trend-prof try --expect`. The body of the test runs in a separate process, whose counters are zero
//! when it begins.

use std::env;
use std::fmt::Debug;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{self, Command, Output};

pub use crate::build::Target;
use crate::build::{Build, program};

/// Variable that tells this binary to execute the test's body once.
const BODY: &str = "TREND_PROF_TEST_BODY";

/// Default time for the runs. Most need a few seconds; the rest is a reserve for a busy machine.
const BUDGET: &str = "20s";

/// Exit code of `trend-prof check` and `try --expect` for a broken expectation.
const BROKEN: i32 = 1;

/// Their exit code for an expectation that is neither met nor broken.
const UNDECIDED: i32 = 3;

/// The expectation of a test.
#[derive(Debug)]
pub struct Test {
    /// Full path of the test.
    pub name: &'static str,
    /// The limit, such as `<= n log n`.
    pub limit: &'static str,
    /// The sizes, such as `100..100000x10`.
    pub sizes: Option<&'static str>,
    /// The time for all runs, such as `30s`.
    pub budget: Option<&'static str>,
    /// True if the test passes when the result is undecided.
    pub allow_undecided: bool,
    /// The target that the test is compiled into.
    pub target: Target,
}

/// A return value of a test's body.
pub trait Outcome {
    /// Panics if the value is an error.
    fn assert(self);
}

impl Outcome for () {
    fn assert(self) {}
}

impl<T, E: Debug> Outcome for Result<T, E> {
    fn assert(self) {
        if let Err(error) = self {
            panic!("Error: {error:?}");
        }
    }
}

/// Permission to count, given to the body.
#[derive(Debug)]
pub struct Counted(());

impl Counted {
    /// Counts the work of `body`, then ends the process.
    pub fn of<R: Outcome>(self, body: impl FnOnce() -> R) {
        begin();
        body().assert();
        // Exit here, so that the harness and dropping the input are not counted.
        process::exit(0);
    }
}

/// Resets all counters to zero, if this binary has any.
fn begin() {
    #[cfg(trend_prof)]
    {
        #[expect(unsafe_code, reason = "the runtime of LLVM's counters is in C")]
        unsafe extern "C" {
            fn __llvm_profile_reset_counters();
        }
        #[expect(unsafe_code, reason = "as above")]
        // SAFETY: every program with these counters contains the function, which only sets them to zero.
        unsafe {
            __llvm_profile_reset_counters();
        }
    }
}

impl Test {
    /// Judges the growth of `body`. In a process started for counting, executes it once instead.
    #[track_caller]
    pub fn run(&self, body: impl FnOnce(usize, Counted)) {
        if env::var_os(BODY).is_some() {
            let size = env::args().next_back().and_then(|word| word.parse().ok());
            let size = size.expect("the last argument is a size that fits this machine");
            return body(size, Counted(()));
        }
        match self.judged() {
            #[expect(clippy::print_stdout, reason = "a test harness shows what tests print")]
            Ok(said) => println!("{said}"),
            Err(said) => panic!("{said}"),
        }
    }

    /// Returns the output for a test that passes. The error is the output for one that fails.
    fn judged(&self) -> Result<String, String> {
        let Build { binary } = self.target.built()?;
        let study = self.study(&binary)?;
        let output = self.tried(&binary, &study)?;
        let said = format!("{}{}", text(&output.stdout), text(&output.stderr));
        let said = said.trim_end();
        let looked = format!("`trend-prof show {}` says what grows", study.display());
        match output.status.code() {
            Some(0) => Ok(said.to_owned()),
            Some(UNDECIDED) => Err(format!(
                "it is undecided whether {} grows as `{}`:\n{said}\nGive it larger `sizes` or more `budget`, or a limit \
                 that is further away; with `allow_undecided` it passes; {looked}",
                self.function(),
                self.limit
            )),
            Some(BROKEN) => {
                Err(format!("{} does not grow as `{}`:\n{said}\n{looked}", self.function(), self.limit))
            }
            _ => Err(format!(
                "trend-prof cannot say how {} grows:\n{said}\nWhere it does not take any number, give the sizes that it \
                 takes: `#[grows({:?}, sizes = \"100..10000x10\")]`",
                self.function(),
                self.limit
            )),
        }
    }

    /// Returns the name that the harness uses, without the crate.
    fn function(&self) -> &str {
        self.name.split_once("::").map_or(self.name, |(_, name)| name)
    }

    /// Returns the path of a new study, in a folder next to the binaries. Removes the study of an earlier run.
    fn study(&self, binary: &Path) -> Result<PathBuf, String> {
        let profile = binary.ancestors().nth(2).unwrap_or(binary);
        let folder = profile.join("growth");
        let name = format!("{}.{}.trend", self.target.crate_name, self.function().replace("::", "."));
        let study = folder.join(name);
        let made = fs::create_dir_all(&folder).and_then(|()| match fs::remove_file(&study) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        });
        made.map_err(|error| format!("failed to begin the study {}: {error}", study.display()))?;
        Ok(study)
    }

    /// Runs the body at several sizes.
    fn tried(&self, binary: &Path, study: &Path) -> Result<Output, String> {
        let mut command = Command::new(program());
        command.args(["try", "--no-build", "--jobs", "1", "--expect", self.limit, "--study"]).arg(study);
        command.args(["--budget", self.budget.unwrap_or(BUDGET)]);
        if let Some(sizes) = self.sizes {
            command.args(["--param", &format!("n={sizes}")]);
        }
        if self.allow_undecided {
            command.arg("--allow-undecided");
        }
        // The harness takes the size for the name of another test, which does not exist.
        let words = ["--exact", "--include-ignored", "--nocapture", "--quiet", "--test-threads=1"];
        command.arg("--").arg(binary).args(words).args([self.function(), "{n}"]);
        // Only the end of a panic's message is shown, and a backtrace would fill it.
        command.env(BODY, "1").env("RUST_BACKTRACE", "0");
        command.output().map_err(|error| format!("failed to start {}: {error}", program().display()))
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
