//! `trend-prof check`: exit codes, files and baselines.

use std::fmt::Write as _;

use serde_json::Value;

use crate::bench::Bench;

/// Imports costs of a quadratic, a linear and an undecided function at eight sizes.
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
    for (function, growth, code, fragment) in [
        ("line", "<= n", 0, "the only expectation holds"),
        ("square", "<= n log n", 1, "broken square (a.c) grows as n^2"),
        ("sqare", "<= n", 2, "nearest: `square`"),
        ("open", "<= n", 3, "undecided open (b.c) grows as something between"),
    ] {
        expecting(&bench, function, growth);
        let ran = bench.run(["check"]);
        assert_eq!(ran.code, code, "{}", ran.stderr);
        assert!(ran.stdout.contains(fragment), "{}", ran.stdout);
    }
    bench.run(["check", "--allow-undecided"]).succeeds();
}

#[test]
fn each_of_several_features_has_the_limit_in_the_runs_that_have_it() {
    let bench = Bench::new();
    let rows = |row_of: fn(u64) -> String| (0..6).map(|i| row_of(100 << i)).collect::<String>();
    let text = ["shown,merged,a.c:3:all\n".to_owned(), rows(|n| format!("{n},,{}\n", 9 * n + 50))];
    bench.write("costs.csv", text.concat() + &rows(|n| format!(",{n},{}\n", n * n)));
    bench
        .run(["import", "csv", "costs.csv", "--features", "shown,merged", "--study", "costs.trend"])
        .succeeds();
    let expects = |limit: &str| {
        format!("[[expect]]\nprogram = true\nfeature = [\"shown\", \"merged\"]\ngrowth = \"{limit}\"\n")
    };
    bench.configure(&expects("<= n"));
    let ran = bench.run(["check"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(ran.stdout.contains("2 expectations, 1 broken"), "{}", ran.stdout);
    assert!(ran.stdout.contains("grows as merged^2"), "{}", ran.stdout);
    bench.configure(&expects("<= n^2"));
    bench.run(["check"]).succeeds();
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
    bench.run(["check"]).refuses(&["trend-prof.toml:3", "`fast` is not a growth class"]);
    bench.configure("[[expect]]\nfunction = \"line\"\n");
    bench.run(["check"]).refuses(&["trend-prof.toml:1", "no `growth`"]);
    bench.configure("[[expect]]\nnew-code = true\ngrowth = \"n\"\n");
    bench.run(["check"]).refuses(&["new-code"]).hints(&["--save-baseline"]);
    bench.configure("");
    bench.run(["check"]).succeeds().hints(&["[[expect]]"]);
    bench
        .run(["check", "--report", "sarf=x"])
        .refuses(&["`sarf`", "text, json, markdown, junit, sarif, github"]);
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
    bench
        .run(["check", "--save-baseline", "growth.json"])
        .succeeds()
        .says(&["kept in growth.json"])
        .hides(&["expectations"]);
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

/// Creates the study `costs.trend` from a table of costs whose first column is the feature.
fn study_of(bench: &Bench, table: &str) {
    bench.write("costs.csv", table);
    let _ = std::fs::remove_file(bench.path("costs.trend"));
    let feature = table.split(',').next().unwrap();
    bench.run(["import", "csv", "costs.csv", "--features", feature, "--study", "costs.trend"]).succeeds();
}

/// Returns a table of one function's costs at eight sizes.
fn table(feature: &str, place: &str, cost: impl Fn(u64) -> u64) -> String {
    let rows = (0..8).map(|i| 100 << i).map(|n: u64| format!("{n},{}\n", cost(n)));
    format!("{feature},{place}\n{}", rows.collect::<String>())
}

#[test]
fn a_baseline_of_another_checkout_is_as_good_as_one_of_this() {
    let bench = Bench::new();
    study_of(&bench, &table("n", "/home/dev/p/src/a.c:3:work", |n| 9 * n));
    bench.run(["check", "--save-baseline", "growth.json"]).succeeds();
    assert!(!bench.read("growth.json").contains("/home"), "{}", bench.read("growth.json"));
    for (cost, code) in [((|n| 9 * n) as fn(u64) -> u64, 0), (|n| n * n, 1)] {
        study_of(&bench, &table("n", "/builds/4711/src/a.c:3:work", cost));
        let ran = bench.run(["check", "--against", "growth.json"]);
        assert_eq!(ran.code, code, "{}{}", ran.stdout, ran.stderr);
    }
}

#[test]
fn a_baseline_that_says_nothing_of_the_study_is_refused() {
    let bench = imported();
    bench.run(["check", "--save-baseline", "growth.json"]).succeeds();
    let against = || bench.run(["check", "--against", "growth.json"]);
    study_of(&bench, &table("bytes", "a.c:9:line", |n| 7 * n + 3));
    against()
        .refuses(&["laws in `n`, which the study lacks; the study has `bytes`"])
        .hints(&["--save-baseline"]);
    // Hardly any of the baseline's cost is in functions that the study has.
    study_of(&bench, &table("n", "a.c:9:line", |n| 7 * n + 3));
    let ran = against();
    assert_eq!(ran.code, 2, "{}", ran.stdout);
    let text = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("of the baseline's cost is in functions of this study"), "{text}");
    for text in
        ["", "{}", "{\"schema\":\"trend-prof/baseline/1\",\"program\":\"costs\",\"at\":{},\"functions\":[]}"]
    {
        bench.write("growth.json", text);
        against().refuses(&["growth.json"]).hints(&["--save-baseline"]);
    }
}

#[test]
fn a_baseline_of_an_earlier_release_holds_later_versions_to_it() {
    let bench = imported();
    let baseline = |cost: f64| {
        let functions = [("line", "a.c", "n", 896_003.0), ("square", "a.c", "n^2", cost)];
        let functions = functions.map(|(name, file, growth, cost)| {
            serde_json::json!({ "name": name, "file": file, "growth": { "n": growth }, "cost": cost })
        });
        let schema = "trend-prof/baseline/1";
        let text = serde_json::json!({ "schema": schema, "program": "costs", "at": { "n": 128_000 }, "functions": functions });
        bench.write("growth.json", text.to_string());
        bench.run(["check", "--against", "growth.json"])
    };
    baseline(8.192e9).succeeds();
    let ran = baseline(4e9);
    assert_eq!(ran.code, 1);
    assert!(ran.stdout.contains("broken square (a.c) costs"), "{}", ran.stdout);
}

#[test]
fn a_program_that_ignores_its_size_keeps_to_nothing() {
    let bench = Bench::new();
    study_of(&bench, &table("n", "a.c:3:work", |_| 800));
    for (growth, code) in [("<= n log n", 3), ("<= 1", 0)] {
        bench.configure(&format!("[[expect]]\nprogram = true\ngrowth = \"{growth}\"\n"));
        let ran = bench.run(["check"]);
        assert_eq!(ran.code, code, "{}", ran.stdout);
        assert_eq!(code == 3, ran.stdout.contains("nothing in the program varies with n"), "{}", ran.stdout);
    }
}
