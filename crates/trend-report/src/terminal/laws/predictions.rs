//! Writes the predictions of a law as a list.

use trend_analyze::{Findings, Model, Outlook, Point, Prediction, RowLaw};

use crate::layout::columns::{Columns, Room};
use crate::layout::document::Document;
use crate::layout::number;
use crate::layout::text::{cut, visible};
use crate::rows::item::Item;
use crate::rows::scope::Scope;
use crate::words::model::from;
use crate::words::structure::together;
use crate::words::{cells, point, study};

/// Writes the predicted costs of a row: at sizes of its feature or, for several features, at the predicted points.
pub(super) fn predictions(out: &mut Document, findings: &Findings, item: &Item<'_>, scope: &Scope<'_>) {
    let predictions: Vec<Predicted> = predicted(findings, item, scope);
    let name = match item.row_law(scope) {
        Some(RowLaw::Of(model)) if together(item, scope).is_none() => &model.feature,
        _ => "at",
    };
    list(out, findings, &predictions, name, "of the largest run");
}

/// Writes the predicted worst cost of a series beyond its observed sizes; `largest` is the largest observed size.
pub(crate) fn predictions_of_series(
    out: &mut Document,
    findings: &Findings,
    model: &Model,
    largest: Option<f64>,
) {
    list(out, findings, &predicted_by(model, largest), &model.feature, "of the largest size");
}

fn list(out: &mut Document, findings: &Findings, predictions: &[Predicted], name: &str, largest: &str) {
    if predictions.is_empty() {
        return;
    }
    out.heading("Predictions");
    let name = cut(&visible(name), 16).into_owned();
    let interval = |p: &Predicted| match p.estimate.ci {
        Some(ci) => cells::aligned(number::cost_interval(ci)),
        None => "none  ".to_owned(),
    };
    let columns = Columns::new(predictions)
        .right(&name, Room::Shrinks(16), |p| cells::aligned(p.at.clone()))
        .right("cost", Room::Fixed, |p| cells::aligned(cells::point(&p.estimate)))
        .right(&format!("{} interval", study::level(findings)), Room::Goes(2), interval)
        .right(largest, Room::Goes(1), |p| p.times.clone())
        .left("from", Room::Goes(3), |p| p.from.clone());
    out.table(columns.columns);
}

/// A prediction as a row of the list.
struct Predicted {
    at: String,
    estimate: Outlook,
    times: String,
    from: String,
}

fn predicted(findings: &Findings, item: &Item<'_>, scope: &Scope<'_>) -> Vec<Predicted> {
    let by_feature = |model: &Model| {
        predicted_by(model, findings.feature(&model.feature).and_then(|i| findings.features[i].max))
    };
    match scope.law(item.fits) {
        Some(RowLaw::Of(model)) if together(item, scope).is_none() => by_feature(model),
        Some(law) => {
            let from = match law {
                RowLaw::Joint(_) => "several features",
                RowLaw::Of(_) => "a constant",
            };
            let points = findings.points.iter().zip(item.outlooks);
            let predicted = |(at, outlook): (&Point, &Option<Outlook>)| {
                let estimate = (*outlook)?;
                let from = from.to_owned();
                let (at, times) = (point::in_words(at), String::new());
                Some(Predicted { at, estimate, times, from })
            };
            points.filter_map(predicted).collect()
        }
        None => Vec::new(),
    }
}

fn predicted_by(model: &Model, largest: Option<f64>) -> Vec<Predicted> {
    let times =
        |at: f64| largest.filter(|m| *m > 0.0).map(|m| format!("{}×", number::significant(at / m, 2)));
    let predicted = |p: &Prediction| Predicted {
        at: number::feature_size(&model.feature, p.at),
        estimate: Outlook::from(p),
        times: times(p.at).unwrap_or_default(),
        from: from(model, p.source),
    };
    model.predictions.iter().map(predicted).collect()
}
