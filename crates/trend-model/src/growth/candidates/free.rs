//! Leading terms with a free parameter: the exponent of `n^b` and `n^b log n`, or the base of `b^n`.
//!
//! One search fits both, because the logarithm of each term is linear in one number, which is called the exponent:
//!
//! - For a power, it is `b`, since `ln n^b = b·ln n`.
//! - For an exponential, it is the rate: `ln b` times the largest size. `ln b^n` is the rate times `n`, with `n` in
//!   units of the largest size.
//!
//! This module describes the search and the prior of the exponent; it fits nothing.

use super::columns::Columns;
use crate::growth::fits::fit::{FreeExponent, Searched};
use crate::growth::fits::points::{LARGEST_EXPONENTIAL, Points};
use crate::laws::class::{GrowthClass, Term};

/// Range of the exponents of powers.
const EXPONENTS: (f64, f64) = (0.05, 7.5);

/// Width of the prior of a power's exponent.
const EXPONENT_RANGE: f64 = 4.0;

/// Logarithm of the minimum growth of an exponential over the sizes: with less, it looks like a parabola.
const LEAST_LOG_GROWTH: f64 = 2.0;

/// Range of `ln b` for bases that can be distinguished from 1 and represented as numbers.
const LOG_BASES: (f64, f64) = (1e-7, 20.0);

/// Largest change of an exponential's rate in one step of the search.
const LARGEST_RATE_STEP: f64 = 3.0;

/// Size that a doubling of an exponential's cost may take, in units of the feature. One more item of the input doubles
/// the cost of a search, and an item has at most some dozens of units: a character, an element, a short record. The
/// prior falls with the square of a larger size. Polynomials of another variable look like slow exponentials.
const PLAUSIBLE_DOUBLING_SIZE: f64 = 64.0;

/// The parameter of a leading term that is fitted besides its coefficient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Free {
    /// The exponent of `x^b`, with an optional logarithmic factor.
    Power { log: bool },
    /// The base of `b^x`, searched for as the rate `ln b · x_max`.
    Base,
}

impl Free {
    /// Returns the free parameter of a class with a fitted exponent or base.
    pub(super) fn from_class(class: GrowthClass) -> Self {
        match class.term() {
            Term::Power { log, .. } => Self::Power { log },
            _ => Self::Base,
        }
    }

    /// Returns the derivative of the term's logarithm with respect to the exponent, at `x`: the logarithm of `x`, or
    /// `x` itself, both relative to the largest x.
    pub(super) fn derivative(self, points: &Points, x: f64) -> f64 {
        match self {
            Self::Power { .. } => points.log_relative(x),
            Self::Base => points.distance(x),
        }
    }

    /// Returns the search for the exponent, from `start`.
    pub(super) fn search(self, columns: &Columns, start: f64) -> FreeExponent<'_> {
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

    /// Returns the exponent at which the search starts, from the slope of the costs in the upper half of the sizes.
    pub(super) fn start(self, columns: &Columns) -> f64 {
        match self {
            Self::Power { .. } => columns.slope.clamp(0.1, 6.0),
            Self::Base => columns.rate.clamp(0.6, 0.9 * LARGEST_EXPONENTIAL),
        }
    }

    /// Returns true if the term is plausible with this exponent.
    pub(super) fn is_plausible(self, points: &Points, columns: &Columns, exponent: f64) -> bool {
        match self {
            Self::Power { .. } => (EXPONENTS.0..EXPONENTS.1).contains(&exponent),
            Self::Base => {
                // The first distance is the smallest size less the largest, divided by the largest: it is negative.
                let log_growth = -columns.distances[0] * exponent;
                log_growth >= LEAST_LOG_GROWTH
                    && exponent < 0.95 * LARGEST_EXPONENTIAL
                    && (LOG_BASES.0..LOG_BASES.1).contains(&(exponent / points.x_max()))
            }
        }
    }

    /// Returns the logarithm of the prior of an exponent, relative to the most plausible ones.
    pub(super) fn log_prior(self, points: &Points, exponent: f64) -> f64 {
        match self {
            Self::Power { .. } => 0.0,
            Self::Base => {
                let doubling_size = std::f64::consts::LN_2 * points.x_max() / exponent;
                -2.0 * (doubling_size / PLAUSIBLE_DOUBLING_SIZE).max(1.0).ln()
            }
        }
    }

    /// Returns the inverse of the prior's density at an exponent. The prior is uniform in the exponents of powers,
    /// and in the logarithms of rates.
    pub(super) fn prior_width(self, exponent: f64) -> f64 {
        match self {
            Self::Power { .. } => EXPONENT_RANGE,
            Self::Base => exponent * (LARGEST_EXPONENTIAL / LEAST_LOG_GROWTH).ln(),
        }
    }
}
