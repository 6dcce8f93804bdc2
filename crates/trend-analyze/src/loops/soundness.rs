//! Which formulas that give all points are more than luck, by what the program says of the loop.
//!
//! A formula says that its inputs decide. The program knows the inputs and the exits: where a formula contradicts what these say, the
//! points were too much alike to see it.

use std::collections::BTreeSet;

use trend_model::loops::{Atom, Interpolated, Point, Polynomial, Rational};
use trend_profile::{LoopExits, LoopInputValue, ProgramLoop};

/// A number in a formula may stand for an input from here on: smaller ones are in most programs.
const LEAST_TELLING: i128 = 3;

/// Each of a lesser or a greater of two decided at so many different numbers of trips.
const LEAST_OF_SIDE: usize = 2;

/// The formula that may be called exact; `None` where the points may be so by chance.
///
/// - It has each input that varied: these decide, as the conditions of the exits say. Where one seems not to matter, no run came to
///   the exit that it is about.
/// - It has one term with a logarithm or a root, in a loop with one exit. Such curves are flat: a few points are near one or other of
///   them, or of their sums.
/// - Of a lesser or greater of two, each is that at several numbers of trips. At a single one it is any number that happens to be
///   the trips there. A number, such as 1 of a loop that is run once in any case, is that at several points.
/// - A number in it that is the value of an input which was the same in all runs stands for that input: `pp − base`, and not
///   `pp − 3856`.
pub(super) fn sound(
    one: &ProgramLoop,
    names: &[&str],
    points: &[Point],
    found: Interpolated,
) -> Option<Interpolated> {
    let polynomial = &found.polynomial;
    let used = polynomial.names();
    let is_used = |k: usize| used.iter().any(|name| **name == *names[k]);
    let varies = |k: usize| points.iter().any(|point| point.inputs[k] != points[0].inputs[k]);
    let are_all_used = (0..names.len()).all(|k| is_used(k) || !varies(k));
    let is_flat = match polynomial.logarithms_and_roots() {
        0 => false,
        1 => one.exits == LoopExits::Several,
        _ => true,
    };
    if !are_all_used || is_flat || !are_both_sides_seen(polynomial, names, points) {
        return None;
    }
    let has_value = |k: usize| one.inputs[k].value != LoopInputValue::Changing;
    let mut same = (0..names.len()).filter(|&k| has_value(k) && !varies(k));
    let with_input = same.find_map(|k| with_input(polynomial, names[k], i128::from(points[0].inputs[k])));
    Some(match with_input {
        Some(polynomial) => Interpolated { polynomial, is_unique: false, ..found },
        None => found,
    })
}

/// Whether each of two, of which a formula has the lesser or the greater, decided at several numbers of trips.
fn are_both_sides_seen(polynomial: &Polynomial, names: &[&str], points: &[Point]) -> bool {
    // With which sign the side that is a number decides.
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

/// What goes from one number to another by ones, of which one is an input and the other the value of this one.
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
    // One more or less is a matter of how the counter is compared.
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
