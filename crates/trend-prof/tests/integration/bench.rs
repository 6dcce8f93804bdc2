//! A temporary folder in which tests call trend-prof, and the results of the calls.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;

use serde_json::Value;
use tempfile::TempDir;

use crate::{one_law, studies};

/// A program that counts to its argument, one basic block per tested line. Line 6 runs n times.
pub(crate) const LOOP: &str = r#"#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    long n = argc > 1 ? atol(argv[1]) : 0, sum = 0;
    for (long i = 0; i < n; i++)
        sum += i;
    printf("sum=%ld\n", sum);
    return 0;
}
"#;

/// The column of `export csv` for the body of the loop.
pub(crate) const BODY: &str = "main.c:6:main";

pub(crate) struct Bench {
    folder: TempDir,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::Builder::new().prefix("trend-prof-test-").tempdir().unwrap() }
    }

    /// Creates a folder with [`LOOP`] as an instrumented `./program`.
    pub(crate) fn with_loop() -> Self {
        let bench = Self::new();
        bench.write("main.c", LOOP);
        bench.run(["-q", "build", "--", "cc", "-o", "program", "main.c"]).succeeds();
        bench
    }

    /// Creates a folder with [`LOOP`] and a configuration for these sizes.
    pub(crate) fn with_sizes(sizes: &str) -> Self {
        let bench = Self::with_loop();
        bench.configure(&format!(
            "[program]\ncommand = [\"./program\", \"{{n}}\"]\n[workloads]\nparameters = {{ n = {sizes} }}\n"
        ));
        bench
    }

    /// Creates a folder with a copy of one of the repository's examples.
    pub(crate) fn with_example(name: &str) -> Self {
        let bench = Self::new();
        let source = repository().join("examples").join(name);
        for entry in fs::read_dir(source).unwrap() {
            let entry = entry.unwrap();
            if entry.file_type().unwrap().is_file() && !is_product(&entry.path()) {
                fs::copy(entry.path(), bench.path(entry.file_name())).unwrap();
            }
        }
        bench
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: impl AsRef<Path>, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, name: impl AsRef<Path>) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub(crate) fn configure(&self, text: &str) {
        self.write("trend-prof.toml", text);
    }

    /// Replaces a part of a file. Panics if it is missing.
    pub(crate) fn replace(&self, name: &str, old: &str, new: &str) {
        let text = self.read(name);
        assert!(text.contains(old), "{name} has no {old:?}");
        self.write(name, text.replace(old, new));
    }

    pub(crate) fn command(&self, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_trend-prof"));
        command.args(arguments).current_dir(self.folder()).stdin(Stdio::null());
        for variable in ["NO_COLOR", "CLICOLOR_FORCE", "COLUMNS", "CC", "CXX", "CARGO_TARGET_DIR"] {
            command.env_remove(variable);
        }
        command
    }

    /// Like `command`, but signals end the process. A shell ignores interrupts for background processes, and children
    /// inherit that.
    pub(crate) fn interruptible(&self, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Command {
        let direct = self.command(arguments);
        let mut command = Command::new("env");
        command.arg("--default-signal=INT,TERM,HUP").arg(direct.get_program()).args(direct.get_args());
        for (name, value) in direct.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command.current_dir(self.folder()).stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Ran {
        Ran::from(self.command(arguments).output().unwrap())
    }

    /// Like `run`, but started by a program in the folder.
    pub(crate) fn run_under(
        &self,
        starter: &str,
        arguments: impl IntoIterator<Item = impl AsRef<OsStr>>,
    ) -> Ran {
        let direct = self.command(arguments);
        let mut command = Command::new(self.path(starter));
        command.arg(direct.get_program()).args(direct.get_args()).current_dir(self.folder());
        Ran::from(command.stdin(Stdio::null()).output().unwrap())
    }

    /// Runs a shell command. Panics if it fails.
    pub(crate) fn shell(&self, line: &str) {
        let status = Command::new("sh").args(["-c", line]).current_dir(self.folder()).status().unwrap();
        assert!(status.success(), "`{line}` ended with {status}");
    }

    /// Returns the findings of the given study, or of the only one in the folder.
    pub(crate) fn findings(&self, study: &[&str]) -> Value {
        let findings = self.run(["show", "--format", "json"].iter().chain(study)).succeeds().json();
        assert_published(&findings);
        findings
    }

    /// Returns the counts of the given study, or of the only one in the folder.
    pub(crate) fn counts(&self, study: &[&str]) -> Table {
        Table::parse(&self.run(["export", "csv"].iter().chain(study)).succeeds().stdout)
    }
}

impl Drop for Bench {
    /// Checks the studies that the test leaves.
    fn drop(&mut self) {
        if !std::thread::panicking() {
            studies::check(self.folder());
        }
    }
}

/// Validates findings against the committed schema.
#[track_caller]
pub(crate) fn assert_published(findings: &Value) {
    static SCHEMA: LazyLock<jsonschema::Validator> = LazyLock::new(|| {
        let schema = include_str!("../../../../docs/findings.schema.json");
        jsonschema::validator_for(&serde_json::from_str(schema).unwrap()).unwrap()
    });
    let errors: Vec<String> =
        SCHEMA.iter_errors(findings).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

fn is_product(path: &Path) -> bool {
    matches!(path.extension().and_then(OsStr::to_str), Some("gcno" | "gcda" | "trend" | "o"))
}

pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns true if a program can be called.
pub(crate) fn is_installed(program: &str) -> bool {
    let status = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

/// Reports that a test was skipped.
#[expect(clippy::print_stderr, reason = "the test's own report")]
pub(crate) fn skipped(what: &str, why: &str) {
    eprintln!("not tested: {what}: {why}");
}

/// Returns true if programs can be built with the probe here. Otherwise reports that `what` is not tested.
pub(crate) fn can_probe(what: &str) -> bool {
    let probe = Path::new(env!("CARGO_BIN_EXE_trend-prof")).with_file_name("trend-probe");
    if !probe.is_file() {
        skipped(what, "trend-probe is not built");
        return false;
    }
    if !is_installed("clang-22") {
        skipped(what, "clang-22 is not installed");
        return false;
    }
    true
}

/// Exit code and output of a call.
#[derive(Debug)]
pub(crate) struct Ran {
    /// The exit code, or minus the signal that ended the process.
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap_or_else(|| -output.status.signal().unwrap_or(0)),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

impl Ran {
    #[track_caller]
    pub(crate) fn ends_with(self, code: i32) -> Self {
        assert_eq!(self.code, code, "\n--- stdout\n{}\n--- stderr\n{}", self.stdout, self.stderr);
        self
    }

    #[track_caller]
    pub(crate) fn succeeds(self) -> Self {
        self.ends_with(0)
    }

    /// Asserts that the input was rejected: exit code 2, empty stdout, and an error with these words on stderr.
    #[track_caller]
    pub(crate) fn refuses(self, words: &[&str]) -> Self {
        let ran = self.ends_with(2).says(words);
        assert!(ran.stderr.contains("error: "), "no error in\n{}", ran.stderr);
        assert_eq!(ran.stdout, "");
        ran
    }

    /// Asserts that workloads failed: exit code 1, and these words on stderr.
    #[track_caller]
    pub(crate) fn fails(self, words: &[&str]) -> Self {
        self.ends_with(1).says(words)
    }

    #[track_caller]
    pub(crate) fn says(self, words: &[&str]) -> Self {
        for word in words {
            assert!(self.stderr.contains(word), "no {word:?} in\n{}", self.stderr);
        }
        self
    }

    #[track_caller]
    pub(crate) fn hints(self, words: &[&str]) -> Self {
        let hints: Vec<&str> = self.stderr.lines().filter(|l| l.trim_start().starts_with("hint: ")).collect();
        for word in words {
            assert!(hints.iter().any(|h| h.contains(word)), "no hint with {word:?} in\n{}", self.stderr);
        }
        self
    }

    /// Asserts that stdout contains these words, whatever the line breaks.
    #[track_caller]
    pub(crate) fn shows(self, words: &[&str]) -> Self {
        let flat = self.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        for word in words {
            assert!(flat.contains(word), "no {word:?} in\n{}", self.stdout);
        }
        self
    }

    #[track_caller]
    pub(crate) fn hides(self, words: &[&str]) -> Self {
        for word in words {
            assert!(!self.stdout.contains(word), "{word:?} in\n{}", self.stdout);
        }
        self
    }

    /// Parses stdout as JSON. If it contains findings, checks the rules that hold for all findings.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        let json: Value = serde_json::from_str(&self.stdout).unwrap();
        if json["clusters"].is_array() && json["points"].is_array() {
            one_law::assert_one_law(&json);
        }
        json
    }
}

/// Counts in the format of `export csv`: one row per workload.
#[derive(Debug)]
pub(crate) struct Table {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Parses CSV without quoted cells, which suffices here.
    fn parse(text: &str) -> Self {
        let mut lines = text.lines().map(|l| l.split(',').map(str::to_owned).collect::<Vec<_>>());
        Self { header: lines.next().unwrap(), rows: lines.collect() }
    }

    #[track_caller]
    pub(crate) fn column(&self, name: &str) -> Vec<u64> {
        let Some(index) = self.header.iter().position(|h| h == name) else {
            panic!("no column {name:?} among {:?}", self.header)
        };
        self.rows.iter().map(|row| row[index].parse().unwrap()).collect()
    }

    /// Returns the executions of a function's line: the counts of its most frequent block.
    #[track_caller]
    pub(crate) fn line(&self, line: &str) -> Vec<u64> {
        let is_block = |h: &&String| h.strip_prefix(line).is_some_and(|r| r.is_empty() || r.starts_with('#'));
        let columns: Vec<Vec<u64>> = self.header.iter().filter(is_block).map(|h| self.column(h)).collect();
        assert!(!columns.is_empty(), "no block of {line:?} among {:?}", self.header);
        (0..self.rows.len()).map(|row| columns.iter().map(|c| c[row]).max().unwrap()).collect()
    }

    /// Returns the values of a column paired with the executions of a line, sorted.
    #[track_caller]
    pub(crate) fn pairs(&self, column: &str, line: &str) -> Vec<(u64, u64)> {
        let mut pairs: Vec<_> = self.column(column).into_iter().zip(self.line(line)).collect();
        pairs.sort_unstable();
        pairs
    }
}

/// Returns the cluster whose representative is the location or feature with this name.
#[track_caller]
pub(crate) fn cluster<'f>(findings: &'f Value, name: &str) -> &'f Value {
    let clusters = findings["clusters"].as_array().unwrap();
    let is_named = |c: &&Value| c["representative"]["name"] == name;
    clusters.iter().find(is_named).unwrap_or_else(|| panic!("no cluster {name:?} in {clusters:#?}"))
}

/// Returns the row of a function.
#[track_caller]
pub(crate) fn function<'f>(findings: &'f Value, name: &str) -> &'f Value {
    findings["functions"].as_array().unwrap().iter().find(|f| f["name"] == name).unwrap()
}

/// Returns the exponent of a row's power law in its first feature.
#[track_caller]
pub(crate) fn exponent(row: &Value) -> f64 {
    row["models"][0]["power_law"]["b"].as_f64().unwrap()
}

/// Returns the line numbers of a cluster's members, sorted.
pub(crate) fn member_lines(cluster: &Value) -> Vec<u64> {
    let mut lines: Vec<u64> =
        cluster["members"].as_array().unwrap().iter().map(|m| m["line"].as_u64().unwrap()).collect();
    lines.sort_unstable();
    lines
}

#[track_caller]
pub(crate) fn assert_between(value: f64, low: f64, high: f64) {
    assert!((low..=high).contains(&value), "{value} is not between {low} and {high}");
}
