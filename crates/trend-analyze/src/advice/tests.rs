use std::fmt::Write as _;

use trend_model::DecidingRuns;

use super::words::listed;
use crate::{Cluster, Findings, NextRuns, Options, analyze};
use trend_profile::Study;

fn findings(sizes: &[u64], cost: &dyn Fn(u64) -> u64, options: &Options) -> Findings {
    let row = |f: &dyn Fn(u64) -> u64| sizes.iter().map(|&n| f(n).to_string()).collect::<Vec<_>>().join(" ");
    let text = format!("n: {}\na.c:4:f: {}", row(&|n| n), row(cost));
    analyze(&Study::from_text(&text).unwrap(), options).unwrap()
}

fn next(sizes: &[u64], cost: &dyn Fn(u64) -> u64) -> Option<NextRuns> {
    let findings = findings(sizes, cost, &Options::default());
    assert_eq!(findings.clusters[0].models[0].next, findings.total.models[0].next, "one location is all");
    findings.total.models[0].next.clone()
}

/// A logarithm above a startup cost, ±2 %, the same for the same size and program.
fn hidden(program: u64) -> impl Fn(u64) -> u64 {
    move |n| {
        let noise = (((n + 7919 * program) as f64 * 12.9898).sin() * 43_758.547).sin();
        let cost = 1500.0 + 5.0 * n as f64 * (n as f64).log2();
        (cost * (1.0 + 0.02 * noise)).round() as u64
    }
}

const SIZES: [u64; 7] = [50, 80, 130, 200, 320, 500, 800];

#[test]
fn what_is_decided_over_a_wide_range_needs_nothing() {
    assert_eq!(next(&[10, 30, 100, 300, 1000, 3000, 10_000], &|n| 7 * n), None);
}

#[test]
fn an_exponential_needs_no_wide_range_and_none_that_nobody_can_wait_for() {
    let cost = |n: u64| 40 + 3_u64.pow(n as u32);
    assert_eq!(next(&[5, 6, 7, 8, 10, 12, 14, 15], &cost), None);
    let few = next(&[10, 11, 12, 13, 14], &cost).unwrap();
    // 3^20 is 729 times 3^14.
    assert!(!few.sizes.is_empty() && few.sizes.iter().all(|n| *n <= 20.0), "{few:?}");
}

#[test]
fn an_undecided_verdict_comes_with_the_runs_that_decide_it() {
    let (mut advised, mut right) = (0, 0);
    for program in 0..30 {
        let cost = hidden(program);
        let undecided = findings(&SIZES, &cost, &Options::default());
        let model = &undecided.total.models[0];
        let Some(advice) = model.next.clone().filter(|next| next.decides) else { continue };
        assert!(!model.growth.as_ref().unwrap().decided);
        assert!(advice.message.starts_with("run n = ") && advice.message.contains(" to tell "), "{advice:?}");
        // Who follows it gets the verdict.
        let more: Vec<u64> = SIZES.into_iter().chain(advice.sizes.iter().map(|&n| n as u64)).collect();
        let after = findings(&more, &cost, &Options::default());
        advised += 1;
        right += u32::from(after.total.models[0].growth.as_ref().unwrap().verdict == "n log n");
    }
    assert!(advised >= 5 && right * 10 >= advised * 8, "{right} of {advised}");
}

#[test]
fn sizes_out_of_reach_are_not_advised() {
    let mut advised = 0;
    for program in 0..30 {
        let options = Options { largest: Some(("n".to_owned(), 1700.0)), ..Options::default() };
        let near = findings(&SIZES, &hidden(program), &options).total.models[0].next.clone();
        let Some(advice) = near.filter(|next| !next.sizes.is_empty()) else { continue };
        assert!(advice.sizes.iter().all(|n| *n <= 1700.0), "{advice:?}");
        advised += 1;
    }
    assert!(advised >= 5, "{advised}");
}

#[test]
fn clusters_that_no_size_decides_take_no_others_place() {
    // Sixteen clusters whose costs are another feature's doing, before one that larger sizes decide.
    let is_helped = |program: &u64| {
        let findings = findings(&SIZES, &hidden(*program), &Options::default());
        findings.total.models[0].next.as_ref().is_some_and(|next| !next.sizes.is_empty())
    };
    let cost = hidden((0..30).find(is_helped).unwrap());
    let row = |values: [u64; 7]| values.map(|value| value.to_string()).join(" ");
    let mut text = format!("n: {}\n", row(SIZES));
    for k in 0..16_u64 {
        let wild = |i: u64| 1_000_000 * (1 + (i + 3) * (i + 3) * (7 * k + 11) * (k + 5) % 97);
        let costs = row([0, 1, 2, 3, 4, 5, 6].map(wild));
        writeln!(text, "a.c:{}:wild{k}: {costs}", k + 1).unwrap();
    }
    writeln!(text, "a.c:99:f: {}", row(SIZES.map(cost))).unwrap();
    let options = Options { costly_share: 0.0, ..Options::default() };
    let findings = analyze(&Study::from_text(&text).unwrap(), &options).unwrap();
    let is_f = |c: &Cluster| c.members.iter().any(|m| m.function == "f");
    let at = findings.clusters.iter().position(is_f).unwrap();
    let (before, f) = (&findings.clusters[..at], &findings.clusters[at]);
    let hopeless = before.iter().filter_map(|c| c.models[0].next.as_ref());
    let hopeless = hopeless.filter(|next| next.sizes.is_empty()).count();
    assert!(hopeless >= 8, "{hopeless} of {}", before.len());
    let model = &f.models[0];
    assert!(model.next.as_ref().is_some_and(|next| !next.sizes.is_empty()), "{:#?}", model.growth);
}

#[test]
fn further_inputs_of_known_sizes_are_said_to_be_more() {
    let runs = |sizes: &[f64], inputs| DecidingRuns {
        sizes: sizes.to_vec(),
        inputs,
        decides: true,
        costs: vec![1.0],
    };
    let known = [100.0, 100.0, 200.0];
    assert_eq!(listed("n", &runs(&[100.0, 200.0], 1), &known), "n = 100 and 200 (1 more input each)");
    assert_eq!(listed("n", &runs(&[400.0], 3), &known), "n = 400 (3 inputs)");
    assert_eq!(listed("n", &runs(&[400.0], 1), &known), "n = 400");
}

#[test]
fn a_narrow_range_and_few_sizes_are_widened() {
    let narrow = next(&[100, 120, 140, 160, 180, 200, 220], &|n| 7 * n).unwrap();
    assert!(narrow.message.contains("spans a factor of 2.2 only"), "{narrow:?}");
    assert_eq!(narrow.sizes.last(), Some(&10_000.0));
    let few = next(&[100, 10_000], &|n| 7 * n).unwrap();
    assert!(few.message.contains("2 sizes of n can say little") && few.sizes.len() == 4, "{few:?}");
    assert!(!few.decides);
}

#[test]
fn no_size_is_advised_where_another_feature_is_needed() {
    let sizes = [100, 100, 100, 200, 200, 200, 400, 400, 400, 800, 800, 800];
    let row = |values: &[u64]| values.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let costs: Vec<u64> = (0..12).map(|i| [3, 1500, 70][i % 3] * sizes[(i * 7) % 12]).collect();
    let text = format!("n: {}\na.c:4:f: {}", row(&sizes), row(&costs));
    let findings = analyze(&Study::from_text(&text).unwrap(), &Options::default()).unwrap();
    let advice = findings.total.models[0].next.clone().unwrap();
    assert!(advice.sizes.is_empty() && advice.message.contains("feature is needed"), "{advice:?}");
}
