//! Finds the parameter of the sweep that sets a feature, and its value for a wanted size.

use std::collections::BTreeMap;

use trend_model::PowerLaw;
use trend_profile::{Definition, Study};
use trend_run::{Config, Parameter, Plan, parse_quantity};

/// Minimum R² of a power law for a feature to follow a parameter.
const FOLLOWS_R2: f64 = 0.9;

/// A parameter, and the feature that it sets.
pub(crate) struct Steering {
    /// Index of the feature.
    pub(crate) feature: usize,
    /// Name of the parameter.
    pub(crate) parameter: String,
    /// Values of the parameter and of the feature, ascending with positive logarithmic slope. Empty if the feature is
    /// the parameter itself.
    points: Vec<(f64, f64)>,
    is_integer: bool,
}

/// Returns true if a parameter could set a size.
pub(crate) fn has_size_parameter(config: &Config) -> bool {
    size_parameters(config).next().is_some()
}

/// Returns the name of the first numeric parameter, which most likely sets the size.
pub(crate) fn first_numeric_parameter(config: &Config) -> Option<&str> {
    size_parameters(config).next().map(|parameter| parameter.name.as_str())
}

fn size_parameters(config: &Config) -> impl Iterator<Item = &Parameter> {
    config.workloads.parameters.iter().filter(|p| p.is_numeric() && !p.is_repetition())
}

impl Steering {
    /// Finds the first feature that is a parameter or follows one.
    pub(crate) fn new(plan: &Plan, study: &Study) -> Option<Self> {
        let config = &plan.config;
        let feature = |(i, feature): (usize, &trend_profile::Feature)| {
            if let Definition::Parameter(name) = &feature.definition {
                let parameter = size_parameters(config).find(|p| p.name == *name)?;
                return Some(Self::for_parameter(i, parameter, Vec::new()));
            }
            let follows = |parameter: &Parameter| {
                let points = points(parameter, &feature.values, plan, study);
                let (x, y): (Vec<f64>, Vec<f64>) = points.iter().copied().unzip();
                let law = PowerLaw::fit(&x, &y).ok().filter(|law| law.b > 0.0 && law.r2 >= FOLLOWS_R2)?;
                Some((law.r2, Self::for_parameter(i, parameter, points)))
            };
            size_parameters(config)
                .filter_map(follows)
                .max_by(|p, q| p.0.total_cmp(&q.0))
                .map(|(_, steering)| steering)
        };
        study.features().iter().enumerate().find_map(feature)
    }

    fn for_parameter(feature: usize, parameter: &Parameter, points: Vec<(f64, f64)>) -> Self {
        let is_integer = parameter.values.iter().all(|v| parse_quantity(v).is_ok_and(|v| v.fract() == 0.0));
        Self { feature, parameter: parameter.name.clone(), points, is_integer }
    }

    /// Returns the feature's size that a workload of this name has or would have.
    pub(crate) fn size_in(&self, workload: &str) -> Option<f64> {
        let assigned = format!("{}=", self.parameter);
        let value = workload.split(' ').find_map(|word| word.strip_prefix(&assigned))?;
        let value = parse_quantity(value).ok()?;
        if self.points.is_empty() { Some(value) } else { interpolated(&self.points, value) }
    }

    /// Returns the parameter's value for a size of the feature, as passed to the program.
    pub(crate) fn value_for(&self, size: f64) -> Option<String> {
        let value = if self.points.is_empty() {
            size
        } else {
            let swapped: Vec<(f64, f64)> = self.points.iter().map(|&(x, y)| (y, x)).collect();
            format!("{:.1e}", interpolated(&swapped, size)?).parse().ok()?
        };
        let value = if self.is_integer { value.round().max(1.0) } else { value };
        value.is_finite().then(|| format!("{value}"))
    }
}

/// Returns the values of a parameter with the median of the feature, both ascending; pairs that break the order are
/// left out.
fn points(parameter: &Parameter, values: &[Option<f64>], plan: &Plan, study: &Study) -> Vec<(f64, f64)> {
    let of_name: BTreeMap<&str, f64> = plan
        .workloads
        .iter()
        .filter_map(|w| {
            let (_, value) = w.parameters.iter().find(|(name, _)| *name == parameter.name)?;
            Some((w.workload.name.as_str(), parse_quantity(value).ok()?))
        })
        .collect();
    let mut pairs: Vec<(f64, f64)> = study
        .workloads()
        .iter()
        .zip(values)
        .filter_map(|(w, value)| Some((*of_name.get(w.name.as_str())?, (*value)?)))
        .filter(|&(x, y)| x > 0.0 && y > 0.0)
        .collect();
    pairs.sort_by(|p, q| p.0.total_cmp(&q.0).then(p.1.total_cmp(&q.1)));
    let middles = pairs.chunk_by(|p, q| p.0 == q.0).map(|group| group[group.len() / 2]);
    let mut rising: Vec<(f64, f64)> = Vec::new();
    for point in middles {
        if rising.last().is_none_or(|last| last.1 < point.1) {
            rising.push(point);
        }
    }
    rising
}

/// Returns the value at `x` on the curve through the points, which is piecewise linear in the logarithms. Beyond the
/// points, it continues with their overall slope.
fn interpolated(points: &[(f64, f64)], x: f64) -> Option<f64> {
    let (first, last) = (points.first()?, points.last()?);
    if first.0 >= last.0 || x <= 0.0 {
        return None;
    }
    let line = |p: &(f64, f64), q: &(f64, f64), from: &(f64, f64)| {
        let slope = (q.1 / p.1).ln() / (q.0 / p.0).ln();
        from.1 * (x / from.0).powf(slope)
    };
    let value = if x <= first.0 {
        line(first, last, first)
    } else if x >= last.0 {
        line(first, last, last)
    } else {
        let i = points.partition_point(|p| p.0 < x);
        line(&points[i - 1], &points[i], &points[i - 1])
    };
    value.is_finite().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steering(points: &[(f64, f64)]) -> Steering {
        Steering { feature: 0, parameter: "n".to_owned(), points: points.to_vec(), is_integer: true }
    }

    #[test]
    fn a_feature_that_is_the_parameter_is_set_to_the_size() {
        assert_eq!(steering(&[]).value_for(200_000.0).as_deref(), Some("200000"));
        assert_eq!(steering(&[]).size_in("seed=3 n=600"), Some(600.0));
        assert_eq!(steering(&[]).size_in("seed=3 nn=600"), None);
    }

    #[test]
    fn a_feature_that_follows_is_set_through_the_recorded_runs() {
        // bytes = 4·n, then 8·n.
        let bytes = steering(&[(100.0, 400.0), (200.0, 800.0), (400.0, 3200.0)]);
        assert_eq!(bytes.value_for(560.0).as_deref(), Some("140"));
        assert_eq!(bytes.size_in("n=100"), Some(400.0));
        // Beyond the ends, the curve has the overall slope, 1.5.
        assert_eq!(bytes.value_for(3200.0 * 8.0).as_deref(), Some("1600"));
        assert_eq!(steering(&[(100.0, 400.0)]).value_for(500.0), None);
    }
}
