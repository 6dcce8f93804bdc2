//! Trips of loops whose counter is multiplied or divided by a number in every trip: `while (size < n) size *= 2`.
//!
//! ```text
//!   for (x = lo; x <= hi; x *= b)    as many trips as there are k ≥ 0 with lo·bᵏ ≤ hi: ⌊log_b(hi/lo)⌋ + 1
//!   for (x = hi; x >= lo; x /= b)    the same, as ⌊hi/bᵏ⌋ ≥ lo says the same
//!   for (x = lo; x < hi; x *= b)     lo·bᵏ < hi: ⌈log_b(hi/lo)⌉
//!   for (x = hi; x > lo; x /= b)     ⌊hi/bᵏ⌋ ≥ lo + 1: ⌊log_b(hi/(lo + 1))⌋ + 1
//! ```
//!
//! A shift by k bits divides by 2ᵏ. Either end is an input, a sum of inputs, or a number. A number that is a power of the base
//! leaves a whole constant: `⌈log₂ n⌉ − 4` begins at 16.

use super::polynomial::{Atom, Polynomial, Rounding};
use super::problem::{Interpolated, Problem};
use super::quotients::{signed_sums, sum, sum_at};
use super::rational::Rational;

/// By what programs multiply and divide, the most frequent first.
const BASES: [u32; 17] = [2, 10, 3, 4, 8, 16, 256, 5, 6, 7, 9, 32, 64, 100, 128, 1000, 65536];

/// A logarithm is flat: so many points tell its base, its ends and how it is rounded from others ...
const LEAST_POINTS: usize = 6;

/// ... of which so many have trips.
const LEAST_WITH_TRIPS: usize = 4;

/// So many different numbers of trips.
const LEAST_SPREAD: u64 = 2;

/// The logarithm that gives all points; `None` where no base has one, or several bases have.
///
/// - Time: O(bases · sums of inputs · points), and nearly all of them fail at the first points.
pub(super) fn logarithm(problem: &Problem<'_>) -> Option<Interpolated> {
    let trips = || problem.deciding.iter().map(|&index| problem.points[index].trips);
    let is_enough = problem.points.len() >= LEAST_POINTS && problem.deciding.len() >= LEAST_WITH_TRIPS;
    if !is_enough || trips().max()? - trips().min()? < LEAST_SPREAD {
        return None;
    }
    let sums = signed_sums(problem.varying.len());
    let of_base = |base: u32| -> Vec<Interpolated> {
        sums.iter().flat_map(|signs| candidates(problem, signs, base)).collect()
    };
    let mut bases = BASES.into_iter().map(of_base).filter(|found| !found.is_empty());
    let found = bases.next()?;
    if bases.next().is_some() {
        return None;
    }
    let is_unique = found.len() == 1;
    Some(Interpolated { is_unique, ..found.into_iter().next()? })
}

/// The logarithms of a base that give all points, with a sum of inputs as the greater end.
fn candidates(problem: &Problem<'_>, signs: &[i128], base: u32) -> Vec<Interpolated> {
    let others = problem.varying.iter().zip(signs).filter(|(_, sign)| **sign == 0);
    let others: Vec<Polynomial> = others.map(|(&input, _)| Polynomial::name(&problem.names[input])).collect();
    let up = by_number(problem, signs, base, 0, Rounding::Up);
    let down = by_number(problem, signs, base, 0, Rounding::Down);
    let parents = by_number(problem, signs, base, 1, Rounding::Down);
    let by_input = others.iter().flat_map(|end| by_input(problem, signs, base, end));
    let all = down.into_iter().chain(up).chain(parents).chain(by_input);
    let right =
        all.filter_map(|polynomial| problem.found(polynomial.clone(), problem.misses(&polynomial, 0)?, true));
    right.collect()
}

/// `⌈log(greater/end)⌉`, `⌊log(greater/end)⌋ + 1` and `⌊log(greater/(end + 1))⌋ + 1`.
fn by_input(problem: &Problem<'_>, signs: &[i128], base: u32, end: &Polynomial) -> Vec<Polynomial> {
    let one = Polynomial::integer(1);
    let down = |end: &Polynomial| quotient(&sum(problem, signs)?, end, base, Rounding::Down).plus(&one);
    let up = sum(problem, signs).map(|greater| quotient(&greater, end, base, Rounding::Up));
    let above = end.plus(&one).and_then(|above| down(&above));
    [up, down(end), above].into_iter().flatten().collect()
}

/// `⌊log(greater/c)⌋ + 1` or `⌈log(greater/c)⌉`: `c` is the power of the base that gives a point, or the only number that can
/// give all. With `more` of 1 instead of 0, the greater end is more by that: a heap's parents are at `(i − 1)/2`.
fn by_number(
    problem: &Problem<'_>,
    signs: &[i128],
    base: u32,
    more: i128,
    rounding: Rounding,
) -> Option<Polynomial> {
    let greater = sum(problem, signs)?.plus(&Polynomial::integer(more))?;
    let log = |of: Polynomial| Polynomial::atom(Atom::Log { of: Box::new(of), base, rounding });
    let first = *problem.deciding.first()?;
    let whole = log(greater.clone());
    let constant =
        Rational::integer(i128::from(problem.points[first].trips)).minus(problem.value(&whole, first)?)?;
    let power = whole.plus(&Polynomial::constant(constant))?;
    if problem.misses(&power, 0).is_some() {
        return Some(power);
    }
    let only = only_end(problem, signs, base, more, rounding)?;
    let quotient = quotient(&greater, &Polynomial::integer(only), base, rounding);
    quotient.plus(&Polynomial::integer(i128::from(rounding == Rounding::Down)))
}

/// The only number that a counter can begin or end at, so that all points are right.
fn only_end(
    problem: &Problem<'_>,
    signs: &[i128],
    base: u32,
    more: i128,
    rounding: Rounding,
) -> Option<i128> {
    let (mut least, mut greatest) = (1, i128::MAX);
    for (index, point) in problem.points.iter().enumerate() {
        // c·bᵏ ≤ hi as often as there are trips: c·b^(trips − 1) ≤ hi < c·b^trips.
        let hi = sum_at(problem, signs, index) + more - i128::from(rounding == Rounding::Up);
        let power = i128::from(base).checked_pow(u32::try_from(point.trips).ok()?)?;
        least = least.max(hi.div_euclid(power) + 1);
        if point.trips > 0 {
            greatest = greatest.min(hi.div_euclid(power / i128::from(base)));
        }
        if least > greatest {
            return None;
        }
    }
    (least == greatest).then_some(least)
}

/// `⌊log(greater/lesser)⌋` or `⌈log(greater/lesser)⌉`.
fn quotient(greater: &Polynomial, lesser: &Polynomial, base: u32, rounding: Rounding) -> Polynomial {
    // ⌊log ⌊x⌋⌋ is ⌊log x⌋, and so it is with what is rounded up.
    let of =
        Atom::Quotient { numerator: Box::new(greater.clone()), divisor: Box::new(lesser.clone()), rounding };
    Polynomial::atom(Atom::Log { of: Box::new(Polynomial::atom(of)), base, rounding })
}
