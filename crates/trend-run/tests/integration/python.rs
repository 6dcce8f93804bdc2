//! Runs Python programs, whose interpreter counts.

use std::path::Path;
use std::process::Command;

use trend_run::{CountSource, ExecuteOptions};

use crate::bench::{Bench, options};

const SORT: &str = "\
import sys
def sort(a):
    for i in range(len(a)):
        for j in range(len(a) - 1):
            if a[j] > a[j + 1]:
                a[j], a[j + 1] = a[j + 1], a[j]
sort(list(range(int(sys.argv[1]), 0, -1)))
";

const CONFIG: &str = "\
[program]
command = ['python3', 'sort.py', '{n}']
[workloads]
parameters = { n = [10, 20, 40] }
";

#[expect(clippy::print_stderr, reason = "the test's own report")]
fn is_there(python: &str) -> bool {
    let old = "import sys; sys.exit(sys.version_info < (3, 9))";
    let there = Command::new(python).args(["-c", old]).status().is_ok_and(|status| status.success());
    if !there {
        eprintln!("skipped: {python} is not installed, or older than 3.9");
    }
    there
}

fn counted() -> ExecuteOptions {
    ExecuteOptions { counters: CountSource::Python, ..options() }
}

fn bench(source: &str) -> Bench {
    let bench = Bench::with_loop();
    bench.write("sort.py", source);
    bench
}

#[test]
fn blocks_of_a_python_program_are_counted_by_line() {
    if !is_there("python3") {
        return;
    }
    let bench = bench(SORT);
    let config = bench.config(CONFIG);
    assert_eq!((CountSource::own(&config), config.program.name.as_str()), (CountSource::Python, "sort"));
    let summary = bench.run_with(CONFIG, &counted()).unwrap();
    assert_eq!((summary.finished, summary.failures.len()), (3, 0), "{summary:?}");
    let study = bench.loaded();
    let sizes = [10_u64, 20, 40];
    let expected = |count: fn(u64) -> u64| sizes.map(count).to_vec();
    assert_eq!(study.executions_of_line("sort.py:4").unwrap(), expected(|n| n));
    assert_eq!(study.executions_of_line("sort.py:5").unwrap(), expected(|n| n * (n - 1)));
    assert_eq!(study.executions_of_line("sort.py:6").unwrap(), expected(|n| n * (n - 1) / 2));
    assert!(study.functions().iter().any(|f| (f.symbol.name.as_str(), f.line) == ("sort", 2)));
    assert!(study.source("sort.py").unwrap().contains("def sort"));
    assert!(!bench.leftovers());
    // The counts of a changed module are of another program.
    bench.write("sort.py", &SORT.replace("len(a) - 1", "len(a)  - 1"));
    assert!(bench.run_with(CONFIG, &counted()).is_err());
}

#[test]
fn a_program_that_ignores_the_counters_says_how_to_heed_them() {
    if !is_there("python3") {
        return;
    }
    let bench = bench(SORT);
    let summary = bench.run_with(&CONFIG.replace("'sort.py'", "'-I', 'sort.py'"), &counted()).unwrap();
    let reason = format!("{:?}", summary.failures[0].outcome);
    assert!(reason.contains("PYTHONPATH") && reason.contains("-I"), "{reason}");
}

#[test]
fn counts_that_could_not_be_written_are_an_error() {
    if !is_there("python3") {
        return;
    }
    let limit = "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (16, 16))\n";
    let bench = bench(&format!("{limit}{SORT}"));
    let summary = bench.run_with(CONFIG, &counted()).unwrap();
    assert_eq!((summary.finished, summary.failures.len()), (0, 3));
    let reason = format!("{:?}", summary.failures[0].outcome);
    assert!(reason.contains("limits the size"), "{reason}");
}

/// Runs the tests in Python: processes, and random programs against the interpreter's line events.
#[test]
fn processes_and_random_programs_are_counted_exactly() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python");
    for python in ["python3", "python3.9", "python3.10", "python3.12", "python3.13"] {
        if !is_there(python) {
            continue;
        }
        let run = Command::new(python)
            .args(["-m", "unittest", "-q"])
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .current_dir(&folder)
            .output()
            .unwrap();
        assert!(run.status.success(), "{python}: {}", String::from_utf8_lossy(&run.stderr));
    }
}
