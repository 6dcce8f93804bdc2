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

use crate::column::Column;
use crate::doubt::Doubt;
use crate::modeller::{Modeller, as_costs};
use crate::{Cluster, CurvePoint, Model, Outlook, Part, Parts, Prediction, Row, Source};

mod widening;

pub(crate) use widening::Widening;

/// Functions that are told apart from the rest: each is steeper than all that is left.
const MOST_PARTS: usize = 8;

/// Share that a part has to take of the whole, or of what is left of it, at the furthest size that is predicted of
/// every study.
const SMALLEST_PART: f64 = 0.02;

/// The total's models, with predictions and curves that are sums where the models are outgrown, that are at least what any
/// part costs, and intervals that hold what was measured and what a part may do; and what they are sums of. `totals` is
/// `[workloads]`, `models` one per feature.
pub(crate) fn whole(
    modeller: &Modeller,
    totals: &[u64],
    models: &[Model],
    rows: &Rows<'_>,
) -> (Vec<Model>, Vec<Parts>) {
    let mut all: Vec<Parts> = Vec::new();
    let models = models.iter().enumerate().map(|(feature, model)| {
        let mut whole = model.clone();
        let parts = parts(modeller, totals, feature, model, rows.functions);
        if let Some(parts) = &parts {
            describe(parts, &mut whole);
        }
        let column = &modeller.columns[feature];
        let widening = Widening::new(column, totals, model, parts.as_ref(), (rows.functions, rows.clusters));
        let before = whole.predictions.clone();
        for prediction in &mut whole.predictions {
            let at = prediction.at;
            widening.widen(prediction, |part, _| part.prediction_at(at)?.ci);
        }
        widening.widen_curve(&mut whole.curve);
        let outgrown = raise(&mut whole, column, rows);
        whole.doubts.extend(widening.doubts(&column.name, &before).into_iter().chain(outgrown));
        all.extend(parts);
        whole
    });
    (models.collect(), all)
}

/// Rows that are parts of the whole.
pub(crate) struct Rows<'a> {
    pub(crate) clusters: &'a [Cluster],
    pub(crate) functions: &'a [Row],
    pub(crate) lines: &'a [Row],
    pub(crate) blocks: &'a [Row],
}

impl<'a> Rows<'a> {
    /// What each costs at the `point`-th point.
    pub(crate) fn outlooks(&self, point: usize) -> impl Iterator<Item = Option<Outlook>> {
        let rows = [self.functions, self.lines, self.blocks].into_iter().flatten().map(|row| &row.outlooks);
        let clusters = self.clusters.iter().map(|cluster| &cluster.outlooks);
        clusters.chain(rows).map(move |outlooks| outlooks.get(point).copied().flatten())
    }

    /// Names, models and costs of all that still run at the largest sizes of a feature.
    fn running(&self, column: &'a Column) -> impl Iterator<Item = (&'a str, &'a [Model])> {
        let clusters =
            self.clusters.iter().map(|c| (c.title.as_str(), c.models.as_slice(), c.costs.as_slice()));
        let rows = [self.functions, self.lines, self.blocks].into_iter().flatten();
        let rows = rows.map(|row| (row.name.as_str(), row.models.as_slice(), row.costs.as_slice()));
        let all = clusters.chain(rows).filter(|(_, _, costs)| column.runs_at_the_end(costs));
        all.map(|(name, models, _)| (name, models))
    }
}

/// Raises the whole's predictions and curve to the greatest that a part has: a part costs at most what the whole does.
/// Returns what there is to say about the furthest prediction that somebody asked for, or else about the last.
fn raise(whole: &mut Model, column: &Column, rows: &Rows<'_>) -> Option<Doubt> {
    let asked = whole.predictions.iter().rposition(|p| p.asked).or(whole.predictions.len().checked_sub(1));
    let mut outgrown = None;
    for (name, models) in rows.running(column) {
        let model = &models[column.id.index()];
        for (i, prediction) in whole.predictions.iter_mut().enumerate() {
            let is_raised = model.prediction_at(prediction.at).is_some_and(|part| raise_to(prediction, part));
            if is_raised && Some(i) == asked {
                let feature = column.name.clone();
                outgrown = Some(Doubt::Outgrown { feature, at: prediction.at, part: name.to_owned() });
            }
        }
        for point in &mut whole.curve {
            let place = model.curve.binary_search_by(|part| part.at.total_cmp(&point.at));
            if let Some(part) = place.ok().map(|i| model.curve[i]).filter(|part| part.cost > point.cost) {
                point.cost = part.cost;
                point.ci = point.ci.zip(part.ci).map(|(a, b)| [a[0].min(b[0]), a[1].max(b[1])]);
            }
        }
    }
    outgrown
}

/// Raises a prediction of the whole to that of a part, where that is greater, and says whether it was.
fn raise_to(whole: &mut Prediction, part: &Prediction) -> bool {
    let is_greater = part.cost > whole.cost;
    if is_greater {
        whole.cost = part.cost;
        whole.ci = whole.ci.zip(part.ci).map(|(a, b)| [a[0].min(b[0]), a[1].max(b[1])]);
        whole.source = Source::LargestPart;
    }
    is_greater
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
        let class = best.filter(|_| matches!(prediction.source, Source::Class | Source::Classes));
        Some(Self {
            cost: prediction.cost,
            class: class.unwrap_or_else(|| GrowthClass::free(exponent, false)),
        })
    }

    /// Whether a function outgrows it: it is predicted to cost more, or its class is decided and a faster one.
    fn is_outgrown_by(&self, model: &Model, prediction: &Prediction) -> bool {
        let class = model.growth.as_ref().and_then(|growth| growth.decided_class());
        let is_faster = prediction.cost > SMALLEST_PART * self.cost
            && model.is_sound()
            && class.is_some_and(|decided| decided.class > self.class);
        is_faster || prediction.cost > self.cost
    }
}

/// The functions that grow faster than the whole, the steepest first, and the rest; `None` where there are
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
    let mut parts = Parts {
        id: model.id,
        feature: model.feature.clone(),
        functions: Vec::new(),
        files: Vec::new(),
        rows: Vec::new(),
    };
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
    // Where a part says nothing, neither does the sum: a law is one at all sizes.
    let at = model.predictions.iter().map(|prediction| prediction.at);
    let of_part = |at: f64| parts.rows.iter().map(move |part| part.model.prediction_at(at).cloned());
    model.predictions = at.filter_map(|at| sum(of_part(at))).collect();
    model.curve = curve(parts);
    model.source = Some(Source::SumOfParts);
    model.doubts.push(Doubt::SumOfParts {
        feature: model.feature.as_str().into(),
        functions: parts.functions.clone(),
    });
}

/// The sum of parts' predictions at one size; `None` where one of them has none. Its interval goes from the sum of the
/// lower ends to that of the upper: it holds the sum whatever the errors of the parts have to do with each other.
pub(crate) fn sum(mut parts: impl Iterator<Item = Option<Prediction>>) -> Option<Prediction> {
    let mut sum = Prediction { source: Source::SumOfParts, ..parts.next()?? };
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

#[cfg(test)]
mod tests;
