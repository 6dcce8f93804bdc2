//! Predicts costs at sizes that were not requested when a study was analysed, from the fits that its findings keep.

use rayon::prelude::*;
use trend_answer::{Outlook, raised, widened};
use trend_profile::Study;

use super::outlook::outlook;
use crate::error::{AnalyzeError, check};
use crate::findings::Findings;
use crate::findings::law::Fits;
use crate::findings::model::{Model, Prediction};
use crate::findings::row::{Cluster, Parts};
use crate::fit::modeller::{ChosenLaw, Modeller, as_costs};
use crate::fit::whole;
use crate::fit::whole::Widening;
use crate::options::Options;
use crate::study::point::{Given, Point, points};

/// Predicted costs of all rows at one point, each by the row's law; `None` if unknown.
#[derive(Clone, Debug, PartialEq)]
pub struct Predictions {
    /// Point of the predictions.
    pub point: Point,
    /// The cost of all locations together.
    pub total: Option<Outlook>,
    /// The costs in the order of the findings' clusters.
    pub clusters: Vec<Option<Outlook>>,
    /// The costs in the order of the findings' functions.
    pub functions: Vec<Option<Outlook>>,
}

/// Predicts costs at one point. The result is bit-identical to an analysis with these sizes in [`Options::at`].
///
/// `findings` are the ones of `study` under the same `options`, with [`Options::keep_fits`] set. `at` has one size for
/// each of some features.
///
/// - Time: O(rows · workloads), as growth classes are not searched again.
///
/// # Errors
/// [`AnalyzeError::UnknownFeature`], [`AnalyzeError::InvalidSize`], [`AnalyzeError::NoWorkloads`].
pub fn predict(
    study: &Study,
    findings: &Findings,
    options: &Options,
    at: &[(String, f64)],
) -> Result<Predictions, AnalyzeError> {
    let options = Options { at: at.to_vec(), ..options.clone() };
    check(study, &options)?;
    let points = points(study, &findings.total.costs, at);
    let Some(point) = points.first().filter(|point| point.asked) else {
        return Err(AnalyzeError::UnknownFeature { name: String::new(), features: Vec::new() });
    };
    let modeller = Modeller::new(study, &options, &points);
    let prediction_of = |model: &Model, costs: &[u64]| {
        let size = point.value(model.id)?;
        let is_running = model.runs_until.is_none_or(|until| size <= until);
        of_model(&modeller, model, &as_costs(costs), size).filter(|_| is_running)
    };
    let in_total = |model: &Model| {
        let parts = findings.total.parts_in(model);
        let sum =
            |parts: &Parts| whole::sum(parts.rows.iter().map(|part| prediction_of(&part.model, &part.costs)));
        let mut total = match parts {
            Some(parts) => sum(parts),
            None => prediction_of(model, &findings.total.costs),
        }?;
        let column = &modeller.columns[model.id.index()];
        let widening = Widening::new(column, &findings.total.costs, model, parts, &findings.clusters);
        widening.widen(total.at, total.cost, &mut total.ci);
        Some(total)
    };
    let predicted = |fits: &Fits, costs: &[u64]| {
        outlook(fits, point, options.level, |model, _| prediction_of(model, costs))
    };
    let clusters: Vec<_> = findings.clusters.par_iter().map(|row| predicted(&row.fits, &row.costs)).collect();
    let functions: Vec<_> =
        findings.functions.par_iter().map(|row| predicted(&row.fits, &row.costs)).collect();
    let widen =
        |(own, cluster): (_, &Cluster)| widened(own, cluster.functions_within.iter().map(|&i| functions[i]));
    let clusters = clusters.into_iter().zip(&findings.clusters).map(widen).collect();
    let total = &findings.total;
    let own = outlook(&total.fits, point, options.level, |model, _| in_total(model));
    let total = raised(own, functions.iter().copied());
    Ok(Predictions { point: point.clone(), total, clusters, functions })
}

/// Adds points at multiples of the first feature's 95th percentile, before all others. The findings must keep their
/// fits.
///
/// - Time: that of [`predict`], for each of them.
///
/// # Errors
/// The errors of [`predict`].
pub fn predict_multiples(
    study: &Study,
    findings: &mut Findings,
    options: &Options,
    multiples: &[f64],
) -> Result<(), AnalyzeError> {
    let Some(feature) = findings.features.first() else { return Ok(()) };
    let Some(p95) = feature.p95.filter(|p95| p95.is_finite() && *p95 > 0.0) else { return Ok(()) };
    let name = feature.name.clone();
    for &of_p95 in multiples {
        let mut predictions = predict(study, findings, options, &[(name.clone(), of_p95 * p95)])?;
        for value in predictions.point.values.iter_mut().filter(|value| value.given == Given::Asked) {
            value.given = Given::Multiple { of_p95 };
        }
        predictions.point.asked = false;
        findings.insert_point(predictions);
    }
    Ok(())
}

impl Findings {
    /// Inserts predictions before all others. Rows of lines and blocks get `None` there.
    fn insert_point(&mut self, predictions: Predictions) {
        self.points.insert(0, predictions.point);
        self.total.outlooks.insert(0, predictions.total);
        let clusters = self.clusters.iter_mut().zip(predictions.clusters);
        clusters.for_each(|(row, outlook)| row.outlooks.insert(0, outlook));
        let functions = self.functions.iter_mut().zip(predictions.functions);
        functions.for_each(|(row, outlook)| row.outlooks.insert(0, outlook));
        let rows = self.lines.iter_mut().flatten().chain(self.blocks.iter_mut().flatten());
        rows.for_each(|row| row.outlooks.insert(0, None));
        if let Some(answer) = &mut self.answer {
            answer.point += 1;
        }
    }
}

fn of_model(modeller: &Modeller, model: &Model, costs: &[f64], at: f64) -> Option<Prediction> {
    model.power_law.as_ref()?;
    let column = &modeller.columns[model.id.index()];
    let y = [column.fitted(costs)];
    let fit = y[0].law.as_ref().ok()?;
    let intervals = column.intervals(&y, false, modeller.level).pop()?;
    let place = column.at.iter().position(|(size, _)| *size == at)?;
    let verdict = model.fit.as_deref();
    ChosenLaw::new(verdict, fit, intervals.power_law.as_ref(), modeller.level).prediction(column, place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::analyze;
    use crate::findings::Intervals;

    /// A study with rows of every kind: a square, a line with a constant, noisy n log n, two trends, small costs, and
    /// zeros.
    fn study() -> Study {
        let sizes: Vec<u64> = (0..24).map(|i| 50 + 40 * i * i).collect();
        let noise = |i: usize| 100 + (i as u64 * 7919) % 23;
        let row = |f: &dyn Fn(usize, u64) -> u64| {
            let costs = sizes.iter().enumerate().map(|(i, &n)| f(i, n).to_string());
            costs.collect::<Vec<_>>().join(" ")
        };
        Study::from_text(&format!(
            "n: {}\nm: {}\na.c:1:square: {}\na.c:2:line: {}\na.c:3:log: {}\nb.c:4:two: {}\nb.c:5:little: {}\nb.c:6:zeros: {}",
            row(&|_, n| n),
            row(&|i, _| noise(i)),
            row(&|_, n| n * n / 2),
            row(&|_, n| 300 * n + 5000),
            row(&|i, n| n * u64::from(n.ilog2()) * noise(i) / 3),
            row(&|i, n| if i % 2 == 0 { 40 * n } else { n * n / 20 }),
            row(&|i, n| n % 20 + i as u64),
            row(&|i, n| if i % 3 == 0 { 0 } else { 90 * n }),
        ))
        .unwrap()
    }

    #[test]
    fn a_prediction_afterwards_is_that_of_an_analysis() {
        let study = study();
        for intervals in [Intervals::Robust, Intervals::Percentile] {
            let options = Options { keep_fits: true, intervals, resamples: 200, ..Options::default() };
            let findings = analyze(&study, &options).unwrap();
            for (feature, at) in [("n", 3.0), ("n", 21_210.0), ("n", 123_456.5), ("n", 1e12), ("m", 700.0)] {
                let size = [(feature.to_owned(), at)];
                let predictions = predict(&study, &findings, &options, &size).unwrap();
                let with_size = Options { at: size.to_vec(), ..options.clone() };
                let expected = analyze(&study, &with_size).unwrap();
                assert_eq!(predictions.total, expected.total.outlooks[0], "total at {feature} = {at}");
                let clusters: Vec<_> = expected.clusters.iter().map(|c| c.outlooks[0]).collect();
                assert_eq!(predictions.clusters, clusters, "clusters at {feature} = {at}");
                let functions: Vec<_> = expected.functions.iter().map(|f| f.outlooks[0]).collect();
                assert_eq!(predictions.functions, functions, "functions at {feature} = {at}");
                assert!(predictions.total.is_some() && predictions.clusters.len() >= 4);
            }
        }
    }

    #[test]
    fn what_is_no_size_or_no_feature_is_refused() {
        let study = study();
        let options = Options { keep_fits: true, growth: false, ..Options::default() };
        let findings = analyze(&study, &options).unwrap();
        let refused = |feature: &str, at: f64| {
            predict(&study, &findings, &options, &[(feature.to_owned(), at)]).unwrap_err()
        };
        assert!(matches!(refused("k", 1.0), AnalyzeError::UnknownFeature { .. }));
        assert!(matches!(refused("n", 0.0), AnalyzeError::InvalidSize { .. }));
        assert!(matches!(refused("n", f64::INFINITY), AnalyzeError::InvalidSize { .. }));
    }
}
