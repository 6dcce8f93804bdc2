//! Loops with a step: `⌈n/4⌉`, `⌊(n − k)/d⌋`, `⌈(hi − lo)/step⌉`.
//!
//! ```text
//!   trips = ⌊(a·x + c)/d⌋  ⇔  d·trips ≤ a·x + c ≤ d·trips + d − 1        at each point: bounds of c
//! ```
//!
//! With `a` of −1, 0 and 1, and `d` a number, an input or twice one (merge sort's `i += 2 * width`), each point bounds `c` from both
//! sides; where there are no trips, from above alone. A law is one whose bounds leave a `c`. What is rounded up is `c = d − 1`.

use super::polynomial::{Atom, Polynomial, Rounding};
use super::problem::{Interpolated, Problem};
use super::rational::Rational;

/// A quotient by a number is told from others by at least so many different numbers of trips.
const LEAST_SPREAD: i128 = 4;

/// Points more than there are choices: two coefficients, the divisor and the constant.
const LEAST_POINTS: usize = 6;

/// Where there are no trips, a point says less: so many have some.
const LEAST_WITH_TRIPS: usize = 4;

/// The largest step of a loop that is a number.
const LARGEST_DIVISOR: i128 = 4096;

/// As many divisors are tried at most.
const MOST_DIVISORS: i128 = 64;

/// The simplest quotient that gives all points.
pub(super) fn quotient(problem: &Problem<'_>) -> Option<Interpolated> {
    if problem.points.len() < LEAST_POINTS || problem.deciding.len() < LEAST_WITH_TRIPS {
        return None;
    }
    let inputs = problem.varying.len();
    let sums = signed_sums(inputs);
    let found = sums.iter().find_map(|signs| by_number(problem, signs));
    let found = found.or_else(|| sums.iter().find_map(|signs| by_input(problem, signs)));
    // From an input up to a number.
    let taken_off = |input: usize| (0..inputs).map(|one| if one == input { -1 } else { 0 }).collect();
    let mut taken_off = (0..inputs).map(taken_off);
    found.or_else(|| taken_off.find_map(|signs: Vec<i128>| by_number(problem, &signs)))
}

/// All choices of −1, 0 and 1 for inputs, those with few inputs first, and positive ones before negative ones.
pub(super) fn signed_sums(inputs: usize) -> Vec<Vec<i128>> {
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

/// The value of such a sum at a point.
pub(super) fn sum_at(problem: &Problem<'_>, signs: &[i128], index: usize) -> i128 {
    let inputs = &problem.points[index].inputs;
    problem.varying.iter().zip(signs).map(|(&k, sign)| sign * i128::from(inputs[k])).sum()
}

/// Such a sum.
pub(super) fn sum(problem: &Problem<'_>, signs: &[i128]) -> Option<Polynomial> {
    problem.varying.iter().zip(signs).try_fold(Polynomial::default(), |sum, (&k, sign)| {
        sum.plus(&Polynomial::name(&problem.names[k]).scaled(Rational::integer(*sign))?)
    })
}

/// The least and the greatest constant with which the quotient by `divisor` of a point gives its trips at all points.
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

/// A quotient by twice an input needs as many trips at one point.
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
    // Rounded down, then rounded up, then whatever there is.
    let (d, c) = all
        .iter()
        .find_map(|&(d, range)| plain(range, 0).then_some((d, 0)))
        .or_else(|| all.iter().find_map(|&(d, range)| plain(range, d - 1).then_some((d, d - 1))))
        .or_else(|| all.first().map(|&(d, (least, greatest))| (d, 0.clamp(least, greatest))))?;
    let is_unique = matches!(all.as_slice(), [(_, (least, greatest))] if least == greatest);
    let (whole, rest) = (c.div_euclid(d), c.rem_euclid(d));
    let (rounding, shift, whole) = match rest {
        // The end of what goes from an input to a number.
        _ if !signs.contains(&1) => (Rounding::Up, c - (d - 1), 0),
        rest if rest == d - 1 => (Rounding::Up, 0, whole),
        rest => (Rounding::Down, rest, whole),
    };
    let atom = Atom::Quotient {
        numerator: Box::new(sum(problem, signs)?.plus(&Polynomial::integer(shift))?),
        divisor: Box::new(Polynomial::integer(d)),
        rounding,
    };
    let polynomial = Polynomial::atom(atom).plus(&Polynomial::integer(whole))?;
    let off = problem.misses(&polynomial, 0)?;
    problem.found(polynomial, off, is_unique)
}

fn by_input(problem: &Problem<'_>, signs: &[i128]) -> Option<Interpolated> {
    problem.varying.iter().zip(signs).filter(|(_, sign)| **sign == 0).find_map(|(&input, _)| {
        // What doubles looks like it while there are few trips.
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
            problem.found(polynomial, off, least == greatest)
        })
    })
}
