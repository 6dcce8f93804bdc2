//! `#[grows("<= n log n")]`: tests of a real cargo project, run by `cargo test` and by nextest.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::bench::{Bench, Ran, is_installed, repository, skipped};

const LIBRARY: &str = r#"
/// Linear, unless the feature makes it quadratic.
pub fn work(n: usize) -> usize {
    let mut sum = 0;
    for i in 0..n {
        let inner = if cfg!(feature = "square") { n } else { 1 };
        for j in 0..inner {
            sum ^= i * j;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use trend_prof_test::grows;

    #[grows("<= n")]
    fn honest(n: usize) {
        std::hint::black_box(super::work(n));
    }

    #[grows("<= n log n")]
    fn quadratic(n: usize) {
        for i in 0..n {
            std::hint::black_box(super::work(i));
        }
    }

    #[grows("<= n log n", sizes = "100,200,400")]
    fn undecided(n: usize) {
        std::hint::black_box(super::work(n));
    }

    #[grows("<= n log n", sizes = "100,200,400", allow_undecided)]
    fn undecided_and_allowed(n: usize) {
        std::hint::black_box(super::work(n));
    }

    fn sorted(n: usize) -> Vec<usize> {
        let mut list = Vec::new();
        for i in 0..n {
            list.push(2 * i);
        }
        list
    }

    #[grows("<= log n", setup = sorted)]
    fn lookup(list: &[usize]) -> Result<(), String> {
        let (mut low, mut high) = (0, list.len());
        while low < high {
            let middle = (low + high) / 2;
            if list[middle] < 3 { low = middle + 1 } else { high = middle }
        }
        if low == 2 { Ok(()) } else { Err(format!("found {low}")) }
    }

    #[grows("<= n")]
    fn too_large(n: usize) {
        assert!(n < 1000, "there is no room for {n}");
        std::hint::black_box(super::work(n));
    }

    #[grows("<= n", sizes = "100..2000x8")]
    fn too_large_at_given_sizes(n: usize) {
        assert!(n < 1000, "there is no room for {n}");
        std::hint::black_box(super::work(n));
    }

    #[grows("<= fast")]
    fn unreadable(n: usize) {
        std::hint::black_box(n);
    }
}
"#;

const INTEGRATION: &str = r#"
use trend_prof_test::grows;

#[grows("<= n", sizes = "100..10000x10")]
fn work(n: usize) {
    std::hint::black_box(sample::work(n));
}
"#;

/// Creates a package with growth tests.
fn sample() -> Bench {
    let bench = Bench::new();
    let dependency = repository().join("crates/trend-prof-test").canonicalize().unwrap();
    bench.write(
        "Cargo.toml",
        format!(
            "[package]\nname = \"sample\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[features]\nsquare = []\n\
             [dev-dependencies]\ntrend-prof-test = {{ path = '{}' }}\n[workspace]\n",
            dependency.display()
        ),
    );
    // Use the locked versions of this repository, which are already downloaded.
    fs::copy(repository().join("Cargo.lock"), bench.path("Cargo.lock")).unwrap();
    bench.write("src/lib.rs", LIBRARY);
    bench.write("tests/far-away.rs", INTEGRATION);
    bench
}

fn cargo(bench: &Bench, words: &[&str], trend_prof: &Path) -> Ran {
    let mut command = Command::new("cargo");
    command.args(words).current_dir(bench.folder()).env("TREND_PROF", trend_prof);
    command.env("CARGO_NET_OFFLINE", "true").env_remove("CARGO_TARGET_DIR").env_remove("NEXTEST_PROFILE");
    Ran::from(command.output().unwrap())
}

#[test]
fn cargo_test_and_nextest_judge_the_work_of_functions() {
    let bench = sample();
    let trend_prof = Path::new(env!("CARGO_BIN_EXE_trend-prof"));
    let ran = cargo(&bench, &["test", "--lib", "--no-fail-fast"], trend_prof).ends_with(101);
    let expected = [
        ("honest", "ok"),
        ("quadratic", "FAILED"),
        ("undecided", "FAILED"),
        ("undecided_and_allowed", "ok"),
        ("lookup", "ok"),
        ("too_large", "ok"),
        ("too_large_at_given_sizes", "FAILED"),
        ("unreadable", "FAILED"),
    ];
    let ran = ran.shows(
        &expected.map(|(name, end)| format!("test tests::{name} ... {end}")).each_ref().map(String::as_str),
    );
    let ran = ran.shows(&[
        "tests::quadratic does not grow as `<= n log n`:",
        "broken the whole program grows as n^2",
        "trend-prof show",
        "undecided whether tests::undecided grows as `<= n log n`",
        "was run at only 3 sizes, too few or too similar",
        "work grows as n^2",
        "cannot say how tests::too_large_at_given_sizes grows",
        "there is no room for",
        "#[grows(\"<= n\", sizes = \"100..10000x10\")]",
        "`fast` is not a growth class",
    ]);
    // `show` accepts the study that the message names.
    let study = ran.stdout.split("trend-prof show ").nth(1).unwrap().split('`').next().unwrap();
    let shown = bench.run(["show", study]).succeeds();
    shown.shows(&["sample::"]);

    if is_installed("cargo-nextest") {
        let words = ["nextest", "run", "--lib", "--no-fail-fast", "--color", "never"];
        let ran = cargo(&bench, &words, trend_prof).ends_with(100);
        let ran = ran.says(&["8 tests run: 4 passed", "4 failed"]);
        for (name, end) in expected {
            let end = if end == "ok" { "PASS" } else { "FAIL" };
            let is_result =
                |line: &str| line.trim_start().starts_with(end) && line.ends_with(&format!(" tests::{name}"));
            assert!(ran.stderr.lines().any(is_result), "no {end} of {name} in\n{}", ran.stderr);
        }
    } else {
        skipped("nextest", "cargo-nextest is not installed");
    }

    // An integration test, which is built with the enabled features.
    cargo(&bench, &["test", "--test", "far-away"], trend_prof).succeeds().shows(&["test work ... ok"]);
    let square = ["test", "--test", "far-away", "--features", "square"];
    cargo(&bench, &square, trend_prof).ends_with(101).shows(&["the whole program grows as n^2"]);

    let missing = cargo(&bench, &["test", "--test", "far-away"], Path::new("/nowhere/trend-prof"));
    missing
        .ends_with(101)
        .shows(&["there is no /nowhere/trend-prof", "cargo install --path crates/trend-prof"]);
}
