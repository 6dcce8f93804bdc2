//! `trend-prof try`: builds, runs and answers in one command. Also `grow`, which makes its inputs.

use crate::bench::Bench;

const SQUARE: &str = "#include <stdlib.h>\nstatic long work(long n) {\n    long sum = 0;\n    for (long i = 0; i < n; i++)\n        \
for (long j = 0; j < i; j++)\n            sum += j;\n    return sum;\n}\nint main(int c, char **v) { return work(atol(v[1])) == -1; }\n";

#[test]
fn one_command_builds_chooses_sizes_and_answers() {
    let bench = Bench::new();
    bench.write("work.c", SQUARE);
    let ran = bench.run(["try", "--budget", "6s", "--", "./work", "{n}"]).succeeds();
    ran.says(&["instrumented 1 compilation", "n from 4 to ", "trend-prof init -- ./work {n}"]);
    let findings = bench.findings(&[]);
    assert_eq!(findings["total"]["models"][0]["growth"]["verdict"], "n^2");
    assert!(findings["workloads"]["count"].as_u64().unwrap() >= 10);
    assert!(!bench.path("trend-prof.toml").exists());
    // The second call reuses all runs.
    let before = findings["workloads"]["count"].clone();
    bench.run(["try", "--budget", "6s", "--", "./work", "{n}"]).succeeds();
    assert!(bench.findings(&[])["workloads"]["count"].as_u64() >= before.as_u64());
}

#[test]
fn an_exponential_is_found_although_larger_sizes_never_end() {
    let bench = Bench::new();
    bench.write(
        "fib.c",
        "#include <stdlib.h>\nstatic long fib(long n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }\n\
         int main(int c, char **v) { return fib(atol(v[1])) == -1; }\n",
    );
    bench.run(["try", "--budget", "8s", "--", "./fib", "{n}"]).succeeds();
    let findings = bench.findings(&[]);
    assert_eq!(findings["total"]["models"][0]["growth"]["verdict"], "1.62^n");
    assert!(findings["features"][0]["max"].as_f64().unwrap() < 64.0);
}

#[test]
fn inputs_are_made_out_of_one() {
    let bench = Bench::new();
    bench.write(
        "count.c",
        "#include <stdio.h>\nint main(int c, char **v) {\n    FILE *f = fopen(v[1], \"r\");\n    long lines = 0;\n    int x;\n    \
         while ((x = getc(f)) != EOF)\n        lines += x == '\\n';\n    return lines == 0;\n}\n",
    );
    bench.write("seed.txt", "one line\nand another\n".repeat(50));
    let ran =
        bench.run(["try", "--budget", "5s", "--grow", "seed.txt", "--", "./count", "{input}"]).succeeds();
    ran.says(&["trend-prof init --grow seed.txt -- ./count {input}"]);
    let findings = bench.findings(&[]);
    let bytes = &findings["total"]["models"][0];
    assert_eq!((&bytes["feature"], &bytes["growth"]["verdict"]), (&"bytes".into(), &"n".into()));
    // `init` configures the same inputs.
    bench
        .run(["init", "--grow", "none.txt", "--", "./count", "{input}"])
        .refuses(&["none.txt: no such file"]);
    bench
        .run(["try", "--study", "other.trend", "--grow", "seed.txt", "--", "./count", "seed.txt"])
        .refuses(&["the command names the file seed.txt"])
        .hints(&["write `{input}` instead of seed.txt"]);
    bench.run(["init", "--grow", "seed.txt", "--", "./count", "{input}"]).succeeds().says(&["next: "]);
    let written = bench.read("trend-prof.toml");
    assert!(
        written.contains("generate = [\"trend-prof\", \"grow\", \"seed.txt\", \"{percent}\"]"),
        "{written}"
    );
    let binary = format!("\"{}\"", env!("CARGO_BIN_EXE_trend-prof"));
    bench.replace("trend-prof.toml", "\"trend-prof\", \"grow\"", &format!("{binary}, \"grow\""));
    bench.run(["run", "--no-build", "--no-time", "--study", "grown.trend"]).succeeds();
    assert_eq!(bench.findings(&["grown.trend"])["workloads"]["count"], 12);
    let grown = bench.run(["grow", "seed.txt", "250"]).succeeds().stdout;
    assert_eq!(grown.lines().count(), 250);
}

#[test]
fn a_script_that_starts_a_program_with_counters_needs_no_valgrind() {
    let bench = Bench::new();
    bench.write("work.c", SQUARE);
    bench.run(["build", "--", "cc", "-O1", "-g", "-o", "work", "work.c"]).succeeds();
    bench.write("start.sh", "#!/bin/sh\nexec ./work \"$1\"\n");
    bench.shell("chmod +x start.sh");
    for (study, command) in
        [("a.trend", &["./start.sh", "{n}"][..]), ("b.trend", &["sh", "-c", "./work {n}"])]
    {
        let words = ["try", "--no-build", "--budget", "3s", "--study", study, "--"];
        bench.run(words.iter().chain(command)).succeeds();
        let findings = bench.findings(&[study]);
        assert_eq!(findings["unit"], "executions");
        assert_eq!(findings["total"]["models"][0]["growth"]["verdict"], "n^2");
    }
}

#[test]
fn what_cannot_be_tried_says_what_is_missing() {
    let bench = Bench::new();
    bench.run(["try"]).refuses(&["no size to vary"]).hints(&["try -- ./program {n}"]);
    bench
        .run(["try", "--", "./none", "{n}"])
        .refuses(&["`./none` was not found"])
        .hints(&["trend-prof build"]);
    bench.run(["try", "--", "./none", "{n}", "{k}"]).refuses(&["{n}, {k}"]).hints(&["--param k=10"]);
    bench.write("meson.build", "project('none', 'c')");
    bench
        .run(["try", "--no-build", "--", "./none", "{n}"])
        .refuses(&["`./none` was not found, and the build was skipped"])
        .hints(&["omit `--no-build`", "meson setup build-trend"]);
    bench.shell("rm meson.build");
    bench.run(["try", "--param", "m=3", "--", "./none", "{n}"]).refuses(&["the command contains no {m}"]);
    bench.write("work.c", SQUARE);
    let ran = bench.run(["try", "--budget", "3s", "--", "./work", "{n}", "--param"]);
    assert!(ran.code == 0, "{}", ran.stderr);
    bench.write("fails.sh", "echo too bad >&2; exit 3");
    let ran = bench.run(["try", "--study", "f.trend", "--no-build", "--", "sh", "fails.sh", "{n}"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    ran.says(&["too bad", "no run succeeded"]);
}

#[test]
fn no_run_begins_after_the_budget() {
    let bench = Bench::new();
    let log = bench.path("log");
    let source = SQUARE.replace(
        "int main(int c, char **v) {",
        &format!(
            "#include <stdio.h>\n#include <time.h>\nint main(int c, char **v) {{\n    struct timespec t;\n    \
             clock_gettime(CLOCK_MONOTONIC, &t);\n    FILE *log = fopen(\"{}\", \"a\");\n    \
             fprintf(log, \"%ld\\n\", t.tv_sec * 1000 + t.tv_nsec / 1000000);\n    fclose(log);\n   ",
            log.display()
        ),
    );
    bench.write("work.c", source);
    bench.run(["try", "--budget", "4s", "--", "./work", "{n}"]).succeeds();
    let begun: Vec<u64> = bench.read("log").lines().map(|line| line.parse().unwrap()).collect();
    assert!(begun.len() > 3, "{begun:?}");
    assert!(begun[begun.len() - 1] - begun[0] < 4_000, "{begun:?}");
}
