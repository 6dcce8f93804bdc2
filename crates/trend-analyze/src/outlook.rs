//! Predicts the costs of rows at a point, each by the row's law. Fits nothing.

use crate::{Doubt, Joint, Model, Outlook, Point, Prediction, RowLaw, Source};

impl From<&Prediction> for Outlook {
    fn from(prediction: &Prediction) -> Self {
        let ci = prediction.ci.filter(|ci| ci.iter().all(|end| end.is_finite()));
        Self { cost: prediction.cost, ci, source: prediction.source }
    }
}

/// Returns the predicted cost of a row at a point; `predicted` evaluates a model at a size. `None` if the law predicts
/// nothing there, if the row no longer runs, or if its law lacks features that the cost depends on.
pub(crate) fn outlook(
    models: &[Model],
    joint: Option<&Joint>,
    point: &Point,
    level: f64,
    predicted: impl FnOnce(&Model, f64) -> Option<Prediction>,
) -> Option<Outlook> {
    let has_ended = |model: &Model| {
        let at = point.value(model.id);
        model.runs_until.zip(at).is_some_and(|(until, at)| at > until)
    };
    match RowLaw::of(models, joint)? {
        _ if models.iter().any(has_ended) => None,
        RowLaw::Of(model) if model.doubts.iter().any(Doubt::lacks_features) => None,
        RowLaw::Of(model) => predicted(model, point.value(model.id)?).as_ref().map(Outlook::from),
        RowLaw::Joint(joint) => {
            let at = point.values_of(&joint.law.features)?;
            let cost = joint.fit.law.cost(&at)?;
            let interval = joint.fit.predict_interval(&at, level).ok();
            let ci = interval.map(|interval| [interval.lo.min(cost), interval.hi.max(cost)]);
            let ci = ci.filter(|ci| ci.iter().all(|end| end.is_finite()));
            Some(Outlook { cost, ci, source: Source::Joint })
        }
    }
}

/// Raises the whole's outlook to the greatest outlook of its functions with a verdict, as no function can cost more
/// than the whole. A sum in one feature always satisfies that; a law in several features, or in another feature than
/// the function's, may not.
pub(crate) fn raised(
    whole: Option<Outlook>,
    functions: impl Iterator<Item = Option<Outlook>>,
) -> Option<Outlook> {
    functions.flatten().filter(|part| part.source != Source::PowerLaw).fold(whole, |whole, part| {
        let whole = whole?;
        if part.cost <= whole.cost {
            return Some(whole);
        }
        let ci = whole.ci.zip(part.ci).map(|(a, b)| [a[0].min(b[0]), a[1].max(b[1])]);
        Some(Outlook { cost: part.cost, ci, source: Source::LargestPart })
    })
}
