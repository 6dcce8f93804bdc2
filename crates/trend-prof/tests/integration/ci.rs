//! The script for continuous integration.

use std::process::Command;

use crate::bench::{Bench, LOOP, Ran};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../ci/check.sh");

fn script(bench: &Bench, variables: &[(&str, &str)]) -> Ran {
    let mut command = Command::new("sh");
    command.arg(SCRIPT).current_dir(bench.folder()).env("TREND_PROF", env!("CARGO_BIN_EXE_trend-prof"));
    command.env_remove("GITHUB_STEP_SUMMARY").env_remove("FOLDER").envs(variables.iter().copied());
    Ran::from(command.output().unwrap())
}

#[test]
fn the_script_ends_as_the_check_does_and_writes_what_github_shows() {
    let bench = Bench::with_loop();
    let expecting = |growth: &str| {
        bench.configure(&format!(
            "[program]\ncommand = [\"./program\", \"{{n}}\"]\n[workloads]\nparameters = {{ n = \"10..5000 x8\" }}\n[[expect]]\n\
             program = true\ngrowth = \"{growth}\"\n"
        ));
    };
    expecting("<= n");
    let ran = script(&bench, &[]).succeeds();
    assert!(ran.stdout.contains("the only expectation holds"), "{}", ran.stdout);
    expecting("<= log n");
    let ran =
        script(&bench, &[("GITHUB_STEP_SUMMARY", "summary.md"), ("SARIF", "growth.sarif"), ("FOLDER", ".")]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(ran.stdout.starts_with("::error file=trend-prof.toml,line=7,"), "{}", ran.stdout);
    assert!(
        bench.read("summary.md").contains("**broken** the whole program grows as n"),
        "{}",
        bench.read("summary.md")
    );
    assert!(bench.read("growth.sarif").contains("\"2.1.0\""));
    assert_eq!(script(&bench, &[("AGAINST", "missing.json")]).code, 2);
}

#[test]
fn a_gate_before_each_push_goes_on_after_the_program_changed() {
    let bench = Bench::new();
    bench.write("main.c", LOOP);
    bench.configure(
        "[program]\nbuild = \"cc -g -o program main.c\"\ncommand = [\"./program\", \"{n}\"]\n[workloads]\n\
         parameters = { n = \"10..5000 x8\" }\n",
    );
    let gate = || {
        bench.run(["run", "--quiet", "--no-time"]).succeeds();
        bench.run(["check", "--against", "growth.json", "--allow-undecided"])
    };
    bench.run(["run", "--quiet", "--no-time"]).succeeds();
    bench.run(["check", "--save-baseline", "growth.json"]).succeeds();
    gate().succeeds();
    // Set the time two seconds ahead: builds detect changed files by their time.
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(2);
    let change = |from: &str, to: &str| {
        bench.replace("main.c", from, to);
        std::fs::File::open(bench.path("main.c")).unwrap().set_modified(later).unwrap();
    };
    change("sum += i", "sum += i & 3");
    gate().succeeds();
    change("sum += i & 3", "for (long j = 0; j < n; j++) sum += i & 3");
    assert_eq!(gate().code, 1);
    assert!(bench.path("program.trend.earlier").exists());
    assert_eq!(script(&bench, &[("AGAINST", "growth.json")]).code, 1);
}
