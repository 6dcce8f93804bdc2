//! Tests exponentials with bases of all kinds, and costs that grow faster than any of them.

use trend_model::{FitError, Growth, Reach, Term, deciding_runs, growth};

use crate::draw::Draw;
use crate::exponential_programs::{BASES, NOISES, is_named, program};

const PROGRAMS: u64 = 60;

#[test]
fn the_base_is_found_or_said_not_to_be_known() {
    for base in BASES {
        for noise in NOISES {
            let (mut right, mut wrong, mut covered) = (0, 0, 0);
            for number in 0..PROGRAMS {
                let program = program(base, noise, number);
                let verdict = growth(&program.x, &program.y).unwrap();
                let is_named = is_named(&verdict, base);
                right += u64::from(is_named && verdict.decided);
                wrong += u64::from(!is_named);
                let (at, truth) = program.further;
                let interval = verdict.predict_interval(at, 0.95).unwrap();
                covered += u64::from(interval.lo <= truth * 1.000_001 && truth <= interval.hi * 1.000_001);
            }
            // At most 5 % are truly wrong; with 60 programs, 6 are no evidence against that.
            let (most_wrong, least_right) = if noise == 0.0 { (1, 58) } else { (6, 50) };
            assert!(wrong <= most_wrong, "{base}, {noise}: {wrong} wrong of {PROGRAMS}");
            assert!(right >= least_right, "{base}, {noise}: {right} right of {PROGRAMS}");
            assert!(covered >= 52, "{base}, {noise}: {covered} intervals hold the truth of {PROGRAMS}");
        }
    }
}

fn counts(sizes: &[f64], mut cost: impl FnMut(f64) -> f64) -> Result<Growth, FitError> {
    let y: Vec<f64> = sizes.iter().map(|&n| cost(n).round()).collect();
    growth(sizes, &y)
}

fn consecutive(from: u32, to: u32) -> Vec<f64> {
    (from..=to).map(f64::from).collect()
}

#[test]
fn exact_counts_have_the_base_of_their_recurrence() {
    let fibonacci = |n: f64| (1..n as u32).fold((0.0, 1.0), |(a, b), _| (b, a + b)).1;
    let verdict =
        |from, to, cost: &dyn Fn(f64) -> f64| counts(&consecutive(from, to), cost).unwrap().verdict();
    assert_eq!(verdict(5, 30, &|n| 2.0 * fibonacci(n + 1.0) - 1.0), "1.62^n");
    assert_eq!(verdict(4, 12, &|n| (3f64.powf(n) - 1.0) / 2.0), "3^n");
    assert_eq!(verdict(2, 9, &|n| 40.0 + 7f64.powf(n) + 30.0 * n), "7^n");
    assert_eq!(verdict(5, 40, &|n| 13.0 * 1.3f64.powf(n) + 500.0), "1.3^n");
    assert_eq!(verdict(6, 19, &|n| 5.0 * n.exp2() - 5.0), "2^n");
    assert_eq!(verdict(5, 20, &|n| 5.0 * n.exp2() + 300.0), "2^n");
}

#[test]
fn what_outgrows_every_exponential_explodes() {
    let factorial = |n: f64| (1..=n as u32).map(f64::from).product::<f64>();
    for (from, to) in [(3, 10), (3, 14), (5, 20), (10, 30), (5, 40)] {
        let sizes = consecutive(from, to);
        assert_eq!(counts(&sizes, factorial).unwrap().verdict(), "n!", "{from} to {to}");
        for verdict in [counts(&sizes, |n| n.powf(n)), counts(&sizes, |n| (n * n / 4.0).exp2())] {
            let verdict = verdict.unwrap();
            let explodes = verdict.named().iter().any(|fit| fit.class.term().explodes());
            assert!(explodes, "{from} to {to}: {}", verdict.verdict());
        }
    }
}

#[test]
fn over_a_short_range_a_high_power_and_an_exponential_are_both_named() {
    // From 20 to 32, 1.2^n rises by 1.2^12 = 8.9, like n^4.65.
    let sizes = consecutive(20, 32);
    let (mut both, mut right, mut wrong) = (0, 0, 0);
    for number in 0..40 {
        let mut draw = Draw::new(number);
        let verdict = counts(&sizes, |n| 1000.0 * 1.2f64.powf(n) * (0.05 * draw.normal()).exp()).unwrap();
        let exponentials =
            verdict.named().iter().filter(|f| matches!(f.class.term(), Term::Exponential { .. })).count();
        both += usize::from(exponentials > 0 && exponentials < verdict.named().len());
        right += usize::from(verdict.decided && exponentials == 1);
        wrong += usize::from(exponentials == 0);
    }
    // Measured: 31 name both; naming the exponential alone is also right.
    assert!(
        both >= 29 && both + right >= 38 && wrong <= 2,
        "{both} name both, {right} decided, {wrong} wrong, of 40"
    );
}

#[test]
fn an_undecided_exponential_is_decided_a_few_units_further() {
    let sizes = consecutive(20, 32);
    let (mut advised, mut decided) = (0, 0);
    for number in 0..12 {
        let mut draw = Draw::new(number);
        let mut cost = |n: f64| (1000.0 * 1.2f64.powf(n) * (0.02 * draw.normal()).exp()).round();
        let mut y: Vec<f64> = sizes.iter().map(|&n| cost(n)).collect();
        let before = growth(&sizes, &y).unwrap();
        let reach = Reach { largest: None, cost: 1000.0 * y[y.len() - 1], other_inputs: true, seed: 1 };
        let Some(runs) =
            deciding_runs(&sizes, &y, &before, &reach, &|_, own| own).ok().filter(|runs| runs.decides)
        else {
            continue;
        };
        let further: Vec<f64> = runs.sizes.iter().flat_map(|&n| vec![n; runs.inputs]).collect();
        y.extend(further.iter().map(|&n| cost(n)));
        let after = growth(&[sizes.clone(), further].concat(), &y).unwrap();
        assert!(runs.sizes.iter().all(|n| *n <= 70.0), "{runs:?}");
        advised += 1;
        decided += usize::from(after.decided && is_named(&after, 1.2));
    }
    assert!(advised >= 4 && decided * 10 >= advised * 8, "{decided} of {advised}");
}

#[test]
fn another_unit_of_the_feature_is_another_base_and_the_same_growth() {
    let sizes = consecutive(5, 30);
    let y: Vec<f64> = sizes.iter().map(|n| 700.0 * 1.5f64.powf(*n) + 5000.0 * n).collect();
    for unit in [0.1, 2.0, 60.0, 1000.0] {
        let renamed: Vec<f64> = sizes.iter().map(|n| n * unit).collect();
        let verdict = growth(&renamed, &y).unwrap();
        let Term::Exponential { base } = verdict.best().class.term() else { panic!("{}", verdict.verdict()) };
        assert!(verdict.decided, "{unit}: {}", verdict.verdict());
        assert!((base.ln() * unit / 1.5f64.ln() - 1.0).abs() < 0.02, "{unit}: {base}");
        let predicted = verdict.best().predict(40.0 * unit) / (700.0 * 1.5f64.powf(40.0) + 200_000.0);
        assert!((predicted - 1.0).abs() < 1e-3, "{unit}: {predicted}");
    }
}

#[test]
fn all_subsets_with_all_their_elements_and_all_orders_have_classes_of_their_own() {
    type Cost<'a> = &'a dyn Fn(f64) -> f64;
    let factorial = |n: f64| (1..=n as u32).map(f64::from).product::<f64>();
    let costs: [(&str, u32, u32, Cost<'_>); 6] = [
        ("n·2^n", 10, 24, &|n| n * n.exp2()),
        ("n·2^n", 8, 20, &|n| 3.0 * n * n.exp2() + 5.0 * n.exp2() + 200.0),
        // The sum of k·2^k over k ≤ n.
        ("n·2^n", 4, 18, &|n| (n - 1.0) * n.exp2() * 2.0 + 2.0),
        ("n!", 4, 9, &factorial),
        ("n!", 5, 11, &|n| 6.0 * factorial(n) + 40.0 * n + 9.0),
        ("2^n", 5, 22, &|n| 7.0 * n.exp2() + 30.0 * n),
    ];
    for (class, from, to, cost) in costs {
        let sizes = consecutive(from, to);
        let exact = counts(&sizes, cost).unwrap();
        assert_eq!(exact.verdict(), class, "{from} to {to}");
        let at = 1.25 * f64::from(to);
        let at = at.round();
        assert!((exact.best().predict(at) / cost(at) - 1.0).abs() < 1e-3, "{class} at {at}");
        let (mut named, mut held) = (0, 0);
        for number in 0..40 {
            let mut draw = Draw::new(number);
            let verdict = counts(&sizes, |n| cost(n) * (0.03 * draw.normal()).exp()).unwrap();
            named += usize::from(verdict.named().iter().any(|fit| fit.class.to_string() == class));
            let interval = verdict.predict_interval(at, 0.95).unwrap();
            held += usize::from((interval.lo..=interval.hi).contains(&cost(at)));
        }
        // Measured: always named, and held at least 30 times.
        assert!(named >= 39 && held >= 29, "{class} from {from} to {to}: named {named}, held {held} of 40");
    }
}
