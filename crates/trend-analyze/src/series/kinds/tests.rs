use trend_profile::{Place, StudyParts, Symbol, Workload, WorkloadId};

use super::*;
use crate::analyze::analyze;
use crate::findings::doubt::{Doubt, Unfit};
use crate::findings::law::RowLaw;
use crate::findings::series::SeriesModel;

/// A seeded random number generator: SplitMix64.
struct Draw(u64);

impl Draw {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (((bits ^ (bits >> 31)) >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        (-2.0 * self.uniform().ln()).sqrt() * (std::f64::consts::TAU * self.uniform()).cos()
    }
}

/// Returns 20 sizes from 8 to about 5,000.
fn sizes() -> Vec<u64> {
    (0..20).map(|i| (8.0 * 1.4_f64.powi(i)).round() as u64).collect()
}

fn observed(size: u64, costs: &[f64]) -> Observation {
    let costs: Vec<u64> = costs.iter().map(|cost| cost.round().max(1.0) as u64).collect();
    Observation {
        count: costs.len() as u64,
        min: *costs.iter().min().unwrap(),
        max: *costs.iter().max().unwrap(),
        sum: costs.iter().sum(),
        sum_of_squares: costs.iter().map(|&cost| (cost as f64).powi(2)).sum(),
        ..Observation::at(size)
    }
}

/// Returns observations of the costs that `calls` gives, at all sizes.
fn observations(mut calls: impl FnMut(f64) -> Vec<f64>) -> Vec<Observation> {
    sizes().into_iter().map(|n| observed(n, &calls(n as f64))).collect()
}

fn series(context: &str, workload: u32, observations: Vec<Observation>) -> Series {
    let series = Series::of_routine(Symbol::plain("get"), "prog", Variable::Rms, observations);
    let place = Place { context: context.to_owned(), ..series.place };
    Series { place, workload: WorkloadId(workload), ..series }
}

/// Returns the row of the whole routine.
fn row(workloads: &[&str], series: Vec<Series>) -> SeriesRow {
    let workloads = workloads.iter().map(|name| Workload::imported(name)).collect();
    let study = Study::new(StudyParts { workloads, series, ..StudyParts::default() }).unwrap();
    let findings = analyze(&study, &Options::default()).unwrap();
    findings.series.into_iter().find(|row| row.context.is_none()).unwrap()
}

/// Returns the kinds of one run's calls.
fn kinds(observations: Vec<Observation>) -> Option<Kinds> {
    row(&["a"], vec![series("", 0, observations)]).kinds
}

fn spread(kinds: Option<Kinds>) -> (KindLaw, KindLaw, Option<CallShares>) {
    match kinds {
        Some(Kinds::Spread { cheapest, dearest, dearest_part }) => (cheapest, dearest, dearest_part),
        other => panic!("{other:?}"),
    }
}

#[test]
fn hits_and_misses_of_a_cache_are_two_kinds_with_their_shares() {
    // 10 of 50 calls of each size miss the cache.
    let calls = |n: f64| (0..50).map(|i| if i % 5 == 0 { n } else { 3.0 }).collect();
    let (cheapest, dearest, part) = spread(kinds(observations(calls)));
    assert!(cheapest.is_constant && cheapest.formula == "3", "{cheapest:?}");
    assert_eq!((dearest.growth.as_str(), dearest.is_constant), ("n", false));
    let part = part.unwrap();
    assert!((part.calls - 0.2).abs() < 1e-9, "{part:?}");
    let all: f64 = sizes().iter().map(|&n| 10.0 * n as f64 + 120.0).sum();
    let costly: f64 = sizes().iter().map(|&n| 10.0 * n as f64).sum();
    assert!((part.cost - costly / all).abs() < 1e-9, "{part:?}");
}

#[test]
fn a_memoised_recursion_costs_n_once_and_next_to_nothing_again() {
    let calls = |n: f64| std::iter::once(7.0 * n).chain(std::iter::repeat_n(4.0, 7)).collect();
    let (cheapest, dearest, part) = spread(kinds(observations(calls)));
    assert_eq!((cheapest.formula.as_str(), dearest.growth.as_str()), ("4", "n"));
    assert!((part.unwrap().calls - 0.125).abs() < 1e-9);
}

#[test]
fn sorted_and_random_inputs_of_one_run_are_told_by_their_spread() {
    let mut draw = Draw(1);
    let calls = |n: f64| {
        let mut random = || n * n / 4.0 * (1.0 + 0.3 * draw.normal() / n.sqrt());
        vec![2.0 * n, 2.0 * n, random(), random()]
    };
    let (cheapest, dearest, part) = spread(kinds(observations(calls)));
    assert_eq!((cheapest.growth.as_str(), dearest.growth.as_str()), ("n", "n^2"));
    // At the smallest sizes, where the laws cross, calls of one kind are not all at one end.
    assert!((part.unwrap().calls - 0.5).abs() < 0.1, "{part:?}");
}

#[test]
fn calls_that_lie_all_over_between_two_laws_have_no_shares() {
    // The inputs range from sorted to reversed.
    let calls = |n: f64| (0..30).map(|i| 2.0 * n + n * n / 2.0 * f64::from(i) / 29.0).collect();
    let (cheapest, dearest, part) = spread(kinds(observations(calls)));
    assert_eq!((cheapest.growth.as_str(), dearest.growth.as_str(), part), ("n", "n^2", None));
}

#[test]
fn runs_of_sorted_and_of_random_inputs_are_told_apart_by_name() {
    let mut draw = Draw(2);
    let names: Vec<String> = (0..6).map(|i| format!("{}-{i}", ["sorted", "random"][i % 2])).collect();
    let run = |i: usize| {
        let calls = |n: f64| {
            let scatter = (0.005 * draw.normal()).exp();
            vec![if i.is_multiple_of(2) { 5.0 * n } else { n * n / 4.0 } * scatter; 2]
        };
        // The kinds cannot be distinguished where the laws cross.
        let observations = observations(calls).into_iter().filter(|o| o.size() > 50).collect();
        series("", i as u32, observations)
    };
    let all: Vec<Series> = (0..6).map(run).collect();
    let row = row(&names.iter().map(String::as_str).collect::<Vec<_>>(), all);
    let Some(Kinds::Runs { told_apart_by, rule, cheaper, costlier }) = row.kinds else {
        panic!("{:?}", row.kinds)
    };
    assert_eq!((told_apart_by, rule.as_deref()), (None, Some("`random` in the name is more expensive")));
    assert_eq!((cheaper.law.growth.as_str(), costlier.law.growth.as_str()), ("n", "n^2"));
    assert!((cheaper.part.calls - 0.5).abs() < 1e-12 && costlier.part.cost > 0.9);
}

/// Returns the kinds of a routine that is called from `parse` and from `print`.
fn called_from(
    mut parse: impl FnMut(f64) -> Vec<f64>,
    mut print: impl FnMut(f64) -> Vec<f64>,
) -> Option<Kinds> {
    let contexts = [("main → parse", observations(&mut parse)), ("main → print", observations(&mut print))];
    let mut routine: Vec<Observation> = contexts.iter().flat_map(|(_, one)| one).copied().collect();
    Observation::merge(&mut routine);
    let mut all: Vec<Series> =
        contexts.into_iter().map(|(context, observations)| series(context, 0, observations)).collect();
    all.push(series("", 0, routine));
    row(&["a"], all).kinds
}

#[test]
fn callers_with_laws_of_their_own_are_kinds() {
    let detected = called_from(|n| vec![3.0 * n; 3], |n| vec![n * n / 10.0]);
    let Some(Kinds::Contexts { kinds }) = detected else { panic!("{detected:?}") };
    let growths: Vec<(&str, &str)> =
        kinds.iter().map(|kind| (kind.contexts[0].as_str(), kind.law.growth.as_str())).collect();
    assert_eq!(growths, [("main → parse", "n"), ("main → print", "n^2")]);
    assert!((kinds[0].part.calls - 0.75).abs() < 1e-12 && kinds[1].part.cost > 0.9);
}

#[test]
fn callers_with_one_law_are_one_kind() {
    for seed in 0..6 {
        let (mut a, mut b) = (Draw(seed), Draw(1000 + seed));
        let detected = called_from(
            |n| (0..5).map(|_| 3.0 * n * n.log2() * (0.3 * a.normal()).exp()).collect(),
            |n| (0..2).map(|_| 9.0 * n * n.log2() * (0.3 * b.normal()).exp()).collect(),
        );
        assert_eq!(detected, None, "seed {seed}");
    }
}

/// Returns the number of routines, out of 60, in which several kinds of calls are found. A call costs `cost` times a
/// drawn number.
fn alarms(
    calls: impl Fn(f64) -> f64,
    cost: impl Fn(f64) -> f64,
    mut draw: impl FnMut(&mut Draw) -> f64,
) -> usize {
    let alarm = |seed: &u64| {
        let mut numbers = Draw(seed * 7919);
        let calls =
            |n: f64| (0..calls(n).round() as u64).map(|_| cost(n) * draw(&mut numbers)).collect::<Vec<f64>>();
        of_spread(Variable::Rms, &observations(calls), &Options::default()).is_some()
    };
    (0..60).filter(alarm).count()
}

#[test]
fn scatter_about_one_law_is_one_kind_however_the_numbers_of_calls_differ() {
    let counts: [fn(f64) -> f64; 4] = [|_| 2.0, |_| 30.0, |n| 5000.0 / n, |n| n];
    let laws: [fn(f64) -> f64; 2] = [|n| 40.0 * n, |n| 5.0 * n * n.log2()];
    let mut alarm_counts = Vec::new();
    for calls in counts {
        for cost in laws {
            for sigma in [0.3, 0.5, 0.9] {
                alarm_counts.push(alarms(calls, cost, |draw| (sigma * draw.normal()).exp()));
            }
        }
    }
    // The number of false alarms among 1440 routines.
    assert_eq!(alarm_counts.iter().sum::<usize>(), 0, "{alarm_counts:?}");
}

#[test]
fn a_spread_within_a_constant_factor_is_one_kind() {
    // A quicksort with more or less lucky pivots, a search that ends early, and a routine with more calls at larger
    // sizes.
    let quicksort = alarms(|_| 20.0, |n| 1.4 * n * n.log2(), |draw| 1.0 + 0.5 * draw.uniform());
    let search = alarms(|_| 20.0, |n| n, |draw| if draw.uniform() < 0.3 { 0.25 } else { 1.0 });
    let rising = alarms(|n| n / 4.0, |n| 3.0 * n, |draw| 1.0 + 2.0 * draw.uniform());
    assert_eq!((quicksort, search, rising), (0, 0, 0));
}

/// Sizes from 18 to 162 cost twice the size, and those from 104 to 260 cost 26 times the size.
#[test]
fn sizes_on_two_curves_are_two_kinds_with_laws_of_their_own() {
    let cheap = (2..=20).map(|i| 8 * i + 2).map(|n| observed(n, &[2.0 * n as f64 + 4.0; 100]));
    let costly = (13..=32).map(|i| 8 * i + 4).map(|n| observed(n, &[26.0 * n as f64 + 5.0; 20]));
    let row = row(&["a"], vec![series("", 0, cheap.chain(costly).collect())]);
    let Some(Kinds::Trends { cheaper, costlier }) = &row.kinds else { panic!("{:?}", row.kinds) };
    assert_eq!((&*cheaper.law.growth, &*cheaper.law.formula), ("n", "2·rms + 4"));
    assert_eq!((&*costlier.law.growth, &*costlier.law.formula), ("n", "26·rms + 5"));
    assert!((cheaper.part.calls - 1900.0 / 2300.0).abs() < 1e-9, "{cheaper:?}");
    let formula = |model: &SeriesModel| model.fits.law().and_then(RowLaw::law).unwrap().formula();
    assert_eq!((formula(&row.worst), formula(&row.best)), ("26·rms + 5".into(), "2·rms + 4".into()));
    // A mean over both kinds has no law.
    let doubts = &row.average.fits.models[0].doubts;
    assert!(row.average.fits.law().is_none() && row.average.offset_power.is_none());
    assert!(matches!(doubts[..], [Doubt::NoGrowth { why: Unfit::TwoKinds, .. }]), "{doubts:?}");
}

/// The kinds have few sizes in common, so that the curves of both trends meet where only one kind has calls.
#[test]
fn sizes_change_sides_until_the_laws_of_both_kinds_fit() {
    let cheap = (2..=24).map(|i| 8 * i + 2).map(|n| observed(n, &[2.0 * n as f64 + 4.0; 100]));
    let costly = (33..=65).map(|i| 4 * i).map(|n| observed(n, &[26.0 * n as f64 + 5.0; 20]));
    let row = row(&["a"], vec![series("", 0, cheap.chain(costly).collect())]);
    let Some(Kinds::Trends { cheaper, costlier }) = &row.kinds else { panic!("{:?}", row.kinds) };
    assert_eq!((&*cheaper.law.formula, &*costlier.law.formula), ("2·rms + 4", "26·rms + 5"));
    assert!((cheaper.part.calls - 2300.0 / 2960.0).abs() < 1e-9, "{cheaper:?}");
}
