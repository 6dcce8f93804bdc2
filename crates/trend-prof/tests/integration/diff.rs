//! `trend-prof diff`: two studies, and two revisions of a repository.

use std::fmt::Write as _;

use serde_json::Value;

use crate::bench::Bench;

fn study(bench: &Bench, name: &str, line: impl Fn(u64) -> u64) {
    let mut text = "workload,n,a.c:3:square,a.c:9:line\n".to_owned();
    for i in 0..10 {
        let n = 100 << i;
        writeln!(text, "n={n},{n},{},{}", n * n / 2, line(n)).unwrap();
    }
    bench.write(format!("{name}.csv"), text);
    let (file, study) = (format!("{name}.csv"), format!("{name}.trend"));
    bench.run(["import", "csv", &file, "--features", "n", "--study", &study]).succeeds();
}

#[test]
fn a_regression_is_found_at_its_function_and_sets_the_exit_code_where_asked() {
    let bench = Bench::new();
    study(&bench, "old", |n| 70 * n);
    study(&bench, "new", |n| 70 * n + 3 * n * n);
    let ran = bench.run(["diff", "old.trend", "new.trend"]).succeeds();
    for words in ["Regressed. At n = 512,000:", "Grows faster: line: n → n^2.", "1 function unchanged."] {
        assert!(ran.stdout.contains(words), "{}", ran.stdout);
    }
    assert_eq!(bench.run(["diff", "--exit-code", "old.trend", "new.trend"]).code, 1);
    bench.run(["diff", "--exit-code", "new.trend", "old.trend"]).succeeds();
    let json = bench.run(["diff", "--format", "json", "old.trend", "new.trend"]).succeeds().json();
    let schema = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/diff.schema.json");
    let schema: Value = serde_json::from_str(&std::fs::read_to_string(schema).unwrap()).unwrap();
    jsonschema::validate(&schema, &json).unwrap();
    assert_eq!(
        (&json["outcome"], &json["changes"][0]["change"]["kind"]["kind"]),
        (&"regressed".into(), &"class".into())
    );
    let markdown = bench.run(["diff", "--format", "markdown", "old.trend", "new.trend"]).succeeds().stdout;
    assert!(markdown.contains("| line | a.c | class |"), "{markdown}");
}

#[test]
fn what_cannot_be_compared_says_why() {
    let bench = Bench::new();
    study(&bench, "old", |n| n);
    bench.write("other.csv", "bytes,a.c:3:f\n1,1\n2,2\n3,3\n4,4\n");
    bench.run(["import", "csv", "other.csv", "--features", "bytes", "--study", "other.trend"]).succeeds();
    bench.run(["diff", "old.trend", "other.trend"]).refuses(&["no feature in common: before n, after bytes"]);
    bench
        .run(["diff", "old.trend", "old.trend", "--feature", "m"])
        .refuses(&["`m` is no feature of both studies"]);
    bench.run(["diff", "old.trend", "gone.trend"]).refuses(&["gone.trend"]);
    bench.run(["diff", "old.trend"]).ends_with(2);
    let ran = bench.run(["diff", "old.trend", "old.trend"]).succeeds();
    assert!(ran.stdout.contains("2 functions unchanged, to the last execution."), "{}", ran.stdout);
}

const MAIN: &str = "#include <stdlib.h>\nstatic long find(long n) {\n    long found = 0;\n    for (long i = 0; i < n; i++)\n        \
found += i;\n    return found;\n}\nint main(int c, char **v) {\n    long n = atol(v[1]), sum = 0;\n    for (long i = 0; i < n; i++)\n        \
sum += find(STEPS);\n    return sum == -1;\n}\n";

#[test]
fn two_revisions_are_built_and_run_and_the_worktree_is_not_touched() {
    let bench = Bench::new();
    let git = |line: &str| bench.shell(&format!("git -c user.name=n -c user.email=e@x {line}"));
    git("init -q");
    bench.write("main.c", MAIN.replace("STEPS", "8"));
    git("add main.c");
    git("commit -q -m one");
    bench.write("main.c", MAIN.replace("STEPS", "i"));
    git("commit -q -a -m two");
    bench.configure(
        "[program]\nbuild = [\"cc\", \"-O0\", \"-g\", \"-o\", \"prog\", \"main.c\"]\ncommand = [\"./prog\", \"{n}\"]\n\
         [workloads]\nparameters = { n = \"20..2000 x10\" }\n",
    );
    // What is not committed is nobody's business.
    bench.write("main.c", "dirty");
    let ran = bench.run(["diff", "--rev", "HEAD~1..HEAD"]).succeeds();
    assert!(ran.stdout.starts_with("Regressed."), "{}\n{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("find: n → n^2"), "{}", ran.stdout);
    assert_eq!(bench.read("main.c"), "dirty");
    assert!(!bench.path("prog").exists());
    bench.shell("test $(git worktree list | wc -l) = 1");
    bench.run(["diff", "--rev", "HEAD~1..nowhere"]).refuses(&["revision nowhere", "no such commit"]);
    bench.run(["diff", "--rev", "HEAD"]).refuses(&["is no range"]).hints(&["main..HEAD"]);
    git("commit -q -a -m three");
    let ran = bench.run(["diff", "--rev", "HEAD~1..HEAD"]);
    assert_eq!(ran.code, 1);
    ran.says(&["revision HEAD: the build ended with"]);
    bench.shell("test $(git worktree list | wc -l) = 1");
}
