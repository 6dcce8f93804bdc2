//! Tests of the HTML page's data.

use std::io::Read as _;
use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use flate2::read::GzDecoder;
use rayon::prelude::*;
use serde_json::Value;
use trend_analyze::{Options, analyze};
use trend_profile::{
    Call, Definition, Feature, Function, FunctionId, FunctionName, Kind, Location, MemoryLatency,
    Observation, Part, Sampled, SampledPlace, Series, SourceText, Study, StudyParts, Symbol, Timing, Usage,
    Variable, Workload,
};

use super::*;
use crate::sample::{bubble_sort, structured};

/// Returns the decompressed contents of the page's templates that begin with `start`.
fn templates(page: &str, start: &str) -> Vec<String> {
    let packed = page.split(start).skip(1).map(|rest| rest.split_once("</template>").unwrap().0);
    let inflated = packed.map(|base64| {
        let gzip = base64::engine::general_purpose::STANDARD.decode(base64).unwrap();
        let mut text = String::new();
        GzDecoder::new(gzip.as_slice()).read_to_string(&mut text).unwrap();
        text
    });
    inflated.collect()
}

/// Returns the data as the page contains it.
fn packed_data(page: &str) -> Value {
    let blocks = templates(page, "<template id=\"data\">");
    assert_eq!(blocks.len(), 1);
    serde_json::from_str(&blocks[0]).unwrap()
}

/// Returns the data with rows in place of the tables.
fn data(page: &str) -> Value {
    let mut data = packed_data(page);
    let tables = data["tables"].take();
    let rows = |name: &str| {
        let mut rows: Vec<Value> = rows_of(&tables[name]).into_iter().flatten().collect();
        for row in &mut rows {
            for cost in ["average", "best", "own"] {
                if row.get(cost).is_some_and(Value::is_string) {
                    row[cost] = row["worst"].clone();
                }
            }
        }
        Value::Array(rows)
    };
    for name in ["clusters", "functions", "series"] {
        data["findings"][name] = rows(name);
    }
    data["findings"]["total"] = rows("total")[0].take();
    data.as_object_mut().unwrap().remove("tables");
    data
}

/// Returns the values of a column; `None` for a row without one.
fn rows_of(column: &Value) -> Vec<Option<Value>> {
    let texts = |name: &str, count: usize| -> Vec<Value> {
        match &column[name] {
            Value::Array(all) => all.clone(),
            Value::Object(few) if few.contains_key("same") => vec![few["same"].clone(); count],
            Value::Object(few) => {
                let at = few["at"].as_array().unwrap().iter();
                at.map(|at| few["of"][at.as_u64().unwrap() as usize].clone()).collect()
            }
            _ => Vec::new(),
        }
    };
    let count = column["count"].as_u64().unwrap() as usize;
    let kinds = column["kinds"].as_str().unwrap();
    let kinds = if kinds.len() == 1 { kinds.repeat(count) } else { kinds.to_owned() };
    let (mut values, mut lengths) = (texts("values", count).into_iter(), texts("lengths", count).into_iter());
    let mut items = column.get("items").map(rows_of).unwrap_or_default().into_iter().flatten();
    let fields = column["fields"].as_object().into_iter().flatten();
    let mut fields: Vec<_> = fields.map(|(key, column)| (key, rows_of(column).into_iter())).collect();
    let value = |kind| match kind {
        'v' => values.next(),
        'a' => {
            let length = lengths.next().unwrap().as_u64().unwrap() as usize;
            Some(items.by_ref().take(length).collect())
        }
        'o' => {
            let of = |(key, values): &mut (&String, std::vec::IntoIter<Option<Value>>)| {
                Some((key.clone(), values.next().unwrap()?))
            };
            Some(Value::Object(fields.iter_mut().filter_map(of).collect()))
        }
        _ => None,
    };
    kinds.chars().map(value).collect()
}

/// Removes the fields of published rows that a page does not show.
fn without_what_is_not_shown(mut findings: Value) -> Value {
    let no_series = Value::Array(Vec::new());
    findings.as_object_mut().unwrap().entry("series").or_insert(no_series);
    without_what_models_do_not_show(&mut findings["total"]);
    for rows in ["clusters", "functions", "series"] {
        for row in findings[rows].as_array_mut().unwrap() {
            without_what_models_do_not_show(row);
            for cost in ["worst", "average", "best", "own", "runs", "own_runs"] {
                row.get_mut(cost).into_iter().for_each(without_what_models_do_not_show);
            }
            for member in row.get_mut("members").and_then(Value::as_array_mut).into_iter().flatten() {
                let place = format!("{}:{}", member["file"].as_str().unwrap(), member["line"]);
                let is_one_line = member["lines"] == serde_json::json!([member["line"]]);
                let fields = member.as_object_mut().unwrap();
                if fields["name"] == place.as_str() {
                    fields.remove("name");
                }
                if is_one_line {
                    fields["lines"] = serde_json::json!([]);
                }
            }
        }
    }
    findings
}

fn without_what_models_do_not_show(row: &mut Value) {
    for model in row.get_mut("models").and_then(Value::as_array_mut).into_iter().flatten() {
        model["predictions"] = serde_json::json!([]);
        if !model["linear"].is_null() {
            model["linear"]["a_ci"] = Value::Null;
            model["linear"]["b_ci"] = Value::Null;
        }
        for doubt in model["doubts"].as_array_mut().unwrap() {
            doubt.as_object_mut().unwrap().remove("numbers");
        }
    }
}

fn sources(page: &str) -> Vec<String> {
    templates(page, "<template class=\"source\">")
}

/// Fields that are shown with at most three digits.
const FEW_DIGITS: [&str; 6] = ["support", "spread", "a_ci", "r2", "power_law", "linear"];

/// Asserts that two values are equal, except for digits that are not shown and additional fields of rows.
fn assert_alike(found: &Value, expected: &Value, at: &str) {
    let is_in_rows = [".clusters[", ".functions[", ".series[", ".total"].iter().any(|rows| at.contains(rows));
    match (found, expected) {
        (Value::Number(x), Value::Number(y)) => {
            let (x, y) = (x.as_f64().unwrap(), y.as_f64().unwrap());
            let has_few = is_in_rows && FEW_DIGITS.iter().any(|field| at.contains(&format!(".{field}")));
            assert!((x - y).abs() <= if has_few { 6e-4 } else { 6e-6 } * y.abs(), "{at}: {x} {y}");
        }
        (Value::Array(x), Value::Array(y)) => {
            assert_eq!(x.len(), y.len(), "{at}");
            x.iter().zip(y).enumerate().for_each(|(i, (x, y))| assert_alike(x, y, &format!("{at}[{i}]")));
        }
        (Value::Object(x), Value::Object(y)) => {
            if !is_in_rows {
                assert_eq!(x.keys().collect::<Vec<_>>(), y.keys().collect::<Vec<_>>(), "{at}");
            }
            y.iter().for_each(|(key, y)| assert_alike(&x[key], y, &format!("{at}.{key}")));
        }
        _ => assert_eq!(found, expected, "{at}"),
    }
}

/// Returns a study with everything that a study can have, and the same name throughout.
fn study_named(name: &str) -> Study {
    let symbol = Symbol::plain(name);
    let file = |i: u32| format!("{name}{i}.c");
    let function =
        |i| Function { symbol: symbol.clone(), file: file(i), line: 7 + i, signature: String::new() };
    let location = |i: u32| Location {
        function: FunctionId(i),
        block: 2,
        lines: [3, 5].into(),
        ..Location::on_line(Kind::Block, file(i), 3)
    };
    let sizes = [10_u64, 20, 50, 100, 200, 500, 1000];
    let observation = |&size: &u64| Observation {
        count: 2,
        min: size,
        max: 3 * size,
        sum: 4 * size,
        sum_of_squares: 0.5,
        ..Observation::at(size)
    };
    let observations = sizes.iter().map(observation).collect();
    let mut series = Series::of_routine(symbol.clone(), name, Variable::Rms, observations);
    series.place.context = name.to_owned();
    let text = |i: u32| SourceText { file: file(i), text: format!("// {name}\nint {i};\r\n") };
    Study::new(StudyParts {
        program: name.to_owned(),
        root: format!("/{name}"),
        functions: (0..2).map(function).collect(),
        locations: (0..2).map(location).collect(),
        workloads: sizes
            .map(|size| Workload { command: name.to_owned(), ..Workload::imported(&format!("{name}{size}")) })
            .to_vec(),
        features: vec![Feature {
            name: name.to_owned(),
            definition: Definition::Given,
            values: sizes.map(|size| Some(size as f64)).to_vec(),
        }],
        counts: vec![sizes.map(|n| 1_000_003 * n * n).to_vec(), vec![5; 7]],
        series: vec![series],
        sources: (0..3).map(text).collect(),
        ..StudyParts::default()
    })
    .unwrap()
}

fn page_of(study: &Study) -> (Findings, String) {
    let findings = analyze(study, &Options { reach: 1e6, ..Options::default() }).unwrap();
    let page = html(&findings, study, &PAGE);
    (findings, page)
}

#[test]
fn the_data_hold_the_published_findings() {
    for findings in [bubble_sort(), structured(), doubtful()] {
        let page = html_page(&findings);
        assert_alike(&data(&page)["findings"], &without_what_is_not_shown(published(&findings)), "findings");
    }
    let (findings, page) = page_of(&study_named("n"));
    assert_alike(&data(&page)["findings"], &without_what_is_not_shown(published(&findings)), "findings");
}

#[test]
fn the_data_of_a_page_have_the_declared_shape() {
    let (findings, page) = page_of(&study_named("n"));
    let data = data(&page);
    let said = |key: &str| data[key].as_str().unwrap().to_owned();
    assert_eq!(
        [said("schema"), said("generated_by"), said("study"), said("root")],
        ["trend-prof/page/5", "trend-prof 0.1.0", "bubble_sort.trend", "/n"]
    );
    assert_eq!((&data["served"], said("revision").len()), (&Value::Bool(false), 16));
    let candidate = serde_json::json!({ "function": 0, "line": 3, "is_own": true, "pace": "fast" });
    assert_eq!(data["answer"]["candidates"]["functions"][0], candidate);
    assert_eq!(data["answer"]["uncounted"], false);
    assert_eq!(data["workloads"][0]["name"], "n10");
    assert_eq!(data["workloads"][0]["wall_s"], Value::Null);
    assert_eq!(data["feature_values"], serde_json::json!([[10.0, 100.0, 1000.0, 20.0, 200.0, 50.0, 500.0]]));
    let cluster = &data["findings"]["clusters"][0];
    let costs: Vec<u64> = cluster["costs"].as_array().unwrap().iter().map(|c| c.as_u64().unwrap()).collect();
    assert_eq!(costs, findings.clusters[0].costs);
    assert_eq!(cluster["exact"], true);
    let model = &cluster["models"][0];
    assert_eq!(model["band"], Value::Null, "it is the row's");
    let at = cluster["band"]["at"].as_array().unwrap();
    assert_eq!((at[0].as_f64(), at[at.len() - 1].as_f64()), (Some(10.0), Some(1e9)));
    assert_eq!(model["law"], Value::Null, "it is the row's, which the findings have");
    assert_eq!(model["formula"], "1000000·n^2");
    assert!(model["sentences"][0].as_str().unwrap().starts_with("Growth in n: n^2"), "{model}");
    let constant = &data["constant"];
    assert_eq!(constant["name"], serde_json::json!(["n1.c:3"]));
    assert_eq!(constant["lines"], serde_json::json!([[5]]));
    assert_eq!(constant["max_cost"], serde_json::json!([5]));
    let routine = &data["findings"]["series"][0];
    let law = &routine["worst"]["models"][0];
    assert_eq!(routine["observations"][6], serde_json::json!([1000, 2, 1000, 3000, 4000, 0.5]));
    assert_eq!((&routine["file"], &routine["line"]), (&Value::from("n0.c"), &Value::from(7)));
    assert_eq!(law["formula"], "3·rms");
    assert_eq!(routine["own_costs"], serde_json::json!([]));
    assert_eq!(routine["warmth"], 0);
    assert!(
        routine["facts"][2].as_str().unwrap().starts_with("All calls together read 3,760 cells"),
        "{routine}"
    );
    assert_eq!(routine["volume"], 3760.0);
    assert_eq!(routine["dynamic"], Value::Null, "by rms alone nothing is known of it");
    assert!(law["meaning"].as_str().unwrap().starts_with("For large inputs, doubling rms"), "{law}");
    let sentences = law["sentences"].as_array().unwrap();
    assert!(!sentences.is_empty() && !sentences.contains(&law["meaning"]), "{law}");
    assert_eq!(model["meaning"], Value::Null, "it is among the sentences");
    assert_eq!(data["call_trees"][0]["nodes"][0], serde_json::json!({"name": "n"}));
    assert_eq!(data["call_trees"][0]["nodes"][1], serde_json::json!({"caller": 0, "series": 0}));
    assert!(!law["band"]["lo"].as_array().unwrap().is_empty());
    assert_eq!(law["law"], Value::Null, "it is that of the cost");
}

#[test]
fn the_input_volume_of_a_routine_is_what_drms_sees_of_it_besides_rms() {
    let observed = |variable, tuples: &[(u64, u64)]| {
        let observation = |&(size, count): &(u64, u64)| Observation {
            count,
            min: size,
            max: size,
            sum: size * count,
            ..Observation::at(size)
        };
        Series::of_routine(Symbol::plain("read"), "r.c", variable, tuples.iter().map(observation).collect())
    };
    let drms = observed(Variable::Drms, &[(10, 2), (20, 2), (30, 1), (110, 1)]);
    let rms = observed(Variable::Rms, &[(10, 5), (30, 1)]);
    let drawn = Study::from_text("n: 1 2\na.c:3: 10 20").unwrap();
    let workloads = drawn.workloads().to_vec();
    let study =
        Study::new(StudyParts { workloads, series: vec![drms, rms], ..StudyParts::default() }).unwrap();
    let (findings, page) = page_of(&study);
    let data = data(&page);
    let of = |variable: Variable| {
        let at = findings.series.iter().position(|row| row.variables == [variable]).unwrap();
        ["volume", "dynamic", "richness"].map(|key| data["findings"]["series"][at][key].as_f64())
    };
    // By drms 60 + 30 + 110 cells, by rms 80; four sizes instead of two.
    assert_eq!(of(Variable::Drms), [Some(200.0), Some(0.6), Some(1.0)]);
    assert_eq!(of(Variable::Rms), [Some(80.0), None, None]);
}

#[test]
fn every_source_file_that_has_a_location_is_carried_as_it_is() {
    let study = study_named("n");
    let (_, page) = page_of(&study);
    let listed: Vec<String> = data(&page)["sources"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| s["file"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(listed, ["n0.c", "n1.c"]);
    let carried = sources(&page);
    assert_eq!(carried.len(), listed.len());
    for (file, text) in listed.iter().zip(&carried) {
        assert_eq!(Some(text.as_str()), study.source(file));
    }
    assert_eq!(data(&page)["sources"][0], serde_json::json!({"file": "n0.c", "lines": 2, "bytes": 13}));
}

#[test]
fn a_source_file_that_is_too_large_is_not_carried() {
    let text = "n: 1 2 3 4\na.c:1:f: 100 200 300 400\nb.c:2:f: 7 7 7 7";
    let source =
        |file: &str, lines: usize| SourceText { file: file.to_owned(), text: "int x;\n".repeat(lines) };
    let study = Study::new(StudyParts {
        sources: vec![source("a.c", 400_000), source("b.c", 3)],
        ..StudyParts::from_text(text).unwrap()
    })
    .unwrap();
    let (_, page) = page_of(&study);
    assert_eq!(data(&page)["sources"], serde_json::json!([{"file": "b.c", "lines": 3, "bytes": 21}]));
    assert_eq!(sources(&page), ["int x;\n".repeat(3)]);
}

#[test]
fn hostile_names_stand_in_the_data_as_they_are_and_nowhere_else_in_the_page() {
    let long = "</script><img src=x onerror=alert(1)>".repeat(300);
    let hostile = [
        "</script><img src=x onerror=alert(1)>",
        "</template><script>alert(1)</script>",
        "\"'`&lt;b&gt;\"",
        "\u{202e}txt.exe\u{2066}",
        "\x1b]0;owned\x07\n",
        long.as_str(),
    ];
    for name in hostile {
        let (_, page) = page_of(&study_named(name));
        assert!(!page.contains(name), "{name}");
        assert_harmless(&page.replace(crate::html::APP, ""), name);
        assert_eq!(page.matches("<template").count(), page.matches("</template>").count());
        let outside = page.replace(crate::html::APP, "");
        assert!(!outside.contains("<img") && outside.matches("<script").count() == 1, "{name}");
        let data = data(&page);
        assert_eq!(data["findings"]["program"]["name"], name);
        assert_eq!(data["workloads"][0]["command"], name);
        assert!(sources(&page).iter().all(|text| text.starts_with(&format!("// {name}\n"))));
    }
}

#[test]
fn the_same_study_makes_the_same_page_and_another_one_another_revision() {
    let (findings, page) = page_of(&study_named("n"));
    let threads = |n| rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap();
    for n in [1, 3] {
        assert_eq!(threads(n).install(|| html(&findings, &study_named("n"), &PAGE)), page);
    }
    let (_, other) = page_of(&study_named("m"));
    assert_ne!(data(&page)["revision"], data(&other)["revision"]);
    let given = html(&findings, &study_named("n"), &PageOptions { revision: Some("7"), ..PAGE });
    assert_eq!(data(&given)["revision"], "7");
}

#[test]
fn data_that_no_plot_is_made_for_are_json_still() {
    for findings in degenerate() {
        let data = data(&html_page(&findings));
        assert_eq!(data["findings"]["clusters"].as_array().unwrap().len(), findings.clusters.len());
    }
}

/// Returns a study of ten sizes with these processor times. Memory is 1 MB plus 1,000 bytes per n; the machine has the
/// given memory and a cache of 128 MB.
fn timed(cpu: impl Fn(f64) -> Duration, elapsed: f64, machine_memory_bytes: u64) -> Study {
    with_memory(cpu, elapsed, |n| 1_000_000 + 1000 * n, machine_memory_bytes)
}

/// Returns a study of ten sizes with these processor times and this memory.
fn with_memory(
    cpu: impl Fn(f64) -> Duration,
    elapsed: f64,
    memory: impl Fn(u64) -> u64,
    machine_memory_bytes: u64,
) -> Study {
    let sizes: Vec<u32> = (0..10).map(|i| 100 << i).collect();
    let row = |of: &dyn Fn(u32) -> u32| {
        let values: Vec<String> = sizes.iter().map(|n| of(*n).to_string()).collect();
        format!(" {}", values.join(" "))
    };
    let text = format!("n:{}\na.c:4:line:{}", row(&|n| n), row(&|n| 100 * n));
    let mut parts = StudyParts::from_text(&text).unwrap();
    for (workload, n) in parts.workloads.iter_mut().zip(&sizes) {
        let user = cpu(f64::from(*n));
        let peak_rss_bytes = memory(u64::from(*n));
        let run = Usage { wall: user.mul_f64(elapsed), user, peak_rss_bytes, ..Usage::default() };
        workload.timing = Some(Timing { machine_memory_bytes, runs: vec![run] });
    }
    let latency = |(megabytes, nanoseconds): (u64, f64)| MemoryLatency {
        working_set_bytes: megabytes << 20,
        nanoseconds,
    };
    parts.latencies = [(16, 10.0), (128, 10.0), (256, 100.0), (1024, 110.0)].map(latency).into();
    Study::new(parts).unwrap()
}

/// Returns a study whose calls double with each further `n`, at 100 ns each.
fn exploding() -> Study {
    let sizes: Vec<u32> = (15..25).collect();
    let row = |of: &dyn Fn(u32) -> u64| {
        let values: Vec<String> = sizes.iter().map(|n| of(*n).to_string()).collect();
        format!(" {}", values.join(" "))
    };
    let text = format!("n:{}\na.c:4:subsets:{}", row(&|n| n.into()), row(&|n| 3 << n));
    let mut parts = StudyParts::from_text(&text).unwrap();
    for (workload, n) in parts.workloads.iter_mut().zip(&sizes) {
        let user = Duration::from_nanos(300 << n);
        let run = Usage { wall: user, user, peak_rss_bytes: 1 << 20, ..Usage::default() };
        workload.timing = Some(Timing { machine_memory_bytes: 0, runs: vec![run] });
    }
    Study::new(parts).unwrap()
}

/// Returns a study of ten sizes, the two largest of them sampled: a linear function, a quadratic one whose share rises,
/// and a library.
fn sampled() -> Study {
    let sizes: Vec<u64> = (0..10).map(|i| 100 << i).collect();
    let row = |of: &dyn Fn(u64) -> u64| {
        let values: Vec<String> = sizes.iter().map(|n| of(*n).to_string()).collect();
        format!(" {}", values.join(" "))
    };
    let [n, line, pairs] = [row(&|n| n), row(&|n| 20_000 * n), row(&|n| n * n)];
    let mut parts = StudyParts::from_text(&format!("n:{n}\na.c:4:line:{line}\na.c:9:pairs:{pairs}")).unwrap();
    for (workload, n) in parts.workloads.iter_mut().zip(&sizes) {
        let user = Duration::from_nanos(20_000 * n + n * n);
        let usage = Usage { wall: user, user, peak_rss_bytes: 1 << 20, ..Usage::default() };
        workload.timing = Some(Timing { machine_memory_bytes: 0, runs: vec![usage] });
        if *n >= 25_600 {
            let function = |name: &str| Part::Function { name: name.to_owned(), file: "a.c".to_owned() };
            // The library takes half as much time as `line`.
            let samples = [
                (function("line"), 400),
                (function("pairs"), n / 25),
                (Part::Library("libc.so.6".to_owned()), 200),
            ];
            let place = |(part, samples)| SampledPlace { part, line: 0, samples };
            let places = samples.map(place).to_vec();
            workload.sampled = Some(Sampled { usage, period: Duration::from_millis(1), lost: 0, places });
        }
    }
    Study::new(parts).unwrap()
}

/// Returns a study in which `at` has quadratic cost because `shift` calls it from a loop.
fn called() -> Study {
    let functions = vec![Function::plain("at", "a.c", 3), Function::plain("shift", "a.c", 10)];
    let rows = [(0, Kind::Entry, 3), (0, Kind::Block, 4), (1, Kind::Entry, 10), (1, Kind::Block, 13)];
    let costs: [fn(u64) -> u64; 4] = [|n| n * n, |n| 5 * n * n, |n| n, |n| n * n];
    let location = |(block, (function, kind, line))| {
        let function = FunctionId(function);
        Location { function, block, ..Location::on_line(kind, "a.c", line) }
    };
    let sizes: Vec<u64> = (0..10).map(|i| 100 << i).collect();
    let values = sizes.iter().map(|&n| Some(n as f64)).collect();
    let parts = StudyParts {
        program: "p".to_owned(),
        functions,
        locations: (0..).zip(rows).map(location).collect(),
        workloads: (0..10).map(|i| Workload::imported(&format!("w{i}"))).collect(),
        features: vec![Feature { name: "n".to_owned(), definition: Definition::Given, values }],
        counts: costs.map(|cost| sizes.iter().map(|&n| cost(n)).collect()).into(),
        ..StudyParts::default()
    };
    Study::new(parts).unwrap()
}

/// Example answers at several targets for `ui/tests/answers.test.ts`: the analysis' own target (`null`), and others.
#[test]
fn the_page_knows_examples_of_answers() {
    let noise = [1.0, 1.07, 0.95, 1.03, 0.94, 1.06, 0.96, 1.04, 0.97, 1.02];
    let drawn = |functions: &[(&str, &dyn Fn(f64) -> f64)]| {
        let sizes: Vec<f64> = (0..10).map(|i| f64::from(100 << i)).collect();
        let row = |f: &dyn Fn(f64) -> f64| -> String {
            let values: Vec<String> = sizes.iter().map(|n| f(*n).round().to_string()).collect();
            format!(" {}", values.join(" "))
        };
        let rows: Vec<String> = functions.iter().map(|(name, f)| format!("{name}:{}", row(f))).collect();
        Study::from_text(&format!("n:{}\n{}", row(&|n| n), rows.join("\n"))).unwrap()
    };
    let line: (&str, &dyn Fn(f64) -> f64) = ("a.c:4:line", &|n| 100.0 * n);
    let with_calls = |find: &str, file: &str| {
        let row =
            |of: &dyn Fn(u64) -> u64| (0..10).map(|i| of(100 << i).to_string()).collect::<Vec<_>>().join(" ");
        let text =
            format!("n: {}\na.c:4:line: {}\n{find}: {}", row(&|n| n), row(&|n| n * n), row(&|n| 5 * n * n));
        let parts = StudyParts::from_text(&text).unwrap();
        let [line, find] = [FunctionName::new("line", "a.c"), FunctionName::new("find", file)];
        let call = |caller: &FunctionName, line, sites| Call {
            caller: caller.clone(),
            file: Arc::clone(&caller.file),
            line,
            callee: find.clone(),
            sites,
        };
        let entry = Location {
            kind: Kind::Entry,
            function: FunctionId(1),
            ..Location::on_line(Kind::Entry, file, 9)
        };
        let entries = parts.counts[0].iter().map(|runs| 11 * runs).collect();
        let (locations, counts) =
            ([parts.locations, vec![entry]].concat(), [parts.counts, vec![entries]].concat());
        let calls = vec![call(&line, 4, 1), call(&find, 9, 2)];
        Study::new(StudyParts { calls, locations, counts, ..parts }).unwrap()
    };
    let small: Vec<String> = (1..=30).map(|i| format!("a.c:{i}:part{i}")).collect();
    let square = |n: f64| n * n / 100.0;
    let studies = [
        drawn(&[line, ("a.c:9:pairs", &|n| n * n / 1000.0 + 50.0), ("a.c:12:rest", &|n| 3.0 * n)]),
        drawn(&[line, ("a.c:9:open", &|n| (20.0 * n + 0.0002 * n * n) * noise[(n / 100.0).log2() as usize])]),
        drawn(&[line, ("a.c:9:sort", &|n| 20.0 * n * n.log2())]),
        drawn(&[line, ("/usr/include/list.h:9:find", &|n| n * n / 10.0)]),
        drawn(&[line, ("/usr/include/sort.h:9:sort", &|n| 20.0 * n * n.log2())]),
        Study::from_text("n: 10 20 40\na.c:1:f: 100 400 1600").unwrap(),
        timed(|n| Duration::from_secs_f64(20e-6 * n.powf(1.1)), 1.0, 10_000_000_000),
        timed(|n| Duration::from_secs_f64(1e-6 * n), 0.4, 1_000_000_000),
        timed(|n| Duration::from_secs_f64(20e-6 * n), 3.0, 0),
        timed(|n| Duration::from_secs_f64(20e-6 * n), 1.0, 0),
        // At the target, the machine's memory lies between the prediction and the upper end of its interval.
        with_memory(|n| Duration::from_secs_f64(20e-6 * n), 1.0, |n| 1_000_000 + n * n / 10, 28_000_000_000),
        timed(Duration::from_secs_f64, 1.0, 0),
        sampled(),
        called(),
        // The fast-growing part takes 3 % at the default target, a negligible share below it, and nearly everything far
        // beyond.
        drawn(&[line, ("a.c:9:pairs", &|n| n * n * 6e-6), ("a.c:12:sort", &|n| n * n.log2())]),
        // Two blocks of one function and one of another vary together, with noise.
        drawn(&[
            line,
            ("a.c:9:find", &|n| n * n * 4e-4 * noise[(n / 100.0).log2() as usize]),
            ("a.c:10:find", &|n| n * n * 4e-4 * noise[(n / 100.0).log2() as usize]),
            ("a.c:19:hash", &|n| n * n * 5e-4 * noise[(n / 100.0).log2() as usize]),
        ]),
        drawn(&small.iter().map(|name| (name.as_str(), &square as &dyn Fn(f64) -> f64)).collect::<Vec<_>>()),
        // One study has a library function with a known calling line, the other a function that calls itself twice.
        with_calls("/usr/include/list.h:9:find", "/usr/include/list.h"),
        with_calls("a.c:9:find", "a.c"),
    ];
    let example = |study: &Study, ats: &[Option<f64>]| {
        let said = |at: Option<f64>| {
            let at = at.map(|at| ("n".to_owned(), at));
            let options = Options { at: at.into_iter().collect(), ..Options::default() };
            let findings = analyze(study, &options).unwrap();
            let decided = findings.answer.as_ref().map(|answer| {
                serde_json::json!({
                    "kind": answer.kind,
                    "whole": answer.whole.cost,
                    "place": answer.place.as_ref().map(|place| &place.function),
                    "shares": answer.place.as_ref().map(|place| [place.share, place.share_then]),
                    "costliest": answer.place.as_ref().map(|place| place.costliest),
                    "spread": answer.spread,
                    "groups": answer.groups.iter().map(|group| (group.cluster, group.share_then)).collect::<Vec<_>>(),
                    "unnamed": answer.unnamed,
                })
            });
            (answer(&findings), decided)
        };
        let said = ats.par_iter().map(|&at| {
            let (sentences, decided) = said(at);
            serde_json::json!({ "at": at, "sentences": sentences, "decided": decided })
        });
        let said: Vec<_> = said.collect();
        let (_, page) = page_of(study);
        serde_json::json!({ "data": packed_data(&page), "said": said })
    };
    // Targets from a hundredth of the largest run to a million times it.
    let ats = [
        None,
        Some(102_400.0),
        Some(51_200.0),
        Some(5_120_000.0),
        Some(800.0),
        Some(512.0),
        Some(5120.0),
        Some(51_000.0),
        Some(300_000.0),
        Some(5.12e7),
        Some(5.12e8),
        Some(5.12e10),
    ];
    let mut examples: Vec<_> = studies.iter().map(|study| example(study, &ats)).collect();
    // The predicted times exceed a lifetime, and then the range of numbers.
    examples.push(example(&exploding(), &[None, Some(48.0), Some(17.0)]));
    let found = serde_json::to_string(&examples).unwrap() + "\n";
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/ui/tests/answers.json");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(path, &found).unwrap();
    }
    let known = std::fs::read_to_string(path).unwrap_or_default();
    assert!(known == found, "UPDATE_GOLDEN=1 writes {path} anew");
}
