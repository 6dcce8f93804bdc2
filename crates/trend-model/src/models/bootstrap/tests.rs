use proptest::prelude::*;

use super::*;
use crate::models::linear::Linear;
use crate::statistics::order_statistics::percentiles;

/// Fits each resample alone, repeating each point as often as it was drawn.
fn one_by_one(
    resamples: &Resamples,
    x: &[f64],
    y: &[f64],
    fit: impl Fn(&[f64], &[f64]) -> Option<(f64, f64)>,
) -> Option<[f64; 4]> {
    let lines = (0..resamples.len()).filter_map(|r| {
        let drawn = resamples.row(r).iter().zip(x.iter().zip(y));
        let (x, y): (Vec<f64>, Vec<f64>) =
            drawn.flat_map(|(&w, (&x, &y))| std::iter::repeat_n((x, y), w as usize)).unzip();
        fit(&x, &y)
    });
    let (a, b): (Vec<f64>, Vec<f64>) = lines.unzip();
    let [a, b] = [a, b].map(|values| percentiles(&values, [0.025, 0.975]));
    (!a[0].is_nan()).then_some([a[0], a[1], b[0], b[1]])
}

fn assert_near(actual: [f64; 4], expected: [f64; 4], tolerance: f64) -> Result<(), TestCaseError> {
    for (f, e) in actual.into_iter().zip(expected) {
        prop_assert!((f - e).abs() <= tolerance * (1.0 + e.abs()), "{actual:?} {expected:?}");
    }
    Ok(())
}

fn power_law(
    resamples: &Resamples,
    x: &[f64],
    y: &[f64],
    at: &[f64],
    level: f64,
) -> Result<LineIntervals, FitError> {
    percentile_intervals(resamples, Axes::LogLog, x, &[y], at, level).remove(0)
}

fn linear(
    resamples: &Resamples,
    x: &[f64],
    y: &[f64],
    at: &[f64],
    level: f64,
) -> Result<LineIntervals, FitError> {
    percentile_intervals(resamples, Axes::Plain, x, &[y], at, level).remove(0)
}

proptest! {
    #[test]
    fn intervals_of_many_rows_are_those_of_fits_one_by_one(
        // No two sizes are so close that a resample of only these two has no line.
        x in prop::collection::vec((0..20_u32).prop_map(f64::from), 5..15),
        rows in prop::collection::vec(prop::collection::vec(prop_oneof![1 => Just(0.0), 4 => 1.0..1e3f64], 15), 1..6),
        seed in 0..100_u64,
    ) {
        let resamples = Resamples::new(x.len(), 40, seed);
        let rows: Vec<&[f64]> = rows.iter().map(|row| &row[..x.len()]).collect();
        let laws = percentile_intervals(&resamples, Axes::LogLog, &x, &rows, &[], 0.95);
        let lines = percentile_intervals(&resamples, Axes::Plain, &x, &rows, &[], 0.95);
        for ((y, law), line) in rows.iter().zip(laws).zip(lines) {
            // The line through the logarithms; its coefficient may overflow.
            let law_of = |x: &[f64], y: &[f64]| {
                let logs = crate::models::log_points::LogPoints::new(x, y);
                crate::linear_regression(&logs.x, &logs.y).ok().map(|f| (f.intercept, f.slope))
            };
            if let (Ok(estimates), Some(expected)) = (law, one_by_one(&resamples, &x, y, law_of))
                && expected.iter().all(|e| e.abs() < 100.0)
            {
                assert_near([estimates.a.lo.ln(), estimates.a.hi.ln(), estimates.b.lo, estimates.b.hi], expected, 1e-6)?;
            }
            let line_of = |x: &[f64], y: &[f64]| Linear::fit(x, y).ok().map(|f| (f.a, f.b));
            if let (Ok(estimates), Some(expected)) = (line, one_by_one(&resamples, &x, y, line_of)) {
                assert_near([estimates.a.lo, estimates.a.hi, estimates.b.lo, estimates.b.hi], expected, 1e-6)?;
            }
        }
    }
}

/// Returns points that NumPy reproduces: `i = arange(40); x = 10*1.2**i; y = 3*x**1.5*exp(0.2*sin(7.0*i*i))`.
fn reproducible() -> (Vec<f64>, Vec<f64>) {
    let cost = |i: i32, x: f64| 3.0 * x.powf(1.5) * (0.2 * f64::from(7 * i * i).sin()).exp();
    (0..40).map(|i| (i, 10.0 * 1.2f64.powi(i))).map(|(i, x)| (x, cost(i, x))).unzip()
}

/// Asserts that both ends are within `tolerance` of the oracle's, as a fraction of the oracle's width.
fn assert_agrees(interval: Interval, (lo, hi): (f64, f64), tolerance: f64) {
    let allowed = tolerance * (hi - lo);
    assert!(
        (interval.lo - lo).abs() < allowed && (interval.hi - hi).abs() < allowed,
        "{interval:?}: {lo} {hi}"
    );
}

#[test]
fn intervals_agree_with_numpy_on_other_resamples() {
    // Oracle: NumPy, 400 000 resamples by rng.multinomial, refits from raw sums, numpy.percentile. With 20 000
    // resamples here, an end has a standard error of about 0.6 % of the width.
    let (x, y) = reproducible();
    let resamples = Resamples::new(40, 20_000, 1);
    let estimates = power_law(&resamples, &x, &y, &[1e6], 0.95).unwrap();
    assert_agrees(estimates.a, (2.913_259_9, 3.781_584_5), 0.025);
    assert_agrees(estimates.b, (1.464_778_9, 1.507_914_5), 0.025);
    assert_agrees(estimates.predictions[0], (2.290_708_7e9, 3.300_358e9), 0.025);
    let estimates = linear(&resamples, &x, &y, &[1e6], 0.95).unwrap();
    assert_agrees(estimates.a, (-161_440.4, -41_161.1), 0.025);
    assert_agrees(estimates.b, (199.340_2, 314.642_2), 0.025);
    assert_agrees(estimates.predictions[0], (1.993_017e8, 3.145_123e8), 0.025);
}

#[test]
fn data_without_noise_has_intervals_without_width() {
    let x: Vec<f64> = (1..=30).map(f64::from).collect();
    let y: Vec<f64> = x.iter().map(|x| 5.0 * x * x).collect();
    let estimates = power_law(&Resamples::new(30, 200, 1), &x, &y, &[1e3], 0.95).unwrap();
    assert!(estimates.b.hi - estimates.b.lo < 1e-13 && (estimates.b.lo - 2.0).abs() < 1e-13);
    assert!((estimates.a.lo - 5.0).abs() < 1e-12 && (estimates.a.hi - 5.0).abs() < 1e-12);
    assert!((estimates.predictions[0].lo / 5e6 - 1.0).abs() < 1e-12);
}

#[test]
fn ignored_points_have_no_influence() {
    let (mut x, mut y) = reproducible();
    let resamples = Resamples::new(42, 300, 1);
    x.extend([0.0, 50.0]);
    y.extend([1e9, 0.0]);
    let with_zeros = power_law(&resamples, &x, &y, &[1e5], 0.95).unwrap();
    x[40] = -3.0;
    y[40] = 7.0;
    assert_eq!(power_law(&resamples, &x, &y, &[1e5], 0.95).unwrap(), with_zeros);
}

#[test]
fn wrong_arguments_say_so() {
    let (x, y) = reproducible();
    let resamples = Resamples::new(40, 10, 1);
    let intervals = |points: usize, at: f64, level: f64| {
        power_law(&resamples, &x[..points], &y[..points], &[at], level).unwrap_err()
    };
    assert_eq!(intervals(39, 1.0, 0.95), FitError::LengthMismatch { expected: 40, actual: 39 });
    assert_eq!(intervals(40, 1.0, 95.0), FitError::InvalidLevel { level: 95.0 });
    assert_eq!(intervals(40, 0.0, 0.95), FitError::PredictionOutOfDomain { at: 0.0 });
    let none = power_law(&Resamples::new(40, 0, 1), &x, &y, &[], 0.95).unwrap_err();
    assert_eq!(none, FitError::NoUsableResamples { resamples: 0 });
}

#[test]
fn weighted_resamples_hold_the_weighted_fit_and_even_weights_change_nothing() {
    let mut noise = crate::statistics::noise::Noise::new(5);
    let x = noise.log_uniform(40, 10.0, 1e4);
    // Every other point is off by about a factor of two.
    let spread = |i: usize| if i.is_multiple_of(2) { 0.02 } else { 0.7 };
    let y: Vec<f64> =
        x.iter().enumerate().map(|(i, x)| x.powf(1.5) * (spread(i) * noise.normal()).exp()).collect();
    let weights: Vec<f64> = (0..40).map(|i| spread(i).powi(-2)).collect();
    let resamples = Resamples::new(40, 500, 1);
    let intervals_with = |weights: Option<&[f64]>| {
        weighted_percentile_intervals(&resamples, Axes::LogLog, &x, &[&y], weights, &[1e5], 0.95)
            .remove(0)
            .unwrap()
    };
    let (none, even, weighted) =
        (intervals_with(None), intervals_with(Some(&[2.0; 40])), intervals_with(Some(&weights)));
    assert!((none.b.lo - even.b.lo).abs() < 1e-12 && (none.a.hi / even.a.hi - 1.0).abs() < 1e-10);
    let fit = crate::PowerLaw::fit_weighted(&x, &y, &weights).unwrap();
    let width = |estimates: &LineIntervals| estimates.b.hi - estimates.b.lo;
    assert!(weighted.b.contains(fit.b) && weighted.predictions[0].contains(fit.predict(1e5)));
    assert!(width(&weighted) < width(&none) / 4.0, "{weighted:?} {none:?}");
}
