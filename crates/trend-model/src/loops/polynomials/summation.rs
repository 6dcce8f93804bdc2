//! Sums over a loop counter, in closed form.
//!
//! ```text
//!   for (i = 0; i < n; i++)             n trips, i = 0 … n − 1
//!     for (j = 0; j < i; j++)           i trips           Σ i = ½n² − ½n
//! ```
//!
//! # Formula
//! `Σ_{t=0}^{T−1} t^k = Σ_{j=0}^{k} S(k, j) · T(T−1)…(T−j) / (j + 1)`, with Stirling numbers `S` of the second kind.
//! Each power is a sum of falling factorials, and the sum of a falling factorial is the next one. The polynomials are
//! Faulhaber's; see R. L. Graham, D. E. Knuth, O. Patashnik, *Concrete Mathematics*, 2nd edition, sections 2.6 and 6.1.
//!
//! An inner loop with a step, `for (j = 0; j < i; j += d)`, has a rounded quotient. Its sum is `F(m) = Σ_{x<m} ⌈x/d⌉ =
//! m·q − ½d·q² + (½d − 1)·q` with `q = ⌈m/d⌉`, because each value of the quotient but the last occurs `d` times. So
//! `Σ_{t=0}^{T−1} ⌈(u + t)/d⌉ = F(u + T) − F(u)`.

use super::polynomial::{Atom, Monomial, Polynomial, Rounding};
use super::rational::Rational;

/// Name of the trip number; no program can use it.
const TRIP: &str = "\u{0}trip";

/// Maximum power that is summed, which limits the depth of nests.
const HIGHEST_POWER: usize = 12;

/// Returns `Σ_{t=0}^{T−1} t^k` as a polynomial in `trips`; `None` if the power is above 12 or a number overflows.
///
/// - Time: O(k²) products of polynomials.
pub fn power_sum(k: usize, trips: &Polynomial) -> Option<Polynomial> {
    if k > HIGHEST_POWER {
        return None;
    }
    let mut sum = Polynomial::default();
    let mut falling = trips.clone();
    for j in 0..=k {
        let coefficient = Rational::new(stirling(k, j), j as i128 + 1)?;
        sum = sum.plus(&falling.scaled(coefficient)?)?;
        falling = falling.times(&trips.minus(&Polynomial::integer(j as i128 + 1))?)?;
    }
    Some(sum)
}

/// Returns the number of ways to divide `n` things into `k` nonempty groups.
fn stirling(n: usize, k: usize) -> i128 {
    match (n, k) {
        (0, 0) => 1,
        (0, _) | (_, 0) => 0,
        _ => k as i128 * stirling(n - 1, k) + stirling(n - 1, k - 1),
    }
}

/// Returns the sum of `body` over all trips of a loop whose counter takes the values `start`, `start + step`, … Returns
/// `None` if the counter occurs outside of powers and summable quotients. A summable quotient has a constant divisor,
/// and its numerator changes per trip by 1 or by a multiple of the divisor.
pub fn sum_over(
    body: &Polynomial,
    counter: &str,
    start: &Polynomial,
    step: i64,
    trips: &Polynomial,
) -> Option<Polynomial> {
    let value = Polynomial::name(TRIP).scaled(Rational::integer(i128::from(step)))?.plus(start)?;
    let in_trips = body.substituted(&|name| (name == counter).then(|| value.clone()))?;
    let is_rounded = |(monomial, _): &(&Monomial, Rational)| {
        monomial.iter().any(|(atom, _)| !matches!(atom, Atom::Name(_)) && has_trip(atom))
    };
    let (rounded, plain): (Vec<_>, Vec<_>) = in_trips.terms().partition(is_rounded);
    let plain = plain.into_iter().map(|(monomial, coefficient)| (monomial.clone(), coefficient));
    let powers = Polynomial::from_terms(plain)?.powers_of(TRIP)?;
    let sum = powers.iter().enumerate().try_fold(Polynomial::default(), |sum, (power, coefficient)| {
        sum.plus(&coefficient.times(&power_sum(power, trips)?)?)
    })?;
    rounded.into_iter().try_fold(sum, |sum, (monomial, coefficient)| {
        let (with_trip, others): (Monomial, Monomial) =
            monomial.iter().cloned().partition(|(atom, _)| has_trip(atom));
        let [(Atom::Quotient { numerator, divisor, rounding }, 1)] = with_trip.as_slice() else {
            return None;
        };
        let factor = Polynomial::from_terms([(others, coefficient)])?;
        sum.plus(&factor.times(&sum_of_quotients(numerator, divisor, *rounding, trips)?)?)
    })
}

fn has_trip(atom: &Atom) -> bool {
    atom.has_name(TRIP)
}

/// Returns the sum over all trips of a quotient whose numerator contains the trip number.
fn sum_of_quotients(
    numerator: &Polynomial,
    divisor: &Polynomial,
    rounding: Rounding,
    trips: &Polynomial,
) -> Option<Polynomial> {
    let d = divisor.as_constant()?.as_integer().filter(|d| *d > 0)?;
    let powers = numerator.powers_of(TRIP)?;
    let [first, change] = powers.as_slice() else { return None };
    let change = change.as_constant()?.as_integer()?;
    let first = match rounding {
        Rounding::Up => first.clone(),
        // For integers, ⌊x/d⌋ is ⌈(x − d + 1)/d⌉.
        Rounding::Down => first.minus(&Polynomial::integer(d - 1))?,
    };
    if first.terms().any(|(_, coefficient)| coefficient.as_integer().is_none()) {
        return None;
    }
    if change % d == 0 {
        let steps = power_sum(1, trips)?.scaled(Rational::integer(change / d))?;
        return rounded_up(&first, d).times(trips)?.plus(&steps);
    }
    match change {
        1 => quotients_below(&first.plus(trips)?, d)?.minus(&quotients_below(&first, d)?),
        // From the last value up to the first.
        -1 => quotients_to(&first, d)?.minus(&quotients_to(&first.minus(trips)?, d)?),
        _ => None,
    }
}

/// Returns `F(m)`: the sum of `⌈x/d⌉` over all x from 0 to m − 1, and its continuation below 0.
fn quotients_below(m: &Polynomial, d: i128) -> Option<Polynomial> {
    let q = rounded_up(m, d);
    let square = q.times(&q)?.scaled(Rational::new(d, 2)?)?;
    q.times(m)?.minus(&square)?.plus(&q.scaled(Rational::new(d - 2, 2)?)?)
}

/// Returns `F(m)` plus `⌈m/d⌉`.
fn quotients_to(m: &Polynomial, d: i128) -> Option<Polynomial> {
    quotients_below(m, d)?.plus(&rounded_up(m, d))
}

fn rounded_up(x: &Polynomial, d: i128) -> Polynomial {
    let divisor = Box::new(Polynomial::integer(d));
    let quotient =
        Polynomial::atom(Atom::Quotient { numerator: Box::new(x.clone()), divisor, rounding: Rounding::Up });
    quotient.value(&|_| None).map_or(quotient, Polynomial::constant)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn sums_of_powers_are_those_of_faulhaber() {
        for k in 0..=12 {
            let sum = power_sum(k, &Polynomial::name("n")).unwrap();
            for n in 0..20_i128 {
                let added: i128 = (0..n).map(|t| t.pow(k as u32)).sum();
                assert_eq!(sum.value(&|_| Some(n)), Some(Rational::integer(added)), "k = {k}, n = {n}");
            }
        }
        assert_eq!(power_sum(3, &Polynomial::name("n")).unwrap().to_string(), "¼n⁴ − ½n³ + ¼n²");
    }

    #[test]
    fn a_triangle_is_half_of_its_square() {
        let i = Polynomial::name("i");
        let sum = sum_over(&i, "i", &Polynomial::default(), 1, &Polynomial::name("n")).unwrap();
        assert_eq!(sum.to_string(), "½n² − ½n");
    }

    #[test]
    fn a_triangle_by_steps_is_a_part_of_its_square() {
        let half = Polynomial::atom(Atom::Quotient {
            numerator: Box::new(Polynomial::name("i")),
            divisor: Box::new(Polynomial::integer(2)),
            rounding: Rounding::Up,
        });
        let sum = sum_over(&half, "i", &Polynomial::default(), 1, &Polynomial::name("n")).unwrap();
        assert_eq!(sum.to_string(), "−⌈n/2⌉² + n·⌈n/2⌉");
    }

    proptest! {
        #[test]
        fn a_sum_of_quotients_is_that_of_the_values(
            d in 1_i128..7,
            (start, step) in (-9_i128..10, prop::sample::select(vec![-1_i64, 1, 2, -3, 6])),
            (sign, m) in (prop::sample::select(vec![-1_i128, 1]), -9_i128..10),
            is_up: bool,
            trips in 0_i128..20,
        ) {
            let numerator = Polynomial::name("i").scaled(Rational::integer(sign)).unwrap().plus(&Polynomial::name("m"));
            let body = Polynomial::atom(Atom::Quotient {
                numerator: Box::new(numerator.unwrap()),
                divisor: Box::new(Polynomial::integer(d)),
                rounding: if is_up { Rounding::Up } else { Rounding::Down },
            });
            let body = body.times(&Polynomial::name("m")).unwrap().plus(&Polynomial::name("i")).unwrap();
            let sum = sum_over(&body, "i", &Polynomial::integer(start), step, &Polynomial::name("T"));
            let is_summable = step.abs() == 1 || i128::from(step) % d == 0;
            prop_assert_eq!(sum.is_some(), is_summable);
            let Some(sum) = sum else { return Ok(()) };
            let closed = sum.value(&|name| Some(if name == "T" { trips } else { m })).unwrap();
            let added = (0..trips).fold(Rational::ZERO, |sum, t| {
                let at = start + i128::from(step) * t;
                sum.plus(body.value(&|name| Some(if name == "i" { at } else { m })).unwrap()).unwrap()
            });
            prop_assert_eq!(closed, added);
        }

        #[test]
        fn a_sum_over_a_counter_is_that_of_the_values(
            coefficients in prop::collection::vec(-5_i128..5, 1..4),
            start in -5_i128..5,
            step in -3_i64..4,
            trips in 0_i128..15,
            m in -4_i128..5,
        ) {
            let (i, name) = (Polynomial::name("i"), Polynomial::name("m"));
            let body = coefficients.iter().enumerate().fold(name.clone(), |sum, (k, c)| {
                let term = i.power(k as u32).unwrap().scaled(Rational::integer(*c)).unwrap();
                sum.plus(&term.times(&name).unwrap()).unwrap()
            });
            let sum = sum_over(&body, "i", &Polynomial::integer(start), step, &Polynomial::name("T")).unwrap();
            let closed = sum.value(&|name| Some(if name == "T" { trips } else { m })).unwrap();
            let added = (0..trips).fold(Rational::ZERO, |sum, t| {
                let at = start + i128::from(step) * t;
                sum.plus(body.value(&|name| Some(if name == "i" { at } else { m })).unwrap()).unwrap()
            });
            prop_assert_eq!(closed, added);
        }
    }
}
