//! Cargo projects and clang's source-based coverage: from the build to the findings.

use std::fs;

use crate::bench::{Bench, assert_between, cluster, exponent, is_installed, repository, skipped};

fn dedup() -> Bench {
    let bench = Bench::new();
    let example = repository().join("examples/rust-dedup");
    for file in ["Cargo.toml", "src/main.rs"] {
        bench.write(file, fs::read(example.join(file)).unwrap());
    }
    let script = example.join("inputs.sh").canonicalize().unwrap();
    bench.shell(&script.to_string_lossy());
    bench
}

#[test]
fn a_quadratic_loop_of_a_cargo_project_is_found_in_three_commands() {
    let bench = dedup();
    bench.run(["init"]).succeeds();
    bench.run(["run"]).succeeds();
    let findings = bench.findings(&[]);
    let scan = &findings["clusters"][0];
    assert_between(exponent(scan), 1.98, 2.02);
    assert_eq!(scan["representative"]["name"], "src/main.rs:19:9");
    assert_eq!(scan["members"][0]["function"], "dedup::knows");
    cluster(&findings, "bytes");
    // The default target folder stays untouched.
    assert!(!bench.path("target/release/dedup").exists());
    // All runs are recorded, so nothing is built.
    let again = bench.run(["run"]).succeeds();
    assert!(
        again.stderr.contains("12 recorded before") && !again.stderr.contains("building"),
        "{}",
        again.stderr
    );
}

#[test]
fn a_changed_cargo_project_is_another_build() {
    let bench = dedup();
    bench.run(["init"]).succeeds();
    bench.run(["run"]).succeeds();
    bench.replace(
        "src/main.rs",
        "let mut length = 0;",
        "let mut length = 0; if words.len() == 7 { return 7; }",
    );
    bench.run(["run"]).succeeds().says(&["every workload runs again", "dedup.trend.earlier"]);
}

#[test]
fn a_rust_program_is_counted_however_it_ends() {
    let bench = dedup();
    let leave = "let words = unique(&text); if words.len() > 5000 { std::process::abort(); }\n    if words.len() > 3000 { unsafe { leave(0) } }";
    bench.replace("src/main.rs", "let words = unique(&text);", leave);
    bench.replace(
        "src/main.rs",
        "fn main() {",
        "unsafe extern \"C\" { #[link_name = \"_exit\"] fn leave(code: i32) -> !; }\n\nfn main() {",
    );
    bench.run(["init"]).succeeds();
    let ran = bench.run(["run"]).ends_with(1);
    assert!(ran.stderr.contains("SIGABRT") && ran.stderr.contains("exit-codes = [0, 134]"), "{}", ran.stderr);
    bench.replace("trend-prof.toml", "# exit-codes = [0]", "exit-codes = [0, 134]");
    bench.run(["run"]).succeeds();
    let findings = bench.findings(&[]);
    assert_eq!(findings["workloads"]["count"], 12);
    assert_between(exponent(&findings["clusters"][0]), 1.98, 2.02);
}

#[test]
fn clang_counts_with_either_kind_of_counters() {
    if !is_installed("clang-22") {
        return skipped("clang's source-based coverage", "clang-22 is not installed");
    }
    let source = "#include <stdlib.h>\nint main(int c, char **v) {\n  long n = atol(v[1]), s = 0;\n  for (long i = 0; i < n; i++)\n    for (long j = 0; j < n; j++)\n      s += i ^ j;\n  return s == 42;\n}\n";
    let flags = "-fprofile-instr-generate -fcoverage-mapping";
    for (option, line) in [
        ("llvm", "clang-22 -O1 -o program main.c".to_owned()),
        ("gcov", format!("clang-22 -O1 {flags} -o program main.c")),
    ] {
        let bench = Bench::new();
        bench.write("main.c", source);
        bench.run(["build", "--counters", option, "--", &line]).succeeds();
        assert!(!bench.path("main.gcno").exists());
        bench.configure("[program]\ncommand = [\"./program\", \"{n}\"]\n[workloads]\nparameters = { n = \"10..1000 x12\" }\n");
        bench.run(["run"]).succeeds();
        let findings = bench.findings(&[]);
        assert_between(exponent(&findings["clusters"][0]), 1.99, 2.01);
        assert!(findings["clusters"][0]["representative"]["name"].as_str().unwrap().starts_with("main.c:"));
    }
}
