//! Models whose leading term has a fitted exponent, `n^b` and `n^b log n`, or a fitted base, `b^n`. This module
//! compares nothing.

use super::{Columns, Model, SMALLEST_THIRD_SHARE, lowers, share};
use crate::growth::candidate::Candidate;
use crate::growth::class::{GrowthClass, Term};
use crate::growth::evidence::{Evidence, SMALLEST_SHARE};
use crate::growth::fit::{Design, Fit, FreeExponent, Searched};
use crate::growth::points::{LARGEST_EXPONENTIAL, Points};

/// Range of the exponents of a free class.
const EXPONENTS: (f64, f64) = (0.05, 7.5);

/// Width of the prior of a free exponent.
const EXPONENT_RANGE: f64 = 4.0;

/// Distance from a named class below which a fitted exponent counts as the class's own, if the error allows it. The
/// second constant is the distance from the logarithm of the base 2, as a part of it.
const SAME_EXPONENT: f64 = 0.06;
const SAME_BASE: f64 = 0.03;

/// Spread of the costs above which such a near exponent counts as the named one, whatever its error.
const EXACT_SPREAD: f64 = 0.005;

/// Logarithm of the minimum growth of an exponential over the sizes: with less, it looks like a parabola.
const LEAST_GROWTH: f64 = 2.0;

/// Range of the logarithms of bases that can be distinguished from 1 and represented as numbers.
const RATES: (f64, f64) = (1e-7, 20.0);

/// Slope of log cost over log size, in the upper half of the points, below which growth is not exponential within the
/// data.
const LEAST_SLOPE: f64 = 1.5;

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
    fn of(class: GrowthClass) -> Self {
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
    fn term(self, points: &Points, exponent: f64) -> Term {
        match self {
            Self::Power { log } => Term::Power { exponent, log },
            Self::Base => Term::Exponential { base: (exponent / points.x_max()).exp() },
        }
    }

    /// Returns the start of the search.
    fn start(self, columns: &Columns) -> f64 {
        match self {
            Self::Power { .. } => columns.slope.clamp(0.1, 6.0),
            Self::Base => columns.rate.clamp(0.6, 0.9 * LARGEST_EXPONENTIAL),
        }
    }

    /// Returns true if the class may have this exponent.
    fn may_be(self, points: &Points, columns: &Columns, exponent: f64) -> bool {
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
    fn log_prior(self, points: &Points, exponent: f64) -> f64 {
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
    fn prior(self, exponent: f64) -> f64 {
        match self {
            Self::Power { .. } => EXPONENT_RANGE,
            Self::Base => exponent * (LARGEST_EXPONENTIAL / LEAST_GROWTH).ln(),
        }
    }
}

/// Fits a candidate with a free exponent or base. Returns `None` in the cases of [`Model::new`].
pub(super) fn model(points: &Points, columns: &Columns, candidate: &Candidate) -> Option<Model> {
    let free = Free::of(candidate.class);
    if free == Free::Base && columns.slope < LEAST_SLOPE {
        return None;
    }
    let lowers = lowers(candidate);
    let exponent = free.exponent(columns, free.start(columns));
    let mut design = Design { columns: vec![exponent.factor], exponent: Some(exponent) };
    design.columns.extend(lowers.iter().map(|&class| columns.of(class)));
    let fit = Fit::new(points, points.len(), &design)?;
    let FreeExponent { along, factor, .. } = free.exponent(columns, fit.exponent);
    let lead: Vec<f64> = along.iter().zip(factor).map(|(x, f)| (fit.exponent * x).exp() * f).collect();
    let leading = free.term(points, fit.exponent);
    let terms: Vec<Term> = lowers.iter().map(|class| class.term()).collect();
    // The gap in growth to a lower-order term must exceed the precision of the exponents.
    if let (Free::Power { log }, Some(lower)) = (free, candidate.lower)
        && GrowthClass::free(fit.exponent - 0.05, log) < lower
    {
        return None;
    }
    let mut shown = Design { columns: vec![&lead], exponent: None };
    shown.columns.extend(lowers.iter().map(|&class| columns.of(class)));
    if share(&fit, &shown, points.len() - 1) < SMALLEST_SHARE
        || share(&fit, &shown, columns.third) < SMALLEST_THIRD_SHARE
        || !free.may_be(points, columns, fit.exponent)
    {
        return None;
    }
    let log_prior = candidate.log_prior + free.log_prior(points, fit.exponent);
    let mut evidence = Evidence::new(fit.log_likelihood, log_prior);
    evidence.add_volume(&fit, &shown, leading, &terms, Some(free.prior(fit.exponent)))?;
    let gradient = std::array::from_fn(|j| if j == shown.columns.len() { 1.0 } else { 0.0 });
    let error = fit.variance(&gradient).sqrt();
    Some(Model {
        class: name(leading, error / fit.exponent, &fit),
        evidence,
        columns: std::iter::once(leading).chain(terms).map(|term| vec![(1.0, term)]).collect(),
        fit,
        free: Some(free),
        from: 0.0,
        pieces: None,
    })
}

/// Returns the class of a fitted exponent or base, or a named class if the data cannot distinguish the two. `error` is
/// relative to the exponent or to the logarithm of the base.
fn name(leading: Term, error: f64, fit: &Fit) -> GrowthClass {
    let is_same =
        |distance: f64, error: f64| distance < 2.0 * error || distance < 0.005 || fit.sigma > EXACT_SPREAD;
    let is_near = |class: &GrowthClass| match (leading, class.term()) {
        (Term::Power { exponent, log }, Term::Power { exponent: named, log: named_log }) => {
            let distance = (exponent - named).abs();
            log == named_log && distance < SAME_EXPONENT && is_same(distance, error * exponent)
        }
        (Term::Exponential { base }, Term::Exponential { base: named }) => {
            let distance = (base.ln() / named.ln() - 1.0).abs();
            distance < SAME_BASE && is_same(distance, error)
        }
        _ => false,
    };
    let free = || match leading {
        Term::Power { exponent, log } => GrowthClass::free(exponent, log),
        Term::Exponential { base } | Term::TimesExponential { base } => GrowthClass::exponential(base),
        Term::Factorial => GrowthClass::Factorial,
    };
    GrowthClass::NAMED[1..].iter().copied().find(is_near).unwrap_or_else(free)
}
