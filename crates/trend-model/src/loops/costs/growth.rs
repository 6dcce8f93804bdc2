//! O and Ω of costs in several variables, in a normal form.
//!
//! An [`Order`] is a product of powers of names and of their logarithms, such as `n²·m·log n`. For large values of all
//! names, sums of orders behave like their greatest order. An alternative behaves like the least or the greatest of its
//! orders. So a [`Growth`] is the minimum of several maxima:
//!
//! ```text
//!   min( max(n², n·m), max(n·log n, m²) )
//! ```
//!
//! # Normal form
//! Orders are partially ordered: `n ≤ n²`, but `n` and `m` are unrelated. Maximum and minimum make them a distributive
//! lattice. An order below another one is dropped from a maximum; a maximum above another one is dropped from the
//! minimum. An element of a free distributive lattice over a partial order has exactly one such form, because maxima of
//! its generators are meet-prime (G. Grätzer, *General Lattice Theory*, chapter II). So sums and alternatives have the
//! same form, whatever the order of simplification.
//!
//! A product of alternatives and a sum has several forms with the same value. For example, `min(log n, m)·(√m + log n)`
//! can be multiplied out at once or term by term, because products of orders are not free of each other. So different
//! forms of such products need not have different values.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fmt;

use crate::loops::polynomials::polynomial::{Atom, Monomial, Name, Polynomial, Rounding};
use crate::loops::polynomials::rational::Rational;
use crate::loops::polynomials::words::superscript;

/// Maximum number of alternatives in a minimum. If there are more, an upper bound drops the rest, which makes it
/// greater, and a lower bound becomes a constant.
const MOST_ALTERNATIVES: usize = 64;

/// Maximum number of terms and alternatives that are written out.
const MOST_WRITTEN: usize = 4;

/// Side from which a growth bounds a cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// A bound from above: `O`.
    Upper,
    /// A bound from below: `Ω`.
    Lower,
}

impl Side {
    /// Returns the other side, which bounds a divisor.
    fn other(self) -> Self {
        match self {
            Self::Upper => Self::Lower,
            Self::Lower => Self::Upper,
        }
    }
}

/// Rate of a name in an order: its power, the power of its logarithm, and the base of the power whose exponent it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rate {
    /// `b` of `b^n`, in thousandths; 1000 if the name is not an exponent.
    base: u64,
    power: Rational,
    logarithm: Rational,
}

/// A product of powers, logarithms and exponentials of names, in the order of the names.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Order(Vec<(Name, Rate)>);

/// The minimum of several maxima of orders, in normal form.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Growth(pub(super) BTreeSet<BTreeSet<Order>>);

impl Rate {
    const NONE: Self = Self { base: 1000, power: Rational::ZERO, logarithm: Rational::ZERO };

    fn times(self, other: Self) -> Option<Self> {
        Some(Self {
            base: self.base.checked_mul(other.base)? / 1000,
            power: self.power.plus(other.power)?,
            logarithm: self.logarithm.plus(other.logarithm)?,
        })
    }
}

impl Order {
    /// Returns the order 1.
    pub fn one() -> Self {
        Self::default()
    }

    fn from_rate(name: &str, rate: Rate) -> Self {
        let rates = (rate != Rate::NONE).then(|| (Name::from(name), rate));
        Self(rates.into_iter().collect())
    }

    /// Returns `name^power`.
    pub fn power(name: &str, power: Rational) -> Self {
        Self::from_rate(name, Rate { power, ..Rate::NONE })
    }

    /// Returns `(log name)^power`.
    pub fn logarithm(name: &str, power: Rational) -> Self {
        Self::from_rate(name, Rate { logarithm: power, ..Rate::NONE })
    }

    /// Returns `base^name`; the base is rounded to three decimals.
    pub fn exponential(base: f64, name: &str) -> Self {
        Self::from_rate(name, Rate { base: (base * 1000.0).round() as u64, ..Rate::NONE })
    }

    /// Returns the names in two orders, with their rates in both.
    fn zip_rates<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = (&'a Name, Rate, Rate)> {
        let (mut own, mut others) = (self.0.iter().peekable(), other.0.iter().peekable());
        std::iter::from_fn(move || {
            let order = match (own.peek(), others.peek()) {
                (None, None) => return None,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some((name, _)), Some((other, _))) => name.cmp(other),
            };
            let (own, other) = (own.next_if(|_| order.is_le()), others.next_if(|_| order.is_ge()));
            let rate = |one: Option<&(Name, Rate)>| one.map_or(Rate::NONE, |(_, rate)| *rate);
            own.or(other).map(|(name, _)| (name, rate(own), rate(other)))
        })
    }

    /// Returns the product; `None` if powers overflow.
    pub fn times(&self, other: &Self) -> Option<Self> {
        let products = self.zip_rates(other).map(|(name, a, b)| Some((Name::clone(name), a.times(b)?)));
        let is_factor = |product: &Option<(Name, Rate)>| !matches!(product, Some((_, Rate::NONE)));
        Some(Self(products.filter(is_factor).collect::<Option<_>>()?))
    }

    /// Replaces names by orders. If `replacement` returns `None`, the name stays. A name in an exponent also stays.
    pub fn substituted(&self, replacement: &dyn Fn(&str) -> Option<Self>) -> Option<Self> {
        self.0.iter().try_fold(Self::one(), |product, (name, rate)| {
            let own = || Self::from_rate(name, *rate);
            let Some(order) = replacement(name).filter(|_| rate.base == 1000) else {
                return product.times(&own());
            };
            let product = order.0.iter().try_fold(product, |product, (name, one)| {
                let power = one.power.times(rate.power)?;
                let logarithm = one.logarithm.times(rate.power)?;
                product.times(&Self::from_rate(name, Rate { power, logarithm, ..*one }))
            })?;
            // The logarithm of a product is at most that of its largest name, up to a constant.
            match order.0.first() {
                Some((name, _)) if !rate.logarithm.is_zero() => {
                    product.times(&Self::logarithm(name, rate.logarithm))
                }
                _ => Some(product),
            }
        })
    }

    /// Returns true if this order is at most a constant times the other, for all large values of all names.
    pub fn is_at_most(&self, other: &Self) -> bool {
        self.zip_rates(other).all(|(_, rate, limit)| rate <= limit)
    }

    /// Returns the powers of a name and of its logarithm, if the order has no other name and its powers are integers.
    pub fn rates(&self, name: &str) -> Option<(u32, u32)> {
        let to_u32 = |power: Rational| u32::try_from(power.as_integer()?).ok();
        match self.0.as_slice() {
            [] => Some((0, 0)),
            [(own_name, rate)] if **own_name == *name && rate.base == 1000 => {
                Some((to_u32(rate.power)?, to_u32(rate.logarithm)?))
            }
            _ => None,
        }
    }

    /// Returns the names with which the order grows.
    pub(super) fn growing(&self) -> impl Iterator<Item = &Name> {
        self.0.iter().filter(|(_, rate)| *rate > Rate::NONE).map(|(name, _)| name)
    }

    /// Returns the names in the order.
    pub fn names(&self) -> impl Iterator<Item = &Name> {
        self.0.iter().map(|(name, _)| name)
    }

    /// Returns the sum of the powers, for sorting the terms of a sum; exponentials come before all others.
    fn size(&self) -> f64 {
        let rank = |(_, rate): &(Name, Rate)| {
            let exponential = if rate.base > 1000 { 1e6 } else { 0.0 };
            exponential + rate.power.to_f64() + rate.logarithm.to_f64() / 1e3
        };
        self.0.iter().map(rank).sum()
    }

    /// Returns the value for these values of the names.
    pub fn value(&self, values: &dyn Fn(&str) -> f64) -> f64 {
        let factor = |(name, rate): &(Name, Rate)| {
            let x = values(name);
            (rate.base as f64 / 1000.0).powf(x)
                * x.powf(rate.power.to_f64())
                * x.ln().powf(rate.logarithm.to_f64())
        };
        self.0.iter().map(factor).product()
    }
}

impl Growth {
    /// Returns a constant growth.
    pub fn one() -> Self {
        Self::from_order(Order::one())
    }

    /// Returns the growth of a single order.
    pub fn from_order(order: Order) -> Self {
        Self(BTreeSet::from([BTreeSet::from([order])]))
    }

    /// Returns the growth of a name.
    pub fn name(name: &str) -> Self {
        Self::from_order(Order::power(name, Rational::ONE))
    }

    fn normal(maxima: impl IntoIterator<Item = BTreeSet<Order>>) -> Self {
        let greatest = |orders: BTreeSet<Order>| -> BTreeSet<Order> {
            let is_below = |one: &Order| orders.iter().any(|other| one != other && one.is_at_most(other));
            orders.iter().filter(|one| !is_below(one)).cloned().collect()
        };
        let maxima: BTreeSet<BTreeSet<Order>> = maxima.into_iter().map(greatest).collect();
        let is_above =
            |one: &BTreeSet<Order>| maxima.iter().any(|other| one != other && is_maximum_at_most(other, one));
        Self(maxima.iter().filter(|one| !is_above(one)).cloned().collect())
    }

    /// Limits the number of alternatives: an upper bound drops the rest, and a lower bound becomes a constant.
    #[must_use]
    pub fn limited(self, side: Side) -> Self {
        match side {
            _ if self.0.len() <= MOST_ALTERNATIVES => self,
            Side::Upper => Self(self.0.into_iter().take(MOST_ALTERNATIVES).collect()),
            Side::Lower => Self::one(),
        }
    }

    /// Returns the growth of the sum of both, which is the growth of the greater one.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        let pairs = self.0.iter().flat_map(|a| other.0.iter().map(move |b| a.union(b).cloned().collect()));
        Self::normal(pairs)
    }

    /// Returns the growth of the lesser of both.
    #[must_use]
    pub fn or(&self, other: &Self) -> Self {
        Self::normal(self.0.union(&other.0).cloned())
    }

    /// Returns the growth of the product; `None` if powers overflow.
    pub fn times(&self, other: &Self) -> Option<Self> {
        if let (Some(a), Some(b)) = (self.as_order(), other.as_order()) {
            return a.times(b).map(Self::from_order);
        }
        let mut maxima = Vec::new();
        for a in &self.0 {
            for b in &other.0 {
                let products = a.iter().flat_map(|x| b.iter().map(move |y| x.times(y)));
                maxima.push(products.collect::<Option<BTreeSet<Order>>>()?);
            }
        }
        Some(Self::normal(maxima))
    }

    /// Replaces names by growths for this side of the bound. If `replacement` returns `None`, the name stays. A name
    /// without an integer power also stays if its replacement is a sum. Returns `None` if powers overflow.
    pub fn substituted(&self, side: Side, replacement: &dyn Fn(&str, Side) -> Option<Self>) -> Option<Self> {
        let order = |order: &Order| {
            order.0.iter().try_fold(Self::one(), |product, (name, rate)| {
                Some(product.times(&factor(name, *rate, side, replacement)?)?.limited(side))
            })
        };
        let mut least: Option<Self> = None;
        for maximum in &self.0 {
            let orders: Vec<Self> = maximum.iter().map(order).collect::<Option<_>>()?;
            let sum = Self::sum(orders, side);
            least = Some(least.map_or(sum.clone(), |least| least.or(&sum)).limited(side));
        }
        least
    }

    /// Returns the growth of the logarithm; `None` if it is unknown, which happens only from below.
    fn logarithm(&self, side: Side) -> Option<Self> {
        let logarithms = |order: &Order| -> Vec<Order> {
            let is_below = order.0.iter().any(|(_, rate)| rate.power.is_negative());
            // log(n·m) = log n + log m; a divisor makes the logarithm smaller.
            let is_kept = |rate: &Rate| match side {
                Side::Upper => rate.base > 1000 || !rate.power.is_negative(),
                Side::Lower => !is_below && (rate.base > 1000 || !rate.power.is_zero()),
            };
            let factors = order.0.iter().filter(|(_, rate)| is_kept(rate));
            factors.map(|(name, _)| Order::logarithm(name, Rational::ONE)).collect()
        };
        let maxima: Vec<BTreeSet<Order>> =
            self.0.iter().map(|maximum| maximum.iter().flat_map(logarithms).collect()).collect();
        match side {
            Side::Lower if maxima.iter().any(BTreeSet::is_empty) => None,
            _ => Some(Self::one().plus(&Self::normal(maxima))),
        }
    }

    /// Returns the number of orders.
    pub fn orders(&self) -> usize {
        self.0.iter().map(BTreeSet::len).sum()
    }

    /// Returns true if this growth is at most a constant times the other, whatever the names are.
    pub fn is_at_most(&self, other: &Self) -> bool {
        // A minimum is below another one if each maximum of the other has a maximum here that is below it.
        other.0.iter().all(|b| self.0.iter().any(|a| is_maximum_at_most(a, b)))
    }

    /// Returns the growth without the orders that `certain` also has. Returns the whole growth if no other order is
    /// left, or if either of the two is a minimum of alternatives.
    #[must_use]
    pub fn without(&self, certain: &Self) -> Self {
        let rest: Vec<BTreeSet<Order>> = match (self.0.first(), certain.0.first()) {
            (Some(all), Some(certain)) if self.0.len() == 1 => {
                vec![all.difference(certain).cloned().collect()]
            }
            _ => Vec::new(),
        };
        let is_part = certain.0.len() == 1 && rest.iter().any(|rest| !rest.is_empty());
        if is_part { Self(rest.into_iter().collect()) } else { self.clone() }
    }

    /// Returns the order, if the growth consists of a single one.
    pub fn as_order(&self) -> Option<&Order> {
        let only = self.0.iter().next().filter(|_| self.0.len() == 1)?;
        only.iter().next().filter(|_| only.len() == 1)
    }

    /// Returns the maxima of orders; the growth is the least of them.
    pub fn maxima(&self) -> impl Iterator<Item = impl Iterator<Item = &Order>> {
        self.0.iter().map(|maximum| maximum.iter())
    }

    /// Returns the value for these values of the names, up to a constant.
    pub fn value(&self, values: &dyn Fn(&str) -> f64) -> f64 {
        let greatest = |orders: &BTreeSet<Order>| {
            orders.iter().map(|order| order.value(values)).fold(f64::NEG_INFINITY, f64::max)
        };
        self.0.iter().map(greatest).fold(f64::INFINITY, f64::min)
    }

    /// Returns the upper growth of a polynomial; negative terms do not count. Returns `None` if powers overflow.
    pub fn upper(polynomial: &Polynomial) -> Option<Self> {
        let added = polynomial.terms().filter(|(_, coefficient)| !coefficient.is_negative());
        let added = added.map(|(monomial, _)| monomial_growth(monomial, Side::Upper));
        Some(Self::sum(added.collect::<Option<Vec<_>>>()?, Side::Upper))
    }

    /// Returns the lower growth of a polynomial. The growth is a constant if a difference may cancel, as in `n − i`, or
    /// if a term may be 0, such as `⌊n/m⌋`.
    pub fn lower(polynomial: &Polynomial) -> Self {
        Self::sure(polynomial).unwrap_or_else(Self::one)
    }

    /// Returns true if a polynomial is certainly positive for all large values of its names.
    pub fn is_sure(polynomial: &Polynomial) -> bool {
        Self::sure(polynomial).is_some()
    }

    /// Returns the lower growth of a polynomial that is positive for all large values of its names; `None` if this is
    /// not certain.
    fn sure(polynomial: &Polynomial) -> Option<Self> {
        let negative = polynomial.terms().filter(|(_, c)| c.is_negative());
        let negative: Vec<Self> =
            negative.map(|(monomial, _)| monomial_growth(monomial, Side::Upper)).collect::<Option<_>>()?;
        let is_kept =
            |growth: &Self| negative.iter().all(|less| less.is_at_most(growth) && !growth.is_at_most(less));
        let positive = polynomial.terms().filter(|(_, c)| !c.is_negative());
        let positive = positive.filter_map(|(monomial, _)| monomial_growth(monomial, Side::Lower));
        positive.filter(is_kept).reduce(|sum, one| sum.plus(&one).limited(Side::Lower))
    }
}

/// Returns the growth that replaces a name in an order.
fn factor(
    name: &Name,
    rate: Rate,
    side: Side,
    replacement: &dyn Fn(&str, Side) -> Option<Growth>,
) -> Option<Growth> {
    let own = || Growth::from_order(Order::from_rate(name, rate));
    let side = if rate.power.is_negative() { side.other() } else { side };
    let Some(growth) = replacement(name, side) else { return Some(own()) };
    let to_u32 = |power: Rational| power.as_integer().and_then(|power| u32::try_from(power).ok());
    if let (Some(power), Some(logarithm), 1000) = (to_u32(rate.power), to_u32(rate.logarithm), rate.base) {
        let log = growth.logarithm(side).unwrap_or_else(Growth::one);
        let factors =
            std::iter::repeat_n(&growth, power as usize).chain(std::iter::repeat_n(&log, logarithm as usize));
        return factors
            .into_iter()
            .try_fold(Growth::one(), |product, one| Some(product.times(one)?.limited(side)));
    }
    // 2^(2m) is not 2^m up to a constant: the replacement in an exponent would have to be known exactly.
    let order = growth.as_order().filter(|_| rate.base == 1000)?;
    Some(Growth::from_order(Order::from_rate(name, rate).substituted(&|_| Some(order.clone()))?))
}

fn is_maximum_at_most(a: &BTreeSet<Order>, b: &BTreeSet<Order>) -> bool {
    a.iter().all(|x| b.iter().any(|y| x.is_at_most(y)))
}

/// Returns the growth of a monomial. Returns `None` if powers overflow or, from below, if the monomial may be 0.
fn monomial_growth(monomial: &Monomial, side: Side) -> Option<Growth> {
    // Names become one order at once. Multiplying by one name after the other takes the square of their number.
    let (names, others): (Vec<_>, Vec<_>) =
        monomial.iter().partition(|(atom, _)| matches!(atom, Atom::Name(_)));
    let rate = |power: u32| Rate { power: Rational::integer(i128::from(power)), ..Rate::NONE };
    let names = names.into_iter().filter_map(|(atom, power)| match atom {
        Atom::Name(name) => Some((Name::clone(name), rate(*power))),
        _ => None,
    });
    others.into_iter().try_fold(Growth::from_order(Order(names.collect())), |product, (atom, power)| {
        let growth = atom_growth(atom, side)?;
        (0..*power).try_fold(product, |product, _| Some(product.times(&growth)?.limited(side)))
    })
}

/// Returns the growth of an atom; `None` in the same cases as for a monomial.
fn atom_growth(atom: &Atom, side: Side) -> Option<Growth> {
    let growth = |polynomial: &Polynomial| match side {
        Side::Upper => Growth::upper(polynomial),
        Side::Lower => Growth::sure(polynomial),
    };
    Some(match atom {
        Atom::Name(name) => Growth::name(name),
        Atom::Log { argument, .. } => growth(argument)?.logarithm(side)?,
        Atom::Sqrt { argument, .. } => root(&growth(argument)?)?,
        Atom::Quotient { numerator, divisor, rounding } => {
            let above = growth(numerator)?;
            match (divisor_order(divisor), side) {
                (Some(below), Side::Upper) => above.times(&Growth::from_order(below))?,
                // A divisor is at least 1, so dropping it is safe.
                (None, Side::Upper) => above,
                // ⌊n/m⌋ is 0 if m is larger.
                (Some(below), Side::Lower) if below == Order::one() || *rounding == Rounding::Up => {
                    above.times(&Growth::from_order(below))?
                }
                (_, Side::Lower) => return None,
            }
        }
        Atom::Min(a, b) => growth(a)?.or(&growth(b)?),
        // From below, the maximum is at least the growth that is known.
        Atom::Max(a, b) => match (side, growth(a), growth(b)) {
            (_, Some(a), Some(b)) => a.plus(&b),
            (Side::Lower, Some(one), None) | (Side::Lower, None, Some(one)) => one,
            _ => return None,
        },
    })
}

/// Returns one divided by a divisor that is a product of names; a sum has no exact order.
fn divisor_order(divisor: &Polynomial) -> Option<Order> {
    let (monomial, coefficient) = divisor.terms().next().filter(|_| divisor.terms().len() == 1)?;
    if coefficient.is_negative() {
        return None;
    }
    monomial.iter().try_fold(Order::one(), |product, (atom, power)| match atom {
        Atom::Name(name) => product.times(&Order::power(name, Rational::integer(-i128::from(*power)))),
        _ => None,
    })
}

fn root(growth: &Growth) -> Option<Growth> {
    let half = Rational::new(1, 2)?;
    let halved = |rate: &Rate| {
        // The root of b^n is (√b)^n.
        let base = ((rate.base as f64 * 1000.0).sqrt()).round() as u64;
        Some(Rate { base, power: rate.power.times(half)?, logarithm: rate.logarithm.times(half)? })
    };
    let of_order = |order: &Order| {
        let rates = order.0.iter().map(|(name, rate)| Some((Name::clone(name), halved(rate)?)));
        Some(Order(rates.collect::<Option<_>>()?))
    };
    let maxima = growth.0.iter().map(|orders| orders.iter().map(of_order).collect());
    Some(Growth::normal(maxima.collect::<Option<Vec<BTreeSet<Order>>>>()?))
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("1");
        }
        // Single names need no parentheses.
        if let [(name, rate)] = self.0.as_slice()
            && (Rate { power: Rational::ONE, ..Rate::NONE }) == *rate
        {
            return f.write_str(name);
        }
        let mut factors = Vec::new();
        let power = |name: &str, power: Rational| match power.as_integer() {
            Some(1) => name.to_owned(),
            Some(power) if power > 0 => {
                format!("{name}{}", superscript(power.unsigned_abs().min(u128::from(u32::MAX)) as u32))
            }
            _ if power == Rational::new(1, 2).unwrap_or(Rational::ZERO) => format!("√{name}"),
            _ => {
                format!("{name}^{:.3}", power.to_f64()).trim_end_matches('0').trim_end_matches('.').to_owned()
            }
        };
        let (mut above, mut logarithms, mut below) = (Vec::new(), Vec::new(), Vec::new());
        for (name, rate) in &self.0 {
            let text = Atom::Name(Name::clone(name)).to_string();
            if rate.base != 1000 {
                factors.push(format!("{}^{text}", rate.base as f64 / 1000.0));
            }
            if rate.power.is_negative() {
                below.push(power(&text, rate.power.negated().unwrap_or(rate.power)));
            } else if !rate.power.is_zero() {
                above.push(power(&text, rate.power));
            }
            if !rate.logarithm.is_zero() {
                let log = format!("log {text}");
                let one = rate.logarithm == Rational::ONE;
                logarithms.push(if one { log } else { power(&format!("({log})"), rate.logarithm) });
            }
        }
        factors.append(&mut above);
        factors.append(&mut logarithms);
        if factors.is_empty() {
            factors.push("1".to_owned());
        }
        f.write_str(&factors.join("·"))?;
        below.into_iter().try_for_each(|divisor| write!(f, "/{divisor}"))
    }
}

/// Joins the first [`MOST_WRITTEN`] texts, and adds the number of the rest.
fn listed(mut all: Vec<String>, separator: &str) -> String {
    let more = all.len().saturating_sub(MOST_WRITTEN);
    all.truncate(MOST_WRITTEN);
    if more > 0 {
        all.push(format!("{more} more"));
    }
    all.join(separator)
}

impl fmt::Display for Growth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let maximum = |orders: &BTreeSet<Order>| {
            // The greatest powers come first, and among these the orders with few names.
            let key = |order: &Order| (-order.size(), order.0.len(), order.to_string());
            // A constant remains only next to quotients such as `n/k`, and adds nothing to the growth.
            let is_said = |order: &&Order| orders.len() == 1 || **order != Order::one();
            let mut written: Vec<(f64, usize, String)> = orders.iter().filter(is_said).map(key).collect();
            written.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| (a.1, &a.2).cmp(&(b.1, &b.2))));
            let is_sum = written.len() > 1;
            // The name of a distance, such as `end - p`, is no part of a sum.
            let term = |text: String| if is_sum && text.contains(" - ") { format!("({text})") } else { text };
            listed(written.into_iter().map(|(.., text)| term(text)).collect(), " + ")
        };
        let maxima: Vec<String> = self.0.iter().map(maximum).collect();
        match maxima.as_slice() {
            [one] => f.write_str(one),
            _ => write!(f, "min({})", listed(maxima, ", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn order(powers: &[i128; 4]) -> Order {
        let names = ["i", "j", "m", "n"].into_iter().zip(powers);
        names.fold(Order::default(), |product, (name, power)| {
            product.times(&Order::power(name, Rational::integer(*power))).unwrap()
        })
    }

    proptest! {
        #[test]
        fn a_sum_keeps_the_greatest_orders(all in prop::collection::vec([-1_i128..3, 0_i128..2, -1_i128..2, 0_i128..3], 0..30)) {
            let growths: Vec<Growth> = all.iter().map(|powers| Growth::from_order(order(powers))).collect();
            let one_by_one = growths.iter().fold(Growth::one(), |sum, one| sum.plus(one));
            prop_assert_eq!(Growth::sum(growths, Side::Upper), one_by_one);
        }
    }
}
