use super::*;
use crate::laws::class::GrowthClass;
use crate::laws::law::FeatureIndex;
use crate::statistics::noise::Noise;

fn grid(seed: u64) -> (Vec<f64>, Vec<f64>) {
    let mut noise = Noise::new(seed);
    (noise.log_uniform(40, 10.0, 1e4), noise.log_uniform(40, 10.0, 1e3))
}

fn model(features: &[&[f64]], sigma: f64, cost: impl Fn(usize) -> f64) -> JointModel {
    let mut noise = Noise::new(7);
    let y: Vec<f64> = (0..features[0].len()).map(|i| cost(i) * (sigma * noise.normal()).exp()).collect();
    joint_growth(features, &y).unwrap()
}

#[test]
fn products_and_sums_of_features_are_recovered() {
    let (x, z) = grid(1);
    let product = model(&[&x, &z], 0.03, |i| 0.5 * x[i] * x[i] * z[i].log2());
    assert!(
        product.decided && product.law.sums[0].formula(&["x", "y"]).ends_with("·x^2·log y"),
        "{product:?}"
    );
    let sum = model(&[&x, &z], 0.03, |i| 3.0 * x[i] + 2.0 * z[i] * z[i]);
    let formula = sum.law.sums[0].formula(&["x", "y"]);
    assert!(sum.decided && formula.contains("·x") && formula.contains("·y^2"), "{formula}");
    assert!(sum.r2 > 0.99, "{sum:?}");
}

#[test]
fn exact_sums_have_their_coefficients() {
    let (x, z) = grid(2);
    let joint = model(&[&x, &z], 0.0, |i| 100.0 + 4.0 * x[i] * z[i] + 7.0 * x[i]);
    assert_eq!(joint.law.sums[0].formula(&["m", "n"]), "4·m·n + 7·m + 100");
    for seed in 0..20 {
        let (x, z) = grid(seed);
        let joint = model(&[&x, &z], 0.0, |i| (100.0 + 4.0 * x[i] * z[i]).round());
        assert_eq!(joint.terms.len(), 2, "{joint:?}");
        let joint = model(&[&x, &z], 0.0, |i| (100.0 + 4.0 * x[i] + 30.0 * z[i]).round());
        assert!(joint.terms.iter().all(|term| term.factors.len() < 2), "{joint:?}");
    }
    let joint = model(&[&x, &z], 0.0, |i| 100.0 + 4.0 * x[i] * z[i] + 7.0 * x[i]);
    assert!((joint.law.sums[0].cost(&[1e5, 1e4]) / 4.000_700_1e9 - 1.0).abs() < 1e-6);
}

#[test]
fn a_feature_without_part_in_the_cost_is_left_out() {
    let (x, z) = grid(3);
    let w: Vec<f64> = z.iter().rev().copied().collect();
    let joint = model(&[&x, &z, &w], 0.05, |i| 5.0 * x[i]);
    assert_eq!(joint.terms.len(), 1);
    assert_eq!(joint.terms[0].factors, [Factor::Of(FeatureIndex(0), GrowthClass::Linear.term())]);
}

#[test]
fn features_that_say_the_same_are_not_decided_between() {
    let (x, _) = grid(4);
    let twice: Vec<f64> = x.iter().map(|x| 2.0 * x).collect();
    assert!(!model(&[&x, &twice], 0.02, |i| 5.0 * x[i]).decided);
}

#[test]
fn three_features_multiply() {
    let (x, z) = grid(5);
    let w: Vec<f64> = (0..40).map(|i| 2.0 + f64::from(i * 7 % 40)).collect();
    let joint = model(&[&x, &z, &w], 0.03, |i| x[i] * z[i] * w[i]);
    assert_eq!(joint.terms[0].factors.len(), 3, "{joint:?}");
}

#[test]
fn simulated_features_without_part_are_left_out_and_confounded_ones_not_decided_between() {
    const PROGRAMS: u64 = 100;
    let (mut left_out, mut undecided) = (0, 0);
    for seed in 0..PROGRAMS {
        let mut noise = Noise::new(seed);
        let (x, z) = (noise.log_uniform(30, 10.0, 1e4), noise.log_uniform(30, 10.0, 1e3));
        let y = noise.costs(&x, 0.05, |n| 50.0 + n * n);
        let joint = joint_growth(&[&x, &z], &y).unwrap();
        left_out += u64::from(
            joint
                .terms
                .iter()
                .all(|term| term.factors.iter().flat_map(|f| f.features()).all(|at| at == FeatureIndex(0))),
        );
        let alike: Vec<f64> = x.iter().map(|x| 3.0 * x * (0.01 * noise.normal()).exp()).collect();
        undecided += u64::from(!joint_growth(&[&x, &alike], &y).unwrap().decided);
    }
    // Measured: 99 and 100.
    assert!(left_out >= 98, "{left_out} of {PROGRAMS}");
    assert!(undecided >= 99, "{undecided} of {PROGRAMS}");
}

/// Fits 40 data sets of two overlapping features with 5 % noise. Returns how often the formula ends with `wanted` and
/// is decided, and how often another one is decided.
fn judged(formula: &str, cost: fn(f64, f64) -> f64) -> (usize, usize) {
    let (mut right, mut wrong) = (0, 0);
    for seed in 0..40 {
        let mut noise = Noise::new(seed);
        let (x, z) = (noise.log_uniform(40, 10.0, 1e4), noise.log_uniform(40, 10.0, 1e3));
        let y: Vec<f64> =
            x.iter().zip(&z).map(|(&x, &z)| cost(x, z) * (0.05 * noise.normal()).exp()).collect();
        let joint = joint_growth(&[&x, &z], &y).unwrap();
        let is_right = joint.law.sums[0].formula(&["x", "y"]).ends_with(formula);
        right += usize::from(is_right && joint.decided);
        wrong += usize::from(!is_right && joint.decided);
    }
    (right, wrong)
}

/// Returns how many of 100 grids with 5 % noise are predicted within 15 % at ten times their largest values.
fn near(cost: fn(f64, f64) -> f64) -> usize {
    let levels = |count: u64| (0..count as i32).map(|i| 4.0 * 2_f64.powi(i)).collect::<Vec<_>>();
    let is_near = |seed: &u64| {
        let mut noise = Noise::new(*seed);
        let (a, b) = (levels(4 + seed % 4), levels(4 + seed / 4 % 4));
        let points: Vec<(f64, f64)> = a.iter().flat_map(|&a| b.iter().map(move |&b| (a, b))).collect();
        let y: Vec<f64> = points.iter().map(|&(a, b)| cost(a, b) * (0.05 * noise.normal()).exp()).collect();
        let (x, z): (Vec<f64>, Vec<f64>) = points.into_iter().unzip();
        let far = [10.0 * a[a.len() - 1], 10.0 * b[b.len() - 1]];
        let joint = joint_growth(&[&x, &z], &y).unwrap();
        (joint.law.cost(&far).unwrap() / cost(far[0], far[1]) - 1.0).abs() <= 0.15
    };
    (0..100).filter(is_near).count()
}

#[test]
fn powers_beside_a_square_do_not_imitate_it() {
    let near = near(|x, y| 100.0 + 40.0 * x + 3.0 * y * y);
    // Measured: 99, and 96 if terms that are far apart are as probable as others.
    assert!(near >= 98, "{near}");
}

#[test]
fn the_least_of_two_features_and_quotients_are_recovered() {
    // Measured: 36 and 34.
    let (right, wrong) = judged("·min(x, y)", |x, y| 30.0 * x.min(y));
    assert!(right >= 35 && wrong == 0, "{right} {wrong}");
    let (right, wrong) = judged("·x^2/y", |x, y| 3.0 * x * x / y);
    assert!(right >= 33 && wrong == 0, "{right} {wrong}");
}

#[test]
fn a_bend_that_no_term_has_is_not_decided() {
    let (_, wrong) = judged("?", |x, y| 30.0 * x.min(10.0 * y));
    assert_eq!(wrong, 0);
}

#[test]
fn the_interval_of_a_prediction_holds_the_truth_as_often_as_it_says() {
    let mut held = 0;
    for seed in 0..100 {
        let mut noise = Noise::new(seed);
        let (x, z) = (noise.log_uniform(40, 10.0, 1e4), noise.log_uniform(40, 10.0, 1e3));
        let y: Vec<f64> = x.iter().zip(&z).map(|(x, z)| 3.0 * x * z * (0.1 * noise.normal()).exp()).collect();
        let joint = joint_growth(&[&x, &z], &y).unwrap();
        let interval = joint.predict_interval(&[1e5, 1e4], 0.95).unwrap();
        held += usize::from(interval.contains(3e9));
        assert!(interval.hi / interval.lo < 3.0, "seed {seed}: {interval:?}");
    }
    assert!((90..=100).contains(&held), "{held}");
    let joint = joint_growth(&[&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
    let nowhere = joint.unwrap().predict_interval(&[], 0.95);
    assert!(matches!(nowhere, Err(crate::FitError::PredictionOutOfDomain { .. })), "{nowhere:?}");
}

#[test]
fn the_order_of_points_and_units_of_the_cost_are_of_no_consequence() {
    for seed in 0..20 {
        let (mut x, mut z) = grid(seed);
        let mut noise = Noise::new(seed);
        let mut y: Vec<f64> =
            x.iter().zip(&z).map(|(x, z)| (3.0 * x + x * z) * (0.05 * noise.normal()).exp()).collect();
        let before = joint_growth(&[&x, &z], &y).unwrap();
        let scaled: Vec<f64> = y.iter().map(|y| 1024.0 * y).collect();
        let after = joint_growth(&[&x, &z], &scaled).unwrap();
        let factors =
            |model: &JointModel| -> Vec<_> { model.terms.iter().map(|term| term.factors.clone()).collect() };
        assert_eq!(factors(&before), factors(&after));
        for (term, same) in before.terms.iter().zip(&after.terms) {
            assert!((same.coefficient / term.coefficient / 1024.0 - 1.0).abs() < 1e-6);
        }
        for values in [&mut x, &mut z, &mut y] {
            values.rotate_left(7);
            values.swap(2, 30);
        }
        assert_eq!(
            format!("{before:?}"),
            format!("{:?}", joint_growth(&[&x, &z], &y).unwrap()),
            "seed {seed}"
        );
    }
}

#[test]
fn the_unit_of_a_feature_is_of_no_consequence() {
    let factors = |model: &JointModel| -> Vec<_> {
        let mut factors: Vec<_> = model.terms.iter().map(|term| term.factors.clone()).collect();
        factors.sort_by_key(|factors| format!("{factors:?}"));
        factors
    };
    let mut decided = 0;
    for seed in 0..20 {
        let (x, z) = grid(seed);
        let mut noise = Noise::new(seed);
        let cost = |(x, z): (&f64, &f64)| (3.0 * x * z) * (0.05 * noise.normal()).exp();
        let y: Vec<f64> = x.iter().zip(&z).map(cost).collect();
        let plain = joint_growth(&[&x, &z], &y).unwrap();
        // No size is below 1 in any of these units: a logarithm would not be considered there.
        for (of_x, of_z) in [(1024.0, 1.0), (1.0, 60.0), (0.125, 8.0)] {
            let scaled =
                [(&x, of_x), (&z, of_z)].map(|(v, unit)| v.iter().map(|v| v * unit).collect::<Vec<f64>>());
            let renamed = joint_growth(&[&scaled[0], &scaled[1]], &y).unwrap();
            let at = [300.0, 40.0];
            let (before, after) =
                (plain.law.sums[0].cost(&at), renamed.law.sums[0].cost(&[at[0] * of_x, at[1] * of_z]));
            assert!((after / before - 1.0).abs() < 0.02, "seed {seed}: {before} {after}");
            if plain.decided && renamed.decided {
                decided += 1;
                assert_eq!(factors(&plain), factors(&renamed), "seed {seed}: {of_x} {of_z}");
            }
        }
    }
    // Measured: 60.
    assert!(decided >= 59, "{decided} of 60");
}

#[test]
fn degenerate_data_is_an_error_or_a_finite_answer() {
    let (x, z) = grid(6);
    let wide: Vec<f64> = (0..40).map(|i| 10f64.powf(f64::from(i) * 15.0 / 39.0)).collect();
    let negative: Vec<f64> = x.iter().map(|x| -x).collect();
    let outlier = |i: usize| if i == 9 { 1e19 } else { x[i] };
    let costs: [Vec<f64>; 5] = [
        vec![7.0; 40],
        vec![0.0; 40],
        (0..40).map(outlier).collect(),
        (0..40).map(|i| 1.8e19 - x[i]).collect(),
        wide.clone(),
    ];
    for y in &costs {
        for features in [[&x, &z], [&wide, &z], [&negative, &z], [&x, &x]] {
            let features = features.map(Vec::as_slice);
            let Ok(joint) = joint_growth(&features, y) else { continue };
            assert!(joint.r2.is_finite() && (0.0..=1.0 + 1e-9).contains(&joint.support), "{joint:?}");
            assert!(joint.terms.iter().all(|term| term.coefficient.is_finite()), "{joint:?}");
            assert!(joint.law.sums[0].cost(&[100.0, 100.0]).is_finite(), "{joint:?}");
        }
    }
}

#[test]
fn what_cannot_be_fitted_says_why() {
    let (x, y) = ([1.0, 2.0, 3.0], [1.0, 2.0, 4.0]);
    let at = |features: &[&[f64]], y: &[f64]| joint_growth(features, y).unwrap_err();
    assert_eq!(at(&[&x], &y), FitError::TooFewPoints { points: 3, needed: 6 });
    assert_eq!(at(&[&x], &y[..2]), FitError::LengthMismatch { expected: 2, actual: 3 });
    assert_eq!(at(&[&[3.0; 7]], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]), FitError::ConstantFeature);
}
