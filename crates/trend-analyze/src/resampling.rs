//! Bootstrap intervals of many rows at once: one product of matrices for all their refits. Draws nothing.

use trend_model::{Bootstrap, LinearIntervals, PowerLawIntervals, Resamples};

use crate::column::Fitted;

/// The intervals of one row in one feature, where they exist.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Resampled {
    pub(crate) power_law: Option<PowerLawIntervals>,
    pub(crate) linear: Option<LinearIntervals>,
}

/// Intervals of the power laws and the lines of `rows` in the feature `x`; those of power laws also of
/// predictions at `at`.
pub(crate) fn resampled(
    resamples: &Resamples,
    x: &[f64],
    rows: &[Fitted],
    at: &[f64],
    level: f64,
) -> Vec<Resampled> {
    let mut bootstrap = Bootstrap::new(resamples, x);
    let mut push = |Fitted { costs, law, line }: &Fitted| {
        let law = law.as_ref().ok().and_then(|law| bootstrap.push_power_law(costs, law).ok());
        (law, line.as_ref().ok().and_then(|line| bootstrap.push_linear(costs.values(), line).ok()))
    };
    let pushed: Vec<_> = rows.iter().map(&mut push).collect();
    let sums = sums(&bootstrap, resamples);
    pushed
        .into_iter()
        .map(|(law, line)| Resampled {
            power_law: law.and_then(|row| bootstrap.power_law_intervals(&row, &sums, at, level).ok()),
            linear: line.and_then(|row| bootstrap.linear_intervals(&row, &sums, &[], level).ok()),
        })
        .collect()
}

/// [`Bootstrap::sums`], faster.
#[expect(unsafe_code, reason = "matrixmultiply takes pointers; the lengths are checked right before")]
fn sums(bootstrap: &Bootstrap, resamples: &Resamples) -> Vec<f64> {
    let (points, count) = (resamples.points(), resamples.len());
    let columns = bootstrap.columns().len() / points.max(1);
    let mut sums = vec![0.0; columns * count];
    assert_eq!((bootstrap.columns().len(), resamples.weights().len()), (columns * points, count * points));
    // SAFETY: the three matrices are `columns × points`, `points × count` (the weights read column by column) and
    // `columns × count`; the slices have exactly these lengths.
    unsafe {
        matrixmultiply::dgemm(
            columns,
            points,
            count,
            1.0,
            bootstrap.columns().as_ptr(),
            points as isize,
            1,
            resamples.weights().as_ptr(),
            1,
            points as isize,
            0.0,
            sums.as_mut_ptr(),
            count as isize,
            1,
        );
    }
    sums
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use trend_model::{FeatureValues, Interval, linear_intervals, power_law_intervals};

    use super::*;

    /// Both ends, as a fraction of the width: an end may be next to 0.
    fn near(a: Interval, b: Interval) -> bool {
        let allowed = 1e-6 * (b.hi - b.lo + f64::EPSILON * (b.lo.abs() + b.hi.abs()));
        (a.lo - b.lo).abs() <= allowed.max(1e-12 * b.lo.abs())
            && (a.hi - b.hi).abs() <= allowed.max(1e-12 * b.hi.abs())
    }

    proptest! {
        #[test]
        fn many_rows_at_once_have_the_intervals_of_each_alone(
            // Sizes a tenth of a decade apart: lines through nearly equal ones are a matter of rounding.
            x in prop::collection::vec((0..40_i32).prop_map(|tenths| 10f64.powf(f64::from(tenths) / 10.0)), 6..30),
            rows in prop::collection::vec(prop::collection::vec(prop_oneof![1 => Just(0.0), 5 => 1.0..1e15f64], 30), 1..8),
        ) {
            let resamples = Resamples::new(x.len(), 60, 1);
            let rows: Vec<Vec<f64>> = rows.into_iter().map(|row| row[..x.len()].to_vec()).collect();
            let feature = FeatureValues::new(x.clone());
            let fitted: Vec<Fitted> = rows.iter().map(|y| Fitted::new(&feature, y.clone())).collect();
            let found = resampled(&resamples, &x, &fitted, &[1e5], 0.95);
            for (found, y) in found.iter().zip(&rows) {
                let expected = power_law_intervals(&resamples, &x, y, &[1e5], 0.95).ok();
                prop_assert_eq!(found.power_law.is_some(), expected.is_some());
                if let (Some(found), Some(expected)) = (&found.power_law, expected) {
                    prop_assert_eq!(found.usable, expected.usable);
                    prop_assert!(near(found.b, expected.b));
                    let (found, expected) = (found.predictions[0], expected.predictions[0]);
                    let logs = |i: Interval| Interval { lo: i.lo.ln(), hi: i.hi.ln(), ..i };
                    prop_assert!(near(logs(found), logs(expected)));
                }
                let expected = linear_intervals(&resamples, &x, y, &[], 0.95).ok();
                prop_assert_eq!(found.linear.is_some(), expected.is_some());
                if let (Some(found), Some(expected)) = (&found.linear, expected) {
                    prop_assert!(near(found.b, expected.b));
                }
            }
        }
    }
}
