//! Tests of the table of functions.

use super::*;
use crate::tests::analyze;
use trend_analyze::Options;
use trend_profile::Study;

/// Returns the findings of a program with a quadratic function, a linear one, and twelve that hardly cost anything.
fn findings() -> Findings {
    let sizes: Vec<u64> = (0..12).map(|i| 100 << i).collect();
    let row =
        |cost: &dyn Fn(u64) -> u64| sizes.iter().map(|n| cost(*n).to_string()).collect::<Vec<_>>().join(" ");
    let functions = [("a.c:4:pairs", row(&|n| n * n / 100)), ("a.c:9:scan", row(&|n| 5000 * n))];
    let functions = functions.map(|(name, costs)| format!("{name}: {costs}\n"));
    let parts = (0..12).map(|i| format!("b.c:{}:part{i}: {}\n", 10 * i + 1, row(&|n| 7 * n + i)));
    let text = format!("n: {}\n{}{}", row(&|n| n), functions.concat(), parts.collect::<String>());
    analyze(&Study::from_text(&text).unwrap(), &Options::default()).unwrap()
}

fn functions_table(findings: &Findings, options: TableOptions) -> String {
    let options = TableOptions { by: By::Function, sort: Sort::Predicted, ..options };
    shown(&table(findings, None, &options).unwrap())
}

#[test]
fn functions_come_by_their_cost_at_the_target() {
    insta::assert_snapshot!(functions_table(&findings(), at_width(100)), @r"
    text · 12 workloads, n from 100 to 204,800

    At n = 2,048,000 (10×): 52.4 G executions.
    Fix a.c:4 in pairs (n^2): 28.7 % of the cost now, 80.1 % then.

    function       growth     now  at 2,048,000          share  line
    pairs          n^2      419 M        41.9 G  28.7 → 80.1 %  a.c:4
    scan           n       1.02 G        10.2 G  70.1 → 19.6 %  a.c:9
    12 others              17.2 M       ≈ 170 M    1.2 → 0.3 %
    whole program  n^2     1.46 G        52.4 G

    Costs in basic-block executions; 95 % intervals.
    12 more functions; --top 14 shows all.
    ");
}

#[test]
fn the_prediction_stays_on_a_narrow_terminal() {
    let text = functions_table(&findings(), at_width(60));
    assert!(text.lines().all(|line| line.chars().count() <= 60), "{text}");
    let row = text.lines().find(|line| line.starts_with("pairs")).unwrap();
    assert!(row.contains("n^2") && row.contains(" G"), "{row}");
}

#[test]
fn rows_add_up_to_the_whole() {
    let findings = findings();
    for top in [1, 2, 5] {
        let text = functions_table(&findings, TableOptions { top: Some(top), ..at_width(120) });
        let rest = 14 - top;
        assert!(text.contains(&format!("\n{rest} others ")), "{text}");
        assert!(text.contains("\nwhole program "), "{text}");
    }
    let text = functions_table(&findings, TableOptions { top: Some(14), ..at_width(120) });
    assert!(!text.contains("other"), "{text}");
}

#[test]
fn markdown_has_the_runs_and_the_same_rows() {
    let findings = findings();
    let options = TableOptions { by: By::Function, sort: Sort::Predicted, ..at_width(100) };
    let text = markdown(&findings, &options).unwrap();
    assert!(text.contains("\n12 workloads, n from 100 to 204,800\n"), "{text}");
    assert!(text.contains("\n| pairs | n\\^2 |"), "{text}");
}
