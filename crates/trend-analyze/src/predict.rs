//! Predictions at a size that was not asked for when a study was analysed, from the fits that its findings keep.

use rayon::prelude::*;
use trend_profile::Study;

use crate::analyze::check;
use crate::column::Column;
use crate::models::{Modeller, as_costs, by_power_law};
use crate::whole::Widening;
use crate::{AnalyzeError, Findings, Model, Options, Parts, Prediction, whole};

/// What everything will cost at one size; `None` where there is no model in the feature.
#[derive(Clone, Debug, PartialEq)]
pub struct Predictions {
    /// Of all locations together.
    pub total: Option<Prediction>,
    /// In the order of the findings' clusters.
    pub clusters: Vec<Option<Prediction>>,
    /// In the order of the findings' functions.
    pub functions: Vec<Option<Prediction>>,
}

/// Predicts at one size of a feature what an analysis with that size in [`Options::at`] would, to the last bit.
///
/// `findings` are those of `study` under the same `options`, with [`Options::keep_fits`] set.
///
/// - Time: O(rows · workloads): growth classes are not looked for again.
///
/// # Errors
/// [`AnalyzeError::UnknownFeature`], [`AnalyzeError::InvalidSize`], [`AnalyzeError::NoWorkloads`].
pub fn predict(
    study: &Study,
    findings: &Findings,
    options: &Options,
    feature: &str,
    at: f64,
) -> Result<Predictions, AnalyzeError> {
    let options = Options { at: vec![(feature.to_owned(), at)], ..options.clone() };
    check(study, &options)?;
    let modeller = Modeller::new(study, &options);
    let column = modeller.columns.iter().find(|column| column.name == feature);
    let of_model = |model: &Model, costs: &[u64]| of_model(&modeller, column?, model, &as_costs(costs), at);
    let of = |models: &[Model], costs: &[u64]| {
        of_model(models.iter().find(|model| model.feature == feature)?, costs)
    };
    let parts = findings.total.parts.iter().find(|parts| parts.feature == feature);
    let sum = |parts: &Parts| whole::sum(parts.rows.iter().map(|part| of_model(&part.model, &part.costs)));
    let own = || of(&findings.total.models, &findings.total.costs);
    let mut total = parts.and_then(sum).or_else(own);
    if let Some((total, column)) = total.as_mut().zip(column)
        && let Some(model) = findings.total.models.iter().find(|model| model.feature == feature)
    {
        let rows = (findings.functions.as_slice(), findings.clusters.as_slice());
        let widening = Widening::new(column, &findings.total.costs, model, parts, rows);
        widening.widen(total, |part, costs| of_model(part, costs)?.ci);
    }
    Ok(Predictions {
        total,
        clusters: findings.clusters.par_iter().map(|row| of(&row.models, &row.costs)).collect(),
        functions: findings.functions.par_iter().map(|row| of(&row.models, &row.costs)).collect(),
    })
}

fn of_model(
    modeller: &Modeller,
    column: &Column,
    model: &Model,
    costs: &[f64],
    at: f64,
) -> Option<Prediction> {
    model.power_law.as_ref()?;
    let y = [column.fitted(costs)];
    let fit = y[0].law.as_ref().ok()?;
    let intervals = column.intervals(&y, false, modeller.level).pop()?;
    let place = column.at.iter().position(|(size, _)| *size == at)?;
    let prediction = by_power_law(column, fit, intervals.power_law.as_ref(), place);
    match &model.fit {
        Some(growth) => modeller.predict(growth, prediction),
        None => Some(prediction),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Intervals, analyze};

    /// Rows of every kind: a square, a line with a bend, n log n with noise, two trends, nearly nothing, and zeros.
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
                let found = predict(&study, &findings, &options, feature, at).unwrap();
                let asked = Options { at: vec![(feature.to_owned(), at)], ..options.clone() };
                let expected = analyze(&study, &asked).unwrap();
                let of = |models: &[Model]| {
                    models.iter().find(|m| m.feature == feature).and_then(|m| m.prediction_at(at).cloned())
                };
                assert_eq!(found.total, of(&expected.total.models), "total at {feature} = {at}");
                let clusters: Vec<_> = expected.clusters.iter().map(|c| of(&c.models)).collect();
                assert_eq!(found.clusters, clusters, "clusters at {feature} = {at}");
                let functions: Vec<_> = expected.functions.iter().map(|f| of(&f.models)).collect();
                assert_eq!(found.functions, functions, "functions at {feature} = {at}");
                assert!(found.total.is_some() && found.clusters.len() >= 4);
            }
        }
    }

    #[test]
    fn what_is_no_size_or_no_feature_is_refused() {
        let study = study();
        let options = Options { keep_fits: true, growth: false, ..Options::default() };
        let findings = analyze(&study, &options).unwrap();
        let refused = |feature: &str, at: f64| predict(&study, &findings, &options, feature, at).unwrap_err();
        assert!(matches!(refused("k", 1.0), AnalyzeError::UnknownFeature { .. }));
        assert!(matches!(refused("n", 0.0), AnalyzeError::InvalidSize { .. }));
        assert!(matches!(refused("n", f64::INFINITY), AnalyzeError::InvalidSize { .. }));
    }
}
