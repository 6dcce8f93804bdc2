//! Runs the commands of docs/imports.md that lead from other tools' counts to a finding.

use std::fs;
use std::process::Command;

use crate::bench::{Bench, is_installed, repository, skipped};

const SIZES: [u32; 7] = [50, 100, 200, 400, 800, 1600, 3200];

/// Returns the commands in a section of docs/imports.md: the indented lines from the loop on.
fn commands(section: &str) -> String {
    let text = fs::read_to_string(repository().join("docs/imports.md")).unwrap();
    let section = text.split("\n## ").find(|s| s.starts_with(section)).unwrap();
    let lines: Vec<&str> = section
        .lines()
        .map(|line| line.strip_prefix("    ").unwrap_or(line))
        .skip_while(|line| !line.starts_with("for n in"))
        .take_while(|line| !line.is_empty())
        .collect();
    assert!(!lines.is_empty(), "{section}");
    lines.join("\n")
}

/// Runs commands with the folder's `bin` first in `PATH`, and returns their output.
fn run(bench: &Bench, commands: &str) -> String {
    let script =
        format!("set -e\nPATH=$PWD/bin:$PATH\n{}\n", commands.replace("trend-prof", "\"$TREND_PROF\""));
    let mut command = Command::new("sh");
    command
        .args(["-c", &script])
        .current_dir(bench.folder())
        .env("TREND_PROF", env!("CARGO_BIN_EXE_trend-prof"));
    let output = command.output().unwrap();
    assert!(output.status.success(), "{script}\n{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Reads a file of trend-collect's test data.
fn sample(name: &str) -> Vec<u8> {
    fs::read(repository().join("crates/trend-collect/tests/data").join(name)).unwrap()
}

#[test]
fn a_python_script_by_its_own_trace() {
    if !is_installed("python3") {
        return skipped("the way of Python's trace", "python3 is not installed");
    }
    let bench = Bench::new();
    bench.write("dedup.py", python_script());
    let shown = run(&bench, &commands("A Python script"));
    assert!(shown.contains("dedup.py:5 in insort costs most"), "{shown}");
    assert!(shown.contains("it grows as n^2"), "{shown}");
}

/// Returns the script in the section about Python, which contains empty lines.
fn python_script() -> String {
    let text = fs::read_to_string(repository().join("docs/imports.md")).unwrap();
    let (_, text) = text.split_once("    import sys\n").unwrap();
    let (text, _) = text.split_once("\nthe `while`").unwrap();
    let lines: Vec<&str> = text.lines().map(|line| line.strip_prefix("    ").unwrap_or(line)).collect();
    format!("import sys\n{}\n", lines.join("\n"))
}

#[test]
fn a_python_script_by_coverage_py_is_warned_of() {
    let bench = Bench::new();
    for n in [10, 20] {
        bench.write(format!("n-{n}.info"), sample("coverage-py.info"));
    }
    let line =
        ["import", "lcov", "n-10.info", "n-20.info", "--pattern", r"n-(?<n>\d+)", "--study", "s.trend"];
    bench.run(line).succeeds().says(&["records only whether a line ran", "2 workloads"]);
}

#[test]
fn a_javascript_program_by_c8() {
    let bench = Bench::new();
    bench.write("dedup.js", sample("dedup.js"));
    // Replays the recorded output of c8 for these commands, because c8 may not be installed.
    bench.write("bin/npx", "#!/bin/sh\nwhile [ \"$1\" != node ]; do case $1 in --reports-dir=*) to=${1#*=} ;; esac; shift; done\n\
                 mkdir -p \"$to\" && cp \"samples/n-$3.info\" \"$to/lcov.info\"\n");
    bench.shell("chmod +x bin/npx");
    for n in SIZES {
        bench.write(format!("samples/n-{n}.info"), sample(&format!("c8/n-{n}.info")));
    }
    let script = commands("JavaScript");
    assert!(script.contains("npx c8 --reporter=lcovonly"), "{script}");
    let shown = run(&bench, &script);
    assert!(shown.contains("dedup.js:13 in has costs most"), "{shown}");
    assert!(shown.contains("it grows as n^2 (n^2 − n)"), "{shown}");
}

#[test]
fn a_go_test_by_its_cover_profiles() {
    let bench = Bench::new();
    bench.write("dedup.go", sample("dedup.go"));
    for n in SIZES {
        bench.write(format!("samples/n-{n}.out"), sample(&format!("go/n-{n}.out")));
    }
    // Replays the recorded output of `go test` for these commands, because Go may not be installed.
    bench.write("bin/go", "#!/bin/sh\ncp \"samples/n-$N.out\" .\n");
    bench.shell("chmod +x bin/go");
    let script = commands("Go");
    assert!(script.contains("go test -count=1 -covermode=count -coverprofile=n-$n.out"), "{script}");
    let shown = run(&bench, &script);
    assert!(shown.contains("dedup.go:15.29 costs most"), "{shown}");
    assert!(shown.contains("grows as n^2 (0.5·n^2 − 0.5·n)"), "{shown}");
}
