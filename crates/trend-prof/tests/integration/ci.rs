//! The script that jobs of continuous integration call.

use std::process::Command;

use crate::bench::{Bench, Ran};

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
    assert!(ran.stdout.contains("the one expectation holds"), "{}", ran.stdout);
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
