//! A plan that several tasks run, each its share, and the study that their runs make together.

use std::fs;

use crate::bench::Bench;

/// Creates a program with counters, and a configuration of ten workloads.
fn bench() -> Bench {
    Bench::with_sizes("[10, 20, 40, 80, 160, 320, 640, 1280, 2560, 5120]")
}

/// Runs the shards, each into a study of its own.
fn run_shards(bench: &Bench, count: u32) -> Vec<String> {
    let name = |k| format!("part{k}.trend");
    for k in 1..=count {
        let shard = format!("{k}/{count}");
        bench.run(["run", "--no-build", "--no-time", "--shard", &shard, "--study", &name(k)]).succeeds();
    }
    (1..=count).map(name).collect()
}

fn merge(bench: &Bench, parts: &[String], output: &str) -> crate::bench::Ran {
    let parts = parts.iter().map(String::as_str);
    bench.run(["merge"].into_iter().chain(parts).chain(["-o", output]))
}

#[test]
fn the_study_of_all_shards_is_that_of_one_machine() {
    let bench = bench();
    bench.run(["run", "--no-build", "--no-time", "--study", "whole.trend"]).succeeds();
    let parts = run_shards(&bench, 4);
    merge(&bench, &parts, "all.trend").succeeds().says(&["10 runs in all.trend"]);
    let csv = |study: &str| bench.run(["export", "csv", study]).succeeds().stdout;
    assert_eq!(csv("all.trend"), csv("whole.trend"));
    // Merged once more, with a study that has everything, each run is still there once.
    let mut again = parts.clone();
    again.insert(1, "all.trend".to_owned());
    merge(&bench, &again, "again.trend").succeeds().says(&["10 runs in again.trend; 10 were there already"]);
    assert_eq!(csv("again.trend"), csv("whole.trend"));
    merge(&bench, &parts, "all.trend").refuses(&["all.trend already exists", "--force"]);
}

#[test]
fn missing_workloads_are_named_and_run_afterwards() {
    let bench = bench();
    let parts = run_shards(&bench, 3);
    let lost: Vec<String> = parts[1..].to_vec();
    let merged = merge(&bench, &lost, "all.trend").succeeds();
    merged.says(&["missing", "trend-prof run --study all.trend"]);
    bench.run(["run", "--no-build", "--no-time", "--study", "all.trend"]).succeeds();
    bench.run(["run", "--no-build", "--no-time", "--study", "whole.trend"]).succeeds();
    let csv = |study: &str| bench.run(["export", "csv", study]).succeeds().stdout;
    assert_eq!(csv("all.trend"), csv("whole.trend"));
}

#[test]
fn a_truncated_part_and_one_of_another_program_are_refused() {
    let bench = bench();
    let parts = run_shards(&bench, 2);
    let bytes = fs::read(bench.path("part2.trend")).unwrap();
    fs::write(bench.path("cut.trend"), &bytes[..bytes.len() - 40]).unwrap();
    let with_cut = |cut: &str| merge(&bench, &["part1.trend".into(), cut.into()], "all.trend");
    with_cut("cut.trend").refuses(&["cut.trend is damaged", "trend-prof repair"]);
    bench.run(["repair", "cut.trend"]).succeeds();
    with_cut("cut.repaired.trend").succeeds();
    let mut changed = bytes.clone();
    let middle = changed.len() / 2;
    changed[middle] ^= 1;
    fs::write(bench.path("changed.trend"), changed).unwrap();
    merge(&bench, &["part1.trend".into(), "changed.trend".into()], "all2.trend").refuses(&["is damaged"]);
    assert!(!bench.path("all2.trend").exists());
    bench.replace("trend-prof.toml", "\"{n}\"]", "\"{n}\", \"1\"]");
    bench.run(["run", "--no-build", "--no-time", "--study", "other.trend"]).succeeds();
    merge(&bench, &[parts[0].clone(), "other.trend".into()], "all3.trend").refuses(&["other.trend ran"]);
}

#[test]
fn a_shard_without_workloads_is_an_empty_study() {
    let bench = bench();
    let parts = run_shards(&bench, 40);
    merge(&bench, &parts, "all.trend").succeeds().says(&["10 runs in all.trend"]);
    for bad in ["0/4", "5/4", "x"] {
        bench.run(["run", "--shard", bad]).ends_with(2);
    }
}
