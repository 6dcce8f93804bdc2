//! JSON, CSV and Markdown.

use super::*;
use crate::sample::{bubble_sort, renamed, structured};

#[test]
fn json_has_the_published_fields() {
    let mut findings = structured();
    findings.clusters[0].max_share = f64::NAN;
    let text = json(&findings);
    assert!(text.ends_with("}\n"));
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert!(value.pointer("/clusters/0/max_share").unwrap().is_null());
    // What the schema lets be absent.
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
        assert!(unescaped.lines().filter(|l| l.starts_with("| ")).all(|l| l.matches('|').count() == 9));
        let text = csv(&findings, &at_width(80)).unwrap();
        assert!(!text.contains(",=") && !text.contains(",\"="), "{text}");
    }
}

#[test]
fn markdown_says_what_one_curve_cannot() {
    let text = markdown(&structured(), &at_width(80)).unwrap();
    let told = text.lines().skip_while(|l| !l.starts_with("| #")).take_while(|l| !l.starts_with('>'));
    insta::assert_snapshot!(told.collect::<Vec<_>>().join("\n"), @r"
    | # | cluster | | max cost | share | growth | law | at n = 600,000 (95 %) |
    |--:|:--|:--|--:|--:|:--|:--|--:|
    | 1 | bubble\_sort.c:4 in bubble\_sort |  | 5.40 G | 85.6 % | n\^2 | 1.5·n\^2 − 0.5·n | 537–543 G |
    | 2 | bubble\_sort.c:6 in bubble\_sort |  | 909 M | 14.4 % | n\^2·log m ? | 0.2·n\^2·log m + 17 | ≈ 7.7 M |
    | 3 | bubble\_sort.c:2 in bubble\_sort | linear in n | 180 k | <0.1 %, up to 3.3 % |  | none |  |

    - **bubble\_sort.c:6 in bubble\_sort**
      - In several features together: cost = 0.2·n\^2·log m + 17 ? (undecided: support 62 %); R² 0.999.
      - 2 trends in n, told apart by sorted: sorted ≤ 0.
      - Trend 1 of 12 workloads (n=60 seed=1, n=60 seed=2, …): n, power law 9.00·n\^1.00.
      - Trend 2 of 18 workloads (n=2000 seed=1, n=2000 seed=2, …): n\^2, power law 0.25·n\^2.00.
      - Entries of last\_node grow as n; the cost per entry grows as n\^0.21 (exponent 0.17–0.25).
      - Next runs: run n = 120,000 and 240,000, 3 inputs each; that decides between n and n log n
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
