//! Which classes a verdict names, by their supports. Computes no supports.

use super::class::GrowthClass;
use super::growth_fit::GrowthFit;

/// Support from which a class is decided. Of verdicts with a support, about that part is right (`examples/judge`).
const DECIDED: f64 = 0.85;

/// Support that the classes of an undecided verdict have together.
const NAMED: f64 = 0.98;

/// Support of all classes above `n`, or of all others, that keeps a verdict from saying on which side growth is: one side alarms, and
/// the other reassures.
const DOUBT: f64 = 0.03;

/// How many of the fits, by falling support, the verdict names; 1 is decided.
pub(crate) fn named(fits: &[GrowthFit]) -> usize {
    let mut sum = 0.0;
    let before = fits.iter().take_while(|fit| {
        sum += fit.support;
        sum < NAMED
    });
    let named = match fits.first() {
        Some(best) if best.support < DECIDED => (before.count() + 1).max(2),
        _ => 1,
    };
    let is_above = |fit: &&GrowthFit| fit.class > GrowthClass::Linear;
    let above: f64 = fits.iter().filter(is_above).map(|fit| fit.support).sum();
    let is_in_doubt = (DOUBT..=1.0 - DOUBT).contains(&above);
    // As many more as it takes to name one on the other side.
    let first_side = fits.iter().take_while(|fit| is_above(fit) == is_above(&&fits[0])).count();
    let needed = if is_in_doubt { named.max(first_side + 1) } else { named };
    needed.min(fits.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use GrowthClass::{Cubic, Linear, Linearithmic, Quadratic, QuadraticLog};

    fn named_of(supports: &[(GrowthClass, f64)]) -> usize {
        let fit = |&(class, support)| GrowthFit { class, support, terms: Vec::new(), spread: 0.1, from: 0.0 };
        named(&supports.iter().map(fit).collect::<Vec<_>>())
    }

    #[test]
    fn a_class_with_most_support_is_decided() {
        assert_eq!(named_of(&[(Quadratic, 0.86), (QuadraticLog, 0.14)]), 1);
        assert_eq!(named_of(&[(Quadratic, 0.84), (QuadraticLog, 0.16)]), 2);
        assert_eq!(named_of(&[]), 0);
        assert_eq!(named_of(&[(Quadratic, 1.0)]), 1);
    }

    #[test]
    fn an_undecided_verdict_names_all_that_have_a_say() {
        assert_eq!(named_of(&[(Quadratic, 0.8), (QuadraticLog, 0.17), (Cubic, 0.03)]), 3);
    }

    #[test]
    fn doubt_on_which_side_of_a_line_growth_is_is_named() {
        assert_eq!(named_of(&[(Quadratic, 0.9), (Linearithmic, 0.06), (Linear, 0.04)]), 3);
        assert_eq!(named_of(&[(Quadratic, 0.9), (Linearithmic, 0.08), (Linear, 0.02)]), 1);
        assert_eq!(named_of(&[(Linear, 0.96), (Linearithmic, 0.04)]), 2);
        assert_eq!(named_of(&[(Linear, 0.98), (Linearithmic, 0.02)]), 1);
    }
}
