//! What the whole program will cost where one of its parts grows faster than the whole's own model has it.
//!
//! ```text
//!   cost                            ╱ part      Far from the data the whole is at least what its steepest part is. The
//!     │                           ╱             part's law is clear in its own counts; under the rest of the program it
//!     │     whole ─ ─ ─ ─ ─ ─ ─ ╱─ ─ ─          hardly shows, and the whole's model does not have it.
//!     │  ─────────────────    ╱
//!     │                     ╱
//!     └────────────────────────────── n         So the whole is predicted as the sum of that part and of the rest.
//! ```

use trend_model::GrowthClass;
use trend_profile::Warning;

use crate::column::Column;
use crate::models::{Modeller, as_costs};
use crate::{Cluster, CurvePoint, Model, Part, Parts, Prediction, Row, SUM_OF_PARTS};

mod widening;

pub(crate) use widening::Widening;

/// Functions that are told apart from the rest: each is steeper than all that is left.
const MOST_PARTS: usize = 8;

/// Share that a part has to take of the whole, or of what is left of it, at the furthest size that is predicted of
/// every study.
const SMALLEST_PART: f64 = 0.02;

/// The total's models, with predictions and curves that are sums where the models are outgrown, and intervals that hold what
/// was measured and what a part may do; and what they are sums of. `totals` is `[workloads]`, `models` one per feature.
pub(crate) fn whole(
    modeller: &Modeller,
    totals: &[u64],
    models: &[Model],
    functions: &[Row],
    clusters: &[Cluster],
) -> (Vec<Model>, Vec<Parts>) {
    let mut all: Vec<Parts> = Vec::new();
    let models = models.iter().enumerate().map(|(feature, model)| {
        let mut whole = model.clone();
        if let Some(parts) = parts(modeller, totals, feature, model, functions) {
            describe(&parts, &mut whole);
            all.push(parts);
        }
        let column = &modeller.columns[feature];
        doubt(&mut whole, column, functions);
        let parts = all.last().filter(|parts| parts.feature == model.feature);
        let widening = Widening::new(column, totals, model, parts, (functions, clusters));
        let before = whole.predictions.clone();
        for prediction in &mut whole.predictions {
            let at = prediction.at;
            widening.widen(prediction, |part, _| part.prediction_at(at)?.ci);
        }
        widening.widen_curve(&mut whole.curve);
        let mut warnings = widening.warnings(&model.feature, &before, &whole.predictions);
        // That a part outgrows the whole says it already.
        let is_outgrown = whole.warnings.iter().any(|w| w.kind == "outgrown");
        warnings.retain(|w| !is_outgrown || w.kind != "part_in_doubt");
        whole.warnings.extend(warnings);
        whole
    });
    (models.collect(), all)
}

/// What a model of the whole, or of what is left of it, says at the furthest size that is predicted of every study.
struct Whole {
    cost: f64,
    /// By which it grows there.
    class: GrowthClass,
}

impl Whole {
    fn new(model: &Model, at: f64) -> Option<Self> {
        let prediction = model.prediction_at(at)?;
        let best = model.growth.as_ref().and_then(|growth| Some(growth.best()?.class));
        let exponent = model.power_law.as_ref().map_or(0.0, |law| law.b);
        let class = best.filter(|class| class.to_string() == prediction.from);
        Some(Self {
            cost: prediction.cost,
            class: class.unwrap_or_else(|| GrowthClass::free(exponent, false)),
        })
    }

    /// Whether a function outgrows it: its interval is above it, or its class is decided and a faster one.
    fn is_outgrown_by(&self, model: &Model, prediction: &Prediction) -> bool {
        let class = model.growth.as_ref().and_then(|growth| growth.decided_class());
        let is_faster = prediction.cost > SMALLEST_PART * self.cost
            && model.is_sound()
            && class.is_some_and(|decided| decided.class > self.class);
        is_faster || prediction.ci.is_some_and(|ci| ci[0] > self.cost)
    }
}

/// The functions that certainly grow faster than the whole, the steepest first, and the rest; `None` where there are
/// none. What no longer runs at large sizes is no part, whatever its law at others.
fn parts(
    modeller: &Modeller,
    totals: &[u64],
    feature: usize,
    model: &Model,
    functions: &[Row],
) -> Option<Parts> {
    let column = &modeller.columns[feature];
    let at = column.furthest_usual?;
    let part = |costs: Vec<u64>| {
        let model = modeller.model_in(feature, &as_costs(&costs));
        model.prediction_at(at).is_some().then_some(Part { model, costs })
    };
    let mut left: Vec<(&Row, &Prediction)> = functions
        .iter()
        .filter(|row| column.runs_at_the_end(&row.costs))
        .filter_map(|row| Some((row, row.models[feature].prediction_at(at)?)))
        .collect();
    left.sort_by(|a, b| b.1.cost.total_cmp(&a.1.cost));
    let mut whole = Whole::new(model, at)?;
    let mut parts =
        Parts { feature: model.feature.clone(), functions: Vec::new(), files: Vec::new(), rows: Vec::new() };
    let mut rest = totals.to_vec();
    let mut of_rest = None;
    while parts.functions.len() < MOST_PARTS
        && let Some(place) = left.iter().position(|(row, p)| whole.is_outgrown_by(&row.models[feature], p))
    {
        let (row, _) = left.remove(place);
        parts.functions.push(row.name.clone());
        parts.files.push(row.file.clone());
        parts.rows.push(part(row.costs.clone())?);
        rest.iter_mut().zip(&row.costs).for_each(|(rest, cost)| *rest = rest.saturating_sub(*cost));
        of_rest = None;
        if rest.iter().all(|&cost| cost == 0) {
            break;
        }
        let next = part(rest.clone())?;
        whole = Whole::new(&next.model, at)?;
        of_rest = Some(next);
    }
    parts.rows.extend(of_rest);
    (!parts.rows.is_empty()).then_some(parts)
}

/// Puts the sum's predictions and curve in the place of the model's own, and says so.
fn describe(parts: &Parts, model: &mut Model) {
    let own = model.predictions.last().map_or_else(String::new, |last| last.from.clone());
    for prediction in &mut model.predictions {
        if let Some(sum) = sum(parts.rows.iter().map(|part| part.model.prediction_at(prediction.at).cloned()))
        {
            *prediction = sum;
        }
    }
    model.curve = curve(parts);
    let names = parts.functions.join(" and ");
    let verb = if parts.functions.len() > 1 { "grow" } else { "grows" };
    let message = format!(
        "{names} {verb} faster with {} than the model of the whole ({own}) has it; the whole is predicted as the sum of \
         {names} and of the rest",
        model.feature
    );
    model.warnings.push(Warning::new("parts", message));
}

/// The sum of parts' predictions at one size; `None` where one of them has none. Its interval goes from the sum of the
/// lower ends to that of the upper: it holds the sum whatever the errors of the parts have to do with each other.
pub(crate) fn sum(mut parts: impl Iterator<Item = Option<Prediction>>) -> Option<Prediction> {
    let mut sum = Prediction { from: SUM_OF_PARTS.to_owned(), ..parts.next()?? };
    for part in parts {
        let part = part?;
        sum.cost += part.cost;
        sum.ci = add(sum.ci, part.ci);
    }
    Some(sum)
}

/// Where all parts have a curve.
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

/// Names a function that is predicted to cost more than the whole all the same: not certainly, or further out.
fn doubt(total: &mut Model, column: &Column, functions: &[Row]) {
    let asked = total.predictions.iter().rev().find(|p| p.asked);
    let Some(last) = asked.or(total.predictions.last()).cloned() else { return };
    let cost_then = |row: &Row| {
        let model = row.models.iter().find(|m| m.feature == total.feature)?;
        Some(model.prediction_at(last.at)?.cost)
    };
    let running = functions.iter().filter(|row| column.runs_at_the_end(&row.costs));
    let costliest = running.filter_map(|row| Some((row, cost_then(row)?)));
    if let Some((row, cost)) = costliest.max_by(|a, b| a.1.total_cmp(&b.1))
        && cost > last.cost
    {
        let message = format!(
            "{} alone is predicted to cost more at {} = {}: the whole is a sum of trends that its model \
             ({}) falls behind; believe the parts",
            row.name, total.feature, last.at, last.from
        );
        total.warnings.push(Warning::new("outgrown", message));
    }
}

#[cfg(test)]
mod tests;
