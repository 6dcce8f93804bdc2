//! `trend-prof diff`: compares two studies, and two revisions of a repository.

use std::fmt::Write as _;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use base64::Engine as _;
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
    for words in
        ["Regressed. At n = 512,000:", "Grows faster: line: n → n^2.", "1 function exactly unchanged."]
    {
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
        .refuses(&["`m` is not a feature of both studies"]);
    bench.run(["diff", "old.trend", "gone.trend"]).refuses(&["gone.trend"]);
    bench.run(["diff", "old.trend"]).ends_with(2);
    let ran = bench.run(["diff", "old.trend", "old.trend"]).succeeds();
    assert!(ran.stdout.contains("2 functions exactly unchanged."), "{}", ran.stdout);
}

/// Returns the data block of a page.
fn data_of(page: &str) -> Value {
    let (_, rest) = page.split_once("<template id=\"data\">").unwrap();
    let packed = rest.split_once("</template>").unwrap().0;
    let packed = base64::engine::general_purpose::STANDARD.decode(packed).unwrap();
    serde_json::from_reader(flate2::read::GzDecoder::new(packed.as_slice())).unwrap()
}

#[test]
fn a_page_has_the_comparison_with_the_version_before_in_the_words_of_diff() {
    let bench = Bench::new();
    study(&bench, "old", |n| 70 * n);
    study(&bench, "new", |n| 70 * n + 2 * n * n);
    bench.run(["report", "new.trend"]).succeeds();
    assert_eq!(data_of(&bench.read("new.html"))["compare"], Value::Null);
    bench.run(["report", "new.trend", "--before", "old.trend", "--at", "n=7k"]).succeeds();
    let data = data_of(&bench.read("new.html"));
    let compare = &data["compare"];
    assert_eq!(compare["names"], serde_json::json!(["old.trend", "new.trend"]));
    let targets = compare["targets"].as_array().unwrap();
    let sizes: Vec<&Value> = targets.iter().map(|target| &target["comparison"]["at"][0][1]).collect();
    assert_eq!(sizes, [512_000, 51_200, 102_400, 5_120_000, 7_000]);
    for (target, size) in targets.iter().zip(sizes) {
        let at = format!("n={size}");
        let text = bench.run(["diff", "old.trend", "new.trend", "--at", &at]).succeeds().stdout;
        let sentence = |key: &str| -> String {
            target[key].as_array().unwrap().iter().map(|piece| piece["text"].as_str().unwrap()).collect()
        };
        assert!(text.starts_with(&format!("{}\n{}\n", sentence("headline"), sentence("meaning"))), "{text}");
        let json = bench.run(["diff", "old.trend", "new.trend", "--at", &at, "--format", "json"]).json();
        assert_eq!(target["comparison"]["changes"][0]["place"], json["changes"][0]["place"]);
        assert_eq!(target["changes"][0]["what"], "class, exact");
    }
    // The rows are the whole program and the changed function, each before and after.
    let rows = compare["rows"].as_array().unwrap();
    assert_eq!((rows.len(), &rows[1]["place"]["name"]), (2, &"line".into()));
    let (before, sizes) = (&rows[1]["sides"][0], &compare["sizes"][0]);
    let per_size = |i: usize| before["costs"][i].as_f64().unwrap() / sizes[i].as_f64().unwrap();
    assert_eq!(([per_size(0), per_size(9)], &before["law"]["features"][0]), ([70.0, 70.0], &"n".into()));
}

#[test]
fn a_page_is_compared_only_with_what_can_be() {
    let bench = Bench::new();
    study(&bench, "old", |n| n);
    let import = |name: &str, feature: &str, more: &[&str]| {
        bench.write(format!("{name}.csv"), format!("{feature},a.c:3:f\n1,1\n2,2\n3,3\n4,4\n"));
        let (file, study) = (format!("{name}.csv"), format!("{name}.trend"));
        let line = ["import", "csv", &file, "--features", feature, "--study", &study];
        bench.run(line.iter().chain(more)).succeeds();
    };
    import("other", "bytes", &[]);
    for n in [1, 2, 3, 4] {
        let text = format!("events: Ir\nfl=a.c\nfn=f\n3 {n}\ntotals: {n}\n");
        bench.write(format!("cg-{n}.out"), text);
    }
    let files = [1, 2, 3, 4].map(|n| format!("cg-{n}.out"));
    let line = ["import", "callgrind", "--study", "instructions.trend", "--pattern", "cg-(?<n>[0-9]+)"];
    bench.run(line.iter().copied().chain(files.iter().map(String::as_str))).succeeds();
    import("another", "n", &["--program", "another"]);
    let report = |before: &str| bench.run(["report", "old.trend", "--before", before]);
    report("other.trend")
        .refuses(&["no feature in common: before bytes, after n"])
        .hints(&["trend-prof.toml"]);
    report("instructions.trend").refuses(&["different things: instructions before, executions after"]);
    report("another.trend").succeeds().says(&["the studies are for different programs: another and old"]);
    report("gone.trend").refuses(&["gone.trend"]);
}

const MAIN: &str = "#include <stdlib.h>\nstatic long find(long n) {\n    long found = 0;\n    for (long i = 0; i < n; i++)\n        \
found += i;\n    return found;\n}\nint main(int c, char **v) {\n    long n = atol(v[1]), sum = 0;\n    for (long i = 0; i < n; i++)\n        \
sum += find(STEPS);\n    return sum == -1;\n}\n";

fn git(bench: &Bench, line: &str) {
    bench.shell(&format!("git -c user.name=n -c user.email=e@x {line}"));
}

/// Creates a repository with one revision of the program.
fn committed() -> Bench {
    let bench = Bench::new();
    git(&bench, "init -q");
    bench.write("main.c", MAIN.replace("STEPS", "8"));
    git(&bench, "add main.c");
    git(&bench, "commit -q -m one");
    bench
}

#[test]
fn two_revisions_are_built_and_run_and_the_worktree_is_not_touched() {
    let bench = committed();
    bench.write("main.c", MAIN.replace("STEPS", "i"));
    git(&bench, "commit -q -a -m two");
    bench.configure(
        "[program]\nbuild = [\"cc\", \"-O0\", \"-g\", \"-o\", \"prog\", \"main.c\"]\ncommand = [\"./prog\", \"{n}\"]\n\
         [workloads]\nparameters = { n = \"20..2000 x10\" }\n",
    );
    // Uncommitted changes are not used.
    bench.write("main.c", "dirty");
    let ran = bench.run(["diff", "--rev", "HEAD~1..HEAD"]).succeeds();
    assert!(ran.stdout.starts_with("Regressed."), "{}\n{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("find: n → n^2"), "{}", ran.stdout);
    assert_eq!(bench.read("main.c"), "dirty");
    assert!(!bench.path("prog").exists());
    bench.shell("test $(git worktree list | wc -l) = 1");
    bench.run(["diff", "--rev", "HEAD~1..nowhere"]).refuses(&["revision nowhere", "no such commit"]);
    bench.run(["diff", "--rev", "HEAD"]).refuses(&["is not a range"]).hints(&["main..HEAD"]);
    git(&bench, "commit -q -a -m three");
    let ran = bench.run(["diff", "--rev", "HEAD~1..HEAD"]);
    assert_eq!(ran.code, 1);
    ran.says(&["revision HEAD: the build failed ("]);
    bench.shell("test $(git worktree list | wc -l) = 1");
}

/// A program that writes its version and its size into a log, and then works for some 50 ms per unit of its size.
const LOGGING: &str = "#include <stdio.h>\n#include <stdlib.h>\n\
    int main(int argc, char **argv) {\n\
      FILE *log = fopen(\"LOG\", \"a\");\n\
      fprintf(log, \"%s VERSION\\n\", argv[1]);\n\
      fclose(log);\n\
      volatile long sum = 0;\n\
      for (long i = 0; i < 30000000L * atol(argv[1]); i++) sum += i;\n\
      return 0;\n\
    }\n";

#[test]
fn timed_runs_of_two_revisions_take_turns() {
    let bench = Bench::new();
    git(&bench, "init -q");
    let source = LOGGING.replace("LOG", &bench.path("log").to_string_lossy());
    for version in ["old", "new"] {
        bench.write("main.c", source.replace("VERSION", version));
        git(&bench, "add main.c");
        git(&bench, &format!("commit -q -m {version}"));
    }
    // The sizes are so far apart that runs keep their order on a busy machine.
    bench.configure(
        "[program]\nbuild = [\"cc\", \"-O0\", \"-g\", \"-o\", \"prog\", \"main.c\"]\ncommand = [\"./prog\", \"{n}\"]\n\
         [workloads]\nparameters = { n = \"1,3,9\" }\n",
    );
    let json = bench.run(["diff", "--rev", "HEAD~1..HEAD", "--format", "json"]).succeeds().json();
    assert_eq!(json["resources"]["seconds"]["workload"], "n=9", "{}", json["resources"]);
    let log = bench.read("log");
    let runs: Vec<(&str, &str)> = log.lines().map(|line| line.split_once(' ').unwrap()).collect();
    // Each version counts at three sizes, and warms up once.
    let (counted, timed) = runs.split_at(2 * 3 + 2);
    assert_eq!(counted.iter().filter(|(_, version)| *version == "old").count(), 4);
    let (first_round, _) = timed.split_at(2 * 3);
    for pair in first_round.chunks(2) {
        assert_eq!(pair[0].0, pair[1].0, "{log}");
        assert_ne!(pair[0].1, pair[1].1, "{log}");
    }
    bench.write("log", "");
    bench.run(["diff", "--rev", "HEAD~1..HEAD", "--no-time"]).succeeds();
    assert_eq!(bench.read("log").lines().count(), 2 * 3);
}

/// A repository with two revisions, whose build waits as long as there is a file `wait`.
fn repository() -> Bench {
    let bench = committed();
    git(&bench, "commit -q --allow-empty -m two");
    let build = format!(
        "touch {0}/begun; while [ -e {0}/wait ]; do sleep 0.05; done; cc -O0 -g -o prog main.c",
        bench.folder().display()
    );
    bench.configure(&format!(
        "[program]\nbuild = [\"sh\", \"-c\", \"{build}\"]\ncommand = [\"./prog\", \"{{n}}\"]\n\
         [workloads]\nparameters = {{ n = \"20..2000 x6\" }}\n"
    ));
    std::fs::create_dir(bench.path("tmp")).unwrap();
    bench
}

fn compare_revisions(bench: &Bench) -> std::process::Command {
    let mut command = bench.command(["diff", "--rev", "HEAD~1..HEAD"]);
    command.env("TMPDIR", bench.path("tmp")).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn is_left(bench: &Bench) -> bool {
    let list = std::process::Command::new("git")
        .args(["worktree", "list", "--porcelain"])
        .current_dir(bench.folder())
        .output()
        .unwrap();
    let worktrees = String::from_utf8(list.stdout).unwrap().matches("worktree ").count();
    let mut left = std::fs::read_dir(bench.path("tmp")).unwrap();
    worktrees != 1 || left.any(|e| e.unwrap().file_name().to_string_lossy().starts_with("trend-prof-diff-"))
}

fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let begin = Instant::now();
    while !is_so() {
        assert!(begin.elapsed() < Duration::from_mins(1), "{what}");
        sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_comparison_of_revisions_leaves_nothing_however_it_ends_and_runs_no_hooks() {
    let bench = repository();
    bench
        .write(".git/hooks/post-checkout", format!("#!/bin/sh\ntouch {}/hooked\n", bench.folder().display()));
    bench.shell("chmod +x .git/hooks/post-checkout");
    for signals in [["KILL", "KILL"], ["TERM", "TERM"]] {
        bench.write("wait", "");
        let mut child = compare_revisions(&bench).spawn().unwrap();
        wait_until("the build never began", || bench.path("begun").exists());
        for signal in signals {
            bench.shell(&format!("kill -{signal} {} || true", child.id()));
            sleep(Duration::from_millis(50));
        }
        child.wait().unwrap();
        wait_until("something is left", || !is_left(&bench));
        std::fs::remove_file(bench.path("begun")).unwrap();
    }
    std::fs::remove_file(bench.path("wait")).unwrap();
    assert!(compare_revisions(&bench).status().unwrap().success());
    assert!(!is_left(&bench) && !bench.path("hooked").exists());
}

#[test]
fn what_a_killed_comparison_left_goes_with_the_next_and_a_worktree_of_the_user_stays() {
    let bench = repository();
    // The state after a power failure: neither the tool nor its cleanup process is running.
    bench.shell("mkdir tmp/trend-prof-diff-1 tmp/trend-prof-diff-2");
    bench.shell(
        "git worktree add -q --detach tmp/trend-prof-diff-1/before && touch tmp/trend-prof-diff-1/lock",
    );
    bench.shell("git worktree add -q --detach tmp/trend-prof-diff-2/mine");
    // A worktree of the user on a disk that is not mounted.
    bench.shell("git worktree add -q --detach tmp/away && mv tmp/away tmp/unmounted");
    assert!(compare_revisions(&bench).status().unwrap().success());
    bench
        .shell("mv tmp/unmounted tmp/away && git -C tmp/away rev-parse HEAD && git worktree remove tmp/away");
    assert!(!bench.path("tmp/trend-prof-diff-1").exists());
    bench.shell("test $(git worktree list | wc -l) = 2 && test -e tmp/trend-prof-diff-2/mine/main.c");
}
