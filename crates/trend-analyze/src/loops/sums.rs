//! Sums of trips over the trips of an outer loop, right at any values of the names.
//!
//! ```text
//!   for (i = 0; i < n; i++)          n trips
//!     for (j = i; j < m; j++)        m − i trips where m − i > 0, so i goes on to min(n, m) − 1 only
//! ```
//!
//! A number of trips has *guards*: it is 0 unless all of them are positive. A guard that depends on the counter of the
//! outer loop shortens the sum. The others stay guards of the sum.

use trend_model::loops::{Atom, Name, Polynomial, Rational, Rounding, sum_over};

use super::signs::Signs;
use super::stated::{greater, lesser, lone_atom, quotient};

/// Name of the trip number in the guards; no program can use it.
const TRIP: &str = "\u{0}trip";
/// Name of a guard's value; no program can use it.
const GUARD: &str = "\u{0}guard";
/// Beginning of the names of parts; no program can use it.
const PART: &str = "\u{0}part";
/// Maximum number of terms of a sum; nobody reads a longer one.
const MOST_TERMS: usize = 100;
/// Maximum distance of a name from its guard for which each value is tried.
const MOST_TRIED: i128 = 8;

/// A number of trips that is 0 unless all guards are positive. Where a guard is 0, so is the value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Guarded {
    pub(super) value: Polynomial,
    pub(super) guards: Vec<Polynomial>,
}

/// A counter with its first value and its growth per trip.
#[derive(Clone, Debug)]
pub(super) struct Counting<'a> {
    pub(super) name: &'a str,
    pub(super) start: Polynomial,
    pub(super) step: Polynomial,
}

impl Guarded {
    /// Returns trips with the guards that their own signs need.
    pub(super) fn new(value: Polynomial, signs: &Signs) -> Self {
        let guards = guards_of(&value, signs);
        Self { value, guards }
    }

    /// Returns true if the value or a guard has a name.
    pub(super) fn has_name(&self, name: &str) -> bool {
        self.any_name(&mut |one| **one == *name)
    }

    /// Returns true if `is_wanted` accepts a name in the value or a guard.
    pub(super) fn any_name(&self, is_wanted: &mut dyn FnMut(&Name) -> bool) -> bool {
        std::iter::once(&self.value).chain(&self.guards).any(|one| one.any_name(is_wanted))
    }

    /// Returns the trips for these values of the names.
    pub(super) fn trips(&self, values: &dyn Fn(&str) -> Option<i128>) -> Option<Rational> {
        for guard in &self.guards {
            if guard.value(values)? <= Rational::ZERO {
                return Some(Rational::ZERO);
            }
        }
        Some(self.value.value(values)?.max(Rational::ZERO))
    }

    /// Returns the total trips over all trips of an outer loop that does not change them.
    pub(super) fn times(&self, outer: &Self) -> Option<Self> {
        let mut guards = self.guards.clone();
        guards.extend(outer.guards.iter().filter(|guard| !self.guards.contains(guard)).cloned());
        Some(Self { value: self.value.times(&outer.value)?, guards })
    }

    /// Returns the sum over the trips of an outer loop with this counter.
    pub(super) fn summed(&self, outer: &Self, counting: &Counting<'_>, signs: &Signs) -> Option<Self> {
        self.tiled(outer, counting).or_else(|| self.counted(outer, counting, signs))
    }

    fn counted(&self, outer: &Self, counting: &Counting<'_>, signs: &Signs) -> Option<Self> {
        let step = counting.step.as_constant()?.as_integer().filter(|step| *step != 0)?;
        let range = Range::new(self, outer, counting, signs)?;
        let begin = counting.start.plus(&range.begin.scaled(Rational::integer(step))?)?;
        let trips = range.end.minus(&range.begin)?;
        let value = sum_over(&self.value, counting.name, &begin, i64::try_from(step).ok()?, &trips)?;
        let is_short = value.terms().len() <= MOST_TERMS;
        is_short.then_some(Self { value, guards: range.guards })
    }

    /// Returns a bound of the sum over the trips of an outer loop: the greatest value in a trip times the trips.
    pub(super) fn at_most(&self, outer: &Self, counting: &Counting<'_>, signs: &Signs) -> Option<Self> {
        let step = counting.step.as_constant()?;
        let last = outer.value.minus(&Polynomial::integer(1))?.scaled(step)?.plus(&counting.start)?;
        let (least, greatest) =
            if step.is_negative() { (last, counting.start.clone()) } else { (counting.start.clone(), last) };
        let ends = Ends { name: counting.name, least, greatest, signs };
        let value = ends.extreme(&self.value, true)?;
        let value =
            if signs.never_negative(&value) { value } else { greater(&Polynomial::default(), &value) };
        Some(Self { value: value.times(&outer.value)?, guards: outer.guards.clone() })
    }

    /// Returns the sum over tiles: `min(8, n − i)` for `i += 8`. All tiles together have the trips of one loop over
    /// the whole range.
    fn tiled(&self, outer: &Self, Counting { name, start, step }: &Counting<'_>) -> Option<Self> {
        let Some(Atom::Quotient { numerator, divisor, rounding: Rounding::Up }) = lone_atom(&outer.value)
        else {
            return None;
        };
        if **divisor != *step {
            return None;
        }
        let counter = Polynomial::name(name);
        // From the counter to the end of the outer loop.
        let rest = numerator.plus(start)?.minus(&counter)?;
        let tile = lesser(step, &rest);
        let tile = lone_atom(&tile)?;
        let other = lesser(&rest, step);
        let other = lone_atom(&other)?;
        let has_counter = |one: &Polynomial| one.has_name(name);
        let mut value = Polynomial::default();
        for (monomial, coefficient) in self.value.terms() {
            let (with, without): (Vec<_>, Vec<_>) =
                (monomial.iter().cloned()).partition(|(atom, _)| atom.has_name(name));
            let factor = match with.as_slice() {
                [] => &outer.value,
                [(atom, 1)] if atom == tile || atom == other => &**numerator,
                _ => return None,
            };
            let others = Polynomial::from_terms([(without, coefficient)])?;
            value = value.plus(&others.times(factor)?)?;
        }
        let mut guards: Vec<Polynomial> = outer.guards.clone();
        for guard in self.guards.iter().filter(|guard| **guard != rest && !outer.guards.contains(guard)) {
            if has_counter(guard) {
                return None;
            }
            guards.push(guard.clone());
        }
        Some(Self { value, guards })
    }

    /// Returns the trips as one formula, without guards; `None` if there is no such formula. A value below 0 means no
    /// trips if `is_summed` is false. Otherwise it is never below 0.
    pub(super) fn formula(&self, signs: &Signs, is_summed: bool) -> Option<Polynomial> {
        let open = || self.guards.iter().filter(|guard| !signs.never_negative(guard));
        if open().all(|guard| is_harmless(&self.value, guard, signs, is_summed)) {
            return Some(self.value.clone());
        }
        open().try_fold(self.value.clone(), |value, guard| clipped(&value, guard))
    }
}

/// Returns the values that must be positive for a number of trips to be above 0.
fn guards_of(value: &Polynomial, signs: &Signs) -> Vec<Polynomial> {
    if signs.never_negative(value) {
        return Vec::new();
    }
    match lone_atom(value) {
        Some(Atom::Quotient { numerator, .. }) => guards_of(numerator, signs),
        Some(Atom::Min(a, b)) => [guards_of(a, signs), guards_of(b, signs)].concat(),
        _ => vec![value.clone()],
    }
}

/// Least and greatest value of a counter.
struct Ends<'a> {
    name: &'a str,
    signs: &'a Signs,
    least: Polynomial,
    greatest: Polynomial,
}

impl Ends<'_> {
    /// Returns a value that this one never exceeds, or never falls below, for any value of the counter; `None` if a
    /// factor beside the counter may be negative.
    fn extreme(&self, value: &Polynomial, is_greatest: bool) -> Option<Polynomial> {
        value.terms().try_fold(Polynomial::default(), |sum, (monomial, coefficient)| {
            let is_greatest = is_greatest != coefficient.is_negative();
            let has_counter = |(atom, _): &(Atom, u32)| self.has_counter(atom);
            let degree: u32 = monomial.iter().map(|(_, power)| power).sum();
            let is_product = degree > 1 && monomial.iter().any(has_counter);
            let factors =
                monomial.iter().try_fold(Polynomial::constant(coefficient), |product, (atom, power)| {
                    let factor = self.extreme_of(atom, is_greatest)?;
                    let is_signed = is_product && !self.signs.never_negative(&factor);
                    if is_signed { None } else { product.times(&factor.power(*power)?) }
                });
            sum.plus(&factors?)
        })
    }

    fn has_counter(&self, atom: &Atom) -> bool {
        atom.has_name(self.name)
    }

    fn extreme_of(&self, atom: &Atom, is_greatest: bool) -> Option<Polynomial> {
        if !self.has_counter(atom) {
            return Some(Polynomial::atom(atom.clone()));
        }
        let inner = |one: &Polynomial| self.extreme(one, is_greatest);
        match atom {
            Atom::Name(_) if is_greatest => Some(self.greatest.clone()),
            Atom::Name(_) => Some(self.least.clone()),
            Atom::Quotient { numerator, divisor, rounding } => {
                divisor.as_constant().filter(|divisor| *divisor > Rational::ZERO)?;
                quotient(&inner(numerator)?, divisor, *rounding)
            }
            Atom::Min(a, b) => Some(lesser(&inner(a)?, &inner(b)?)),
            Atom::Max(a, b) => Some(greater(&inner(a)?, &inner(b)?)),
            Atom::Log { .. } | Atom::Sqrt { .. } => None,
        }
    }
}

/// The trips of an outer loop in which an inner loop has trips.
struct Range {
    begin: Polynomial,
    end: Polynomial,
    guards: Vec<Polynomial>,
}

impl Range {
    fn new(inner: &Guarded, outer: &Guarded, counting: &Counting<'_>, signs: &Signs) -> Option<Self> {
        let trip = counting.step.times(&Polynomial::name(TRIP))?.plus(&counting.start)?;
        let (mut begin, mut end) = (Polynomial::default(), outer.value.clone());
        let (mut guards, mut is_shorter) = (Vec::new(), false);
        for guard in &inner.guards {
            let at_trip = guard.substituted(&|name| (name == counting.name).then(|| trip.clone()))?;
            let powers = at_trip.powers_of(TRIP)?;
            let (first, growth) = match powers.as_slice() {
                [] => continue,
                [first] => {
                    guards.push(first.clone());
                    continue;
                }
                [first, growth] => (first, growth.as_constant()?.as_integer()?),
                _ => return None,
            };
            if growth > 0 {
                if signs.never_negative(first) {
                    continue;
                }
                let from = quotient(
                    &first.scaled(Rational::integer(-1))?,
                    &Polynomial::integer(growth),
                    Rounding::Up,
                )?;
                let from =
                    if signs.never_negative(&from) { from } else { greater(&Polynomial::default(), &from) };
                if !begin.is_zero() && begin != from {
                    return None;
                }
                begin = from;
            } else {
                let last = outer.value.minus(&Polynomial::integer(1))?.scaled(Rational::integer(growth))?;
                if signs.never_negative(&first.plus(&last)?) {
                    continue;
                }
                if end != outer.value {
                    return None;
                }
                let to = quotient(first, &Polynomial::integer(-growth), Rounding::Up)?;
                end = if signs.never_negative(&outer.value.minus(&to)?) {
                    to
                } else {
                    lesser(&outer.value, &to)
                };
            }
            is_shorter = true;
        }
        if is_shorter {
            let ends = match lone_atom(&end) {
                Some(Atom::Min(a, b)) => vec![(**a).clone(), (**b).clone()],
                _ => vec![end.clone()],
            };
            for one in ends {
                guards.extend(guards_of(&one.minus(&begin)?, signs));
            }
        } else {
            guards.extend(outer.guards.iter().cloned());
        }
        guards.sort();
        guards.dedup();
        Some(Self { begin, end, guards })
    }
}

/// Returns a name that occurs alone in a guard, its sign there, and the rest of the guard.
fn solved(guard: &Polynomial, is_fit: impl Fn(&str) -> bool) -> Option<(String, Rational, Polynomial)> {
    guard.names().iter().filter(|name| is_fit(name)).find_map(|name| {
        let powers = guard.powers_of(name)?;
        let [rest, sign] = powers.as_slice() else { return None };
        let sign = sign.as_constant().filter(|sign| sign.as_integer().is_some_and(|sign| sign.abs() == 1))?;
        Some((name.to_string(), sign, rest.clone()))
    })
}

/// Returns the powers of a guard in a value; `None` if the value is no polynomial in it. Rounded and compared parts are
/// taken as they are.
fn in_guard(value: &Polynomial, guard: &Polynomial) -> Option<Vec<Polynomial>> {
    let mut parts = Parts::default();
    let (value, guard) = (parts.named(value)?, parts.named(guard)?);
    let (name, sign, rest) = solved(&guard, |name| value.has_name(name))?;
    // The guard is ±name + rest.
    let replaced = Polynomial::name(GUARD).minus(&rest)?.scaled(sign)?;
    let powers = value.substituted(&|one| (*one == name).then(|| replaced.clone()))?.powers_of(GUARD)?;
    powers.iter().map(|power| parts.put_back(power)).collect()
}

/// Rounded and compared parts that have names in the place of their values.
#[derive(Default)]
struct Parts(Vec<Atom>);

impl Parts {
    /// Returns a value with a name for each part.
    fn named(&mut self, value: &Polynomial) -> Option<Polynomial> {
        let mut named = |atom: &Atom| {
            if let Atom::Name(_) = atom {
                return atom.clone();
            }
            let existing = self.0.iter().position(|existing| existing == atom);
            let position = existing.unwrap_or_else(|| {
                self.0.push(atom.clone());
                self.0.len() - 1
            });
            Atom::Name(format!("{PART}{position}").into())
        };
        let terms = value.terms().map(|(monomial, coefficient)| {
            (monomial.iter().map(|(atom, power)| (named(atom), *power)).collect(), coefficient)
        });
        Polynomial::from_terms(terms.collect::<Vec<_>>())
    }

    fn put_back(&self, value: &Polynomial) -> Option<Polynomial> {
        value.substituted(&|name| {
            let position: usize = name.strip_prefix(PART)?.parse().ok()?;
            Some(Polynomial::atom(self.0.get(position)?.clone()))
        })
    }
}

/// Returns the powers of the quotient of a guard in a value, if each term has one.
fn in_quotient<'a>(value: &'a Polynomial, guard: &Polynomial) -> Option<(&'a Atom, Vec<Polynomial>)> {
    let is_of_guard = |atom: &Atom| matches!(atom, Atom::Quotient { numerator, .. } if **numerator == *guard);
    let quotient = value.terms().flat_map(|(monomial, _)| monomial).find(|(atom, _)| is_of_guard(atom));
    let (quotient, _) = quotient?;
    let mut powers: Vec<Polynomial> = vec![Polynomial::default()];
    for (monomial, coefficient) in value.terms() {
        let power =
            monomial.iter().find(|(atom, _)| atom == quotient).map_or(0, |(_, power)| *power as usize);
        let rest = monomial.iter().filter(|(atom, _)| atom != quotient).cloned().collect();
        powers.resize(powers.len().max(power + 1), Polynomial::default());
        powers[power] = powers[power].plus(&Polynomial::from_terms([(rest, coefficient)])?)?;
    }
    powers[0].is_zero().then_some((quotient, powers))
}

/// Returns true if a value is 0, or below 0 if it is not summed, wherever a guard is not positive.
fn is_harmless(value: &Polynomial, guard: &Polynomial, signs: &Signs, is_summed: bool) -> bool {
    let no_trips = |value: &Polynomial| {
        value.is_zero()
            || !is_summed
                && value.scaled(Rational::integer(-1)).is_some_and(|less| signs.never_negative(&less))
    };
    if let Some((name, sign, rest)) = solved(guard, |name| !signs.negative.contains(name))
        && sign == Rational::ONE
        && let Some(distance) = rest.as_constant().and_then(Rational::as_integer)
        && (-MOST_TRIED..=0).contains(&distance)
    {
        return (0..-distance).all(|at| {
            let at = value.substituted(&|one| (*one == name).then(|| Polynomial::integer(at)));
            at.is_some_and(|at| no_trips(&at))
        });
    }
    let is_factor = |powers: &[Polynomial]| match powers {
        [none, factor] => !is_summed && none.is_zero() && signs.never_negative(factor),
        _ => false,
    };
    in_quotient(value, guard).is_some_and(|(_, powers)| is_factor(&powers))
        || in_guard(value, guard).is_some_and(|powers| is_factor(&powers))
}

/// Returns a value that is 0 wherever a guard is not positive.
fn clipped(value: &Polynomial, guard: &Polynomial) -> Option<Polynomial> {
    let with = |part: &Polynomial, powers: &[Polynomial]| {
        let positive = greater(&Polynomial::default(), part);
        (1..).zip(&powers[1..]).try_fold(Polynomial::default(), |sum, (power, factor)| {
            sum.plus(&factor.times(&positive.power(power)?)?)
        })
    };
    if let Some((quotient, powers)) = in_quotient(value, guard) {
        return with(&Polynomial::atom(quotient.clone()), &powers);
    }
    if let Some(powers) = in_guard(value, guard).filter(|powers| powers.len() > 1 && powers[0].is_zero()) {
        return with(guard, &powers);
    }
    // A divisor must not become 0.
    let (name, sign, rest) = solved(guard, |name| !has_in_divisor(value, name))?;
    // Where the guard is not positive, the name gets the value for which it is 0.
    let zero = rest.scaled(sign)?.scaled(Rational::integer(-1))?;
    let replacement = Polynomial::name(&name);
    let replacement =
        if sign == Rational::ONE { greater(&replacement, &zero) } else { lesser(&replacement, &zero) };
    value.substituted(&|one| (*one == name).then(|| replacement.clone()))
}

/// Returns true if a name occurs in a divisor of a value.
fn has_in_divisor(value: &Polynomial, name: &str) -> bool {
    value.terms().flat_map(|(monomial, _)| monomial).any(|(atom, _)| match atom {
        Atom::Name(_) => false,
        Atom::Quotient { numerator, divisor, .. } => {
            divisor.has_name(name) || has_in_divisor(numerator, name) || has_in_divisor(divisor, name)
        }
        Atom::Min(a, b) | Atom::Max(a, b) => has_in_divisor(a, name) || has_in_divisor(b, name),
        Atom::Log { argument, .. } | Atom::Sqrt { argument, .. } => has_in_divisor(argument, name),
    })
}
