//! Runs programs without instrumentation under valgrind.

use std::process::Command;
use trend_profile::WarningKind;

use trend_run::{CountSource, ExecuteOptions, RunError};

use crate::bench::{Bench, LOOP, options, sweep};

#[expect(clippy::print_stderr, reason = "the test's own report")]
fn is_there() -> bool {
    let there = Command::new("valgrind").arg("--version").output().is_ok();
    if !there {
        eprintln!("skipped: valgrind is not installed");
    }
    there
}

/// Creates a folder with the loop program, compiled with debug information and without instrumentation.
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

fn callgrind() -> ExecuteOptions {
    ExecuteOptions { counters: CountSource::Callgrind, ..options() }
}

#[test]
fn instructions_of_a_plain_program_are_counted_by_line() {
    if !is_there() {
        return;
    }
    let bench = plain();
    let summary = bench.run_with(&sweep("[100, 200, 400]", ""), &callgrind()).unwrap();
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
fn a_program_with_counters_of_its_own_is_warned_of_once() {
    if !is_there() {
        return;
    }
    let bench = Bench::with_loop();
    let kinds = |bench: &Bench, command: &str| {
        let text =
            format!("[program]\ncommand = [{command}]\n[workloads]\nparameters = {{ n = [100, 200] }}\n");
        let summary = bench.run_with(&text, &ExecuteOptions { fresh: true, ..callgrind() }).unwrap();
        assert_eq!(summary.finished, 2, "{summary:?}");
        summary.warnings.into_iter().map(|w| w.kind).collect::<Vec<_>>()
    };
    for command in ["'./loop', '{n}'", "'sh', '-c', './loop {n}'"] {
        let kinds = kinds(&bench, command);
        assert_eq!(
            kinds.iter().filter(|kind| **kind == WarningKind::CountedCounters).count(),
            1,
            "{kinds:?}"
        );
    }
    assert_eq!(kinds(&plain(), "'./loop', '{n}'"), []);
}

#[test]
fn processes_that_the_program_starts_are_added() {
    if !is_there() {
        return;
    }
    let cost = |how: &str| {
        let bench = plain();
        bench.run_with(&sweep("[1000]", how), &callgrind()).unwrap();
        bench.loaded().executions_of_line("loop.c:12").unwrap()[0]
    };
    assert_eq!(cost("fork"), 4 * cost(""));
}

#[test]
fn the_programs_variables_are_kept_besides_those_of_counting() {
    if !is_there() {
        return;
    }
    let bench = Bench::with_loop();
    let tells = "#include <stdlib.h>\n#include <string.h>\nint main(void) {\n    return strcmp(getenv(\"GLIBC_TUNABLES\"), \
                 \"glibc.malloc.check=0:glibc.cpu.hwcaps=-ERMS\") != 0;\n}\n";
    bench.write("loop.c", tells);
    compile(&bench, &["-O1"]);
    let variable = "[program.env]\nGLIBC_TUNABLES = \"glibc.malloc.check=0\"\n";
    let summary = bench.run_with(&format!("{}\n{variable}", sweep("[1]", "")), &callgrind()).unwrap();
    assert_eq!((summary.finished, summary.failures.len()), (1, 0), "{summary:?}");
}

#[test]
fn counts_of_two_builds_or_of_two_kinds_are_not_mixed() {
    if !is_there() {
        return;
    }
    let bench = plain();
    bench.run_with(&sweep("[100]", ""), &callgrind()).unwrap();
    let again = bench.run_with(&sweep("[100, 200]", ""), &callgrind()).unwrap();
    assert_eq!((again.skipped, again.finished), (1, 1));
    let other = bench.run_with(&sweep("[100, 200]", ""), &options()).unwrap_err();
    assert!(
        matches!(&other, RunError::OtherCounts { recorded, .. } if recorded == "instructions"),
        "{other}"
    );
    compile(&bench, &["-O2"]);
    let rebuilt = bench.run_with(&sweep("[100, 200, 300]", ""), &callgrind()).unwrap_err();
    assert!(matches!(rebuilt, RunError::Rebuilt { .. }), "{rebuilt}");
}

/// A loop whose work is done by libc. With a second argument, the program deletes itself.
const DRAIN: &str = r"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void drain(char *queue, long n) {
    while (n > 0)
        memmove(queue, queue + 1, --n); /* LINE 8 */
}

int main(int argc, char **argv) {
    long n = atol(argv[1]);
    char *queue = calloc(n, 1);
    drain(queue, n);
    free(queue);
    return argc > 2 ? unlink(argv[0]) : 0;
}
";

const TWO: &str = "[10000, 20000]";

/// Runs the loop of copies. Returns the kinds of the warnings, and the costs of locations in all runs. Locations are
/// given by label, or by function and line if they have none.
fn drained(flags: &[&str], sizes: &str, what: &str) -> (Vec<String>, Vec<(String, Vec<u64>)>) {
    let bench = Bench::with_loop();
    bench.write("loop.c", DRAIN);
    // gcc inlines `drain`, because it is static and called once.
    compile(&bench, &[&["-O1"], flags].concat());
    let summary = bench.run_with(&sweep(sizes, what), &callgrind()).unwrap();
    assert!(summary.finished > 0 && summary.failures.is_empty(), "{summary:?}");
    let study = bench.loaded();
    let named = study.blocks().map(|id| {
        let location = study.location(id);
        let function = &study.function(location.function).symbol.name;
        let name = match location.label.as_ref() {
            "" => format!("{function} {}", location.line),
            label => label.to_owned(),
        };
        (name, study.counts().row(id).to_vec())
    });
    let named = named.collect();
    (summary.warnings.into_iter().map(|w| w.kind.to_string()).collect(), named)
}

/// Returns the costs of the copies in all runs, at the location whose name has this prefix.
fn copies(named: &[(String, Vec<u64>)], start: &str) -> Vec<u64> {
    let copies: Vec<_> =
        named.iter().filter(|(name, _)| name.starts_with(start) && name.contains("mem")).collect();
    let [(_, cost)] = copies.as_slice() else { panic!("{start}: {copies:?} in {named:?}") };
    assert!(cost[0] > 100_000, "{named:?}");
    cost.clone()
}

/// Doubling the size must quadruple the cost approximately; each copy has a fixed cost as well.
fn assert_quadratic(costs: &[u64]) {
    let ratio = costs[1] as f64 / costs[0] as f64;
    assert!((3.3..4.1).contains(&ratio), "{costs:?}");
}

#[test]
fn copies_of_libc_are_charged_to_the_line_that_asks_for_them() {
    if !is_there() {
        return;
    }
    let (warnings, named) = drained(&[], TWO, "");
    assert_eq!(warnings, [""; 0]);
    assert_quadratic(&copies(&named, "loop.c:8 → "));
    assert!(!named.iter().any(|(name, cost)| name.starts_with("__mem") && cost[1] > 10_000), "{named:?}");
}

#[test]
fn without_debug_information_or_the_program_itself_runs_go_on() {
    if !is_there() {
        return;
    }
    for flags in [&["-g0"][..], &["-s"]] {
        let (warnings, named) = drained(flags, TWO, "");
        assert_eq!(warnings, ["no_lines"], "{flags:?}");
        // The functions of a stripped program have addresses as names.
        let start = if flags == ["-s"] { "0x" } else { "main → " };
        assert_quadratic(&copies(&named, start));
    }
    // valgrind saw the lines, but inlining is unknown, so `drain` is a part of `main`.
    let (warnings, named) = drained(&[], "[10000]", "deletes-itself");
    assert_eq!(warnings, ["unknown_inlining"]);
    copies(&named, "loop.c:8 → ");
}
