//! What a page needs of a model besides the findings: the curve of its law, and what it says in words.

use serde::Serialize;
use serde_json::value::RawValue;
use trend_analyze::{CurvePoint, Findings, Joint, Model, RowLaw, Source};

use super::numbers::{push, raw};
use crate::rows::{Item, Scope, is_poor};
use crate::{cells, growth, model_page, structure};

/// Digits of sizes and of costs along a curve.
const SIZE_DIGITS: usize = 7;
const COST_DIGITS: usize = 5;

/// Of the points of a costly row's curve, a cheap one has every so many up to the predictions; beyond them points are far
/// apart as they are.
const THINNED: usize = 2;

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) struct ModelExtra {
    /// The law that predictions come from, as `[at, cost, lo, hi]` at ascending feature values far beyond the data; `lo`
    /// and `hi` are `null` where there is no interval. Empty where the page computes it: from the row's law in the
    /// findings, and a power law of a row that costs little.
    #[cfg_attr(test, ts(type = "Array<[number, number, number | null, number | null]>"))]
    curve: Box<RawValue>,
    /// The law in this feature as a formula.
    formula: String,
    /// Whether the model says little about what its row costs.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    poor: bool,
    /// The model and its doubts in whole sentences; empty for rows that cost little.
    sentences: Vec<String>,
}

/// Which words go with a model.
pub(super) enum Words<'a> {
    None,
    /// Of the model alone and its row's dependence on several features.
    OfTotal(Option<&'a Joint>),
    /// Of the model alone, which is of these sizes.
    OfSizes(Option<(f64, f64)>),
    /// All that there is about the row.
    All(&'a Item<'a>),
}

impl ModelExtra {
    /// `is_of_row`: whether the law is the one that the row's findings have as terms.
    pub(super) fn new(findings: &Findings, model: &Model, is_of_row: bool, words: &Words<'_>) -> Self {
        let is_computed = model.curve.is_empty() && !is_of_row;
        let computed = if is_computed { computed(findings, model) } else { Vec::new() };
        let curve = if is_computed { &computed } else { &model.curve };
        Self {
            formula: cells::fit(Some(RowLaw::Of(model))).text,
            poor: is_poor(model),
            curve: raw(json(curve)),
            sentences: sentences(findings, model, words),
        }
    }
}

/// The law of a row that the analysis made no curve for, at sizes of the whole program's curve, without intervals.
fn computed(findings: &Findings, model: &Model) -> Vec<CurvePoint> {
    let total = findings.total.models.iter().find(|m| m.feature == model.feature);
    let (Some(total), Some(law)) = (total, model.law()) else { return Vec::new() };
    if law.source == Source::PowerLaw {
        return Vec::new();
    }
    let last = total.curve.len().saturating_sub(1);
    let dense = total.predictions.last().map_or(f64::INFINITY, |last| last.at);
    let until = model.runs_until.unwrap_or(f64::INFINITY);
    let sizes = total
        .curve
        .iter()
        .enumerate()
        .filter(|&(i, p)| (i % THINNED == 0 || i == last || p.at > dense) && p.at <= until);
    sizes.filter_map(|(_, p)| Some(CurvePoint { at: p.at, cost: law.cost(&[p.at])?, ci: None })).collect()
}

fn json(curve: &[CurvePoint]) -> String {
    let mut json = String::from("[");
    for (i, point) in curve.iter().enumerate() {
        json.push_str(if i == 0 { "[" } else { ",[" });
        push(&mut json, point.at, SIZE_DIGITS);
        let ci = point.ci.map_or([f64::NAN; 2], |ci| ci);
        for value in [point.cost, ci[0], ci[1]] {
            json.push(',');
            push(&mut json, value, COST_DIGITS);
        }
        json.push(']');
    }
    json.push(']');
    json
}

fn sentences(findings: &Findings, model: &Model, words: &Words<'_>) -> Vec<String> {
    let at = model.predictions.last().map(|last| last.at);
    let of_model = |range| {
        let mut sentences = growth::sentences(model, range, at);
        sentences.extend(model_page::sentences(findings, model));
        sentences
    };
    let range = || model_page::range(findings, model);
    match words {
        Words::None => Vec::new(),
        Words::OfSizes(range) => of_model(*range),
        Words::OfTotal(joint) => {
            let mut sentences = of_model(range());
            sentences.extend(joint.map(structure::joint));
            sentences
        }
        Words::All(item) => {
            let mut sentences = of_model(range());
            let feature = findings.feature(&model.feature).map(|i| (i, model.feature.as_str()));
            sentences.extend(structure::findings(item, &Scope { feature, ..Scope::of_page(findings) }));
            sentences
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_finite_is_null() {
        let point = |at, cost, ci| CurvePoint { at, cost, ci };
        let curve = [point(60.0, 1.5, None), point(1e9, 1e300, Some([f64::NAN, f64::INFINITY]))];
        assert_eq!(json(&curve), "[[60,1.5,null,null],[1e9,1e300,null,null]]");
        assert_eq!(json(&[]), "[]");
    }
}
