//! Leading terms with a fitted exponent, `n^b` and `n^b log n`, or a fitted base, `b^n`. This module fits nothing.

use super::columns::Columns;
use crate::growth::fits::fit::{FreeExponent, Searched};
use crate::growth::fits::points::{LARGEST_EXPONENTIAL, Points};
use crate::laws::class::{GrowthClass, Term};

/// Range of the exponents of a free class.
const EXPONENTS: (f64, f64) = (0.05, 7.5);

/// Width of the prior of a free exponent.
const EXPONENT_RANGE: f64 = 4.0;

/// Logarithm of the minimum growth of an exponential over the sizes: with less, it looks like a parabola.
const LEAST_GROWTH: f64 = 2.0;

/// Range of the logarithms of bases that can be distinguished from 1 and represented as numbers.
const RATES: (f64, f64) = (1e-7, 20.0);

/// Largest change of the logarithm of an exponential's growth in one step.
const LARGEST_RATE_STEP: f64 = 3.0;

/// Size that a doubling of an exponential's cost may take, in units of the feature. One more item of the input doubles
/// the cost of a search, and an item has at most some dozens of units: a character, an element, a short record. The
/// prior falls with the square of a larger size. Polynomials of another variable look like slow exponentials.
const PLAUSIBLE_DOUBLING: f64 = 64.0;

/// The fitted parameter of a leading term, besides its coefficient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Free {
    /// The exponent of `x^b`, with an optional logarithmic factor.
    Power { log: bool },
    /// The base of `b^x`, as the rate: its logarithm in units of 1 over the largest x.
    Base,
}

impl Free {
    pub(super) fn of(class: GrowthClass) -> Self {
        match class.term() {
            Term::Power { log, .. } => Self::Power { log },
            _ => Self::Base,
        }
    }

    /// Returns the factor of the exponent in the logarithm of the leading term.
    pub(super) fn along(self, points: &Points, x: f64) -> f64 {
        match self {
            Self::Power { .. } => points.log_relative(x),
            Self::Base => points.distance(x),
        }
    }

    /// Returns the search from `start`.
    pub(super) fn exponent(self, columns: &Columns, start: f64) -> FreeExponent<'_> {
        match self {
            Self::Power { log } => {
                let factor: &[f64] = if log { &columns.log_factors } else { &columns.one };
                FreeExponent { start, along: &columns.log_x, factor, searched: Searched::POWERS }
            }
            Self::Base => {
                let searched =
                    Searched { least: 0.5, greatest: LARGEST_EXPONENTIAL, step: LARGEST_RATE_STEP };
                FreeExponent { start, along: &columns.distances, factor: &columns.one, searched }
            }
        }
    }

    /// Returns the leading term with a fitted exponent.
    pub(super) fn term(self, points: &Points, exponent: f64) -> Term {
        match self {
            Self::Power { log } => Term::Power { exponent, log },
            Self::Base => Term::Exponential { base: (exponent / points.x_max()).exp() },
        }
    }

    /// Returns the start of the search.
    pub(super) fn start(self, columns: &Columns) -> f64 {
        match self {
            Self::Power { .. } => columns.slope.clamp(0.1, 6.0),
            Self::Base => columns.rate.clamp(0.6, 0.9 * LARGEST_EXPONENTIAL),
        }
    }

    /// Returns true if the class may have this exponent.
    pub(super) fn may_be(self, points: &Points, columns: &Columns, exponent: f64) -> bool {
        match self {
            Self::Power { .. } => (EXPONENTS.0..EXPONENTS.1).contains(&exponent),
            Self::Base => {
                let grows_enough = -columns.distances[0] * exponent >= LEAST_GROWTH;
                grows_enough
                    && exponent < 0.95 * LARGEST_EXPONENTIAL
                    && (RATES.0..RATES.1).contains(&(exponent / points.x_max()))
            }
        }
    }

    /// Returns the logarithm of the prior of an exponent, relative to the most plausible ones.
    pub(super) fn log_prior(self, points: &Points, exponent: f64) -> f64 {
        match self {
            Self::Power { .. } => 0.0,
            Self::Base => {
                let doubling = std::f64::consts::LN_2 * points.x_max() / exponent;
                -2.0 * (doubling / PLAUSIBLE_DOUBLING).max(1.0).ln()
            }
        }
    }

    /// Returns the width of the prior at an exponent. The prior is uniform in the exponents of powers, and in the
    /// logarithms of rates.
    pub(super) fn prior(self, exponent: f64) -> f64 {
        match self {
            Self::Power { .. } => EXPONENT_RANGE,
            Self::Base => exponent * (LARGEST_EXPONENTIAL / LEAST_GROWTH).ln(),
        }
    }
}
