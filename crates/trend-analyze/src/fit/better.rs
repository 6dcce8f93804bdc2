//! Finds another feature that explains a cost if one feature does not. Fits no growth classes.

use trend_model::PowerLaw;

use super::column::Column;
use crate::findings::doubt::{Doubt, Explanation};
use crate::findings::model::Model;

/// Maximum scatter of log cost about a clearly better model, relative to the scatter about the model that explains
/// little.
pub(crate) const CLEARLY_BETTER: f64 = 0.5;

/// Minimum number of workloads that both features must have.
const FEWEST_ROWS: usize = 6;

/// Returns the residuals of log cost about a model, `[workloads]`; `None` where it predicts nothing.
pub(crate) fn residuals(model: &Model, column: &Column, costs: &[f64]) -> Vec<Option<f64>> {
    let mut residuals = vec![None; costs.len()];
    let Some(law) = model.law() else { return residuals };
    for (&i, &x) in column.present.iter().zip(&column.values) {
        let is_usable = x > 0.0 && costs[i] > 0.0;
        let predicted = is_usable.then(|| law.cost(&[x])).flatten();
        residuals[i] = predicted.map(|cost| costs[i].ln() - cost.ln()).filter(|r| r.is_finite());
    }
    residuals
}

/// Returns the scatter of log cost about the models in two features, over the workloads that have both; `None` if these
/// are too few. To be fair, each model counts as at least as good as a power law fitted to these workloads alone.
fn spreads(p: FittedFeature, q: FittedFeature, costs: &[f64]) -> Option<(f64, f64)> {
    let common: Vec<usize> =
        (0..costs.len()).filter(|&i| p.residuals[i].is_some() && q.residuals[i].is_some()).collect();
    let spread = |feature: FittedFeature| {
        let value = |i: &usize| Some(feature.column.values[feature.column.present.binary_search(i).ok()?]);
        let x: Vec<f64> = common.iter().filter_map(value).collect();
        let y: Vec<f64> = common.iter().map(|&i| costs[i]).collect();
        let rms = |squares: f64| (squares / common.len() as f64).sqrt();
        let own = rms(common.iter().filter_map(|&i| feature.residuals[i]).map(|r| r * r).sum());
        let refitted = PowerLaw::fit(&x, &y)
            .map(|fit| rms(fit.residuals(&x, &y).into_iter().flatten().map(|r| r * r).sum()));
        refitted.map_or(own, |refitted| refitted.min(own))
    };
    (common.len() >= FEWEST_ROWS).then(|| (spread(p), spread(q)))
}

/// The values of a feature and the residuals of its model.
#[derive(Clone, Copy)]
struct FittedFeature<'a> {
    column: &'a Column,
    residuals: &'a [Option<f64>],
}

/// Notes the feature that explains the cost better in each model that explains little, if there is one.
pub(crate) fn name_better_feature(models: &mut [Model], columns: &[Column], costs: &[f64]) {
    if !models.iter().any(explains_little) {
        return;
    }
    let residuals: Vec<Vec<Option<f64>>> =
        models.iter().zip(columns).map(|(model, column)| residuals(model, column, costs)).collect();
    for i in 0..models.len() {
        let relative = |j: usize| {
            let fitted = |i: usize| FittedFeature { column: &columns[i], residuals: &residuals[i] };
            let (own, other) = spreads(fitted(i), fitted(j), costs)?;
            (own > 0.0 && other <= CLEARLY_BETTER * own).then_some((other / own, j))
        };
        let others = (0..models.len()).filter(|&j| j != i).filter_map(relative);
        if let Some((_, j)) = others.min_by(|a, b| a.0.total_cmp(&b.0)) {
            explain(&mut models[i], &Explanation::Feature(columns[j].name.clone()));
        }
    }
}

/// Returns true if a doubt says that the feature explains little of the cost.
pub(crate) fn explains_little(model: &Model) -> bool {
    model.doubts.iter().any(Doubt::is_unexplained)
}

/// Returns true if that doubt already names a better feature.
pub(crate) fn names_better_feature(model: &Model) -> bool {
    let is_named = |doubt: &Doubt| matches!(doubt, Doubt::Diagnosed { better: Some(_), .. });
    model.doubts.iter().any(|doubt| doubt.is_unexplained() && is_named(doubt))
}

/// Adds the better explanation to each doubt that says that the feature does not explain the cost.
pub(crate) fn explain(model: &mut Model, explanation: &Explanation) {
    for doubt in model.doubts.iter_mut().filter(|doubt| doubt.is_unexplained()) {
        doubt.explain(explanation.clone());
    }
}

#[cfg(test)]
mod tests {
    use trend_model::Diagnosis;
    use trend_profile::Study;

    use super::*;
    use crate::analyze::analyze;
    use crate::options::Options;

    #[test]
    fn a_feature_that_explains_nothing_names_the_one_that_does() {
        // The cost is 7 per line. Bytes take three values, each with costs of all sizes.
        let lines: Vec<u64> = (1..=24).map(|i| 100 * i * i).collect();
        let row = |f: &dyn Fn(usize) -> u64| (0..24).map(|i| f(i).to_string()).collect::<Vec<_>>().join(" ");
        let text = format!(
            "bytes: {}\nlines: {}\na.c:1:f: {}",
            row(&|i| [1000, 4000, 16_000][i % 3]),
            row(&|i| lines[i]),
            row(&|i| 7 * lines[i])
        );
        let findings = analyze(&Study::from_text(&text).unwrap(), &Options::default()).unwrap();
        let doubt = findings.total.fits.models[0].doubts.iter().find(|doubt| doubt.is_unexplained()).unwrap();
        let Doubt::Diagnosed { diagnosis: Diagnosis::Unexplained { equal: Some(equal), .. }, better, .. } =
            doubt
        else {
            panic!("{doubt:?}")
        };
        assert_eq!((equal.runs, equal.factor.round()), (24, 484.0));
        assert_eq!(better.as_deref(), Some(&Explanation::Feature("lines".into())));
        assert!(!explains_little(&findings.total.fits.models[1]));
    }
}
