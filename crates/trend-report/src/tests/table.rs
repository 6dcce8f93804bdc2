//! Tests of the table.

use super::*;
use trend_analyze::Doubt;

use crate::tests::sample::{bubble_sort, structured};

#[test]
fn a_narrow_terminal_gets_what_matters_most() {
    insta::assert_snapshot!(shown(&table(&bubble_sort(), None, &at_width(60)).unwrap()), @r"
    bubble_sort
    30 workloads; 8 locations (8 vary); up to 6.31 G executions
    per run
    n from 60 to 60,000 (3.0 decades)

    ^ bubble_sort.c:4 in bubble_sort costs most and grows
      fastest: 85.6 % of the most expensive run, up to 5.40 G
      executions; it grows as n^2 (1.5·n^2 − 0.5·n).
    ^ bubble_sort.c:6 in bubble_sort also grows faster than
      linearly: 0.25·n^2.00 (exponent 1.99–2.01); 14.4 % of the
      most expensive run.

    Clusters by maximum cost; costs in basic-block executions;
    shares of the most expensive run; laws with 95 % intervals,
    predictions for n = 600,000.

    #  cluster                     max cost  growth   at 600,000
    1  bubble_sort.c:4 in …e_sort    5.40 G  n^2       537–543 G
    2  bubble_sort.c:6 in …e_sort     909 M              84–94 G
    3  bubble_sort.c:2 in …e_sort     180 k  n       1.79–1.81 M
    ");
}

#[test]
fn what_is_not_read_on_a_terminal_has_whole_names() {
    let mut findings = bubble_sort();
    let full = "src/deep/folder/list.cpp:12 in std::vector<std::pair<int, char>, std::allocator<int> >::push_back(int&&)";
    findings.clusters[0].title = full.to_owned();
    let render =
        |findings: &Findings, options: &TableOptions| shown(&table(findings, None, options).unwrap());
    let on_terminal = render(&findings, &at_width(100));
    assert!(on_terminal.lines().all(|line| line.chars().count() <= 100), "{on_terminal}");
    assert!(on_terminal.contains("1  …/list.cpp:12 in std::vector<…>::push_back(int&&) "), "{on_terminal}");
    let piped = render(&findings, &TableOptions { whole_names: true, ..at_width(100) });
    let row = piped.lines().find(|line| line.starts_with("1  ")).unwrap();
    assert!(row.contains(full) && row.contains("5.40 G"), "{row}");
    // The table has at most the maximum readable width, unless a larger width is requested.
    findings.clusters[0].title = format!("a.cpp:1 in f<{}>(int)", ["std::allocator<int>"; 40].join(", "));
    let widest = |width| {
        let piped = render(&findings, &TableOptions { whole_names: true, ..at_width(width) });
        piped.lines().map(|line| line.chars().count()).max().unwrap()
    };
    assert!((120..=160).contains(&widest(100)), "{}", widest(100));
    assert!((800..=1000).contains(&widest(1000)), "{}", widest(1000));
}

#[test]
fn warnings_that_matter_come_first_and_the_others_when_somebody_asks() {
    let mut findings = bubble_sort();
    let notes = (0..5).map(|i| {
        crate::tests::sample::noted(
            trend_profile::WarningKind::Other("note".to_owned()),
            &format!("note {i}"),
        )
    });
    findings.doubts = [Doubt::NoFeatures].into_iter().chain(notes).collect();
    let shown_with = |all_doubts| {
        let text = shown(&table(&findings, None, &TableOptions { all_doubts, ..at_width(100) }).unwrap());
        (text.matches("warning: ").count(), text.contains("3 more warnings; -v shows all."))
    };
    assert_eq!((shown_with(false), shown_with(true)), ((3, true), (6, false)));
}

#[test]
fn a_wide_terminal_gets_everything() {
    insta::assert_snapshot!(shown(&table(&doubtful(), None, &at_width(120)).unwrap()), @r"
    bubble_sort
    30 workloads (1 more failed); 8 locations (8 vary); up to 6.31 G executions per run
    n from 60 to 60,000 (3.0 decades)
    failed: n=90000: ended by signal 11: out of memory

    ^ bubble_sort.c:4 in bubble_sort costs most and grows fastest: 85.6 % of the most expensive run, up to 5.40 G
      executions; it grows as n^2 (1.5·n^2 − 0.5·n).
    > bubble_sort.c:6 in bubble_sort (rank 2) will overtake bubble_sort.c:4 in bubble_sort (rank 1) at about n = 1,200,000,
      21 times the largest run.
    ? 2 of 3 costly clusters are poorly modelled (R² below 0.9, or no model): bubble_sort.c:6 in bubble_sort,
      bubble_sort.c:2 in bubble_sort; their predictions are a guess. 1 of 3 costly clusters is without intervals, so the
      precision of its predictions is unknown.

    Clusters by maximum cost; costs in basic-block executions; shares of the most expensive run; laws with 95 % intervals,
    predictions for n = 600,000.

    #  cluster                         max cost   share  up to  growth          law                at 600,000
    1  bubble_sort.c:4 in bubble_sort    5.40 G  85.6 %         n^2             1.5·n^2 − 0.5·n     537–543 G
    2  bubble_sort.c:6 in bubble_sort     909 M  14.4 %         n or n log n ?  9·n … 0.8·n log n     ≈ 7.7 M  ^~?!
    3  bubble_sort.c:2 in bubble_sort     180 k  <0.1 %  3.3 %                  none                           ?

    ^ overtakes a more expensive cluster; ~ counts differ between repeated runs; ? poorly modelled (R² below 0.9 or no
    model); ! see warnings with `show NAME`.

    warning: 3 workloads only: run at least 6
    ");
}

#[test]
fn a_constant_is_written_without_a_power() {
    assert_eq!(crate::words::cells::formula(&law(27.0, 0.0, 0.004, 1.0), "n"), "27");
}

#[test]
fn two_trends_stand_where_the_growth_would() {
    let text = shown(&table(&structured(), None, &at_width(110)).unwrap());
    let rows: Vec<&str> = text.lines().skip_while(|l| !l.starts_with("#  ")).take(4).collect();
    insta::assert_snapshot!(rows.join("\n"), @"
    #  cluster                         max cost   share  up to  growth       law                 at 600,000
    1  bubble_sort.c:4 in bubble_sort    5.40 G  85.6 %         n^2          1.5·n^2 − 0.5·n      537–543 G
    2  bubble_sort.c:6 in bubble_sort     909 M  14.4 %         n^2·log m ?  0.2·n^2·log m + 17     ≈ 7.7 M  ^~
    3  bubble_sort.c:2 in bubble_sort     180 k  <0.1 %  3.3 %               none                            ?
    ");
}

#[test]
fn the_exponent_in_one_feature_does_not_stand_beside_a_law_in_several() {
    let mut findings = structured();
    findings.clusters[1].fits.models[0].source = Some(trend_analyze::Source::PowerLaw);
    let shows =
        |findings: &Findings| shown(&table(findings, None, &at_width(200)).unwrap()).contains("  exponent  ");
    assert!(!shows(&findings));
    findings.clusters[1].fits.joint = None;
    assert!(shows(&findings));
}

#[test]
fn rows_sorted_by_the_exponent_show_it() {
    let shows = |sort| {
        let options = TableOptions { sort, ..at_width(120) };
        shown(&table(&bubble_sort(), None, &options).unwrap()).contains("2.000–2.001")
    };
    assert!(shows(Sort::Exponent) && !shows(Sort::Cost));
}

#[test]
fn of_one_size_nothing_is_said_to_be_predicted() {
    let mut findings = bubble_sort();
    let caption = |findings: &Findings| shown(&table(findings, None, &at_width(200)).unwrap());
    assert!(caption(&findings).contains("; laws with 95 % intervals"));
    findings.features[0].min = findings.features[0].max;
    assert!(!caption(&findings).contains("laws"));
}
