//! Properties of every comparison, checked in both directions on generated pairs of studies.

use std::fmt::Write as _;

use trend_profile::{Study, StudyParts};

use super::*;
use crate::analyze::analyze;
use crate::options::Options;

/// A deterministic random number generator.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most
    }

    fn unit(&mut self) -> f64 {
        self.below(1 << 20) as f64 / f64::from(1 << 20)
    }

    /// Draws from a normal distribution, as the sum of twelve uniform numbers.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.unit()).sum::<f64>() - 6.0
    }

    fn one<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }
}

const LAWS: [fn(f64) -> f64; 8] = [
    |_| 900.0,
    |n| 40.0 * n.log2(),
    |n| 30.0 * n,
    |n| 6.0 * n * n.log2(),
    |n| 0.05 * n * n,
    |n| 20.0 * n + 0.001 * n * n,
    |n| 5000.0 + 3.0 * n,
    |n| 10.0 * n + 0.01 * n * n,
];

const SIZES: [f64; 10] = [100.0, 170.0, 290.0, 500.0, 850.0, 1400.0, 2400.0, 4100.0, 7000.0, 12_000.0];

/// A function: its name, its law, and a factor.
type Code = (String, fn(f64) -> f64, f64);

/// Returns a study of functions with their costs at these sizes.
fn study(sizes: &[f64], functions: &[(String, Vec<f64>)]) -> Study {
    let row = |costs: &[f64]| costs.iter().map(|c| c.round().to_string()).collect::<Vec<_>>().join(" ");
    let mut text = format!("n: {}", row(sizes));
    for (i, (name, costs)) in functions.iter().enumerate() {
        write!(text, "\na.c:{}:{name}: {}", 10 * i + 1, row(costs)).unwrap();
    }
    Study::new(StudyParts::from_text(&text).unwrap()).unwrap()
}

fn costs(sizes: &[f64], law: &dyn Fn(f64) -> f64, noise: f64, random: &mut Random) -> Vec<f64> {
    sizes.iter().map(|&n| (law(n) * (noise * random.normal()).exp()).max(1.0)).collect()
}

fn both_ways(before: &Study, after: &Study, at: f64) -> [Comparison; 2] {
    let options = Options { at: vec![("n".to_owned(), at)], ..Options::default() };
    let (old, new) = (analyze(before, &options).unwrap(), analyze(after, &options).unwrap());
    let (old, new) = (Version { study: before, findings: &old }, Version { study: after, findings: &new });
    crate::properties::both_ways(old, new, "n", &options).unwrap()
}

#[test]
fn no_pair_of_studies_contradicts_itself_and_each_mirrors_its_reverse() {
    let mut random = Random(1);
    for case in 0..20 {
        let noise = *random.one(&[0.0, 0.0, 0.002, 0.01, 0.05]);
        // Few sizes, or sizes that are nearly equal, have no range.
        let sizes = match case % 10 {
            8 => SIZES[..4].to_vec(),
            9 => (0..8).map(|i| 1000.0 + f64::from(i)).collect(),
            _ => SIZES.to_vec(),
        };
        let version = |laws: &[Code], random: &mut Random| {
            let rows = laws.iter().map(|(name, law, factor)| {
                (name.clone(), costs(&sizes, &|n| factor * law(n), noise, random))
            });
            study(&sizes, &rows.collect::<Vec<_>>())
        };
        let names = ["first", "second", "third"];
        let laws: Vec<Code> =
            names.iter().map(|name| ((*name).to_owned(), *random.one(&LAWS), 1.0)).collect();
        let mut changed = laws.clone();
        let which = random.below(3);
        match random.below(5) {
            0 => changed[which].1 = *random.one(&LAWS),
            1 => changed[which].2 = *random.one(&[0.02, 0.5, 0.97, 1.01, 1.3, 40.0]),
            2 => changed[which].0 = "renamed".to_owned(),
            3 => changed.push(("new".to_owned(), *random.one(&LAWS), *random.one(&[0.001, 0.1, 1.0]))),
            _ => {}
        }
        let (before, after) = (version(&laws, &mut random), version(&changed, &mut random));
        let at = *random.one(&[1000.0, 24_000.0, 120_000.0]);
        both_ways(&before, &after, at);
        let [same, _] = both_ways(&before, &before, at);
        assert_eq!((same.outcome, same.reason), (Outcome::Holds, OutcomeReason::Same), "{case}");
        assert!(same.identical && same.changes.is_empty());
    }
}

/// Compares functions of two versions at ten sizes, without noise.
fn compared(
    before: &[(&str, &dyn Fn(f64) -> f64)],
    after: &[(&str, &dyn Fn(f64) -> f64)],
    at: f64,
) -> [Comparison; 2] {
    compared_with(before, after, at, 0.0, &SIZES)
}

fn compared_with(
    before: &[(&str, &dyn Fn(f64) -> f64)],
    after: &[(&str, &dyn Fn(f64) -> f64)],
    at: f64,
    noise: f64,
    sizes: &[f64],
) -> [Comparison; 2] {
    let mut random = Random(9);
    let [before, after] = [before, after].map(|functions| {
        let rows =
            functions.iter().map(|(name, law)| ((*name).to_owned(), costs(sizes, law, noise, &mut random)));
        study(sizes, &rows.collect::<Vec<_>>())
    });
    both_ways(&before, &after, at)
}

#[test]
fn each_version_is_predicted_by_its_own_law_however_far() {
    // A parser tried every argument twice until it was fixed.
    let sizes: Vec<f64> = (6..20).map(f64::from).collect();
    let (twice, once): (&dyn Fn(f64) -> f64, &dyn Fn(f64) -> f64) =
        (&|n| 3.0 * 2f64.powf(n), &|n| 43.0 * n + 7.0);
    let [fixed, broken] = compared_with(&[("parse", twice)], &[("parse", once)], 40.0, 0.0, &sizes);
    assert_eq!((fixed.outcome, broken.outcome), (Outcome::Improved, Outcome::Regressed));
    assert!((fixed.total.after.cost / 1727.0 - 1.0).abs() < 1e-3, "{:?}", fixed.total);
    assert!((fixed.total.before.cost / (3.0 * 2f64.powi(40)) - 1.0).abs() < 1e-3);
    assert_eq!(fixed.changes[0].grows, GrowthChange::Slower);
    // Lua: a quadratic term goes away, which is a factor of 36 even in the largest run.
    let [fixed, _] = compared(&[("f", &|n| 30.0 * n + 0.09 * n * n)], &[("f", &|n| 30.0 * n)], 120_000.0);
    assert_eq!(fixed.outcome, Outcome::Improved);
    assert!((fixed.total.change.ratio.unwrap() - 3.6e6 / (3.6e6 + 0.09 * 1.44e10)).abs() < 1e-4);
}

#[test]
fn a_cost_that_falls_is_no_regression_though_the_ratio_rises() {
    // jq: an expensive start went away, so the ratio of the costs rises with the size.
    let [improved, regressed] =
        compared(&[("main", &|n| 4e8 + 40_000.0 * n)], &[("main", &|n| 4000.0 * n)], 120_000.0);
    assert_eq!((improved.outcome, improved.reason), (Outcome::Improved, OutcomeReason::Cost));
    assert_eq!(regressed.outcome, Outcome::Regressed);
    assert!(improved.changes.iter().all(|c| c.change.direction == Direction::Better));
}

#[test]
fn a_small_square_in_exact_counts_is_a_change_and_grows_faster_where_its_law_does() {
    let line = |n: f64| 7.0 * n + 3.0;
    let with = |share: f64| move |n: f64| line(n) + (share * 7.0 * n * n / 12_000.0).floor();
    // The quadratic term is 6 % of the largest run, and 37 % at ten times its size.
    let (before, six, less) = (&line, with(0.06), with(0.002));
    let [worse, _] = compared(&[("work", before)], &[("work", &six)], 120_000.0);
    assert_eq!(worse.outcome, Outcome::Regressed, "{:#?}", worse.total);
    assert_eq!(
        (worse.changes[0].change.kind, worse.changes[0].grows),
        (ChangeKind::Class, GrowthChange::Faster)
    );
    assert!(!worse.nothing_faster);
    // A term of 0.2 % is reported, and `nothing_faster` is not claimed.
    let [slight, _] = compared(&[("work", before)], &[("work", &less)], 120_000.0);
    assert_eq!((slight.unchanged, slight.undecided, slight.changes.len()), (0, 0, 1));
    assert!(!slight.nothing_faster && slight.total.change.kind != ChangeKind::None, "{:#?}", slight.total);
    assert!(slight.total.change.ratio.unwrap() > 1.001);
}

#[test]
fn noise_does_not_hold_what_a_square_may_hide_in() {
    let (line, square): (&dyn Fn(f64) -> f64, &dyn Fn(f64) -> f64) =
        (&|n| 14.0 * n, &|n| 14.0 * n + 0.36 * 14.0 * n * n / 12_000.0);
    let [comparison, _] = compared_with(&[("work", line)], &[("work", square)], 120_000.0, 0.04, &SIZES);
    assert!(
        matches!(comparison.outcome, Outcome::CannotTell | Outcome::Regressed),
        "{:?}",
        comparison.outcome
    );
    assert!(!comparison.nothing_faster);
}

#[test]
fn noise_alone_is_neither_a_regression_nor_an_improvement() {
    let mut random = Random(5);
    let mut wrong = 0;
    for noise in [0.002, 0.01, 0.05] {
        for _ in 0..12 {
            let mut version = || {
                let row = |name: &str, random: &mut Random| {
                    (name.to_owned(), costs(&SIZES, &|n| 30.0 * n, noise, random))
                };
                study(&SIZES, &[row("first", &mut random), row("second", &mut random)])
            };
            let (before, after) = (version(), version());
            let [comparison, _] = both_ways(&before, &after, 120_000.0);
            wrong += u32::from(matches!(comparison.outcome, Outcome::Regressed | Outcome::Improved));
        }
    }
    assert!(wrong <= 1, "{wrong} of 36");
}

#[test]
fn a_new_function_grows_faster_where_the_whole_did_not() {
    let (line, square): (&dyn Fn(f64) -> f64, &dyn Fn(f64) -> f64) = (&|n| 30.0 * n, &|n| 0.01 * n * n);
    let [worse, better] = compared(&[("old", line)], &[("old", line), ("fresh", square)], 120_000.0);
    assert_eq!((worse.outcome, better.outcome), (Outcome::Regressed, Outcome::Improved));
    assert_eq!((worse.changes[0].grows, worse.nothing_faster), (GrowthChange::Faster, false));
    assert_eq!((better.changes[0].grows, better.nothing_faster), (GrowthChange::Slower, true));
    let [alike, _] = compared(&[("old", square)], &[("old", square), ("fresh", square)], 120_000.0);
    assert_eq!((alike.changes[0].grows, alike.outcome), (GrowthChange::Alike, Outcome::Regressed));
}

#[test]
fn without_a_range_there_is_a_factor_at_the_most() {
    let sizes: Vec<f64> = [113.0, 113.0, 114.0, 114.0, 115.0, 115.0, 115.0, 113.0].into();
    let rows = |costs: &dyn Fn(usize) -> f64| {
        let row = (0..sizes.len()).map(costs).collect();
        study(&sizes, &[("main".to_owned(), row)])
    };
    let inner = |i: usize| 100.0 + 120.0 * i as f64;
    let [open, _] = both_ways(&rows(&inner), &rows(&|i| inner(i).powi(2)), 1150.0);
    let OutcomeReason::NoFactor { least, most } = open.reason else { panic!("{:?}", open.reason) };
    assert_eq!((least.round(), most.round(), open.outcome), (100.0, 940.0, Outcome::CannotTell));
    assert!(open.total.before.growth.is_empty() && open.total.after.ci.is_none());
    let [twice, half] = both_ways(&rows(&inner), &rows(&|i| 2.0 * inner(i)), 1150.0);
    assert_eq!((twice.outcome, half.outcome), (Outcome::Regressed, Outcome::Improved));
    assert!((twice.total.change.ratio.unwrap() - 2.0).abs() < 1e-9);
}

#[test]
fn without_shared_workloads_nothing_is_called_unchanged() {
    let shifted: Vec<f64> = SIZES.iter().map(|n| n + 1.0).collect();
    let row = |sizes: &[f64]| study(sizes, &[("f".to_owned(), sizes.iter().map(|n| 9.0 * n).collect())]);
    let [comparison, _] = both_ways(&row(&SIZES), &row(&shifted), 120_000.0);
    assert_eq!(comparison.reason, OutcomeReason::FewShared { needed: 4 });
    let counts = (comparison.unchanged, comparison.undecided, comparison.nothing_faster);
    assert_eq!(counts, (0, 0, false));
}

#[test]
fn a_target_that_no_run_reaches_within_a_day_is_left_for_the_largest_that_both_do() {
    let sizes: Vec<f64> = (6..20).map(f64::from).collect();
    let study_with = |law: &dyn Fn(f64) -> f64| {
        study(&sizes, &[("f".to_owned(), sizes.iter().map(|&n| law(n)).collect())])
    };
    let options = Options { at: vec![("n".to_owned(), 180.0)], ..Options::default() };
    let findings = |study: &Study| analyze(study, &options).unwrap();
    let (slow, fast) = (findings(&study_with(&|n| 2f64.powf(n))), findings(&study_with(&|n| 43.0 * n)));
    let out = out_of_reach(&slow, &fast, "n", 0).unwrap();
    // 2^46 nanoseconds are 20 hours.
    assert_eq!((out.asked, out.largest, out.is_assumed), (180.0, 46.0, true));
    assert!((out.seconds.unwrap().log10() - 45.2).abs() < 0.1, "{out:?}");
    assert_eq!(out_of_reach(&fast, &fast, "n", 0), None);
}
