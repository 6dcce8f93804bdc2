//! Tests of the page of one cluster, function or line.

use crate::tests::analyze;
use trend_analyze::{Options, Rows};
use trend_profile::Study;

use super::*;
use crate::tests::sample::{bubble_sort, structured};

#[test]
fn the_page_of_a_cluster_tells_all_about_it() {
    let study = bubble_sort_study();
    let text = crate::page(&bubble_sort(), Some(&study), "bubble_sort.c:6", &at_width(80)).unwrap();
    insta::assert_snapshot!(shown(&text), @r"
    #2  bubble_sort.c:6 in bubble_sort
    Up to 909 M, in basic-block executions; 14.4 % of the most expensive run; 1
    location.

    The law is the power law 0.25·n^2.00; 95 % intervals: coefficient 0.238–0.269,
    exponent 1.99–2.01; R² 0.999 over 30 workloads.
    By it, doubling n multiplies the cost by 3.99× (3.97–4.02).

    Cost over n, both logarithmic
         │                                                               ⢀⣀◇⠒⠊
         │                                                          ⢀⣀⠤⠒⠋⠁
         │                                                      ◇⠤⠔⠊⠁
     1 G ┤                                                 •⠤⠔⠊⠉
         │                                            •⠤⠔⠊⠉
         │                                       ⣀•⠔⠊⠉
         │                                  ⣀•⠔⠒⠉
         │                             ⣀⡠•⠒⠉
     1 M ┤                        ⣀⡠•⠒⠉
         │                   ⢀⡠•⠒⠉
         │              ⢀⡠⠤•⠉⠁
         │         ⢀•⠤⠒⠉⠁
    1000 ┤    ⢀⡠⠤⠒⠉⠁
         │⣀⠤•⠊⠁
         └──────┬──────────────┬───────────────┬──────────────┬───────────────
               100           1000            10 k           100 k
    line: power law 0.25·n^2.00; ◇ predictions; shaded: 95 % interval.

    Predictions
            n   cost  95 % interval  of the largest run  from
    120,000    3.6 G      3.4–3.8 G                2.0×  power law
    600,000     89 G        84–94 G                 10×  power law

    Locations
    max cost  location         function       R²  source
       909 M  bubble_sort.c:6  bubble_sort  1.00  swap(&a[i], &a[j]);

    Other models
    linear  −1.1 G + 81 k · n (slope 65–88 k), R² 0.96
    ");
}

#[test]
fn a_cluster_is_found_by_name_rank_or_member_and_suggested_otherwise() {
    let findings = bubble_sort();
    let title = |name: &str| {
        let page = crate::page(&findings, None, name, &at_width(80)).unwrap();
        shown(&page).lines().find(|l| l.starts_with('#')).unwrap().to_owned()
    };
    for (name, rank) in [("n", 3), ("2", 2), ("#2", 2), ("bubble_sort.c:7", 1), ("bubble_sort.c:8", 3)] {
        assert!(title(name).starts_with(&format!("#{rank} ")), "{name}: {}", title(name));
    }
    let shown = crate::page(&findings, None, "buble_sort.c:40", &at_width(80));
    let nearest = ["bubble_sort.c:4", "bubble_sort.c:2", "bubble_sort.c:6"].map(str::to_owned).to_vec();
    assert_eq!(shown, Err(ReportError::Unknown { name: "buble_sort.c:40".to_owned(), nearest }));
    let unknown = TableOptions { feature: Some("m".to_owned()), ..at_width(80) };
    let error = prediction_table(&findings, &unknown).unwrap_err();
    assert_eq!(error.to_string(), "no feature named `m`; nearest: n");
    let lines = TableOptions { by: By::Line, ..at_width(80) };
    assert_eq!(table(&findings, None, &lines), Err(ReportError::NotAnalyzed { rows: "lines" }));
}

#[test]
fn a_line_that_a_cluster_is_not_named_by_is_told_with_its_own_cost() {
    let mut findings = bubble_sort();
    let first = |findings: &Findings, name: &str| {
        shown(&crate::page(findings, None, name, &at_width(200)).unwrap()).lines().next().unwrap().to_owned()
    };
    assert_eq!(first(&findings, "bubble_sort.c:4"), "#1  bubble_sort.c:4 in bubble_sort");
    let of_cluster = " bubble_sort.c:4 in bubble_sort: up to 1.80 G ";
    let sentence = first(&findings, "bubble_sort.c:7");
    assert!(sentence.starts_with("bubble_sort.c:7 ") && sentence.contains(of_cluster), "{sentence}");
    assert!(!sentence.contains('%'), "{sentence}");
    let line = trend_analyze::Row {
        name: "bubble_sort.c:7".to_owned(),
        max_cost: 1_800_000_000,
        max_share: 0.285,
        share_of_largest: 0.285,
        share_now: 0.285,
        ..findings.functions[0].clone()
    };
    findings.lines = Some(vec![line]);
    let sentence = first(&findings, "bubble_sort.c:7");
    assert!(sentence.starts_with("bubble_sort.c:7 ") && sentence.contains(of_cluster), "{sentence}");
    assert!(sentence.contains("; 28.5 % of "), "{sentence}");
    // The cluster is named after a feature, and the other line belongs to a block of one of its lines.
    findings.clusters[2].members[0].lines = [7, 9].into();
    let sentence = first(&findings, "bubble_sort.c:9");
    assert!(sentence.starts_with("bubble_sort.c:9 "), "{sentence}");
    assert!(sentence.ends_with(" bubble_sort.c:2 in bubble_sort."), "{sentence}");
}

#[test]
fn the_page_of_a_cluster_shows_what_one_curve_cannot_say() {
    let text = shown(&crate::page(&structured(), None, "2", &at_width(100)).unwrap());
    let lines: Vec<&str> = text.lines().filter(|l| !l.contains(['│', '┤', '└'])).collect();
    insta::assert_snapshot!(lines.join("\n"), @r"
    #2  bubble_sort.c:6 in bubble_sort
    Up to 909 M, in basic-block executions; 14.4 % of the most expensive run; 1 location.

    In several features together: cost = 0.2·n^2·log m + 17 ? (undecided: support 62 %); R² 0.999.

    Predictions
               at     cost  95 % interval  from
    n = 120,000    ≈ 1.4 M         none    several features
    n = 600,000    ≈ 7.7 M         none    several features

    Parts and trends
    2 trends in n, told apart by sorted: sorted ≤ 0.
    Trend 1 of 12 workloads (n=60 seed=1, n=60 seed=2, …): n, power law 9.00·n^1.00.
    Trend 2 of 18 workloads (n=2000 seed=1, n=2000 seed=2, …): n^2, power law 0.25·n^2.00.
    Calls of last_node grow as n; the cost per call grows as n^0.21 (exponent 0.17–0.25).

    Overtaking
    > passes #1 bubble_sort.c:4 in bubble_sort at about n = 1,200,000

    Locations
    max cost  location            function       R²
       909 M  bubble_sort.c:6  ~  bubble_sort  1.00
    ~ counts differ between repeated runs.

    Other models
    power law ≈ 0.254·n^2.00; no intervals: too few workloads for them; R² 0.71 over 30 workloads (4
    with a cost or feature of zero left out)
    linear  −1.1 G + 81 k · n (slope 65–88 k), R² 0.96
    ");
}

/// Returns a study of a linear loop with a quadratic block in the same function, and of constant code.
fn two_functions() -> Study {
    let sizes: Vec<u64> = (1..=12).map(|i| 10 * i * i).collect();
    let row = |f: &dyn Fn(u64) -> u64| sizes.iter().map(|&n| f(n).to_string()).collect::<Vec<_>>().join(" ");
    let text = format!(
        "n: {n}\nm: {m}\nsrc/a.c:3:insert: {line}\nsrc/a.c:5:insert: {square}\nsrc/a.c:9:main: {one}\n\
         src/b.c:9:insert: {one}\nsrc/b.c:20:shift: {line}",
        n = row(&|n| n),
        m = row(&|n| n % 70 + 5),
        line = row(&|n| 7 * n),
        square = row(&|n| n * n / 2),
        one = row(&|_| 40)
    );
    Study::from_text(&text).unwrap()
}

/// Returns the page without the plot.
fn page_of(name: &str) -> Result<String, ReportError> {
    let study = two_functions();
    let options = Options { rows: [Rows::Lines].into(), ..Options::default() };
    let findings = analyze(&study, &options).unwrap();
    let page = shown(&crate::page(&findings, Some(&study), name, &at_width(90))?);
    let is_plot = |part: &&str| part.starts_with("Cost over");
    Ok(page.split("\n\n").filter(|part| !is_plot(part)).collect::<Vec<_>>().join("\n\n"))
}

#[test]
fn the_page_of_a_function_has_its_models_and_lines() {
    insta::assert_snapshot!(page_of("a.c:insert").unwrap(), @r"
    insert  src/a.c
    Up to 1.05 M, in basic-block executions; 99.0 % of the most expensive run.

    Growth in n: n^2 (support 100 %): 0.5·n^2 + 7·n.
    For large inputs, doubling n multiplies the cost by 4; below n ≈ 14 other terms cost more.

    Predictions
           n    cost  95 % interval  of the largest run  from
     2,880    4.17 M        4.167 M                2.0×  n^2
    14,400     104 M        103.8 M                 10×  n^2

    Lines
    max cost   share  line       cluster
      1.04 M  98.1 %  src/a.c:5  #1 n^2
      10.1 k   1.0 %  src/a.c:3  #2 n

    Models
    feature  growth           power law        exponent     R²  points
    n        n^2              1.3·n^1.86      1.69–2.02  0.998      12
    m        1 … m^2 log m ?  22000·m^0.2  −3.72 … 4.17   0.00      12
    linear  −110 k + 680 · n (slope 450–920), R² 0.92
    linear  67 k + 6901 · m (slope −12 … 26 k), R² 0.08
    ");
}

#[test]
fn a_line_that_is_in_no_cluster_has_a_page() {
    insta::assert_snapshot!(page_of("a.c:9").unwrap(), @r"
    src/a.c:9
    Up to 40, in basic-block executions; <0.1 % of the most expensive run, up to 14.8 % of
    others.

    The cost does not depend on n or m.

    Predictions
                                                     at  cost  95 % interval  from
     n = 2,880, m = 45 (as in the most expensive run)    40      39.8–40.2    a constant
    n = 14,400, m = 45 (as in the most expensive run)    40      39.8–40.2    a constant

    Models
    feature  growth  power law  exponent    R²  points
    n        1       40            0.000  1.00      12
    m        1       40            0.000  1.00      12
    linear  40 + 0 · n (slope 0), R² 1.00
    linear  40 + 0 · m (slope 0), R² 1.00
    ");
}

#[test]
fn what_is_named_twice_or_not_at_all_says_what_there_is() {
    let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    let candidates = owned(&["src/a.c:insert", "src/b.c:insert"]);
    let ambiguous = ReportError::Ambiguous { name: "insert".to_owned(), candidates, more: 0 };
    assert_eq!(page_of("insert"), Err(ambiguous));
    let nearest = owned(&["shift", "insert", "main"]);
    assert_eq!(page_of("shitf"), Err(ReportError::Unknown { name: "shitf".to_owned(), nearest }));
}
