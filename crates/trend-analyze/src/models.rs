//! Models of one row of costs, one per feature.

use trend_model::{
    Diagnosis, FitError, Interval, Linear, PowerLaw, Resamples, diagnose, linear_intervals, nearest_rank,
    power_law_intervals,
};
use trend_profile::{FeatureId, Study, Warning};

use crate::{LinearModel, Model, Options, PowerLawModel, Prediction};

/// Sizes that are always predicted, as multiples of the feature's 95th percentile.
const MULTIPLES_OF_P95: [f64; 2] = [2.0, 10.0];

/// Below this many points an interval of the percentile bootstrap is known to be too narrow.
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
    /// Drawn over the present workloads.
    resamples: Resamples,
    /// Where predictions are made, ascending, and whether somebody asked for it.
    at: Vec<(f64, bool)>,
    workloads: usize,
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

    /// One model per feature, in declared order. `costs` is `[workloads]`.
    pub(crate) fn models(&self, costs: &[u64]) -> Vec<Model> {
        // The one place where costs leave the integers: above 2^53 the last digits go, which is a
        // relative error of 1e-16.
        let costs: Vec<f64> = costs.iter().map(|&c| c as f64).collect();
        self.columns.iter().map(|c| self.model(c, &costs)).collect()
    }

    fn model(&self, column: &Column, costs: &[f64]) -> Model {
        let y: Vec<f64> = column.present.iter().map(|&i| costs[i]).collect();
        let mut warnings = Vec::new();
        let (power_law, predictions) = match PowerLaw::fit(&column.values, &y) {
            Ok(fit) => {
                warnings.extend(doubts(column, &y, &fit));
                self.power_law(column, &y, &fit)
            }
            Err(error) => {
                warnings.push(no_model(&error, column, &y));
                (None, Vec::new())
            }
        };
        Model {
            feature: column.name.clone(),
            power_law,
            linear: self.linear(column, &y),
            predictions,
            warnings,
        }
    }

    fn power_law(
        &self,
        column: &Column,
        y: &[f64],
        fit: &PowerLaw,
    ) -> (Option<PowerLawModel>, Vec<Prediction>) {
        let at: Vec<f64> = column.at.iter().map(|&(at, _)| at).collect();
        let intervals = power_law_intervals(&column.resamples, &column.values, y, &at, self.level).ok();
        let model = PowerLawModel {
            a: fit.a,
            a_ci: intervals.as_ref().map(|i| pair(i.a)),
            b: fit.b,
            b_ci: intervals.as_ref().map(|i| pair(i.b)),
            r2: fit.r2,
            points: fit.points,
            ignored_zeros: fit.ignored_zeros + (column.workloads - column.present.len()),
        };
        let prediction = |(i, &(at, asked)): (usize, &(f64, bool))| Prediction {
            at,
            cost: fit.predict(at),
            ci: intervals.as_ref().map(|intervals| pair(intervals.predictions[i])),
            asked,
        };
        (Some(model), column.at.iter().enumerate().map(prediction).collect())
    }

    fn linear(&self, column: &Column, y: &[f64]) -> Option<LinearModel> {
        let fit = Linear::fit(&column.values, y).ok()?;
        let intervals = linear_intervals(&column.resamples, &column.values, y, &[], self.level).ok();
        Some(LinearModel {
            a: fit.a,
            a_ci: intervals.as_ref().map(|i| pair(i.a)),
            b: fit.b,
            b_ci: intervals.as_ref().map(|i| pair(i.b)),
            r2: fit.r2,
        })
    }
}

fn column(study: &Study, id: FeatureId, options: &Options) -> Column {
    let feature = &study.features()[id.index()];
    let (present, values): (Vec<usize>, Vec<f64>) =
        feature.values.iter().enumerate().filter_map(|(i, v)| v.map(|v| (i, v))).unzip();
    let p95 = nearest_rank(&values, 0.95);
    let usual = p95.into_iter().flat_map(|p95| MULTIPLES_OF_P95.map(|m| (m * p95, false)));
    let asked = options.at.iter().filter(|(name, _)| *name == feature.name).map(|&(_, at)| (at, true));
    // A size that was asked for goes before the same one that was not, and remains.
    let mut at: Vec<(f64, bool)> = asked.chain(usual).filter(|(at, _)| at.is_finite() && *at > 0.0).collect();
    at.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
    at.dedup_by(|a, b| a.0 == b.0);
    Column {
        name: feature.name.clone(),
        resamples: Resamples::new(values.len(), options.resamples, options.seed),
        present,
        values,
        at,
        workloads: study.workloads().len(),
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
fn doubts(column: &Column, y: &[f64], fit: &PowerLaw) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let mut sizes: Vec<f64> =
        column.values.iter().zip(y).filter(|&(&x, &y)| x > 0.0 && y > 0.0).map(|(&x, _)| x).collect();
    sizes.sort_by(f64::total_cmp);
    if fit.points < FEW_POINTS {
        let message = format!("{} points only: the intervals are too narrow for so few", fit.points);
        warnings.push(Warning::new("few_points", message));
    }
    if let (Some(min), Some(max)) = (sizes.first(), sizes.last())
        && max / min < NARROW_RANGE
    {
        let message = format!(
            "{} grows by a factor of {:.1} only over the points used: run larger or smaller workloads",
            column.name,
            max / min
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
        modeller.models(study.counts().row(trend_profile::LocationId(0)))
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
