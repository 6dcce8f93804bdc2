//! Which other feature explains a cost that one feature does not. Fits nothing itself.

use trend_model::PowerLaw;

use crate::Model;
use crate::column::Column;
use crate::doubt::{Doubt, Explanation};

/// Scatter of log cost about another model, relative to that about the one that explains little, that is clearly
/// better: half of it.
pub(crate) const CLEARLY_BETTER: f64 = 0.5;

/// Workloads that both models must know.
const FEWEST_ROWS: usize = 6;

/// Residuals of log cost about a model, `[workloads]`; `None` where it says nothing.
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

/// Scatter of log cost about the models in two features, over the workloads that both know; `None` for too few. For the
/// sake of fairness each model is as good as a power law of these workloads alone.
fn spreads(p: Known, q: Known, costs: &[f64]) -> Option<(f64, f64)> {
    let common: Vec<usize> =
        (0..costs.len()).filter(|&i| p.residuals[i].is_some() && q.residuals[i].is_some()).collect();
    let spread = |known: Known| {
        let value = |i: &usize| Some(known.column.values[known.column.present.binary_search(i).ok()?]);
        let x: Vec<f64> = common.iter().filter_map(value).collect();
        let y: Vec<f64> = common.iter().map(|&i| costs[i]).collect();
        let rms = |squares: f64| (squares / common.len() as f64).sqrt();
        let own = rms(common.iter().filter_map(|&i| known.residuals[i]).map(|r| r * r).sum());
        let refitted = PowerLaw::fit(&x, &y)
            .map(|fit| rms(fit.residuals(&x, &y).into_iter().flatten().map(|r| r * r).sum()));
        refitted.map_or(own, |refitted| refitted.min(own))
    };
    (common.len() >= FEWEST_ROWS).then(|| (spread(p), spread(q)))
}

/// A model's feature and residuals.
#[derive(Clone, Copy)]
struct Known<'a> {
    column: &'a Column,
    residuals: &'a [Option<f64>],
}

/// Says of every model that explains little which feature explains the cost better, where one does.
pub(crate) fn name_better_feature(models: &mut [Model], columns: &[Column], costs: &[f64]) {
    if !models.iter().any(explains_little) {
        return;
    }
    let residuals: Vec<Vec<Option<f64>>> =
        models.iter().zip(columns).map(|(model, column)| residuals(model, column, costs)).collect();
    for i in 0..models.len() {
        let relative = |j: usize| {
            let known = |i: usize| Known { column: &columns[i], residuals: &residuals[i] };
            let (own, other) = spreads(known(i), known(j), costs)?;
            (own > 0.0 && other <= CLEARLY_BETTER * own).then_some((other / own, j))
        };
        let others = (0..models.len()).filter(|&j| j != i).filter_map(relative);
        if let Some((_, j)) = others.min_by(|a, b| a.0.total_cmp(&b.0)) {
            explain(&mut models[i], &Explanation::Feature(columns[j].name.clone()));
        }
    }
}

/// Whether there is a doubt that the feature explains the cost.
pub(crate) fn explains_little(model: &Model) -> bool {
    model.doubts.iter().any(Doubt::is_unexplained)
}

/// Whether that doubt names a feature already.
pub(crate) fn names_better_feature(model: &Model) -> bool {
    let is_named = |doubt: &Doubt| matches!(doubt, Doubt::Diagnosed { better: Some(_), .. });
    model.doubts.iter().any(|doubt| doubt.is_unexplained() && is_named(doubt))
}

/// Adds what explains the cost better to the doubt that the model does not.
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
    use crate::{Options, analyze};

    #[test]
    fn a_feature_that_explains_nothing_names_the_one_that_does() {
        // The cost is 7 per line; bytes have three values, each with costs of all sizes.
        let lines: Vec<u64> = (1..=24).map(|i| 100 * i * i).collect();
        let row = |f: &dyn Fn(usize) -> u64| (0..24).map(|i| f(i).to_string()).collect::<Vec<_>>().join(" ");
        let text = format!(
            "bytes: {}\nlines: {}\na.c:1:f: {}",
            row(&|i| [1000, 4000, 16_000][i % 3]),
            row(&|i| lines[i]),
            row(&|i| 7 * lines[i])
        );
        let findings = analyze(&Study::from_text(&text).unwrap(), &Options::default()).unwrap();
        let doubt = findings.total.models[0].doubts.iter().find(|doubt| doubt.is_unexplained()).unwrap();
        let Doubt::Diagnosed { diagnosis: Diagnosis::Unexplained { equal: Some(equal), .. }, better, .. } =
            doubt
        else {
            panic!("{doubt:?}")
        };
        assert_eq!((equal.runs, equal.factor.round()), (24, 484.0));
        assert_eq!(better.as_deref(), Some(&Explanation::Feature("lines".into())));
        assert!(!explains_little(&findings.total.models[1]));
    }
}
