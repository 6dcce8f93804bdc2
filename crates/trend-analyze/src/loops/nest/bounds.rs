//! Upper bounds of the trips of a loop in one activation of a loop around it.

use trend_model::loops::{Atom, Polynomial, Rational};

use super::{Compared, Nest, NestTrips, counters_in, stated};
use crate::loops::sums::Guarded;
use crate::loops::symbols::symbol;

impl Nest<'_> {
    /// Returns an upper bound: the number of outer trips times the maximum of the inner trips. For the maximum, the
    /// counter is set to its greatest and least values. If the code does not state these, it is set to the outer
    /// trips, to an input, or to its least observed value.
    pub(super) fn greatest_product(
        &self,
        inner: &NestTrips,
        trips: &NestTrips,
        index: u32,
        outer: u32,
    ) -> Option<Guarded> {
        let counters = counters_in(&inner.trips, outer);
        let is_at_last = self.is_entered_at_last(index, outer);
        if !is_at_last
            && let [name] = counters.as_slice()
            && let Some(counting) = self.stated_counting(name, index, outer)
        {
            let bound = inner.trips.at_most(&trips.trips, &counting, &self.signs)?;
            let compared = self.compared_with(&bound, index, outer, |sum, measured| sum >= measured);
            return (!matches!(compared, Compared::Wrong)).then_some(bound);
        }
        // A quotient is smallest, not greatest, at the greatest value of a counter in its divisor.
        if has_in_divisor(inner.polynomial(), &counters) {
            return None;
        }
        let passes = self.passes(index, outer, trips)?;
        // Subtracting a counter that was never negative reduces the trips, so a bound drops it.
        let is_negative = counters.iter().any(|counter| self.signs.negative.contains(counter));
        let inner =
            if is_negative { inner.polynomial().clone() } else { without_subtraction(inner.polynomial())? };
        let inputs = self.at(outer).inputs.iter().map(|input| Polynomial::name(&symbol(input)));
        let least = counters.iter().filter_map(|counter| self.values_of(counter).first().copied());
        let least = least.map(|least| Polynomial::integer(i128::from(least)));
        std::iter::once(trips.polynomial().clone()).chain(inputs).chain(least).find_map(|value| {
            let replaced = |name: &str| counters.iter().any(|one| one == name).then(|| value.clone());
            let greatest = without_subtraction(&inner.substituted(&replaced)?)?;
            let product = greatest.times(&passes)?;
            // If nothing can be compared, the value must reach the largest observed counter.
            let is_seen = |counter: &String| {
                let observed =
                    self.values_of(counter).last().map(|&observed| Rational::integer(i128::from(observed)));
                value.as_constant().zip(observed).is_none_or(|(value, observed)| value >= observed)
            };
            let bound = Guarded { value: product, guards: trips.trips.guards.clone() };
            let is_above = match self.compared_with(&bound, index, outer, |sum, measured| sum >= measured) {
                Compared::Right(_) => true,
                Compared::Wrong => false,
                Compared::Unknown => counters.iter().all(is_seen),
            };
            is_above.then_some(bound)
        })
    }
}

/// Returns true if a divisor in a polynomial contains one of these names.
fn has_in_divisor(polynomial: &Polynomial, names: &[String]) -> bool {
    let of_atom = |(atom, _): &(Atom, u32)| match atom {
        Atom::Name(_) => false,
        Atom::Quotient { numerator, divisor, .. } => {
            names.iter().any(|name| divisor.has_name(name)) || has_in_divisor(numerator, names)
        }
        Atom::Log { argument, .. } | Atom::Sqrt { argument, .. } => has_in_divisor(argument, names),
        Atom::Min(a, b) | Atom::Max(a, b) => has_in_divisor(a, names) || has_in_divisor(b, names),
    };
    polynomial.terms().any(|(monomial, _)| monomial.iter().any(of_atom))
}

/// Drops the subtracted terms of a polynomial, and of its minima, maxima and dividends. The result is not less.
fn without_subtraction(polynomial: &Polynomial) -> Option<Polynomial> {
    let larger = |atom: &Atom| match atom {
        Atom::Min(a, b) => Some(stated::lesser(&without_subtraction(a)?, &without_subtraction(b)?)),
        Atom::Max(a, b) => Some(stated::greater(&without_subtraction(a)?, &without_subtraction(b)?)),
        Atom::Quotient { numerator, divisor, rounding } => {
            stated::quotient(&without_subtraction(numerator)?, divisor, *rounding)
        }
        Atom::Log { argument, base, rounding } => {
            let argument = Box::new(without_subtraction(argument)?);
            Some(Polynomial::atom(Atom::Log { argument, base: *base, rounding: *rounding }))
        }
        Atom::Sqrt { argument, rounding } => {
            let argument = Box::new(without_subtraction(argument)?);
            Some(Polynomial::atom(Atom::Sqrt { argument, rounding: *rounding }))
        }
        Atom::Name(_) => Some(Polynomial::atom(atom.clone())),
    };
    let is_added = |(_, coefficient): &(&Vec<(Atom, u32)>, Rational)| !coefficient.is_negative();
    polynomial.terms().filter(is_added).try_fold(Polynomial::default(), |sum, (monomial, coefficient)| {
        let factors =
            monomial.iter().try_fold(Polynomial::constant(coefficient), |product, (atom, power)| {
                product.times(&larger(atom)?.power(*power)?)
            });
        sum.plus(&factors?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_in_divisors_are_found() {
        let [n, width] = ["n", "width"].map(Polynomial::name);
        let pairs = stated::quotient(&n, &width, trend_model::loops::Rounding::Up).unwrap();
        let least = stated::lesser(&pairs, &n);
        let has = |polynomial: &Polynomial, name: &str| has_in_divisor(polynomial, &[name.to_owned()]);
        assert!(has(&pairs, "width") && has(&least, "width"));
        assert!(!has(&least, "n") && !has(&n, "n"));
    }

    #[test]
    fn a_bound_drops_subtracted_terms_inside_a_minimum_as_well() {
        let [chunk, cols, start] = ["chunk", "cols", "start"].map(Polynomial::name);
        let one = Polynomial::integer(1);
        let rest = cols.minus(&start).unwrap().minus(&one).unwrap();
        let least = stated::lesser(&chunk.minus(&one).unwrap(), &rest);
        let larger = without_subtraction(&least.times(&cols).unwrap()).unwrap();
        assert_eq!(larger, stated::lesser(&chunk, &cols).times(&cols).unwrap());
    }
}
