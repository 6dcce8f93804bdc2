//! The paper's bubble sort: clusters, exponents and counts.

use serde_json::{Value, json};

use crate::bench::{Bench, Table, assert_between, can_probe, cluster, exponent, member_lines};

/// Line 2 is the outer test, 4 the inner test, 5 the comparison, 6 the swap.
fn line(number: u32) -> String {
    format!("bubble_sort.c:{number}:bubble_sort")
}

/// Asserts the closed forms of the paper's section 3, which hold for any input.
fn has_exact_counts(counts: &Table, sizes: &[u64]) {
    for (number, count) in [
        (2, (|n| n + 1) as fn(u64) -> u64),
        (3, |n| n),
        (4, |n| n * (n + 1) / 2),
        (5, |n| n * (n - 1) / 2),
        (7, |n| n * (n - 1) / 2),
        (8, |n| n),
    ] {
        // There are three arrays of each size.
        let expected: Vec<_> = sizes.iter().flat_map(|n| [(*n, count(*n)); 3]).collect();
        assert_eq!(counts.pairs("n", &line(number)), expected, "line {number}");
    }
}

fn has_the_papers_clusters(findings: &Value) {
    let clusters = findings["clusters"].as_array().unwrap();
    assert_eq!(clusters.len(), 3);
    assert_eq!(member_lines(&clusters[0]), [4, 5, 7]);
    assert_eq!(member_lines(&clusters[1]), [6]);
    assert_eq!(member_lines(&clusters[2]), [2, 3, 8]);
    assert_eq!(clusters[2]["representative"]["kind"], "feature");
    assert_eq!(clusters[2]["representative"]["name"], "n");
}

#[test]
fn the_quick_demo_finds_the_papers_three_clusters_and_counts() {
    let bench = Bench::new();
    let ran =
        bench.run(["demo", "--quick"]).succeeds().shows(&["bubble_sort.c:4", "1.5·n^2 − 0.5·n", "report:"]);
    assert!(ran.stdout.contains("n from 60 to 8,000"));

    let study = ["trend-prof-demo/bubble_sort.trend"];
    let findings = bench.findings(&study);
    has_the_papers_clusters(&findings);
    has_exact_counts(&bench.counts(&study), &[60, 200, 500, 1000, 2000, 4000, 8000]);

    // The fit to 1.5n² − 0.5n at the seven sizes; numpy gives this value.
    let compares = &findings["clusters"][0]["models"][0]["power_law"];
    assert!((compares["a"].as_f64().unwrap() - 1.488_204).abs() < 1e-6);
    assert!((compares["b"].as_f64().unwrap() - 2.000_986).abs() < 1e-6);
    // Ties save few swaps while the arrays are small.
    assert_between(exponent(&findings["clusters"][1]), 1.96, 2.0);
    assert_between(exponent(cluster(&findings, "n")), 0.995, 1.005);

    let page = bench.read("trend-prof-demo/bubble_sort.html");
    assert!(page.starts_with("<!doctype html>") || page.starts_with("<!DOCTYPE html>"), "{}", &page[..80]);
}

#[test]
fn the_whole_demo_finds_the_papers_exponents() {
    let bench = Bench::new();
    bench.run(["demo", "here"]).succeeds();
    let study = ["here/bubble_sort.trend"];
    let findings = bench.findings(&study);
    has_the_papers_clusters(&findings);
    let sizes = [60, 200, 500, 1000, 2000, 4000, 8000, 15_000, 30_000, 60_000];
    has_exact_counts(&bench.counts(&study), &sizes);

    let compares = &findings["clusters"][0]["models"][0]["power_law"];
    assert!((compares["a"].as_f64().unwrap() - 1.491_842).abs() < 1e-6);
    assert!((compares["b"].as_f64().unwrap() - 2.000_587).abs() < 1e-6);
    assert_between(exponent(&findings["clusters"][1]), 1.90, 1.96);
    assert_between(exponent(cluster(&findings, "n")), 0.995, 1.005);
}

#[test]
fn the_demo_of_routines_finds_the_size_of_the_array_and_the_square() {
    if !can_probe("the demo of routines") {
        return;
    }
    let bench = Bench::new();
    bench.run(["demo", "--quick", "--probe", "routines"]).succeeds().shows(&[
        "bubble_sort",
        "n^2",
        "report:",
    ]);
    let findings = bench.findings(&["trend-prof-demo/bubble_sort.trend"]);
    let series = findings["series"].as_array().unwrap();
    let sort = series.iter().find(|s| s["name"] == "bubble_sort").unwrap();
    assert_eq!((&sort["sizes"], &sort["count"]), (&json!(7), &json!(21)));
    assert_eq!(sort["worst"]["models"][0]["growth"]["verdict"], "n^2");
    // `bubble_sort` reads only the array, so its input sizes are the numbers of elements.
    let exported = bench.run(["export", "aprof", "trend-prof-demo/bubble_sort.trend"]).succeeds().stdout;
    for n in [60, 200, 500, 1000, 2000, 4000, 8000] {
        assert!(exported.lines().any(|line| line.starts_with(&format!("p 0 {n} "))), "{n}: {exported}");
    }
}

#[test]
fn a_folder_that_is_there_is_not_overwritten() {
    let bench = Bench::new();
    bench.write("here/main.c", "mine");
    bench.run(["demo", "--quick", "here"]).refuses(&["here"]).hints(&["demo FOLDER"]);
    assert_eq!(bench.read("here/main.c"), "mine");
}
