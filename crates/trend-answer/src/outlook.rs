//! Predicts costs of rows at a target from their laws. Fits nothing.

use serde::Serialize;

use crate::{Law, Source};

/// Predicted cost of a row at a point.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Outlook {
    /// The cost that the law predicts.
    pub cost: f64,
    /// Its interval; `null` if it has none.
    pub ci: Option<[f64; 2]>,
    /// The law that predicts it.
    pub source: Source,
}

/// The interval of a law at ascending values of its feature, far beyond the data. Its ends are multiples of the law.
/// They change so slowly that values in between can be interpolated.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Band {
    /// Values of the feature.
    pub at: Vec<f64>,
    /// Lower ends.
    pub lo: Vec<f64>,
    /// Upper ends.
    pub hi: Vec<f64>,
}

/// Maximum relative difference of sizes that count as equal. A page has sizes with six digits.
const SIZE_TOLERANCE: f64 = 1e-5;

/// Returns true if two sizes are equal, apart from rounding.
pub fn is_same_size(a: f64, b: f64) -> bool {
    (a - b).abs() <= a.abs().max(b.abs()) * SIZE_TOLERANCE
}

impl Band {
    /// Returns the interval of a cost at a size; `None` outside the range of the band.
    pub fn interval(&self, at: f64, cost: f64) -> Option<[f64; 2]> {
        let i = self.at.iter().rposition(|&size| size <= at || is_same_size(size, at))?;
        let from = self.at[i];
        if is_same_size(from, at) {
            return Some([cost * self.lo[i], cost * self.hi[i]]);
        }
        let to = *self.at.get(i + 1)?;
        let t = (at / from).ln() / (to / from).ln();
        let between = |ends: &[f64]| {
            let [a, b] = [ends[i], ends[i + 1]];
            cost * if a > 0.0 && b > 0.0 { a * (b / a).powf(t) } else { a + (b - a) * t }
        };
        Some([between(&self.lo), between(&self.hi)])
    }
}

/// The data that the prediction of a row depends on.
#[derive(Clone, Debug)]
pub struct Row {
    /// The law; `None` if the row has none.
    pub law: Option<Law>,
    /// Positions of the law's features in a target.
    pub features: Vec<usize>,
    /// The interval of a law in one feature.
    pub band: Option<Band>,
    /// Positions of features, each with the size beyond which the row is not executed.
    pub ends: Vec<(usize, f64)>,
}

impl Row {
    /// Returns the cost at a target, which has a value for each feature, or NaN. `None` if the law gives no cost there,
    /// or if the row is not executed there.
    pub fn outlook(&self, target: &[f64]) -> Option<Outlook> {
        let at = |feature: usize| target.get(feature).copied().unwrap_or(f64::NAN);
        let has_ended = self.ends.iter().any(|&(i, until)| at(i) > until);
        let law = self.law.as_ref().filter(|_| !has_ended)?;
        let point: Vec<f64> = self.features.iter().map(|&i| at(i)).collect();
        let cost = law.cost(&point)?;
        let ci = self.band.as_ref().and_then(|band| band.interval(*point.first()?, cost));
        Some(Outlook { cost, ci, source: law.source })
    }
}

/// Returns the whole's outlook, raised to the greatest outlook of its functions with a verdict, because no function can
/// cost more than the whole. A sum in one feature always satisfies that. A law in several features, or in another
/// feature than the function's, may not.
pub fn raised(whole: Option<Outlook>, functions: impl Iterator<Item = Option<Outlook>>) -> Option<Outlook> {
    functions.flatten().filter(|part| part.source != Source::PowerLaw).fold(whole, |whole, part| {
        let whole = whole?;
        if part.cost <= whole.cost {
            return Some(whole);
        }
        let ci = whole.ci.zip(part.ci).map(|(a, b)| [a[0].min(b[0]), a[1].max(b[1])]);
        Some(Outlook { cost: part.cost, ci, source: Source::LargestPart })
    })
}

/// Widens a cluster's interval to the highest upper end of the functions in it, because the cluster may cost as much as
/// any part of it. A part that grows faster hardly shows in the counts of the whole cluster.
pub fn widened(
    cluster: Option<Outlook>,
    functions: impl Iterator<Item = Option<Outlook>>,
) -> Option<Outlook> {
    let most = functions.flatten().filter(|part| part.source != Source::PowerLaw).filter_map(|part| part.ci);
    let most = most.map(|[_, high]| high).fold(0.0, f64::max);
    cluster.map(|own| Outlook { ci: own.ci.map(|[low, high]| [low, high.max(most)]), ..own })
}
