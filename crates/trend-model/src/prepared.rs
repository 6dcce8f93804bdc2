//! A feature and costs, prepared for all that is asked of them: what every fit of many rows of costs to one feature would
//! compute again is here computed once. Fits nothing itself, and gives to the last bit what [`PowerLaw::fit`],
//! [`Linear::fit`] and [`diagnose`](crate::diagnose) give.

use std::sync::OnceLock;

use crate::curvature::Basis;
use crate::logarithms::replace_normal_by_ln;
use crate::power_law::{LogPoints, PowerLaw};
use crate::regression::{Abscissa, are_finite};
use crate::{Diagnosis, FitError, Growth, Linear, diagnosis};

/// The values of a feature, `[points]`, to which many rows of costs are fitted.
#[derive(Debug)]
pub struct FeatureValues {
    values: Vec<f64>,
    /// Where all are finite.
    line: Option<Abscissa>,
    /// Where all have a logarithm and it can be had together with others.
    logs: Option<Logs>,
    /// Of the logarithms, where they ascend; made when it is first needed.
    basis: OnceLock<Option<Basis>>,
}

#[derive(Debug)]
struct Logs {
    values: Vec<f64>,
    line: Abscissa,
}

/// A row of costs, `[points]`, with the logarithms.
#[derive(Clone, Debug, PartialEq)]
pub struct Costs {
    values: Vec<f64>,
    /// Where all have one and it can be had together with others.
    logs: Option<Vec<f64>>,
}

impl Costs {
    /// Of any values.
    ///
    /// - Time: O(k), a logarithm per value.
    pub fn new(values: Vec<f64>) -> Self {
        Self { logs: logs(&values), values }
    }

    /// As given.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The same in another order: where every value comes from.
    ///
    /// # Panics
    ///
    /// When there is no such value.
    #[must_use]
    pub fn in_order(&self, order: &[usize]) -> Self {
        let ordered = |values: &[f64]| order.iter().map(|&i| values[i]).collect::<Vec<f64>>();
        Self { values: ordered(&self.values), logs: self.logs.as_deref().map(ordered) }
    }

    pub(crate) fn logs(&self) -> Option<&[f64]> {
        self.logs.as_deref()
    }

    /// Whether all are positive, finite and no rounded trifles.
    pub fn are_all_positive(&self) -> bool {
        self.logs.is_some()
    }
}

impl FeatureValues {
    /// Of any values.
    ///
    /// - Time: O(k), a logarithm per value.
    pub fn new(values: Vec<f64>) -> Self {
        let line = are_finite(&values).then(|| Abscissa::new(&values));
        let logs = logs(&values).map(|values| Logs { line: Abscissa::new(&values), values });
        Self { values, line, logs, basis: OnceLock::new() }
    }

    /// As given.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// [`PowerLaw::fit`] of these costs.
    ///
    /// # Errors
    ///
    /// Those of [`PowerLaw::fit`].
    pub fn power_law(&self, costs: &Costs) -> Result<PowerLaw, FitError> {
        match (&self.logs, &costs.logs) {
            (Some(x), Some(y)) if x.values.len() == y.len() => {
                PowerLaw::of_line(&x.line.fit_to(y)?, self.values.len())
            }
            _ => PowerLaw::fit(&self.values, &costs.values),
        }
    }

    /// [`Linear::fit`] of these costs.
    ///
    /// # Errors
    ///
    /// Those of [`Linear::fit`].
    pub fn linear(&self, costs: &Costs) -> Result<Linear, FitError> {
        match &self.line {
            Some(x) if self.values.len() == costs.values.len() && are_finite(&costs.values) => {
                Ok(Linear::of_line(&x.fit_to(&costs.values)?))
            }
            _ => Linear::fit(&self.values, &costs.values),
        }
    }

    /// [`diagnose`](crate::diagnose) of these costs.
    pub fn diagnose(&self, costs: &Costs, fit: &PowerLaw, growth: Option<&Growth>) -> Vec<Diagnosis> {
        diagnosis::of_points(&self.log_points(costs), self.basis(), fit, growth)
    }

    /// [`diagnose_scatter`](crate::diagnose_scatter) of these costs.
    pub fn diagnose_scatter(&self, costs: &Costs, fit: &PowerLaw) -> Option<Diagnosis> {
        diagnosis::scatter(&self.log_points(costs), fit)
    }

    fn log_points<'a>(&'a self, costs: &'a Costs) -> LogPoints<'a> {
        match (&self.logs, &costs.logs) {
            (Some(x), Some(y)) if x.values.len() == y.len() => {
                LogPoints { x: x.values.as_slice().into(), y: y.as_slice().into() }
            }
            _ => LogPoints::new(&self.values, &costs.values),
        }
    }

    fn basis(&self) -> Option<&Basis> {
        let logs = self.logs.as_ref()?.values.as_slice();
        let basis = || if logs.is_sorted() { Basis::new(logs) } else { None };
        self.basis.get_or_init(basis).as_ref()
    }
}

/// Logarithms of values that are all positive and normal, as [`LogPoints`] has them.
fn logs(values: &[f64]) -> Option<Vec<f64>> {
    let are_normal = values.iter().all(|value| value.is_normal() && *value > 0.0);
    are_normal.then(|| {
        let mut logs = values.to_vec();
        replace_normal_by_ln(&mut logs);
        logs
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{diagnose, diagnose_scatter};

    proptest! {
        #[test]
        fn what_is_prepared_gives_the_same_to_the_last_bit(
            x in prop::collection::vec(prop_oneof![1 => Just(0.0), 20 => (0..60_i32).prop_map(|i| 10f64.powf(f64::from(i) / 12.0))], 2..80),
            noise in prop::collection::vec(prop_oneof![1 => Just(0.0), 60 => 0.5..2.0f64, 20 => Just(1.0)], 80),
            (exponent, jump) in (0.0..2.5f64, prop_oneof![Just(1.0), Just(8.0)]),
            sorted in prop::bool::ANY,
        ) {
            let mut x = x;
            if sorted {
                x.sort_by(f64::total_cmp);
            }
            let cost = |(i, (x, noise)): (usize, (&f64, &f64))| {
                x.powf(exponent) * noise * if i % 2 == 0 { jump } else { 1.0 }
            };
            let y: Vec<f64> = x.iter().zip(&noise).enumerate().map(cost).collect();
            let (feature, costs) = (FeatureValues::new(x.clone()), Costs::new(y.clone()));
            prop_assert_eq!(feature.linear(&costs), Linear::fit(&x, &y));
            let fit = feature.power_law(&costs);
            prop_assert_eq!(&fit, &PowerLaw::fit(&x, &y));
            if let Ok(fit) = fit {
                for _ in 0..2 {
                    prop_assert_eq!(feature.diagnose(&costs, &fit, None), diagnose(&x, &y, &fit, None));
                }
                prop_assert_eq!(feature.diagnose_scatter(&costs, &fit), diagnose_scatter(&x, &y, &fit));
            }
            let backwards: Vec<usize> = (0..y.len()).rev().collect();
            prop_assert_eq!(costs.in_order(&backwards), Costs::new(y.into_iter().rev().collect()));
        }
    }

    #[test]
    fn what_cannot_be_fitted_says_the_same() {
        for (x, y) in [
            (vec![1.0, 2.0], vec![1.0, 2.0, 3.0]),
            (vec![1.0], vec![1.0]),
            (vec![], vec![]),
            (vec![3.0, 3.0], vec![1.0, 2.0]),
            (vec![1.0, f64::NAN], vec![1.0, 2.0]),
            (vec![1.0, 2.0], vec![1.0, f64::INFINITY]),
            (vec![-1e308, 1.7e308], vec![1.0, 2.0]),
            (vec![1e9, 1e9 + 1.0], vec![1.0, 1e9]),
            (vec![5e-324, 1.0, 2.0], vec![1.0, 5e-324, 3.0]),
        ] {
            let (feature, costs) = (FeatureValues::new(x.clone()), Costs::new(y.clone()));
            assert_eq!(feature.linear(&costs), Linear::fit(&x, &y));
            assert_eq!(feature.power_law(&costs), PowerLaw::fit(&x, &y));
        }
    }
}
