//! Decides which formulas fit all points by more than luck, from the structure of the loop in the program.
//!
//! A formula claims that its inputs decide the trips. The program's code shows the inputs and the exits of the loop. If
//! a formula contradicts them, the points were too similar to reveal it.

use std::collections::BTreeSet;

use trend_model::loops::{Atom, Interpolated, Point, Polynomial, Rational};
use trend_profile::{LoopExits, LoopInputValue, ProgramLoop};

/// Least absolute value of an input that a number in a formula may stand for. Smaller numbers occur in most programs.
const LEAST_TELLING: i128 = 3;

/// Minimum number of different trip counts at which each side of a minimum or maximum must decide.
const LEAST_OF_SIDE: usize = 2;

/// Returns the formula if it may be called exact; `None` if it may fit the points by chance. An exact formula meets
/// these conditions:
///
/// - It has each input that varied: according to the exit conditions, these inputs decide. If one seems not to matter,
///   no run reached the exit that depends on it.
/// - It has at most one term with a logarithm or a root, and only if the loop has a single exit. Such curves are flat:
///   a few points lie near one of them, or near a sum of them.
/// - Its value is an integer at all inputs, as a number of trips is. A formula such as `¾n`, for a counter that
///   sometimes takes a longer step, gives integers only because all measured sizes share a divisor.
/// - Each side of a minimum or maximum decides at several numbers of trips. At a single one, any number that equals the
///   trips there would fit. A side that is a number must decide at several points, such as the 1 of a loop that always
///   runs once.
/// - A number in it does not stand for an input that was the same in all runs. Such a number is replaced by the input:
///   `pp − base` instead of `pp − 3856`.
pub(super) fn sound(
    one: &ProgramLoop,
    names: &[&str],
    points: &[Point],
    interpolated: Interpolated,
) -> Option<Interpolated> {
    let polynomial = &interpolated.polynomial;
    let used = polynomial.names();
    let is_used = |k: usize| used.iter().any(|name| **name == *names[k]);
    let varies = |k: usize| points.iter().any(|point| point.inputs[k] != points[0].inputs[k]);
    let are_all_used = (0..names.len()).all(|k| is_used(k) || !varies(k));
    let is_flat = match polynomial.logarithms_and_roots() {
        0 => false,
        1 => one.exits == LoopExits::Several,
        _ => true,
    };
    let are_sides_seen = are_both_sides_seen(polynomial, names, points);
    if !are_all_used || is_flat || !are_sides_seen || !is_integer_valued(polynomial, names, points) {
        return None;
    }
    let has_value = |k: usize| one.inputs[k].value != LoopInputValue::Changing;
    let mut same = (0..names.len()).filter(|&k| has_value(k) && !varies(k));
    let with_input = same.find_map(|k| with_input(polynomial, names[k], i128::from(points[0].inputs[k])));
    Some(match with_input {
        Some(polynomial) => Interpolated { polynomial, is_unique: false, ..interpolated },
        None => interpolated,
    })
}

/// Returns true if the value of a formula is an integer at all inputs where it has one. A polynomial of degree d is
/// integer-valued if it is an integer at d + 1 consecutive values of each input. `MORE` further values check formulas
/// that round.
pub(super) fn is_integer_valued(polynomial: &Polynomial, names: &[&str], points: &[Point]) -> bool {
    const MORE: i64 = 4;
    let used = polynomial.names();
    let least = |k: usize| points.iter().map(|point| point.inputs[k]).min().unwrap_or(0);
    let used: Vec<(&str, i64)> =
        (0..names.len()).filter(|&k| used.contains(names[k])).map(|k| (names[k], least(k))).collect();
    let is_plain = |(atom, _): &(Atom, u32)| matches!(atom, Atom::Name(_));
    if polynomial.terms().all(|(term, factor)| factor.as_integer().is_some() && term.iter().all(is_plain)) {
        return true;
    }
    let steps = i64::from(polynomial.degree()) + MORE;
    let combinations = steps.pow(used.len() as u32);
    (0..combinations).all(|combination| {
        let value = |name: &str| {
            let position = used.iter().position(|(one, _)| *one == name)?;
            let offset = combination / steps.pow(position as u32) % steps;
            Some(i128::from(used[position].1) + i128::from(offset))
        };
        polynomial.value(&value).is_none_or(|value| value.as_integer().is_some())
    })
}

/// Returns true if each side of every minimum and maximum in a formula decided at several numbers of trips.
fn are_both_sides_seen(polynomial: &Polynomial, names: &[&str], points: &[Point]) -> bool {
    // The sign of the difference at which a side that is a number decides.
    let difference = |atom: &Atom| match atom {
        Atom::Min(a, b) => Some((a.minus(b)?, a.as_constant().is_some().then_some(-1))),
        Atom::Max(a, b) => Some((a.minus(b)?, a.as_constant().is_some().then_some(1))),
        _ => None,
    };
    let mut differences =
        polynomial.terms().flat_map(|(atoms, _)| atoms).filter_map(|(atom, _)| difference(atom));
    differences.all(|(difference, number)| {
        let sign = |point: &Point| {
            let value = |name: &str| {
                let position = names.iter().position(|one| *one == name)?;
                Some(i128::from(point.inputs[position]))
            };
            difference.value(&value).map(|value| match value {
                value if value.is_zero() => 0,
                value if value.is_negative() => -1,
                _ => 1,
            })
        };
        [-1, 1].iter().all(|side| {
            if number == Some(*side) {
                let is_number = |point: &&Point| sign(point).is_some_and(|sign| sign == *side || sign == 0);
                return points.iter().filter(is_number).count() >= LEAST_OF_SIDE;
            }
            let trips = points.iter().filter(|point| sign(point) == Some(*side)).map(|point| point.trips);
            trips.collect::<BTreeSet<u64>>().len() >= LEAST_OF_SIDE
        })
    })
}

/// Replaces the constant of a formula `±x + constant` by an input whose value it equals, up to 1; `None` for any other
/// formula.
fn with_input(polynomial: &Polynomial, name: &str, value: i128) -> Option<Polynomial> {
    let (mut constant, mut sign) = (0, None);
    for (monomial, coefficient) in polynomial.terms() {
        let coefficient = coefficient.as_integer()?;
        match monomial.as_slice() {
            [] => constant = coefficient,
            [(Atom::Name(_), 1)] if sign.is_none() && coefficient.abs() == 1 => sign = Some(coefficient),
            _ => return None,
        }
    }
    let sign = sign?;
    // A difference of 1 depends on how the counter is compared.
    let rest = constant + sign * value;
    if value.abs() < LEAST_TELLING || rest.abs() > 1 {
        return None;
    }
    let other = Polynomial::name(name).scaled(Rational::integer(-sign))?;
    polynomial.plus(&Polynomial::integer(rest - constant))?.plus(&other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_is_the_value_of_an_input_stands_for_it() {
        let n = Polynomial::name("n");
        let with = |polynomial: &Polynomial, value| with_input(polynomial, "m", value).map(|p| p.to_string());
        let plus = |number| n.plus(&Polynomial::integer(number)).unwrap();
        assert_eq!(with(&plus(-3856), 3856).unwrap(), "n − m");
        assert_eq!(with(&plus(-3855), 3856).unwrap(), "n − m + 1");
        assert_eq!(with(&Polynomial::integer(100).minus(&n).unwrap(), 100).unwrap(), "m − n");
        assert_eq!(
            [with(&plus(-3856), 3850), with(&plus(100), 100), with(&plus(-1), 1), with(&n, 7)],
            [const { None }; 4]
        );
    }
}
