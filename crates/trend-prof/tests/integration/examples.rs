//! Every folder of `examples/` shows the findings that its README lists.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::bench::{
    Bench, assert_between, can_probe, cluster, exponent, function, member_lines, repository, skipped,
};

#[test]
fn the_charts_of_routines_have_the_shapes_of_their_algorithms() {
    if !can_probe("the example of routines") {
        return;
    }
    let bench = Bench::with_example("routines");
    bench.run(["build", "--probe", "routines", "--", "make"]).succeeds();
    bench.run(["run", "--probe", "routines", "--", "./routines"]).succeeds();
    let findings = bench.findings(&["routines.trend"]);
    let series = findings["series"].as_array().unwrap();
    let routine =
        |name: &str| series.iter().find(|s| s["name"] == name && s["variables"][0] == "rms").unwrap();
    let classes = |name: &str| {
        ["worst", "average", "best"].map(|kind| routine(name)[kind]["models"][0]["growth"]["verdict"].clone())
    };
    assert_eq!(classes("heapsort_ints"), ["n log n"; 3]);
    assert_eq!(classes("insertion_sort"), ["n^2", "n^2", "n"]);
    assert_eq!(classes("merge_lists"), ["n^2"; 3]);
    assert_eq!(routine("push")["worst"]["models"][0]["growth"]["verdict"], "n");
    // The table doubles 14 times, starting from 8 items. Each of the 100,000 pushes costs 2 blocks. Each doubling costs
    // 5 more and 2 per moved item, and the first allocation costs 4 more.
    let moved: u64 = (0..14).map(|doubling| 8 << doubling).sum();
    assert_eq!(routine("push")["sum"], 2 * 100_000 + 14 * 5 + 4 + 2 * moved);
}

/// Runs one of the five orders and returns its findings.
fn sorted_in_order(order: &str) -> Value {
    let bench = Bench::with_example("bubble-sort-inputs");
    if order != "random" {
        // Only random ints need the larger arrays to show the effect of ties.
        bench.replace(&format!("{order}.toml"), ", 4000, 8000", "");
    }
    let config = format!("{order}.toml");
    bench.run(["run", "--config", &config, "--study", "order.trend"]).succeeds();
    let findings = bench.findings(&[]);
    // The order does not affect the other lines.
    assert_between(exponent(&findings["clusters"][0]), 1.995, 2.005);
    findings
}

fn clusters_with_line_6(findings: &Value) -> Vec<Vec<u64>> {
    let clusters = findings["clusters"].as_array().unwrap();
    clusters.iter().map(member_lines).filter(|lines| lines.contains(&6)).collect()
}

#[test]
fn swaps_of_random_ints_are_a_cluster_of_their_own() {
    let findings = sorted_in_order("random");
    assert_eq!(clusters_with_line_6(&findings), [vec![6]]);
    assert_between(exponent(&findings["clusters"][1]), 1.95, 1.985);
}

#[test]
fn swaps_of_a_permutation_join_the_compares() {
    assert_eq!(clusters_with_line_6(&sorted_in_order("shuffled")), [vec![4, 5, 6, 7]]);
}

#[test]
fn a_sorted_array_is_never_swapped() {
    assert!(clusters_with_line_6(&sorted_in_order("sorted")).is_empty());
}

#[test]
fn swaps_of_a_reversed_array_join_the_compares() {
    assert_eq!(clusters_with_line_6(&sorted_in_order("reversed")), [vec![4, 5, 6, 7]]);
}

#[test]
fn swaps_of_neighbours_join_the_size() {
    let findings = sorted_in_order("neighbours");
    assert_eq!(clusters_with_line_6(&findings), [vec![2, 3, 6, 8]]);
    assert_eq!(member_lines(cluster(&findings, "n")), [2, 3, 6, 8]);
}

#[test]
fn the_example_sorts_with_the_demos_program() {
    for file in ["bubble_sort.c", "main.c"] {
        let read = |folder: &str| fs::read_to_string(repository().join(folder).join(file)).unwrap();
        assert_eq!(read("examples/bubble-sort-inputs"), read("crates/trend-prof/demo"), "{file}");
    }
}

#[test]
fn the_logarithm_of_quicksort_is_named() {
    let bench = Bench::with_example("quicksort");
    bench.run(["run"]).succeeds();
    let findings = bench.findings(&["--by", "line"]);
    let all = cluster(&findings, "n");
    assert_between(exponent(all), 1.05, 1.10);
    let compares =
        findings["lines"].as_array().unwrap().iter().find(|l| l["name"] == "quicksort.c:28").unwrap();
    assert_between(exponent(compares), 1.09, 1.13);
    for row in [all, compares] {
        let model = &row["models"][0];
        assert!(model["power_law"]["r2"].as_f64().unwrap() > 0.998);
        assert_eq!(model["growth"]["verdict"], "n log n");
        // A bend that the growth class explains raises no doubt.
        assert_eq!(model["doubts"], serde_json::json!([]));
    }
    bench.run(["show", "1"]).succeeds().shows(&["Growth in n: n log n"]);
}

#[test]
fn a_list_append_grows_faster_than_its_calls_and_may_take_over() {
    let bench = Bench::with_example("list-append");
    bench.run(["run"]).succeeds();
    let findings = bench.findings(&[]);
    let walk = function(&findings, "last_node");
    assert_between(exponent(walk), 1.15, 1.30);
    assert!(walk["max_share"].as_f64().unwrap() > 0.1);
    assert_between(exponent(function(&findings, "append")), 0.98, 1.02);

    // The walk along the list forms a separate costly cluster.
    let own = &findings["clusters"][1];
    assert!(own["costly"].as_bool().unwrap());
    assert!(own["members"].as_array().unwrap().iter().all(|m| m["function"] == "last_node"), "{own:#}");

    // A run at 128,005,641 bytes executes 930,153,452 blocks in this cluster, and 662,938,791 in the one that is most
    // expensive so far.
    let then = bench.run(["predict", "bytes=128005641", "--format", "json"]).succeeds().json();
    let interval = |name: &str| {
        let outlook = &function(&then, name)["outlooks"][0];
        [0, 1].map(|end| outlook["ci"][end].as_f64().unwrap())
    };
    let ([low, high], [advance, _]) = (interval("last_node"), interval("advance"));
    assert!(low < 930_153_452.0 && 930_153_452.0 < high, "{low} to {high}");
    assert!(high > advance && (advance / 662_938_791.0 - 1.0).abs() < 0.01, "{high} {advance}");
}

#[test]
fn the_same_list_append_is_no_matter_where_lists_stay_short() {
    let bench = Bench::with_example("list-append-benign");
    bench.run(["run"]).succeeds();
    let findings = bench.findings(&["--at", "bytes=128MB"]);
    // The body of the loop over the candidates.
    let scan = cluster(&findings, "resolve.c:117");
    assert!(exponent(scan) > 1.15);
    assert!(scan["models"][0]["power_law"]["r2"].as_f64().unwrap() < 0.92);
    assert!(!scan["costly"].as_bool().unwrap());

    let at_128_mb = |row: &Value| {
        let predictions = row["models"][0]["predictions"].as_array().unwrap();
        predictions.iter().find(|p| p["at"] == 128e6).unwrap()["cost"].as_f64().unwrap()
    };
    assert!(at_128_mb(scan) < 0.02 * at_128_mb(&findings["total"]));
}

#[test]
fn a_suffix_tree_is_linear_and_its_report_is_not() {
    let bench = Bench::with_example("suffix-tree");
    bench.run(["run"]).succeeds();
    let findings = bench.findings(&[]);
    let core = cluster(&findings, "chars");
    assert_between(exponent(core), 0.85, 1.0);
    // Features of the output are linear in the size, so they are in its cluster.
    let features = findings["features"].as_array().unwrap();
    assert_eq!(
        features.iter().map(|f| f["name"].as_str().unwrap()).collect::<Vec<_>>(),
        ["chars", "nodes", "edges"]
    );
    assert!(findings["clusters"].as_array().unwrap().iter().all(|c| c["representative"]["name"] != "nodes"));

    let report = &findings["clusters"][1];
    assert!(
        report["members"].as_array().unwrap().iter().all(|m| m["function"] == "write_leaves"),
        "{report:#}"
    );
    assert_between(exponent(report), 1.2, 1.35);
    assert!(report["costly"].as_bool().unwrap());
}

/// Fetches bzip2 once per target folder. Returns `None` without network and package manager.
fn with_bzip2() -> Option<Bench> {
    let bench = Bench::with_example("bzip2");
    let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bzip2-1.0.8");
    if kept.join("bzip2.c").exists() {
        bench.shell(&format!("cp -r '{}' .", kept.display()));
        return Some(bench);
    }
    let fetch =
        Command::new("timeout").args(["60", "./fetch.sh"]).current_dir(bench.folder()).output().unwrap();
    if !fetch.status.success() {
        skipped("bzip2", &String::from_utf8_lossy(&fetch.stderr));
        return None;
    }
    bench.shell(&format!("cp -r bzip2-1.0.8 '{0}.new' && mv '{0}.new' '{0}'", kept.display()));
    Some(bench)
}

#[test]
fn bzip2_is_one_linear_cluster() {
    let Some(bench) = with_bzip2() else { return };
    bench.replace("trend-prof.toml", ", 6400000, 12500000, 25000000, 50000000", "");
    bench.run(["run"]).succeeds();
    let findings = bench.findings(&[]);
    let bytes = cluster(&findings, "bytes");
    assert_eq!(bytes["rank"], 1);
    // Slightly above 1 for files of less than a few 900 kB blocks; 1.00 at the example's full sizes.
    assert_between(exponent(bytes), 0.95, 1.10);
    let costly: Vec<&Value> =
        findings["clusters"].as_array().unwrap().iter().filter(|c| c["costly"] == true).collect();
    let members: usize = costly.iter().map(|c| c["members"].as_array().unwrap().len()).sum();
    assert!(members >= 50 * costly.len(), "{members} blocks in {} costly clusters", costly.len());
    assert!(bytes["max_share"].as_f64().unwrap() > 0.9);
}
