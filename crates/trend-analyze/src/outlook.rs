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
