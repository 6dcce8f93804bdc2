//! Computes the evidence for a candidate: how probable the data are under it. This module fits and compares nothing.
//!
//! Evidence is the likelihood averaged over the parameters, by Laplace's approximation. It is the likelihood at the fit
//! times, for each parameter, the width of its posterior over the width of its prior. A term that the data hardly
//! determine costs little, and one that must be tuned costs much. A term that the data do not need is not worth its
//! cost, so parsimony needs no further penalty.
//!
//! Priors of coefficients are uniform in the logarithm of the ratio of a term to the leading term, over all ratios that
//! make a difference in the data:
//!
//! ```text
//!   lower/leading      at the smallest size  ≥ 1/1000     (below: as if it were absent)
//!                      at the largest size   ≤ 11         (above: the leading term would be invisible)
//! ```

use super::candidate::{is_log_of, may_be_negative};
use crate::growth::fits::fit::{Design, Fit};
use crate::laws::class::Term;
use crate::numerics::linear_system::{MOST, cholesky};

/// Smallest share of the leading term in the cost at the largest size. With a startup cost of 20 times the smallest
/// cost, a logarithm has about this share over one and a half decades of sizes.
pub(crate) const SMALLEST_SHARE: f64 = 1.0 / 12.0;

/// Smallest share of the leading term at the third-largest size. A term that is visible in one or two sizes only is an
/// outlier, not growth.
pub(crate) const SMALLEST_THIRD_SHARE: f64 = 0.03;

/// Ratio of a lower-order term to the leading term at the smallest size, below which the lower-order term makes no
/// difference.
const SMALLEST_RATIO: f64 = 1e-3;

/// Largest part of the leading term that a negative lower-order term may cancel at the smallest size. For example, `n
/// log n` with n in GiB is `n log n − 30n` with n in bytes.
const LARGEST_CANCELLATION: f64 = 0.95;

/// Prior probability that a lower-order term is negative, if it may be.
const NEGATIVE: f64 = 0.05;

/// Prior weight of the negative sign of `n` below `n log n` and the like. Solutions of divide-and-conquer
/// recurrences, such as those of comparison sorts, have it more often than the positive sign.
const NEGATIVE_BELOW_LOG: f64 = 2.0;

/// Prior weight of the positive sign of `n` below `n log n` and the like.
const POSITIVE_BELOW_LOG: f64 = 0.5;

/// Minimum coefficient in standard errors. Smaller ones are left to the candidate without the term.
pub(crate) const SMALLEST_SIGNIFICANCE: f64 = 1.0;

/// The quantities of a fit that determine how probable the data are under its candidate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Evidence {
    log_likelihood: f64,
    /// Log prior of the candidate and of the signs of its terms, plus the log width of the leading coefficient.
    log_prior: f64,
    /// Log ratio of posterior width to prior width, for each further parameter.
    widths: [f64; MOST],
    further: usize,
}

impl Evidence {
    pub(crate) fn new(log_likelihood: f64, log_prior: f64) -> Self {
        Self { log_likelihood, log_prior, widths: [0.0; MOST], further: 0 }
    }

    /// Adds a further parameter by the logarithm of its posterior width over its prior width.
    pub(crate) fn add_width(&mut self, width: f64) {
        self.widths[self.further] = width;
        self.further += 1;
    }

    /// Returns the log evidence if k points count as `independent·k` observations: the likelihood is flatter, and the
    /// posteriors are wider.
    pub(crate) fn log(&self, independent: f64) -> f64 {
        let wider = -0.5 * independent.ln();
        let volume: f64 = self.widths[..self.further].iter().map(|width| (width + wider).min(0.0)).sum();
        independent * self.log_likelihood + volume + self.log_prior
    }

    /// Adds the widths of all parameters of a candidate; `exponent` is the width of a fitted exponent's prior. Returns
    /// `None` if a coefficient has a forbidden sign or size, or is too uncertain.
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
        // The prior of the leading coefficient is the same for all models, so it is left out.
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

/// Returns the information about the logarithms of the first `q` parameters and about the unscaled others.
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

/// Returns the logarithm of the width of the prior of the log ratio of column j to the leading one.
pub(crate) fn log_range(design: &Design, j: usize) -> f64 {
    let (lead, lower) = (design.columns[0], design.columns[j]);
    ((1.0 / SMALLEST_SHARE - 1.0) / SMALLEST_RATIO * lower[0] / lead[0]).ln().ln()
}

/// Returns the share of the leading term in the fit at point i.
pub(super) fn share(fit: &Fit, design: &Design, i: usize) -> f64 {
    let parts = design.columns.iter().zip(&fit.coefficients).map(|(column, c)| column[i] * c);
    fit.coefficients[0] * design.columns[0][i] / parts.sum::<f64>()
}
