//! Tests of the table of predictions.

use super::*;
use crate::tests::sample::{bubble_sort, predicted_at};

#[test]
fn predictions_say_how_ranks_change() {
    let mut findings = doubtful();
    findings.clusters[1].fits.models[0].power_law = Some(law(2.0, 2.4, 0.05, 0.99));
    findings.clusters[1].fits.models[0].growth = None;
    let text = prediction_table(&predicted_at(findings.clone(), 6e6), &at_width(100)).unwrap();
    insta::assert_snapshot!(shown(&text), @r"
    bubble_sort at n = 6,000,000
    n from 60 to 60,000 (3.0 decades); 6,000,000 is 100 times the largest run.
    The whole program costs 62.3 T (62.0–62.5 T).
    Costs are executions; intervals are 95 %. Ranks: by maximum cost → by cost at the target.

    Clusters
        #  cluster                         max cost  growth  cost at 6,000,000  at 6,000,000
    2 → 1  bubble_sort.c:6 in bubble_sort     909 M                       37 P       35–39 P  ^~!
    1 → 2  bubble_sort.c:4 in bubble_sort    5.40 G  n^2                54.0 T   53.7–54.3 T
    ^ overtakes a more expensive cluster; ~ counts differ between repeated runs; ! see warnings with
    `show NAME`.
    Left out because they have no model: 1.

    Functions
    #  function     max cost    share  law             exponent    R²  cost at 6,000,000  at 6,000,000
    1  bubble_sort    6.31 G  100.0 %  1.74·n^2.00  1.999–2.000  1.00             62.3 T   62.0–62.5 T

    warning: 3 workloads only: run at least 6
    ");
}

#[test]
fn a_size_below_all_that_was_run_is_said_to_be_one() {
    let text = shown(&prediction_table(&predicted_at(bubble_sort(), 5.0), &at_width(80)).unwrap());
    assert!(text.contains("5 is below the smallest run"), "{text}");
}

#[test]
fn what_was_asked_for_is_the_last_to_go_in_a_narrow_terminal() {
    let at =
        |width| shown(&prediction_table(&predicted_at(bubble_sort(), 600_000.0), &at_width(width)).unwrap());
    for width in [40, 60, 80, 100] {
        let text = at(width);
        let tables = text.lines().filter(|line| line.trim_start().starts_with("#  "));
        assert!(
            tables.clone().count() == 2 && tables.clone().all(|line| line.contains("cost at 600,000")),
            "{text}"
        );
        assert!(text.contains("540 G"), "{text}");
    }
    let text = at(60);
    let rows: Vec<&str> = text.lines().skip_while(|l| *l != "Clusters").skip(1).take(4).collect();
    insta::assert_snapshot!(rows.join("\n"), @"
    #  cluster                      cost at 600,000   at 600,000
    1  bubble_sort.c:4 in …le_sort            540 G    537–543 G
    2  bubble_sort.c:6 in …le_sort             89 G      84–94 G
    3  bubble_sort.c:2 in …le_sort           1.80 M  1.79–1.81 M
    ");
}

#[test]
fn what_ran_in_small_runs_alone_is_predicted_for_such_runs_alone() {
    let mut findings = bubble_sort();
    findings.clusters[1].fits.models[0].runs_until = Some(300.0);
    let name = findings.clusters[1].representative.name.clone();
    let left_out = "Left out because no large run executed them: 1.";
    let far = shown(&prediction_table(&predicted_at(findings.clone(), 6e6), &at_width(100)).unwrap());
    assert!(far.contains(left_out) && !far.contains(&name), "{far}");
    let near = shown(&prediction_table(&predicted_at(findings.clone(), 200.0), &at_width(100)).unwrap());
    assert!(!near.contains(left_out) && near.contains(&name), "{near}");
}
