//! Tests that hold for every output; one file per output.

mod aprof;
mod formats;
mod functions;
mod html;
mod module;
mod page;
mod page_data;
mod prediction;
#[path = "../../../trend-analyze/tests/properties/mod.rs"]
#[expect(dead_code, reason = "other crates' tests check files and comparisons")]
mod properties;
pub(crate) mod published;
pub(crate) mod sample;
mod sentences;
mod series_page;
mod table;
mod terminal;
mod verdict;

use trend_analyze::{AnalyzeError, Findings, Options};
use trend_profile::Study;

use crate::tests::sample::{bubble_sort_study, doubtful, law};
use crate::*;

/// Analyses a study, after checking that no summary says more than its rows.
pub(crate) fn analyze(study: &Study, options: &Options) -> Result<Findings, AnalyzeError> {
    properties::studies::check_alone(study);
    trend_analyze::analyze(study, options)
}

/// Returns the text as a terminal shows it, without colours.
fn shown(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\x1b') {
        plain += before;
        rest = after.split_once('m').map_or("", |(_, rest)| rest);
    }
    plain + rest
}

fn published_schema() -> jsonschema::Validator {
    let schema = include_str!("../../../../docs/findings.schema.json");
    jsonschema::validator_for(&serde_json::from_str(schema).unwrap()).unwrap()
}

/// Returns the published findings, after validating them against the committed schema.
#[track_caller]
fn published(findings: &Findings) -> serde_json::Value {
    let findings = serde_json::from_str(&json(findings)).unwrap();
    let schema = published_schema();
    let errors: Vec<String> =
        schema.iter_errors(&findings).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{}", errors.join("\n"));
    findings
}

fn at_width(width: usize) -> TableOptions {
    TableOptions { width, ..TableOptions::default() }
}

/// Returns all outputs for a terminal.
fn terminal_outputs(findings: &Findings, width: usize) -> Vec<String> {
    let study = bubble_sort_study();
    let options = at_width(width);
    let functions = TableOptions { by: By::Function, sort: Sort::Predicted, ..options.clone() };
    vec![
        table(findings, Some(&study), &options).unwrap(),
        table(findings, None, &functions).unwrap(),
        crate::page(findings, Some(&study), "1", &options).unwrap(),
        crate::page(findings, Some(&study), "#2", &options).unwrap(),
        prediction_table(&crate::tests::sample::predicted_at(findings.clone(), 1e7), &options).unwrap(),
    ]
}

const PAGE: PageOptions<'_> = PageOptions {
    generated_by: "trend-prof 0.1.0",
    study_name: "bubble_sort.trend",
    served: false,
    revision: None,
    comparison: None,
};

fn html_page(findings: &Findings) -> String {
    html(findings, &bubble_sort_study(), &PAGE)
}

const HOSTILE: [&str; 5] = [
    "<script>alert(1)</script>",
    "\"'><img src=http://evil.example/x onerror=alert(1)>",
    "\x1b]0;owned\x07\x1b[2J\r\n\u{202e}txt.exe\u{2028}\u{9b}31m",
    "=HYPERLINK(\"http://evil.example\")|`x`|\n# heading",
    "</style></title></svg>]]>--><!--${{7*7}}",
];

/// Asserts that no output contains control characters or direction marks, whatever the names are.
fn assert_harmless(text: &str, output: &str) {
    let bad = |c: char| (c.is_control() && c != '\n') || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2028}');
    assert_eq!(text.find(bad), None, "{output}");
}

/// Returns findings over data for which no plot can be drawn well.
fn degenerate() -> Vec<Findings> {
    let change = |change: &dyn Fn(&mut Findings)| {
        let mut findings = doubtful();
        change(&mut findings);
        findings
    };
    let set = |features: f64, cost: u64| {
        change(&|f| {
            f.feature_values[0].fill(Some(features));
            f.clusters.iter_mut().for_each(|c| c.costs.fill(cost));
            (f.features[0].min, f.features[0].p95, f.features[0].max) =
                (Some(features), Some(features), Some(features));
        })
    };
    vec![
        set(5.0, 7),
        set(0.0, 0),
        set(1e300, u64::MAX),
        set(1e-300, 1),
        set(-3.0, 1),
        change(&|f| {
            f.feature_values[0].truncate(1);
            f.clusters.iter_mut().for_each(|c| c.costs.truncate(1));
        }),
        change(&|f| f.feature_values[0].fill(None)),
        change(&|f| f.clusters.iter_mut().for_each(|c| c.fits.models.clear())),
        change(&|f| {
            f.features.clear();
            f.feature_values.clear();
        }),
        change(&|f| {
            f.clusters.clear();
            f.functions.clear();
        }),
        change(&|f| {
            for model in f.clusters.iter_mut().flat_map(|c| &mut c.fits.models) {
                model.power_law = Some(law(1e300, 300.0, 0.5, f64::NAN));
                for p in &mut model.predictions {
                    (p.cost, p.ci) = (f64::INFINITY, Some([f64::NAN, f64::INFINITY]));
                }
            }
        }),
        change(&|f| {
            for p in f.clusters.iter_mut().flat_map(|c| &mut c.fits.models).flat_map(|m| &mut m.predictions) {
                (p.at, p.cost, p.ci) = (1e300, 1e300, Some([1e-300, 1e308]));
            }
        }),
    ]
}
