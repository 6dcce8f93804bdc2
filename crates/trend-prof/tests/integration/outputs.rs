//! Output on stdout: formats, predictions, imported tables, and the help.

use std::fmt::Write as _;
use std::fs;
use std::io::Read;
use std::process::Stdio;

use serde_json::Value;

use crate::bench::{Bench, Ran, assert_between, cluster, exponent, function, repository};

/// Imports a synthetic study: a loop in n, a nested loop, and a constant.
fn imported() -> Bench {
    let bench = Bench::new();
    let mut table = String::from("workload,n,bytes,main.c:3:main,work.c:7:square,work.c:9:line\n");
    for (k, n) in [10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000u64].iter().enumerate()
    {
        writeln!(table, "w{k},{n},{},1,{},{}", 40 * n + 8, n * n / 2, 9 * n + 4).unwrap();
    }
    bench.write("table.csv", table);
    bench.run(["import", "csv", "table.csv", "--features", "n,bytes"]).succeeds().says(&["12 workloads"]);
    bench
}

#[test]
fn an_imported_table_is_a_study_like_any_other() {
    let bench = imported();
    let findings = bench.findings(&[]);
    assert_eq!(findings["schema"], "trend-prof/findings/2");
    assert_eq!(findings["workloads"]["count"], 12);
    assert_between(exponent(cluster(&findings, "work.c:7:square")), 1.999, 2.001);
    assert_between(exponent(cluster(&findings, "n")), 0.98, 1.0);
    assert_between(exponent(function(&findings, "square")), 1.999, 2.001);
    // `bytes` is linear in `n`, so it has no separate cluster.
    assert_eq!(findings["clusters"].as_array().unwrap().len(), 2);
    // An existing study is not replaced by accident.
    let again = ["import", "csv", "table.csv", "--features", "n,bytes"];
    bench.run(again).refuses(&["table.trend"]).hints(&["--fresh"]);
    bench.run(again.iter().chain(&["--fresh"])).succeeds();
}

#[test]
fn a_function_or_a_line_is_shown_by_its_name() {
    let bench = imported();
    bench.run(["show", "square"]).succeeds().shows(&["square", "n^2", "Lines", "work.c:7"]);
    bench.run(["show", "table.trend", "work.c:line"]).succeeds().shows(&["line", "work.c:9"]);
    bench.run(["show", "main.c:3"]).succeeds().shows(&["main.c:3", "Up to 1, "]);
    // An existing source file is not taken for a study.
    bench.write("work.c", "int main;");
    bench.run(["show", "work.c"]).refuses(&["no cluster", "`work.c`"]);
    bench.run(["show", "sqare"]).refuses(&["sqare", "nearest: square"]);
}

#[test]
fn what_is_exported_can_be_imported_again() {
    let bench = imported();
    bench.run(["export", "csv", "-o", "again.csv"]).succeeds();
    bench.run(["import", "csv", "again.csv", "--features", "n,bytes"]).succeeds();
    let findings = |study: &str| {
        let mut findings = bench.findings(&[study]);
        findings["program"] = Value::Null;
        findings
    };
    assert_eq!(findings("again.trend"), findings("table.trend"));
    let exported = bench.run(["export", "csv", "table.trend"]).succeeds().stdout;
    assert_eq!(exported, bench.read("again.csv"));
}

#[test]
fn features_are_added_without_running_again() {
    let bench = Bench::with_sizes("[100, 200, 400, 800]");
    bench.run(["run"]).succeeds();
    bench.write("more.csv", "workload,depth\nn=100,7\nn=200,8\nn=400,9\nn=800,10\n");
    bench.run(["import", "features", "more.csv"]).succeeds();
    let features = bench.findings(&[])["features"].clone();
    let names: Vec<&str> = features.as_array().unwrap().iter().map(|f| f["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["n", "depth"]);
    assert_eq!(features[1]["max"], 10.0);

    bench.write("wrong.csv", "workload,depth\nn=5,7\n");
    bench
        .run(["import", "features", "wrong.csv"])
        .refuses(&["wrong.csv", "none of its workloads"])
        .hints(&["n=100"]);
}

#[test]
fn a_prediction_is_the_power_law_at_that_size() {
    let bench = imported();
    bench.run(["predict", "n=1e6"]).succeeds().shows(&[
        "at n = 1,000,000",
        "20 times the largest",
        "work.c:7",
        "500 G",
    ]);
    bench.run(["predict", "bytes=4MB", "--format", "json"]).succeeds().shows(&["\"at\": 4000000"]);
    let findings = bench.findings(&["--at", "n=1M"]);
    let predictions = &cluster(&findings, "work.c:7:square")["models"][0]["predictions"];
    let there = predictions.as_array().unwrap().iter().find(|p| p["at"] == 1e6).unwrap();
    assert_between(there["cost"].as_f64().unwrap(), 4.99e11, 5.01e11);
    let interval: Vec<f64> = there["ci"].as_array().unwrap().iter().map(|c| c.as_f64().unwrap()).collect();
    assert!(interval[0] <= 5e11 && 5e11 <= interval[1] * 1.001, "{interval:?}");
}

#[test]
fn tables_have_the_rows_the_order_and_the_format_that_are_asked_for() {
    let bench = imported();
    bench.run(["show"]).succeeds().shows(&["square", "line", "whole program"]);
    bench.run(["show", "--by", "cluster"]).succeeds().shows(&["Clusters by maximum cost", "work.c:7"]);
    bench.run(["show", "--by", "line", "--top", "1"]).succeeds().shows(&["work.c:7", "2 more lines"]);
    bench.run(["show", "--by", "block", "--sort", "exponent"]).succeeds().shows(&["work.c:7"]);
    bench
        .run(["show", "--feature", "bytes", "--at", "bytes=1GB"])
        .succeeds()
        .shows(&["predictions for bytes = 1 G"]);
    bench.run(["show", "work.c:7"]).succeeds().shows(&["n^2.00", "Cost over n"]);
    let csv = bench.run(["show", "--format", "csv"]).succeeds().stdout;
    assert!(csv.lines().count() >= 3 && csv.lines().all(|l| l.contains(',')), "{csv}");
    let markdown = bench.run(["show", "--format", "markdown"]).succeeds().stdout;
    assert!(markdown.lines().any(|l| l.starts_with("| square |")), "{markdown}");
    let json = bench.run(["export", "json"]).succeeds().stdout;
    assert_eq!(json, bench.run(["show", "--format", "json"]).succeeds().stdout);
    bench.run(["export", "markdown"]).succeeds().shows(&["work.c:7"]);
}

#[test]
fn the_page_goes_where_it_is_told() {
    let bench = imported();
    bench.run(["report"]).succeeds();
    let page = bench.read("table.html");
    assert_eq!(bench.run(["report", "-o", "-"]).succeeds().stdout, page);
    let (without_scripts, _) = page.split_once("<script").unwrap();
    assert!(without_scripts.contains("work.c:7"));
    // The page loads no other resources.
    for source in ["src=\"http", "href=\"http", "@import", "url(http"] {
        assert!(!page.contains(source), "{source}");
    }
}

#[test]
fn colours_are_for_terminals_or_on_demand() {
    let bench = imported();
    assert!(!bench.run(["show"]).succeeds().stdout.contains('\x1b'));
    assert!(bench.run(["show", "--color", "always"]).succeeds().stdout.contains('\x1b'));
    assert!(!bench.run(["show", "--color", "never"]).succeeds().stdout.contains('\x1b'));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let bench = imported();
    let mut child =
        bench.command(["export", "json"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn findings_may_be_read_in_part_and_must_not_be_lost() {
    let bench = Bench::new();
    let mut table = "workload,n".to_owned();
    (0..400).for_each(|line| write!(table, ",main.c:{line}:f{line}").unwrap());
    for n in [10, 20, 50, 100, 200, 500] {
        write!(table, "\nw{n},{n}").unwrap();
        (0..400).for_each(|line| write!(table, ",{}", n * (line + 1)).unwrap());
    }
    bench.write("table.csv", table + "\n");
    bench.run(["import", "csv", "table.csv", "--features", "n"]).succeeds();
    let show = || {
        let mut command = bench.command(["show", "--format", "json"]);
        command.stderr(Stdio::piped());
        command
    };
    // The output exceeds the capacity of a pipe, so part of it is unwritten when the reader closes.
    assert!(show().output().unwrap().stdout.len() > 1 << 17);
    let mut child = show().stdout(Stdio::piped()).spawn().unwrap();
    let mut start = [0; 100];
    child.stdout.take().unwrap().read_exact(&mut start).unwrap();
    let ran = Ran::from(child.wait_with_output().unwrap()).succeeds();
    assert_eq!((start[0], ran.stderr.contains("error")), (b'{', false), "{}", ran.stderr);
    let mut child = show().stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    Ran::from(child.wait_with_output().unwrap()).succeeds();
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let ran = Ran::from(show().stdout(full).output().unwrap());
    ran.refuses(&["failed to write the result", "No space left on device"]);
}

#[test]
fn a_quiet_run_says_nothing_and_progress_is_for_terminals() {
    let bench = Bench::with_sizes("[100, 200]");
    let quiet = bench.run(["-q", "run"]).succeeds();
    assert_eq!((quiet.stdout.as_str(), quiet.stderr.as_str()), ("", ""));
    let loud = bench.run(["run", "--fresh"]).succeeds();
    assert!(!loud.stderr.contains('\r') && !loud.stderr.contains('\x1b'), "{:?}", loud.stderr);
    assert_eq!(loud.stdout, "");
}

#[test]
fn init_writes_a_configuration_that_run_understands() {
    let bench = Bench::with_loop();
    bench.run(["init"]).succeeds().says(&["trend-prof.toml"]);
    // The command is either detected or left to be filled in. The file is valid in both cases.
    let ran = bench.run(["run"]);
    assert!(!ran.stderr.contains("failed to read the configuration"), "{}", ran.stderr);
    bench.run(["init"]).refuses(&["trend-prof.toml"]).hints(&["--force"]);
    bench.run(["init", "--force"]).succeeds();
}

#[test]
fn init_with_a_command_that_reads_its_standard_input_is_ready_to_run() {
    let bench = Bench::new();
    let main = "#include <stdio.h>\nint main(int c, char **v) {\n    long sum = 0;\n    while (getchar() != EOF)\n        \
                sum++;\n    return sum < 0;\n}\n";
    bench.write("count.c", main);
    for bytes in [10, 200, 3000] {
        bench.write(format!("inputs/{bytes}"), "x".repeat(bytes));
    }
    bench.run(["init", "--", "./count"]).succeeds().says(&["standard input", "next: `trend-prof run`"]);
    bench.run(["run"]).succeeds().says(&["3 runs recorded"]);
    let counts = bench.counts(&[]);
    assert_eq!(counts.pairs("bytes", "count.c:5:main"), [(10, 10), (200, 200), (3000, 3000)]);
}

/// Compares a text with docs/commands.md. If `UPDATE_GOLDEN` is set, writes the file first.
#[track_caller]
fn is_golden(text: &str) {
    let path = repository().join("docs/commands.md");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, text).unwrap();
    }
    let golden = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(text, golden, "UPDATE_GOLDEN=1 writes {} anew", path.display());
}

#[test]
fn what_is_measured_is_named_in_any_order() {
    let bench = Bench::new();
    let build = |probe| bench.run(["build", "--probe", probe, "--", "true"]);
    for probe in ["loops,routines", "routines,loops", "blocks,loops,routines"] {
        build(probe).fails(&["nothing was instrumented"]);
    }
    build("loops,words").refuses(&["`words` cannot be measured"]);
}

#[test]
fn completions_and_man_pages_know_every_command() {
    let bench = Bench::new();
    let help = bench.run(["--help"]).succeeds().stdout;
    for shell in ["bash", "zsh", "fish"] {
        let completions = bench.run(["generate", shell]).succeeds().stdout;
        for command in commands(&help) {
            assert!(completions.contains(command), "{shell} does not complete {command}");
        }
    }
    bench.run(["generate", "man", "-o", "man/man1"]).succeeds();
    for command in commands(&help) {
        let page = fs::read_to_string(bench.path(format!("man/man1/trend-prof-{command}.1"))).unwrap();
        assert!(page.contains(".TH"), "{page}");
    }
    bench.write("file", "");
    bench.run(["generate", "man", "-o", "file/man"]).refuses(&["failed to write man pages to file/man"]);
}

#[test]
fn the_page_of_commands_has_the_help_of_each() {
    let bench = Bench::new();
    let help = bench.run(["--help"]).succeeds().stdout;
    let mut text = COMMANDS_INTRODUCTION.to_owned();
    let mut section = |name: &str, help: &str| {
        writeln!(text, "\n## {name}\n").unwrap();
        for line in help.trim_end().lines() {
            writeln!(text, "{}", format!("    {line}").trim_end()).unwrap();
        }
    };
    section("trend-prof", &help);
    let commands = commands(&help);
    assert!(commands.len() > 10, "{commands:?}");
    for command in commands {
        section(command, &bench.run([command, "--help"]).succeeds().stdout);
    }
    is_golden(&text);
}

const COMMANDS_INTRODUCTION: &str = "\
# Commands

This page has the output of `trend-prof --help`, and of `--help` of each command. `cargo trend-prof` has the same
commands.
";

/// Returns the names of the commands in the help of the program.
fn commands(help: &str) -> Vec<&str> {
    let (_, list) = help.split_once("\nCommands:\n").unwrap();
    let (list, _) = list.split_once("\n\n").unwrap();
    // A long description goes on in further lines, which are indented more.
    let names = list.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    names.filter(|name| !name.is_empty() && *name != "help").collect()
}
