//! A candidate with its fit and its evidence. This module compares nothing.

use super::columns::Columns;
use super::evidence::{Evidence, HALF_LOG_TAU};
use super::free::Free;
use crate::growth::fits::fit::{Design, Fit};
use crate::growth::fits::points::Points;
use crate::laws::class::{GrowthClass, Term};
use crate::numerics::linear_system::MOST;

/// A sum of terms, each relative to its value at the largest size.
pub(crate) type Column = Vec<(f64, Term)>;

/// A candidate that the data allow, with its fit.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    pub(crate) class: GrowthClass,
    pub(crate) fit: Fit,
    pub(crate) evidence: Evidence,
    pub(super) columns: Vec<Column>,
    pub(super) free: Option<Free>,
    /// Smallest size at which `columns` hold.
    pub(crate) from: f64,
    /// For a model of pieces, the columns of the design: one value per parameter and point.
    pub(super) pieces: Option<Vec<Vec<f64>>>,
}

impl Model {
    /// Creates a model of pieces. `upper` holds the columns of the first parameters in the piece of the largest sizes,
    /// which begins at `from`.
    pub(crate) fn of_pieces(
        class: GrowthClass,
        fit: Fit,
        evidence: Evidence,
        (from, upper): (f64, Vec<Column>),
        pieces: Vec<Vec<f64>>,
    ) -> Self {
        Self { class, fit, evidence, columns: upper, free: None, from, pieces: Some(pieces) }
    }

    /// Returns the key that groups models of the same class: free exponents differ from fit to fit.
    pub(crate) fn family(&self) -> (bool, GrowthClass) {
        let is_of_all = self.from == 0.0 && !GrowthClass::FIXED.contains(&self.class);
        match self.free.filter(|_| is_of_all) {
            Some(Free::Power { log }) => (true, GrowthClass::free(0.0, log)),
            Some(Free::Base) => (true, GrowthClass::exponential(1.0)),
            None => (false, self.class),
        }
    }

    /// Returns true unless the model is a sum of positive powers and logarithms.
    pub(crate) fn is_no_sum(&self) -> bool {
        let is_negative = self.fit.coefficients.iter().any(|c| *c < 0.0);
        self.pieces.is_some() || is_negative || self.class.term().explodes()
    }

    /// Returns the log prior probability of the parameters around the fit, except for the total.
    pub(crate) fn log_prior_of_fit(&self, independent: f64) -> f64 {
        self.evidence.log(independent) - independent * self.fit.log_likelihood - HALF_LOG_TAU
    }

    /// Drops per-point data; [`Self::predict`] stays the same.
    pub(crate) fn forget_points(&mut self) {
        self.fit.standardized = Vec::new();
        self.pieces = None;
    }

    /// Returns `ln(ŷ/y_max)` at `x` and its standard error.
    pub(crate) fn predict(&self, points: &Points, x: f64) -> (f64, f64) {
        let mut gradient = [0.0; MOST];
        let mut value = 0.0;
        for (j, column) in self.columns.iter().enumerate() {
            gradient[j] = column.iter().map(|&(weight, term)| weight * points.relative(term, x)).sum();
            value += self.fit.coefficients[j] * gradient[j];
        }
        if let Some(free) = self.free {
            gradient[self.columns.len()] =
                self.fit.coefficients[0] * gradient[0] * free.derivative(points, x);
        }
        for derivative in &mut gradient {
            *derivative /= value;
        }
        (value.ln(), self.fit.variance(&gradient).sqrt())
    }

    /// Returns coefficients and terms in plain x, leading term first.
    pub(crate) fn terms(&self, points: &Points) -> Vec<(f64, Term)> {
        let mut terms: Vec<(f64, Term)> = Vec::new();
        for (column, coefficient) in self.columns.iter().zip(self.fit.coefficients) {
            for &(weight, term) in column {
                for (value, term) in points.absolute(coefficient * weight, term) {
                    match terms.iter_mut().find(|(_, other)| *other == term) {
                        Some((sum, _)) => *sum += value,
                        None if value != 0.0 => terms.push((value, term)),
                        None => {}
                    }
                }
            }
        }
        terms.sort_by(|p, q| order(q.1).total_cmp(&order(p.1)));
        terms
    }

    /// Returns the log density of the largest sizes, the points at index `from` and above, as predicted from the
    /// others.
    pub(crate) fn log_predictive(&self, points: &Points, columns: &Columns, from: usize) -> f64 {
        let term_column = |term: Term| {
            let fixed = GrowthClass::FIXED.iter().position(|class| class.term() == term);
            fixed.map_or_else(|| points.column(term), |i| columns.fixed[i].clone())
        };
        let sum = |column: &Column| {
            let mut values = vec![0.0; points.len()];
            for &(weight, term) in column {
                for (value, part) in values.iter_mut().zip(term_column(term)) {
                    *value += weight * part;
                }
            }
            values
        };
        let made: Vec<Vec<f64>> =
            self.pieces.clone().unwrap_or_else(|| self.columns.iter().map(sum).collect());
        let exponent = self.free.map(|free| free.search(columns, self.fit.exponent));
        let design = Design { columns: made.iter().map(Vec::as_slice).collect(), exponent };
        Fit::new(points, from, &design)
            .map_or(f64::NEG_INFINITY, |fit| fit.log_predictive(points, from, &design))
    }
}

/// Returns a key that sorts terms by growth.
fn order(term: Term) -> f64 {
    match term {
        // Every exponent is smaller than this.
        Term::Factorial | Term::TimesExponential { .. } => f64::INFINITY,
        Term::Exponential { .. } => f64::MAX,
        Term::Power { exponent, log } => exponent + if log { 1e-6 } else { 0.0 },
    }
}
