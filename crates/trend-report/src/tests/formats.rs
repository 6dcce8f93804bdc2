//! Tests of JSON, CSV and Markdown.

use super::*;
use crate::tests::sample::{bubble_sort, renamed, structured};

#[test]
fn json_has_the_published_fields() {
    let mut findings = structured();
    findings.clusters[0].max_share = f64::NAN;
    let text = json(&findings);
    assert!(text.ends_with("}\n"));
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert!(value.pointer("/clusters/0/max_share").unwrap().is_null());
    // These fields are optional in the schema.
    for pointer in [
        "/clusters/1/joint/law/formula",
        "/clusters/1/decomposition/per_entry/models/0/power_law/b",
        "/clusters/1/models/0/split/trends/0/workloads/0",
        "/clusters/1/models/0/next/message",
        "/clusters/0/law/parts/0/sums/0/terms/0/factors/0/exponent",
    ] {
        assert!(value.pointer(pointer).is_some_and(|v| !v.is_null()), "{pointer}");
    }
}

#[test]
fn findings_of_all_kinds_are_of_the_committed_schema() {
    for findings in [bubble_sort(), structured(), doubtful(), renamed(structured(), HOSTILE[0])] {
        published(&findings);
    }
    let mut findings = published(&structured());
    let schema = published_schema();
    findings["clusters"][0]["models"][0]["surprise"] = 1.into();
    assert!(!schema.is_valid(&findings), "what is not declared is refused");
}

#[test]
fn hostile_names_stay_in_their_cell_of_markdown_and_csv() {
    for name in HOSTILE {
        let findings = renamed(structured(), name);
        let text = markdown(&findings, &at_width(80)).unwrap();
        assert!(!text.contains("<script") && !text.contains("<img") && !text.contains("<!--"), "{text}");
        let unescaped = text.replace("\\|", "");
        let rows = unescaped.lines().filter(|line| line.starts_with("| "));
        let bars: Vec<usize> = rows.map(|row| row.matches('|').count()).collect();
        assert!(bars.len() == 5 && bars.iter().all(|count| *count == bars[0]), "{unescaped}");
        let text = csv(&findings, &at_width(80)).unwrap();
        assert!(!text.contains(",=") && !text.contains(",\"="), "{text}");
    }
}

#[test]
fn markdown_says_what_a_wide_terminal_does() {
    let text = markdown(&structured(), &at_width(80)).unwrap();
    insta::assert_snapshot!(text, @r"
    ## How bubble\_sort scales

    30 workloads (1 more failed); 8 locations (8 vary); up to 6.31 G executions per run

    n from 60 to 60,000 (3.0 decades)

    - **failed:** n=90000: ended by signal 11: out of memory

    - bubble\_sort.c:4 in bubble\_sort costs most and grows fastest: 85.6 % of the most expensive run, up to 5.40 G executions; it grows as n\^2 (1.5·n\^2 − 0.5·n).
    - bubble\_sort.c:6 in bubble\_sort (rank 2) will overtake bubble\_sort.c:4 in bubble\_sort (rank 1) at about n = 1,200,000, 21 times the largest run.
    - 1 of 3 costly clusters is poorly modelled (R² below 0.9, or no model): bubble\_sort.c:2 in bubble\_sort; its predictions are a guess.

    Clusters by maximum cost; costs in basic-block executions; shares of the most expensive run; laws with 95 % intervals, predictions for n = 600,000.

    | \# | cluster |  | max cost | share | up to | growth | law | cost at 600,000 | at 600,000 | blocks |  |
    | --: | :-- | :-- | --: | --: | --: | :-- | :-- | --: | --: | --: | :-- |
    | 1 | bubble\_sort.c:4 in bubble\_sort |  | 5.40 G | 85.6 % |  | n\^2 | 1.5·n\^2 − 0.5·n | 540 G | 537–543 G | 3 |  |
    | 2 | bubble\_sort.c:6 in bubble\_sort |  | 909 M | 14.4 % |  | n\^2·log m ? | 0.2·n\^2·log m + 17 | ≈ 7.7 M | ≈ 7.7 M | 1 | \^\~ |
    | 3 | bubble\_sort.c:2 in bubble\_sort | linear in n | 180 k | &lt;0.1 % | 3.3 % |  | none |  |  | 3 | ? |

    - **next:** run n = 120,000 and 240,000, 3 inputs each; that decides between n and n log n (bubble\_sort.c:6 in bubble\_sort).

    \^ overtakes a more expensive cluster; \~ counts differ between repeated runs; ? poorly modelled (R² below 0.9 or no model).

    - **warning:** 3 workloads only: run at least 6

    Costs are executions (k = 10³, M = 10⁶, G = 10⁹, T = 10¹²); shares are of the most expensive run; 95 % intervals by Student’s t with robust variance, seed 1.
    ");
}

#[test]
fn csv_has_the_verdict_and_whether_it_is_decided() {
    let text = csv(&doubtful(), &at_width(80)).unwrap();
    insta::assert_snapshot!(text, @"
    rank,kind,name,function,file,line,locations,costly,max_cost,max_share,feature,growth,decided,a,a_lo,a_hi,b,b_lo,b_hi,r2,points,ignored_zeros,at,predicted,predicted_lo,predicted_hi,share_of_largest,source,law
    1,cluster,bubble_sort.c:4 in bubble_sort,bubble_sort,bubble_sort.c,4,3,true,5399970000,0.881,n,n^2,true,1.491842,1.48438279,1.4993012099999998,2.000587,1.9999619999999998,2.0012119999999998,1,30,0,600000,539999700000,537299701500,542699698499.99994,0.8558950094932131,class,1.5·n^2 − 0.5·n
    2,cluster,bubble_sort.c:6 in bubble_sort,bubble_sort,bubble_sort.c,6,1,true,909000000,0.149,n,n or n log n ?,false,0.2537,,,1.998,,,0.71,30,4,600000,7710422.338728048,,,0.14407646035613728,classes,9·n or 0.8·n log n
    3,cluster,bubble_sort.c:2 in bubble_sort,bubble_sort,bubble_sort.c,2,3,true,180001,0.033,,,,,,,,,,,,,600000,,,,0.000028530150649686542,,
    ");
}
