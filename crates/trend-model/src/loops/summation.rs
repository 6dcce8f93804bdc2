//! Sums over the counter of a loop, in closed form.
//!
//! ```text
//!   for (i = 0; i < n; i++)             n trips, i = 0 … n − 1
//!     for (j = 0; j < i; j++)           i trips           Σ i = ½n² − ½n
//! ```
//!
//! # Formula
//! `Σ_{t=0}^{T−1} t^k = Σ_{j=0}^{k} S(k, j) · T(T−1)…(T−j) / (j + 1)`, with Stirling numbers `S` of the second kind: each
//! power is a sum of falling factorials, and the sum of a falling factorial is the next one. The same polynomials as
//! Faulhaber's; see R. L. Graham, D. E. Knuth, O. Patashnik, *Concrete Mathematics*, 2nd edition, sections 2.6 and 6.1.

use super::polynomial::Polynomial;
use super::rational::Rational;

/// No sum of higher powers is asked for: nests are at most so deep.
const HIGHEST_POWER: usize = 12;

/// `Σ_{t=0}^{T−1} t^k` as a polynomial in `trips`; `None` where the power is above 12 or something does not fit.
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

/// In how many ways `n` things make `k` groups of which none is empty.
fn stirling(n: usize, k: usize) -> i128 {
    match (n, k) {
        (0, 0) => 1,
        (0, _) | (_, 0) => 0,
        _ => k as i128 * stirling(n - 1, k) + stirling(n - 1, k - 1),
    }
}

/// What something comes to over all trips of a loop, where a counter takes the values `start`, `start + step`, … : the sum of
/// `body` over them. `None` where the counter is also in something that is no power, as in `⌈i/4⌉`.
pub fn sum_over(
    body: &Polynomial,
    counter: &str,
    start: &Polynomial,
    step: i64,
    trips: &Polynomial,
) -> Option<Polynomial> {
    // In the number of the trip, which is no name of the program.
    const TRIP: &str = "\u{0}trip";
    let value = Polynomial::name(TRIP).scaled(Rational::integer(i128::from(step)))?.plus(start)?;
    let in_trips = body
        .powers_of(counter)?
        .iter()
        .enumerate()
        .try_fold(Polynomial::default(), |sum, (power, coefficient)| {
            sum.plus(&coefficient.times(&value.power(power as u32)?)?)
        })?;
    let powers = in_trips.powers_of(TRIP)?;
    powers.iter().enumerate().try_fold(Polynomial::default(), |sum, (power, coefficient)| {
        sum.plus(&coefficient.times(&power_sum(power, trips)?)?)
    })
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

    proptest! {
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
