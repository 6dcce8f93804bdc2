//! What the attribute's code calls. It is in no way stable.

use std::env;
use std::fmt::Debug;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{self, Command, Output};

pub use crate::build::Target;
use crate::build::{Build, program};

/// Says to this binary that it is to execute the body once.
const BODY: &str = "TREND_PROF_TEST_BODY";

/// The time that the runs may take, where none is given. Most take a few seconds; the rest is for a machine that is busy.
const BUDGET: &str = "20s";

/// What `trend-prof check` and `try --expect` say of an expectation that is broken.
const BROKEN: i32 = 1;

/// What they say of one that is neither kept nor broken.
const UNDECIDED: i32 = 3;

/// What a test expects.
#[derive(Debug)]
pub struct Test {
    /// Its full path.
    pub name: &'static str,
    /// Such as `<= n log n`.
    pub limit: &'static str,
    /// Such as `100..100000x10`.
    pub sizes: Option<&'static str>,
    /// Such as `30s`.
    pub budget: Option<&'static str>,
    /// Whether it passes where nothing is decided.
    pub allow_undecided: bool,
    /// What it is compiled into.
    pub target: Target,
}

/// What the body of a test can return.
pub trait Outcome {
    /// Panics where it is a failure.
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

/// Leave to count.
#[derive(Debug)]
pub struct Counted(());

impl Counted {
    /// Counts what `body` does and ends the process.
    pub fn of<R: Outcome>(self, body: impl FnOnce() -> R) {
        begin();
        body().assert();
        // What comes now is of the harness, and drops the input.
        process::exit(0);
    }
}

/// Forgets what was counted so far.
fn begin() {
    #[cfg(trend_prof)]
    {
        #[expect(unsafe_code, reason = "the runtime of LLVM's counters is in C")]
        unsafe extern "C" {
            fn __llvm_profile_reset_counters();
        }
        #[expect(unsafe_code, reason = "as above")]
        // SAFETY: it is part of every program with these counters, and sets them to zero.
        unsafe {
            __llvm_profile_reset_counters();
        }
    }
}

impl Test {
    /// Judges the growth of `body`; in a process that was started for that, executes it once.
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

    /// What is to be said where the test passes, or fails.
    fn judged(&self) -> Result<String, String> {
        let Build { binary } = self.target.built()?;
        let study = self.study(&binary)?;
        let output = self.tried(&binary, &study)?;
        let said = format!("{}{}", text(&output.stdout), text(&output.stderr));
        let said = said.trim_end();
        let looked = format!("`trend-prof show {} --by function` says what grows", study.display());
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

    /// The name that the harness knows: without the crate.
    fn function(&self) -> &str {
        self.name.split_once("::").map_or(self.name, |(_, name)| name)
    }

    /// Where what is counted is kept, beside the binaries. Every time it is counted anew.
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

    /// Lets the body run at several sizes.
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
        // The harness takes the size for the name of another test, which there is not.
        let words = ["--exact", "--include-ignored", "--nocapture", "--quiet", "--test-threads=1"];
        command.arg("--").arg(binary).args(words).args([self.function(), "{n}"]);
        // The end of what a panic says is shown, and a backtrace would be that.
        command.env(BODY, "1").env("RUST_BACKTRACE", "0");
        command.output().map_err(|error| format!("failed to start {}: {error}", program().display()))
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
