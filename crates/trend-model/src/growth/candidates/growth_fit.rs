//! The best model of a growth class, in plain units. This module fits and weighs nothing.

use super::model::Model;
use crate::growth::fits::points::Points;
use crate::laws::class::{GrowthClass, Term};
use crate::laws::law::{LawSum, LawTerm, scaled};

/// The best model of a growth class.
#[derive(Clone, Debug)]
pub struct GrowthFit {
    /// Growth class of the model.
    pub class: GrowthClass,
    /// Probability-like weight that the data give the class, over all models with its leading term.
    pub support: f64,
    /// Coefficients and terms, the leading one first.
    pub terms: Vec<(f64, Term)>,
    /// Standard deviation of log cost around the model.
    pub spread: f64,
    /// Smallest feature value at which the terms hold: 0, or the start of the upper of two pieces.
    pub from: f64,
}

impl GrowthFit {
    pub(crate) fn new(points: &Points, model: &Model, support: f64) -> Self {
        let (class, spread, from) = (model.class, model.fit.sigma, model.from);
        Self { class, support, terms: model.terms(points), spread, from }
    }

    /// Returns the model as a law's only sum, with weight 1.
    pub fn sum(&self) -> LawSum {
        let terms =
            self.terms.iter().map(|&(coefficient, term)| LawTerm::of_one(coefficient, term)).collect();
        LawSum { weight: 1.0, class: Some(self.class), terms, from: self.from }
    }

    /// Returns the model's cost at feature value `x`; NaN below [`Self::from`].
    pub fn predict(&self, x: f64) -> f64 {
        if x < self.from {
            return f64::NAN;
        }
        self.terms.iter().map(|&(coefficient, term)| scaled(coefficient, term, x)).sum()
    }

    /// Returns the model as text with the given variable; see [`LawSum::formula`].
    pub fn formula(&self, variable: &str) -> String {
        self.sum().formula(&[variable])
    }
}
