//! Files of other tools about one program at growing sizes. Each format must show the growth of the same line. The
//! program compares each of n items with all previous ones.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::bench::{Bench, cluster, function, member_lines, repository};

const SIZES: [u32; 7] = [50, 100, 200, 400, 800, 1600, 3200];

/// Reads a file of trend-collect's test data.
fn sample(name: &str) -> String {
    fs::read_to_string(repository().join("crates/trend-collect/tests/data").join(name)).unwrap()
}

fn growth(row: &Value) -> String {
    row["models"][0]["growth"]["verdict"].as_str().unwrap().to_owned()
}

/// Imports a file for each size with format detection, and returns the verdict of a line.
fn verdict(format: &str, sample_of: impl Fn(u32) -> String, line: &str) -> String {
    let bench = Bench::new();
    let source = if line.starts_with("dedup.c") { sample("gcovr/dedup.c") } else { sample("dedup.js") };
    bench.write(line.split(':').next().unwrap(), source);
    let here = bench.folder().canonicalize().unwrap();
    let files: Vec<String> = SIZES.iter().map(|n| format!("n-{n}.report")).collect();
    for (n, file) in SIZES.iter().zip(&files) {
        bench.write(file, sample(&sample_of(*n)).replace("/tmp/dedup", here.to_str().unwrap()));
    }
    let options = ["import", "--pattern", r"n-(?<n>\d+)\.", "--study", "s.trend"];
    let named = files.iter().map(String::as_str);
    bench.run(options.into_iter().chain(named)).succeeds().says(&["7 workloads, 1 feature"]);
    let findings = bench.findings(&["s.trend"]);
    assert_eq!(findings["unit"], "executions");
    // The study stores the format of its counts.
    bench.write("other.info", "SF:a.c\nDA:3,1\nend_of_record\n");
    bench
        .run(["import", "lcov", "other.info", "--study", "s.trend"])
        .refuses(&[&format!("executions from {format}")]);
    let line: u64 = line.rsplit(':').next().unwrap().parse().unwrap();
    let clusters = findings["clusters"].as_array().unwrap();
    growth(clusters.iter().find(|c| member_lines(c).contains(&line)).unwrap())
}

#[test]
fn a_comparison_of_all_pairs_is_quadratic_in_reports_of_every_coverage_tool() {
    let of_c = |format, name: &str| verdict(format, |n| name.replace('@', &n.to_string()), "dedup.c:7");
    assert_eq!(of_c("gcovr", "gcovr/n-@.json"), "n^2");
    assert_eq!(of_c("cobertura", "cobertura/gcovr-@.xml"), "n^2");
    assert_eq!(of_c("clover", "clover/gcovr-@.xml"), "n^2");
    let of_js = |format, name: &str| verdict(format, |n| name.replace('@', &n.to_string()), "dedup.js:13");
    assert_eq!(of_js("istanbul", "istanbul/nyc-@.json"), "n^2");
    assert_eq!(of_js("cobertura", "cobertura/nyc-@.xml"), "n^2");
    assert_eq!(of_js("clover", "clover/nyc-@.xml"), "n^2");
}

/// Copies a folder of test data.
fn copy(bench: &Bench, from: &Path, to: &str) {
    for entry in fs::read_dir(from).unwrap() {
        let (path, name) = entry.map(|e| (e.path(), e.file_name())).unwrap();
        let to = format!("{to}/{}", name.to_str().unwrap());
        if path.is_dir() { copy(bench, &path, &to) } else { bench.write(to, fs::read(path).unwrap()) }
    }
}

#[test]
fn a_folder_of_gungraun_is_one_study_of_its_benchmarks() {
    let samples = repository().join("crates/trend-collect/tests/data/gungraun");
    for entry in fs::read_dir(samples).unwrap() {
        let entry = entry.unwrap().path();
        let bench = Bench::new();
        copy(&bench, &entry, "target/gungraun/gun/sorting/lists");
        let has_sum = bench.path("target/gungraun/gun/sorting/lists/sum.of_0").exists();
        bench
            .run(["import", "target/gungraun", "--study", "s.trend"])
            .succeeds()
            .says(&["6 workloads, 1 feature", if has_sum { "2 locations" } else { "1 location" }]);
        let findings = bench.findings(&["s.trend"]);
        assert_eq!(findings["unit"], "instructions");
        assert_eq!(
            growth(function(&findings, "sorting::lists::unique(items({n}))")),
            "n^2",
            "{}",
            entry.display()
        );
        if has_sum {
            assert_eq!(growth(function(&findings, "sorting::lists::sum(items({n}))")), "n");
        }
        bench
            .run(["import", "gungraun", "target/gungraun", "--event", "Cycles"])
            .refuses(&["has no event `Cycles`; it has "]);
    }
    let bench = Bench::new();
    bench.write("empty/x", "");
    bench.run(["import", "empty"]).refuses(&["empty has no known format"]);
}

#[test]
fn gos_benchmarks_have_a_study_for_each_metric() {
    let bench = Bench::new();
    bench.write("bench.txt", sample("go-bench/count.txt"));
    let import = |metric| ["import", "bench.txt", "--metric", metric, "--study", "s.trend", "--fresh"];
    let verdict = |metric| {
        bench.run(import(metric)).succeeds();
        let findings = bench.findings(&["s.trend"]);
        let unique = cluster(&findings, "example.com/dedup.BenchmarkUnique");
        (findings["unit"].as_str().unwrap().to_owned(), growth(unique))
    };
    assert_eq!(verdict("compares/op"), ("compares".to_owned(), "n^2".to_owned()));
    bench
        .run(import("MB/s"))
        .refuses(&["has no metric `MB/s`", "`B/op`, `allocs/op`, `compares/op`, `ns/op`"]);
    bench.run(["import", "bench.txt"]).succeeds().says(&["8 workloads, 1 feature, 2 locations"]);
    assert_eq!(bench.findings(&["bench.trend"])["unit"], "ps");
}

#[test]
fn names_that_a_terminal_would_obey_are_shown_harmlessly() {
    let bench = Bench::new();
    let name = "a\u{1b}[31mred\u{7}.c";
    let json = |name: &str| name.replace('\u{1b}', "\\u001b").replace('\u{7}', "\\u0007");
    bench.write(
        "x.json",
        format!(
            "{{\"gcovr/format_version\": \"\\u001b[2J\", \"files\": [{{\"file\": \"{0}\", \"lines\": [\
                 {{\"line_number\": 3, \"count\": 9, \"function_name\": \"{0}\"}}]}}]}}",
            json(name)
        ),
    );
    bench.write(
        "x.xml",
        format!(
            "<coverage><class filename='{0}'><method name='{0}'><line number='{0}' hits='1'/></method>\
                 </class></coverage>",
            "a\u{1b}[31mred.c"
        ),
    );
    bench.write(
        "clover.xml",
        "<coverage clover='1'><project><file name='&#27;[2J'><line num='1' count='9' type='&#27;'/></file>\
                 </project></coverage>",
    );
    bench.write("x.txt", "pkg: \u{1b}[2J\nBenchmarkX/\u{1b}[31m/n=5 1 5 ns/op 3 \u{1b}[2J\n");
    let is_harmless = |text: &str| !text.contains(['\u{1b}', '\u{7}']);
    let commands = [
        vec!["import", "x.json", "--feature", "n=5", "--study", "a.trend"],
        vec!["show", "a.trend", "--by", "line"],
        vec!["import", "x.xml"],
        vec!["import", "clover.xml", "--study", "b.trend"],
        vec!["show", "b.trend", "--by", "line"],
        vec!["import", "x.txt", "--study", "c.trend"],
        vec!["show", "c.trend"],
        vec!["import", "x.txt", "--metric", "y"],
    ];
    for command in commands {
        let ran = bench.run(&command);
        assert!(
            is_harmless(&ran.stderr) && is_harmless(&ran.stdout),
            "{command:?}: {:?} {:?}",
            ran.stdout,
            ran.stderr
        );
    }
}
