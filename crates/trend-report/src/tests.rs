//! What must hold of every output.

use std::collections::BTreeSet;

use proptest::prelude::*;
use trend_analyze::Findings;

use crate::sample::{bubble_sort, bubble_sort_study, doubtful, law, renamed};
use crate::*;

/// The text as a terminal shows it, without colours.
fn shown(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\x1b') {
        plain += before;
        rest = after.split_once('m').map_or("", |(_, rest)| rest);
    }
    plain + rest
}

fn at_width(width: usize) -> TableOptions {
    TableOptions { width, ..TableOptions::default() }
}

/// Every output for a terminal.
fn terminal_outputs(findings: &Findings, width: usize) -> Vec<String> {
    let study = bubble_sort_study();
    let options = at_width(width);
    let functions = TableOptions { by: By::Function, sort: Sort::Predicted, ..options.clone() };
    let feature = findings.features.first().map_or("n", |f| &f.name);
    vec![
        table(findings, Some(&study), &options).unwrap(),
        table(findings, None, &functions).unwrap(),
        cluster_page(findings, Some(&study), "1", &options).unwrap(),
        cluster_page(findings, Some(&study), "#2", &options).unwrap(),
        prediction_table(findings, feature, 1e7, &options).unwrap(),
    ]
}

fn page(findings: &Findings) -> String {
    html(findings, &bubble_sort_study(), "trend-prof 0.1.0")
}

#[test]
fn a_narrow_terminal_gets_what_matters_most() {
    insta::assert_snapshot!(shown(&table(&bubble_sort(), None, &at_width(60)).unwrap()), @r#"
    bubble_sort
    30 workloads; 8 locations, 8 of them vary; at most 6.31 G
    executions in a run
    n from 60 to 60,000 (3.0 decades)

    = bubble_sort.c:4 (bubble_sort) costs most: 88.1 % of a run
      at most, 5.40 G executions; it grows as n^2 (1.5·n^2 −
      0.5·n).
    ^ bubble_sort.c:4 (bubble_sort) is also what grows fastest.
    ^ bubble_sort.c:6 (bubble_sort) also grows faster than
      linearly: 0.25·n^2.00 (exponent 1.99–2.01); so far 14.9 %
      of a run at most.

    Clusters by maximum cost; costs in executions of basic
    blocks, k = 10³, M = 10⁶, G = 10⁹, T = 10¹²; fits in n with
    95 % intervals, predictions for n = 600,000.

    #  cluster          max cost  growth   at 600,000
    1  bubble_sort.c:4    5.40 G  n^2       539–544 G
    2  bubble_sort.c:6     909 M              84–94 G
    3  n                   180 k  n       1.79–1.80 M
    "#);
}

#[test]
fn a_common_terminal_gets_prediction_and_fit() {
    insta::assert_snapshot!(shown(&table(&doubtful(), None, &at_width(80)).unwrap()), @r#"
    bubble_sort
    30 workloads (1 more failed); 8 locations, 8 of them vary; at most 6.31 G
    executions in a run
    n from 60 to 60,000 (3.0 decades)
    failed: n=90000: ended by signal 11

    = bubble_sort.c:4 (bubble_sort) costs most: 88.1 % of a run at most, 5.40 G
      executions; it grows as n^2 (1.5·n^2 − 0.5·n).
    ^ bubble_sort.c:4 (bubble_sort) is also what grows fastest.
    > bubble_sort.c:6 (bubble_sort), now at rank 2, will overtake bubble_sort.c:4,
      at rank 1, at about n = 1,200,000: 21 times the largest that was run.
    ? 2 of 3 costly clusters are poorly modelled (R² below 0.9, or no model):
      bubble_sort.c:6, n; what is predicted for them is a guess. 1 of 3 costly
      clusters is without intervals: nothing says how far these numbers can be
      trusted.

    Clusters by maximum cost; costs in executions of basic blocks, k = 10³, M = 10⁶,
    G = 10⁹, T = 10¹²; fits in n with 95 % intervals, predictions for n = 600,000.

    #  cluster          max cost  growth          fit             at 600,000
    1  bubble_sort.c:4    5.40 G  n^2             1.49·n^2.00      539–544 G
    2  bubble_sort.c:6     909 M  n or n log n ?  ≈ 0.254·n^2.00      ≈ 89 G  ^~?!
    3  n                   180 k                  none                        ?

    ^ overtakes a costlier cluster; ~ counts differ between repetitions; ? poorly
    modelled (R² below 0.9 or no model); ! the model has warnings (`show CLUSTER`
    names them).

    warning: 3 workloads only: run at least 6
    "#);
}

#[test]
fn a_wide_terminal_gets_everything() {
    insta::assert_snapshot!(shown(&table(&doubtful(), None, &at_width(120)).unwrap()), @r#"
    bubble_sort
    30 workloads (1 more failed); 8 locations, 8 of them vary; at most 6.31 G executions in a run
    n from 60 to 60,000 (3.0 decades)
    failed: n=90000: ended by signal 11

    = bubble_sort.c:4 (bubble_sort) costs most: 88.1 % of a run at most, 5.40 G executions; it grows as n^2 (1.5·n^2 −
      0.5·n).
    ^ bubble_sort.c:4 (bubble_sort) is also what grows fastest.
    > bubble_sort.c:6 (bubble_sort), now at rank 2, will overtake bubble_sort.c:4, at rank 1, at about n = 1,200,000: 21
      times the largest that was run.
    ? 2 of 3 costly clusters are poorly modelled (R² below 0.9, or no model): bubble_sort.c:6, n; what is predicted for them
      is a guess. 1 of 3 costly clusters is without intervals: nothing says how far these numbers can be trusted.

    Clusters by maximum cost; costs in executions of basic blocks, k = 10³, M = 10⁶, G = 10⁹, T = 10¹²; fits in n with 95 %
    intervals, predictions for n = 600,000.

    #  cluster          max cost   share  growth          fit                exponent    R²  at 600,000  plot
    1  bubble_sort.c:4    5.40 G  88.1 %  n^2             1.49·n^2.00     2.000–2.001  1.00   539–544 G  ▁▂▃▄▅▆▇█
    2  bubble_sort.c:6     909 M  14.9 %  n or n log n ?  ≈ 0.254·n^2.00            ?  0.71      ≈ 89 G  ▁▂▃▄▅▆▇█  ^~?!
    3  n                   180 k   3.3 %                  none                                           ▁▂▂▂▃▃▄▄  ?

    ^ overtakes a costlier cluster; ~ counts differ between repetitions; ? poorly modelled (R² below 0.9 or no model); ! the
    model has warnings (`show CLUSTER` names them).

    warning: 3 workloads only: run at least 6
    "#);
}

#[test]
fn the_page_of_a_cluster_tells_all_about_it() {
    let study = bubble_sort_study();
    let text = cluster_page(&bubble_sort(), Some(&study), "bubble_sort.c:6", &at_width(80)).unwrap();
    insta::assert_snapshot!(shown(&text), @r#"
    #2  bubble_sort.c:6  bubble_sort
    At most 909 M in executions of basic blocks, 14.9 % of a run; 1 location.

    Power law: cost = 0.25 · n^2.00; 95 % intervals: coefficient 0.238–0.269,
    exponent 1.99–2.01; R² 0.999 over 30 workloads.
    By it, each time n doubles, this costs 3.99× (3.97–4.02) as much; at n = 600,000
    it costs 89 G (84–94 G).

    Cost over n, both logarithmic
      1 G ┤                                                               ⢀⣀•⠒⠉
          │                                                          •⣀⠤⠒⠊⠁
          │                                                     ⢀⣀⠤⠒⠊⠁
          │                                                 ⣀⠤⠒•⠁
     10 M ┤                                            ⣀⠤⠔•⠉
          │                                       ⣀•⠔⠊⠉
          │                                  •⠤⠔⠊⠉
          │                             ⣀⡠⠔⠒⠉
    100 k ┤                        ⣀⡠⠔⠒•
          │                   ⣀⡠•⠒⠉
          │              ⢀⡠⠤⠒⠉
          │         ⢀⡠⠤⠒•⠁
     1000 ┤    ⢀⡠⠤⠒⠉⠁
          │⣀⠤•⠉⠁
          └───────┬────────────────────┬───────────────────┬───────────────────
                 100                 1,000              10,000

    Residuals: the model's cost as a multiple of the measured
           │  •          •
     ×1.01 ┤                     •      •     •
    ×1.005 ┤  •          •                          •      •    •     •
        ×1 ┤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤•⠤⠤⠤⠤⠤⠤•⠤⠤⠤⠤⠤•⠤⠤⠤⠤⠤•⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤•⠤⠤
    ÷1.005 ┤  •          •       •                         •    •     •      •
     ÷1.01 ┤                            •     •     •      •
           │                                                    •     •      •
           └───────┬────────────────────┬───────────────────┬───────────────────
                  100                 1,000              10,000

    Predictions
            n   cost  95 % interval  of the largest run  from
    120,000    3.6 G      3.4–3.8 G                2.0×  power law
    600,000     89 G        84–94 G                 10×  power law

    Locations
    max cost  location         function       R²  source
       909 M  bubble_sort.c:6  bubble_sort  1.00  swap(&a[i], &a[j]);

    Other models
    linear  -1.1 G + 81 k · n (slope 65–88 k), R² 0.96
    "#);
}

#[test]
fn predictions_say_how_ranks_change() {
    let mut findings = doubtful();
    findings.clusters[1].models[0].power_law = Some(law(2.0, 2.4, 0.05, 0.99));
    findings.clusters[1].models[0].growth = None;
    let text = prediction_table(&findings, "n", 6e6, &at_width(100)).unwrap();
    insta::assert_snapshot!(shown(&text), @r#"
    bubble_sort at n = 6,000,000
    n from 60 to 60,000 (3.0 decades); this is 100 times the largest that was run.
    The whole program costs ≈ 62 T (no interval).
    Costs are executions, k = 10³, M = 10⁶, G = 10⁹, T = 10¹²; intervals are 95 %. Ranks: by maximum
    cost now → by predicted cost then.

    Clusters
     rank  name                          max cost  no interval  growth  fit            R²
    2 → 1  bubble_sort.c:6  bubble_sort     909 M       ≈ 37 P          2.0·n^2.40   0.99
    1 → 2  bubble_sort.c:4  bubble_sort    5.40 G       ≈ 54 T  n^2     1.49·n^2.00  1.00
    Left out, as they have no model: 1.

    Functions
    rank  name                          max cost  no interval  fit            R²
       1  bubble_sort  bubble_sort.c:1    6.31 G       ≈ 62 T  1.74·n^2.00  1.00

    Overtaking on the way
    > #2 bubble_sort.c:6 passes #1 bubble_sort.c:4 at about n = 1,200,000

    warning: 3 workloads only: run at least 6
    "#);
}

#[test]
fn a_cluster_is_found_by_name_rank_or_member_and_suggested_otherwise() {
    let findings = bubble_sort();
    let title = |name: &str| {
        let page = cluster_page(&findings, None, name, &at_width(80)).unwrap();
        shown(&page).lines().next().unwrap().to_owned()
    };
    for (name, rank) in [("n", 3), ("2", 2), ("#2", 2), ("bubble_sort.c:7", 1), ("bubble_sort.c:8", 3)] {
        assert!(title(name).starts_with(&format!("#{rank} ")), "{name}: {}", title(name));
    }
    let error = cluster_page(&findings, None, "buble_sort.c:40", &at_width(80)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "no cluster is named `buble_sort.c:40`; nearest: bubble_sort.c:4, bubble_sort.c:6, n"
    );
    let error = prediction_table(&findings, "m", 1.0, &at_width(80)).unwrap_err();
    assert_eq!(error.to_string(), "no feature is named `m`; nearest: n");
    let lines = TableOptions { by: By::Line, ..at_width(80) };
    assert_eq!(table(&findings, None, &lines), Err(ReportError::NotAnalyzed { rows: "lines" }));
}

#[test]
fn the_verdict_says_that_nothing_grows_only_where_intervals_say_so() {
    let mut findings = bubble_sort();
    for cluster in &mut findings.clusters {
        cluster.models[0].power_law = Some(law(3.0, 0.999, 0.004, 1.0));
        cluster.models[0].growth = None;
    }
    let texts = |f: &Findings| verdict(f).into_iter().map(|s| s.text).collect::<Vec<_>>().join("\n");
    assert!(texts(&findings).contains("Nothing that was run grows measurably faster than linearly in n."));
    for cluster in &mut findings.clusters {
        cluster.models[0].power_law.as_mut().unwrap().b_ci = None;
    }
    assert!(texts(&findings).contains("cannot be said"), "{}", texts(&findings));
    assert!(texts(&findings).contains("All 3 costly clusters are without intervals"));
    findings.clusters.clear();
    findings.workloads.count = 1;
    assert_eq!(texts(&findings), "One workload was counted: it says nothing about growth.");
}

#[test]
fn the_growth_of_a_cluster_is_told_with_its_rivals_and_what_it_means() {
    let decided = &bubble_sort().clusters[0].models[0];
    let told = crate::growth::sentences(decided, Some((60.0, 60_000.0)), Some(600_000.0)).join("\n");
    insta::assert_snapshot!(told, @r#"
    Growth in n: n^2 (support 99 %): 1.5·n^2 − 0.5·n; rivals: n^2 log n (support 1 %): 0.1·n^2 log n + 9·n.
    Far out, each time n doubles, the cost becomes 4 times as much; that term is most of the cost over all that was run.
    "#);
    let undecided = &doubtful().clusters[1].models[0];
    let told = crate::growth::sentences(undecided, Some((60.0, 60_000.0)), Some(600_000.0)).join("\n");
    insta::assert_snapshot!(told, @r#"
    Growth in n is undecided between n log n and n: n log n (support 60 %): 0.8·n log n; n (support 30 %): 9·n.
    At n = 600,000 they say 5.4–9.2 M: a run there would tell them apart, if runs of one size differ by less.
    "#);
}

#[test]
fn a_constant_is_written_without_a_power() {
    assert_eq!(crate::table::formula(&law(27.0, 0.0, 0.004, 1.0), "n"), "27");
}

#[test]
fn a_size_below_all_that_was_run_is_said_to_be_one() {
    let text = shown(&prediction_table(&bubble_sort(), "n", 5.0, &at_width(80)).unwrap());
    assert!(text.contains("this is below the smallest that was run"), "{text}");
}

#[test]
fn a_fit_through_two_sizes_makes_no_headline() {
    let mut findings = bubble_sort();
    for model in findings.clusters.iter_mut().flat_map(|c| &mut c.models) {
        model.growth = None;
        let law = model.power_law.as_mut().unwrap();
        (law.points, law.sizes, law.span) = (6, 2, 1000.0);
    }
    let statements = verdict(&findings);
    assert!(statements.iter().all(|s| s.kind != StatementKind::Grows), "{statements:?}");
    assert!(statements[0].text.contains("too few sizes"), "{statements:?}");
}

#[test]
fn what_may_or_may_not_grow_faster_than_linearly_is_said_to_be_undecided() {
    let statements = verdict(&doubtful());
    let undecided = statements.iter().find(|s| s.text.contains("cannot be told yet"));
    assert!(undecided.is_none(), "a poor fit is told of once: {statements:?}");
    let mut findings = doubtful();
    findings.clusters[1].models[0].power_law = Some(law(2.0, 1.1, 0.05, 0.99));
    let statements = verdict(&findings);
    let undecided = statements.iter().find(|s| s.text.contains("undecided between")).unwrap();
    assert_eq!(undecided.cluster.as_deref(), Some("bubble_sort.c:6"));
    let grows = statements.iter().filter(|s| s.kind == StatementKind::Grows);
    assert!(grows.map(|s| s.cluster.as_deref()).all(|c| c == Some("bubble_sort.c:4")), "{statements:?}");
}

#[test]
fn json_has_the_published_fields() {
    let mut findings = doubtful();
    findings.clusters[0].max_share = f64::NAN;
    let text = json(&findings);
    assert!(text.ends_with("}\n"));
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert!(value.pointer("/clusters/0/max_share").unwrap().is_null());
    for pointer in [
        "/schema",
        "/program/name",
        "/seed",
        "/alpha",
        "/workloads/count",
        "/workloads/failed",
        "/features/0/name",
        "/features/0/min",
        "/features/0/p95",
        "/features/0/max",
        "/locations/total",
        "/locations/varying",
        "/total/models/0/feature",
        "/clusters/0/rank",
        "/clusters/0/representative/kind",
        "/clusters/0/representative/name",
        "/clusters/0/costly",
        "/clusters/0/max_cost",
        "/clusters/0/members/0/function",
        "/clusters/0/members/0/file",
        "/clusters/0/members/0/line",
        "/clusters/0/members/0/lines/0",
        "/clusters/0/members/0/block",
        "/clusters/0/members/0/r2",
        "/clusters/0/members/0/max_cost",
        "/clusters/0/models/0/feature",
        "/clusters/0/models/0/power_law/a",
        "/clusters/0/models/0/power_law/a_ci/1",
        "/clusters/0/models/0/power_law/b",
        "/clusters/0/models/0/power_law/b_ci/1",
        "/clusters/0/models/0/power_law/r2",
        "/clusters/0/models/0/power_law/points",
        "/clusters/0/models/0/power_law/ignored_zeros",
        "/clusters/0/models/0/linear/a",
        "/clusters/0/models/0/linear/b_ci/0",
        "/clusters/0/models/0/predictions/0/at",
        "/clusters/0/models/0/predictions/0/cost",
        "/clusters/0/models/0/predictions/0/ci/0",
        "/clusters/0/models/0/predictions/0/from",
        "/clusters/0/models/0/power_law/sizes",
        "/clusters/0/models/0/power_law/span",
        "/clusters/0/models/0/growth/verdict",
        "/clusters/0/models/0/growth/decided",
        "/clusters/0/models/0/growth/superlinear",
        "/clusters/0/models/0/growth/classes/0/class",
        "/clusters/0/models/0/growth/classes/0/support",
        "/clusters/0/models/0/growth/classes/0/formula",
        "/clusters/0/models/0/growth/classes/0/spread",
        "/clusters/0/models/0/growth/classes/0/named",
        "/intervals",
        "/clusters/0/models/0/warnings",
        "/functions/0/name",
        "/functions/0/file",
        "/functions/0/line",
        "/functions/0/max_cost",
        "/functions/0/max_share",
        "/functions/0/models/0/feature",
        "/warnings/0/kind",
        "/warnings/0/message",
    ] {
        assert!(value.pointer(pointer).is_some_and(|v| !v.is_null()), "{pointer}");
    }
}

const HOSTILE: [&str; 5] = [
    "<script>alert(1)</script>",
    "\"'><img src=http://evil.example/x onerror=alert(1)>",
    "\x1b]0;owned\x07\x1b[2J\r\n\u{202e}txt.exe\u{2028}\u{9b}31m",
    "=HYPERLINK(\"http://evil.example\")|`x`|\n# heading",
    "</style></title></svg>]]>--><!--${{7*7}}",
];

/// What no output may have in it, whatever names are about.
fn assert_harmless(text: &str, of: &str) {
    let bad = |c: char| (c.is_control() && c != '\n') || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2028}');
    assert_eq!(text.find(bad), None, "{of}");
}

#[test]
fn hostile_names_do_nothing_in_a_terminal() {
    for name in HOSTILE.map(str::to_owned).into_iter().chain(["x".repeat(10_000), "e\u{301}".repeat(5_000)]) {
        let findings = renamed(doubtful(), &name);
        for output in terminal_outputs(&findings, 80) {
            assert_harmless(&shown(&output), &name);
            assert!(shown(&output).lines().all(|l| text::width(l) <= 80), "{output}");
        }
        assert_harmless(&markdown(&findings, &at_width(80)).unwrap(), &name);
        let error = cluster_page(&findings, None, &format!("{name}?"), &at_width(80)).unwrap_err();
        assert_harmless(&error.to_string(), &name);
    }
}

#[test]
fn hostile_names_stay_in_their_cell_of_markdown_and_csv() {
    for name in HOSTILE {
        let findings = renamed(doubtful(), name);
        let text = markdown(&findings, &at_width(80)).unwrap();
        assert!(!text.contains("<script") && !text.contains("<img") && !text.contains("<!--"), "{text}");
        let unescaped = text.replace("\\|", "");
        assert!(unescaped.lines().filter(|l| l.starts_with("| ")).all(|l| l.matches('|').count() == 12));
        let text = csv(&findings, &at_width(80)).unwrap();
        assert!(!text.contains(",=") && !text.contains(",\"="), "{text}");
    }
}

/// The names of all elements.
fn tags(page: &str) -> BTreeSet<&str> {
    let starts = page.split('<').skip(1);
    starts.map(|s| s.split([' ', '>', '\n']).next().unwrap_or_default()).collect()
}

/// The values of an attribute.
fn attributes<'a>(page: &'a str, name: &str) -> Vec<&'a str> {
    let start = format!(" {name}=\"");
    page.split(&start).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

#[test]
fn the_page_has_no_script_no_address_and_only_its_own_style() {
    let page = page(&doubtful());
    assert!(!page.contains("<script") && !page.contains("http:") && !page.contains("https:"));
    assert!(!page.contains("url(") && !page.contains("@import") && !page.contains(" style=\""));
    assert!(attributes(&page, "href").iter().all(|href| href.starts_with('#')));
    assert!(attributes(&page, "src").is_empty());
    let policy = attributes(&page, "content").into_iter().find(|c| c.contains("default-src")).unwrap();
    assert!(policy.starts_with("default-src 'none'; style-src 'sha256-"), "{policy}");
    assert!(!policy.contains("unsafe"));
}

#[test]
fn every_link_of_the_page_has_a_target_and_every_figure_a_summary() {
    let page = page(&doubtful());
    let ids: Vec<&str> = attributes(&page, "id");
    assert_eq!(ids.len(), ids.iter().collect::<BTreeSet<_>>().len(), "{ids:?}");
    assert!(ids.contains(&"at-bubble_sort.c:4") && ids.contains(&"feature-n"));
    assert!(attributes(&page, "href").iter().all(|href| ids.contains(&&href[1..])));
    let labels = attributes(&page, "aria-labelledby");
    assert_eq!(labels.len(), page.matches("role=\"img\"").count());
    assert!(!labels.is_empty() && labels.iter().all(|label| ids.contains(label)));
}

#[test]
fn hostile_names_make_no_element_of_the_page() {
    let usual = tags(&page(&doubtful())).into_iter().map(str::to_owned).collect::<BTreeSet<_>>();
    for name in HOSTILE {
        let page = page(&renamed(doubtful(), name));
        assert_harmless(&page, name);
        assert!(tags(&page).iter().all(|tag| usual.contains(*tag)), "{:?}", tags(&page));
        assert!(
            attributes(&page, "href")
                .iter()
                .all(|href| href.starts_with("#at-") || href.starts_with("#feature-"))
        );
    }
}

/// Findings over data that no plot is made for.
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
        change(&|f| f.clusters.iter_mut().for_each(|c| c.models.clear())),
        change(&|f| {
            f.features.clear();
            f.feature_values.clear();
        }),
        change(&|f| {
            f.clusters.clear();
            f.functions.clear();
        }),
        change(&|f| {
            for model in f.clusters.iter_mut().flat_map(|c| &mut c.models) {
                model.power_law = Some(law(1e300, 300.0, 0.5, f64::NAN));
                for p in &mut model.predictions {
                    (p.cost, p.ci) = (f64::INFINITY, Some([f64::NAN, f64::INFINITY]));
                }
            }
        }),
        change(&|f| {
            for p in f.clusters.iter_mut().flat_map(|c| &mut c.models).flat_map(|m| &mut m.predictions) {
                (p.at, p.cost, p.ci) = (1e300, 1e300, Some([1e-300, 1e308]));
            }
        }),
    ]
}

#[test]
fn every_coordinate_is_finite_and_inside_whatever_the_data() {
    for (i, findings) in degenerate().into_iter().enumerate() {
        let page = page(&findings);
        let paths = attributes(&page, "d");
        let ends = |c: char| c.is_ascii_alphabetic() || c == ' ';
        for number in paths.iter().flat_map(|d| d.split(ends)).filter(|n| !n.is_empty()) {
            let value: f64 = number.parse().unwrap();
            assert!((-10.0..=470.0).contains(&value), "{i}: {number}");
        }
        for attribute in ["x", "y"] {
            assert!(attributes(&page, attribute).iter().all(|v| v.parse::<f64>().unwrap().is_finite()));
        }
        assert!(!page.contains("NaN"), "{i}");
    }
}

#[test]
fn degenerate_findings_are_shown_in_a_terminal_as_well() {
    for findings in degenerate() {
        let options = at_width(70);
        let mut outputs = vec![table(&findings, None, &options).unwrap()];
        if !findings.clusters.is_empty() {
            outputs.push(cluster_page(&findings, None, "1", &options).unwrap());
        }
        if !findings.features.is_empty() {
            outputs.push(prediction_table(&findings, "n", 1e9, &options).unwrap());
        }
        outputs.push(markdown(&findings, &options).unwrap());
        outputs.push(csv(&findings, &options).unwrap());
        for output in outputs {
            assert!(!output.contains("NaN") && !output.contains("inf"), "{output}");
        }
    }
}

#[test]
fn a_large_study_makes_a_page_that_can_be_mailed() {
    const LIMIT_BYTES: usize = 8 << 20;
    let mut findings = bubble_sort();
    let mut cluster = findings.clusters[0].clone();
    let member = cluster.members[0].clone();
    cluster.members = vec![member; 200];
    cluster.costs = (0..1000).map(|i| 1000 + i * i * 17).collect();
    findings.feature_values[0] = (0..1000).map(|i| Some(f64::from(i) + 1.5)).collect();
    findings.clusters = (1..=1500)
        .map(|rank| {
            let mut cluster = trend_analyze::Cluster { rank, ..cluster.clone() };
            cluster.representative.name = format!("{}.c:{rank}", "directory/".repeat(20));
            cluster
        })
        .collect();
    let page = page(&findings);
    assert!(page.len() <= LIMIT_BYTES, "{} bytes", page.len());
    assert!(page.contains("150 more locations of lower cost not listed"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_line_is_wider_than_the_terminal(name in "\\PC{0,60}|.{0,60}|[a-z/]{0,200}:[0-9]{1,6}", width in 0_usize..160) {
        let findings = renamed(doubtful(), &name);
        for output in terminal_outputs(&findings, width) {
            for line in shown(&output).lines() {
                prop_assert!(text::width(line) <= width.max(TableOptions::MIN_WIDTH), "{line}");
            }
        }
    }
}
