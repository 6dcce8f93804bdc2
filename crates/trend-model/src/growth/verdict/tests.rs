use super::*;
use crate::statistics::noise::Noise;
use proptest::prelude::*;

const SIZES: [f64; 10] = [60.0, 200.0, 500.0, 1000.0, 2000.0, 4000.0, 8000.0, 15000.0, 30000.0, 60000.0];

fn costs(x: &[f64], cost: impl Fn(f64) -> f64) -> Growth {
    let y: Vec<f64> = x.iter().map(|&x| cost(x)).collect();
    growth(x, &y).unwrap()
}

#[test]
fn closed_forms_of_counts_are_decided_with_their_formulas() {
    type Case = (fn(f64) -> f64, &'static str, &'static str);
    let cases: [Case; 10] = [
        (|_| 7.0, "1", "7"),
        (|n| n + 1.0, "n", "n + 1"),
        (|n| n - 1.0, "n", "n − 1"),
        (|n| 3.0 * n, "n", "3·n"),
        (|n| 1_000_000.0 + 3.0 * n, "n", "3·n + 1000000"),
        (|n| 1.5 * n * n - 0.5 * n, "n^2", "1.5·n^2 − 0.5·n"),
        (|n| n * (n + 1.0) / 2.0, "n^2", "0.5·n^2 + 0.5·n"),
        (|n| n * (n - 1.0) / 2.0 + 65_536.0, "n^2", "0.5·n^2 − 0.5·n + 65540"),
        (|n| 5.0 * n * n * n + 20.0 * n, "n^3", "5·n^3 + 20·n"),
        (|n| 20.0 + 1000.0 * n + n * n, "n^2", "n^2 + 1000·n + 20"),
    ];
    for (cost, verdict, formula) in cases {
        let growth = costs(&SIZES, cost);
        assert_eq!((growth.verdict().as_str(), growth.best().formula("n").as_str()), (verdict, formula));
    }
}

#[test]
fn a_count_that_never_changes_is_decided_constant() {
    for sizes in [&SIZES[..], &SIZES[..4], &[10.0, 11.0, 12.0, 13.0], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]] {
        for count in [1.0, 2.0, 7.0, 100.0, 123_456_789.0, 0.125] {
            let growth = costs(sizes, |_| count);
            assert_eq!(growth.verdict(), "1", "{count} at {sizes:?}");
            assert!((growth.best().predict(1e9) / count - 1.0).abs() < 1e-9);
            assert!((growth.fits.iter().map(|fit| fit.support).sum::<f64>() - 1.0).abs() < 1e-12);
        }
    }
    // Zeros are left out, so such a cost is not constant; one more execution is a change.
    let late = costs(&SIZES, |n| if n < 1000.0 { 0.0 } else { 1.0 });
    assert!(late.ignored_zeros == 3 && late.fits.len() > 1, "{late:?}");
    assert_ne!(costs(&SIZES, |n| if n < 20_000.0 { 1.0 } else { 2.0 }).verdict(), "1");
}

#[test]
fn exact_counts_over_many_decades_are_decided() {
    let x: Vec<f64> = (0..10).map(|i| 10f64.powi(1 + i / 2) * if i % 2 == 0 { 1.0 } else { 3.0 }).collect();
    for startup in 0..12 {
        for x in [&x[..], &x[..7], &x[3..]] {
            assert_eq!(costs(x, |n| 2.0 * n + f64::from(startup)).verdict(), "n", "{startup} {x:?}");
        }
    }
}

#[test]
fn rounding_is_no_pattern() {
    // Consecutive integers at sizes that grow by a factor of 1.31: all errors are rounding, and happen to rise.
    let x =
        [18.0, 24.0, 31.0, 41.0, 54.0, 71.0, 93.0, 123.0, 161.0, 212.0, 279.0, 366.0, 482.0, 634.0, 833.0];
    let y: Vec<f64> = (11..26).map(f64::from).collect();
    assert_eq!(growth(&x, &y).unwrap().verdict(), "log n");
}

#[test]
fn rounded_logarithms_are_decided() {
    let growth = costs(&SIZES, |n| (n * n.log2() + 30.0 * n).round());
    assert_eq!(growth.verdict(), "n log n");
    assert_eq!(growth.best().formula("n"), "n log n + 30·n");
    let growth = costs(&SIZES, |n| (100.0 * n.log2()).round());
    assert_eq!(growth.verdict(), "log n");
}

#[test]
fn a_table_that_is_cleared_once_bends_nothing() {
    let x: Vec<f64> = (0..12).map(|i| 2f64.powi(i)).collect();
    assert_eq!(costs(&x, |n| n + 65_536.0).verdict(), "n");
    assert_eq!(costs(&x, |n| n * n + 65_536.0).verdict(), "n^2");
}

#[test]
fn a_free_exponent_is_named_when_no_other_class_has_it() {
    let growth = costs(&SIZES, |n| (40.0 * n.powf(1.21)).round());
    assert_eq!(growth.verdict(), "n^1.21");
    let growth = costs(&SIZES, |n| (40.0 * n.powf(1.21) * n.log2()).round());
    assert_eq!(growth.verdict(), "n^1.21 log n");
}

#[test]
fn powers_of_two_are_told_from_powers_of_n() {
    let x: Vec<f64> = (5..=20).map(f64::from).collect();
    assert_eq!(costs(&x, |n| n.exp2() - 1.0).verdict(), "2^n");
    assert_eq!(costs(&x, |n| 3.0 * n.exp2() + 100.0 * n * n).verdict(), "2^n");
    assert_eq!(costs(&x, |n| 3.0 * n.powi(3)).verdict(), "n^3");
}

#[test]
fn what_the_data_cannot_decide_stays_undecided() {
    // Six sizes over one and a half decades, with noise and a startup cost of 200 times the cost at the smallest size.
    let x = [100.0, 200.0, 400.0, 800.0, 1600.0, 3000.0];
    let mut undecided = 0;
    for seed in 0..50 {
        let y = Noise::new(seed).costs(&x, 0.03, |n| 20_000.0 + n);
        let growth = growth(&x, &y).unwrap();
        undecided += usize::from(!growth.decided);
        assert!(growth.decided || growth.verdict().starts_with("undecided between "));
    }
    // Measured: 50. A change of rounding may flip one.
    assert!(undecided >= 49, "{undecided} of 50");
}

#[test]
fn hidden_squares_are_found_or_named() {
    let x: Vec<f64> = (0..20).map(|i| (100.0 * 1.44f64.powi(i)).round()).collect();
    assert_eq!(costs(&x, |n| (5000.0 + 1000.0 * n + 0.01 * n * n).round()).verdict(), "n^2");
    let mut missed = 0;
    for seed in 0..100 {
        let y = Noise::new(seed).costs(&x, 0.03, |n| 5000.0 + 1000.0 * n + 0.01 * n * n);
        let growth = growth(&x, &y).unwrap();
        assert_eq!(growth.is_superlinear(), Some(true), "seed {seed}: {}", growth.verdict());
        missed += usize::from(growth.named().iter().all(|fit| fit.class != GrowthClass::Quadratic));
    }
    // Measured: 0.
    assert!(missed <= 1, "{missed} of 100");
}

#[test]
fn startup_costs_do_not_bend_a_line() {
    for startup in [1e3, 1e4, 1e5, 1e6] {
        let mut right = 0;
        for seed in 0..50 {
            let y = Noise::new(seed).costs(&SIZES, 0.01, |n| startup + 100.0 * n);
            let growth = growth(&SIZES, &y).unwrap();
            assert!(!growth.decided || growth.verdict() == "n", "{startup}: {}", growth.verdict());
            right += usize::from(growth.decided);
        }
        // Measured: 27 at worst. The others leave room for a square of a twentieth of the cost.
        assert!(right >= 25, "{startup}: {right} of 50");
    }
}

#[test]
fn a_cost_that_falls_is_not_said_to_grow() {
    let x: Vec<f64> = (1..=11).map(|i| 100.0 * f64::from(i)).collect();
    for fall in [|n: f64| 1e6 * (1.0 - 0.0004 * n), |n: f64| 1e8 / n, |n: f64| 1e6 - 1e5 * n.ln()] {
        let y: Vec<f64> = x.iter().map(|&n| fall(n).round()).collect();
        let growth = growth(&x, &y).unwrap();
        let grows = growth.decided && growth.fits[0].class != GrowthClass::Constant;
        assert!(!grows, "{:?}", growth.fits[0]);
    }
    // The factorial falls below x = 0.46.
    let x = [0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4];
    let growth = growth(&x, &x.map(|n| (1e6 * (1.0 - n)).round())).unwrap();
    assert!(growth.fits.iter().all(|fit| fit.class != GrowthClass::Factorial), "{growth:?}");
}

#[test]
fn a_run_of_the_size_that_is_said_shows_what_hides_or_rules_it_out() {
    let x: Vec<f64> = (0..12).map(|i| (100.0 * 1.5f64.powi(i)).round()).collect();
    let largest = x[11];
    let (mut advised, mut shown, mut ruled_out) = (0, 0, 0);
    for seed in 0..60 {
        let line = |n: f64| 100.0 * n;
        let before = growth(&x, &Noise::new(seed).costs(&x, 0.05, line)).unwrap();
        let Some(MayHide { share, rules_out: Some(at), .. }) = before.may_hide() else { continue };
        advised += 1;
        let more: Vec<f64> = x.iter().copied().chain([at; 3]).collect();
        let with_it = |n: f64| line(n) * (1.0 - share + share * n / largest);
        let shows = growth(&more, &Noise::new(seed + 1000).costs(&more, 0.05, with_it)).unwrap();
        shown += usize::from(shows.is_superlinear() != Some(false));
        let after = growth(&more, &Noise::new(seed + 2000).costs(&more, 0.05, line)).unwrap();
        let share_there = share * at / largest / (1.0 - share + share * at / largest);
        ruled_out += usize::from(after.may_hide().is_none_or(|hidden| hidden.share < share_there));
    }
    assert!(
        advised >= 30 && 10 * shown >= 9 * advised && 10 * ruled_out >= 9 * advised,
        "{advised}: {shown}, {ruled_out}"
    );
}

#[test]
fn laws_that_all_fit_badly_say_nothing_about_a_hidden_part() {
    let x: Vec<f64> = (0..19).map(|i| (4.0 * 1.741f64.powi(i)).round()).collect();
    let cost = |n: f64| 0.33 * n * n + 67.0 * n * n.log2();
    let (mut decided, mut most) = (0, 0);
    for seed in 0..60 {
        let growth = growth(&x, &Noise::new(seed).costs(&x, 0.06, cost)).unwrap();
        decided += usize::from(growth.verdict() == "n^2");
        most += usize::from(growth.may_hide().is_some_and(|hidden| hidden.share > 0.5));
    }
    assert!(decided >= 50 && most <= 3, "{decided} decided; a cube may have most of the cost in {most}");
}

#[test]
fn degenerate_data_is_an_error_or_an_answer_and_never_nan() {
    let at = |x: &[f64], y: &[f64]| growth(x, y).unwrap_err();
    assert_eq!(at(&[1.0, 2.0], &[1.0, 2.0]), FitError::TooFewPoints { points: 2, needed: 4 });
    assert_eq!(at(&SIZES, &[0.0; 10]), FitError::TooFewPoints { points: 0, needed: 4 });
    assert_eq!(at(&[3.0; 5], &[1.0, 2.0, 3.0, 4.0, 5.0]), FitError::ConstantFeature);
    assert_eq!(at(&[1.0], &[f64::NAN]), FitError::NonFinite { index: 0 });
    let wide: Vec<f64> = (0..16).map(|i| 10f64.powi(i)).collect();
    for (x, y) in [
        (&SIZES[..], SIZES.iter().map(|n| n.powi(4)).collect::<Vec<_>>()),
        (&SIZES[..], SIZES.iter().map(|n| 1e18 + n).collect()),
        (&SIZES[..], SIZES.iter().map(|n| if *n == 2000.0 { 1e19 } else { *n }).collect()),
        (&wide[..], wide.iter().map(|n| 1.8e19_f64.min(n * n)).collect()),
        (&wide[..], wide.iter().map(|n| 1.0 / n).collect()),
        (&[-5.0, 1.0, 2.0, 3.0, 4.0, 5.0], vec![1.0, 2.0, 1.0, 2.0, 1.0, 2.0]),
        (&[1e-9, 1e-3, 1.0, 1e6], vec![1.0, 2.0, 3.0, 4.0]),
    ] {
        let Ok(growth) = growth(x, &y) else { continue };
        let total: f64 = growth.fits.iter().map(|fit| fit.support).sum();
        assert!((total - 1.0).abs() < 1e-9);
        for fit in &growth.fits {
            assert!(fit.predict(x[3]).is_finite() && !fit.formula("n").contains("NaN"), "{fit:?}");
        }
        let interval = growth.predict_interval(10.0 * x[x.len() - 1], 0.95).unwrap();
        assert!(interval.lo <= interval.hi, "{interval:?}");
    }
}

#[test]
fn one_giant_outlier_changes_no_verdict() {
    let mut y: Vec<f64> = SIZES.iter().map(|n| n * n + 10.0 * n).collect();
    y[4] *= 1000.0;
    assert_eq!(growth(&SIZES, &y).unwrap().verdict(), "n^2");
}

#[test]
fn growth_is_compared_with_a_class_as_far_as_it_is_known() {
    let line = costs(&SIZES, |n| 3.0 * n);
    assert_eq!(
        (line.is_superlinear(), line.grows_faster_than(GrowthClass::Constant)),
        (Some(false), Some(true))
    );
    assert_eq!(costs(&SIZES, |n| n * n).is_superlinear(), Some(true));
    let y = Noise::new(1).costs(&SIZES[..5], 0.3, |n| 1000.0 + n);
    assert_eq!(growth(&SIZES[..5], &y).unwrap().is_superlinear(), None);
}

#[test]
fn intervals_without_noise_have_no_width_and_hold_the_truth() {
    let growth = costs(&SIZES, |n| 2.0 * n * n + 5.0 * n);
    let interval = growth.predict_interval(600_000.0, 0.95).unwrap();
    let truth = 2.0 * 3.6e11 + 3e6;
    assert!(
        (interval.lo / truth - 1.0).abs() < 1e-6 && (interval.hi / truth - 1.0).abs() < 1e-6,
        "{interval:?}"
    );
    assert_eq!(growth.predict_interval(0.0, 0.95).unwrap_err(), FitError::PredictionOutOfDomain { at: 0.0 });
    assert_eq!(growth.predict_interval(1.0, 1.0).unwrap_err(), FitError::InvalidLevel { level: 1.0 });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn no_data_leads_to_nan(
        points in prop::collection::vec((-320.0..308.0f64, -320.0..308.0f64, 0..9u8), 4..90),
        reach in prop_oneof![Just(1.0), Just(0.05), Just(0.01)],
    ) {
        let value = |power: f64, kind: u8| match kind {
            0 => 0.0,
            1 => 3.0,
            _ => 10f64.powf(power * reach),
        };
        let (x, y): (Vec<f64>, Vec<f64>) =
            points.iter().map(|&(x, y, kind)| (value(x, kind.max(2)), value(y, kind))).unzip();
        if let Ok(growth) = growth(&x, &y) {
            let total: f64 = growth.fits.iter().map(|fit| fit.support).sum();
            prop_assert!((total - 1.0).abs() < 1e-9, "{growth:?}");
            for at in [1e-300, 1.0, 1e9, 1e300] {
                match growth.predict_interval(at, 0.95) {
                    Ok(interval) => prop_assert!(interval.lo <= interval.hi, "{at}: {interval:?}"),
                    // Only the upper one of two pieces is supported.
                    Err(error) => prop_assert!(at < growth.best().from, "{at}: {error}"),
                }
            }
            prop_assert!(growth.fits.iter().all(|fit| fit.terms.iter().all(|(c, _)| c.is_finite())), "{growth:?}");
        }
        if let Ok(model) = crate::joint_growth(&[&x], &y) {
            prop_assert!(model.r2.is_finite() && model.terms.iter().all(|t| t.coefficient.is_finite()));
        }
    }

    #[test]
    fn the_order_of_points_changes_no_bit(seed in 0..1000u64, rotation in 0..20usize) {
        let mut noise = Noise::new(seed);
        let mut x = noise.log_uniform(20, 10.0, 1e4);
        let mut y = noise.costs(&x, 0.05, |n| 100.0 + n * n.ln());
        let before = format!("{:?}", growth(&x, &y).unwrap().fits);
        x.rotate_left(rotation);
        y.rotate_left(rotation);
        x.swap(3, 11);
        y.swap(3, 11);
        prop_assert_eq!(before, format!("{:?}", growth(&x, &y).unwrap().fits));
    }

    #[test]
    fn units_of_the_cost_scale_the_coefficients_alone(seed in 0..1000u64, row in 0..9usize, unit in 1e-6..1e6f64) {
        let mut noise = Noise::new(seed);
        let x = noise.log_uniform(20, 10.0, 1e4);
        let y = noise.costs(&x, 0.05, |n| 1.37 * GrowthClass::NAMED[row].term().value(n));
        let scaled: Vec<f64> = y.iter().map(|y| y * unit).collect();
        let (before, after) = (growth(&x, &y).unwrap(), growth(&x, &scaled).unwrap());
        // The last digits of the costs may push a support past a limit.
        for fit in &before.fits {
            let same = after.fits.iter().filter(|other| other.class.is_of_family(fit.class));
            let support: f64 = same.map(|other| other.support).sum();
            prop_assert!((support - fit.support).abs() < 0.02, "{}: {} and {support}", fit.class, fit.support);
        }
        let best = before.best();
        if let Some(same) = after.fits.iter().find(|other| other.class == best.class) {
            prop_assert!((same.predict(500.0) / best.predict(500.0) / unit - 1.0).abs() < 1e-3);
        }
    }

    #[test]
    fn units_of_the_feature_leave_the_verdict(row in 0..9usize, power in -3..4i32, scale in 1.0..1e3f64) {
        let x: Vec<f64> = (0..20).map(|i| 10.0 * 1.5f64.powi(i)).collect();
        let y: Vec<f64> = x.iter().map(|&n| scale * GrowthClass::NAMED[row].term().value(n)).collect();
        let renamed: Vec<f64> = x.iter().map(|x| x * 1024f64.powi(power)).collect();
        prop_assert_eq!(growth(&renamed, &y).unwrap().verdict(), GrowthClass::NAMED[row].to_string());
    }
}

/// Counts of a parser whose three smallest inputs are of another kind: 0.55 to 0.61 per byte, then 0.73.
#[test]
fn small_inputs_that_are_different_leave_no_doubt_about_all_classes() {
    let x = [
        1839.0, 2747.0, 4633.0, 7512.0, 12549.0, 21381.0, 35517.0, 59510.0, 99989.0, 167_726.0, 281_429.0,
        472_580.0,
    ];
    let y = [
        1117.0, 1565.0, 2523.0, 5422.0, 9262.0, 14254.0, 26627.0, 43535.0, 72471.0, 121_638.0, 205_490.0,
        343_908.0,
    ];
    let verdict = growth(&x, &y).unwrap();
    assert!(
        ["n", "undecided between n and n log n"].contains(&verdict.verdict().as_str()),
        "{}",
        verdict.verdict()
    );
    assert_eq!(verdict.best().class, GrowthClass::Linear);
    let interval = verdict.predict_interval(4_725_800.0, 0.95).unwrap();
    assert!(
        interval.lo > 2e6 && interval.lo < 3.44e6 && 3.44e6 < interval.hi && interval.hi < 7e6,
        "{interval:?}"
    );
}

/// The best-fitting candidates have coefficients with forbidden signs or sizes.
#[test]
fn a_cost_that_levels_off_has_a_verdict() {
    let mut x: Vec<f64> = (0..140).map(|i| 2f64.powf(11.0 * f64::from(i) / 139.0).round()).collect();
    x.dedup();
    let y: Vec<f64> = x.iter().map(|n| 11.0 - 3.0 / n).collect();
    let verdict = growth(&x, &y).unwrap();
    assert_eq!(verdict.best().class, GrowthClass::Constant);
    let interval = verdict.predict_interval(20480.0, 0.95).unwrap();
    // The weighed laws do not level off in this way, so the interval leaves room above.
    assert!(
        9.5 < interval.lo && interval.lo < 11.0 && 11.0 < interval.hi && interval.hi < 16.0,
        "{interval:?}"
    );
}

/// Counts of diff's search for a shortest script between two orders of the same lines. It gives up on the best script
/// when the search becomes too expensive. The cost is a square up to some 5,000 lines, and a line from there on (3.94 G
/// at 40,000, 7.43 G at 80,000).
#[test]
fn a_square_that_a_limit_makes_a_line_is_not_said_to_go_on() {
    let x = [100.0, 180.0, 325.0, 585.0, 1054.0, 1898.0, 3420.0, 6162.0, 11101.0, 20000.0];
    let y = [
        130_947.0,
        466_467.0,
        1_564_688.0,
        5_250_396.0,
        17_665_143.0,
        57_972_907.0,
        192_863_469.0,
        499_034_010.0,
        1_008_699_004.0,
        1_954_090_627.0,
    ];
    let verdict = growth(&x, &y).unwrap();
    assert_eq!(verdict.is_superlinear(), None, "{}", verdict.verdict());
    let interval = verdict.predict_interval(80_000.0, 0.95).unwrap();
    assert!(interval.lo < 7.43e9 && 7.43e9 < interval.hi, "{interval:?}");
    let square = x.map(|n| 13.0 * n * n);
    assert_eq!(growth(&x, &square).unwrap().is_superlinear(), Some(true));
}
