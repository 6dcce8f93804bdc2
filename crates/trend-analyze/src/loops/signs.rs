//! Shows that values are never negative, if the names in them are not.

use std::collections::HashSet;

use trend_model::loops::{Atom, Monomial, Polynomial, Rational, Rounding};

/// Maximum number of values that are examined for one question. Each rounded or compared part has several bounds.
const MOST_EXAMINED: usize = 40;

/// Signs of the names of a function. Sizes and counters are assumed not to be negative, unless a run shows it.
#[derive(Clone, Debug, Default)]
pub(super) struct Signs {
    /// Symbols that had a negative value in a run.
    pub(super) negative: HashSet<String>,
}

impl Signs {
    /// Returns true if a value is shown never to be negative.
    pub(super) fn never_negative(&self, value: &Polynomial) -> bool {
        self.is_shown(value, &mut { MOST_EXAMINED })
    }

    /// Returns true if a value is shown never to be negative, after examining at most `budget` values.
    fn is_shown(&self, value: &Polynomial, budget: &mut usize) -> bool {
        let Some(fewer) = budget.checked_sub(1) else { return false };
        *budget = fewer;
        let mut is_factor =
            |(atom, power): &(Atom, u32)| power.is_multiple_of(2) || self.is_atom_shown(atom, budget);
        if value.terms().all(|(monomial, c)| !c.is_negative() && monomial.iter().all(&mut is_factor)) {
            return true;
        }
        value.terms().any(|(monomial, c)| {
            below(monomial, c).into_iter().any(|bound| {
                let term = Polynomial::from_terms([(monomial.clone(), c)]);
                let value = term.and_then(|term| value.minus(&term)?.plus(&bound));
                value.is_some_and(|value| self.is_shown(&value, budget))
            })
        })
    }

    fn is_atom_shown(&self, atom: &Atom, budget: &mut usize) -> bool {
        match atom {
            Atom::Name(name) => !self.negative.contains(&**name),
            // No loop has the logarithm of a value below 1.
            Atom::Log { .. } | Atom::Sqrt { .. } => true,
            Atom::Quotient { numerator: a, divisor: b, .. } | Atom::Min(a, b) => {
                self.is_shown(a, budget) && self.is_shown(b, budget)
            }
            Atom::Max(a, b) => self.is_shown(a, budget) || self.is_shown(b, budget),
        }
    }
}

/// Returns lower bounds of a rounded or compared part with a coefficient.
fn below(monomial: &Monomial, coefficient: Rational) -> Vec<Polynomial> {
    let [(atom, 1)] = monomial.as_slice() else { return Vec::new() };
    let is_down = coefficient.is_negative();
    let bounds = match atom {
        Atom::Quotient { numerator, divisor, rounding } => {
            let Some(d) = divisor.as_constant().and_then(Rational::as_integer).filter(|d| *d > 0) else {
                return Vec::new();
            };
            // ⌈x/d⌉ is at most (x + d − 1)/d, and ⌊x/d⌋ at least (x − d + 1)/d.
            let shift = match (rounding, is_down) {
                (Rounding::Up, true) => d - 1,
                (Rounding::Down, false) => 1 - d,
                _ => 0,
            };
            let shifted = numerator.plus(&Polynomial::integer(shift));
            let part = Rational::new(1, d);
            shifted.zip(part).and_then(|(shifted, part)| shifted.scaled(part)).into_iter().collect()
        }
        Atom::Min(a, b) if is_down => vec![(**a).clone(), (**b).clone()],
        Atom::Max(a, b) if !is_down => vec![(**a).clone(), (**b).clone()],
        _ => Vec::new(),
    };
    bounds.into_iter().filter_map(|bound| bound.scaled(coefficient)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_shown_by_their_parts() {
        let signs = Signs { negative: HashSet::from(["lo".to_owned()]) };
        let is_shown = |text: &str| signs.never_negative(&Polynomial::parse(text).unwrap());
        for shown in ["n", "n*m + 2", "n - 2*(n/2)", "n*n - 2*n*0"] {
            assert!(is_shown(shown), "{shown}");
        }
        for open in ["n - 1", "n - m", "lo", "n - 3*(n/2)", "n - lo"] {
            assert!(!is_shown(open), "{open}");
        }
        let lesser = |a: &str, b: &str| {
            let side = |text| Box::new(Polynomial::parse(text).unwrap());
            Polynomial::atom(Atom::Min(side(a), side(b)))
        };
        let n = Polynomial::name("n");
        assert!(signs.never_negative(&n.minus(&lesser("m", "n")).unwrap()));
        assert!(!signs.never_negative(&lesser("m", "n - 1")));
    }
}
