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
use crate::{CurvePoint, Model, Parts, Prediction, Row, SUM_OF_PARTS};

/// Parts that are told apart from the rest: each is steeper than all that is left.
const MOST_PARTS: usize = 8;

/// Share of the whole that a part has to take at the furthest size where predictions are made.
const SMALLEST_PART: f64 = 0.02;

/// The total's models, with predictions and curves that are sums where the models are outgrown, and what they are sums
/// of. `totals` is `[workloads]`, `models` one per feature.
pub(crate) fn whole(
    modeller: &Modeller,
    totals: &[u64],
    models: &[Model],
    functions: &[Row],
) -> (Vec<Model>, Vec<Parts>) {
    let mut all = Vec::new();
    let models = models.iter().enumerate().map(|(feature, model)| {
        let mut whole = model.clone();
        if let Some(parts) = parts_of_model(modeller, totals, feature, model, functions) {
            parts.describe(&mut whole);
            all.push(Parts { feature: model.feature.clone(), functions: parts.names() });
        }
        doubt(&mut whole, &modeller.columns[feature], functions);
        whole
    });
    (models.collect(), all)
}

fn parts_of_model(
    modeller: &Modeller,
    totals: &[u64],
    feature: usize,
    whole: &Model,
    functions: &[Row],
) -> Option<Sum> {
    let at = modeller.columns[feature].at.last()?.0;
    let then = functions.iter().map(|f| (f, f.models[feature].prediction_at(at)));
    let whole = Whole::new(whole, whole.prediction_at(at)?);
    Sum::new(modeller, totals, feature, whole, &then.collect::<Vec<_>>())
}

/// What a model of the whole, or of what is left of it, says at the furthest size where predictions are made.
pub(crate) struct Whole {
    cost: f64,
    /// By which it grows there.
    class: GrowthClass,
}

impl Whole {
    pub(crate) fn new(model: &Model, prediction: &Prediction) -> Self {
        let best = model.growth.as_ref().and_then(|growth| Some(growth.best()?.class));
        let exponent = model.power_law.as_ref().map_or(0.0, |law| law.b);
        let class = best.filter(|class| class.to_string() == prediction.from);
        Self { cost: prediction.cost, class: class.unwrap_or_else(|| GrowthClass::free(exponent, false)) }
    }
}

/// Parts of the program that the whole is the sum of, each with its model in one feature.
pub(crate) struct Sum {
    functions: Vec<(String, Model)>,
    /// Of all else; `None` where nothing is left.
    rest: Option<Model>,
}

impl Sum {
    /// The functions that certainly grow faster than `whole`; `None` where there are none. `functions` are with their
    /// predictions at the furthest size where some are made.
    pub(crate) fn new(
        modeller: &Modeller,
        totals: &[u64],
        feature: usize,
        mut whole: Whole,
        functions: &[(&Row, Option<&Prediction>)],
    ) -> Option<Self> {
        let column = &modeller.columns[feature];
        let at = column.at.last()?.0;
        let model = |costs: &[u64]| {
            let model = modeller.models(&as_costs(costs)).swap_remove(feature);
            model.prediction_at(at).is_some().then_some(model)
        };
        let mut parts = Self { functions: Vec::new(), rest: None };
        let mut left = totals.to_vec();
        while parts.functions.len() < MOST_PARTS
            && let Some(row) = parts.outgrowing(functions, (feature, column), &whole)
        {
            parts.functions.push((row.name.clone(), model(&row.costs)?));
            left.iter_mut().zip(&row.costs).for_each(|(left, cost)| *left = left.saturating_sub(*cost));
            if left.iter().all(|&cost| cost == 0) {
                parts.rest = None;
                break;
            }
            let rest = model(&left)?;
            whole = Whole::new(&rest, rest.prediction_at(at)?);
            parts.rest = Some(rest);
        }
        (!parts.functions.is_empty()).then_some(parts)
    }

    /// The function with the greatest prediction of those that outgrow the whole: the interval is above it, or the class
    /// is decided and a faster one. What no longer runs at the largest size is none of them, whatever its law at others.
    fn outgrowing<'a>(
        &self,
        functions: &[(&'a Row, Option<&Prediction>)],
        (feature, column): (usize, &Column),
        whole: &Whole,
    ) -> Option<&'a Row> {
        let is_faster = |row: &Row, prediction: &Prediction| {
            let model = &row.models[feature];
            let class = model.growth.as_ref().and_then(|growth| growth.decided_class());
            prediction.cost > SMALLEST_PART * whole.cost
                && model.is_sound()
                && class.is_some_and(|decided| decided.class > whole.class)
        };
        let outgrows = |&(row, prediction): &(&Row, &Prediction)| {
            prediction.ci.is_some_and(|ci| ci[0] > whole.cost) || is_faster(row, prediction)
        };
        let is_part = |row: &Row| self.functions.iter().any(|(name, _)| *name == row.name);
        let left = functions.iter().filter(|(row, _)| !is_part(row) && column.runs_at_the_end(&row.costs));
        let outgrowing = left.filter_map(|&(row, then)| Some((row, then?))).filter(outgrows);
        outgrowing.max_by(|a, b| a.1.cost.total_cmp(&b.1.cost)).map(|(row, _)| row)
    }

    fn models(&self) -> impl Iterator<Item = &Model> {
        self.functions.iter().map(|(_, model)| model).chain(&self.rest)
    }

    /// The sum's prediction at a size where predictions are made. Its interval goes from the sum of the lower ends to that
    /// of the upper: it holds the sum whatever the errors of the parts have to do with each other.
    pub(crate) fn prediction(&self, at: f64) -> Option<Prediction> {
        let mut parts = self.models().map(|model| model.prediction_at(at));
        let first = parts.next()??.clone();
        let mut sum = Prediction { from: SUM_OF_PARTS.to_owned(), ..first };
        for part in parts {
            let part = part?;
            sum.cost += part.cost;
            sum.ci = add(sum.ci, part.ci);
        }
        Some(sum)
    }

    /// Where all parts have a curve.
    fn curve(&self) -> Vec<CurvePoint> {
        let models: Vec<&Model> = self.models().collect();
        let Some((first, others)) = models.split_first() else { return Vec::new() };
        let at = |curve: &[CurvePoint], at: f64| {
            let place = curve.binary_search_by(|point| point.at.total_cmp(&at)).ok()?;
            Some(curve[place])
        };
        let point = |&point: &CurvePoint| {
            others.iter().try_fold(point, |sum, part| {
                let other = at(&part.curve, point.at)?;
                Some(CurvePoint { at: sum.at, cost: sum.cost + other.cost, ci: add(sum.ci, other.ci) })
            })
        };
        first.curve.iter().filter_map(point).collect()
    }

    fn names(&self) -> Vec<String> {
        self.functions.iter().map(|(name, _)| name.clone()).collect()
    }

    /// Puts the sum's predictions in the place of the model's own, and says so.
    fn describe(&self, model: &mut Model) {
        let own = model.predictions.last().map_or_else(String::new, |last| last.from.clone());
        for prediction in &mut model.predictions {
            if let Some(sum) = self.prediction(prediction.at) {
                *prediction = sum;
            }
        }
        model.curve = self.curve();
        let names = self.names().join(" and ");
        let verb = if self.functions.len() > 1 { "grow" } else { "grows" };
        let message = format!(
            "{names} {verb} faster with {} than the model of the whole ({own}) has it; the whole is predicted as the sum \
             of {names} and of the rest",
            model.feature
        );
        model.warnings.push(Warning::new("parts", message));
    }
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
mod tests {
    use trend_profile::Study;

    use super::*;
    use crate::{Findings, Options, analyze, predict};

    /// A line that scatters by a tenth, and a square that is a fiftieth of it in the largest run.
    fn study() -> Study {
        let sizes: Vec<u64> = (0..20).map(|i| (1000.0 * 1.6_f64.powi(i)).round() as u64).collect();
        let mut factor = noise();
        let row = |f: &mut dyn FnMut(u64) -> u64| {
            sizes.iter().map(|&n| f(n).to_string()).collect::<Vec<_>>().join(" ")
        };
        let largest = sizes[19] as f64;
        let line = row(&mut |n| (1000.0 * n as f64 * factor()) as u64);
        let square = row(&mut |n| (20.0 * (n as f64).powi(2) / largest) as u64);
        Study::from_text(&format!("n: {}\na.c:1:line: {line}\na.c:9:square: {square}", row(&mut |n| n)))
            .unwrap()
    }

    /// Factors from 0.9 to 1.1, the same ever again (Lehmer's generator, with the multiplier of Park and Miller).
    fn noise() -> impl FnMut() -> f64 {
        let mut state = 7_u64;
        move || {
            state = state * 48_271 % 2_147_483_647;
            0.9 + 0.2 * state as f64 / 2_147_483_647.0
        }
    }

    fn analyzed(at: f64) -> (Study, Options, Findings) {
        let study = study();
        let options = Options { at: vec![("n".to_owned(), at)], keep_fits: true, ..Options::default() };
        let findings = analyze(&study, &options).unwrap();
        (study, options, findings)
    }

    #[test]
    fn the_whole_is_never_less_than_a_part_that_outgrows_it() {
        let largest = 1000.0 * 1.6_f64.powi(19);
        let (study, options, findings) = analyzed(1000.0 * largest);
        let model = &findings.total.models[0];
        assert_eq!(findings.total.parts[0].functions, ["square"]);
        assert!(model.warnings.iter().any(|w| w.kind == "parts"), "{:?}", model.warnings);
        let truth = |n: f64| 1000.0 * n + 20.0 * n * n / largest;
        for prediction in &model.predictions {
            let [lo, hi] = prediction.ci.unwrap();
            let truth = truth(prediction.at);
            assert!(lo < truth && truth < hi && prediction.from == SUM_OF_PARTS, "{truth}: {prediction:?}");
            assert!((prediction.cost / truth - 1.0).abs() < 0.1, "{truth}: {prediction:?}");
        }
        let point = model.curve.last().unwrap();
        assert!((point.cost / truth(point.at) - 1.0).abs() < 0.1, "{point:?}");
        assert!(model.warnings.iter().all(|w| w.kind != "outgrown"));

        let afterwards = predict(&study, &findings, &options, "n", 1000.0 * largest).unwrap();
        assert_eq!(afterwards.total.as_ref(), model.predictions.last());
    }

    #[test]
    fn a_part_that_may_outgrow_the_whole_is_named() {
        // Of three sizes that scatter nothing is certain.
        let text = "n: 100 1000 3000\na.c:1:line: 500000 5000000 15000000\na.c:9:square: 5000 390000 5100000";
        let findings = analyze(&Study::from_text(text).unwrap(), &Options::default()).unwrap();
        let model = &findings.total.models[0];
        assert!(findings.total.parts.is_empty());
        let warning = &model.warnings.iter().find(|w| w.kind == "outgrown").unwrap();
        assert!(warning.message.starts_with("square alone"), "{}", warning.message);
    }

    #[test]
    fn a_part_that_no_longer_runs_at_large_sizes_is_none() {
        let sizes: Vec<u64> = (0..12).map(|i| 1000 << i).collect();
        let row =
            |f: &dyn Fn(u64) -> u64| sizes.iter().map(|&n| f(n).to_string()).collect::<Vec<_>>().join(" ");
        let ends = row(&|n| if n < 300_000 { n * n / 1000 } else { 0 });
        let text =
            format!("n: {}\na.c:1:line: {}\na.c:9:ends: {ends}", row(&|n| n), row(&|n| 100 * n + 5000));
        let findings = analyze(&Study::from_text(&text).unwrap(), &Options::default()).unwrap();
        assert!(findings.total.parts.is_empty(), "{:?}", findings.total.parts);
        assert!(findings.total.models[0].warnings.iter().all(|w| w.kind != "outgrown"));
        let [.., last] = &findings.total.models[0].predictions[..] else { panic!() };
        assert!(last.cost < 2.0 * (100.0 * last.at + 5000.0), "{last:?}");
    }
}
