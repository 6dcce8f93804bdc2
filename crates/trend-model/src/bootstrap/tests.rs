use proptest::prelude::*;

use super::*;
use crate::percentile;

/// One fit for each resample, to the points drawn, each as often as it was.
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
    let (mut a, mut b): (Vec<f64>, Vec<f64>) = lines.unzip();
    a.sort_by(f64::total_cmp);
    b.sort_by(f64::total_cmp);
    (!a.is_empty())
        .then(|| [percentile(&a, 0.025), percentile(&a, 0.975), percentile(&b, 0.025), percentile(&b, 0.975)])
}

fn assert_near(found: [f64; 4], expected: [f64; 4], tolerance: f64) -> Result<(), TestCaseError> {
    for (f, e) in found.into_iter().zip(expected) {
        prop_assert!((f - e).abs() <= tolerance * (1.0 + e.abs()), "{found:?} {expected:?}");
    }
    Ok(())
}

proptest! {
    #[test]
    fn intervals_of_many_rows_are_those_of_fits_one_by_one(
        x in prop::collection::vec(prop_oneof![1 => Just(0.0), 9 => 1.0..1e3f64], 5..15),
        rows in prop::collection::vec(prop::collection::vec(prop_oneof![1 => Just(0.0), 4 => 1.0..1e3f64], 15), 1..6),
        seed in 0..100_u64,
    ) {
        let resamples = Resamples::new(x.len(), 40, seed);
        let rows: Vec<&[f64]> = rows.iter().map(|row| &row[..x.len()]).collect();
        let mut bootstrap = Bootstrap::new(&resamples, &x);
        let laws: Vec<_> =
            rows.iter().map(|y| bootstrap.push_power_law(&Costs::new(y.to_vec()), &PowerLaw::fit(&x, y)?)).collect();
        let lines: Vec<_> = rows.iter().map(|y| bootstrap.push_linear(y, &Linear::fit(&x, y)?)).collect();
        let sums = bootstrap.sums();
        for ((y, law), line) in rows.iter().zip(laws).zip(lines) {
            // A resample of nearly equal sizes has a steep line, whose digits depend on how it is computed.
            // The line through the logs, whose coefficient need not be a number.
            let law_of = |x: &[f64], y: &[f64]| {
                let logs = crate::power_law::LogPoints::new(x, y);
                crate::linear_regression(&logs.x, &logs.y).ok().map(|f| (f.intercept, f.slope))
            };
            let expected = one_by_one(&resamples, &x, y, law_of);
            if let (Ok(law), Some(expected)) = (law, expected)
                && expected.iter().all(|e| e.abs() < 100.0)
            {
                let found = bootstrap.power_law_intervals(&law, &sums, &[], 0.95).unwrap();
                assert_near([found.a.lo.ln(), found.a.hi.ln(), found.b.lo, found.b.hi], expected, 1e-6)?;
            }
            let line_of = |x: &[f64], y: &[f64]| Linear::fit(x, y).ok().map(|f| (f.a, f.b));
            if let (Ok(line), Some(expected)) = (line, one_by_one(&resamples, &x, y, line_of)) {
                let found = bootstrap.linear_intervals(&line, &sums, &[], 0.95).unwrap();
                assert_near([found.a.lo, found.a.hi, found.b.lo, found.b.hi], expected, 1e-6)?;
            }
        }
    }
}

#[test]
fn rows_with_the_same_zeros_share_the_columns_of_the_feature() {
    let (x, resamples) = ([1.0, 2.0, 4.0, 8.0], Resamples::new(4, 10, 1));
    let mut bootstrap = Bootstrap::new(&resamples, &x);
    for y in [[1.0, 2.0, 5.0, 8.0], [3.0, 1.0, 4.0, 1.0], [0.0, 1.0, 2.0, 3.0], [0.0, 5.0, 2.0, 9.0]] {
        let costs = Costs::new(y.to_vec());
        bootstrap.push_power_law(&costs, &PowerLaw::fit(&x, &y).unwrap()).unwrap();
    }
    // Two for each row, and three for each of two kinds of rows.
    assert_eq!(bootstrap.columns().len(), (4 * 2 + 2 * 3) * 4);
    assert_eq!(bootstrap.sums().len(), (4 * 2 + 2 * 3) * 10);
}
