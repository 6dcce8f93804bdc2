//! Programs that were not instrumented, run under valgrind.

use std::process::Command;

use trend_run::{Counters, ExecuteOptions, RunError};

use crate::bench::{Bench, LOOP, sweep};

#[expect(clippy::print_stderr, reason = "the test's own report")]
fn is_there() -> bool {
    let there = Command::new("valgrind").arg("--version").output().is_ok();
    if !there {
        eprintln!("skipped: valgrind is not installed");
    }
    there
}

/// A folder with the loop, compiled with debug information and without instrumentation.
fn plain() -> Bench {
    let bench = Bench::with_loop();
    std::fs::write(bench.folder.path().join("loop.c"), LOOP).unwrap();
    compile(&bench, &["-O0"]);
    bench
}

fn compile(bench: &Bench, flags: &[&str]) {
    let mut command = Command::new("gcc");
    command.args(["-g", "-w", "loop.c", "-o", "loop"]).args(flags).current_dir(bench.folder.path());
    assert!(command.status().unwrap().success());
}

fn options() -> ExecuteOptions {
    ExecuteOptions { counters: Counters::Callgrind, ..ExecuteOptions::default() }
}

#[test]
fn instructions_of_a_plain_program_are_counted_by_line() {
    if !is_there() {
        return;
    }
    let bench = plain();
    let summary = bench.run_with(&sweep("[100, 200, 400]", ""), &options()).unwrap();
    assert_eq!((summary.finished, summary.failures.len()), (3, 0), "{summary:?}");
    let study = bench.loaded();
    assert_eq!(study.unit().name(), "instructions");
    let cost = study.executions_of_line("loop.c:12").unwrap();
    let per_round = (cost[1] - cost[0]) / 100;
    assert_eq!(cost[2] - cost[1], 200 * per_round);
    assert!((1..=10).contains(&per_round), "{cost:?}");
    assert!(study.source("loop.c").unwrap().contains("LINE 12"));
    assert!(!bench.leftovers());
}

#[test]
fn processes_that_the_program_starts_are_added() {
    if !is_there() {
        return;
    }
    let cost = |how: &str| {
        let bench = plain();
        bench.run_with(&sweep("[1000]", how), &options()).unwrap();
        bench.loaded().executions_of_line("loop.c:12").unwrap()[0]
    };
    assert_eq!(cost("fork"), 4 * cost(""));
}

#[test]
fn counts_of_two_builds_or_of_two_kinds_are_not_mixed() {
    if !is_there() {
        return;
    }
    let bench = plain();
    bench.run_with(&sweep("[100]", ""), &options()).unwrap();
    let again = bench.run_with(&sweep("[100, 200]", ""), &options()).unwrap();
    assert_eq!((again.skipped, again.finished), (1, 1));
    let other = bench.run_with(&sweep("[100, 200]", ""), &ExecuteOptions::default()).unwrap_err();
    assert!(matches!(&other, RunError::OtherCounts { known, .. } if known == "instructions"), "{other}");
    compile(&bench, &["-O2"]);
    let rebuilt = bench.run_with(&sweep("[100, 200, 300]", ""), &options()).unwrap_err();
    assert!(matches!(rebuilt, RunError::Rebuilt { .. }), "{rebuilt}");
}
