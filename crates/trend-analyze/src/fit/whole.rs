//! Predicts the cost of the whole program as the sum of its functions' costs.
//!
//! ```text
//!   cost                            ╱ part      The law of a function is clear in its own counts. In the counts of the whole,
//!     │                           ╱             a steep law hardly shows: one law of all counts together misses it, and has
//!     │     one law ─ ─ ─ ─ ─ ─ ╱─ ─ ─          too narrow an interval.
//!     │  ─────────────────    ╱
//!     │                     ╱
//!     └────────────────────────────── n         So the whole is predicted as the sum of functions and of the rest.
//! ```

use trend_answer::Source;

use super::modeller::{Modeller, as_costs};
use crate::findings::model::{CurvePoint, Model, Prediction};
use crate::findings::row::{Cluster, Part, Parts, Row};

mod widening;

pub(crate) use widening::Widening;

/// Maximum number of functions that are separate parts; the others form one part together. In 244 predictions of real
/// programs, at 1.5 to 120 times the largest size, the intervals of sums of 3 parts hold 93 %. Sums of 8 and of 32 hold
/// 97 and 96 % (docs/evidence/predictions.md).
const MOST_PARTS: usize = 8;

/// Returns the total's models and the parts that they are sums of. Predictions and curves are sums of functions', with
/// intervals that include the measurements. `totals` is `[workloads]`, `models` one per feature.
pub(crate) fn total_models(
    modeller: &Modeller,
    totals: &[u64],
    models: &[Model],
    functions: &[Row],
    clusters: &[Cluster],
) -> (Vec<Model>, Vec<Parts>) {
    let mut all: Vec<Parts> = Vec::new();
    let models = models.iter().enumerate().map(|(feature, model)| {
        let mut total_model = model.clone();
        let parts = parts(modeller, totals, feature, model, functions);
        if let Some(parts) = &parts {
            describe(parts, &mut total_model);
        }
        let column = &modeller.columns[feature];
        let widening = Widening::new(column, totals, model, parts.as_ref(), clusters);
        let before = total_model.predictions.clone();
        for prediction in &mut total_model.predictions {
            widening.widen(prediction.at, prediction.cost, &mut prediction.ci);
        }
        for point in &mut total_model.curve {
            widening.widen(point.at, point.cost, &mut point.ci);
        }
        total_model.doubts.extend(widening.doubts(&column.name, &before));
        all.extend(parts);
        total_model
    });
    (models.collect(), all)
}

/// Returns the functions that may cost most at the furthest size that every study predicts, and the rest; `None` if
/// that is one part. The rest includes functions without a verdict from enough points, as they cost next to nothing or
/// hardly ever run. It also includes functions that no longer run at large sizes, whatever their law at others.
fn parts(
    modeller: &Modeller,
    totals: &[u64],
    feature: usize,
    model: &Model,
    functions: &[Row],
) -> Option<Parts> {
    let column = &modeller.columns[feature];
    let at = column.furthest_usual?;
    let most = |model: &Model| {
        let is_judged = model.growth.is_some() && model.is_sound();
        model.prediction_at(at)?.ci.map(|ci| ci[1]).filter(|_| is_judged)
    };
    let late = functions.iter().filter(|row| column.runs_at_the_end(&row.costs));
    let mut late: Vec<(&Row, f64)> =
        late.filter_map(|row| Some((row, most(&row.fits.models[feature])?))).collect();
    late.sort_by(|a, b| b.1.total_cmp(&a.1));
    late.truncate(MOST_PARTS);
    let part = |costs: Vec<u64>| {
        let model = modeller.model_in(feature, &as_costs(&costs));
        most(&model).is_some().then_some(Part { model, costs })
    };
    let split = |count: usize| {
        let mut rest = totals.to_vec();
        for (row, _) in &late[..count] {
            rest.iter_mut().zip(&row.costs).for_each(|(rest, cost)| *rest = rest.saturating_sub(*cost));
        }
        let costs = late[..count].iter().map(|(row, _)| row.costs.clone());
        let costs = costs.chain(Some(rest).filter(|rest| rest.iter().any(|&cost| cost > 0)));
        Some((count, costs.map(part).collect::<Option<Vec<Part>>>()?))
    };
    // Uses fewer functions if the rest would be too small for a verdict.
    let (count, rows) = (1..=late.len()).rev().find_map(split).filter(|(_, rows)| rows.len() > 1)?;
    let names = || late[..count].iter().map(|(row, _)| row);
    Some(Parts {
        id: model.id,
        feature: model.feature.clone(),
        functions: names().map(|row| row.name.clone()).collect(),
        files: names().map(|row| row.file.clone()).collect(),
        rows,
    })
}

/// Replaces the model's own predictions and curve with the sum's.
fn describe(parts: &Parts, model: &mut Model) {
    // If a part predicts nothing, neither does the sum: a law must be the same at all sizes.
    let at = model.predictions.iter().map(|prediction| prediction.at);
    let of_part = |at: f64| parts.rows.iter().map(move |part| part.model.prediction_at(at).cloned());
    model.predictions = at.filter_map(|at| sum(of_part(at))).collect();
    model.curve = curve(parts);
    model.source = Some(Source::SumOfParts);
}

/// Returns the sum of the parts' predictions at one size; `None` if a part has none. Its interval goes from the sum of
/// the lower ends to the sum of the upper ends. So it holds the sum however the errors of the parts depend on each
/// other.
pub(crate) fn sum(mut parts: impl Iterator<Item = Option<Prediction>>) -> Option<Prediction> {
    let mut sum = Prediction { source: Source::SumOfParts, ..parts.next()?? };
    for part in parts {
        let part = part?;
        sum.cost += part.cost;
        sum.ci = add(sum.ci, part.ci);
    }
    Some(sum)
}

/// Returns the sum of the parts' curves, at the sizes where all parts have one.
fn curve(parts: &Parts) -> Vec<CurvePoint> {
    let Some((first, others)) = parts.rows.split_first() else { return Vec::new() };
    let at = |curve: &[CurvePoint], at: f64| {
        let place = curve.binary_search_by(|point| point.at.total_cmp(&at)).ok()?;
        Some(curve[place])
    };
    let point = |&point: &CurvePoint| {
        others.iter().try_fold(point, |sum, part| {
            let other = at(&part.model.curve, point.at)?;
            Some(CurvePoint { at: sum.at, cost: sum.cost + other.cost, ci: add(sum.ci, other.ci) })
        })
    };
    first.model.curve.iter().filter_map(point).collect()
}

fn add(a: Option<[f64; 2]>, b: Option<[f64; 2]>) -> Option<[f64; 2]> {
    a.zip(b).map(|(a, b)| [a[0] + b[0], a[1] + b[1]])
}

#[cfg(test)]
mod tests;
