//! Data about a model that a page needs in addition to the findings: its law with the interval, and its words.

use serde::Serialize;
use serde_json::value::RawValue;
use trend_analyze::{CurvePoint, Findings, GrowthModel, Joint, Law, Model, RowLaw, Source};
use trend_answer::Band;

use super::calls::warmth;
use super::numbers::short;
use crate::rows::item::Item;
use crate::rows::scope::Scope;
#[cfg(test)]
use crate::tests::published;
use crate::words::{cells, growth, model, structure};

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct ModelExtra {
    /// Law in this feature, in the shape of the findings' laws. Absent if the findings have it, as the row's law or as
    /// a power law. Cheap rows have only the row's law.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<Vec<published::LawSum>>"))]
    law: Option<Box<RawValue>>,
    /// Interval of the law; absent if the row has it, and for cheap rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    band: Option<Band>,
    /// Formula of the law in this feature.
    formula: String,
    /// True if the model describes the row's costs poorly.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    poor: bool,
    /// True if the class is decided but doubtful: it describes the costs poorly, or rests on too few runs.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    doubtful: bool,
    /// True if the cost certainly grows faster than linearly.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    superlinear: bool,
    /// A key that sorts by growth, from slow to fast; absent without a verdict.
    #[serde(skip_serializing_if = "Option::is_none")]
    order: Option<f64>,
    /// Colour step of the growth, from 0 (linear or slower) to 4 (faster than `n^2.5`).
    #[serde(skip_serializing_if = "Option::is_none")]
    warmth: Option<u8>,
    /// The exponent of the slowest growth that the evidence allows; absent if the model is too poor to tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pace: Option<f64>,
    /// Sentences about the model and its doubts; absent for cheap rows.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sentences: Vec<String>,
    /// Meaning of the growth of a series; the sentences then do not contain it.
    #[serde(skip_serializing_if = "Option::is_none")]
    meaning: Option<String>,
}

/// Selection of the words that go with a model.
pub(super) enum Words<'a> {
    None,
    /// Words about the model, and about the row's dependence on several features.
    OfTotal(Option<&'a Joint>),
    /// Words about the model of a series with this range of sizes.
    OfSizes(Option<(f64, f64)>),
    /// All words about the row.
    All(&'a Item<'a>),
}

impl ModelExtra {
    /// Removes the law, which the findings have.
    pub(super) fn without_law(self) -> Self {
        Self { law: None, ..self }
    }

    /// If `is_of_row`, the law is the row's own, which the findings have as terms.
    pub(super) fn new(findings: &Findings, model: &Model, is_of_row: bool, words: &Words<'_>) -> Self {
        let is_own = |law: &Law| !is_of_row && !model.curve.is_empty() && law.source != Source::PowerLaw;
        let law = model.law().filter(is_own);
        Self {
            formula: cells::fit(Some(RowLaw::Of(model))).text,
            poor: RowLaw::Of(model).is_poor(),
            doubtful: growth::is_decided_in_doubt(model),
            superlinear: model.is_superlinear(),
            order: model.growth.as_ref().and_then(order),
            warmth: warmth(RowLaw::Of(model)),
            pace: model.least_pace().map(finite),
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

/// Exponent that stands for growth beyond all powers, because JSON has no infinity.
const BEYOND_POWERS: f64 = 1000.0;

/// Amount that an undecided verdict adds to the key of its slowest class. It is smaller than the difference between any
/// two classes.
const UNDECIDED: f64 = 0.001;

fn finite(pace: f64) -> f64 {
    pace.min(BEYOND_POWERS)
}

/// Returns the key by which verdicts are sorted: the pace of the slowest class named.
fn order(growth: &GrowthModel) -> Option<f64> {
    Some(finite(growth.least_pace()?) + if growth.is_open() { UNDECIDED } else { 0.0 })
}

/// Returns the interval along a curve, or `None` if it has none.
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

/// Returns the largest size with a prediction.
fn farthest(model: &Model) -> Option<f64> {
    model.predictions.last().map(|last| last.at)
}

fn sentences(findings: &Findings, model: &Model, words: &Words<'_>) -> Vec<String> {
    let of_model = || {
        let mut sentences = growth::sentences(model, model::range(findings, model), farthest(model));
        sentences.extend(model::sentences(findings, model, model::WORKLOAD));
        sentences
    };
    match words {
        Words::None => Vec::new(),
        Words::OfSizes(_) => {
            let sentences = model::sentences(findings, model, model::SIZE);
            growth::evidence(model).into_iter().chain(sentences).collect()
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
