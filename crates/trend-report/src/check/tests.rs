use crate::tests::analyze;
use insta::assert_snapshot;
use serde_json::Value;
use trend_analyze::{Checked, Expectation, Limit, Options, Origin, Subject, expected_words, judge};
use trend_profile::{Measure, Study, StudyParts, Symbol};

use crate::*;

/// Returns a study of eight sizes with a quadratic function, a linear one, and one whose growth is undecided.
fn study(name: &str) -> Study {
    let noise = [1.0, 1.04, 0.97, 1.02, 0.97, 1.03, 0.98, 1.02];
    let row = |f: &dyn Fn(usize, f64) -> f64| {
        let costs = (0..8).map(|i| f(i, f64::from(100 << i)).round().to_string());
        costs.collect::<Vec<_>>().join(" ")
    };
    let text = format!(
        "n: {}\na.c:3:square: {}\na.c:9:line: {}\nb.c:4:open: {}",
        row(&|_, n| n),
        row(&|_, n| n * n / 2.0),
        row(&|_, n| 7.0 * n + 3.0),
        row(&|i, n| (20.0 * n + 0.0006 * n * n) * noise[i]),
    );
    let mut parts = StudyParts::from_text(&text).unwrap();
    for function in &mut parts.functions {
        if function.symbol.name == "square" {
            function.symbol = Symbol::plain(name);
            function.line = 3;
        }
    }
    Study::new(parts).unwrap()
}

fn expected(line: usize, subject: Subject, limit: &str) -> Expectation {
    Expectation {
        origin: Origin::Config { file: "trend-prof.toml".to_owned(), line },
        subject,
        limit: Limit::Growth { limit: limit.parse().unwrap() },
        feature: Some("n".to_owned()),
    }
}

fn function(line: usize, name: &str, limit: &str) -> Expectation {
    expected(line, Subject::Function(name.to_owned()), limit)
}

fn checked(name: &str, expectations: &[Expectation]) -> Checked {
    let study = study(name);
    let options = Options { keep_fits: true, full_meant: expected_words(expectations), ..Options::default() };
    let findings = analyze(&study, &options).unwrap();
    Checked::new(&findings, judge(&study, &findings, &options, expectations).unwrap())
}

fn usual() -> Checked {
    let cost = Expectation {
        limit: Limit::Cost { measure: Measure::Counts, at: vec![("n".to_owned(), 1e6)], most: 6e6 },
        ..function(9, "line", "n")
    };
    checked(
        "square",
        &[
            function(3, "square", "<= n log n"),
            function(6, "open", "<= n"),
            cost,
            function(12, "sqare", "<= n"),
            function(15, "line", "<= n"),
            expected(18, Subject::Program, "<= n^2"),
        ],
    )
}

#[test]
fn people_read_what_is_not_kept() {
    let options = TableOptions { width: 110, ..TableOptions::default() };
    let text = check_text(&usual(), &options);
    let plain = anstream::adapter::strip_str(&text).to_string();
    assert_snapshot!(plain, @r"
    text: 6 expectations, 2 broken, 1 not in the study, 1 undecided

    broken square (a.c:3) grows as n^2 (0.5·n^2); expected `<= n log n in n` (trend-prof.toml:3)
    broken line (a.c) costs 7.000 M executions; expected `<= 6.00 M executions at n=1,000,000` (trend-prof.toml:9)
    not found `sqare` is not in the study; nearest: `square`, `line`, `open`; expected `<= n in n`
              (trend-prof.toml:12)
    undecided open (b.c) grows as something between n and n^2 log n; expected `<= n in n` (trend-prof.toml:6); run
              n = 26000 and 51000 to help tell n, n log n, n^1.5, n^2 and n^2 log n apart; n = 51000 costs 16
              times the most expensive run so far

    2 expectations hold; `-v` lists them.
    ");
}

#[test]
fn markdown_of_very_many_fits_into_a_comment() {
    let many: Vec<Expectation> = (1..10_001).map(|i| function(i, "square", "<= n")).collect();
    let checked = checked("square", &many);
    let text = check_markdown(&checked);
    assert!(text.len() < 65_536, "{}", text.len());
    assert!(text.contains("10,000 expectations, 10000 broken") && text.contains("and 9900 more are broken"));
}

/// Parsing with the schema's types and writing again must give the same value, so every field is known to the schema.
#[test]
fn sarif_is_what_its_schema_says() {
    let text = check_sarif(&usual());
    let typed: serde_sarif::sarif::Sarif = serde_json::from_str(&text).unwrap();
    let value: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(serde_json::to_value(&typed).unwrap(), value);
    let results = value["runs"][0]["results"].as_array().unwrap();
    let at = |i: usize| {
        let place = &results[i]["locations"][0]["physicalLocation"];
        (
            results[i]["ruleId"].as_str().unwrap(),
            results[i]["level"].as_str().unwrap(),
            place["artifactLocation"]["uri"].as_str().unwrap(),
            place["region"]["startLine"].as_u64().unwrap(),
        )
    };
    assert_eq!(results.len(), 4);
    assert_eq!(at(0), ("growth", "error", "a.c", 3));
    assert_eq!(at(1).0, "cost");
    assert_eq!(at(2), ("growth", "error", "trend-prof.toml", 12));
    assert_eq!(at(3).1, "warning");
}

#[test]
fn junit_reads_back_with_a_test_for_each() {
    let report = quick_junit::Report::deserialize_from_str(&check_junit(&usual())).unwrap();
    let suite = &report.test_suites[0];
    assert_eq!((suite.tests, suite.failures, suite.errors), (6, 2, 1));
    assert_eq!(suite.test_cases[0].name.as_str(), "square (a.c:3) <= n log n in n");
    assert_eq!(suite.test_cases[0].classname.as_ref().unwrap().as_str(), "a.c");
}

#[test]
fn annotations_stand_at_the_code() {
    let text = check_github(&usual());
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 4);
    let (place, message) = lines[0].split_once(",title=").unwrap();
    assert_eq!(place, "::error file=a.c,line=3");
    assert!(message.starts_with("trend-prof%3A <= n log n in n::square (a.c:3) "), "{message}");
    assert!(message.contains(" n^2 "), "{message}");
    assert!(lines[3].starts_with("::warning file=b.c,"), "{}", lines[3]);
}

#[test]
fn names_of_strangers_are_text_everywhere() {
    let name = "f\n::set-env name=X::y](javascript:x)<img src=x>\u{1b}[31m]]>%0A";
    let checked = checked(name, &[expected(1, Subject::File("a.c".to_owned()), "<= n")]);
    let annotations = check_github(&checked);
    assert_eq!(
        annotations.lines().filter(|line| line.starts_with("::")).count(),
        annotations.lines().count()
    );
    assert_eq!(annotations.lines().count(), 1);
    let markdown = check_markdown(&checked);
    assert!(
        !markdown.contains("<img") && !markdown.contains("y](") && !markdown.contains('\u{1b}'),
        "{markdown}"
    );
    let junit = quick_junit::Report::deserialize_from_str(&check_junit(&checked)).unwrap();
    assert!(!junit.test_suites[0].test_cases[0].name.as_str().contains('\u{1b}'));
    let text = check_text(&checked, &TableOptions::default());
    assert!(!anstream::adapter::strip_str(&text).to_string().contains('\u{1b}'));
    serde_json::from_str::<serde_sarif::sarif::Sarif>(&check_sarif(&checked)).unwrap();
}
