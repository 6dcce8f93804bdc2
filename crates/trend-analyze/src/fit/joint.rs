//! Models a cost in several features at once, for the rows that one feature does not explain.

use std::sync::Arc;

use trend_model::{FeatureIndex, FitError, JointModel, joint_growth, r_squared};
use trend_profile::Study;

use super::better::{CLEARLY_BETTER, explain, explains_little, names_better_feature, residuals};
use super::dependence::{AlikeRuns, Dependence};
use super::modeller::{Modeller, as_costs};
use crate::findings::doubt::{Doubt, Explanation, NoJoint};
use crate::findings::law::Fits;
use crate::findings::model::Model;
use crate::findings::structure::Joint;

/// Scatter of log cost about the best model in one feature below which no other feature is needed: 1 % of the cost.
const NEGLIGIBLE_SPREAD: f64 = 0.01;

/// Probability that any of the unrelated features seems to determine a cost.
const ACCIDENT: f64 = 0.01;

/// Maximum probability that a dependence on a second feature is chance, for no law in one feature to be right.
const CLEAR_ACCIDENT: f64 = 1e-4;

/// Minimum scatter of log cost that a second feature must explain for no law in one feature to be right. Laws in one
/// feature are often off by less.
const CLEAR_SPREAD: f64 = 0.1;

/// R² between the logarithms of two features from which they are considered the same, as within a cluster.
pub(crate) const SAME_FEATURE: f64 = 0.98;

/// Maximum number of features in one model. Products of three are still searched in milliseconds.
pub(crate) const MOST_FEATURES: usize = 3;

/// Maximum scatter about a model in several features, relative to the best in one feature, both per degree of freedom.
/// At this value, it explains a third of the variance that one feature leaves.
const EARNED: f64 = 0.8;

/// Features that a cost depends on.
struct Needed {
    /// Positions of the features, ascending; more than one.
    features: Vec<usize>,
    /// True if no law in one feature can be right: a second feature explains at least as much as a model in several
    /// features must explain in addition.
    clearly: bool,
}

impl Modeller {
    /// Completes the models of a costly row: adds two trends to them, and a model in several features.
    pub(crate) fn fit_jointly(&self, study: &Study, counts: &[u64], mut models: Vec<Model>) -> Fits {
        let costs = as_costs(counts);
        self.add_splits(study, &costs, &mut models);
        let joint = self.joint(&costs, &mut models);
        Fits { models, joint }
    }

    /// Returns the model in several features if the data or the user ask for one. Models that explain much less mention
    /// it in their doubts. If it is missing although the user asked for it, or although the cost depends on several
    /// features, the models say so.
    pub(crate) fn joint(&self, costs: &[f64], models: &mut [Model]) -> Option<Joint> {
        if self.columns.len() < 2 {
            return None;
        }
        let residuals: Vec<Vec<Option<f64>>> =
            models.iter().zip(&self.columns).map(|(m, c)| residuals(m, c, costs)).collect();
        if let &[first, _, ..] = self.joint.as_slice() {
            let joint = self.joint_in(&self.joint, &residuals, costs, models);
            return joint.map_err(|why| models[first].doubts.push(self.no_joint(&self.joint, why))).ok();
        }
        if self.one_explains_all(&residuals, costs) {
            return None;
        }
        let needed = self.needed(costs)?;
        let joint = self.joint_in(&needed.features, &residuals, costs, models);
        if joint.is_err() && needed.clearly {
            for &j in &needed.features {
                models[j].doubts.push(self.no_joint(&needed.features, NoJoint::NoLaw));
            }
        }
        joint.ok()
    }

    fn no_joint(&self, features: &[usize], why: NoJoint) -> Doubt {
        Doubt::NoJoint { features: features.iter().map(|&j| self.columns[j].name.clone()).collect(), why }
    }

    /// Returns true if the law in some feature explains the cost of every run.
    fn one_explains_all(&self, residuals: &[Vec<Option<f64>>], costs: &[f64]) -> bool {
        residuals.iter().enumerate().any(|(j, residuals)| {
            let of_runs: Option<Vec<f64>> =
                self.rows(&[j], costs).iter().map(|row| residuals[row.0]).collect();
            let spread = of_runs.and_then(|residuals| per_degree(residuals.into_iter(), 2));
            spread.is_some_and(|spread| spread <= NEGLIGIBLE_SPREAD)
        })
    }

    /// Returns the model in these features, or the reason why it does not exist.
    fn joint_in(
        &self,
        features: &[usize],
        residuals: &[Vec<Option<f64>>],
        costs: &[f64],
        models: &mut [Model],
    ) -> Result<Joint, NoJoint> {
        let is_requested = self.joint.len() > 1;
        let rows = self.rows(features, costs);
        let values: Vec<Vec<f64>> =
            (0..features.len()).map(|j| rows.iter().map(|row| row.1[j]).collect()).collect();
        let values: Vec<&[f64]> = values.iter().map(Vec::as_slice).collect();
        let y: Vec<f64> = rows.iter().map(|row| costs[row.0]).collect();
        let model = joint_growth(&values, &y).map_err(NoJoint::Unfit)?;
        let used = used(&model, &rows);
        let predicted = |row: &(usize, Vec<f64>)| model.law.cost(&row.1).unwrap_or(f64::NAN);
        let own: Vec<f64> = rows.iter().map(|row| costs[row.0].ln() - predicted(row).ln()).collect();
        let spread = per_degree(own.iter().copied(), model.terms.len()).ok_or(NoJoint::TooFewWorkloads)?;
        // A law that does not cover every run explains less than one that does.
        let single = |j: &usize| {
            let all: Option<Vec<f64>> = rows.iter().map(|row| residuals[*j][row.0]).collect();
            per_degree(all?.into_iter(), 2)
        };
        let best = (0..models.len()).filter_map(|j| single(&j)).fold(f64::INFINITY, f64::min);
        let names: Vec<&Arc<str>> = features.iter().map(|&j| &self.columns[j].name).collect();
        match used.as_slice() {
            [] => return Err(NoJoint::NoPart),
            [only] => return Err(NoJoint::OnePart(names[only.0].clone())),
            _ if !is_requested && spread > EARNED * best => return Err(NoJoint::OneIsEnough),
            _ => {}
        }
        let together = Explanation::Together(used.iter().map(|j| names[j.0].clone()).collect());
        for (j, one) in models.iter_mut().enumerate() {
            let is_better = single(&j).is_some_and(|other| spread <= CLEARLY_BETTER * other);
            if is_better && explains_little(one) && !names_better_feature(one) {
                explain(one, &together);
            }
        }
        Joint::new(model, &names).ok_or(NoJoint::Unfit(FitError::ParametersOutOfRange))
    }

    /// Returns the features that a cost depends on: the one in which alike runs differ least, and the ones that explain
    /// these differences. `None` if one is enough.
    fn needed(&self, costs: &[f64]) -> Option<Needed> {
        let spread = |j: usize| {
            let (sizes, costs) = self.logs(&[j], costs);
            Some((AlikeRuns::new(&sizes[0]).spread(&costs)?, j))
        };
        let spreads = (0..self.columns.len()).filter_map(spread);
        let (least, best) = spreads.min_by(|a, b| a.0.total_cmp(&b.0))?;
        if least <= NEGLIGIBLE_SPREAD {
            return None;
        }
        let tries = self.columns.len() - 1;
        let dependence = |j: usize| {
            let (sizes, costs) = self.logs(&[best, j], costs);
            let dependence = AlikeRuns::new(&sizes[0]).dependence(&costs, &sizes[1])?;
            dependence.is_beyond_chance(tries, ACCIDENT).then_some((dependence, j))
        };
        let mut others: Vec<(Dependence, usize)> =
            (0..self.columns.len()).filter(|&j| j != best).filter_map(dependence).collect();
        others.sort_by(|a, b| b.0.r2.total_cmp(&a.0.r2).then(a.1.cmp(&b.1)));
        let clearly = others.first().is_some_and(|(first, _)| {
            let matters = least * first.r2.sqrt() > CLEAR_SPREAD;
            matters && first.r2 > 1.0 - EARNED * EARNED && first.is_beyond_chance(tries, CLEAR_ACCIDENT)
        });
        let mut features = vec![best];
        for (_, j) in others {
            let is_new = features.iter().all(|&i| {
                let (sizes, _) = self.logs(&[i, j], &[]);
                r_squared(&sizes[0], &sizes[1]).unwrap_or(1.0) < SAME_FEATURE
            });
            if features.len() < MOST_FEATURES && is_new {
                features.push(j);
            }
        }
        features.sort_unstable();
        (features.len() > 1).then_some(Needed { features, clearly })
    }

    /// Returns the logarithms of features, `[features][runs]`, and of costs, for the runs that have all of them.
    fn logs(&self, features: &[usize], costs: &[f64]) -> (Vec<Vec<f64>>, Vec<f64>) {
        let rows = self.rows(features, costs);
        let sizes = (0..features.len()).map(|j| rows.iter().map(|row| row.1[j].ln()).collect()).collect();
        (sizes, rows.iter().filter_map(|row| Some(costs.get(row.0)?.ln())).collect())
    }

    /// Returns the workloads for which all of these features are positive, with their values. Their costs, if given,
    /// must be positive too.
    fn rows(&self, features: &[usize], costs: &[f64]) -> Vec<(usize, Vec<f64>)> {
        let value = |j: &usize, i: usize| {
            let column = &self.columns[*j];
            let at = column.present.binary_search(&i).ok()?;
            Some(column.values[at]).filter(|v| *v > 0.0)
        };
        let row = |i: usize| -> Option<(usize, Vec<f64>)> {
            let is_usable = costs.get(i).is_none_or(|cost| *cost > 0.0);
            let values: Option<Vec<f64>> = features.iter().map(|j| value(j, i)).collect();
            values.filter(|_| is_usable).map(|values| (i, values))
        };
        self.columns[features[0]].present.iter().filter_map(|&i| row(i)).collect()
    }
}

/// Returns `√(Σ residual² / (k − parameters))`; `None` without degrees of freedom.
fn per_degree(residuals: impl Iterator<Item = f64>, parameters: usize) -> Option<f64> {
    let squares: Vec<f64> = residuals.map(|r| r * r).collect();
    let freedom = squares.len().checked_sub(parameters).filter(|f| *f > 0)?;
    Some((squares.iter().sum::<f64>() / freedom as f64).sqrt()).filter(|spread| spread.is_finite())
}

/// Returns the features that matter in the model: they occur in terms that exceed [`NEGLIGIBLE_SPREAD`] of some
/// workload's cost.
fn used(model: &JointModel, rows: &[(usize, Vec<f64>)]) -> Vec<FeatureIndex> {
    let best = &model.law.sums[0];
    let matters = |term: &&trend_model::LawTerm| {
        rows.iter().any(|(_, point)| term.cost(point) / best.cost(point) > NEGLIGIBLE_SPREAD)
    };
    let terms = best.terms.iter().filter(matters);
    let mut used: Vec<FeatureIndex> =
        terms.flat_map(|term| term.factors.iter().flat_map(|factor| factor.features())).collect();
    used.sort_unstable();
    used.dedup();
    used
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::analyze;
    use crate::findings::Findings;
    use crate::options::Options;

    /// 36 combinations of two features `x` and `y`, and a cost with a few per cent of noise; `z` is unrelated.
    fn findings(cost: fn(f64, f64) -> f64, options: &Options) -> Findings {
        let x: Vec<f64> = (0..36).map(|i| f64::from(10 * 2_i32.pow(i % 6))).collect();
        let y: Vec<f64> = (0..36).map(|i| f64::from(5 * 3_i32.pow(i / 6))).collect();
        let z: Vec<f64> = (0..36).map(|i| f64::from(3 + i * 17 % 37)).collect();
        let wobble = |i: usize| 1.0 + ((i * 7919) % 13) as f64 / 300.0;
        let text = |v: Vec<f64>| v.iter().map(f64::to_string).collect::<Vec<_>>().join(" ");
        let costs = (0..36).map(|i| (1000.0 * cost(x[i], y[i]) * wobble(i)).round()).collect();
        let text = format!("x: {}\ny: {}\nz: {}\na.c:1:f: {}", text(x), text(y), text(z), text(costs));
        analyze(&Study::from_text(&text).unwrap(), options).unwrap()
    }

    #[test]
    fn products_and_sums_are_found_and_a_feature_without_part_is_not_in_them() {
        let product = findings(|x, y| x * x * y, &Options::default());
        for joint in
            [&product.total.fits.joint, &product.clusters[0].fits.joint, &product.functions[0].fits.joint]
        {
            let joint = joint.as_ref().unwrap();
            assert!(joint.support > 0.8 && joint.r2 > 0.99, "{joint:?}");
            let formula = joint.law.formula();
            assert!(formula.contains("·x^2·y") && !formula.contains('z'), "{formula}");
        }
        let sum = findings(|x, y| 3.0 * x + y * y, &Options::default());
        let formula = sum.total.fits.joint.as_ref().unwrap().law.formula();
        assert!(formula.contains("·x") && formula.contains("·y^2"), "{formula}");
    }

    #[test]
    fn one_feature_that_explains_the_cost_stays_alone() {
        for cost in [|x: f64, _: f64| x * x, |x: f64, _| 5.0 + x * x.log2(), |_, _| 4.0] {
            assert!(findings(cost, &Options::default()).total.fits.joint.is_none());
        }
    }

    #[test]
    fn models_in_one_feature_say_which_ones_together_explain_the_cost() {
        let total = findings(|x, y| x * y, &Options::default()).total;
        let is_told = |doubt: &Doubt| {
            let together = Explanation::Together(vec!["x".into(), "y".into()]);
            matches!(doubt, Doubt::Diagnosed { better: Some(better), .. } if **better == together)
        };
        assert!(total.fits.models[0].doubts.iter().any(is_told), "{:?}", total.fits.models[0].doubts);
    }

    #[test]
    fn features_that_somebody_names_are_the_models_features() {
        let joint = vec!["y".to_owned(), "z".to_owned()];
        let findings = findings(|x, y| x * y, &Options { joint, ..Options::default() });
        assert!(findings.total.fits.joint.iter().all(|joint| joint.law.features == ["y", "z"]));
    }

    #[test]
    fn a_named_feature_without_part_in_the_cost_makes_no_joint_model() {
        let joint = vec!["x".to_owned(), "z".to_owned()];
        let total = findings(|x, _| x * x, &Options { joint, ..Options::default() }).total;
        assert!(total.fits.joint.is_none());
        let no_joint = total.fits.models[0].doubts.iter().find(|doubt| doubt.kind() == "no_joint").unwrap();
        let features = vec!["x".into(), "z".into()];
        assert_eq!(*no_joint, Doubt::NoJoint { features, why: NoJoint::OnePart("x".into()) });
        let unasked = findings(|x, _| x * x, &Options::default()).total;
        assert!(unasked.fits.models.iter().flat_map(|m| &m.doubts).all(|w| w.kind() != "no_joint"));
    }
}
