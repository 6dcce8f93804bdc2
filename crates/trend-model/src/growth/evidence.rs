//! The evidence for a candidate: how probable the data are under it. Fits and compares nothing.
//!
//! Evidence is the likelihood averaged over the parameters, by Laplace's approximation: the likelihood at the fit
//! times, for each parameter, the width of its posterior over the width of its prior. A term that the data hardly
//! determine costs little, one that has to be tuned costs much, and one that the data do not need is not worth its
//! cost: parsimony needs no further penalty.
//!
//! Priors of coefficients are uniform in the logarithm of the ratio of a term to the leading term, over all ratios
//! that make a difference in the data:
//!
//! ```text
//!   lower/leading      at the smallest size  ≥ 1/1000     (below: as if it was not there)
//!                      at the largest size   ≤ 11         (above: the leading term could not be seen)
//! ```

use super::candidate::{is_log_of, may_be_negative};
use super::class::Term;
use super::fit::{Design, Fit};
use crate::linear_system::{MOST, cholesky};

/// Smallest share of the leading term in the cost at the largest size. A startup cost of 20 times the smallest cost
/// leaves a logarithm that much over one and a half decades of sizes.
pub(crate) const SMALLEST_SHARE: f64 = 1.0 / 12.0;

/// Ratio of a lower-order term to the leading one at the smallest size below which it makes no difference.
const SMALLEST_RATIO: f64 = 1e-3;

/// Part of the leading term that a negative lower-order term may take away at the smallest size: `n log n` in
/// bytes is `n log n − 30n` when the unit of n was GiB.
const LARGEST_CANCELLATION: f64 = 0.95;

/// Prior probability that a lower-order term that may be negative is.
const NEGATIVE: f64 = 0.05;

/// Prior weights of the two signs of `n` below `n log n` and the like: solutions of divide-and-conquer recurrences, as
/// of comparison sorts, have the negative one more often than not.
const NEGATIVE_BELOW_LOG: f64 = 2.0;
const POSITIVE_BELOW_LOG: f64 = 0.5;

/// Coefficients below this many standard errors are left to the candidate without the term.
pub(crate) const SMALLEST_SIGNIFICANCE: f64 = 1.0;

/// What is to be known of a fit to say how probable the data are under its candidate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Evidence {
    log_likelihood: f64,
    /// Of the candidate, the signs of its terms and the width of the leading coefficient.
    log_prior: f64,
    /// Log width of the posterior of each further parameter over that of its prior.
    widths: [f64; MOST],
    further: usize,
}

impl Evidence {
    pub(crate) fn new(log_likelihood: f64, log_prior: f64) -> Self {
        Self { log_likelihood, log_prior, widths: [0.0; MOST], further: 0 }
    }

    /// A further parameter, by the log width of its posterior over that of its prior.
    pub(crate) fn add_width(&mut self, width: f64) {
        self.widths[self.further] = width;
        self.further += 1;
    }

    /// Log evidence when k points are `independent·k` observations: the likelihood is flatter, and posteriors are wider.
    pub(crate) fn log(&self, independent: f64) -> f64 {
        let wider = -0.5 * independent.ln();
        let volume: f64 = self.widths[..self.further].iter().map(|width| (width + wider).min(0.0)).sum();
        independent * self.log_likelihood + volume + self.log_prior
    }

    /// The widths of all parameters of a candidate, a fitted exponent's prior being `exponent` wide; `None` when a
    /// coefficient is one that it must not have.
    pub(crate) fn add_volume(
        &mut self,
        fit: &Fit,
        design: &Design,
        leading: Term,
        lowers: &[Term],
        exponent: Option<f64>,
    ) -> Option<()> {
        let q = design.columns.len();
        let factor = cholesky(&scaled_information(fit, q), fit.parameters)?;
        // The prior of the leading coefficient is the same for all models and left out.
        self.log_prior += HALF_LOG_TAU - factor[0][0].ln();
        for j in 1..q {
            let coefficient = fit.coefficients[j];
            if factor[j][j] < SMALLEST_SIGNIFICANCE {
                return None;
            }
            let width = HALF_LOG_TAU - factor[j][j].ln();
            let is_log_of = is_log_of(leading, lowers[j - 1]);
            if coefficient > 0.0 {
                let prior = if is_log_of { POSITIVE_BELOW_LOG } else { 1.0 };
                self.log_prior += prior.ln();
                self.add_width(width - log_range(design, j));
            } else {
                let ratio =
                    -coefficient * design.columns[j][0] / (fit.coefficients[0] * design.columns[0][0]);
                if !may_be_negative(leading, lowers[j - 1]) || ratio > LARGEST_CANCELLATION {
                    return None;
                }
                let prior = if is_log_of { NEGATIVE_BELOW_LOG } else { NEGATIVE };
                self.log_prior += prior.ln();
                self.add_width(width + ratio.ln() - LARGEST_CANCELLATION.ln());
            }
        }
        if let Some(prior) = exponent {
            self.add_width(HALF_LOG_TAU - factor[q][q].ln() - prior.ln());
        }
        Some(())
    }
}

/// `½ ln 2π`.
pub(crate) const HALF_LOG_TAU: f64 = 0.918_938_533_204_672_7;

/// Information about the logarithms of the first `q` parameters and the others as they are.
pub(crate) fn scaled_information(fit: &Fit, q: usize) -> [[f64; MOST]; MOST] {
    let mut information = fit.information;
    let scale = |j: usize| if j < q { fit.coefficients[j].abs() } else { 1.0 };
    for (j, row) in information.iter_mut().enumerate() {
        for (l, value) in row.iter_mut().enumerate() {
            *value *= scale(j) * scale(l);
        }
    }
    information
}

/// Logarithm of the width of the prior of the log ratio of column j to the leading one.
pub(crate) fn log_range(design: &Design, j: usize) -> f64 {
    let (lead, lower) = (design.columns[0], design.columns[j]);
    ((1.0 / SMALLEST_SHARE - 1.0) / SMALLEST_RATIO * lower[0] / lead[0]).ln().ln()
}
