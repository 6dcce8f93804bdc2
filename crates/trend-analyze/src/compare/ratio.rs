//! Computes the interval of the ratio of two costs at the target. This module decides nothing.
//!
//! The ratio divides two predictions, each by its version's own law. Its interval comes from three sources:
//!
//! ```text
//!   laws         after ÷ before, each with an interval of its own ──────────────┐
//!   pairs        after ÷ before of the same inputs, with what may hide in it ───┼─▶ where all overlap
//!   differences  1 + (after − before of the same inputs) ÷ before ──────────────┘
//! ```
//!
//! Differences between inputs cancel in the pairs, so their interval is often the narrower one. A quadratic term that
//! may hide in the ratio widens it beyond the measured sizes, as in any law. Code that did not change cancels in the
//! differences, however unclear its own growth is.

use trend_answer::Outlook;
use trend_model::{Paired, Relation, growth};

/// Factor by which ratios are multiplied before a fit, so that the fit does not take them for small counts.
const UNIT: f64 = 1e9;

/// Returns the interval of `after ÷ before` from the intervals of both costs, whose errors are independent. `None` if
/// an end is missing.
///
/// # Formula
/// Computed in logarithms: the distances of both costs to their ends add up like standard errors, by their squares.
/// This is the method of variance estimates recovery (Zou and Donner 2008).
pub(super) fn of_laws(before: Outlook, after: Outlook) -> Option<[f64; 2]> {
    let ([old_low, old_high], [new_low, new_high]) = before.ci.zip(after.ci)?;
    let down = (after.cost / new_low).ln().hypot((old_high / before.cost).ln());
    let up = (new_high / after.cost).ln().hypot((before.cost / old_low).ln());
    let ratio = after.cost / before.cost;
    let ends = [ratio * (-down).exp(), ratio * up.exp()];
    ends.iter().all(|end| end.is_finite()).then_some(ends)
}

/// Returns the interval of `after ÷ before` at a size from the costs of the same inputs. It includes all that may hide
/// in their ratio.
pub(super) fn of_pairs(
    paired: &Paired,
    relation: &Relation,
    costs: &[(f64, f64, f64)],
    (at, before): (f64, f64),
    level: f64,
) -> Option<[f64; 2]> {
    if let Some(exact) = paired.exact_ratio(relation, before) {
        return Some([exact, exact]);
    }
    let usable = costs.iter().filter(|(x, old, new)| *x > 0.0 && *old > 0.0 && *new > 0.0);
    let (x, ratios): (Vec<f64>, Vec<f64>) = usable.map(|&(x, old, new)| (x, new / old)).unzip();
    // A law never falls, so the lower end is the inverse of the upper end for inverse ratios.
    let most = |transform: &dyn Fn(f64) -> f64| {
        let ratios: Vec<f64> = ratios.iter().map(|&ratio| transform(ratio) * UNIT).collect();
        let interval = growth(&x, &ratios).ok()?.predict_interval(at, level).ok()?;
        Some(interval.hi / UNIT).filter(|end| end.is_finite() && *end > 0.0)
    };
    let (upper, lower) = (most(&|ratio| ratio)?, 1.0 / most(&f64::recip)?);
    (lower <= upper).then_some([lower, upper])
}

/// Returns the interval of `after ÷ before` at a size from the differences of the same inputs. `None` if they have no
/// law, or if only some are positive.
///
/// # Formula
/// The difference `d` has a law, and what may hide in it may hide in either version: its upper end is as far above
/// `d` as the lower end is below. The ratio is `1 + d/b` for any cost `b` in the interval before, and `1/(1 − d/a)`
/// for any cost `a` in the interval after. The result covers both, so swapping the versions inverts it.
pub(super) fn of_differences(
    costs: &[(f64, f64, f64)],
    at: f64,
    (before, after): (Outlook, Outlook),
    level: f64,
) -> Option<[f64; 2]> {
    let usable = costs.iter().filter(|(x, ..)| *x > 0.0);
    let (x, differences): (Vec<f64>, Vec<f64>) = usable.map(|&(x, old, new)| (x, new - old)).unzip();
    let sign = differences.first()?.signum();
    // If only some runs differ, a law of those would say nothing about the rest.
    let is_of_sign = |difference: &f64| *difference != 0.0 && difference.signum() == sign;
    if !differences.iter().all(is_of_sign) {
        return None;
    }
    let sizes: Vec<f64> = differences.iter().map(|difference| difference.abs()).collect();
    let growth = growth(&x, &sizes).ok()?;
    let difference = growth.law().cost(&[at])?;
    let hidden = (growth.predict_interval(at, level).ok()?.hi - difference).max(0.0);
    let [down, up] = [sign * difference - hidden, sign * difference + hidden];
    let of_before = times(down, up, before.ci?)?;
    let of_after = times(-up, -down, after.ci?)?;
    Some([of_before[0].min(1.0 / of_after[1]), of_before[1].max(1.0 / of_after[0])])
}

/// Returns the interval of `1 + d/b` for `d` from `down` to `up` and `b` from `low` to `high`; `None` unless both
/// ends are positive and finite.
fn times(down: f64, up: f64, [low, high]: [f64; 2]) -> Option<[f64; 2]> {
    let ends =
        [1.0 + down / if down < 0.0 { low } else { high }, 1.0 + up / if up < 0.0 { high } else { low }];
    ends.iter().all(|end| end.is_finite() && *end > 0.0).then_some(ends)
}

/// Returns the overlap of the intervals, widened to contain the ratio; `None` without an interval of the laws. If
/// pairs and differences contradict each other or the laws, the interval of the laws is used, because the laws make
/// the predictions.
pub(super) fn narrowed(
    ratio: f64,
    laws: Option<[f64; 2]>,
    pairs: Option<[f64; 2]>,
    differences: Option<[f64; 2]>,
) -> Option<[f64; 2]> {
    let both =
        |a: [f64; 2], b: [f64; 2]| Some([a[0].max(b[0]), a[1].min(b[1])]).filter(|[low, high]| low <= high);
    let laws = laws?;
    let inputs = match (pairs, differences) {
        (Some(pairs), Some(differences)) => both(pairs, differences),
        (pairs, differences) => pairs.or(differences),
    };
    let [low, high] = inputs.and_then(|inputs| both(laws, inputs)).unwrap_or(laws);
    Some([low.min(ratio), high.max(ratio)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use trend_answer::Source;

    fn outlook(cost: f64, ci: [f64; 2]) -> Outlook {
        Outlook { cost, ci: Some(ci), source: Source::Class }
    }

    #[test]
    fn errors_of_two_laws_add_as_variances_do() {
        let (before, after) = (outlook(100.0, [50.0, 200.0]), outlook(400.0, [200.0, 800.0]));
        let [low, high] = of_laws(before, after).unwrap();
        let factor = 2f64.powf(2f64.sqrt());
        assert!((low - 4.0 / factor).abs() < 1e-9 && (high - 4.0 * factor).abs() < 1e-9, "{low} {high}");
        // Exact laws have an exact ratio. An interval that begins at 0 gives no ratio.
        assert_eq!(of_laws(outlook(2.0, [2.0, 2.0]), outlook(6.0, [6.0, 6.0])), Some([3.0, 3.0]));
        assert_eq!(of_laws(outlook(2.0, [0.0, 4.0]), outlook(6.0, [6.0, 6.0])), None);
    }

    #[test]
    fn pairs_narrow_what_the_laws_leave_open_and_never_replace_it() {
        let narrowed = |ratio, laws, pairs| super::narrowed(ratio, laws, Some(pairs), None);
        assert_eq!(narrowed(1.1, Some([0.5, 2.0]), [1.0, 1.2]), Some([1.0, 1.2]));
        assert_eq!(narrowed(1.5, Some([0.5, 2.0]), [1.0, 1.2]), Some([1.0, 1.5]));
        assert_eq!(narrowed(1e-9, Some([1e-10, 1e-8]), [0.9, 1.1]), Some([1e-10, 1e-8]));
        assert_eq!(narrowed(1.0, None, [1.0, 1.0]), None);
        // Pairs and differences may contradict each other.
        assert_eq!(
            super::narrowed(1.1, Some([0.5, 2.0]), Some([0.6, 0.8]), Some([1.0, 1.2])),
            Some([0.5, 2.0])
        );
        assert_eq!(
            super::narrowed(1.1, Some([0.5, 2.0]), Some([0.6, 1.1]), Some([1.0, 1.2])),
            Some([1.0, 1.1])
        );
    }

    #[test]
    fn differences_bound_the_ratio_however_unclear_the_rest_is() {
        let sizes: Vec<f64> = (0..8).map(|i| f64::from(100 << i)).collect();
        let at = 1e5;
        // Removes 3·n of 30·n to 60·n executions: 5 to 10 %.
        let costs: Vec<_> = sizes.iter().map(|n| (*n, 40.0 * n, 37.0 * n)).collect();
        let before = outlook(40.0 * at, [30.0 * at, 60.0 * at]);
        let after = outlook(37.0 * at, [27.0 * at, 57.0 * at]);
        let [low, high] = of_differences(&costs, at, (before, after), 0.95).unwrap();
        assert!((low - 0.9).abs() < 1e-3 && (high - 0.95).abs() < 1e-3, "{low} {high}");
        let mut turned: Vec<_> = costs.iter().map(|&(n, old, new)| (n, new, old)).collect();
        let [inverse_high, inverse_low] = of_differences(&turned, at, (after, before), 0.95).unwrap();
        assert!((low * inverse_low - 1.0).abs() < 1e-9 && (high * inverse_high - 1.0).abs() < 1e-9);
        // Some runs differ and others do not: no law.
        turned[0].1 = turned[0].2;
        assert_eq!(of_differences(&turned, at, (after, before), 0.95), None);
    }
}
