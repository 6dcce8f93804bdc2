//! Selects the classes that a verdict names, by their supports. This module computes no supports.

use crate::growth::candidates::growth_fit::GrowthFit;
use crate::laws::class::{GrowthClass, LOG_AS_EXPONENT};

/// Minimum support for a class to be decided. About this fraction of the verdicts with this support is right
/// (`examples/judge`).
const DECIDED: f64 = 0.85;

/// Minimum support for a constant cost to be decided: startup costs and scatter hide a logarithm well.
const DECIDED_CONSTANT: f64 = 0.97;

/// Minimum total support of the classes in an undecided verdict.
const NAMED: f64 = 0.95;

/// Minimum probability of growth on the other side of `n` for a verdict to leave the side open. Growth above `n`
/// raises an alarm, and slower growth reassures.
const DOUBT: f64 = 0.04;

/// Maximum ratio of the costs at ten times the largest size for laws within a log factor to count as the same.
const SAME: f64 = 1.3;

/// Probabilities of growth above `n`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Above {
    /// Probability by the fits, which describe pieces best.
    pub(crate) of_fits: f64,
    /// Probability by all laws, which include parts too small to be seen.
    pub(crate) of_laws: f64,
}

impl Above {
    fn is_in_doubt(self) -> bool {
        let below = (1.0 - self.of_fits).max(1.0 - self.of_laws);
        self.of_laws >= DOUBT && below >= DOUBT
    }
}

/// Returns the support of all classes above `n`.
pub(crate) fn above(fits: &[GrowthFit]) -> f64 {
    fits.iter().filter(|fit| fit.class > GrowthClass::Linear).map(|fit| fit.support).sum()
}

/// Returns the number of fits, by falling support, that the verdict names; 1 means decided.
pub(crate) fn named(fits: &[GrowthFit], above: Above) -> usize {
    let mut sum = 0.0;
    let before = fits.iter().take_while(|fit| {
        sum += fit.support;
        sum < NAMED
    });
    let needed = |class: GrowthClass| if class == GrowthClass::Constant { DECIDED_CONSTANT } else { DECIDED };
    let named = match fits.first() {
        Some(best) if best.support < needed(best.class) => (before.count() + 1).max(2),
        _ => 1,
    };
    // Adds fits until one of them is on the other side of `n`.
    let is_above = |fit: &&GrowthFit| fit.class > GrowthClass::Linear;
    let first_side = fits.iter().take_while(|fit| is_above(fit) == is_above(&&fits[0])).count();
    let named = if above.is_in_doubt() { named.max(first_side + 1) } else { named };
    named.min(fits.len())
}

/// Returns the class with the most support, if the others differ from it by no more than a log factor and predict the
/// same cost at the size `at`. Fits are by falling support.
pub(crate) fn near(named: &[GrowthFit], at: f64) -> Option<GrowthClass> {
    let [least, most] = ends(named.iter().map(|fit| fit.predict(at)))?;
    let [slowest, fastest] = ends(named.iter().map(|fit| fit.class.term().pace()))?;
    // The slack is for the rounding of decimal exponents.
    let is_near = most <= SAME * least && fastest - slowest <= LOG_AS_EXPONENT * 1.001;
    is_near.then(|| named[0].class)
}

fn ends(values: impl Iterator<Item = f64>) -> Option<[f64; 2]> {
    values.map(|value| [value; 2]).reduce(|[least, most], [value, _]| [least.min(value), most.max(value)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use GrowthClass::{Constant, Cubic, Linear, Linearithmic, Quadratic, QuadraticLog};

    fn named_of(supports: &[(GrowthClass, f64)]) -> usize {
        let fit = |&(class, support)| GrowthFit { class, support, terms: Vec::new(), spread: 0.1, from: 0.0 };
        let fits: Vec<GrowthFit> = supports.iter().map(fit).collect();
        named(&fits, Above { of_fits: above(&fits), of_laws: above(&fits) })
    }

    #[test]
    fn a_class_with_most_support_is_decided() {
        assert_eq!(named_of(&[(Quadratic, 0.86), (QuadraticLog, 0.14)]), 1);
        assert_eq!(named_of(&[(Quadratic, 0.84), (QuadraticLog, 0.16)]), 2);
        assert_eq!(named_of(&[]), 0);
        assert_eq!(named_of(&[(Quadratic, 1.0)]), 1);
    }

    #[test]
    fn no_growth_needs_more() {
        assert_eq!(named_of(&[(Constant, 0.9), (GrowthClass::Logarithmic, 0.1)]), 2);
        assert_eq!(named_of(&[(Constant, 0.98), (GrowthClass::Logarithmic, 0.02)]), 1);
    }

    #[test]
    fn an_undecided_verdict_names_all_that_have_a_say() {
        assert_eq!(named_of(&[(Quadratic, 0.8), (QuadraticLog, 0.13), (Cubic, 0.07)]), 3);
    }

    #[test]
    fn classes_that_differ_by_a_log_factor_are_about_one_class() {
        let fit = |class: GrowthClass, coefficient: f64| {
            let terms = vec![(coefficient, class.term())];
            GrowthFit { class, support: 0.5, terms, spread: 0.1, from: 0.0 }
        };
        let logs = |at: f64| 1.0 / at.log2();
        let two = [fit(Linear, 1.0), fit(Linearithmic, logs(1e4))];
        assert_eq!(near(&two, 1e5), Some(Linear));
        assert_eq!(near(&two, 1e6), None, "the costs differ by half");
        assert_eq!(near(&[fit(Quadratic, 1.0), fit(QuadraticLog, logs(1e6))], 1e7), Some(Quadratic));
        assert_eq!(near(&[fit(Linear, 1.0), fit(GrowthClass::free(1.2, false), 0.1)], 1e5), None);
        assert_eq!(near(&[fit(GrowthClass::Exponential, 1.0), fit(GrowthClass::Factorial, 1.0)], 9.0), None);
        let rounded = [fit(GrowthClass::free(0.7, false), 1.0), fit(GrowthClass::free(0.8, false), 0.4)];
        assert_eq!(near(&rounded, 1e4), Some(rounded[0].class));
    }

    #[test]
    fn doubt_on_which_side_of_a_line_growth_is_is_named() {
        assert_eq!(named_of(&[(Quadratic, 0.88), (Linearithmic, 0.06), (Linear, 0.06)]), 3);
        assert_eq!(named_of(&[(Quadratic, 0.9), (Linearithmic, 0.08), (Linear, 0.02)]), 1);
        assert_eq!(named_of(&[(Linear, 0.95), (Linearithmic, 0.05)]), 2);
        assert_eq!(named_of(&[(Linear, 0.98), (Linearithmic, 0.02)]), 1);
    }
}
