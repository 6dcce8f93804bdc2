//! Rules that hold for every study: a row has one law, and all statements about the row follow from it. Also regression
//! tests for contradictions from when rows had several laws.
//!
//! The laws are evaluated from the published findings alone.

use std::fmt::Write as _;

use serde_json::Value;

use crate::bench::{Bench, assert_between, cluster, function};

/// Maximum relative difference between two computations of the same number.
const ROUNDING: f64 = 1e-9;

/// Returns every row of the findings with its kind.
fn rows(findings: &Value) -> Vec<(&str, &Value)> {
    let kinds = ["clusters", "functions", "lines", "blocks"];
    kinds
        .iter()
        .flat_map(|kind| findings[*kind].as_array().into_iter().flatten().map(|row| (*kind, row)))
        .collect()
}

/// Returns the value of a feature at a point.
fn value_at(point: &Value, feature: &str) -> Option<f64> {
    let values = point["values"].as_array().unwrap();
    values.iter().find(|value| value["feature"] == feature)?["at"].as_f64()
}

fn factor(factor: &Value, point: &[f64]) -> f64 {
    let value = |index: &Value| point[index.as_u64().unwrap() as usize];
    let x = || value(&factor["feature"]);
    match factor["kind"].as_str().unwrap() {
        "power" => {
            let log = if factor["log"].as_bool().unwrap() { x().log2() } else { 1.0 };
            x().powf(factor["exponent"].as_f64().unwrap()) * log
        }
        "exponential" => factor["base"].as_f64().unwrap().powf(x()),
        "times_exponential" => x() * factor["base"].as_f64().unwrap().powf(x()),
        "factorial" => (1..=x() as u64).map(|i| i as f64).product(),
        "least" => value(&factor["features"][0]).min(value(&factor["features"][1])),
        "inverse" => 1.0 / x(),
        other => panic!("what is a factor {other}?"),
    }
}

/// Returns the cost of a law at a point of the findings.
fn cost(law: &Value, point: &Value) -> f64 {
    let features = law["features"].as_array().unwrap().iter();
    let at: Vec<f64> = features.map(|name| value_at(point, name.as_str().unwrap()).unwrap()).collect();
    let sum = |sum: &Value| {
        let term = |term: &Value| {
            let factors = term["factors"].as_array().unwrap().iter();
            term["coefficient"].as_f64().unwrap() * factors.map(|f| factor(f, &at)).product::<f64>()
        };
        sum["terms"].as_array().unwrap().iter().map(term).sum::<f64>()
    };
    let part = |part: &Value| {
        let sums = part["sums"].as_array().unwrap().iter();
        sums.map(|s| s["weight"].as_f64().unwrap() * sum(s).ln()).sum::<f64>().exp()
    };
    law["parts"].as_array().unwrap().iter().map(part).sum()
}

/// Checks the rules of published findings. A prediction equals the row's law and lies in its interval. A function with
/// a verdict costs at most as much as the whole program. Code that ran only up to some size has no prediction beyond
/// it.
pub(crate) fn assert_one_law(findings: &Value) {
    let points = findings["points"].as_array().unwrap();
    let of_whole = |i: usize| findings["total"]["outlooks"][i]["cost"].as_f64().unwrap_or(f64::INFINITY);
    let whole = std::iter::once(("total", &findings["total"]));
    findings["series"].as_array().into_iter().flatten().for_each(assert_one_law_of_series);
    for (kind, row) in rows(findings).into_iter().chain(whole) {
        for (i, point) in points.iter().enumerate() {
            let outlook = &row["outlooks"][i];
            let Some(predicted) = outlook["cost"].as_f64() else { continue };
            let name = format!("{kind} {} at {point}", row["name"]);
            if outlook["source"] != "largest_part" {
                let law = cost(&row["law"], point);
                assert!(
                    (predicted / law - 1.0).abs() < ROUNDING,
                    "{name}: {predicted} is predicted, and the law says {law}"
                );
            }
            if kind == "functions" && outlook["source"] != "power_law" {
                assert!(
                    predicted <= of_whole(i) * (1.0 + ROUNDING),
                    "{name}: {predicted} of {}",
                    of_whole(i)
                );
            }
            if let Some(interval) = outlook["ci"].as_array() {
                let ends = [0, 1].map(|end| interval[end].as_f64().unwrap());
                assert!(
                    ends[0] <= predicted * (1.0 + ROUNDING) && predicted <= ends[1] * (1.0 + ROUNDING),
                    "{name}: {predicted} is not in {ends:?}"
                );
            }
            for model in row["models"].as_array().unwrap() {
                let until = model["runs_until"].as_f64().unwrap_or(f64::INFINITY);
                let at = value_at(point, model["feature"].as_str().unwrap());
                assert!(at.is_none_or(|at| at <= until), "{name}: it ran up to {until} only");
            }
        }
    }
}

/// Checks a series: the predicted worst, average and best costs equal their laws.
fn assert_one_law_of_series(row: &Value) {
    for aspect in ["worst", "average", "best"] {
        let (law, models) = (&row[aspect]["law"], row[aspect]["models"].as_array().unwrap());
        let [model] = models.as_slice() else { continue };
        for prediction in model["predictions"].as_array().unwrap() {
            let at = serde_json::json!({"values": [{"feature": model["feature"], "at": prediction["at"]}]});
            let (predicted, law) = (prediction["cost"].as_f64().unwrap(), cost(law, &at));
            let name = format!("{aspect} of {} at {at}", row["name"]);
            assert!(
                (predicted / law - 1.0).abs() < ROUNDING,
                "{name}: {predicted} is predicted, and the law says {law}"
            );
        }
    }
}

/// Imports a table of 6 × 6 sizes. `cross` costs 2990·x·y, `single` 40·x, and `rare` 3·x·y, which is never 2 % of a
/// run.
fn two_features() -> Bench {
    let bench = Bench::new();
    let mut table = String::from("workload,x,y,work.c:5:cross,work.c:9:single,work.c:12:rare\n");
    for x in [10_u64, 20, 40, 80, 160, 320] {
        for y in [7_u64, 15, 33, 70, 150, 310] {
            // Noise of about one per cent, as in a real program.
            let noise = (x * 31 + y * 17) % 21;
            let cross = 2990 * x * y * (990 + noise) / 1000;
            writeln!(table, "{x}-{y},{x},{y},{cross},{},{}", 40 * x + 3, 3 * x * y + noise).unwrap();
        }
    }
    bench.write("table.csv", table);
    bench.run(["import", "csv", "table.csv", "--features", "x,y"]).succeeds();
    bench
}

#[test]
fn a_law_in_two_features_is_the_law_of_the_row_in_every_output() {
    let bench = two_features();
    let findings = bench.run(["predict", "x=640", "y=640", "--format", "json"]).succeeds().json();
    let cross = function(&findings, "cross");
    assert_eq!((&cross["law"]["source"], &cross["law"]["decided"]), (&"joint".into(), &true.into()));
    assert_eq!(cross["law"]["features"], serde_json::json!(["x", "y"]));
    assert_between(
        cross["outlooks"][0]["cost"].as_f64().unwrap(),
        2990.0 * 0.98 * 409_600.0,
        2990.0 * 1.02 * 409_600.0,
    );
    let ran = bench.run(["predict", "x=640", "y=640"]).succeeds();
    ran.shows(&["at x = 640, y = 640", "cross", "1.23 G"]);
    bench
        .run(["show", "--by", "cluster"])
        .succeeds()
        .shows(&["work.c:5", "linear in x, linear in y"])
        .hides(&["cannot be said"]);
}

#[test]
fn a_feature_that_is_not_given_stands_at_a_value_that_is_told() {
    let bench = two_features();
    let findings = bench.run(["predict", "x=640", "--format", "json"]).succeeds().json();
    let y = &findings["points"][0]["values"][1];
    assert_eq!((y["feature"].as_str(), y["at"].as_f64()), (Some("y"), Some(310.0)));
    assert_eq!(y["given"]["kind"], "costliest");
    bench.run(["predict", "x=640"]).succeeds().shows(&["y", "310, as in the most expensive run"]);
}

#[test]
fn a_row_below_what_is_looked_at_has_its_law_in_two_features_once_somebody_asks() {
    let bench = two_features();
    let rare = |findings: &Value| function(findings, "rare")["law"]["source"].clone();
    assert_ne!(rare(&bench.findings(&[])), "joint");
    assert_eq!(rare(&bench.findings(&["--top", "10"])), "joint");
}

/// Imports a square with a startup cost, which a power law does not fit.
fn startup() -> Bench {
    let bench = Bench::new();
    let mut table = String::from("workload,n,work.c:3:square\n");
    for (i, n) in [60_u64, 200, 500, 1000, 2000, 4000, 8000, 15_000, 30_000, 60_000].iter().enumerate() {
        writeln!(table, "w{i},{n},{}", 500_000_000 + n * n).unwrap();
    }
    bench.write("table.csv", table);
    bench.run(["import", "csv", "table.csv", "--features", "n"]).succeeds();
    bench
}

#[test]
fn no_output_tells_the_law_that_was_rejected() {
    let bench = startup();
    let findings = bench.findings(&["--at", "n=600000"]);
    let square = cluster(&findings, "work.c:3:square");
    let rejected = square["models"][0]["power_law"]["b"].as_f64().unwrap();
    assert_between(rejected, 0.1, 0.6);
    assert_eq!(square["law"]["source"], "class");
    let rejected = format!("n^{rejected:.2}");
    for (format, power) in [("table", "^"), ("markdown", "\\^"), ("csv", "^")] {
        let shown = bench.run(["show", "--format", format]).succeeds();
        shown.shows(&[&format!("n{power}2")]).hides(&[&rejected.replace('^', power)]);
    }
    // The row's page lists the power law among the other models.
    let page = bench.run(["show", "square"]).succeeds().stdout;
    let (law, power_law) = (page.find("n^2").unwrap(), page.find(&rejected).unwrap_or(usize::MAX));
    assert!(law < power_law, "{page}");
}

#[test]
fn a_whole_costs_at_least_what_its_part_does() {
    // A square hidden by a line that makes up most of every run: the whole program's law is the line.
    let bench = Bench::new();
    let mut table = String::from("workload,n,work.c:3:line,work.c:7:square\n");
    for (i, n) in [100_u64, 200, 400, 800, 1600, 3200, 6400, 12_800].iter().enumerate() {
        writeln!(table, "w{i},{n},{},{}", 90_000 * n, n * n / 5 + 40).unwrap();
    }
    bench.write("table.csv", table);
    bench.run(["import", "csv", "table.csv", "--features", "n"]).succeeds();
    let findings = bench.findings(&["--at", "n=10M"]);
    let (whole, square) = (&findings["total"]["outlooks"][0], &function(&findings, "square")["outlooks"][0]);
    let (whole, square) = (whole["cost"].as_f64().unwrap(), square["cost"].as_f64().unwrap());
    assert_between(square, 1.98e13, 2.02e13);
    assert_between(whole, square, 1.1 * (square + 9e11));
}

#[test]
fn code_that_ended_is_predicted_nowhere() {
    let bench = Bench::new();
    let mut table = String::from("workload,n,work.c:3:line,work.c:7:small\n");
    for (i, n) in [10_u64, 20, 40, 80, 160, 320, 640, 1280, 2560, 5120, 10_240, 20_480].iter().enumerate() {
        writeln!(table, "w{i},{n},{},{}", 50 * n, if *n < 700 { 900 * n } else { 0 }).unwrap();
    }
    bench.write("table.csv", table);
    bench.run(["import", "csv", "table.csv", "--features", "n"]).succeeds();
    let findings = bench.findings(&["--at", "n=1M"]);
    let small = function(&findings, "small");
    assert_eq!(small["models"][0]["runs_until"], 640.0);
    assert!(small["outlooks"].as_array().unwrap().iter().all(Value::is_null), "{small}");
    bench.run(["predict", "n=1M"]).succeeds().shows(&["Left out because no large run executed them: 1"]);
    let csv = bench.run(["predict", "n=1M", "--format", "csv"]).succeeds().stdout;
    let row = csv.lines().find(|line| line.contains("small")).unwrap();
    let head: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
    let predicted = head.iter().position(|name| *name == "predicted").unwrap();
    assert_eq!(row.split(',').nth(predicted), Some(""), "{row}");
}

/// A deterministic generator of numbers from 0 to 1.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Returns a table of several functions that follow different laws in one or both features, with noise.
fn program(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(977) + 1);
    let runs = 6 + (random.next() * 30.0) as usize;
    let mut feature = |most: f64| -> Vec<f64> {
        (0..runs).map(|_| 10_f64.powf(1.0 + most * random.next()).round()).collect()
    };
    let (n, m) = (feature(3.0), feature(2.0));
    let laws: [fn(f64, f64) -> f64; 9] = [
        |n, _| n,
        |n, _| n * n.log2(),
        |n, _| n * n,
        |_, m| m.powf(1.5),
        |n, m| n * m,
        |n, m| n + m * m,
        |n, m| n.min(m),
        |_, _| 1.0,
        |n, _| if n < 300.0 { n } else { 0.0 },
    ];
    let mut text = String::from("workload,n,m");
    let mut columns = Vec::new();
    for line in 0..7 {
        let law = laws[(random.next() * laws.len() as f64) as usize];
        let (scale, startup) = (10_f64.powf(5.0 * random.next()), 1e5 * random.next() * random.next());
        let noise = 0.3 * random.next().powi(2);
        let cost = |i: usize, draw: f64| {
            let cost = law(n[i], m[i]);
            if cost == 0.0 { 0.0 } else { ((startup + scale * cost) * (noise * (draw - 0.5)).exp()).round() }
        };
        columns.push((0..runs).map(|i| cost(i, random.next())).collect::<Vec<f64>>());
        write!(text, ",a.c:{}:f{}", line + 1, line / 2).unwrap();
    }
    for i in 0..runs {
        write!(text, "\nw{i},{},{}", n[i], m[i]).unwrap();
        for costs in &columns {
            write!(text, ",{}", costs[i]).unwrap();
        }
    }
    text + "\n"
}

#[test]
fn programs_that_follow_any_laws_are_predicted_by_the_one_law_of_each_row() {
    let bench = Bench::new();
    for seed in 0..20 {
        bench.write("table.csv", program(seed));
        bench.run(["import", "csv", "table.csv", "--fresh", "--features", "n,m"]).succeeds();
        for at in [["n=77777", "m=3"], ["n=12", "m=400"]] {
            let findings = bench.run(["predict", at[0], at[1], "--format", "json"]).succeeds().json();
            assert_eq!(findings["points"][0]["values"].as_array().unwrap().len(), 2);
        }
    }
}
