use super::*;
use crate::growth::verdict::growth;
use crate::statistics::noise::Noise;

const SIZES: [f64; 10] = [60.0, 200.0, 500.0, 1000.0, 2000.0, 4000.0, 8000.0, 15000.0, 30000.0, 60000.0];

fn diagnosed(x: &[f64], y: &[f64]) -> Vec<Diagnosis> {
    diagnose(x, y, &PowerLaw::fit(x, y).unwrap(), growth(x, y).ok().as_ref())
}

/// Returns the fraction of `data_sets` seeded data sets with a diagnosis that satisfies `is`.
fn rate(
    data_sets: u64,
    data: impl Fn(&mut Noise) -> (Vec<f64>, Vec<f64>),
    is: fn(&Diagnosis) -> bool,
) -> f64 {
    let hit = |seed: &u64| {
        let (x, y) = data(&mut Noise::new(*seed));
        diagnosed(&x, &y).iter().any(is)
    };
    (0..data_sets).filter(hit).count() as f64 / data_sets as f64
}

#[test]
fn power_laws_with_noise_raise_few_false_alarms() {
    // Oracle: simulation; every alarm here is false.
    let mut all = Vec::new();
    for (k, sigma) in [(10, 0.1), (30, 0.02), (30, 0.3), (100, 0.3), (300, 1.0)] {
        let data = |noise: &mut Noise| {
            let x = noise.log_uniform(k, 100.0, 1e5);
            let y = noise.costs(&x, sigma, |x| 3.0 * x.powf(1.4));
            (x, y)
        };
        let alarms = rate(1000, data, |_| true);
        println!("k = {k}, sigma = {sigma}: false alarms {alarms}");
        assert!(alarms <= 0.006, "k = {k}, sigma = {sigma}: {alarms}");
        all.push(alarms);
    }
}

#[test]
fn rounded_counts_and_uneven_designs_raise_few_false_alarms() {
    let rounded = |noise: &mut Noise| {
        let x = SIZES.repeat(3);
        let y = noise.costs(&x, 0.2, |x| 0.5 * x);
        (x, y.into_iter().map(f64::round).collect())
    };
    let alarms = rate(1000, rounded, |_| true);
    println!("ten sizes x 3, rounded: {alarms}");
    assert!(alarms <= 0.006, "{alarms}");
    // Most workloads are small, as in a corpus: the cube of a uniform number spreads log x unevenly.
    let uneven = |noise: &mut Noise| {
        let x: Vec<f64> = (0..40).map(|_| 10.0 * 1e4f64.powf(noise.uniform().powi(3))).collect();
        let y = noise.costs(&x, 0.3, |x| 7.0 * x * x);
        (x, y)
    };
    let alarms = rate(1000, uneven, |_| true);
    println!("uneven: {alarms}");
    assert!(alarms <= 0.01, "{alarms}");
}

#[test]
fn a_fan_is_not_mistaken_for_a_bend() {
    let fan = |noise: &mut Noise| {
        let x = noise.log_uniform(60, 100.0, 1e5);
        let y = x.iter().map(|x| x * (0.02 * (x / 100.0).powf(0.5) * noise.normal()).exp()).collect();
        (x, y)
    };
    let fans = rate(300, fan, |d| matches!(d, Diagnosis::Fan { .. }));
    let bends = rate(300, fan, |d| matches!(d, Diagnosis::Bend { .. }));
    println!("fan: found {fans}, bends {bends}");
    assert!(fans >= 0.95, "{fans}");
    assert!(bends <= 0.01, "{bends}");
}

/// Returns the exponents of the two halves if the points bend, without a growth verdict.
fn bend_of(x: &[f64], y: &[f64]) -> Option<(f64, f64)> {
    diagnose(x, y, &PowerLaw::fit(x, y).unwrap(), None).into_iter().find_map(|d| match d {
        Diagnosis::Bend { exponent_small, exponent_large, .. } => Some((exponent_small, exponent_large)),
        _ => None,
    })
}

#[test]
fn log_factors_and_lower_order_terms_bend() {
    let laws: [(&str, Law, bool); 2] =
        [("n log n", |n| n * n.ln(), false), ("0.5·n² + 19.5·n", |n| 0.5 * n * n + 19.5 * n, true)];
    for (name, law, rises) in laws {
        for (k, sigma) in [(120, 0.05), (300, 0.05), (300, 0.1)] {
            let bends = (0..300).filter(|&seed| {
                let mut noise = Noise::new(seed);
                let x = noise.log_uniform(k, 60.0, 1e5);
                let y = noise.costs(&x, sigma, law);
                bend_of(&x, &y).is_some_and(|(small, large)| (large > small) == rises)
            });
            let bends = bends.count();
            println!("{name}, k = {k}, sigma = {sigma}: {bends} of 300");
            assert!(bends >= 285, "{name}, k = {k}, sigma = {sigma}: {bends} of 300");
        }
    }
}

#[test]
fn a_bend_has_the_exponents_of_the_two_halves_and_no_word_where_the_class_is_decided() {
    let y = SIZES.map(|n| 0.5 * n * n + 19.5 * n);
    let (small, large) = bend_of(&SIZES, &y).unwrap();
    assert!(small < 1.9 && (large - 2.0).abs() < 0.02, "{small} {large}");
    assert_eq!(diagnosed(&SIZES, &y), []);
}

#[test]
fn terms_that_do_not_matter_are_not_mentioned() {
    for cost in [|n: f64| 1.5 * n * n - 0.5 * n, |n: f64| n + 1.0, |n: f64| 3.0 * n * n, |_| 17.0] {
        let y: Vec<f64> = SIZES.iter().copied().map(cost).collect();
        assert_eq!(diagnosed(&SIZES, &y), []);
        assert_eq!(diagnosed(&SIZES.repeat(3), &y.repeat(3)), []);
    }
}

#[test]
fn copies_of_runs_are_no_further_evidence() {
    let mut noise = Noise::new(5);
    let x = noise.log_uniform(12, 100.0, 1e5);
    let y = noise.costs(&x, 0.3, |x| x);
    assert_eq!(diagnosed(&x.repeat(50), &y.repeat(50)), diagnosed(&x, &y));
}

#[test]
fn two_kinds_of_workloads_are_two_trends() {
    let data = |noise: &mut Noise| {
        let x = noise.log_uniform(60, 100.0, 1e5);
        let y = x.iter().map(|x| {
            let kind = if noise.uniform() < 0.35 { 4.0 } else { 1.0 };
            kind * x * x * (0.15 * noise.normal()).exp()
        });
        let y = y.collect();
        (x, y)
    };
    let splits =
        rate(300, data, |d| matches!(d, Diagnosis::Split { factor, .. } if (3.5..4.5).contains(factor)));
    println!("split: {splits}");
    assert!(splits >= 0.8, "{splits}");
}

#[test]
fn noise_without_trend_is_unexplained_and_a_flat_cost_is_not() {
    let mut noise = Noise::new(1);
    let x = noise.log_uniform(100, 100.0, 1e5);
    let y = noise.costs(&x, 1.0, |_| 1e6);
    let diagnoses = diagnosed(&x, &y);
    assert!(
        matches!(diagnoses[..], [Diagnosis::Unexplained { r2, spread, equal: None }] if r2 < 0.1 && (spread - 1.0).abs() < 0.3),
        "{diagnoses:?}"
    );
    let y = noise.costs(&x, 0.001, |_| 1e6);
    assert_eq!(diagnosed(&x, &y), []);
}

#[test]
fn few_points_are_not_diagnosed() {
    let x = [1.0, 10.0, 100.0, 1000.0, 10000.0];
    assert_eq!(diagnosed(&x, &x.map(|n| n * (n + 1.0).ln())), []);
}

type Law = fn(f64) -> f64;

fn is_change(d: &Diagnosis) -> bool {
    matches!(d, Diagnosis::ChangePoint { .. })
}

#[test]
fn smooth_laws_have_no_change_point() {
    // Oracle: simulation; every change point found here is false.
    let laws: [(&str, Law); 12] = [
        ("n", |n| 3.0 * n),
        ("n log n", |n| n * n.log2()),
        ("n log^2 n", |n| n * n.log2().powi(2)),
        ("n^1.21", |n| 9.0 * n.powf(1.21)),
        ("log n", |n| 20.0 * n.log2()),
        ("n + n^2", |n| 2000.0 * n + n * n),
        ("startup + n", |n| 5000.0 + n),
        ("startup + n^2", |n| 3e6 + n * n),
        ("startup + n + n^2", |n| 1e6 + 1000.0 * n + n * n / 10.0),
        ("n levelling off", |n| 1e6 / (1.0 / n + 1.0 / 3000.0)),
        ("n^2 turning n", |n| n * n / (1.0 + n / 3000.0)),
        ("startup + n^0.5 + n^1.7", |n| 3000.0 + 100.0 * n.sqrt() + n.powf(1.7) / 10.0),
    ];
    let mut worst: f64 = 0.0;
    for (name, law) in laws {
        for (k, sigma) in [(15, 0.0), (60, 0.0), (15, 0.05), (30, 0.05), (100, 0.05), (40, 0.2), (200, 0.5)] {
            let data = |noise: &mut Noise| {
                let x = noise.log_uniform(k, 50.0, 1e5);
                let y = noise.costs(&x, sigma, law).into_iter().map(f64::round).collect();
                (x, y)
            };
            let alarms = rate(40, data, is_change);
            worst = worst.max(alarms);
            println!("{name}, k = {k}, sigma = {sigma}: {alarms}");
            assert!(alarms <= 0.03, "{name}, k = {k}, sigma = {sigma}: {alarms}");
        }
    }
    println!("worst {worst}");
}

#[test]
fn clear_breaks_are_change_points_at_their_place() {
    let laws: [(&str, Law); 5] = [
        ("n, then 10 n", |n| if n < 4e4 { n } else { 10.0 * n }),
        ("n, then n^2", |n| n.max(n * n / 4e4)),
        ("n, then n^2 from the start", |n| if n < 4e4 { n } else { n * n }),
        ("n log n, then 4 n log n", |n| n * n.log2() * if n < 4e4 { 1.0 } else { 4.0 }),
        ("n, then 5 n over a fifth of a decade", |n| n * (1.0 + 4.0 / (1.0 + (4e4 / n).powi(20)))),
    ];
    for (name, law) in laws {
        for (k, sigma) in [(30, 0.0), (30, 0.02), (60, 0.05), (200, 0.1)] {
            let data = |noise: &mut Noise| {
                let x = noise.log_uniform(k, 1e3, 1e6);
                let y = noise.costs(&x, sigma, law).into_iter().map(f64::round).collect();
                (x, y)
            };
            let breaks = rate(
                100,
                data,
                |d| matches!(d, Diagnosis::ChangePoint { at, .. } if (2.5e4..6.4e4).contains(at)),
            );
            println!("{name}, k = {k}, sigma = {sigma}: {breaks}");
            assert!(breaks >= 0.9, "{name}, k = {k}, sigma = {sigma}: {breaks}");
        }
    }
}

#[test]
fn equal_runs_that_differ_are_counted_with_their_greatest_ratio() {
    // Oracle: by hand. Each of six sizes has runs that cost 1, 2 and 8 times the size, in an order without pattern.
    let x = [10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0].repeat(3);
    let y: Vec<f64> = x.iter().enumerate().map(|(i, x)| x * [1.0, 2.0, 8.0][(i / 6 + i % 6) % 3]).collect();
    let equal = |diagnoses: &[Diagnosis]| {
        diagnoses.iter().find_map(|d| match d {
            Diagnosis::EqualRuns { equal, .. } => Some((equal.runs, (equal.factor * 1e6).round())),
            Diagnosis::Unexplained { equal: Some(equal), .. } => {
                Some((equal.runs, (equal.factor * 1e6).round()))
            }
            _ => None,
        })
    };
    assert_eq!(equal(&diagnosed(&x, &y)), Some((18, 8e6)));
    let flat: Vec<f64> = y.iter().zip(&x).map(|(y, x)| 1000.0 * y / x).collect();
    assert_eq!(equal(&diagnosed(&x, &flat)), Some((18, 8e6)));
    // Identical runs, three at each size, are not runs that differ.
    assert_eq!(equal(&diagnosed(&x, &x)), None);
}
