//! Models of one row of costs, one per feature.

use trend_model::{
    Diagnosis, FitError, Growth, Interval, Linear, Method, PowerLaw, Resamples, diagnose, growth,
    linear_intervals_by, nearest_rank, power_law_intervals_by,
};
use trend_profile::{FeatureId, Study, Warning};

use crate::growth::{TOO_SPREAD, no_growth};
use crate::{GrowthModel, Intervals, LinearModel, Model, Options, PowerLawModel, Prediction};

/// Sizes that are always predicted, as multiples of the feature's 95th percentile.
const MULTIPLES_OF_P95: [f64; 2] = [2.0, 10.0];

/// Below this many points an interval of the percentile bootstrap is known to be too narrow, and hardly a doubt
/// about a model shows.
pub(crate) const FEW_POINTS: usize = 10;

/// A feature that spans less than this factor says little about growth: over a third of a decade a
/// log factor cannot be told from 10 % of noise.
pub(crate) const NARROW_RANGE: f64 = 10.0;

/// One feature, ready to be fitted.
struct Column {
    name: String,
    /// The workloads that have a value.
    present: Vec<usize>,
    /// Their values.
    values: Vec<f64>,
    /// Drawn over the present workloads, for intervals that need them.
    resamples: Option<Resamples>,
    /// Where predictions are made, ascending, and whether somebody asked for it.
    at: Vec<(f64, bool)>,
    workloads: usize,
}

impl Column {
    /// How intervals are made.
    fn method(&self) -> Method<'_> {
        self.resamples.as_ref().map_or(Method::Robust, Method::Percentile)
    }
}

/// Fits costs to every feature of a study.
pub(crate) struct Modeller {
    columns: Vec<Column>,
    level: f64,
}

impl Modeller {
    pub(crate) fn new(study: &Study, options: &Options) -> Self {
        let columns =
            (0..study.features().len() as u32).map(|f| column(study, FeatureId(f), options)).collect();
        Self { columns, level: options.level }
    }

    /// One model per feature, in declared order; with growth classes where `with_growth`. `costs` is `[workloads]`.
    pub(crate) fn models(&self, costs: &[u64], with_growth: bool) -> Vec<Model> {
        // The one place where costs leave the integers: above 2^53 the last digits go, which is a
        // relative error of 1e-16.
        let costs: Vec<f64> = costs.iter().map(|&c| c as f64).collect();
        self.columns.iter().map(|c| self.model(c, &costs, with_growth)).collect()
    }

    fn model(&self, column: &Column, costs: &[f64], with_growth: bool) -> Model {
        let y: Vec<f64> = column.present.iter().map(|&i| costs[i]).collect();
        let mut model = Model {
            feature: column.name.clone(),
            power_law: None,
            linear: self.linear(column, &y),
            growth: None,
            predictions: Vec::new(),
            split: None,
            next: None,
            warnings: Vec::new(),
        };
        let fit = match PowerLaw::fit(&column.values, &y) {
            Ok(fit) => fit,
            Err(error) => {
                model.warnings.push(no_model(&error, column, &y));
                return model;
            }
        };
        let sizes = sizes(column, &y);
        model.warnings.extend(doubts(column, &y, &fit, &sizes));
        (model.power_law, model.predictions) = self.power_law(column, &y, &fit, &sizes);
        if with_growth {
            match growth(&column.values, &y) {
                Ok(growth) => {
                    model.growth = Some(GrowthModel::new(&growth, &column.name));
                    for prediction in &mut model.predictions {
                        self.predict(&growth, prediction);
                    }
                }
                Err(error) => model.warnings.push(no_growth(&error, &column.name)),
            }
        }
        model
    }

    fn power_law(
        &self,
        column: &Column,
        y: &[f64],
        fit: &PowerLaw,
        sizes: &[f64],
    ) -> (Option<PowerLawModel>, Vec<Prediction>) {
        let at: Vec<f64> = column.at.iter().map(|&(at, _)| at).collect();
        let intervals = power_law_intervals_by(column.method(), &column.values, y, &at, self.level).ok();
        let model = PowerLawModel {
            a: fit.a,
            a_ci: intervals.as_ref().map(|i| pair(i.a)),
            b: fit.b,
            b_ci: intervals.as_ref().map(|i| pair(i.b)),
            r2: fit.r2,
            points: fit.points,
            sizes: sizes.len(),
            span: span(sizes),
            ignored_zeros: fit.ignored_zeros + (column.workloads - column.present.len()),
        };
        let prediction = |(i, &(at, asked)): (usize, &(f64, bool))| Prediction {
            at,
            cost: fit.predict(at),
            ci: intervals.as_ref().map(|intervals| pair(intervals.predictions[i])),
            from: "power law".to_owned(),
            asked,
        };
        (Some(model), column.at.iter().enumerate().map(prediction).collect())
    }

    /// Replaces a power law's prediction by that of the growth verdict, unless that is no cost. Where
    /// the verdict is undecided, the power law with its free exponent lies between the rivals and stays
    /// the estimate as long as it is in their interval.
    fn predict(&self, growth: &Growth, prediction: &mut Prediction) {
        let best = growth.best();
        let cost = best.predict(prediction.at);
        if cost.is_nan() || cost < 0.0 || best.spread >= TOO_SPREAD {
            return;
        }
        let interval = growth.predict_interval(prediction.at, self.level).ok();
        let interval = interval.filter(|ci| !ci.lo.is_nan() && !ci.hi.is_nan());
        let between = !growth.decided && interval.is_some_and(|ci| ci.contains(prediction.cost));
        if !between {
            prediction.cost = cost;
            prediction.from = best.class.to_string();
        }
        // The interval is that of an average over the models, of which the best can be but one of many.
        let around = |ci: Interval| [ci.lo.min(prediction.cost), ci.hi.max(prediction.cost)];
        prediction.ci = interval.map(around);
    }

    fn linear(&self, column: &Column, y: &[f64]) -> Option<LinearModel> {
        let fit = Linear::fit(&column.values, y).ok()?;
        let intervals = linear_intervals_by(column.method(), &column.values, y, &[], self.level).ok();
        Some(LinearModel {
            a: fit.a,
            a_ci: intervals.as_ref().map(|i| pair(i.a)),
            b: fit.b,
            b_ci: intervals.as_ref().map(|i| pair(i.b)),
            r2: fit.r2,
        })
    }
}

/// The different feature values that a power law uses, ascending.
fn sizes(column: &Column, y: &[f64]) -> Vec<f64> {
    let usable = column.values.iter().zip(y).filter(|&(&x, &y)| x > 0.0 && y > 0.0);
    let mut sizes: Vec<f64> = usable.map(|(&x, _)| x).collect();
    sizes.sort_by(f64::total_cmp);
    sizes.dedup();
    sizes
}

fn span(sizes: &[f64]) -> f64 {
    sizes.first().zip(sizes.last()).map_or(1.0, |(min, max)| max / min)
}

/// The model of costs that are not by workload: `y` at the sizes `x` of what `feature` names.
pub(crate) fn model_of(feature: &str, x: Vec<f64>, y: &[f64], options: &Options, with_growth: bool) -> Model {
    let present = (0..x.len()).collect();
    let column = column_of(feature, present, x, y.len(), options);
    let modeller = Modeller { columns: Vec::new(), level: options.level };
    modeller.model(&column, y, with_growth)
}

fn column(study: &Study, id: FeatureId, options: &Options) -> Column {
    let feature = &study.features()[id.index()];
    let (present, values): (Vec<usize>, Vec<f64>) =
        feature.values.iter().enumerate().filter_map(|(i, v)| v.map(|v| (i, v))).unzip();
    column_of(&feature.name, present, values, study.workloads().len(), options)
}

fn column_of(
    name: &str,
    present: Vec<usize>,
    values: Vec<f64>,
    workloads: usize,
    options: &Options,
) -> Column {
    let p95 = nearest_rank(&values, 0.95);
    let usual = p95.into_iter().flat_map(|p95| MULTIPLES_OF_P95.map(|m| (m * p95, false)));
    let asked = options.at.iter().filter(|(feature, _)| feature == name).map(|&(_, at)| (at, true));
    // A size that was asked for goes before the same one that was not, and remains.
    let mut at: Vec<(f64, bool)> = asked.chain(usual).filter(|(at, _)| at.is_finite() && *at > 0.0).collect();
    at.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
    at.dedup_by(|a, b| a.0 == b.0);
    Column {
        name: name.to_owned(),
        resamples: (options.intervals == Intervals::Percentile)
            .then(|| Resamples::new(values.len(), options.resamples, options.seed)),
        present,
        values,
        at,
        workloads,
    }
}

fn pair(interval: Interval) -> [f64; 2] {
    [interval.lo, interval.hi]
}

/// Why there is no power law, and what helps.
fn no_model(error: &FitError, column: &Column, y: &[f64]) -> Warning {
    let feature = &column.name;
    let message = match error {
        FitError::TooFewPoints { points, needed } if y.iter().all(|&c| c == 0.0) => {
            let _ = (points, needed);
            "never executed".to_owned()
        }
        FitError::TooFewPoints { points, needed } => format!(
            "no power law in {feature}: {points} workloads have a positive cost and a positive {feature}, \
             and {needed} are needed"
        ),
        FitError::ConstantFeature => {
            format!("no power law in {feature}: it has one value only; run workloads of other sizes")
        }
        other => format!("no power law in {feature}: {other}"),
    };
    Warning::new("no_model", message)
}

/// What makes a fit doubtful.
fn doubts(column: &Column, y: &[f64], fit: &PowerLaw, sizes: &[f64]) -> Vec<Warning> {
    let mut warnings = Vec::new();
    if fit.points < FEW_POINTS {
        let why = if column.resamples.is_some() {
            "the intervals are too narrow for so few"
        } else {
            "too few to see where the model is wrong"
        };
        warnings.push(Warning::new("few_points", format!("{} points only: {why}", fit.points)));
    }
    if span(sizes) < NARROW_RANGE {
        let message = format!(
            "{} grows by a factor of {:.1} only over the points used: run larger or smaller workloads",
            column.name,
            span(sizes)
        );
        warnings.push(Warning::new("narrow_range", message));
    }
    let zeros = column.values.len() - fit.points;
    if zeros > 0 {
        let message = format!(
            "{zeros} workloads with a cost or a {} of zero are left out: the model says what this costs where \
             it runs at all",
            column.name
        );
        warnings.push(Warning::new("ignored_zeros", message));
    }
    let diagnosed = diagnose(&column.values, y, fit);
    warnings.extend(diagnosed.iter().map(|d| Warning::new(kind(d), d.to_string())));
    warnings
}

/// The stable word for a diagnosis.
fn kind(diagnosis: &Diagnosis) -> &'static str {
    match diagnosis {
        Diagnosis::Hump { .. } => "hump",
        Diagnosis::LowerOrderTerm { .. } => "lower_order_term",
        Diagnosis::Fan { .. } => "fan",
        Diagnosis::Split { .. } => "split",
        Diagnosis::Unexplained { .. } => "unexplained",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn models(text: &str, options: &Options) -> Vec<Model> {
        let study = Study::from_text(text).unwrap();
        let modeller = Modeller::new(&study, options);
        modeller.models(study.counts().row(trend_profile::LocationId(0)), true)
    }

    #[test]
    fn the_reference_fit_of_the_paper_comes_out_to_six_digits() {
        let sizes = [60_u64, 200, 500, 1000, 2000, 4000, 8000, 15_000, 30_000, 60_000];
        let thrice = |f: &dyn Fn(u64) -> u64| {
            let row = sizes.iter().flat_map(|&n| [f(n); 3]).map(|v| v.to_string());
            row.collect::<Vec<_>>().join(" ")
        };
        let text = format!("n: {}\na.c:4:f: {}", thrice(&|n| n), thrice(&|n| (3 * n * n - n) / 2));
        let model = &models(&text, &Options::default())[0];
        let fit = model.power_law.as_ref().unwrap();
        assert_eq!(format!("{:.6} {:.6}", fit.a, fit.b), "1.491842 2.000587");
        let at: Vec<f64> = model.predictions.iter().map(|p| p.at).collect();
        assert_eq!(at, [120_000.0, 600_000.0]);
    }

    /// The paper's ten sizes, three times each, and the cost.
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
        let growth = model.growth.as_ref().unwrap();
        assert_eq!((growth.verdict.as_str(), growth.decided, growth.superlinear), ("n^2", true, Some(true)));
        assert_eq!(growth.classes[0].formula, "1.5·n^2 − 0.5·n");
        let prediction = model.prediction_at(600_000.0).unwrap();
        let truth = compares(600_000) as f64;
        assert!((prediction.cost / truth - 1.0).abs() < 1e-6, "{prediction:?}");
        let [lo, hi] = prediction.ci.unwrap();
        assert!(lo <= truth * (1.0 + 1e-9) && truth * (1.0 - 1e-9) <= hi, "{prediction:?}");
        assert_eq!(prediction.from, "n^2");
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
    fn too_few_sizes_have_no_growth_class_and_predict_by_the_power_law() {
        let model = &models("n: 1 5 10\na.c:1:f: 3 15 30", &Options::default())[0];
        assert!(model.growth.is_none() && !model.is_sound());
        assert!(model.warnings.iter().any(|w| w.kind == "no_growth"), "{:?}", model.warnings);
        assert!(model.predictions.iter().all(|p| p.from == "power law"));
    }

    #[test]
    fn the_papers_intervals_are_there_when_asked_for() {
        let text = "n: 100 200 400 800 1600 3200\na.c:1:f: 110 190 420 790 1650 3100";
        let options = Options { intervals: Intervals::Percentile, ..Options::default() };
        let [robust, percentile] = [Options::default(), options].map(|options| {
            let model = models(text, &options).swap_remove(0);
            let ci = model.power_law.unwrap().b_ci.unwrap();
            (ci[1] - ci[0], model.warnings.iter().any(|w| w.message.contains("too narrow")))
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
            ("n: 5 5 5\na.c:1:f: 1 2 3", "one value only"),
            ("n: 1 2 3\na.c:1:f: 0 0 3", "1 workloads have a positive cost"),
            ("n: 0 -2 -3\na.c:1:f: 1 2 3", "0 workloads"),
            ("n: 1 2 3\na.c:1:f: 0 0 0", "never executed"),
        ] {
            let model = &models(text, &Options::default())[0];
            assert_eq!(model.power_law, None);
            assert!(model.warnings[0].message.contains(reason), "{:?}", model.warnings);
        }
    }
}
