//! Imports of files that are hostile, or come from two runs or builds: trend-prof reports it and mixes no counts.

use std::io::Write as _;

use crate::bench::Bench;

fn packed(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn a_bomb_is_refused_with_its_limit_and_with_what_helps() {
    let bench = Bench::new();
    let lines = "DA:1,1\n".repeat(24 << 20);
    bench.write("a b.info", packed(format!("SF:a.c\n{lines}end_of_record\n").as_bytes()));
    bench
        .run(["import", "lcov", "a b.info", "--study", "s.trend"])
        .refuses(&[
            "failed to read a b.info: the file unpacks to more than",
            "the limit for compressed files of this size",
        ])
        .hints(&["unpack it first with `gunzip 'a b.info'`"]);
    assert!(!bench.path("s.trend").exists());
}

#[test]
fn memory_for_an_import_can_be_chosen() {
    let bench = Bench::new();
    let lines: Vec<String> = (1..40_000).map(|line| format!("DA:{line},{line}\n")).collect();
    bench.write("a.info", format!("SF:a.c\n{}end_of_record\n", lines.concat()));
    bench
        .run(["import", "lcov", "a.info", "--memory", "2MiB", "--study", "s.trend"])
        .refuses(&["a.info: the file takes more than 2 MiB of memory"])
        .hints(&["--memory 8GB"]);
    bench.run(["import", "lcov", "a.info", "--memory", "64MiB", "--study", "s.trend"]).succeeds();
    bench.run(["import", "lcov", "a.info", "--memory", "much"]).refuses(&["--memory", "`much`"]);
}

#[test]
fn runs_of_different_sizes_are_not_added_up() {
    let bench = Bench::new();
    for n in [10, 20] {
        let record = |test: &str, count: u32| format!("TN:{test}\nSF:a.c\nDA:4,{count}\nend_of_record\n");
        bench.write(format!("run-{n}.info"), [record("first", n), record("second", 2 * n)].concat());
    }
    let import =
        ["import", "lcov", "run-10.info", "run-20.info", "--pattern", r"run-(?<n>\d+)", "--study", "s.trend"];
    bench.run(import).refuses(&["run-20.info: workload `first` has n = 20, but 10 "]);
}

#[test]
fn columns_of_two_tables_are_the_same_places_in_any_order() {
    let bench = Bench::new();
    bench.write("a.csv", "workload,n,f,g\nx,1,10,100\ny,2,20,200\n");
    bench.write("b.csv", "workload,g,n,f\nz,300,3,30\n");
    let import = ["import", "csv", "a.csv", "--features", "n", "--study", "s.trend"];
    bench.run(import).succeeds().says(&["2 workloads, 1 feature, 2 locations"]);
    let import = ["import", "csv", "b.csv", "--features", "n", "--study", "s.trend"];
    bench.run(import).succeeds().says(&["1 workload, 1 feature, 2 locations"]);
    let counts = bench.run(["export", "csv", "s.trend"]).succeeds().stdout;
    assert_eq!(counts, "workload,n,f,g\nx,1,10,100\ny,2,20,200\nz,3,30,300\n");
}

#[test]
fn counts_of_another_build_are_told_of_or_refused() {
    let export = |line: u32, count: u32| {
        format!(
            "{{\"data\":[{{\"functions\":[{{\"name\":\"f\",\"count\":1,\"filenames\":[\"a.c\"],\"regions\":\
             [[3,1,9,2,1,0,0,0],[{line},1,{line},9,{count},0,0,0]]}}]}}],\"type\":\"llvm.coverage.json.export\"}}"
        )
    };
    let bench = Bench::new();
    bench.write("a.json", export(5, 10));
    bench.write("b.json", export(6, 20));
    let both = ["import", "llvm-cov", "a.json", "b.json", "--study", "both.trend"];
    bench.run(both).succeeds().says(&["b.json: 1 of its blocks are on other lines"]).says(&["3 locations"]);
    bench.run(["import", "llvm-cov", "a.json", "--study", "s.trend"]).succeeds();
    bench
        .run(["import", "llvm-cov", "b.json", "--study", "s.trend"])
        .refuses(&["another build, where blocks of f are on other lines"])
        .hints(&["--fresh"]);
}

#[test]
fn commands_that_are_proposed_can_be_copied() {
    let bench = Bench::new();
    bench.write("-it's $(x).csv", "workload,n,f\nx,1,10\ny,2,20\n");
    let import = ["import", "csv", "--features", "n", "--", "-it's $(x).csv"];
    let messages = bench.run(import).succeeds().stderr;
    let line =
        messages.lines().find_map(|l| l.strip_prefix("next: `trend-prof ")?.strip_suffix('`')).unwrap();
    let words = shell_words::split(line).unwrap();
    assert_eq!(words, ["show", "./-it's $(x).trend"]);
    bench.run(words).succeeds();
    let again = bench.run(import).refuses(&["exists"]).stderr;
    assert!(again.contains(r"`--study './-it'\''s $(x).trend'` adds to it"), "{again}");
}

#[test]
fn names_that_are_too_long_are_told_so() {
    let bench = Bench::new();
    let long = format!("{}.trend", "a".repeat(300));
    let refused = bench
        .run(["run", "--study", &long, "--param", "n=1..3x3", "--", "true", "{n}"])
        .refuses(&["too long"]);
    assert!(!refused.stderr.contains("choose a writable folder"), "{}", refused.stderr);
}
