//! Fits the models of one row of costs, one per feature.

use std::sync::Arc;

use rayon::prelude::*;
use trend_answer::Source;
use trend_model::{
    Growth, Interval, Law, LineIntervals, Linear, PowerLaw, diagnose, diagnose_scatter, growth_of_averages,
    sample_standard_deviation,
};
use trend_profile::{FeatureId, Study};

use super::better;
use super::bounding::bounds;
use super::column::{Column, Fitted, FittedIntervals, column, column_of, sizes, span};
use super::model_doubts::{doubts, no_law, runs_until};
use crate::findings::doubt::{Doubt, Unfit};
use crate::findings::growth::{GrowthModel, TOO_SPREAD};
use crate::findings::model::{CurvePoint, LinearModel, Model, PowerLawModel, Prediction};
use crate::options::Options;
use crate::study::point::Point;

/// Number of rows that are resampled together. It is large enough that the weights of all resamples are read rarely,
/// and small enough that the result stays in the cache.
const CHUNK: usize = 64;

/// Maximum number of points from which a growth class is found in passing: as many as most studies have workloads. With
/// more points, fewer classes would be named and intervals would be narrower.
pub(crate) const IN_PASSING: usize = 40;

/// Maximum number of points from which any growth class is found. A point takes some 25 µs, and a series can have a
/// million.
pub(crate) const IN_FULL: usize = 4096;

/// Number of features in which a row can get full attention: those that explain it best. With 24 features and 400
/// workloads, an analysis takes twice as long with verdicts from all workloads in every feature.
const MOST_IN_FULL: usize = 12;

/// R² of the power law in log cost below which no growth class is found in passing, if the scatter is large too …
const EXPLAINED_IN_PASSING: f64 = 0.5;

/// … with at least this standard deviation: the verdict would name nearly every class.
const SCATTER_IN_PASSING: f64 = 0.25;

/// Effort that a row is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Attention {
    /// Only power law and line.
    Little,
    /// Also a growth class if the feature matters for the cost, from at most [`IN_PASSING`] workloads.
    Passing,
    /// A growth class from all workloads, at most [`IN_FULL`], and a curve to draw.
    Full,
}

/// A row of costs, `[workloads]`, and the effort for it.
#[derive(Clone, Copy)]
struct FitRequest<'a> {
    costs: &'a [f64],
    /// The known variances of the logarithms of averages; empty if unknown.
    variances: &'a [f64],
    attention: Attention,
}

/// Fits costs to every feature of a study.
pub(crate) struct Modeller {
    pub(crate) columns: Vec<Column>,
    pub(crate) level: f64,
    growth: bool,
    keep_fits: bool,
    /// Positions of the features that the user wants in one model.
    pub(crate) joint: Vec<usize>,
    /// Positions of the features in which all rows get full attention if they get it in any.
    in_full: Vec<usize>,
}

/// Converts counts to the numbers that are fitted. Only here, costs stop being integers. Above 2^53, the last digits
/// are lost, a relative error of 1e-16.
pub(crate) fn as_costs(counts: &[u64]) -> Vec<f64> {
    counts.iter().map(|&c| c as f64).collect()
}

impl Modeller {
    pub(crate) fn new(study: &Study, options: &Options, points: &[Point]) -> Self {
        let features = (0..study.features().len() as u32).map(FeatureId);
        let columns = features.map(|feature| column(study, feature, options, points)).collect();
        let named = |name: &String| Some(study.feature_named(name)?.index());
        let mut joint: Vec<usize> = options.joint.iter().filter_map(named).collect();
        joint.sort_unstable();
        joint.dedup();
        let names =
            options.at.iter().map(|(name, _)| name).chain(&options.joint).chain(&options.full_features);
        let in_full = names.filter_map(named).collect();
        Self { joint, in_full, ..Self::with_columns(columns, options) }
    }

    /// Builds a modeller for costs that are observed at sizes of their own, and not in workloads. Each variable has a
    /// size for every observation.
    pub(crate) fn by_size(variables: Vec<(&str, Vec<f64>)>, options: &Options) -> Self {
        let column = |(position, (name, sizes)): (u32, (&str, Vec<f64>))| {
            let observations = sizes.len();
            let sizes = ((0..observations).collect(), sizes);
            column_of((FeatureId(position), name), sizes, observations, options, &[])
        };
        Self::with_columns((0..).zip(variables).map(column).collect(), options)
    }

    fn with_columns(columns: Vec<Column>, options: &Options) -> Self {
        let Options { level, growth, keep_fits, .. } = *options;
        Self { columns, level, growth, keep_fits, joint: Vec::new(), in_full: Vec::new() }
    }

    /// Fits one model per feature, in declared order. `costs` is `[workloads]`, see [`as_costs`].
    pub(crate) fn models(&self, costs: &[f64]) -> Vec<Model> {
        self.models_with(costs, Attention::Full)
    }

    /// Fits one model per feature with this attention.
    pub(crate) fn models_with(&self, costs: &[f64], attention: Attention) -> Vec<Model> {
        self.models_of_averages(costs, &[], attention)
    }

    /// Fits one model per feature to averages. `variances` is the known variance of the logarithm of each, or empty.
    pub(crate) fn models_of_averages(
        &self,
        costs: &[f64],
        variances: &[f64],
        attention: Attention,
    ) -> Vec<Model> {
        self.models_of_chunk(&[FitRequest { costs, variances, attention }]).pop().unwrap_or_default()
    }

    /// Fits one model per feature to each row of counts, in declared order.
    ///
    /// - Memory: O(rows·features) for the models, and the costs of a chunk of rows for each thread.
    pub(crate) fn models_of_rows(&self, rows: &[(&[u64], Attention)]) -> Vec<Vec<Model>> {
        let models = |rows: &[(&[u64], Attention)]| {
            let costs: Vec<Vec<f64>> = rows.iter().map(|row| as_costs(row.0)).collect();
            let requests = costs.iter().zip(rows).map(|(costs, &(_, attention))| FitRequest {
                costs,
                variances: &[],
                attention,
            });
            self.models_of_chunk(&requests.collect::<Vec<_>>())
        };
        rows.par_chunks(CHUNK).flat_map(models).collect()
    }

    /// Fits one model per feature to some of the workloads; `keep` is `[workloads]`. The others count as having no
    /// cost.
    pub(crate) fn models_of(&self, keep: &[bool], costs: &[f64]) -> Vec<Model> {
        (self.columns.iter()).map(|c| self.model_of_column(&c.restrict(keep, c.workloads), costs)).collect()
    }

    /// Fits the model in one feature to some of the workloads alone, with a growth class.
    pub(crate) fn model_of(&self, feature: usize, keep: &[bool], costs: &[f64]) -> Model {
        let count = keep.iter().filter(|keep| **keep).count();
        self.model_of_column(&self.columns[feature].restrict(keep, count), costs)
    }

    /// Fits the model in one feature, with its curve.
    pub(crate) fn model_in(&self, feature: usize, costs: &[f64]) -> Model {
        self.model_of_column(&self.columns[feature], costs)
    }

    fn model_of_column(&self, column: &Column, costs: &[f64]) -> Model {
        let attention = self.at_most(Attention::Full);
        let fitted = [column.fitted(costs)];
        let intervals = column.intervals(&fitted, attention == Attention::Full, self.level);
        Model { bounds: Vec::new(), ..self.model(column, &fitted[0], &intervals[0], attention) }
    }

    /// Limits the attention to [`Attention::Little`] if no growth classes are requested.
    fn at_most(&self, attention: Attention) -> Attention {
        if self.growth { attention } else { Attention::Little }
    }

    fn models_of_chunk(&self, rows: &[FitRequest<'_>]) -> Vec<Vec<Model>> {
        let with_curves = rows.iter().any(|row| self.at_most(row.attention) == Attention::Full);
        let fitted = |column: &Column| {
            let y: Vec<Fitted> =
                rows.iter().map(|row| column.fitted_averages(row.costs, row.variances)).collect();
            let intervals = column.intervals(&y, with_curves, self.level);
            (y, intervals)
        };
        let fitted: Vec<_> = self.columns.par_iter().map(fitted).collect();
        let models = |(i, row): (usize, &FitRequest<'_>)| {
            let attention = self.at_most(row.attention);
            let explained: Vec<f64> =
                fitted.iter().map(|(y, _)| y[i].law.as_ref().map_or(0.0, |law| law.r2)).collect();
            let columns = self.columns.iter().zip(&fitted).zip(self.attention_in(attention, &explained));
            let mut models: Vec<Model> = columns
                .map(|((c, (y, intervals)), attention)| self.model(c, &y[i], &intervals[i], attention))
                .collect();
            if attention == Attention::Full {
                better::name_better_feature(&mut models, &self.columns, row.costs);
            }
            models
        };
        rows.par_iter().enumerate().map(models).collect()
    }

    /// Returns the attention that a row gets in each feature. `explained` is the R² of its power law in each.
    fn attention_in(&self, attention: Attention, explained: &[f64]) -> Vec<Attention> {
        let mut all = vec![attention; explained.len()];
        if attention == Attention::Full && explained.len() > MOST_IN_FULL {
            let mut order: Vec<usize> = (0..explained.len()).collect();
            order.sort_by(|&i, &j| explained[j].total_cmp(&explained[i]).then(i.cmp(&j)));
            let others = order[MOST_IN_FULL..].iter().filter(|position| !self.in_full.contains(position));
            others.for_each(|&position| all[position] = Attention::Passing);
        }
        all
    }

    fn model(
        &self,
        column: &Column,
        fitted: &Fitted,
        intervals: &FittedIntervals,
        attention: Attention,
    ) -> Model {
        let y = fitted.costs.as_slice();
        let feature = || column.name.clone();
        let mut model = Model {
            id: column.id,
            feature: column.name.to_string(),
            source: None,
            power_law: None,
            linear: fitted.line.as_ref().ok().map(|line| linear(line, intervals)),
            growth: None,
            predictions: Vec::new(),
            curve: Vec::new(),
            fit: None,
            runs_until: None,
            split: None,
            next: None,
            bounds: Vec::new(),
            doubts: Vec::new(),
        };
        let fit = match &fitted.law {
            Ok(fit) => *fit,
            Err(error) => {
                model.doubts.push(no_law(error, column, y));
                return model;
            }
        };
        let (x, ascending) = (&column.ascending, &column.by_size(&fitted.costs));
        let variances = &column.by_size(&fitted.variances);
        let sizes = sizes(x, ascending);
        let is_passed_over = attention < Attention::Full && is_unexplained(&fit, &column.values, y);
        let growth = match attention {
            Attention::Little => None,
            Attention::Passing if is_passed_over => {
                model.doubts.push(Doubt::NoGrowth { feature: feature(), why: Unfit::NotWorthIt });
                None
            }
            Attention::Passing => Some(growth_of_averages(x, ascending, variances, IN_PASSING)),
            Attention::Full => Some(growth_of_averages(x, ascending, variances, IN_FULL)),
        };
        let verdict = growth.as_ref().and_then(|growth| growth.as_ref().ok());
        let explodes =
            verdict.is_some_and(|verdict| verdict.named().iter().all(|named| named.class.term().explodes()));
        model.doubts.extend(doubts(column, &fit, &sizes, explodes));
        model.runs_until = runs_until(x, ascending);
        model.doubts.extend(model.runs_until.map(|until| Doubt::EndsEarly { feature: feature(), until }));
        let well_known =
            fitted.weights.as_ref().map(|weights| well_known(x, ascending, &column.by_size(weights)));
        let (known_x, known_costs) = well_known.as_ref().map_or((x, ascending), |(x, costs)| (x, costs));
        let diagnosed = if is_passed_over {
            diagnose_scatter(known_x, known_costs, &fit).into_iter().collect()
        } else {
            diagnose(known_x, known_costs, &fit, verdict)
        };
        let diagnosed = diagnosed.into_iter();
        model.doubts.extend(diagnosed.map(|diagnosis| Doubt::Diagnosed {
            feature: feature(),
            diagnosis,
            better: None,
        }));
        model.power_law = Some(power_law(column, intervals, &fit, &sizes));
        let verdict = match growth {
            Some(Ok(growth)) => {
                let variable = if self.columns.len() > 1 { &*column.name } else { "n" };
                model.growth = Some(GrowthModel::new(&growth, &column.name, variable));
                model.fit = self.keep_fits.then(|| Arc::new(growth.clone()));
                Some(growth)
            }
            Some(Err(error)) => {
                model.doubts.push(Doubt::NoGrowth { feature: feature(), why: Unfit::from(&error) });
                None
            }
            None => None,
        };
        let law = ChosenLaw::new(verdict.as_ref(), &fit, intervals.power_law.as_ref(), self.level);
        model.source = Some(law.source);
        model.predictions = law.predictions(column);
        model.doubts.extend(law.beyond_reach(column));
        if attention == Attention::Full {
            model.curve = law.curve(column);
            model.bounds = bounds(x, ascending, verdict.as_ref());
        }
        if let Some(until) = model.runs_until {
            model.predictions.retain(|prediction| prediction.at <= until);
            model.curve.retain(|point| point.at <= until);
        }
        // There can be hundreds of thousands of models, and most have one doubt.
        model.doubts.shrink_to_fit();
        model
    }
}

/// The fitted law of a model, with its intervals.
pub(crate) struct ChosenLaw<'a> {
    pub(crate) source: Source,
    law: Law,
    verdict: Option<&'a Growth>,
    /// Intervals of the power law, at the sizes of the column.
    intervals: Option<&'a LineIntervals>,
    level: f64,
}

impl<'a> ChosenLaw<'a> {
    /// Chooses the verdict's classes. Without a verdict, it falls back to the power law. It does so too if runs of one
    /// size differ so much that the best class does not predict the cost of one.
    pub(crate) fn new(
        verdict: Option<&'a Growth>,
        fit: &PowerLaw,
        intervals: Option<&'a LineIntervals>,
        level: f64,
    ) -> Self {
        let verdict = verdict.filter(|verdict| verdict.best().spread < TOO_SPREAD);
        let (source, law) = match verdict {
            Some(verdict) if verdict.decided => (Source::Class, verdict.law()),
            Some(verdict) => (Source::Classes, verdict.law()),
            None => (Source::PowerLaw, Law::power(fit.a, fit.b)),
        };
        Self { source, law, verdict, intervals, level }
    }

    /// Returns the interval at a size, which is the `i`-th size of the power law's intervals.
    fn interval(&self, at: f64, cost: f64, i: usize) -> Option<[f64; 2]> {
        match self.verdict {
            Some(verdict) => around(verdict.predict_interval(at, self.level).ok()?, cost),
            None => self.intervals.map(|intervals| pair(intervals.predictions[i])),
        }
    }

    /// Returns the prediction at the `i`-th size of a column; `None` if the law predicts nothing there, or a cost too
    /// large for a number.
    pub(crate) fn prediction(&self, column: &Column, i: usize) -> Option<Prediction> {
        let (at, asked) = column.at[i];
        let cost = self.law.cost(&[at])?;
        Some(Prediction { at, cost, ci: self.interval(at, cost, i), source: self.source, asked })
    }

    fn predictions(&self, column: &Column) -> Vec<Prediction> {
        (0..column.at.len()).filter_map(|i| self.prediction(column, i)).collect()
    }

    /// Returns a doubt if the cost at the furthest size is too large for a number.
    fn beyond_reach(&self, column: &Column) -> Option<Doubt> {
        let &(at, _) = column.at.last()?;
        let best = self.verdict?.best();
        let is_beyond = self.law.cost(&[at]).is_none() && best.predict(at) == f64::INFINITY;
        is_beyond.then(|| Doubt::BeyondReach { feature: column.name.clone(), at, class: best.class })
    }

    fn curve(&self, column: &Column) -> Vec<CurvePoint> {
        let point = |(i, &at): (usize, &f64)| {
            let cost = self.law.cost(&[at])?;
            Some(CurvePoint { at, cost, ci: self.interval(at, cost, column.at.len() + i) })
        };
        column.curve.iter().enumerate().filter_map(point).collect()
    }
}

fn power_law(column: &Column, intervals: &FittedIntervals, fit: &PowerLaw, sizes: &[f64]) -> PowerLawModel {
    let intervals = intervals.power_law.as_ref();
    PowerLawModel {
        a: fit.a,
        a_ci: intervals.map(|i| pair(i.a)),
        b: fit.b,
        b_ci: intervals.map(|i| pair(i.b)),
        r2: fit.r2,
        points: fit.points,
        sizes: sizes.len(),
        span: span(sizes),
        ignored_zeros: fit.ignored_zeros + (column.workloads - column.present.len()),
    }
}

fn linear(fit: &Linear, intervals: &FittedIntervals) -> LinearModel {
    let intervals = intervals.linear.as_ref();
    LinearModel {
        a: fit.a,
        a_ci: intervals.map(|i| pair(i.a)),
        b: fit.b,
        b_ci: intervals.map(|i| pair(i.b)),
        r2: fit.r2,
    }
}

/// Widens an interval to include the cost: the interval belongs to an average over the models, and the best is only one
/// of them. `None` if an exponential among the models leaves it without an upper end.
fn around(interval: Interval, cost: f64) -> Option<[f64; 2]> {
    let has_ends = interval.lo.is_finite() && interval.hi.is_finite();
    has_ends.then(|| [interval.lo.min(cost), interval.hi.max(cost)])
}

/// Returns the points that weigh at least a quarter of the heaviest. The others are known to scatter, with a known
/// cause.
fn well_known(x: &[f64], costs: &[f64], weights: &[f64]) -> (Vec<f64>, Vec<f64>) {
    const LEAST_WEIGHT: f64 = 0.25;
    let largest = weights.iter().copied().fold(0.0, f64::max);
    let points = x.iter().zip(costs).zip(weights);
    points.filter(|(_, weight)| **weight >= LEAST_WEIGHT * largest).map(|((x, cost), _)| (*x, *cost)).unzip()
}

fn is_unexplained(fit: &PowerLaw, x: &[f64], y: &[f64]) -> bool {
    let residuals = || fit.residuals(x, y).into_iter().flatten().collect::<Vec<f64>>();
    fit.r2 < EXPLAINED_IN_PASSING && sample_standard_deviation(&residuals()) >= SCATTER_IN_PASSING
}

fn pair(interval: Interval) -> [f64; 2] {
    [interval.lo, interval.hi]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::Intervals;
    use crate::study::point::points;

    fn models(text: &str, options: &Options) -> Vec<Model> {
        let study = Study::from_text(text).unwrap();
        let modeller =
            Modeller::new(&study, options, &points(&study, &vec![0; study.workloads().len()], &options.at));
        modeller.models(&as_costs(&study.counts().row(trend_profile::LocationId(0)).to_vec()))
    }

    /// The model of a cost at the paper's ten sizes, three runs each.
    fn paper(cost: &dyn Fn(u64) -> u64, options: &Options) -> Model {
        let sizes = [60_u64, 200, 500, 1000, 2000, 4000, 8000, 15_000, 30_000, 60_000];
        let thrice = |f: &dyn Fn(u64) -> u64| {
            let row = sizes.iter().flat_map(|&n| [f(n); 3]).map(|v| v.to_string());
            row.collect::<Vec<_>>().join(" ")
        };
        models(&format!("n: {}\na.c:4:f: {}", thrice(&|n| n), thrice(cost)), options).swap_remove(0)
    }

    #[test]
    fn bubble_sorts_compares_are_a_square_and_predicted_exactly() {
        let compares = |n: u64| (3 * n * n - n) / 2;
        let model = paper(&compares, &Options::default());
        let fit = model.power_law.as_ref().unwrap();
        assert_eq!(format!("{:.6} {:.6}", fit.a, fit.b), "1.491842 2.000587");
        let at: Vec<f64> = model.predictions.iter().map(|p| p.at).collect();
        assert_eq!(at, [120_000.0, 600_000.0]);
        let growth = model.growth.as_ref().unwrap();
        assert_eq!((growth.verdict.as_str(), growth.decided, growth.superlinear), ("n^2", true, Some(true)));
        assert_eq!(growth.classes[0].formula, "1.5·n^2 − 0.5·n");
        let prediction = model.prediction_at(600_000.0).unwrap();
        let truth = compares(600_000) as f64;
        assert!((prediction.cost / truth - 1.0).abs() < 1e-6, "{prediction:?}");
        let [lo, hi] = prediction.ci.unwrap();
        assert!(lo <= truth * (1.0 + 1e-9) && truth * (1.0 - 1e-9) <= hi, "{prediction:?}");
        assert_eq!(prediction.source, Source::Class);
    }

    #[test]
    fn a_square_above_a_startup_cost_is_predicted_within_its_interval() {
        let cost = |n: u64| 500_000_000 + n * n;
        let prediction = paper(&cost, &Options::default()).prediction_at(600_000.0).unwrap().clone();
        let truth = cost(600_000) as f64;
        let [lo, hi] = prediction.ci.unwrap();
        assert!(lo <= truth * (1.0 + 1e-9) && truth * (1.0 - 1e-9) <= hi, "{prediction:?}");
        assert!((prediction.cost / truth - 1.0).abs() < 0.01, "{prediction:?}");
    }

    #[test]
    fn the_curve_is_of_the_law_that_predicts_with_its_interval() {
        let model = paper(&|n| 500_000_000 + n * n, &Options::default());
        let (first, last) = (model.curve[0], model.curve[23]);
        assert_eq!((first.at, last.at, model.curve.len()), (60.0, 600_000.0, 24));
        let prediction = model.prediction_at(600_000.0).unwrap();
        assert_eq!((last.cost, last.ci), (prediction.cost, prediction.ci));
        assert!((first.cost / 500_003_600.0 - 1.0).abs() < 0.01, "{first:?}");
        let holds = |p: &CurvePoint| p.ci.is_some_and(|[lo, hi]| lo <= p.cost && p.cost <= hi);
        assert!(model.curve.iter().all(holds), "{:?}", model.curve);
        // Three sizes are too few for a class.
        let model = &models("n: 1 5 10\na.c:1:f: 3 15 31", &Options::default())[0];
        let law = model.power_law.as_ref().unwrap();
        assert_eq!(model.curve.len(), 24);
        assert!(model.curve.iter().all(|p| (p.cost / law.predict(p.at) - 1.0).abs() < 1e-9 && holds(p)));
    }

    #[test]
    fn a_curve_reaches_as_far_as_it_is_asked_to_and_ends_before_it_overflows() {
        let far = |reach: f64| paper(&|n| n * n, &Options { reach, ..Options::default() }).curve;
        let (usual, further) = (far(10.0), far(1e6));
        assert_eq!(usual[..], further[..24]);
        assert_eq!((further.len(), further[33].at), (34, 60_000.0 * 1e6));
        assert!(further[23..].windows(2).all(|w| (w[1].at / w[0].at).log10() < 0.51));
        assert!((further[33].cost / 3.6e21 - 1.0).abs() < 1e-6 && further[33].ci.is_some());
        let endless = far(1e250);
        assert!(endless.len() < 400 && endless.iter().all(|p| p.cost.is_finite()));
        assert_eq!(far(f64::INFINITY).len(), 24);
    }

    #[test]
    fn what_an_exponential_makes_too_large_for_a_number_is_not_predicted() {
        let sizes: Vec<u64> = (40..=75).collect();
        let row = |f: &dyn Fn(u64) -> f64| {
            sizes.iter().map(|&n| f(n).round().to_string()).collect::<Vec<_>>().join(" ")
        };
        let text =
            format!("n: {}\na.c:1:f: {}", row(&|n| n as f64), row(&|n| 9.0 * 3f64.powf((n - 40) as f64)));
        let model = &models(&text, &Options::default())[0];
        let growth = model.growth.as_ref().unwrap();
        assert_eq!((growth.verdict.as_str(), growth.superlinear), ("3^n", Some(true)));
        let at: Vec<f64> = model.predictions.iter().map(|p| p.at).collect();
        assert_eq!((at.as_slice(), model.predict(750.0)), (&[148.0][..], None));
        assert!(model.doubts.iter().any(|w| w.kind() == "beyond_reach"), "{:?}", model.doubts);
        assert_eq!(model.law().unwrap().parts[0].1.sums[0].class.unwrap().to_string(), "3^n");
        let is_finite = |p: &CurvePoint| [p.cost].iter().chain(p.ci.iter().flatten()).all(|v| v.is_finite());
        assert!(!model.curve.is_empty() && model.curve.iter().all(is_finite), "{:?}", model.curve);
    }

    #[test]
    fn too_few_sizes_have_no_growth_class_and_predict_by_the_power_law() {
        let model = &models("n: 1 5 10\na.c:1:f: 3 15 30", &Options::default())[0];
        assert!(model.growth.is_none() && !model.is_sound());
        assert!(model.doubts.iter().any(|w| w.kind() == "no_growth"), "{:?}", model.doubts);
        assert!(model.predictions.iter().all(|p| p.source == Source::PowerLaw));
    }

    #[test]
    fn a_cheap_row_has_a_class_of_some_of_the_workloads_with_repeated_sizes() {
        let wobble = |i: u64| 1.0 + ((i * 7919) % 101) as f64 / 100.0;
        let n: Vec<f64> = (0..300).map(|i| 100.0 * 1.4f64.powi(i % 10).round()).collect();
        let costs: Vec<f64> = (0_u64..).zip(&n).map(|(i, n)| (n * n * wobble(i)).round()).collect();
        let text = |v: &[f64]| v.iter().map(f64::to_string).collect::<Vec<_>>().join(" ");
        let study = Study::from_text(&format!("n: {}\na.c:1:f: {}", text(&n), text(&costs))).unwrap();
        let modeller = Modeller::new(&study, &Options::default(), &[]);
        let model_with = |attention| {
            let requests = [FitRequest { costs: &costs, variances: &[], attention }];
            modeller.models_of_chunk(&requests).remove(0).remove(0)
        };
        let (full, passing) = (model_with(Attention::Full), model_with(Attention::Passing));
        assert_eq!((full.growth.unwrap().points, passing.growth.unwrap().points), (300, IN_PASSING));
        // At each size, the costs in the middle were chosen, neither the least nor the greatest.
        let ratio = passing.predictions[0].cost / full.predictions[0].cost;
        assert!((0.8..1.25).contains(&ratio), "{ratio}");
        assert!(passing.curve.is_empty() && model_with(Attention::Little).growth.is_none());
    }

    #[test]
    fn a_costly_row_gets_full_attention_in_the_features_that_explain_it_best_and_in_named_ones() {
        // Each feature is n with more noise than the one before.
        let noise = |i: usize, f: usize| 1.0 + f as f64 * ((i * 7919 + f * 104_729) % 101) as f64 / 200.0;
        let n = |i: usize| 10.0 * 1.1_f64.powi(i as i32);
        let row = |value: &dyn Fn(usize) -> f64| {
            (0..60).map(|i| value(i).round().to_string()).collect::<Vec<_>>().join(" ")
        };
        let features = (0..16).map(|f| format!("f{f}: {}\n", row(&|i| n(i) * noise(i, f))));
        let text = format!("{}a.c:1:f: {}", features.collect::<String>(), row(&|i| 5.0 * n(i)));
        let points = |options: &Options| -> Vec<usize> {
            models(&text, options).iter().map(|model| model.growth.as_ref().map_or(0, |g| g.points)).collect()
        };
        let usual = points(&Options::default());
        assert_eq!(usual[..MOST_IN_FULL], [60; MOST_IN_FULL]);
        assert!(usual[MOST_IN_FULL..].iter().all(|points| *points <= IN_PASSING), "{usual:?}");
        let named = points(&Options { full_features: vec!["f15".to_owned()], ..Options::default() });
        assert_eq!((&named[..15], named[15]), (&usual[..15], 60));
    }

    #[test]
    fn the_papers_intervals_are_there_when_asked_for() {
        let text = "n: 100 200 400 800 1600 3200\na.c:1:f: 110 190 420 790 1650 3100";
        let options = Options { intervals: Intervals::Percentile, ..Options::default() };
        let [robust, percentile] = [Options::default(), options].map(|options| {
            let model = models(text, &options).swap_remove(0);
            let ci = model.power_law.unwrap().b_ci.unwrap();
            (ci[1] - ci[0], model.doubts.iter().any(|w| w.to_string().contains("too narrow")))
        });
        assert!(robust.0 > percentile.0 && !robust.1 && percentile.1, "{robust:?} {percentile:?}");
    }

    #[test]
    fn a_workload_without_the_feature_is_left_out_and_counted() {
        let text = "n: 1 10 - 1000\na.c:1:f: 5 50 123456 5000";
        let fit = models(text, &Options::default())[0].power_law.clone().unwrap();
        assert!((fit.a - 5.0).abs() < 1e-9 && (fit.b - 1.0).abs() < 1e-12, "{fit:?}");
        assert_eq!((fit.points, fit.ignored_zeros), (3, 1));
    }

    #[test]
    fn a_size_that_is_asked_for_is_predicted_beside_the_usual_ones() {
        let options =
            Options { at: vec![("n".to_owned(), 50.0), ("n".to_owned(), 20.0)], ..Options::default() };
        let model = &models("n: 1 5 10\na.c:1:f: 3 15 30", &options)[0];
        let at: Vec<_> = model.predictions.iter().map(|p| (p.at, p.asked)).collect();
        assert_eq!(at, [(20.0, true), (50.0, true), (100.0, false)]);
        assert!((model.prediction_at(50.0).unwrap().cost - 150.0).abs() < 1e-9);
    }

    #[test]
    fn what_cannot_be_fitted_is_absent_and_says_why() {
        for (text, reason) in [
            ("n: 5 5 5\na.c:1:f: 1 2 3", "only one value"),
            ("n: 1 2 3\na.c:1:f: 0 0 3", "1 workloads with a positive cost"),
            ("n: 0 -2 -3\na.c:1:f: 1 2 3", "0 workloads"),
            ("n: 1 2 3\na.c:1:f: 0 0 0", "never executed"),
        ] {
            let model = &models(text, &Options::default())[0];
            assert_eq!(model.power_law, None);
            assert!(model.doubts[0].to_string().contains(reason), "{:?}", model.doubts);
        }
    }
}
