//! Snapshots of the messages for mistakes on the command line. Other tests check exit codes, names and numbers, so a
//! rewording changes only these snapshots: `cargo insta test --accept -p trend-prof -- sentences`.

use crate::bench::Bench;

/// Returns the command lines, each with what it writes to stderr when it is refused.
fn refused(bench: &Bench, command_lines: &[&str]) -> String {
    let answers = command_lines.iter().map(|line| {
        let ran = bench.run(shell_words::split(line).unwrap()).refuses(&[]);
        format!("$ trend-prof {line}\n{}", ran.stderr)
    });
    answers.collect::<Vec<_>>().join("\n")
}

/// Creates the studies `n.trend` and `bytes.trend` of executions, and `instructions.trend`.
fn with_studies() -> Bench {
    let bench = Bench::new();
    let sizes = [100, 200, 400, 800, 1600, 3200];
    for feature in ["n", "bytes"] {
        let rows: Vec<String> = sizes.iter().map(|n| format!("{n},{},{}\n", n * n / 2, 7 * n)).collect();
        bench
            .write(format!("{feature}.csv"), format!("{feature},a.c:3:square,a.c:9:line\n{}", rows.concat()));
        bench.run(["import", "csv", &format!("{feature}.csv"), "--features", feature]).succeeds();
    }
    for n in sizes {
        bench.write(format!("cg-{n}.out"), format!("events: Ir\nfl=a.c\nfn=f\n3 {n}\ntotals: {n}\n"));
    }
    let files: Vec<String> = sizes.iter().map(|n| format!("cg-{n}.out")).collect();
    let line = ["import", "callgrind", "--study", "instructions.trend", "--pattern", "cg-(?<n>[0-9]+)"];
    bench.run(line.into_iter().chain(files.iter().map(String::as_str))).succeeds();
    bench
}

#[test]
fn studies_rows_and_sizes_that_there_are_none_of() {
    let bench = with_studies();
    bench.write("text.trend", "hello\n");
    let command_lines = [
        "show",
        "show none.trend",
        "show text.trend",
        "show n.trend sqare",
        "show n.trend --feature m",
        "show n.trend --sort size",
        "show n.trend --at n=abc",
        "show n.trend --at n=-5",
        "show n.trend --at m=5",
        "show n.trend --by routine",
        "show n.trend --by memory",
        "show n.trend --by time",
        "predict n.trend",
        "predict n.trend bytes=1GB",
        "check --report sarf=x",
        "export pprof n.trend --at m=5",
        "export study n.trend",
    ];
    insta::assert_snapshot!(refused(&bench, &command_lines), @"
    $ trend-prof show
    error: there are 4 studies in this folder
     hint: name one of bytes.trend, instructions.trend, n.trend, text.trend

    $ trend-prof show none.trend
    error: failed to use the study: none.trend: no such study
     hint: make one with `trend-prof run`, or choose another

    $ trend-prof show text.trend
    error: failed to use the study: text.trend is not a trend-prof study (it does not begin like a study)
     hint: studies end in .trend and are made by `trend-prof run` or `trend-prof import`

    $ trend-prof show n.trend sqare
    error: no cluster, function, routine or line named `sqare`; nearest: square, line, a.c:9:line

    $ trend-prof show n.trend --feature m
    error: no feature named `m`; nearest: n

    $ trend-prof show n.trend --sort size
    error: invalid value 'size' for '--sort <WHAT>'
      [possible values: cost, predicted, exponent, share]

    For more information, try '--help'.

    $ trend-prof show n.trend --at n=abc
    error: failed to read the size: `abc` does not begin with a number

    $ trend-prof show n.trend --at n=-5
    error: failed to analyse the study: cannot predict at n = -5: sizes are positive numbers
     hint: write feature=size, for example bytes=128MB

    $ trend-prof show n.trend --at m=5
    error: failed to analyse the study: no feature named `m`; the study has n

    $ trend-prof show n.trend --by routine
    error: the study has no routines by input size; record them with `trend-prof build --probe routines`

    $ trend-prof show n.trend --by memory
    error: the study has no memory by line; record it with `trend-prof run --memory-by-line`

    $ trend-prof show n.trend --by time
    error: the study has no time samples; `trend-prof run` samples runs of at least 20 ms without counters, and warns if it cannot (scripts, or /proc/sys/kernel/perf_event_paranoid above 2)

    $ trend-prof predict n.trend
    error: no size to predict
     hint: write feature=size, for example bytes=128MB, or a limit: `--within 1h`

    $ trend-prof predict n.trend bytes=1GB
    error: failed to analyse the study: no feature named `bytes`; the study has n

    $ trend-prof check --report sarf=x
    error: invalid value 'sarf=x' for '--report <FORMAT=FILE>': `sarf` is not one of text, json, markdown, junit, sarif, github

    For more information, try '--help'.

    $ trend-prof export pprof n.trend --at m=5
    error: failed to analyse the study: no feature named `m`; the study has n

    $ trend-prof export study n.trend
    error: a study is exported only as a redacted copy
     hint: add --redact; docs/study.md says what a study holds, and what the copy leaves out
    ");
}

#[test]
fn studies_that_cannot_be_compared() {
    let bench = with_studies();
    let command_lines = [
        "diff n.trend none.trend",
        "diff n.trend bytes.trend",
        "diff n.trend n.trend --feature m",
        "diff instructions.trend n.trend",
    ];
    insta::assert_snapshot!(refused(&bench, &command_lines), @"
    $ trend-prof diff n.trend none.trend
    error: failed to use the study: none.trend: no such study
     hint: make one with `trend-prof run`, or choose another

    $ trend-prof diff n.trend bytes.trend
    warning: the studies are for different programs: n and bytes
    error: failed to compare the studies: the studies have no feature in common: before n, after bytes
     hint: run both with the same trend-prof.toml, so that they have the same features and kind of counts

    $ trend-prof diff n.trend n.trend --feature m
    error: failed to compare the studies: `m` is not a feature of both studies; choose one of n
     hint: run both with the same trend-prof.toml, so that they have the same features and kind of counts

    $ trend-prof diff instructions.trend n.trend
    warning: the studies are for different programs: instructions and n
    error: failed to compare the studies: the studies count different things: instructions before, executions after
     hint: run both with the same trend-prof.toml, so that they have the same features and kind of counts
    ");
}

#[test]
fn configurations_that_make_no_sense() {
    let bench = Bench::new();
    let texts = [
        "[program]\ncomand = 'x'",
        "[program]\ncommand = 'x'\n[featurs]",
        "[program]\ncommand = 7",
        "[program]\ncommand = 'x {m}'\n[workloads]\nparameters = { n = [1] }",
        "[program]\ncommand = 'x'\ntimeout = 'soon'",
        "[workloads]\nfiles = '*'",
        "[program]\ncommand = 'x'",
    ];
    let answers = texts.map(|text| {
        bench.configure(text);
        format!("{text}\n{}", refused(&bench, &["run"]))
    });
    insta::assert_snapshot!(answers.join("\n"), @r#"
    [program]
    comand = 'x'
    $ trend-prof run
    error: failed to read the configuration: trend-prof.toml:2: `comand = 'x'`: unknown field `comand`, expected one of `build`, `language`, `packages`, `crates`, `update`, `counters`, `probe`, `cell-size`, `cost`, `metric`, `contexts`, `command`, `name`, `stdin`, `env`, `cwd`, `timeout`, `stop-after`, `memory`, `timed`, `memory-by-line`, `time`, `repeat`, `jobs`, `exit-codes`
     hint: did you mean `command`?

    [program]
    command = 'x'
    [featurs]
    $ trend-prof run
    error: failed to read the configuration: trend-prof.toml:3: `[featurs]`: unknown field `featurs`, expected one of `program`, `workloads`, `features`, `fragments`, `expect`
     hint: did you mean `features`?

    [program]
    command = 7
    $ trend-prof run
    error: failed to read the configuration: trend-prof.toml:2: `command = 7`: expected a string or an array of strings

    [program]
    command = 'x {m}'
    [workloads]
    parameters = { n = [1] }
    $ trend-prof run
    error: failed to read the configuration: trend-prof.toml:2: `program.command`: unknown placeholder `{m}`
     hint: known here: {n}; write {{ and }} for braces

    [program]
    command = 'x'
    timeout = 'soon'
    $ trend-prof run
    error: failed to read the configuration: trend-prof.toml:3: `timeout = 'soon'`: `soon` does not begin with a number: write a number with a unit, such as "10m"

    [workloads]
    files = '*'
    $ trend-prof run
    error: failed to read the configuration: trend-prof.toml: `program.command` is missing
     hint: write `command = ["./program", "{input}"]` under [program]

    [program]
    command = 'x'
    $ trend-prof run
    error: `x` was not found, and nothing here tells how to build it
     hint: build it with `trend-prof build -- COMMAND`, then give the path of the program
    "#);
}

#[test]
fn files_that_cannot_be_imported() {
    let bench = with_studies();
    for (name, text) in [
        ("fraction.csv", "n,a.c:3\n5,1.5\n"),
        ("cells.csv", "n,a.c:3\n5,1\n1,20,7\n"),
        ("column.csv", "m,a.c:3\n5,1\n"),
        ("empty.csv", ""),
        ("cut.info", "SF:a.c\nDA:1,1\n"),
        ("ok.info", "SF:a.c\nDA:1,1\nend_of_record\n"),
    ] {
        bench.write(name, text);
    }
    for n in [10, 20] {
        let record = |test: &str, count: u32| format!("TN:{test}\nSF:a.c\nDA:4,{count}\nend_of_record\n");
        bench.write(format!("run-{n}.info"), [record("first", n), record("second", 2 * n)].concat());
    }
    let command_lines = [
        "import csv fraction.csv --features n",
        "import csv cells.csv --features n",
        "import csv column.csv --features n",
        "import csv empty.csv --features n",
        "import csv n.csv --features n",
        "import lcov cut.info",
        "import lcov n.csv",
        "import lcov none.info",
        "import lcov ok.info --pattern 'x-(?<n>.*)'",
        "import lcov ok.info --memory much",
        "import lcov run-10.info run-20.info --pattern 'run-(?<n>[0-9]+)'",
        "import lcvo ok.info",
        "import lcov",
    ];
    insta::assert_snapshot!(refused(&bench, &command_lines), @"
    $ trend-prof import csv fraction.csv --features n
    error: failed to read fraction.csv: line 2, column `a.c:3`: `1.5` is not a whole number; costs are whole numbers (0: not executed); name columns with other numbers as features

    $ trend-prof import csv cells.csv --features n
    error: failed to read cells.csv: line 3 has 3 cells, but the header has 2; quote cells that contain commas

    $ trend-prof import csv column.csv --features n
    error: failed to read column.csv: the table has no column `n` for the feature; its columns are `m`, `a.c:3`

    $ trend-prof import csv empty.csv --features n
    error: failed to read empty.csv: the file is empty; its first line must name the columns

    $ trend-prof import csv n.csv --features n
    error: failed to use the study: n.trend already exists
     hint: choose another with --study, or replace it with --fresh
     hint: `--study n.trend` adds to it

    $ trend-prof import lcov cut.info
    error: failed to read cut.info: the file is cut off: a.c lacks its end_of_record after line 2

    $ trend-prof import lcov n.csv
    error: failed to read n.csv: the file is not a valid lcov tracefile: `n,a.c:3:square,a.c:9:line` is not a known record
     hint: it looks like `import csv`

    $ trend-prof import lcov none.info
    error: failed to read none.info: No such file or directory (os error 2)

    $ trend-prof import lcov ok.info --pattern 'x-(?<n>.*)'
    error: --pattern does not match ok.info
     hint: it is searched anywhere in the path as given

    $ trend-prof import lcov ok.info --memory much
    error: invalid value 'much' for '--memory <SIZE>': `much` does not begin with a number

    For more information, try '--help'.

    $ trend-prof import lcov run-10.info run-20.info --pattern 'run-(?<n>[0-9]+)'
    error: run-20.info: workload `first` has n = 20, but 10 in an earlier file
     hint: runs of different sizes cannot be added up; name them with a group `workload` in --pattern

    $ trend-prof import lcvo ok.info
    error: lcvo is neither a format nor a file
     hint: the formats are lcov, gcov, gcovr, istanbul, clover, cobertura, llvm-cov, callgrind, go-cover, go-coverage, v8-coverage, aprof, probe, google-benchmark, hyperfine, criterion, gungraun, go-bench, extra-p, python-trace, parquet, csv, and `features` for numbers that describe workloads

    $ trend-prof import lcov
    error: no file to import
     hint: `trend-prof import lcov FILE…`
    ");
}
