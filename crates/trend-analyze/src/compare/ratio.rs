//! Computes the interval of the ratio of two costs at the target. This module decides nothing.
//!
//! The ratio divides two predictions, each by its version's own law. Its interval comes from two sources:
//!
//! ```text
//!   laws    after ÷ before, each with an interval of its own ──────────────┐
//!                                                                          ├─▶ where both overlap
//!   pairs   after ÷ before of the same inputs, with what may hide in it ───┘
//! ```
//!
//! Differences between inputs cancel in the pairs, so their interval is often the narrower one. A quadratic term that
//! may hide in the ratio widens it beyond the measured sizes, as in any law.

use trend_model::{Paired, Relation, growth};

use crate::Outlook;

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
    let most = |of: &dyn Fn(f64) -> f64| {
        let ratios: Vec<f64> = ratios.iter().map(|&ratio| of(ratio) * UNIT).collect();
        let interval = growth(&x, &ratios).ok()?.predict_interval(at, level).ok()?;
        Some(interval.hi / UNIT).filter(|end| end.is_finite() && *end > 0.0)
    };
    let (upper, lower) = (most(&|ratio| ratio)?, 1.0 / most(&f64::recip)?);
    (lower <= upper).then_some([lower, upper])
}

/// Returns the overlap of both intervals, widened to contain the ratio. If they do not overlap, the interval of the
/// laws is used because the laws make the predictions.
pub(super) fn narrowed(ratio: f64, laws: Option<[f64; 2]>, pairs: Option<[f64; 2]>) -> Option<[f64; 2]> {
    let laws = laws?;
    let overlap = pairs.map(|pairs| [laws[0].max(pairs[0]), laws[1].min(pairs[1])]);
    let [low, high] = overlap.filter(|[low, high]| low <= high).unwrap_or(laws);
    Some([low.min(ratio), high.max(ratio)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Source;

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
        assert_eq!(narrowed(1.1, Some([0.5, 2.0]), Some([1.0, 1.2])), Some([1.0, 1.2]));
        assert_eq!(narrowed(1.5, Some([0.5, 2.0]), Some([1.0, 1.2])), Some([1.0, 1.5]));
        assert_eq!(narrowed(1e-9, Some([1e-10, 1e-8]), Some([0.9, 1.1])), Some([1e-10, 1e-8]));
        assert_eq!(narrowed(1.0, None, Some([1.0, 1.0])), None);
    }
}
