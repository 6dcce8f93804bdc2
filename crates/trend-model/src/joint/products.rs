//! The possible terms of a sum: products of functions of features. This module fits nothing.

use crate::laws::class::{GrowthClass, Term};
use crate::laws::law::{Factor, FeatureIndex};

/// Prior probability that a term is a product of two features; its square is the probability for three.
const PRODUCT: f64 = 0.3;

/// Classes of the factors.
const FACTORS: [GrowthClass; 7] = [
    GrowthClass::Logarithmic,
    GrowthClass::SquareRoot,
    GrowthClass::Linear,
    GrowthClass::Linearithmic,
    GrowthClass::ThreeHalves,
    GrowthClass::Quadratic,
    GrowthClass::Cubic,
];

/// Classes that a further feature may divide. For example, `n^2/m` is the cost of n searches in a hash table with n
/// entries and m buckets.
const DIVIDED: [GrowthClass; 3] = [GrowthClass::Linear, GrowthClass::Linearithmic, GrowthClass::Quadratic];

/// A possible term: its factors, its values in units of the largest value, and that largest value.
pub(super) struct Product {
    pub(super) factors: Vec<Factor>,
    pub(super) values: Vec<f64>,
    pub(super) largest: f64,
    pub(super) log_prior: f64,
}

/// Returns all products of one factor per feature, for up to three varying features. Adds the smaller of two features,
/// and functions of one feature divided by another.
pub(super) fn products(features: usize, rows: &[Vec<f64>]) -> Vec<Product> {
    let smallest = |j: usize| rows.iter().map(|row| row[j]).fold(f64::INFINITY, f64::min);
    let varying: Vec<(usize, f64)> = (0..features)
        .map(|j| (j, smallest(j)))
        .filter(|&(j, least)| rows.iter().any(|row| row[j] != least))
        .collect();
    // A logarithm is negative below 1.
    let has_log = |class: &GrowthClass| matches!(class.term(), Term::Power { log: true, .. });
    let feature_factors = |&(j, least): &(usize, f64), classes: &[GrowthClass]| -> Vec<Factor> {
        let allowed = classes.iter().filter(|class| least >= 1.0 || !has_log(class));
        allowed.map(|class| Factor::Of(FeatureIndex(j), class.term())).collect()
    };
    let mut all: Vec<Vec<Factor>> = vec![Vec::new()];
    for feature in &varying {
        let longer: Vec<_> = all
            .iter()
            .filter(|factors| factors.len() < 3)
            .flat_map(|factors| {
                let with = |factor| factors.iter().copied().chain([factor]).collect();
                feature_factors(feature, &FACTORS).into_iter().map(with).collect::<Vec<Vec<_>>>()
            })
            .collect();
        all.extend(longer);
    }
    all.retain(|factors| !factors.is_empty());
    for (i, one) in varying.iter().enumerate() {
        let indices = [FeatureIndex(one.0)];
        for (j, other) in varying.iter().enumerate().filter(|&(j, _)| j != i) {
            if i < j {
                all.push(vec![Factor::Least(indices[0], FeatureIndex(other.0))]);
            }
            let inverse = Factor::Inverse(FeatureIndex(other.0));
            all.extend(feature_factors(one, &DIVIDED).into_iter().map(|factor| vec![factor, inverse]));
        }
    }
    let parts = |factors: &[Factor]| factors.iter().flat_map(|factor| factor.features()).count();
    let of_length = |length: usize| all.iter().filter(|factors| parts(factors) == length).count() as f64;
    let counts = [1.0, of_length(1), of_length(2), of_length(3)];
    let product = |factors: &Vec<Factor>| {
        let (values, largest) = values(factors, rows);
        let parts = parts(factors);
        let log_prior = (parts as f64 - 1.0) * PRODUCT.ln() - counts[parts].ln();
        largest.is_normal().then(|| Product { factors: factors.clone(), values, largest, log_prior })
    };
    all.iter().filter_map(product).collect()
}

/// Returns a product of factors at the rows, in units of its largest value, and that value.
pub(super) fn values(factors: &[Factor], rows: &[Vec<f64>]) -> (Vec<f64>, f64) {
    let value = |row: &Vec<f64>| factors.iter().map(|factor| factor.value(row)).product::<f64>();
    let values: Vec<f64> = rows.iter().map(value).collect();
    let largest = values.iter().copied().fold(0.0, f64::max);
    (values.into_iter().map(|v| v / largest).collect(), largest)
}
