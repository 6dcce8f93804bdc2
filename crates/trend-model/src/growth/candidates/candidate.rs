//! The models that compete for a verdict: a leading term, optionally with a lower-order term and a floor, and the prior
//! probability of each. This module fits nothing.

use crate::laws::class::{GrowthClass, Term};

/// A model: `floor + lower-order term + leading term`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Candidate {
    /// Class that the model supports. For a free class, the exponent or base is a placeholder for the fitted one.
    pub(crate) class: GrowthClass,
    /// True if the exponent of the leading term is fitted too.
    pub(crate) is_free: bool,
    /// True if the model has a constant besides the leading term.
    pub(crate) floor: bool,
    /// Lower-order term besides the leading term, if there is one.
    pub(crate) lower: Option<GrowthClass>,
    /// Logarithm of the prior probability.
    pub(crate) log_prior: f64,
}

impl Candidate {
    /// Returns the classes of the terms besides the leading one.
    pub(super) fn lowers(&self) -> Vec<GrowthClass> {
        self.floor.then_some(GrowthClass::Constant).into_iter().chain(self.lower).collect()
    }
}

/// Prior probabilities of the shapes of a model: leading term alone, with a floor, with a lower-order term, with both.
/// Simple data are the common case, so extra terms must earn their place.
const SHAPES: [f64; 4] = [0.62, 0.2, 0.06, 0.12];

/// Part of the probability of a lower-order term that goes to the class just below the leading term. Sums such as `n
/// log n + n` are common, and the hardest to distinguish from a leading term alone.
const NEAREST: f64 = 0.5;

/// The corresponding part for `n` below `n log n`, and `n^2` below `n^2 log n`. The solution of a divide-and-conquer
/// recurrence has both terms, often with a negative coefficient for the lower one.
const NEAREST_BELOW_LOG: f64 = 0.9;

/// Prior probability of both free classes together, in units of one named class.
const FREE: f64 = 0.05;

/// Prior probability of exponentials with a base other than 2, in the same unit.
const FREE_BASE: f64 = 0.05;

/// Prior probability of `n·2^n` and of `n!`, each, in the same unit.
const EXPLODING: f64 = 0.02;

/// Prior probability of a cost that does not grow, in units of one growing class. Rivals with a floor can always hide a
/// little growth, so this class needs more. Calibrated with the recovery matrix.
const CONSTANT: f64 = 2.0;

/// Lower-order terms of exponentials with a base other than 2.
const BELOW_FREE_BASE: [GrowthClass; 2] = [GrowthClass::Linear, GrowthClass::Quadratic];

/// Lower-order terms of `n·2^n` and of `n!`.
const BELOW_EXPLODING: [(GrowthClass, &[GrowthClass]); 2] = [
    (GrowthClass::TimesExponential, &[GrowthClass::Linear, GrowthClass::Quadratic, GrowthClass::Exponential]),
    (GrowthClass::Factorial, &BELOW_FREE_BASE),
];

/// Returns all candidates.
pub(crate) fn candidates() -> Vec<Candidate> {
    let [pure, floor, lower, both] = SHAPES;
    let mut all = Vec::with_capacity(128);
    let mut add = |class, is_free, floor, lower, prior: f64| {
        all.push(Candidate { class, is_free, floor, lower, log_prior: prior.ln() });
    };
    for (i, &class) in GrowthClass::NAMED.iter().enumerate() {
        add(class, false, false, None, if i == 0 { CONSTANT } else { pure });
        if i > 0 {
            add(class, false, true, None, if i == 1 { 1.0 - pure } else { floor });
        }
        for (j, &low) in GrowthClass::NAMED.iter().enumerate().take(i).skip(1) {
            let others = i as f64 - 2.0;
            let share = match (j + 1 == i, others > 0.0) {
                (true, true) if is_log_of(class.term(), low.term()) => NEAREST_BELOW_LOG,
                (true, true) => NEAREST,
                (true, false) => 1.0,
                (false, _) if is_log_of(class.term(), GrowthClass::NAMED[i - 1].term()) => {
                    (1.0 - NEAREST_BELOW_LOG) / others
                }
                (false, _) => (1.0 - NEAREST) / others,
            };
            add(class, false, false, Some(low), lower * share);
            add(class, false, true, Some(low), both * share);
        }
    }
    for log in [false, true] {
        let class = GrowthClass::Free { hundredths: 100, log };
        add(class, true, false, None, FREE / 2.0 * pure);
        add(class, true, true, None, FREE / 2.0 * floor);
        add(class, true, false, Some(GrowthClass::Linear), FREE / 2.0 * lower);
        add(class, true, true, Some(GrowthClass::Linear), FREE / 2.0 * both);
    }
    let class = GrowthClass::exponential(3.0);
    add(class, true, false, None, FREE_BASE * pure);
    add(class, true, true, None, FREE_BASE * floor);
    for low in BELOW_FREE_BASE {
        let share = 1.0 / BELOW_FREE_BASE.len() as f64;
        add(class, true, false, Some(low), FREE_BASE * lower * share);
        add(class, true, true, Some(low), FREE_BASE * both * share);
    }
    for (class, lowers) in BELOW_EXPLODING {
        add(class, false, false, None, EXPLODING * pure);
        add(class, false, true, None, EXPLODING * floor);
        for &low in lowers {
            let others = lowers.len() as f64 - 1.0;
            let share = match lowers.last() {
                Some(last) if is_log_of(class.term(), last.term()) && *last == low => NEAREST_BELOW_LOG,
                Some(last) if is_log_of(class.term(), last.term()) => (1.0 - NEAREST_BELOW_LOG) / others,
                _ => 1.0 / lowers.len() as f64,
            };
            add(class, false, false, Some(low), EXPLODING * lower * share);
            add(class, false, true, Some(low), EXPLODING * both * share);
        }
    }
    all
}

/// Returns true if the lower-order term may have a negative coefficient. Examples are `n(n−1)/2` and
/// `2n ln n − 2.85n`, whose lower-order term is a single power of n or log n below the leading term, and `n − c·√n`,
/// which approaches a line.
pub(crate) fn may_be_negative(leading: Term, lower: Term) -> bool {
    let (Term::Power { exponent: b, log }, Term::Power { exponent: c, log: lower_log }) = (leading, lower)
    else {
        return lower == Term::ONE || is_log_of(leading, lower);
    };
    let levels_off = (b, log, c, lower_log) == (1.0, false, 0.5, false);
    lower == Term::ONE || is_log_of(leading, lower) || levels_off || (b == c + 1.0 && log == lower_log)
}

/// Returns true if the leading term is a power of n times a logarithm and the lower one is that power, or if they are
/// `n·2^n` and `2^n`. Sums over levels have both, often with a negative lower term.
pub(crate) fn is_log_of(leading: Term, lower: Term) -> bool {
    match (leading, lower) {
        (Term::Power { exponent: b, log: true }, Term::Power { exponent: c, log: false }) => {
            b == c && c > 0.0
        }
        (Term::TimesExponential { base: b }, Term::Exponential { base: c }) => b == c,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_growing_class_has_the_same_prior_probability() {
        for class in &GrowthClass::NAMED[1..] {
            let all = candidates();
            let of_class = all.iter().filter(|c| c.class == *class && !c.is_free);
            let total: f64 = of_class.map(|c| c.log_prior.exp()).sum();
            // Below n^0.5 there is one lower-order term; below log n there is only the floor.
            assert!((total - 1.0).abs() < 1e-12, "{class}: {total}");
        }
    }

    #[test]
    fn lower_terms_grow_more_slowly_than_the_leading_term() {
        for candidate in candidates().iter().filter(|c| !c.is_free) {
            assert!(candidate.lower.is_none_or(|lower| lower < candidate.class));
        }
    }
}
