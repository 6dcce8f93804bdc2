//! Counts from other tools: import, findings and export.

use std::process::Command;

use serde_json::Value;
use trend_profile::{Access, StudyFile};

use crate::bench::{Bench, assert_between, cluster, exponent, is_installed, skipped};

/// Returns a tracefile of a function whose lines run n and n² times.
fn tracefile(n: u64) -> String {
    format!(
        "TN:\nSF:sort.c\nFN:3,sort\nFN:20,main\nFNDA:1,sort\nFNDA:1,main\nDA:3,1\nDA:4,{n}\nDA:5,{}\nDA:21,1\nLF:4\nend_of_record\n",
        n * n
    )
}

const SIZES: [u64; 12] = [10, 20, 40, 80, 120, 160, 320, 480, 640, 1000, 1280, 2000];

/// Creates a folder with one tracefile per size.
fn tracefiles() -> Bench {
    let bench = Bench::new();
    for n in SIZES {
        bench.write(format!("run-{n}.info"), tracefile(n));
    }
    bench
}

fn names(study: &Value, what: &str) -> Vec<String> {
    study[what].as_array().unwrap().iter().map(|f| f["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn features_come_from_names_of_files_from_tables_and_from_the_command_line() {
    let bench = tracefiles();
    let files: Vec<String> = SIZES.iter().map(|n| format!("run-{n}.info")).collect();
    let rows: Vec<String> = SIZES.iter().map(|n| format!("run-{n},{}\n", 3 * n)).collect();
    bench.write("sizes.csv", format!("workload,bytes\n{}", rows.concat()));
    let mut line = vec!["import", "lcov", "--study", "s.trend"];
    line.extend(files.iter().map(String::as_str));
    line.extend(["--pattern", r"run-(?<n>\d+)\.info", "--feature-table", "sizes.csv", "--feature", "k=1e3"]);
    bench.run(line).succeeds().says(&["12 workloads, 3 features, 4 locations"]);
    let findings = bench.findings(&["s.trend"]);
    assert_eq!(names(&findings, "features"), ["k", "n", "bytes"]);
    assert_eq!(findings["features"][0]["max"], 1000.0);
    assert_eq!(findings["features"][2]["max"], 6000.0);
    let model = &cluster(&findings, "sort.c:5")["models"][1];
    assert_eq!(model["growth"]["verdict"], "n^2");
    assert_eq!(findings["unit"], "executions");
    assert!(names(&findings, "functions").contains(&"sort".to_owned()));
}

#[test]
fn further_imports_add_to_a_study_that_is_named_and_are_of_the_same_program() {
    let bench = tracefiles();
    bench.run(["import", "lcov", "run-10.info", "--feature", "n=10", "--study", "s.trend"]).succeeds();
    bench.run(["import", "lcov", "run-20.info", "--feature", "n=20", "--study", "s.trend"]).succeeds();
    let again = ["import", "lcov", "run-20.info", "--feature", "n=20", "--study", "s.trend"];
    bench.run(again).succeeds().says(&["1 recorded before"]);
    assert_eq!(bench.findings(&["s.trend"])["workloads"]["count"], 2);
    // Different counts under an existing name.
    bench.write("other/run-20.info", tracefile(21));
    let other = ["import", "lcov", "other/run-20.info", "--study", "s.trend"];
    bench.run(other).refuses(&["other counts for workload `run-20`"]).hints(&["--fresh"]);
    // Another program, and another kind of cost.
    bench.write("b.info", tracefile(30).replace("sort.c", "parse.c"));
    bench.run(["import", "lcov", "b.info", "--study", "s.trend"]).refuses(&["no source file in common"]);
    let program = ["import", "lcov", "run-40.info", "--study", "s.trend", "--program", "other"];
    bench.run(program).refuses(&["is a study of s, not of other"]);
    bench.write("cg.out", "events: Ir\nfl=sort.c\nfn=sort\n4 400\ntotals: 400\n");
    bench
        .run(["import", "callgrind", "cg.out", "--study", "s.trend"])
        .refuses(&["instructions from callgrind"]);
    // An existing study is not extended unless it is named.
    bench.run(["import", "lcov", "run-40.info"]).succeeds();
    bench
        .run(["import", "lcov", "run-40.info"])
        .refuses(&["exists"])
        .hints(&["--study run-40.trend", "--fresh"]);
}

#[test]
fn files_of_one_workload_add_up() {
    let bench = Bench::new();
    for n in [10, 20] {
        bench.write(format!("{n}/a.info"), tracefile(n));
        bench.write(format!("{n}/b.info"), tracefile(n));
    }
    let files = ["10/a.info", "10/b.info", "20/a.info", "20/b.info"];
    let pattern = r"(?<workload>(?<n>\d+))/";
    bench.run(["import", "lcov", "--study", "s.trend", "--pattern", pattern].iter().chain(&files)).succeeds();
    let counts = bench.run(["export", "csv", "s.trend"]).succeeds().stdout;
    assert_eq!(
        counts,
        "workload,n,sort.c:3:sort,sort.c:4:sort,sort.c:5:sort,sort.c:21:main\n10,10,2,20,200,2\n20,20,2,40,800,2\n"
    );
    bench.run(["import", "lcov", "--study", "t.trend", "--workload", "all"].iter().chain(&files)).succeeds();
    assert_eq!(bench.findings(&["t.trend"])["workloads"]["count"], 1);
}

#[test]
fn what_is_wrong_with_a_file_is_said_with_its_name() {
    let bench = Bench::new();
    bench.write("cut.info", "SF:a.c\nDA:3,1\n");
    bench.run(["import", "lcov", "cut.info"]).refuses(&["cut.info", "lacks its end_of_record"]);
    bench.write("x.csv", "a,b\n1,2\n");
    bench.run(["import", "lcov", "x.csv"]).refuses(&["x.csv: the file is not a valid lcov tracefile"]);
    bench.write("ok.info", tracefile(3));
    bench.run(["import", "lcov", "ok.info", "--pattern", "x-(?<n>.*)"]).refuses(&["does not match ok.info"]);
    bench.run(["import", "lcov", "ok.info", "--pattern", "ok"]).refuses(&["no named group"]);
    bench.run(["import", "lcov", "ok.info", "--pattern", "(?<n>[a-z]+)"]).refuses(&["`n` from ok.info"]);
    bench.run(["import", "lcov", "none.info"]).refuses(&["none.info"]);
    assert!(!bench.path("ok.trend").exists());
}

#[test]
fn counts_that_say_only_whether_a_line_ran_are_doubted() {
    let bench = Bench::new();
    let lines: Vec<String> = (1..9).map(|l| format!("DA:{l},1\n")).collect();
    bench.write("cov.info", format!("SF:a.py\n{}end_of_record\n", lines.concat()));
    bench.run(["import", "lcov", "cov.info", "--feature", "n=5"]).succeeds().says(&["every count is 0 or 1"]);
}

#[test]
fn sources_outside_of_the_root_are_not_taken_into_the_study() {
    let bench = Bench::new();
    bench.write("root/sort.c", "int main;\n");
    bench.write("secret", "PASSWORD\n");
    let named = |file: &str| tracefile(5).replace("sort.c", file);
    let secret = bench.path("secret").display().to_string();
    bench.write("a.info", [named("sort.c"), named("../secret"), named(&secret), named("link")].concat());
    std::os::unix::fs::symlink(&secret, bench.path("root/link")).unwrap();
    bench.run(["import", "lcov", "a.info", "--root", "root"]).succeeds();
    let study = StudyFile::open(&bench.path("a.trend"), Access::Read).unwrap().load().unwrap();
    let kept: Vec<_> = study.sources().iter().map(|s| (s.file.as_str(), s.text.as_str())).collect();
    assert_eq!(kept, [("sort.c", "int main;\n")]);
}

#[test]
fn times_of_hyperfine_are_costs_and_its_repetitions_stay_repetitions() {
    if !is_installed("hyperfine") {
        return skipped("times of hyperfine", "it is not installed");
    }
    let bench = Bench::new();
    bench.shell(
        "hyperfine -N --runs 3 -L s 0.01,0.02,0.04,0.08 'sleep {s}' --export-json t.json >/dev/null 2>&1",
    );
    bench.run(["import", "hyperfine", "t.json"]).succeeds().says(&["4 workloads, 1 feature, 1 location"]);
    let findings = bench.findings(&["t.trend"]);
    assert_eq!(findings["unit"], "ps");
    let longest = findings["total"]["max_cost"].as_f64().unwrap() / 1e12;
    assert_between(longest, 0.08, 0.5);
    bench.run(["show", "t.trend"]).succeeds().shows(&["in picoseconds", "G = ms", "sleep {s}"]);
}

#[test]
fn extra_p_and_back_gives_the_same_counts() {
    let bench = tracefiles();
    let files: Vec<String> = SIZES.iter().map(|n| format!("run-{n}.info")).collect();
    let line = ["import", "lcov", "--study", "s.trend", "--pattern", r"run-(?<n>\d+)"];
    bench.run(line.into_iter().chain(files.iter().map(String::as_str))).succeeds();
    bench.run(["export", "extra-p", "s.trend", "-o", "s.jsonl"]).succeeds();
    bench.run(["import", "extra-p", "s.jsonl", "--study", "again.trend"]).succeeds();
    let rows = |study: &str| {
        let text = bench.run(["export", "csv", study]).succeeds().stdout;
        let mut lines: Vec<String> = text.lines().map(|l| l.split_once(',').unwrap().1.to_owned()).collect();
        lines[1..].sort();
        lines
    };
    let columns = |study: &str| -> Vec<Vec<String>> {
        let rows: Vec<Vec<String>> =
            rows(study).iter().map(|l| l.split(',').map(str::to_owned).collect()).collect();
        let mut columns: Vec<Vec<String>> =
            (0..rows[0].len()).map(|i| rows.iter().map(|r| r[i].clone()).collect()).collect();
        columns.sort();
        columns
    };
    assert_eq!(columns("again.trend"), columns("s.trend"));
    bench.run(["export", "extra-p", "again.trend", "-o", "again.jsonl"]).succeeds();
    let sorted = |name: &str| {
        let text = bench.read(name);
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted("again.jsonl"), sorted("s.jsonl"));
}

#[test]
fn parquet_in_both_forms_and_back_gives_the_same_counts() {
    let bench = tracefiles();
    let files: Vec<String> = SIZES.iter().map(|n| format!("run-{n}.info")).collect();
    let line = ["import", "lcov", "--study", "s.trend", "--pattern", r"run-(?<n>\d+)"];
    bench.run(line.into_iter().chain(files.iter().map(String::as_str))).succeeds();
    let table = |study: &str| bench.run(["export", "csv", study]).succeeds().stdout;
    for format in ["parquet", "parquet-matrix"] {
        let file = format!("{format}.parquet");
        let study = format!("{format}.trend");
        bench.run(["export", format, "s.trend", "-o", &file]).succeeds();
        bench.run(["import", "parquet", &file, "--features", "n", "--study", &study]).succeeds();
        assert_eq!(table(&study), table("s.trend"), "{format}");
        // Any truncated file is rejected, because the index is at the end.
        let whole = std::fs::read(bench.path(&file)).unwrap();
        for length in [0, 1, 4, 100, whole.len() / 2, whole.len() - 9, whole.len() - 1] {
            bench.write("cut.parquet", &whole[..length]);
            bench
                .run(["import", "parquet", "cut.parquet"])
                .refuses(&["cut.parquet: the file is not a valid Parquet file"]);
        }
    }
    let largest = ["workload,n,a.c:1:f\nw1,1,18446744073709551615\nw2,,0\n"].concat();
    bench.write("large.csv", &largest);
    bench.run(["import", "csv", "large.csv", "--features", "n"]).succeeds();
    for format in ["parquet", "parquet-matrix"] {
        bench.run(["export", format, "large.trend", "-o", "large.parquet"]).succeeds();
        bench
            .run(["import", "parquet", "large.parquet", "--features", "n", "--study", "l.trend", "--fresh"])
            .succeeds();
        assert_eq!(table("l.trend"), largest, "{format}");
    }
}

#[test]
fn routines_of_aprof_are_modelled_by_the_size_of_their_input_and_come_back() {
    let bench = Bench::new();
    let points: Vec<String> = (1_u64..60)
        .map(|i| {
            let (n, worst) = (10 * i, 100 * i * i + 7);
            let (best, sum) = (n, worst + n);
            let squares = worst * worst + best * best;
            format!("p 7 {n} {best} {worst} {sum} {squares} 2 {sum} {sum} {best} {worst} {squares}\n")
        })
        .collect();
    let head = "c x\nv 4\nk 1\nm bb-count\na ./sort\nf ./sort\nr \"sort\" \"/bin/sort\" 7\n";
    bench.write("sort.aprof", format!("{head}{}", points.concat()));
    bench.run(["import", "aprof", "sort.aprof"]).succeeds().says(&["show sort.trend --by routine"]);
    let routines = |study: &str| bench.findings(&[study])["series"].clone();
    let sort = routines("sort.trend")[0].clone();
    assert_eq!((sort["name"].as_str(), sort["variables"][0].as_str()), (Some("sort"), Some("rms")));
    assert_eq!((sort["sizes"].as_u64(), sort["count"].as_u64()), (Some(59), Some(118)));
    assert_eq!(sort["worst"]["models"][0]["growth"]["verdict"], "n^2");
    assert_eq!(sort["best"]["models"][0]["growth"]["verdict"], "n");
    assert_between(sort["worst"]["offset_power"]["c"].as_f64().unwrap(), 1.99, 2.01);
    assert_between(exponent(&sort["worst"]), 1.9, 2.01);
    bench.run(["show", "sort.trend", "--by", "routine"]).succeeds().shows(&["sort", "rms", "n^2"]);
    // The maximum over two calls is worst, and the minimum is best: two kinds.
    let kinds = &sort["kinds"];
    assert_eq!((kinds["by"].as_str(), kinds["dearest"]["growth"].as_str()), (Some("spread"), Some("n^2")));
    assert_eq!(
        (kinds["cheapest"]["growth"].as_str(), &kinds["dearest_part"]["calls"]),
        (Some("n"), &0.5.into())
    );
    bench.run(["show", "sort.trend", "sort"]).succeeds().shows(&["Two kinds of calls: the cheapest"]);
    let one = bench.findings(&["sort.trend", "sort"]);
    assert_eq!(one["series"].as_array().unwrap().len(), 1);
    let tuples = one["series"][0]["tuples"].as_array().unwrap();
    assert_eq!((tuples.len(), &tuples[1]["sizes"], &tuples[1]["max"]), (59, &[20].into(), &407.into()));
    assert!(sort.get("tuples").is_none());
    bench.run(["show", "sort.trend", "sort", "--format", "csv"]).refuses(&["table, Markdown or JSON"]);
    let metric = |metric| ["show", "sort.trend", "--by", "routine", "--metric", metric];
    bench.run(metric("rms")).succeeds().shows(&["sort", "rms"]);
    bench.run(metric("drms")).refuses(&["measured as rms, not as drms"]);
    bench.run(["export", "aprof", "sort.trend", "-o", "again.aprof"]).succeeds();
    bench.run(["import", "aprof", "again.aprof"]).succeeds();
    assert_eq!(routines("again.trend"), routines("sort.trend"));
}

#[test]
fn threads_of_one_run_add_up_in_aprof() {
    let bench = Bench::new();
    let head = "c x\nv 4\nk 1\nm bb-count\na ./sort\nf ./sort\nr \"sort\" \"/bin/sort\" 7\n";
    let report = |calls: u64, sizes: std::ops::Range<u64>| {
        let point = |n: u64| {
            format!("p 7 {n} {n} {n} {0} {1} {calls} {0} {0} {n} {n} {1}\n", n * calls, n * n * calls)
        };
        format!("{head}{}", sizes.map(point).collect::<String>())
    };
    bench.write("1.aprof", report(2, 10..40));
    bench.write("2.aprof", report(3, 20..50));
    bench
        .run(["import", "aprof", "1.aprof", "2.aprof", "--workload", "run", "--study", "s.trend"])
        .succeeds();
    let sort = bench.findings(&["s.trend"])["series"][0].clone();
    assert_eq!((sort["sizes"].as_u64(), sort["count"].as_u64()), (Some(40), Some(2 * 30 + 3 * 30)));
}

#[test]
fn contexts_of_aprof_come_back_with_their_callers() {
    let bench = Bench::new();
    let calls = |size: u64, cost: u64| {
        format!("{size} {cost} {cost} {cost} {} 1 {cost} {cost} {cost} {cost} 9", cost * cost)
    };
    let deep: Vec<String> = (10..22).map(|i| format!("x {} {i} {}\n", i % 2 + 1, i - 1)).collect();
    let text = [
        "v 4\nk 1\nm bb-count\ni rms\na ./s\nf ./s\nr \"main\" \"/bin/s\" 0\n".to_owned(),
        format!(
            "q 1 {}\nr \"parse(int, char)\" \"/bin/s\" 1\nu 1 \"_Z5parseic\"\nq 2 {}\n",
            calls(9, 99),
            calls(4, 40)
        ),
        format!("r \"sort\" \"/lib/s\" 2\nq 3 {}\nq 4 {}\nq 4 {}\n", calls(3, 7), calls(3, 9), calls(8, 50)),
        format!("q 21 {}\nx 0 1 -1\nx 1 2 1\nx 2 3 1\nx 2 4 2\nx 2 9 4\n{}", calls(5, 12), deep.concat()),
    ];
    bench.write("calls.aprof", text.concat());
    bench.run(["import", "aprof", "calls.aprof"]).succeeds();
    bench.run(["export", "aprof", "calls.trend", "-o", "again.aprof"]).succeeds();
    bench.run(["import", "aprof", "again.aprof"]).succeeds();
    let routines = |study: &str| bench.findings(&[study])["series"].clone();
    let contexts: Vec<String> = routines("calls.trend")
        .as_array()
        .unwrap()
        .iter()
        .map(|r| format!("{} in {}", r["name"].as_str().unwrap(), r["context"].as_str().unwrap_or("all")))
        .collect();
    assert!(contexts.iter().any(|c| c == "sort in main → parse(int, char)"), "{contexts:?}");
    assert!(contexts.iter().any(|c| c.starts_with("sort in … → ")), "{contexts:?}");
    // aprof-plot requires a point for each caller, so the callers of the deepest calls are omitted.
    crate::aprof_plot::read(&bench.read("again.aprof")).unwrap();
    let kept_routines = |study: &str| -> Vec<serde_json::Value> {
        let all = routines(study).as_array().unwrap().clone();
        all.into_iter()
            .filter(|row| !row["context"].as_str().is_some_and(|c| c.starts_with('…') || c == "(no caller)"))
            .collect()
    };
    assert_eq!(kept_routines("again.trend"), kept_routines("calls.trend"));
    assert_eq!(routines("again.trend").as_array().unwrap().len(), contexts.len());
    // A second round trip changes nothing.
    bench.run(["export", "aprof", "again.trend", "-o", "third.aprof"]).succeeds();
    let points = |name: &str| -> Vec<String> {
        bench.read(name).lines().filter(|l| !l.starts_with(['a', 'f'])).map(str::to_owned).collect()
    };
    bench.run(["import", "aprof", "third.aprof"]).succeeds();
    bench.run(["export", "aprof", "third.trend", "-o", "fourth.aprof"]).succeeds();
    assert_eq!(points("fourth.aprof"), points("third.aprof"));
}

/// A program with a total cost of 1000, of which the named routines take 984. `walk` calls itself, so its calls cost
/// 2400 together.
const RECURSIVE: &str = "v 2\nk 1000\nm bb-count\nr \"main\" \"p\" 0\np 0 50 984 984 984 1 984 84\n\
                         r \"walk\" \"p\" 1\np 1 10 100 100 300 3 100 100\np 1 20 400 400 800 2 300 300\n\
                         p 1 40 500 500 1300 4 500 500\n";

#[test]
fn recursive_routines_have_their_share_of_the_whole_program_and_keep_it_in_an_export() {
    let bench = Bench::new();
    bench.write("walk.aprof", RECURSIVE);
    bench.run(["import", "aprof", "walk.aprof"]).succeeds();
    let shares = |study: &str| {
        let routines = bench.findings(&[study])["series"].clone();
        let row = |r: &Value| (r["name"].to_string(), r["share"].as_f64(), r["self_share"].as_f64());
        routines.as_array().unwrap().iter().map(row).collect::<Vec<_>>()
    };
    let row = |name: &str, share, own| (format!("{name:?}"), Some(share), Some(own));
    assert_eq!(shares("walk.trend"), [row("main", 0.984, 0.084), row("walk", 0.9, 0.9)]);
    let table = ["show", "walk.trend", "--by", "routine"];
    bench.run(table).succeeds().shows(&["cumulative", "98.4 %", "self", "8.4 %", "90.0 %"]);
    bench.run(["export", "aprof", "walk.trend", "-o", "again.aprof"]).succeeds();
    bench.run(["import", "aprof", "again.aprof"]).succeeds();
    assert_eq!(shares("again.trend"), shares("walk.trend"));
    // If self and outermost costs are missing, the export omits them.
    bench.write("plain.aprof", "v 1\nm bb-count\nr \"main\" \"p\" 0\np 0 50 9 9 9 81 1\n");
    bench.run(["import", "aprof", "plain.aprof"]).succeeds();
    bench.run(["export", "aprof", "plain.trend", "-o", "plain-again.aprof"]).succeeds();
    let exported = bench.read("plain-again.aprof");
    assert!(exported.contains("v 1\n") && exported.contains("p 0 50 9 9 9 81 1\n"), "{exported}");
    let plain = bench.run(["show", "plain.trend", "--by", "routine"]).succeeds().stdout;
    assert!(!plain.contains("self") && !plain.contains("%thread"), "{plain}");
}

#[test]
fn routines_are_sorted_and_filtered_and_contexts_are_shown_on_demand() {
    let bench = Bench::new();
    let points = |id: u32, cost: fn(u64) -> u64| -> String {
        let point =
            |n: u64| format!("q {id} {n} {0} {0} {0} {1} 1 {0} {0} {0} {0} {1}\n", cost(n), cost(n).pow(2));
        (1..30).map(|i| point(10 * i)).collect()
    };
    let text = format!(
        "v 4\nr \"linear\" \"p\" 0\n{}r \"square\" \"p\" 1\n{}r \"once\" \"p\" 2\n{}\
         x 0 1 -1\nx 1 2 1\nx 2 3 2\n",
        points(1, |n| 100_000 * n),
        points(2, |n| n * n),
        "q 3 7 5 5 5 25 1 5 5 5 5 25\n"
    );
    bench.write("s.aprof", text);
    bench.run(["import", "aprof", "s.aprof"]).succeeds();
    let show =
        |more: &[&str]| bench.run([&["show", "s.trend", "--by", "routine"], more].concat()).succeeds().stdout;
    let order = |text: &str| {
        let mut at: Vec<_> = ["linear", "square", "once"]
            .iter()
            .filter_map(|n| Some((text.find(&format!("\n{n}"))?, *n)))
            .collect();
        at.sort_unstable();
        at.into_iter().map(|(_, name)| name).collect::<Vec<_>>()
    };
    assert_eq!(order(&show(&[])), ["linear", "square", "once"]);
    assert_eq!(order(&show(&["--sort", "exponent"])), ["square", "linear", "once"]);
    assert_eq!(order(&show(&["--min-tuples", "2"])), ["linear", "square"]);
    assert!(show(&[]).contains("3 calling contexts"));
    let tree: Vec<String> = show(&["--contexts"]).lines().map(str::to_owned).collect();
    let at = |name: &str| tree.iter().position(|line| line.starts_with(name));
    assert_eq!(
        [at("  square"), at("    once")],
        [1, 2].map(|more| at("linear").map(|at| at + more)),
        "{tree:?}"
    );
    assert!(show(&["--contexts", "--top", "1"]).contains("2 more contexts"));
    bench
        .run(["show", "s.trend", "--by", "routine", "--sort", "predicted"])
        .refuses(&["cost, share or exponent"]);
    bench.run(["show", "s.trend", "--contexts"]).refuses(&["--by routine"]);
    bench.write("plain.aprof", "v 1\nm bb-count\nr \"main\" \"p\" 0\np 0 50 9 9 9 81 1\n");
    bench.run(["import", "aprof", "plain.aprof"]).succeeds();
    let fragments = ["no calling contexts", "build --probe routines --contexts"];
    bench.run(["show", "plain.trend", "--by", "routine", "--contexts"]).refuses(&fragments);
}

#[test]
fn a_feature_that_most_benchmarks_lack_is_not_the_first() {
    let bench = Bench::new();
    let benchmark = |function: &str, n: u32, throughput: &str| {
        let folder = format!("criterion/g/{function}/{n}/new");
        bench.write(
            format!("{folder}/benchmark.json"),
            format!(r#"{{"group_id":"g","function_id":"{function}"{throughput},"value_str":"{n}"}}"#),
        );
        bench.write(format!("{folder}/sample.json"), format!(r#"{{"iters":[1.0],"times":[{n}.0]}}"#));
    };
    // The benchmark that is read first has no parameter, only bytes.
    bench.write(
        "criterion/a/copy/new/benchmark.json",
        r#"{"group_id":"a","function_id":"copy","throughput":{"Bytes":4096}}"#,
    );
    bench.write("criterion/a/copy/new/sample.json", r#"{"iters":[1.0],"times":[70.0]}"#);
    for n in [10, 20, 40, 80] {
        benchmark("sort", n, "");
    }
    bench.run(["import", "criterion", "criterion"]).succeeds();
    let findings = bench.findings(&["criterion.trend"]);
    let names: Vec<&str> =
        findings["features"].as_array().unwrap().iter().map(|f| f["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["n", "bytes"]);
}

#[test]
fn formats_are_found_out_and_unknown_ones_are_told_with_all_names() {
    let bench = Bench::new();
    bench.write("n-10.info", "TN:\nSF:a.c\nFN:1,f\nFNDA:3,f\nDA:2,30\nend_of_record\n");
    bench.run(["import", "n-10.info", "--feature", "n=10", "--study", "a.trend"]).succeeds();
    assert_eq!(bench.findings(&["a.trend"])["features"][0]["name"], "n");
    bench.run(["import", "lcvo", "n-10.info"]).refuses(&[
        "lcvo is neither a format nor a file",
        "lcov",
        "extra-p",
        "features",
    ]);
    bench
        .run(["import", "callgrind", "n-10.info"])
        .refuses(&["`end_of_record` is not a valid line", "it looks like `import lcov`"]);
    bench
        .run(["import", "lcov", "n-10.info", "--event", "Ir"])
        .refuses(&["`import lcov` does not take --event", "callgrind"]);
    bench.run(["import", "lcov"]).refuses(&["no file to import"]);
}

#[test]
fn a_plain_program_is_studied_under_callgrind() {
    if !is_installed("valgrind") {
        return skipped("runs under callgrind", "valgrind is not installed");
    }
    let bench = Bench::new();
    bench.write("main.c", crate::bench::LOOP);
    bench.shell("gcc -g -O0 -o program main.c");
    let line = [
        "run",
        "--counts",
        "callgrind",
        "--param",
        "n=100..6400x7",
        "--study",
        "s.trend",
        "--",
        "./program",
        "{n}",
    ];
    bench.run(line).succeeds().says(&["7 runs recorded"]);
    let findings = bench.findings(&["s.trend"]);
    assert_eq!(findings["unit"], "instructions");
    assert_between(exponent(cluster(&findings, "n")), 0.97, 1.01);
    bench.run(["show", "s.trend", "--by", "line"]).succeeds().shows(&["in instructions", "main.c:6"]);
    // Without valgrind, the error offers an alternative.
    let mut command: Command = bench.command(line);
    let empty = bench.path("empty");
    std::fs::create_dir(&empty).unwrap();
    command.env("PATH", empty);
    let output = command.output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr.contains("valgrind cannot be started") && stderr.contains("trend-prof build"), "{stderr}");
}

/// A new cargo project with two loops whose work happens in the standard library.
const PLANTED: &str = r#"
fn drain(mut queue: Vec<u64>) -> u64 {
    let mut sum = 0;
    while !queue.is_empty() {
        sum += queue.remove(0);
    }
    sum
}

fn dedup(items: &[u64]) -> Vec<u64> {
    let mut seen = Vec::new();
    for x in items {
        if !seen.contains(x) {
            seen.push(*x);
        }
    }
    seen
}

fn main() {
    let path = std::env::args().nth(1).unwrap();
    let n = std::fs::read_to_string(path).unwrap().trim().len() as u64;
    let items: Vec<u64> = (0..n).map(|i| i.wrapping_mul(0x9E37_79B9_7F4A_7C15)).collect();
    println!("{}", dedup(&items).len());
    println!("{}", drain(items));
}
"#;

#[test]
fn planted_work_of_the_standard_library_is_found_at_its_line_by_the_command_that_the_warning_names() {
    if !is_installed("valgrind") || !is_installed("cargo") {
        return skipped("a cargo project under callgrind", "valgrind or cargo is not installed");
    }
    let bench = Bench::new();
    bench.write("Cargo.toml", "[package]\nname = \"planted\"\nedition = \"2024\"\n[workspace]\n");
    bench.write("src/main.rs", PLANTED);
    for n in [350_usize, 500, 700, 1000, 1400, 2000, 2800, 4000, 5600, 8000] {
        bench.write(format!("inputs/{n}.txt"), "x".repeat(n));
    }
    bench.run(["init"]).succeeds();
    let line = ["run", "--counts", "callgrind", "--study", "planted-instructions.trend"];
    bench.run(line).succeeds().says(&["without counters", "10 runs recorded"]);
    let findings = bench.findings(&["planted-instructions.trend"]);
    assert_eq!(findings["doubts"].as_array().unwrap().len(), 0, "{}", findings["doubts"]);
    let top: Vec<&str> = findings["clusters"][0]["members"]
        .as_array()
        .unwrap()
        .iter()
        .map(|member| member["name"].as_str().unwrap())
        .collect();
    for (line, function, name) in
        [(5, "Vec::remove", "planted::drain"), (13, "slice::contains", "planted::dedup")]
    {
        let location = format!("src/main.rs:{line} → {function}");
        assert!(top.contains(&location.as_str()), "{location} in {top:?}");
        let model = &crate::bench::function(&findings, name)["models"][0];
        assert_eq!(model["growth"]["verdict"], "n^2", "{name}: {}", model["growth"]);
    }
    assert_eq!(findings["clusters"][0]["models"][0]["growth"]["verdict"], "n^2");
}
