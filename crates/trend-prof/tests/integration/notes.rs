//! Writes notes with `trend-prof note`, and reads them back in every output.

use crate::bench::{Bench, function};

/// Makes a study of two functions.
fn study(bench: &Bench) {
    let rows = (1..=12).map(|i| {
        let n = 100_u64 << i;
        format!("w{i:02},{n},{},{}\n", 3 * n, n * n)
    });
    let table: String = rows.collect();
    bench.write("counts.csv", format!("workload,n,a.c:1:line,a.c:9:pairs\n{table}"));
    bench.run(["import", "csv", "counts.csv", "--features", "n", "--study", "a.trend"]).succeeds();
}

#[test]
fn a_note_is_shown_with_its_row_until_it_is_removed() {
    let bench = Bench::new();
    study(&bench);
    bench.run(["note", "pairs", "quadratic; fixed in #7"]).succeeds();
    bench.run(["note", "a.trend", "line", "fine"]).succeeds();
    bench.run(["show", "pairs"]).succeeds().shows(&["note: quadratic; fixed in #7"]);
    let findings = bench.findings(&["a.trend"]);
    let notes = ["pairs", "line"].map(|name| function(&findings, name)["note"].as_str());
    assert_eq!(notes, [Some("quadratic; fixed in #7"), Some("fine")]);
    let all = bench.run(["note"]).succeeds();
    assert_eq!(all.stdout, "line: fine\npairs: quadratic; fixed in #7\n");
    assert_eq!(bench.run(["note", "pairs"]).succeeds().stdout, "quadratic; fixed in #7\n");
    bench.run(["note", "pairs", "--remove"]).succeeds();
    assert_eq!(bench.run(["note"]).succeeds().stdout, "line: fine\n");
}

#[test]
fn what_cannot_have_a_note_is_refused_with_a_way_out() {
    let bench = Bench::new();
    study(&bench);
    bench.run(["note", "pear", "x"]).refuses(&["pear", "pairs"]);
    bench.run(["note", "a.trend", "pairs", "too", "many"]).refuses(&["unexpected value", "many"]);
    bench.run(["note", "pairs", "x".repeat(10_001).as_str()]).refuses(&["10000 bytes"]);
    bench.run(["note", "--remove"]).refuses(&["--remove needs the name"]);
    assert_eq!(bench.run(["note"]).succeeds().stdout, "");
}
