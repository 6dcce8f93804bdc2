//! Models of a cost in up to a few features at once: sums of products such as `1 + 0.2·x^2·log y`, with only the terms
//! that earn their place. For one feature, `growth` finds out more.
//!
//! All fitted models compete by their evidence, as growth classes do.

use std::collections::BTreeSet;

use super::leading::Corners;
use super::mixture::{MixturePart, SMALLEST_PART, interval};
use super::neighbours::are_alike;
use super::products::{Product, products, values};
use super::search::{Fitted, Shape, fit, search, sorted};
use crate::error::FitError;
use crate::growth::fits::fit::Fit;
use crate::growth::fits::points::Points;
use crate::laws::law::{Factor, Law, LawSum, LawTerm};
use crate::lines::regression::check_points;
use crate::numerics::linear_system::MOST;
use crate::statistics::interval::Interval;

/// A sum of products of functions of features.
#[derive(Clone, Debug)]
pub struct JointModel {
    /// The terms of the best model, by falling share in the largest cost; the constant last.
    pub terms: Vec<LawTerm>,
    /// The law of the cost: the best model if it is decided, otherwise the models that have nearly all of the support.
    pub law: Law,
    /// Probability-like weight that the data give to the laws with the same leading terms. The supports of all
    /// considered models sum to 1.
    pub support: f64,
    /// True if laws with the same leading terms have nearly all of the support, and the residuals have no pattern.
    pub decided: bool,
    /// Fraction of the variance of log cost that the model explains; 1 for a constant cost.
    pub r2: f64,
    /// All models with more than a negligible weight, for intervals.
    models: Vec<Weighed>,
    y_max: f64,
}

/// A model with its weight.
#[derive(Clone, Debug)]
struct Weighed {
    weight: f64,
    /// Factors that each coefficient multiplies, with their largest value among the points, which is the unit.
    columns: Vec<(f64, Vec<Factor>)>,
    fit: Fit,
}

/// Total support of the models that an undecided law averages.
const NAMED: f64 = 0.98;

/// Maximum number of models that an undecided law averages.
const MOST_NAMED: usize = 4;

/// Minimum support for the leading terms to be decided.
const DECIDED: f64 = 0.92;

/// Maximum number of points for the search. With more points, a sample is searched and only its best models are fitted
/// to all.
const MOST_SEARCHED: usize = 60;

/// Number of models from the search on a sample that are fitted to all points.
const REFITTED: usize = 12;

/// Finds the sum of products of functions of the features that describes the cost. `features[j][i]` and `y[i]` belong
/// to the same point. Up to three features are practical.
///
/// - Time: some milliseconds for three features and 30 points.
///
/// # Errors
///
/// [`FitError::LengthMismatch`], [`FitError::NonFinite`], [`FitError::TooFewPoints`] below six distinct usable points,
/// [`FitError::ConstantFeature`] if no feature varies, [`FitError::ParametersOutOfRange`] if nothing can be fitted.
pub fn joint_growth(features: &[&[f64]], y: &[f64]) -> Result<JointModel, FitError> {
    const FEWEST_POINTS: usize = 6;
    let rows = usable_rows(features, y)?;
    if rows.len() < FEWEST_POINTS {
        return Err(FitError::TooFewPoints { points: rows.len(), needed: FEWEST_POINTS });
    }
    let step = (rows.len() as f64 / MOST_SEARCHED as f64).max(1.0);
    let searched = (0..rows.len().min(MOST_SEARCHED)).map(|i| rows[(i as f64 * step) as usize].clone());
    let searched: Vec<Vec<f64>> = searched.collect();
    let mut points = Points::unordered(&costs(&searched));
    let mut products = products(features.len(), &searched);
    if products.is_empty() {
        return Err(FitError::ConstantFeature);
    }
    let mut fitted = search(&points, &products);
    if rows.len() > MOST_SEARCHED {
        let shapes: Vec<Shape> = fitted.into_iter().take(REFITTED).map(|model| model.shape).collect();
        points = Points::unordered(&costs(&rows));
        for used in shapes.iter().flat_map(|shape| &shape.0).collect::<BTreeSet<_>>() {
            let product = &mut products[*used];
            (product.values, product.largest) = values(&product.factors, &rows);
        }
        let one = vec![1.0; points.len()];
        let refitted = shapes.into_iter().filter_map(|shape| fit(&points, &products, &one, shape));
        fitted = sorted(refitted.collect());
    }
    let best = fitted.first().ok_or(FitError::ParametersOutOfRange)?;
    let weights: Vec<f64> = fitted.iter().map(|m| (m.log_evidence - best.log_evidence).exp()).collect();
    let laws = laws(&fitted, &weights, &products, &Corners::new(&rows, features.len()));
    let support = laws.first().map_or(0.0, |law| law.support);
    let values: Vec<Vec<f64>> =
        (0..features.len()).map(|j| rows.iter().map(|row| row[j]).collect()).collect();
    let has_pattern = || !is_rounding(&best.fit, &points) && are_alike(&values, &best.fit.standardized);
    let is_first = laws.first().is_some_and(|law| std::ptr::eq(law.best, best));
    let decided = support >= DECIDED && is_first && !has_pattern();
    let models = weighed(&fitted, &weights, &products);
    let sums = named(laws, &products, points.y_max, decided);
    Ok(JointModel {
        terms: terms(best, &products, points.y_max),
        law: Law { sums },
        support,
        decided,
        r2: r2(best, &points),
        models,
        y_max: points.y_max,
    })
}

/// Returns the models with more than a negligible weight, without per-point data.
fn weighed(fitted: &[Fitted], weights: &[f64], products: &[Product]) -> Vec<Weighed> {
    let total: f64 = weights.iter().sum();
    let counts = fitted.iter().zip(weights).filter(|(_, weight)| **weight > SMALLEST_PART * total);
    let model = |(model, &weight): (&Fitted, &f64)| {
        let products = model.shape.0.iter().map(|&i| (products[i].largest, products[i].factors.clone()));
        let constant = model.shape.1.then(|| (1.0, Vec::new()));
        let fit = Fit { standardized: Vec::new(), ..model.fit.clone() };
        Weighed { weight, columns: products.chain(constant).collect(), fit }
    };
    counts.map(model).collect()
}

/// Models with the same leading terms.
struct LedAlike<'a> {
    /// Model with the highest evidence.
    best: &'a Fitted,
    /// Support of all models together.
    support: f64,
}

/// Groups the models by their leading terms, by falling support.
fn laws<'a>(
    fitted: &'a [Fitted],
    weights: &[f64],
    products: &[Product],
    corners: &Corners,
) -> Vec<LedAlike<'a>> {
    let total: f64 = weights.iter().sum();
    let mut laws: Vec<(Vec<usize>, LedAlike<'a>)> = Vec::new();
    for (model, weight) in fitted.iter().zip(weights).filter(|(_, weight)| **weight > SMALLEST_PART * total) {
        let (leading, weight) = (corners.leading(model, products), weight / total);
        match laws.iter_mut().find(|(other, _)| *other == leading) {
            Some((_, law)) => law.support += weight,
            None => laws.push((leading, LedAlike { best: model, support: weight })),
        }
    }
    laws.sort_by(|p, q| q.1.support.total_cmp(&p.1.support));
    laws.into_iter().map(|(_, law)| law).collect()
}

/// Returns the sums of a law: the best model of each group, until nearly all of the support is covered.
fn named(mut laws: Vec<LedAlike<'_>>, products: &[Product], y_max: f64, decided: bool) -> Vec<LawSum> {
    let mut support = 0.0;
    let before = laws.iter().take_while(|law| {
        support += law.support;
        support < NAMED
    });
    let count = if decided { 1 } else { (before.count() + 1).clamp(2, MOST_NAMED) };
    laws.truncate(count);
    let all: f64 = laws.iter().map(|law| law.support).sum();
    let sum = |law: LedAlike<'_>| LawSum {
        weight: law.support / all,
        class: None,
        terms: terms(law.best, products, y_max),
        from: 0.0,
    };
    laws.into_iter().map(sum).collect()
}

/// Returns true if the residuals of a fit are explained by the rounding of costs to integers and of arithmetic.
fn is_rounding(fit: &Fit, points: &Points) -> bool {
    // The known variance comes from a rounding error, which is at most √3 standard deviations.
    let is_small = |(z, variance): (&f64, &f64)| z * z * (fit.sigma * fit.sigma + variance) <= 3.0 * variance;
    fit.standardized.iter().zip(&points.known_variances).all(is_small)
}

/// Returns the terms of a model by falling share in the largest cost; the constant is last.
fn terms(model: &Fitted, products: &[Product], y_max: f64) -> Vec<LawTerm> {
    let coefficients = &model.fit.coefficients;
    let mut order: Vec<(usize, usize)> = model.shape.0.iter().copied().enumerate().collect();
    order.sort_by(|p, q| coefficients[q.0].total_cmp(&coefficients[p.0]));
    let term = |(j, i): (usize, usize)| LawTerm {
        coefficient: coefficients[j] * (y_max / products[i].largest),
        factors: products[i].factors.clone(),
    };
    let constant = coefficients[model.shape.0.len()] * y_max;
    let constant = model.shape.1.then(|| LawTerm { coefficient: constant, factors: Vec::new() });
    order.into_iter().map(term).chain(constant).collect()
}

/// Returns the last column of the rows.
fn costs(rows: &[Vec<f64>]) -> Vec<f64> {
    rows.iter().filter_map(|row| row.last().copied()).collect()
}

/// Returns the rows of features and cost in which all values are positive. Rows are sorted and deduplicated, so neither
/// order nor repetition matters.
fn usable_rows(features: &[&[f64]], y: &[f64]) -> Result<Vec<Vec<f64>>, FitError> {
    for feature in features {
        check_points(y, feature)?;
    }
    let row = |i: usize| features.iter().map(|feature| feature[i]).chain([y[i]]).collect::<Vec<f64>>();
    let mut rows: Vec<Vec<f64>> = (0..y.len()).map(row).filter(|row| row.iter().all(|&v| v > 0.0)).collect();
    rows.sort_by(|p, q| {
        p.iter().zip(q).map(|(p, q)| p.total_cmp(q)).find(|o| o.is_ne()).unwrap_or(p.len().cmp(&q.len()))
    });
    rows.dedup();
    Ok(rows)
}

/// Returns `1 − Σ residual² / Σ deviation²` of the logarithms, at least 0.
fn r2(model: &Fitted, points: &Points) -> f64 {
    let mean = points.log_y.iter().sum::<f64>() / points.len() as f64;
    let total: f64 = points.log_y.iter().map(|v| (v - mean).powi(2)).sum();
    let spread = |(z, variance): (&f64, &f64)| z * z * (model.fit.sigma.powi(2) + variance);
    let unexplained: f64 = model.fit.standardized.iter().zip(&points.known_variances).map(spread).sum();
    if total > 0.0 { (1.0 - unexplained / total).max(0.0) } else { 1.0 }
}

impl JointModel {
    /// Returns the interval of the expected cost at a point, averaged over all models with some support. The features
    /// are in the order of the fit.
    ///
    /// # Errors
    ///
    /// [`FitError::PredictionOutOfDomain`] if a feature of the models is missing or not positive,
    /// [`FitError::InvalidLevel`].
    pub fn predict_interval(&self, point: &[f64], level: f64) -> Result<Interval, FitError> {
        if !(level > 0.0 && level < 1.0) {
            return Err(FitError::InvalidLevel { level });
        }
        let part = |model: &Weighed| {
            let mut gradient = [0.0; MOST];
            for (value, (largest, factors)) in gradient.iter_mut().zip(&model.columns) {
                *value = factors.iter().map(|factor| factor.value(point)).product::<f64>() / largest;
            }
            let cost: f64 = gradient.iter().zip(&model.fit.coefficients).map(|(z, c)| z * c).sum();
            let error = model.fit.variance(&gradient.map(|z| z / cost)).sqrt();
            let is_cost = cost.is_finite() && cost > 0.0;
            MixturePart::new(model.weight, cost.ln(), error, model.fit.degrees_of_freedom).filter(|_| is_cost)
        };
        let parts: Option<Vec<MixturePart>> = self.models.iter().map(part).collect();
        let Some(parts) = parts.filter(|parts| !parts.is_empty()) else {
            return Err(FitError::PredictionOutOfDomain { at: point.first().copied().unwrap_or(f64::NAN) });
        };
        Ok(interval(&parts, level).map(|log| log.exp() * self.y_max))
    }
}

#[cfg(test)]
mod tests;
