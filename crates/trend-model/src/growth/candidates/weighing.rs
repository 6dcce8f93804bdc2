//! Fits all candidates and weighs them by their evidence. This module names no classes.

use super::candidate::{Candidate, candidates};
use super::columns::Columns;
use super::independence::independent_fraction;
use super::model::Model;
use super::regimes::regimes;
use crate::growth::fits::points::Points;

/// Distance in log evidence from the best model beyond which models are dropped: e^−14 is one in a million.
const NEGLIGIBLE: f64 = 14.0;

/// Distance from the best preview beyond which candidates are not fitted. Previews do not allow for outliers but fits
/// do; the difference is a few units.
const HOPELESS: f64 = 20.0;

/// Maximum number of points, spread over the sizes, on which candidates are screened. If there are no more points,
/// there is no screening.
const MOST_SCREENED: usize = 60;

/// Distance in log evidence from the best model, on the screening points, beyond which candidates are not fitted to
/// all points. The other points reverse such odds in fewer than e^−7 of the cases, one in a thousand.
const SCREENED_OUT: f64 = 7.0;

/// Fraction of independent observations below which candidates that seemed hopeless are fitted after all.
const WORTH_ANOTHER_LOOK: f64 = 0.7;

/// Distance in log evidence from the best model up to which a model may be right. If the residuals of any such model
/// are independent, the points count as independent.
const CONTENDING: f64 = 3.0;

/// Fraction of the distinct sizes that are held out at the large end.
const HELD_OUT: f64 = 0.25;

/// Weight of the prediction of the largest sizes from the others, in addition to the evidence, which already contains
/// it once. A larger weight makes verdicts bolder but not better (recovery matrix).
const EXTRAPOLATION: f64 = 0.1;

/// Returns all models with a notable weight, by falling weight, with weights that sum to 1. Also returns the fraction
/// of the points that are independent observations.
pub(crate) fn weighted_models(points: &Points) -> (Vec<(f64, Model)>, f64) {
    let columns = Columns::new(points);
    let mut independent = 1.0;
    let mut models = candidate_models(points, &columns, independent);
    let pieces = regimes(points);
    models.extend(pieces.iter().cloned());
    let by_evidence = |p: &Model, q: &Model| {
        q.evidence.log(1.0).total_cmp(&p.evidence.log(1.0)).then(p.class.cmp(&q.class))
    };
    models.sort_by(by_evidence);
    let Some(best) = models.first() else { return (Vec::new(), 1.0) };
    let contends = |model: &&Model| model.evidence.log(1.0) > best.evidence.log(1.0) - CONTENDING;
    let fractions = models.iter().take_while(contends).map(|model| independent_fraction(points, &model.fit));
    independent = fractions.fold(0.0, f64::max);
    if independent < WORTH_ANOTHER_LOOK {
        models = candidate_models(points, &columns, independent);
        models.extend(pieces);
        models.sort_by(by_evidence);
    }
    let top = models.iter().map(|model| model.evidence.log(independent)).fold(f64::NEG_INFINITY, f64::max);
    models.retain(|model| model.evidence.log(independent) > top - NEGLIGIBLE);
    let sizes = points.sizes(points.len());
    let from = points.without_largest(((sizes as f64 * HELD_OUT) as usize).max(1));
    let held_out: Vec<f64> =
        models.iter().map(|model| model.log_predictive(points, &columns, from)).collect();
    let lowest = held_out.iter().copied().filter(|v| v.is_finite()).fold(f64::INFINITY, f64::min);
    let score = |model: &Model, held_out: f64| {
        let held_out = if held_out.is_finite() { held_out } else { lowest };
        model.evidence.log(independent)
            + if held_out.is_finite() { EXTRAPOLATION * independent * held_out } else { 0.0 }
    };
    let scores: Vec<f64> = models.iter().zip(&held_out).map(|(model, &h)| score(model, h)).collect();
    let top = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = scores.iter().map(|score| (score - top).exp()).collect();
    let total: f64 = weights.iter().sum();
    let mut weighted: Vec<(f64, Model)> = weights.iter().map(|w| w / total).zip(models).collect();
    weighted.sort_by(|p, q| q.0.total_cmp(&p.0));
    (weighted, independent)
}

/// Returns the models that can matter if k points are `independent·k` observations.
fn candidate_models(points: &Points, columns: &Columns, independent: f64) -> Vec<Model> {
    let all = || fitted(points, columns, independent).into_iter().map(|(_, model)| model).collect();
    let Some(thinned) = points.thinned(MOST_SCREENED) else { return all() };
    let mut screened = fitted(&thinned, &Columns::new(&thinned), independent);
    let best = screened.iter().map(|(_, m)| m.evidence.log(1.0)).fold(f64::NEG_INFINITY, f64::max);
    screened.retain(|(_, model)| model.evidence.log(1.0) > best - SCREENED_OUT / independent);
    let models: Vec<Model> =
        screened.iter().filter_map(|(candidate, _)| Model::new(points, columns, candidate)).collect();
    if models.is_empty() { all() } else { models }
}

/// Fits the candidates that the points allow, except for those whose previews are hopeless compared with an allowed
/// one.
fn fitted(points: &Points, columns: &Columns, independent: f64) -> Vec<(Candidate, Model)> {
    let previews = columns.previews(points);
    let preview = |candidate| Some((Model::preview(&previews, &candidate)?, candidate));
    let mut promising: Vec<_> = candidates().into_iter().filter_map(preview).collect();
    promising.sort_by(|p, q| q.0.total_cmp(&p.0));
    let mut hopeless = f64::NEG_INFINITY;
    let mut fitted = Vec::new();
    for (preview, candidate) in promising {
        if preview < hopeless {
            break;
        }
        if let Some(model) = Model::new(points, columns, &candidate) {
            if preview.is_finite() {
                hopeless = hopeless.max(preview.min(model.evidence.log(1.0)) - HOPELESS / independent);
            }
            fitted.push((candidate, model));
        }
    }
    fitted
}
