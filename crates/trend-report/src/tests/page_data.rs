//! Tests of the HTML page's data.

use std::io::Read as _;

use crate::tests::analyze;
use base64::Engine as _;
use flate2::read::GzDecoder;
use serde_json::Value;
use trend_analyze::Options;
use trend_profile::{
    Definition, Feature, Function, FunctionId, Kind, Location, Observation, Series, SourceText, Study,
    StudyParts, Symbol, Variable, Workload,
};

use super::*;
use crate::tests::sample::{bubble_sort, structured};

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
            let field = |(key, values): &mut (&String, std::vec::IntoIter<Option<Value>>)| {
                Some((key.clone(), values.next().unwrap()?))
            };
            Some(Value::Object(fields.iter_mut().filter_map(field).collect()))
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
fn assert_alike(actual: &Value, expected: &Value, at: &str) {
    let is_in_rows = [".clusters[", ".functions[", ".series[", ".total"].iter().any(|rows| at.contains(rows));
    match (actual, expected) {
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
        _ => assert_eq!(actual, expected, "{at}"),
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
    let text = |key: &str| data[key].as_str().unwrap().to_owned();
    assert_eq!(
        [text("schema"), text("generated_by"), text("study"), text("root")],
        ["trend-prof/page/5", "trend-prof 0.1.0", "bubble_sort.trend", "/n"]
    );
    assert_eq!((&data["served"], text("revision").len()), (&Value::Bool(false), 16));
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
    let input_of = |variable: Variable| {
        let at = findings.series.iter().position(|row| row.variables == [variable]).unwrap();
        ["volume", "dynamic", "richness"].map(|key| data["findings"]["series"][at][key].as_f64())
    };
    // By drms 60 + 30 + 110 cells, by rms 80; four sizes instead of two.
    assert_eq!(input_of(Variable::Drms), [Some(200.0), Some(0.6), Some(1.0)]);
    assert_eq!(input_of(Variable::Rms), [Some(80.0), None, None]);
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
        assert_harmless(&page.replace(crate::html::assets::APP, ""), name);
        assert_eq!(page.matches("<template").count(), page.matches("</template>").count());
        let outside = page.replace(crate::html::assets::APP, "");
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
