//! Trip counts of loops whose counter is multiplied or divided by a number in every trip: `while (size < n) size *= 2`.
//!
//! ```text
//!   for (x = lo; x <= hi; x *= b)    one trip per k ≥ 0 with lo·bᵏ ≤ hi: ⌊log_b(hi/lo)⌋ + 1
//!   for (x = hi; x >= lo; x /= b)    the same, because ⌊hi/bᵏ⌋ ≥ lo is equivalent
//!   for (x = lo; x < hi; x *= b)     lo·bᵏ < hi: ⌈log_b(hi/lo)⌉
//!   for (x = hi; x > lo; x /= b)     ⌊hi/bᵏ⌋ ≥ lo + 1: ⌊log_b(hi/(lo + 1))⌋ + 1
//! ```
//!
//! A shift by k bits divides by 2ᵏ. Each end is an input, a sum of inputs, or a number. A number that is a power of the
//! base becomes an integer constant: `⌈log₂ n⌉ − 4` begins at 16.

use std::ops::RangeInclusive;

use super::problem::{Interpolated, Problem};
use super::quotients::{signed_sums, sum, sum_at};
use crate::loops::polynomials::polynomial::{Atom, Polynomial, Rounding};

/// Numbers that may be added to the greater end: −1 if a loop ends with `<`, 0 with `<=`, and 1 on the way up a heap
/// (`(i − 1)/2`). Larger numbers occur if a loop begins or ends a little before or after an input.
const ADDED: RangeInclusive<i128> = -4..=4;

/// Minimum number of points: a logarithm is flat, so fewer do not determine its base, ends and rounding.
const LEAST_POINTS: usize = 6;

/// Minimum number of points with trips.
const LEAST_WITH_TRIPS: usize = 4;

/// Minimum difference between the largest and the smallest trip count.
const LEAST_SPREAD: u64 = 2;

/// Returns the logarithm that fits all points; `None` if no base or several bases have one. The logarithm is unique if
/// no other ends fit all points either.
///
/// - Time: O(bases · sums of inputs · points), but nearly all bases fail at the first points.
pub(crate) fn logarithm(problem: &Problem<'_>) -> Option<Interpolated> {
    let trips = || problem.deciding.iter().map(|&index| problem.points[index].trips);
    let is_enough = problem.points.len() >= LEAST_POINTS && problem.deciding.len() >= LEAST_WITH_TRIPS;
    if !is_enough || trips().max()? - trips().min()? < LEAST_SPREAD {
        return None;
    }
    let sums = signed_sums(problem.varying.len());
    let of_base =
        |base: i128| -> Vec<Ends> { sums.iter().flat_map(|signs| ends(problem, signs, base)).collect() };
    let mut bases = (2..=256).chain([1000, 65_536]).map(|base| (base, of_base(base)));
    let (base, all_ends) = bases.find(|(_, all_ends)| !all_ends.is_empty())?;
    if bases.any(|(_, all_ends)| !all_ends.is_empty()) {
        return None;
    }
    let is_unique = matches!(all_ends.as_slice(), [one] if one.lesser.is_one());
    // Prefers the most common forms: `size < n`, or down to a number.
    let mut by_frequency: Vec<&Ends> = all_ends.iter().collect();
    by_frequency.sort_by_key(|ends| match ends.lesser {
        Lesser::Input(..) => (ends.added + 1).abs(),
        Lesser::Number(..) => ends.added.abs(),
    });
    by_frequency.into_iter().filter_map(|ends| ends.law(problem, base)).find_map(|law| {
        let off = problem.misses(&law, 0)?;
        problem.confirm(law, off, is_unique)
    })
}

/// The range of a counter: `lesser·bᵏ ≤ greater + added` holds once per trip.
struct Ends<'a> {
    /// The greater end, a sum of inputs given by their signs.
    signs: &'a [i128],
    added: i128,
    lesser: Lesser,
}

/// The lesser end of a counter.
enum Lesser {
    /// A number in this range.
    Number(i128, i128),
    /// An input plus a number.
    Input(usize, i128),
}

impl Lesser {
    /// Returns true if the end is a single number or input.
    fn is_one(&self) -> bool {
        !matches!(self, Self::Number(least, greatest) if least < greatest)
    }
}

/// Returns all ends for which a loop of this base has the trip count of each point.
fn ends<'a>(problem: &Problem<'_>, signs: &'a [i128], base: i128) -> Vec<Ends<'a>> {
    let by_number = ADDED.filter_map(|added| {
        let (least, greatest) = numbers(problem, signs, base, added)?;
        Some(Ends { signs, added, lesser: Lesser::Number(least, greatest) })
    });
    let others = problem.varying.iter().zip(signs).filter(|(_, sign)| **sign == 0);
    let inputs = others.flat_map(|(&input, _)| [0, 1, -1].map(|more| (input, more)));
    let by_input = inputs.flat_map(|(input, more)| {
        let added =
            added(problem, signs, base, |index| i128::from(problem.points[index].inputs[input]) + more);
        let is_possible =
            move |one: &i128| added.is_some_and(|(least, greatest)| (least..=greatest).contains(one));
        let all = ADDED.filter(is_possible);
        all.map(move |added| Ends { signs, added, lesser: Lesser::Input(input, more) })
    });
    by_number.chain(by_input).collect()
}

/// Returns the range of the numbers that the lesser end may be.
fn numbers(problem: &Problem<'_>, signs: &[i128], base: i128, added: i128) -> Option<(i128, i128)> {
    let (mut least, mut greatest) = (1, i128::MAX);
    for (index, point) in problem.points.iter().enumerate() {
        // lesser·b^(trips − 1) ≤ greater < lesser·b^trips
        let end = sum_at(problem, signs, index) + added;
        let power = base.checked_pow(u32::try_from(point.trips).ok()?)?;
        least = least.max(end.div_euclid(power) + 1);
        if point.trips > problem.least {
            greatest = greatest.min(end.div_euclid(power / base));
        }
        if least > greatest {
            return None;
        }
    }
    Some((least, greatest))
}

/// Returns the range of the numbers that may be added to the greater end.
fn added(
    problem: &Problem<'_>,
    signs: &[i128],
    base: i128,
    lesser: impl Fn(usize) -> i128,
) -> Option<(i128, i128)> {
    let (mut least, mut greatest) = (i128::MIN, i128::MAX);
    for (index, point) in problem.points.iter().enumerate() {
        let (sum, lesser) = (sum_at(problem, signs, index), lesser(index));
        let power = base.checked_pow(u32::try_from(point.trips).ok()?)?;
        greatest = greatest.min(lesser.checked_mul(power)?.checked_sub(sum + 1)?);
        if point.trips > problem.least {
            // Multiplying a counter of 0 or below never increases it.
            least = least.max(if lesser < 1 { i128::MAX } else { lesser * (power / base) - sum });
        }
        if least > greatest {
            return None;
        }
    }
    Some((least, greatest))
}

impl Ends<'_> {
    /// Returns `⌊log(greater/lesser)⌋ + 1`, or `⌈log(greater/lesser)⌉` for a loop that ends with `<`. Returns `None` if
    /// several numbers may be the lesser end and none of them is a power of the base.
    fn law(&self, problem: &Problem<'_>, base: i128) -> Option<Polynomial> {
        let rounding = if self.added == -1 { Rounding::Up } else { Rounding::Down };
        let added = if rounding == Rounding::Up { 0 } else { self.added };
        let greater = sum(problem, self.signs)?.plus(&Polynomial::integer(added))?;
        let base_of_log = u32::try_from(base).ok()?;
        let log = |argument: Polynomial| {
            Polynomial::atom(Atom::Log { argument: Box::new(argument), base: base_of_log, rounding })
        };
        let one = i128::from(rounding == Rounding::Down);
        let over = |lesser: Polynomial| {
            // ⌊log ⌊x⌋⌋ is ⌊log x⌋, and the same holds for rounding up.
            let quotient =
                Atom::Quotient { numerator: Box::new(greater.clone()), divisor: Box::new(lesser), rounding };
            log(Polynomial::atom(quotient)).plus(&Polynomial::integer(one))
        };
        match self.lesser {
            Lesser::Input(input, more) => {
                over(Polynomial::name(&problem.names[input]).plus(&Polynomial::integer(more))?)
            }
            Lesser::Number(least, greatest) => {
                let powers = (0..).map_while(|k| Some((k, base.checked_pow(k)?)));
                let mut powers = powers.take_while(|(_, power)| *power <= greatest);
                match powers.find(|(_, power)| *power >= least) {
                    Some((k, _)) => log(greater.clone()).plus(&Polynomial::integer(one - i128::from(k))),
                    None if least == greatest => over(Polynomial::integer(least)),
                    None => None,
                }
            }
        }
    }
}
