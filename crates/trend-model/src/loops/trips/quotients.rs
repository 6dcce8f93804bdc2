//! Trip counts of loops with a step: `⌈n/4⌉`, `⌊(n − k)/d⌋`, `⌈(hi − lo)/step⌉`.
//!
//! ```text
//!   trips = ⌊(a·x + c)/d⌋  ⇔  d·trips ≤ a·x + c ≤ d·trips + d − 1        at each point: bounds of c
//! ```
//!
//! `a` is −1, 0 or 1, and `d` is a number, an input or twice an input (merge sort's `i += 2 * width`). Each point
//! bounds `c` from both sides; a point without trips bounds it only from above. A law is one whose bounds leave a `c`.
//! Rounding up corresponds to `c = d − 1`.

use super::problem::{Interpolated, Problem};
use crate::loops::polynomials::polynomial::{Atom, Polynomial, Rounding};
use crate::loops::polynomials::rational::Rational;

/// Minimum difference between the trip counts of the smallest and the largest sum, for a quotient by a number.
const LEAST_SPREAD: i128 = 4;

/// Minimum number of points. It exceeds the number of choices: two coefficients, the divisor and the constant.
const LEAST_POINTS: usize = 6;

/// Minimum number of points with trips: a point without trips is less informative.
const LEAST_WITH_TRIPS: usize = 4;

/// Maximum constant step of a loop.
const LARGEST_DIVISOR: i128 = 4096;

/// Maximum number of divisors that are tried.
const MOST_DIVISORS: i128 = 64;

/// Returns the simplest quotient that gives all points.
pub(crate) fn quotient(problem: &Problem<'_>) -> Option<Interpolated> {
    if problem.points.len() < LEAST_POINTS || problem.deciding.len() < LEAST_WITH_TRIPS {
        return None;
    }
    let inputs = problem.varying.len();
    let sums = signed_sums(inputs);
    let interpolated = sums.iter().find_map(|signs| by_number(problem, signs));
    let interpolated = interpolated.or_else(|| sums.iter().find_map(|signs| by_input(problem, signs)));
    // Tries loops from an input up to a number.
    let falling = |input: usize| (0..inputs).map(|one| if one == input { -1 } else { 0 }).collect();
    let mut falling = (0..inputs).map(falling);
    interpolated.or_else(|| falling.find_map(|signs: Vec<i128>| by_number(problem, &signs)))
}

/// Returns all choices of −1, 0 and 1 for the inputs: those with few inputs first, and positive ones before negative
/// ones.
pub(crate) fn signed_sums(inputs: usize) -> Vec<Vec<i128>> {
    let mut all: Vec<Vec<i128>> = vec![Vec::new()];
    for _ in 0..inputs {
        all = all
            .into_iter()
            .flat_map(|signs| [1, 0, -1].map(|sign| signs.iter().copied().chain([sign]).collect()))
            .collect();
    }
    all.retain(|signs| signs.contains(&1));
    all.sort_by_key(|signs: &Vec<i128>| {
        let count = |sign| signs.iter().filter(|&&one| one == sign).count();
        (count(1) + count(-1), count(-1))
    });
    all
}

/// Returns the value of the sum with these signs at a point.
pub(crate) fn sum_at(problem: &Problem<'_>, signs: &[i128], index: usize) -> i128 {
    let inputs = &problem.points[index].inputs;
    problem.varying.iter().zip(signs).map(|(&k, sign)| sign * i128::from(inputs[k])).sum()
}

/// Returns the sum with these signs.
pub(crate) fn sum(problem: &Problem<'_>, signs: &[i128]) -> Option<Polynomial> {
    problem.varying.iter().zip(signs).try_fold(Polynomial::default(), |sum, (&k, sign)| {
        sum.plus(&Polynomial::name(&problem.names[k]).scaled(Rational::integer(*sign))?)
    })
}

/// Returns the range of the constants for which the quotient by a point's `divisor` gives the trip count at all points.
fn constants(
    problem: &Problem<'_>,
    signs: &[i128],
    divisor: impl Fn(usize) -> i128,
    is_up: bool,
) -> Option<(i128, i128)> {
    let (mut least, mut greatest) = (i128::MIN, i128::MAX);
    for (index, point) in problem.points.iter().enumerate() {
        let (d, trips, sum) = (divisor(index), i128::from(point.trips), sum_at(problem, signs, index));
        if d < 1 {
            return None;
        }
        // Down: d·trips ≤ sum + c < d·trips + d. Up: d·trips − d < sum + c ≤ d·trips.
        let first = d.checked_mul(trips)?.checked_sub(sum)?.checked_sub(if is_up { d - 1 } else { 0 })?;
        if point.trips > problem.least {
            least = least.max(first);
        }
        greatest = greatest.min(first.checked_add(d - 1)?);
        if least > greatest {
            return None;
        }
    }
    Some((least, greatest))
}

/// Minimum trip count at some point for a quotient by twice an input.
const LEAST_TRIPS_OF_TWICE: u64 = 4;

fn by_number(problem: &Problem<'_>, signs: &[i128]) -> Option<Interpolated> {
    let at = |&index: &usize| (sum_at(problem, signs, index), i128::from(problem.points[index].trips));
    let (low, high) = (problem.deciding.iter().map(at).min()?, problem.deciding.iter().map(at).max()?);
    let (width, spread) = (high.0 - low.0, high.1 - low.1);
    if spread < LEAST_SPREAD {
        return None;
    }
    // Rounding moves each end by less than 1.
    let (first, last) = ((width / (spread + 1)).max(2), width / (spread - 1) + 1);
    if last > LARGEST_DIVISOR || last - first > MOST_DIVISORS {
        return None;
    }
    let possible = |d: i128| constants(problem, signs, |_| d, false).map(|range| (d, range));
    let all: Vec<(i128, (i128, i128))> = (first..=last).filter_map(possible).collect();
    let plain = |range: (i128, i128), c: i128| range.0 <= c && c <= range.1;
    // Prefers rounding down, then rounding up, then any constant.
    let (d, c) = all
        .iter()
        .find_map(|&(d, range)| plain(range, 0).then_some((d, 0)))
        .or_else(|| all.iter().find_map(|&(d, range)| plain(range, d - 1).then_some((d, d - 1))))
        .or_else(|| all.first().map(|&(d, (least, greatest))| (d, 0.clamp(least, greatest))))?;
    let is_unique = matches!(all.as_slice(), [(_, (least, greatest))] if least == greatest);
    let (integer_part, rest) = (c.div_euclid(d), c.rem_euclid(d));
    let (rounding, shift, integer_part) = match rest {
        // The end of a loop from an input to a number.
        _ if !signs.contains(&1) => (Rounding::Up, c - (d - 1), 0),
        rest if rest == d - 1 => (Rounding::Up, 0, integer_part),
        rest => (Rounding::Down, rest, integer_part),
    };
    let atom = Atom::Quotient {
        numerator: Box::new(sum(problem, signs)?.plus(&Polynomial::integer(shift))?),
        divisor: Box::new(Polynomial::integer(d)),
        rounding,
    };
    let polynomial = Polynomial::atom(atom).plus(&Polynomial::integer(integer_part))?;
    let off = problem.misses(&polynomial, 0)?;
    problem.confirm(polynomial, off, is_unique)
}

fn by_input(problem: &Problem<'_>, signs: &[i128]) -> Option<Interpolated> {
    problem.varying.iter().zip(signs).filter(|(_, sign)| **sign == 0).find_map(|(&input, _)| {
        // A doubling counter looks the same while there are few trips.
        let most = problem.deciding.iter().map(|&index| problem.points[index].trips).max()?;
        let choices = [(1, true), (1, false), (2, true), (2, false)];
        let mut choices =
            choices.into_iter().filter(|(times, _)| *times == 1 || most >= LEAST_TRIPS_OF_TWICE);
        choices.find_map(|(times, is_up)| {
            let divisor = |index: usize| times * i128::from(problem.points[index].inputs[input]);
            let (least, greatest) = constants(problem, signs, divisor, is_up)?;
            let shift = 0.clamp(least, greatest);
            let atom = Atom::Quotient {
                numerator: Box::new(sum(problem, signs)?.plus(&Polynomial::integer(shift))?),
                divisor: Box::new(Polynomial::name(&problem.names[input]).scaled(Rational::integer(times))?),
                rounding: if is_up { Rounding::Up } else { Rounding::Down },
            };
            let polynomial = Polynomial::atom(atom);
            let off = problem.misses(&polynomial, 0)?;
            problem.confirm(polynomial, off, least == greatest)
        })
    })
}
