//! A test bench: a folder with a program, a configuration and a study.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use trend_profile::{Access, NewStudy, Outcome, RunState, Study, StudyFile};
use trend_run::{Config, Event, ExecuteOptions, Observer, Plan, RunError, Summary, execute, plan};

#[path = "../../../trend-analyze/tests/properties/mod.rs"]
mod properties;

/// A program that runs a loop as many times as its first argument says. The second argument selects further behaviour.
pub(crate) const LOOP: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/wait.h>

static volatile long sink;

static void work(long n) {
    for (long i = 0; i < n; i++)
        sink += i; /* LINE 12 */
}

int main(int argc, char **argv) {
    long n = atol(argv[1]);
    const char *how = argc > 2 ? argv[2] : "";
    if (!strcmp(how, "fork")) {
        for (int child = 0; child < 3; child++)
            if (fork() == 0) { work(n); exit(0); }
        while (wait(NULL) > 0) {}
    }
    work(n);
    printf("nodes=1\nnodes=%ld\n", 2 * n);
    if (!strcmp(how, "fail")) { fprintf(stderr, "it went wrong\n"); return 3; }
    if (!strcmp(how, "abort")) abort();
    if (!strcmp(how, "_exit")) _exit(0);
    if (!strcmp(how, "quick_exit")) quick_exit(0);
    if (!strcmp(how, "hang")) {
        if (fork() == 0) { setsid(); sleep(100); }
        sleep(100);
    }
    if (!strcmp(how, "memory")) {
        char *more = malloc(1L << 30);
        if (!more) { fprintf(stderr, "out of memory\n"); return 1; }
        memset(more, 1, 1L << 30);
    }
    if (!strcmp(how, "elsewhere")) setenv("GCOV_PREFIX", "/proc/nowhere", 1);
    return 0;
}
"#;

/// The line of [`LOOP`] that is executed once per iteration.
pub(crate) const LOOP_LINE: &str = "loop.c:12";

pub(crate) struct Bench {
    pub(crate) folder: tempfile::TempDir,
}

/// An observer that records the started and the planned runs.
#[derive(Default)]
pub(crate) struct Seen {
    pub(crate) started: Mutex<Vec<String>>,
    pub(crate) planned: Mutex<Option<(usize, usize)>>,
}

impl Observer for Seen {
    fn event(&self, event: &Event<'_>) {
        match event {
            Event::Started { workload, .. } => self.started.lock().unwrap().push((*workload).to_owned()),
            Event::Planned { total, done, .. } => *self.planned.lock().unwrap() = Some((*total, *done)),
            _ => {}
        }
    }
}

/// Returns the path of the example that acts as compiler and supervisor. cargo builds examples before it runs tests.
pub(crate) fn shim_binary() -> PathBuf {
    let tests = std::env::current_exe().unwrap();
    tests.ancestors().nth(2).unwrap().join("examples/shim")
}

/// Returns default options.
pub(crate) fn options() -> ExecuteOptions {
    ExecuteOptions { supervisor: shim_binary(), ..ExecuteOptions::default() }
}

impl Drop for Bench {
    /// Checks that no summary of a study left by the test says more than its rows.
    fn drop(&mut self) {
        if !std::thread::panicking() {
            properties::studies::check(self.folder.path());
        }
    }
}

impl Bench {
    /// Creates a folder with `loop.c`, compiled as `loop`.
    pub(crate) fn with_loop() -> Self {
        let bench = Self { folder: tempfile::tempdir().unwrap() };
        bench.compile("loop", LOOP);
        bench
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: impl AsRef<Path>, text: &str) {
        fs::write(self.folder.path().join(name), text).unwrap();
    }

    pub(crate) fn compile(&self, name: &str, source: &str) {
        let file = format!("{name}.c");
        self.write(&file, source);
        let gcc = Command::new("gcc")
            .args(["-O1", "-g", "--coverage", "-fprofile-update=atomic", "-o", name, &file])
            .current_dir(self.folder.path())
            .status();
        assert!(gcc.unwrap().success());
    }

    pub(crate) fn config(&self, text: &str) -> Config {
        Config::parse(text, &self.path("trend-prof.toml")).unwrap()
    }

    pub(crate) fn plan(&self, text: &str) -> Plan {
        plan(&self.config(text)).unwrap()
    }

    pub(crate) fn study(&self) -> StudyFile {
        let path = self.path("s.trend");
        if path.exists() {
            return StudyFile::open(&path, Access::Write).unwrap();
        }
        let root = self.folder.path().canonicalize().unwrap().to_string_lossy().into_owned();
        StudyFile::create(&path, &NewStudy::new("loop", root)).unwrap()
    }

    pub(crate) fn run_with(&self, text: &str, options: &ExecuteOptions) -> Result<Summary, RunError> {
        execute(&self.plan(text), &mut self.study(), options, &(), &AtomicBool::new(false))
    }

    pub(crate) fn run(&self, text: &str) -> Summary {
        self.run_with(text, &options()).unwrap()
    }

    pub(crate) fn loaded(&self) -> Study {
        self.study().load().unwrap()
    }

    /// Runs the configuration, and returns the outcome of its only run.
    pub(crate) fn outcome_of(&self, text: &str) -> (Outcome, RunState, Summary) {
        let summary = self.run(text);
        let state = self.study().run_states().remove(0);
        (state.outcome.clone(), state, summary)
    }

    pub(crate) fn leftovers(&self) -> bool {
        self.path("s.trend.run").exists()
    }
}

/// Returns a configuration that sweeps `loop` over `n`, with more arguments.
pub(crate) fn sweep(n: &str, arguments: &str) -> String {
    format!("[program]\ncommand = './loop {{n}} {arguments}'\n[workloads]\nparameters = {{ n = {n} }}\n")
}
