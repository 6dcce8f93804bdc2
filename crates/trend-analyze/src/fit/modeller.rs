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

/// Minimum R² of the power law in log cost for a growth class in passing, if the scatter is at least
/// [`SCATTER_IN_PASSING`]. Below it, the verdict would name nearly every class.
const EXPLAINED_IN_PASSING: f64 = 0.5;

/// Standard deviation of log cost at which a growth class in passing requires an R² of [`EXPLAINED_IN_PASSING`].
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

    /// Builds a modeller for costs that are observed at sizes, and not in workloads. Each variable has a
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
    /// Chooses the classes of the verdict. Falls back to the power law without a verdict, or if runs of one size
    /// differ so much that the best class does not predict the cost of one.
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
mod tests;
