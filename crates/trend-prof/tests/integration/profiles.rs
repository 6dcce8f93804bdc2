//! Tests `export pprof`, `speedscope` and `laws`, whose predictions must agree with the JSON output.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::Command;

use serde_json::Value;

use crate::bench::{Bench, repository, skipped};

/// Creates a study of four functions: quadratic, linear, executed only by small inputs, and executed by one run.
fn study() -> Bench {
    let bench = Bench::new();
    let mut table =
        "workload,n,sort.c:3:sort,\"sort.c:20:read<int, char>\",sort.c:40:small,sort.c:50:once\n".to_owned();
    for i in 0..12_u64 {
        let n = 100_u64 << i;
        let small = if i < 6 { 9 * n } else { 0 };
        let once = u64::from(i == 11) * 1000;
        writeln!(table, "w{i},{n},{},{},{small},{once}", n * n / 2, 700 * n + 31).unwrap();
    }
    bench.write("s.csv", table);
    bench.run(["import", "csv", "s.csv", "--features", "n"]).succeeds();
    bench
}

/// Returns the predicted costs of functions at a size, from the JSON output.
fn published(bench: &Bench, at: &str) -> BTreeMap<String, (f64, [f64; 2])> {
    let findings = bench.run(["show", "--format", "json", "--at", at]).succeeds().json();
    let row = |row: &Value| {
        let outlook = &row["outlooks"][0];
        let end = |i: usize| outlook["ci"][i].as_f64().unwrap();
        Some((row["name"].as_str().unwrap().to_owned(), (outlook["cost"].as_f64()?, [end(0), end(1)])))
    };
    findings["functions"].as_array().unwrap().iter().filter_map(row).collect()
}

#[test]
fn speedscope_has_the_predictions_of_the_json_output() {
    let bench = study();
    let exported = bench.run(["export", "speedscope", "--at", "n=1e8"]).succeeds().says(&[
        "at n = 100 M, because no law predicts them: once",
        "because only smaller inputs execute them: small",
    ]);
    let file: Value = serde_json::from_str(&exported.stdout).unwrap();
    let schema =
        repository().join("target/viewers/node_modules/speedscope/dist/release/file-format-schema.json");
    match std::fs::read_to_string(schema) {
        Ok(schema) => {
            let validator = jsonschema::validator_for(&serde_json::from_str(&schema).unwrap()).unwrap();
            let errors: Vec<String> = validator.iter_errors(&file).map(|e| e.to_string()).collect();
            assert!(errors.is_empty(), "{errors:?}");
        }
        Err(_) => skipped("speedscope's own schema", "the npm package is not in target/viewers"),
    }
    let expected = published(&bench, "n=1e8");
    assert_eq!(expected.keys().collect::<Vec<_>>(), ["read<int, char>", "sort"]);
    let weights = |profile: usize| -> BTreeMap<String, f64> {
        let profile = &file["profiles"][profile];
        let name = |sample: &Value| {
            let frame = sample[0].as_u64().unwrap() as usize;
            file["shared"]["frames"][frame]["name"].as_str().unwrap().to_owned()
        };
        let samples = profile["samples"].as_array().unwrap().iter().map(name);
        let weights: Vec<f64> =
            profile["weights"].as_array().unwrap().iter().map(|w| w.as_f64().unwrap()).collect();
        let (end, sum) = (profile["endValue"].as_f64().unwrap(), weights.iter().sum::<f64>());
        assert!((end - sum).abs() <= 1e-12 * sum, "{end} {sum}");
        samples.zip(weights).collect()
    };
    let expected_weights = |value: fn(&(f64, [f64; 2])) -> f64| -> BTreeMap<String, f64> {
        expected.iter().map(|(name, outlook)| (name.clone(), value(outlook))).collect()
    };
    assert_eq!(weights(0), expected_weights(|outlook| outlook.0));
    assert_eq!(weights(1), expected_weights(|outlook| outlook.1[0]));
    assert_eq!(weights(2), expected_weights(|outlook| outlook.1[1]));
    let frames = file["shared"]["frames"].as_array().unwrap();
    assert!(frames.contains(&serde_json::json!({"name": "sort", "file": "sort.c"})), "{frames:?}");
}

#[test]
fn pprof_reads_the_predictions_of_the_json_output() {
    let bench = study();
    bench.run(["export", "pprof", "--at", "n=1e8", "-o", "n1e8.pb.gz"]).succeeds();
    bench.run(["export", "pprof", "--at", "n=1e8", "-o", "again.pb.gz"]).succeeds();
    let bytes = |name: &str| std::fs::read(bench.path(name)).unwrap();
    assert_eq!(bytes("n1e8.pb.gz"), bytes("again.pb.gz"));
    bench.run(["export", "pprof", "--at", "n=1e11"]).refuses(&["the cost of sort at n = 100 G exceeds"]);
    if !Command::new("go").arg("version").output().is_ok_and(|ran| ran.status.success()) {
        return skipped("pprof's own reader", "go is not installed");
    }
    let pprof = |options: &[&str]| {
        let mut command = Command::new("go");
        command.args(["tool", "pprof", "-symbolize=none"]).args(options).current_dir(bench.folder());
        let ran = command.output().unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        String::from_utf8(ran.stdout).unwrap()
    };
    let expected = published(&bench, "n=1e8");
    // Lines are the flat cost, its share, the running share, the cumulative cost, its share, and the name.
    let top = pprof(&["-top", "-nodecount=10", "-nodefraction=0", "-unit=executions", "n1e8.pb.gz"]);
    for (name, (cost, _)) in &expected {
        let line = top.lines().find(|line| line.ends_with(name)).unwrap_or_else(|| panic!("{top}"));
        let flat = line.split_whitespace().next().unwrap();
        let digits: String = flat.chars().take_while(char::is_ascii_digit).collect();
        assert_eq!(digits.parse::<f64>().unwrap(), cost.round(), "{line}");
    }
    let raw = pprof(&["-raw", "n1e8.pb.gz"]);
    assert!(raw.contains("predicted/executions") && raw.contains("law:[0.5·n^2]"), "{raw}");
    // Profiles of two sizes can be compared.
    bench.run(["export", "pprof", "--at", "n=1e7", "-o", "n1e7.pb.gz"]).succeeds();
    let difference = pprof(&["-top", "-nodefraction=0", "-diff_base=n1e7.pb.gz", "n1e8.pb.gz"]);
    assert!(difference.contains("sort"), "{difference}");
}

#[test]
fn the_table_of_laws_has_the_numbers_of_the_json_output() {
    let bench = study();
    let findings = bench.run(["show", "--format", "json", "--at", "n=1e8"]).succeeds().json();
    let table = bench.run(["export", "laws", "--at", "n=1e8"]).succeeds().stdout;
    let mut reader = csv_rows(&table);
    let header = reader.remove(0);
    let value = |row: &[String], name: &str| row[header.iter().position(|h| h == name).unwrap()].clone();
    let rows = |kind: &str| -> Vec<Vec<String>> {
        reader.iter().filter(|row| value(row, "kind") == kind).cloned().collect()
    };
    assert_eq!(rows("total").len(), 1);
    for (kind, place) in [("cluster", "clusters"), ("function", "functions")] {
        let expected = findings[place].as_array().unwrap();
        assert_eq!(rows(kind).len(), expected.len(), "{kind}");
        for (row, expected) in rows(kind).iter().zip(expected) {
            let model = &expected["models"][0];
            let number = |name: &str| value(row, name).parse::<f64>().ok();
            assert_eq!(value(row, "feature"), "n");
            assert_eq!(number("a"), model["power_law"]["a"].as_f64());
            assert_eq!(number("b_hi"), model["power_law"]["b_ci"][1].as_f64());
            assert_eq!(number("predicted"), expected["outlooks"][0]["cost"].as_f64());
            assert_eq!(number("predicted_hi"), expected["outlooks"][0]["ci"][1].as_f64());
            assert_eq!(
                value(row, "class"),
                model["growth"]["classes"][0]["class"].as_str().unwrap_or_default()
            );
            assert_eq!(value(row, "law"), expected["law"]["formula"].as_str().unwrap_or_default());
            let terms: Value = serde_json::from_str(&value(row, "terms")).unwrap_or_default();
            assert_eq!(terms, expected["law"]["parts"]);
        }
    }
}

#[test]
fn counts_take_no_size() {
    let bench = study();
    bench.run(["export", "csv", "--at", "n=1e8"]).refuses(&["--at sets the size of predictions"]);
    bench.run(["export", "pprof", "--at", "m=1e8"]).refuses(&["m"]);
    bench.write("few.csv", "workload,n,a.c:1:f\nw1,1,10\n");
    bench.run(["import", "csv", "few.csv", "--features", "n", "--study", "few.trend"]).succeeds();
    bench
        .run(["export", "pprof", "few.trend"])
        .refuses(&["no law predicts the cost of a function at that size"]);
}

/// Splits CSV, whose fields may be quoted but contain no line breaks here.
fn csv_rows(text: &str) -> Vec<Vec<String>> {
    let row = |line: &str| {
        let (mut fields, mut is_quoted) = (vec![String::new()], false);
        let mut characters = line.chars().peekable();
        while let Some(character) = characters.next() {
            match character {
                '"' if is_quoted && characters.next_if_eq(&'"').is_some() => {
                    fields.last_mut().unwrap().push('"');
                }
                '"' => is_quoted = !is_quoted,
                ',' if !is_quoted => fields.push(String::new()),
                other => fields.last_mut().unwrap().push(other),
            }
        }
        fields
    };
    text.lines().map(row).collect()
}
