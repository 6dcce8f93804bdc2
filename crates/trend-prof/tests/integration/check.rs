//! `trend-prof check`: exit codes, files and baselines.

use std::fmt::Write as _;

use serde_json::Value;

use crate::bench::Bench;

/// Costs of a square, a line and an open law at eight sizes, as imported data.
fn costs(bench: &Bench, line: impl Fn(u64) -> u64) {
    let noise = [100, 112, 91, 105, 90, 110, 93, 107];
    let mut text = "n,a.c:3:square,a.c:9:line,b.c:4:open\n".to_owned();
    for (i, noise) in noise.iter().enumerate() {
        let n = 100 << i;
        writeln!(text, "{n},{},{},{}", n * n / 2, line(n), (20 * n + n * n / 1600) * noise / 100).unwrap();
    }
    bench.write("costs.csv", text);
    let _ = std::fs::remove_file(bench.path("costs.trend"));
    bench.run(["import", "csv", "costs.csv", "--features", "n", "--study", "costs.trend"]).succeeds();
}

fn imported() -> Bench {
    let bench = Bench::new();
    costs(&bench, |n| 7 * n + 3);
    bench
}

fn expecting(bench: &Bench, function: &str, growth: &str) {
    bench.configure(&format!(
        "[[expect]]\nfunction = \"{function}\"\ngrowth = \"{growth}\"\nfeature = \"n\"\n"
    ));
}

#[test]
fn the_exit_code_is_the_worst_judgement() {
    let bench = imported();
    for (function, growth, code, said) in [
        ("line", "<= n", 0, "the one expectation holds"),
        ("square", "<= n log n", 1, "broken square (a.c) grows as n^2"),
        ("sqare", "<= n", 2, "nearest: `square`"),
        ("open", "<= n", 3, "undecided open (b.c) grows as"),
    ] {
        expecting(&bench, function, growth);
        let ran = bench.run(["check"]);
        assert_eq!(ran.code, code, "{}", ran.stderr);
        assert!(ran.stdout.contains(said), "{}", ran.stdout);
    }
    bench.run(["check", "--allow-undecided"]).succeeds();
}

#[test]
fn of_several_studies_the_one_of_the_configuration_is_checked() {
    let bench = imported();
    std::fs::copy(bench.path("costs.trend"), bench.path("before.trend")).unwrap();
    let expects = "[[expect]]\nfunction = \"line\"\ngrowth = \"<= n\"\nfeature = \"n\"\n";
    bench.configure(expects);
    bench.run(["check"]).refuses(&["there are 2 studies in this folder", "before.trend, costs.trend"]);
    let program = "[program]\nname = \"costs\"\ncommand = [\"./costs\", \"{n}\"]\n[workloads]\nparameters = { n = [1] }\n";
    bench.configure(&format!("{program}{expects}"));
    bench.run(["check"]).succeeds().says(&["using costs.trend, the study of trend-prof.toml"]);
}

#[test]
fn what_cannot_be_read_names_the_file_and_line() {
    let bench = imported();
    expecting(&bench, "line", "<= fast");
    bench.run(["check"]).refuses(&["trend-prof.toml:3", "`fast` is no growth class"]);
    bench.configure("[[expect]]\nfunction = \"line\"\n");
    bench.run(["check"]).refuses(&["trend-prof.toml:1", "no `growth`"]);
    bench.configure("[[expect]]\nnew-code = true\ngrowth = \"n\"\n");
    bench.run(["check"]).refuses(&["new-code"]).hints(&["--save-baseline"]);
    bench.configure("");
    bench.run(["check"]).succeeds().hints(&["[[expect]]"]);
    bench
        .run(["check", "--report", "sarf=x"])
        .refuses(&["none of text, json, markdown, junit, sarif, github"]);
}

#[test]
fn files_for_other_tools_are_written_beside_the_text() {
    let bench = imported();
    expecting(&bench, "square", "<= n");
    let reports = ["json=c.json", "markdown=c.md", "junit=c.xml", "sarif=c.sarif", "github=c.txt"];
    let ran =
        bench.run(["check"].iter().copied().chain(reports.iter().flat_map(|report| ["--report", report])));
    assert_eq!(ran.code, 1);
    let json: Value = serde_json::from_str(&bench.read("c.json")).unwrap();
    let schema = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/check.schema.json");
    let schema: Value = serde_json::from_str(&std::fs::read_to_string(schema).unwrap()).unwrap();
    jsonschema::validate(&schema, &json).unwrap();
    assert_eq!((&json["judgement"], &json["broken"]), (&"broken".into(), &1.into()));
    for (file, words) in [
        ("c.md", "**broken** square (a.c)"),
        ("c.xml", "<failure"),
        ("c.sarif", "\"startLine\": 1"),
        ("c.txt", "::error file=a.c,line=1,"),
    ] {
        assert!(bench.read(file).contains(words), "{file}: {}", bench.read(file));
    }
}

#[test]
fn a_baseline_holds_later_versions_to_what_was() {
    let bench = imported();
    bench.run(["check", "--save-baseline", "growth.json"]).succeeds().says(&["kept in growth.json"]);
    bench.run(["check", "--against", "growth.json"]).succeeds();
    costs(&bench, |n| 7 * n + n * n / 9);
    let ran = bench.run(["check", "--against", "growth.json"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(ran.stdout.contains("broken line (a.c) grows as n^2"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("broken square"), "{}", ran.stdout);
    bench.configure("[[expect]]\nnew-code = true\ngrowth = \"<= n\"\n");
    bench.replace("growth.json", "\"name\": \"square\"", "\"name\": \"older\"");
    let ran = bench.run(["check", "--against", "growth.json"]);
    assert!(ran.stdout.contains("broken square (a.c) grows as n^2"), "{}", ran.stdout);
    bench.write("growth.json", "{\"schema\": 3");
    bench.run(["check", "--against", "growth.json"]).refuses(&["growth.json"]).hints(&["--save-baseline"]);
}
