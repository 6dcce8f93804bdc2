use std::fmt::Write as _;

use trend_model::DecidingRuns;
use trend_profile::{Study, StudyParts, Timing, Usage};

use super::most_questions;
use super::words::{listed, sizes_in_words};
use crate::analyze::analyze;
use crate::findings::Findings;
use crate::findings::model::NextRuns;
use crate::findings::row::Cluster;
use crate::options::Options;

fn findings(sizes: &[u64], cost: &dyn Fn(u64) -> u64, options: &Options) -> Findings {
    let row = |f: &dyn Fn(u64) -> u64| sizes.iter().map(|&n| f(n).to_string()).collect::<Vec<_>>().join(" ");
    let text = format!("n: {}\na.c:4:f: {}", row(&|n| n), row(cost));
    analyze(&Study::from_text(&text).unwrap(), options).unwrap()
}

fn next(sizes: &[u64], cost: &dyn Fn(u64) -> u64) -> Option<NextRuns> {
    let findings = findings(sizes, cost, &Options::default());
    assert_eq!(
        findings.clusters[0].fits.models[0].next, findings.total.fits.models[0].next,
        "one location is all"
    );
    findings.total.fits.models[0].next.clone()
}

/// A logarithm above a startup cost, ±2 %. The same size and program always give the same noise.
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
fn no_size_is_advised_that_the_machine_has_no_memory_for() {
    // The machine has 1001 MB, enough for a run of size 1000 and no more.
    let largest = |program, machine_memory_bytes| {
        let cost = hidden(program);
        let row = |value: &dyn Fn(u64) -> u64| SIZES.map(|n| value(n).to_string()).join(" ");
        let text = format!("n: {}\na.c:4:f: {}", row(&|n| n), row(&cost));
        let mut parts = StudyParts::from_text(&text).unwrap();
        for (workload, n) in parts.workloads.iter_mut().zip(SIZES) {
            let usage = Usage { peak_rss_bytes: 1_000_000 + 1000 * n * n, ..Usage::default() };
            workload.timing = Some(Timing { machine_memory_bytes, runs: vec![usage] });
        }
        let findings = analyze(&Study::new(parts).unwrap(), &Options::default()).unwrap();
        let sizes = findings.total.fits.models[0].next.clone().map(|next| next.sizes);
        sizes.into_iter().flatten().reduce(f64::max)
    };
    let beyond: Vec<u64> = (0..30).filter(|i| largest(*i, 0).is_some_and(|n| n > 1000.0)).collect();
    assert!(beyond.len() >= 3, "{beyond:?}");
    for program in beyond {
        assert!(largest(program, 1_001_000_000).is_none_or(|n| n <= 1000.0), "{program}");
    }
}

#[test]
fn where_nothing_tells_what_runs_cost_sizes_are_advised_without() {
    let text = "n: 1000 2000 4000 8000 16000 32000\na.c:1:f: 100 100 100 100 100 100\n\
                b.c:1:g: 0 0 0 0 0 900000";
    let findings = analyze(&Study::from_text(text).unwrap(), &Options::default()).unwrap();
    let models = findings.clusters.iter().flat_map(|c| &c.fits.models).chain(&findings.total.fits.models);
    let advised: Vec<&NextRuns> = models.filter_map(|m| m.next.as_ref()).collect();
    assert!(advised.iter().any(|next| next.sizes.iter().any(|n| *n > 32_000.0)), "{advised:?}");
    for next in advised {
        assert!(next.costs.iter().all(|cost| cost.is_finite()) && !next.message.contains("inf"), "{next:?}");
    }
}

#[test]
fn sizes_at_which_laws_are_below_0_are_not_advised() {
    let row = |f: &dyn Fn(u64) -> u64| {
        let costs: Vec<String> = (0..12).map(|i| f(160 + 44 * i).to_string()).collect();
        costs.join(" ")
    };
    let exploding = |n: u64| (4000.0 * 1.016_f64.powf(n as f64)).round() as u64;
    // At n = 6, a hundredth of the largest size, it would be −2040.
    let linear = |n: u64| 160 * n - 3000;
    let text = format!("n: {}\na.c:1:f: {}\nb.c:1:g: {}", row(&|n| n), row(&exploding), row(&linear));
    let findings = analyze(&Study::from_text(&text).unwrap(), &Options::default()).unwrap();
    let models = findings.clusters.iter().flat_map(|c| &c.fits.models).chain(&findings.total.fits.models);
    for next in models.filter_map(|m| m.next.as_ref()) {
        assert!(next.costs.iter().all(|cost| cost.is_finite()) && !next.sizes.contains(&6.0), "{next:?}");
    }
}

#[test]
fn an_undecided_verdict_comes_with_the_runs_that_decide_it() {
    let (mut advised, mut right) = (0, 0);
    for program in 0..30 {
        let cost = hidden(program);
        let undecided = findings(&SIZES, &cost, &Options::default());
        let model = &undecided.total.fits.models[0];
        let Some(advice) = model.next.clone().filter(|next| next.decides) else { continue };
        assert!(!model.growth.as_ref().unwrap().decided);
        assert!(advice.message.starts_with("run n = ") && advice.message.contains(" to tell "), "{advice:?}");
        // A user who follows the advice gets the verdict.
        let more: Vec<u64> = SIZES.into_iter().chain(advice.sizes.iter().map(|&n| n as u64)).collect();
        let after = findings(&more, &cost, &Options::default());
        advised += 1;
        right += u32::from(after.total.fits.models[0].growth.as_ref().unwrap().verdict == "n log n");
    }
    assert!(advised >= 3 && right * 10 >= advised * 8, "{right} of {advised}");
}

#[test]
fn sizes_out_of_reach_are_not_advised() {
    let mut advised = 0;
    for program in 0..30 {
        let options = Options { largest: Some(("n".to_owned(), 1700.0)), ..Options::default() };
        let near = findings(&SIZES, &hidden(program), &options).total.fits.models[0].next.clone();
        let Some(advice) = near.filter(|next| !next.sizes.is_empty()) else { continue };
        assert!(advice.sizes.iter().all(|n| *n <= 1700.0), "{advice:?}");
        advised += 1;
    }
    assert!(advised >= 5, "{advised}");
}

#[test]
fn clusters_that_no_size_decides_take_no_others_place() {
    // Another feature determines the costs of sixteen clusters; larger sizes decide the cluster after them.
    let is_helped = |program: &u64| {
        let findings = findings(&SIZES, &hidden(*program), &Options::default());
        findings.total.fits.models[0].next.as_ref().is_some_and(|next| !next.sizes.is_empty())
    };
    let cost = hidden((0..30).find(is_helped).unwrap());
    let row = |values: [u64; 7]| values.map(|value| value.to_string()).join(" ");
    let mut text = format!("n: {}\n", row(SIZES));
    for k in 0..16_u64 {
        let wild = |i: u64| 1_000 * (1 + (i + 3) * (i + 3) * (7 * k + 11) * (k + 5) % 97);
        let costs = row([0, 1, 2, 3, 4, 5, 6].map(wild));
        writeln!(text, "a.c:{}:wild{k}: {costs}", k + 1).unwrap();
    }
    writeln!(text, "a.c:99:f: {}", row(SIZES.map(cost))).unwrap();
    let options = Options { costly_share: 0.0, ..Options::default() };
    let findings = analyze(&Study::from_text(&text).unwrap(), &options).unwrap();
    let is_f = |c: &Cluster| c.members.iter().any(|m| *m.function == *"f");
    let at = findings.clusters.iter().position(is_f).unwrap();
    let (before, f) = (&findings.clusters[..at], &findings.clusters[at]);
    let hopeless = before.iter().filter_map(|c| c.fits.models[0].next.as_ref());
    let hopeless = hopeless.filter(|next| next.sizes.is_empty()).count();
    assert!(hopeless >= 8, "{hopeless} of {}", before.len());
    let model = &f.fits.models[0];
    assert!(model.next.as_ref().is_some_and(|next| !next.sizes.is_empty()), "{:#?}", model.growth);
}

#[test]
fn a_row_of_less_than_a_hundredth_of_the_cost_gets_no_advice() {
    let cost = hidden((0..30).find(|program| next(&SIZES, &hidden(*program)).is_some()).unwrap());
    // The row is all of the cost in the smallest run.
    let advised = |line: u64| {
        let rest = |n: f64| if n < 60.0 { 0.0 } else { line as f64 * n };
        let sizes: Vec<u64> = SIZES.into();
        let study = study(&sizes, &[("f", &|n| cost(n as u64) as f64), ("rest", &rest)]);
        let findings = analyze(&study, &Options::default()).unwrap();
        cluster(&findings, "f").fits.models[0].next.is_some()
    };
    assert!(advised(1) && !advised(1_000_000));
}

#[test]
fn no_size_is_advised_again_where_none_was_run_twice() {
    let advised: Vec<NextRuns> = (0..30).filter_map(|program| next(&SIZES, &hidden(program))).collect();
    assert!(advised.len() >= 5, "{}", advised.len());
    for next in advised {
        let is_again = next.sizes.iter().any(|size| SIZES.contains(&(*size as u64)));
        assert!(next.inputs <= 1 && !is_again, "{next:?}");
    }
}

#[test]
fn classes_that_make_no_difference_need_no_further_runs() {
    let is_near = |program: &u64| {
        let findings = findings(&SIZES, &hidden(*program), &Options::default());
        findings.total.fits.models[0].growth.as_ref().is_some_and(|growth| growth.near.is_some())
    };
    let near: Vec<u64> = (0..20).filter(is_near).collect();
    assert!(!near.is_empty());
    for program in near {
        assert!(next(&SIZES, &hidden(program)).is_none(), "{program}");
    }
}

#[test]
fn further_inputs_of_known_sizes_are_said_to_be_more() {
    let runs = |sizes: &[f64], inputs| DecidingRuns {
        sizes: sizes.to_vec(),
        inputs,
        decides: true,
        costs: vec![1.0],
    };
    let measured = [100.0, 100.0, 200.0];
    assert_eq!(listed("n", &runs(&[100.0, 200.0], 1), &measured), "n = 100 and 200 (1 more input each)");
    assert_eq!(listed("n", &runs(&[400.0], 3), &measured), "n = 400 (3 inputs)");
    assert_eq!(listed("n", &runs(&[400.0], 1), &measured), "n = 400");
}

#[test]
fn a_narrow_range_and_few_sizes_are_widened() {
    let narrow = next(&[100, 120, 140, 160, 180, 200, 220], &|n| 7 * n).unwrap();
    assert!(narrow.message.contains("spans only a factor of 2.2"), "{narrow:?}");
    assert_eq!(narrow.sizes.last(), Some(&10_000.0));
    let few = next(&[100, 10_000], &|n| 7 * n).unwrap();
    assert!(few.message.contains("2 sizes of n say little") && few.sizes.len() == 4, "{few:?}");
    assert!(!few.decides);
}

#[test]
fn no_size_is_advised_where_another_feature_is_needed() {
    let sizes = [100, 100, 100, 200, 200, 200, 400, 400, 400, 800, 800, 800];
    let row = |values: &[u64]| values.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let costs: Vec<u64> = (0..12).map(|i| [3, 1500, 70][i % 3] * sizes[(i * 7) % 12]).collect();
    let text = format!("n: {}\na.c:4:f: {}", row(&sizes), row(&costs));
    let findings = analyze(&Study::from_text(&text).unwrap(), &Options::default()).unwrap();
    let advice = findings.total.fits.models[0].next.clone().unwrap();
    assert!(advice.sizes.is_empty() && advice.message.contains("a second feature may explain"), "{advice:?}");
}

/// A study of these sizes, with named rows of costs.
fn study(sizes: &[u64], rows: &[(&str, &dyn Fn(f64) -> f64)]) -> Study {
    let row = |f: &dyn Fn(f64) -> f64| {
        sizes.iter().map(|&n| format!("{:.0}", f(n as f64))).collect::<Vec<_>>().join(" ")
    };
    let mut text = format!("n: {}", row(&|n| n));
    for (i, (name, cost)) in rows.iter().enumerate() {
        write!(text, "\na.c:{}:{name}: {}", 10 * i + 1, row(cost)).unwrap();
    }
    Study::from_text(&text).unwrap()
}

fn cluster<'a>(findings: &'a Findings, function: &str) -> &'a Cluster {
    findings.clusters.iter().find(|c| c.members.iter().any(|m| *m.function == *function)).unwrap()
}

#[test]
fn a_decided_exponential_over_a_few_units_is_wide_enough() {
    let sizes: Vec<u64> = (5..=22).collect();
    let fibonacci = |n: f64| 2.0 * 1.618_033_988_749_895_f64.powf(n + 1.0) - 1.0;
    let findings =
        analyze(&study(&sizes, &[("fib", &fibonacci), ("main", &|n| 40.0 + n)]), &Options::default())
            .unwrap();
    let total = &findings.total.fits.models[0];
    assert!(total.growth.as_ref().unwrap().decided && total.next.is_none(), "{:?}", total.next);
    let narrow = findings.doubts.iter().chain(&total.doubts).find(|w| w.kind() == "narrow_range");
    assert_eq!(narrow, None);
    // Over so few units, a linear cost decides little.
    let line =
        analyze(&study(&[15, 16, 17, 18, 19, 20, 21, 22], &[("f", &|n| 70.0 * n)]), &Options::default());
    assert!(line.unwrap().doubts.iter().any(|w| w.kind() == "narrow_range"));
}

#[test]
fn what_is_advised_costs_a_few_times_what_all_runs_cost_whatever_the_truth_is() {
    type Case<'a> = (&'a [u64], &'a dyn Fn(f64) -> f64);
    let noisy = |n: f64| 90.0 * 1.25_f64.powf(n) * (1.0 + 0.08 * (n * n * 12.9898).sin());
    let threes = |n: f64| 40.0 + 3_f64.powf(n);
    let cube = |n: f64| 500.0 + n.powi(3);
    let cases: [Case<'_>; 9] = [
        (&[10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20], &noisy),
        (&[2, 4, 6], &|n| 3.0 * n.exp2()),
        (&[2, 4, 8], &|n| 3.0 * n.exp2()),
        (&[5, 10, 15], &|n| 3.0 * n.exp2()),
        (&[10, 12, 14, 16], &|n| 3.0 * n.exp2()),
        (&[4, 5, 6, 7, 8], &threes),
        (&[10, 11, 12, 13, 14], &threes),
        (&[100, 200, 300], &cube),
        (&[100, 200], &|n| 70.0 * n),
    ];
    for (sizes, cost) in cases {
        let findings = analyze(&study(sizes, &[("f", cost)]), &Options::default()).unwrap();
        let next =
            findings.total.fits.models[0].next.clone().unwrap_or_else(|| panic!("{sizes:?}: no advice"));
        assert!(!next.sizes.is_empty(), "{sizes:?}: {next:?}");
        let so_far: f64 = sizes.iter().map(|&n| cost(n as f64)).sum();
        let advised: f64 = next.sizes.iter().map(|&n| cost(n)).sum::<f64>() * next.inputs as f64;
        // The prediction allows 30 times at most.
        assert!(advised <= 60.0 * so_far, "{sizes:?}: {} times as much for {next:?}", advised / so_far);
    }
}

#[test]
fn that_nothing_affordable_decides_is_told() {
    // The square root of a logarithm, hidden in scatter.
    let next = |program: u64| {
        let noise = move |n: u64| (((n + 7919 * program) as f64 * 12.9898).sin() * 43_758.547).sin();
        let cost = move |n: u64| (1000.0 * (n as f64).log2().sqrt() * (1.0 + 0.25 * noise(n))) as u64;
        findings(&SIZES, &cost, &Options::default()).total.fits.models[0].next.clone()
    };
    let next = (0..30).filter_map(next).find(|next| next.sizes.is_empty()).unwrap();
    assert!(!next.decides, "{next:?}");
    assert!(next.message.contains("cost up to 30 times as much as all runs so far"), "{next:?}");
}

#[test]
fn of_many_sizes_the_first_the_last_and_their_number_are_named() {
    assert_eq!(sizes_in_words(&[100.0]), "100");
    assert_eq!(sizes_in_words(&[100.0, 200.0, 400.0]), "100, 200 and 400");
    let many: Vec<f64> = (1..=100).map(|i| 10.0 * f64::from(i)).collect();
    assert_eq!(sizes_in_words(&many), "10 to 1000 (100 sizes)");
}

#[test]
fn advice_costs_what_the_whole_program_does() {
    // A noisy n log n next to a cubic function that dominates large sizes.
    let sizes = [100, 180, 325, 585, 1054, 1898, 3420, 6162];
    let cube = |n: f64| n.powi(3) / 500.0;
    let advised = |program: u32| {
        let noise = |n: f64| 1.0 + 0.1 * (n * (12.9898 + f64::from(program))).sin();
        let noisy = |n: f64| 300.0 * n * n.log2() * noise(n) + 90_000.0;
        let study = study(&sizes, &[("cube", &cube), ("log", &noisy)]);
        let findings = analyze(&study, &Options::default()).unwrap();
        let next =
            cluster(&findings, "log").fits.models[0].next.clone().filter(|next| !next.sizes.is_empty())?;
        Some((findings, next))
    };
    let (findings, next) = (0..20).find_map(advised).unwrap();
    let costliest = findings.total.max_cost as f64;
    let mut expensive = 0;
    for (&n, &cost) in next.sizes.iter().zip(&next.costs) {
        let truth = cube(n) + 300.0 * n * n.log2() + 90_000.0;
        assert!((0.8..1.5).contains(&(cost / truth)), "{cost} for {truth} in {next:?}");
        expensive += usize::from(cost >= 10.0 * costliest);
    }
    assert!(next.costs.iter().sum::<f64>() <= 30.0 * findings.total.costs.iter().sum::<u64>() as f64);
    assert_eq!(expensive > 0, next.message.contains("times the most expensive run so far"), "{next:?}");
}

#[test]
fn the_whole_needs_no_runs_where_the_parts_that_matter_are_decided() {
    // A square, and a row with a hundredth of the cost that no size can decide.
    let sizes: Vec<u64> = (0..10).map(|i| 100 << i).collect();
    let wild = |n: f64| 300.0 + 200.0 * n * n * (1.0 + (n * 12.9898).sin()) / 51_200.0;
    let findings =
        analyze(&study(&sizes, &[("square", &|n| 3.0 * n * n), ("wild", &wild)]), &Options::default())
            .unwrap();
    assert!(cluster(&findings, "square").fits.models[0].growth.as_ref().unwrap().decided);
    assert_eq!(findings.total.fits.models[0].next, None);
}

#[test]
fn questions_are_shared_by_all_features_and_few_where_runs_are_many() {
    assert_eq!([1, 12, 130, 4000].map(most_questions), [4000, 333, 30, 30]);
}
