//! What a page needs of a model besides the findings: its law with the interval, and what it says in words.

use serde::Serialize;
use serde_json::value::RawValue;
use trend_analyze::{CurvePoint, Findings, Joint, Law, Model, RowLaw, Source};

use super::numbers::short;
use crate::rows::{Item, Scope};
use crate::{cells, growth, model_page, structure};

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) struct ModelExtra {
    /// The law in this feature, in the shape of the findings' laws; absent where the findings have it: as the row's law, or
    /// as a power law. Rows that cost little have the row's law alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, type = "Array<import('./findings-types').LawSum>"))]
    law: Option<Box<RawValue>>,
    /// Its interval; absent where the row has it, and of rows that cost little.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    band: Option<Band>,
    /// The law in this feature as a formula.
    formula: String,
    /// Whether the model says little about what its row costs.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    poor: bool,
    /// Whether its class is decided and a doubt all the same, as it says little about the costs.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    doubtful: bool,
    /// The model and its doubts in whole sentences; absent for rows that cost little.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<String>>"))]
    sentences: Vec<String>,
    /// Of a series what its growth means, which is then not among the sentences.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    meaning: Option<String>,
}

/// The interval of a law at ascending values of its feature, far beyond the data; its ends as multiples of the law, which
/// change so slowly that they tell those between.
#[derive(Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) struct Band {
    at: Vec<f64>,
    lo: Vec<f64>,
    hi: Vec<f64>,
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
    /// Without the law, which the findings have.
    pub(super) fn without_law(self) -> Self {
        Self { law: None, ..self }
    }

    /// `is_of_row`: whether the law is the one that the row's findings have as terms.
    pub(super) fn new(findings: &Findings, model: &Model, is_of_row: bool, words: &Words<'_>) -> Self {
        let is_own = |law: &Law| !is_of_row && !model.curve.is_empty() && law.source != Source::PowerLaw;
        let law = model.law().filter(is_own);
        Self {
            formula: cells::fit(Some(RowLaw::Of(model))).text,
            poor: RowLaw::Of(model).is_poor(),
            doubtful: growth::is_decided_in_doubt(model),
            law: law.map(|law| short(&law.published_sums())),
            band: if is_of_row { None } else { band(&model.curve) },
            sentences: sentences(findings, model, words),
            meaning: match words {
                Words::OfSizes(range) => growth::meaning(model, *range, farthest(model)),
                _ => None,
            },
        }
    }
}

/// `None` where there is no interval.
pub(super) fn band(curve: &[CurvePoint]) -> Option<Band> {
    let mut band = Band::default();
    for (at, cost, [lo, hi]) in curve.iter().filter_map(|point| Some((point.at, point.cost, point.ci?))) {
        let (lo, hi) = (lo / cost, hi / cost);
        if [at, lo, hi].iter().all(|value| value.is_finite()) {
            band.at.push(at);
            band.lo.push(lo);
            band.hi.push(hi);
        }
    }
    Some(band).filter(|band| !band.at.is_empty())
}

/// The largest size that a prediction is for.
fn farthest(model: &Model) -> Option<f64> {
    model.predictions.last().map(|last| last.at)
}

fn sentences(findings: &Findings, model: &Model, words: &Words<'_>) -> Vec<String> {
    let of_model = || {
        let mut sentences = growth::sentences(model, model_page::range(findings, model), farthest(model));
        sentences.extend(model_page::sentences(findings, model, model_page::WORKLOAD));
        sentences
    };
    match words {
        Words::None => Vec::new(),
        Words::OfSizes(_) => {
            let told = model_page::sentences(findings, model, model_page::SIZE);
            growth::evidence(model).into_iter().chain(told).collect()
        }
        Words::OfTotal(joint) => {
            let mut sentences = of_model();
            sentences.extend(joint.map(structure::joint));
            sentences
        }
        Words::All(item) => {
            let mut sentences = of_model();
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
    fn a_band_is_where_there_is_an_interval() {
        let point = |at, ci| CurvePoint { at, cost: 2.0, ci };
        let curve = [
            point(60.0, None),
            point(120.0, Some([1.0, 3.0])),
            point(1e9, Some([1.0, f64::INFINITY])),
            point(240.0, Some([1.5, 4.0])),
        ];
        let expected = Band { at: vec![120.0, 240.0], lo: vec![0.5, 0.75], hi: vec![1.5, 2.0] };
        assert_eq!((band(&curve), band(&[])), (Some(expected), None));
    }
}
