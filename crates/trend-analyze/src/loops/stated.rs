//! Turns the code's statements into polynomials, and checks them against every observed activation.

use trend_model::loops::{Atom, Polynomial, Rational, Rounding};
use trend_profile::{LoopExpression, LoopInput, LoopInputValue, LoopTerm, ProgramLoop};

use super::observed::{observations, value_at};
use super::symbols::symbol;

/// The code's statement about the trips of a loop.
pub(super) struct Stated {
    /// The trips, in the symbols of the inputs.
    pub(super) trips: Polynomial,
    /// True if the loop may be left earlier.
    pub(super) is_bound: bool,
    /// True if no activation contradicts the statement.
    pub(super) is_confirmed: bool,
    /// True if each activation made exactly these trips.
    pub(super) is_reached: bool,
}

/// Returns the statement about a loop that was entered.
pub(super) fn stated(one: &ProgramLoop) -> Option<Stated> {
    let trips = polynomial(&one.stated.trips, &one.inputs)?;
    let observations = observations(one);
    if observations.is_empty() {
        return None;
    }
    let symbols: Vec<String> = one.inputs.iter().map(symbol).collect();
    let names: Vec<&str> = symbols.iter().map(String::as_str).collect();
    let compared = |is_right: &dyn Fn(u64, u64, u64) -> bool| {
        observations.iter().all(|o| {
            let trips = value_at(&trips, &names, &o.inputs[..one.inputs.len()]);
            trips.is_some_and(|trips| is_right(trips, o.trips.least, o.trips.greatest))
        })
    };
    let is_reached = compared(&|trips, least, greatest| trips == least && trips == greatest);
    let is_bound = one.stated.is_bound;
    let is_confirmed = if is_bound { compared(&|trips, _, greatest| greatest <= trips) } else { is_reached };
    Some(Stated { trips, is_bound, is_confirmed, is_reached })
}

/// Returns an expression in the symbols of a loop's inputs; `None` if there is none, or an input is no integer.
pub(super) fn polynomial(expression: &LoopExpression, inputs: &[LoopInput]) -> Option<Polynomial> {
    let mut values: Vec<Polynomial> = Vec::new();
    for term in &expression.0 {
        let value = match *term {
            LoopTerm::Number(number) => Polynomial::integer(i128::from(number)),
            LoopTerm::Input(input) => {
                let input = inputs.get(input as usize)?;
                (input.value == LoopInputValue::Integer).then(|| Polynomial::name(&symbol(input)))?
            }
            operator => {
                let (b, a) = (values.pop()?, values.pop()?);
                combined(&a, &b, operator)?
            }
        };
        values.push(value);
    }
    values.pop().filter(|_| values.is_empty())
}

fn combined(a: &Polynomial, b: &Polynomial, operator: LoopTerm) -> Option<Polynomial> {
    match operator {
        LoopTerm::Plus => of_both(a, &|a| a.plus(b)).or_else(|| a.plus(b)),
        LoopTerm::Minus => of_both(a, &|a| a.minus(b)).or_else(|| a.minus(b)),
        LoopTerm::Times => a.times(b),
        LoopTerm::QuotientDown => quotient(a, b, Rounding::Down),
        LoopTerm::QuotientUp => quotient(a, b, Rounding::Up),
        LoopTerm::Lesser => Some(lesser(a, b)),
        LoopTerm::Greater => Some(greater(a, b)),
        LoopTerm::LogarithmDown => logarithm(a, b, Rounding::Down),
        LoopTerm::LogarithmUp => logarithm(a, b, Rounding::Up),
        LoopTerm::Number(_) | LoopTerm::Input(_) => None,
    }
}

/// Applies an operation that keeps the order to both sides of a minimum or maximum: `min(i + 8, n) − i` is `min(8, n −
/// i)`. Returns `None` for any other value.
fn of_both(value: &Polynomial, operation: &dyn Fn(&Polynomial) -> Option<Polynomial>) -> Option<Polynomial> {
    match lone_atom(value)? {
        Atom::Min(a, b) => Some(lesser(&operation(a)?, &operation(b)?)),
        Atom::Max(a, b) => Some(greater(&operation(a)?, &operation(b)?)),
        _ => None,
    }
}

/// Returns the atom that a value consists of.
pub(super) fn lone_atom(value: &Polynomial) -> Option<&Atom> {
    let (monomial, coefficient) = value.terms().next().filter(|_| value.terms().len() == 1)?;
    match monomial.as_slice() {
        [(atom, 1)] if coefficient == Rational::ONE => Some(atom),
        _ => None,
    }
}

/// Returns a rounded quotient. If the divisor is a number that divides all terms, nothing is rounded.
pub(super) fn quotient(a: &Polynomial, b: &Polynomial, rounding: Rounding) -> Option<Polynomial> {
    let is_positive = b.as_constant().is_some_and(|b| b > Rational::ZERO);
    if let Some(both) = is_positive.then(|| of_both(a, &|a| quotient(a, b, rounding))).flatten() {
        return Some(both);
    }
    let ratio = b.as_constant().filter(|b| !b.is_zero()).and_then(|b| a.scaled(Rational::ONE.over(b)?));
    let is_integral = |ratio: &Polynomial| ratio.terms().all(|(_, c)| c.as_integer().is_some());
    if let Some(ratio) = ratio.filter(|ratio| is_integral(ratio) && is_integral(a)) {
        return Some(ratio);
    }
    let (numerator, divisor) = (Box::new(a.clone()), Box::new(b.clone()));
    // The substitution computes quotients of numbers.
    Polynomial::atom(Atom::Quotient { numerator, divisor, rounding }).substituted(&|_| None)
}

/// Returns a rounded logarithm; `None` unless the base is a constant integer of at least 2.
fn logarithm(a: &Polynomial, base: &Polynomial, rounding: Rounding) -> Option<Polynomial> {
    let base = u32::try_from(base.as_constant()?.as_integer()?).ok().filter(|base| *base > 1)?;
    let atom = Polynomial::atom(Atom::Log { argument: Box::new(a.clone()), base, rounding });
    // The logarithm of a constant is a constant.
    if a.as_constant().is_some() { atom.value(&|_| None).map(Polynomial::constant) } else { Some(atom) }
}

/// Returns a number that orders two values, if their order is the same for all values of the names. If the number is
/// negative, the first value is never greater; otherwise, the first value is never less. Quotients by the same
/// positive number, rounded alike, are in the order of their dividends: `⌈n/8⌉` and `⌈(n − 3)/8⌉`.
fn difference(a: &Polynomial, b: &Polynomial) -> Option<Rational> {
    let dividends = || match (lone_atom(a)?, lone_atom(b)?) {
        (
            Atom::Quotient { numerator, divisor, rounding },
            Atom::Quotient { numerator: other, divisor: by, rounding: other_rounding },
        ) if divisor == by && rounding == other_rounding => {
            let is_positive = divisor.as_constant().is_some_and(|divisor| divisor > Rational::ZERO);
            is_positive.then(|| numerator.minus(other)?.as_constant()).flatten()
        }
        _ => None,
    };
    a.minus(b)?.as_constant().or_else(dividends)
}

/// Returns the lesser of two values: one of them if their order is known, and their minimum otherwise.
pub(super) fn lesser(a: &Polynomial, b: &Polynomial) -> Polynomial {
    match difference(a, b) {
        Some(difference) if difference.is_negative() => a.clone(),
        Some(_) => b.clone(),
        None => Polynomial::atom(Atom::Min(Box::new(a.clone()), Box::new(b.clone()))),
    }
}

/// Returns the greater of two values: one of them if their order is known, and their maximum otherwise.
pub(super) fn greater(a: &Polynomial, b: &Polynomial) -> Polynomial {
    match difference(a, b) {
        Some(difference) if difference.is_negative() => b.clone(),
        Some(_) => a.clone(),
        None => Polynomial::atom(Atom::Max(Box::new(a.clone()), Box::new(b.clone()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_by_one_number_are_in_the_order_of_their_dividends() {
        let by_8 = |less: i128| {
            let dividend = Polynomial::name("n").minus(&Polynomial::integer(less)).unwrap();
            quotient(&dividend, &Polynomial::integer(8), Rounding::Up).unwrap()
        };
        assert_eq!(lesser(&by_8(0), &by_8(3)), by_8(3));
        assert_eq!(greater(&by_8(3), &by_8(0)), by_8(0));
        let by_3 = quotient(&Polynomial::name("n"), &Polynomial::integer(3), Rounding::Up).unwrap();
        assert_eq!(lesser(&by_3, &by_8(0)).to_string(), format!("min({by_3}, {})", by_8(0)));
    }
}
