//! What is told of a growth class: its best model in plain units. Fits and weighs nothing.

use super::class::{GrowthClass, Term, formula, four_digits};

/// The best model of a growth class.
#[derive(Clone, Debug)]
pub struct GrowthFit {
    /// The class.
    pub class: GrowthClass,
    /// Probability-like weight that the data give the class, over all models with its leading term.
    pub support: f64,
    /// Coefficients and terms, the leading one first.
    pub terms: Vec<(f64, Term)>,
    /// Standard deviation of log cost about the model.
    pub spread: f64,
    /// The smallest feature value that the terms are of: 0, or where the upper of two pieces begins.
    pub from: f64,
}

impl GrowthFit {
    /// The model's cost at feature value `x`; NaN below [`Self::from`].
    pub fn predict(&self, x: f64) -> f64 {
        if x < self.from {
            return f64::NAN;
        }
        self.terms.iter().map(|&(coefficient, term)| product(coefficient, term, x)).sum()
    }

    /// The model as text, such as `1.5·n^2 + 3·n` for the variable `n`, or `5·n (n ≥ 4000)` for an upper piece. `log` is
    /// the logarithm to base 2.
    pub fn formula(&self, variable: &str) -> String {
        let terms = formula(&self.terms, variable);
        if self.from > 0.0 { format!("{terms} ({variable} ≥ {})", four_digits(self.from)) } else { terms }
    }
}

/// `coefficient` times the term at `x`, also where the term overflows and the product does not.
fn product(coefficient: f64, term: Term, x: f64) -> f64 {
    let value = term.value(x);
    if value.is_infinite() && term.explodes() {
        return (coefficient.abs().ln() + term.log_value(x)).exp().copysign(coefficient);
    }
    coefficient * value
}
