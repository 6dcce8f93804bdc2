//! `trend-prof calibrate`: constants of a machine, and predicted times from formulas.

use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::bench::{Bench, Ran};

/// Steps of a random generator, each of which depends on the previous one.
const STEPS: &str = "static unsigned long steps(unsigned long x, unsigned long n) {\n    \
    while (n--)\n        x = x * 6364136223846793005u + 1442695040888963407u ^ x >> 29;\n    return x;\n}\n";

const PROGRAM: &str = "#include <stdlib.h>\n#include \"steps.h\"\nint main(int c, char **v) {\n    \
    return steps(c, 1000 * strtoul(v[1], 0, 10)) == 42;\n}\n";

const WORKER: &str = "#include \"trend_fragment.h\"\n#include \"steps.h\"\n\
static void step(trend_run *run) {\n    unsigned long x = 1;\n    while (trend_begin(run)) {\n        \
    x = steps(x, 1000 * run->repetitions);\n        trend_end(run, run->repetitions);\n    }\n    \
    trend_black_hole(&x);\n}\n\
static void ten(trend_run *run) {\n    unsigned long x = 1;\n    while (trend_begin(run)) {\n        \
    x = steps(x, 10 * run->elements);\n        trend_end(run, run->elements);\n    }\n    \
    trend_black_hole(&x);\n}\n\
int main(int c, char **v) {\n    static const trend_experiment all[] = {{\"step\", 0, step}, {\"ten\", 64, ten}};\n    \
    return trend_experiments(c, v, all, 2);\n}\n";

/// Creates a program that does `n` thousand steps, its experiments, and a formula for its time.
fn bench() -> Bench {
    let bench = Bench::new();
    let header = bench.run(["calibrate", "--header"]).succeeds().stdout;
    for (name, text) in [
        ("trend_fragment.h", header.as_str()),
        ("steps.h", STEPS),
        ("work.c", PROGRAM),
        ("experiments.c", WORKER),
        ("a.formulas", "# The whole.\nwork(x) = x*step\n"),
        ("b.formulas", "seconds = work(n)\n"),
    ] {
        bench.write(name, text);
    }
    bench.shell(
        "cc -O1 -Wall -Wextra -Werror -pedantic -std=gnu99 -Wno-parentheses -o experiments experiments.c",
    );
    bench.configure(
        "[program]\ncommand = [\"./work\", \"{n}\"]\n\
         [workloads]\nparameters = { n = [5000, 8000, 12000, 20000, 32000, 50000, 80000] }\n\
         [fragments]\nworker = \"./experiments\"\nformulas = [\"a.formulas\", \"b.formulas\"]\n",
    );
    bench
}

const QUICK: [&str; 5] = ["calibrate", "--least", "2ms", "--largest", "64KiB"];

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

#[test]
fn constants_and_formulas_say_how_long_a_program_takes_here_and_elsewhere() {
    let bench = bench();
    bench.run(["build", "--", "cc", "-O1", "-o", "work", "work.c"]).succeeds();
    bench.run(["run"]).succeeds();
    let json = [&QUICK[..], &["--format", "json"]].concat();
    // Try several times: on a busy machine, fewer than half of the measurements may agree.
    let calibrated = (0..10).map(|_| bench.run(&json).succeeds());
    let is_whole = |calibration: &Ran| {
        calibration.json()["machine"]["constant"].as_array().is_some_and(|c| c.len() == 2)
    };
    assert!(calibrated.into_iter().any(|calibration| is_whole(&calibration)));
    // A second call measures nothing.
    let calibration = bench.run(&json).says(&["2 constants in machine.toml are up to date"]).json();
    bench.run(QUICK).shows(&["Time per execution", "step", " KiB", "timed run", "n=80000"]);
    let schema = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/calibration.schema.json");
    let schema: Value = serde_json::from_str(&std::fs::read_to_string(schema).unwrap()).unwrap();
    jsonschema::validate(&schema, &calibration).unwrap();
    let constants = calibration["machine"]["constant"].as_array().unwrap();
    let constant = |name: &str| constants.iter().find(|constant| constant["name"] == name).unwrap();
    let seconds = |name: &str| number(&constant(name)["at"].as_array().unwrap().last().unwrap()["seconds"]);
    // `step` counts 1000 steps and `ten` counts 10, so the ratio is about 100 on any machine.
    let ratio = seconds("step") / seconds("ten");
    assert!((50.0..200.0).contains(&ratio), "{ratio}: {constants:?}");
    let runs = calibration["runs"].as_array().unwrap();
    assert!(!runs.is_empty(), "{calibration}");
    for run in runs {
        let ratio = number(&run["predicted"]["seconds"]) / number(&run["measured"]);
        // The machine may be busy, so the limit is wider than the paper's 1.5.
        assert!((0.4..2.5).contains(&ratio), "{run}");
        let times = &run["predicted"]["parts"][0]["times"];
        assert_eq!(format!("n={times:.0}", times = number(times)), run["workload"].as_str().unwrap());
    }

    let predict = ["predict", "n=1e6", "--format", "json"];
    let here = bench.run(predict).succeeds().json()["fragments"].clone();
    assert!((number(&here["seconds"]) / (1e6 * seconds("step")) - 1.0).abs() < 1e-9, "{here}");
    bench
        .run(["show"])
        .succeeds()
        .shows(&["By formulas and the constants of ", "largest parts: step 100.0 %"]);
    // A machine file from another computer.
    let machine = bench.read("machine.toml");
    let [step, ..] = ["low", "seconds", "high"].map(|key| {
        let line = machine.lines().find(|line| line.starts_with(&format!("{key} = "))).unwrap();
        line.to_owned()
    });
    assert!(step.starts_with("low"), "{machine}");
    let slower: String = machine.lines().fold(String::new(), |text, line| {
        let scaled = ["low = ", "seconds = ", "high = "]
            .iter()
            .find_map(|key| line.strip_prefix(key).map(|v| (key, v)));
        match scaled {
            Some((key, value)) => text + &format!("{key}{:e}\n", 100.0 * value.parse::<f64>().unwrap()),
            None => text + line + "\n",
        }
    });
    bench.write("slow.toml", slower);
    let there = bench.run([&predict[..], &["--machine", "slow.toml"]].concat()).succeeds().json();
    let there = &there["fragments"];
    assert!((number(&there["seconds"]) / number(&here["seconds"]) / 100.0 - 1.0).abs() < 1e-9, "{there}");
}

#[test]
fn what_is_wrong_with_formulas_machines_and_experiments_is_said_with_its_place() {
    let bench = bench();
    bench.write("b.formulas", "seconds = work(n)\n  + 2*(n\n");
    bench.run(QUICK).refuses(&["b.formulas:2:9: expected `)`, not the end"]);
    bench.write("b.formulas", "seconds = work(n) + jump\n");
    bench.run(["build", "--", "cc", "-O1", "-o", "work", "work.c"]).succeeds();
    bench.run(["run"]).succeeds();
    let unknown = bench.run(QUICK).refuses(&["b.formulas:1:21: `jump` is unknown"]);
    unknown.hints(&["constants: step, ten; features: n"]);
    // The study keeps the formulas, and `show` reports why they give no time.
    bench.run(["show"]).succeeds().shows(&["the formulas, line 3, column 21: `jump` is unknown"]);
    bench.run([&QUICK[..], &["--only", "stepp"]].concat()).refuses(&["no experiment `stepp`"]);
    bench.replace("machine.toml", "low = ", "low = 1");
    bench.run(QUICK).refuses(&["machine.toml: constant `step` at 0 bytes has", "which is not an interval"]);
    bench.write("machine.toml", "schema = \"trend-prof/machine/9\"\n");
    bench.run(QUICK).refuses(&["machine.toml: its schema is `trend-prof/machine/9`, but this"]);
    bench
        .run(["predict", "n=1e6", "--machine", "machine.toml"])
        .refuses(&["machine.toml: its schema is `trend-prof/machine/9`"]);
    bench.run(["predict", "n=1e6", "--machine", "nowhere.toml"]).refuses(&["failed to read nowhere.toml"]);

    let worker = |script: &str| {
        bench.write("fake", format!("#!/bin/sh\n{script}\n"));
        bench.shell("chmod +x fake");
        bench.run(["calibrate", "-o", "fake.toml", "--least", "1ms", "--", "./fake"])
    };
    bench
        .run(["calibrate", "-o", "no.toml", "--", "./nothing"])
        .refuses(&["cannot start", "nothing"])
        .hints(&["build it first"]);
    worker("echo hello").refuses(&["./fake list: did not print `trend-fragment 1` first"]);
    worker("echo oh no >&2; exit 3").refuses(&["./fake list: ended with exit code 3: oh no"]);
    worker("echo trend-fragment 1; echo 'a;b 1'").refuses(&["`a;b` is not a constant name"]);
    worker("echo trend-fragment 1; echo 'a 0'; echo 'a 0'").refuses(&["lists `a` twice"]);
    worker("kill -9 $$").refuses(&["./fake list: was killed by signal 9"]);
    // A failing experiment does not prevent the measurement of the others.
    let one = "echo trend-fragment 1; case $1 in list) echo 'a 0'; echo 'b 0';; a) echo 1 many 2;; \
               b) for i in 1 2 3 4 5; do echo 1 1000 1000; done;; esac";
    worker(one).succeeds().says(&["a: ./fake a 1 ", "printed `1 many 2`", "it has no constant"]);
    let kept = bench.read("fake.toml");
    assert!(kept.contains("name = \"b\"") && !kept.contains("name = \"a\""), "{kept}");
    bench.run(["calibrate", "-o", "-", "--", "./fake"]).refuses(&["--output -"]);
    // A program whose measurements never agree gets no constant but a warning.
    let scattered: Vec<String> = (0..8).map(|i| format!("echo 1 1000 {}", 1000 << i)).collect();
    let scattered = format!("[ $1 = list ] && echo 'a 0' || {{ {}; }}", scattered.join("; "));
    let none = worker(&format!("echo trend-fragment 1; {scattered}")).succeeds();
    none.says(&["a: the measurements differ too much; it has no constant"]);
    assert!(!bench.read("fake.toml").contains("name = \"a\""));
}

#[test]
fn a_calibration_that_is_killed_keeps_what_it_has() {
    let bench = bench();
    let mut command =
        bench.command(["calibrate", "--least", "2ms", "--largest", "1GiB", "--", "./experiments"]);
    let mut child =
        command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null()).spawn().unwrap();
    let begin = Instant::now();
    while !bench.path("machine.toml").exists() && begin.elapsed() < Duration::from_mins(1) {
        sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let kept = bench.read("machine.toml");
    assert!(kept.contains("name = \"step\""), "{kept}");
    let ended = bench.run([
        "calibrate",
        "--least",
        "2ms",
        "--largest",
        "1GiB",
        "--only",
        "step",
        "--",
        "./experiments",
    ]);
    ended.succeeds();
    assert_eq!(
        bench.read("machine.toml").lines().find(|l| l.starts_with("seconds")),
        kept.lines().find(|l| l.starts_with("seconds"))
    );
}
