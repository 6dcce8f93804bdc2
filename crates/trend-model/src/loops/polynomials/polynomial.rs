//! Polynomials in a program's own names: sums of products of *atoms*. Atoms are names such as `n`, and functions of
//! them that loops produce but that are not polynomials: `⌈n/4⌉`, `⌊log₂ n⌋`, `√n`, `min(n, m)`.
//!
//! A polynomial is stored in a unique form, so polynomials that are equal as sums of products are equal as values.
//! Arithmetic is exact: a result that does not fit into 128 bits has no value.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::rational::Rational;

/// A name in a program.
pub type Name = Arc<str>;

/// Direction of rounding to an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rounding {
    /// To the largest integer that is not above the number.
    Down,
    /// To the smallest integer that is not below the number.
    Up,
}

/// A factor of a product.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Atom {
    /// A name in the program.
    Name(Name),
    /// `⌊log_b x⌋` or `⌈log_b x⌉`. For x below 1, it is −1 rounded down and 0 rounded up. If x is a quotient with a
    /// divisor below 1, this holds if its numerator is at most the divisor; otherwise there is no value.
    Log {
        /// Argument of the logarithm.
        argument: Box<Polynomial>,
        /// The base; at least 2.
        base: u32,
        /// Direction of rounding.
        rounding: Rounding,
    },
    /// `⌊√x⌋` or `⌈√x⌉`; 0 for negative x.
    Sqrt {
        /// Argument of the root.
        argument: Box<Polynomial>,
        /// Direction of rounding.
        rounding: Rounding,
    },
    /// `⌊x/y⌋` or `⌈x/y⌉`. If the divisor is 0, the value is 0 for an `x` of 0 or below; otherwise there is none.
    Quotient {
        /// Dividend.
        numerator: Box<Polynomial>,
        /// Divisor.
        divisor: Box<Polynomial>,
        /// Direction of rounding.
        rounding: Rounding,
    },
    /// The lesser of two.
    Min(Box<Polynomial>, Box<Polynomial>),
    /// The greater of two.
    Max(Box<Polynomial>, Box<Polynomial>),
}

/// A product: sorted atoms, each with its power.
pub type Monomial = Vec<(Atom, u32)>;

/// A sum of products of atoms, each with a nonzero coefficient.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Polynomial {
    terms: BTreeMap<Monomial, Rational>,
}

impl PartialOrd for Polynomial {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Polynomial {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.terms.iter().cmp(other.terms.iter())
    }
}

impl Polynomial {
    /// Creates a constant.
    pub fn constant(value: Rational) -> Self {
        let mut sum = Self::default();
        sum.insert(Vec::new(), value);
        sum
    }

    /// Creates an integer constant.
    pub fn integer(value: i128) -> Self {
        Self::constant(Rational::integer(value))
    }

    /// Creates the polynomial that consists of one name.
    pub fn name(name: &str) -> Self {
        Self::atom(Atom::Name(Arc::from(name)))
    }

    /// Creates the polynomial that consists of one atom.
    pub fn atom(atom: Atom) -> Self {
        Self { terms: BTreeMap::from([(vec![(atom, 1)], Rational::ONE)]) }
    }

    /// Creates a sum of products with their coefficients; coefficients of equal products add up.
    pub fn from_terms(terms: impl IntoIterator<Item = (Monomial, Rational)>) -> Option<Self> {
        let mut sum = Self::default();
        for (mut monomial, coefficient) in terms {
            monomial.sort();
            sum.add(monomial, coefficient)?;
        }
        Some(sum)
    }

    fn insert(&mut self, monomial: Monomial, coefficient: Rational) {
        if coefficient.is_zero() {
            self.terms.remove(&monomial);
        } else {
            self.terms.insert(monomial, coefficient);
        }
    }

    fn add(&mut self, monomial: Monomial, coefficient: Rational) -> Option<()> {
        let sum = self.terms.get(&monomial).copied().unwrap_or(Rational::ZERO).plus(coefficient)?;
        self.insert(monomial, sum);
        Some(())
    }

    /// Returns the products and their coefficients.
    pub fn terms(&self) -> impl ExactSizeIterator<Item = (&Monomial, Rational)> {
        self.terms.iter().map(|(monomial, coefficient)| (monomial, *coefficient))
    }

    /// Returns true if the polynomial is 0.
    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// Returns the polynomial's value, if it is a constant.
    pub fn as_constant(&self) -> Option<Rational> {
        match self.terms.len() {
            0 => Some(Rational::ZERO),
            1 => self.terms.get(&Vec::new()).copied(),
            _ => None,
        }
    }

    /// Returns the sum.
    pub fn plus(&self, other: &Self) -> Option<Self> {
        let mut sum = self.clone();
        for (monomial, coefficient) in other.terms() {
            sum.add(monomial.clone(), coefficient)?;
        }
        Some(sum)
    }

    /// Returns the difference.
    pub fn minus(&self, other: &Self) -> Option<Self> {
        self.plus(&other.scaled(Rational::integer(-1))?)
    }

    /// Returns the product with a number.
    pub fn scaled(&self, factor: Rational) -> Option<Self> {
        self.times(&Self::constant(factor))
    }

    /// Returns the product.
    ///
    /// - Time: O(terms · terms of the other).
    pub fn times(&self, other: &Self) -> Option<Self> {
        let mut product = Self::default();
        for (a, x) in self.terms() {
            for (b, y) in other.terms() {
                product.add(merged(a, b), x.times(y)?)?;
            }
        }
        Some(product)
    }

    /// Returns the power.
    pub fn power(&self, exponent: u32) -> Option<Self> {
        (0..exponent).try_fold(Self::integer(1), |power, _| power.times(self))
    }

    /// Returns the highest sum of powers in one product.
    pub fn degree(&self) -> u32 {
        let degree = |monomial: &Monomial| monomial.iter().map(|(_, power)| power).sum();
        self.terms.keys().map(degree).max().unwrap_or(0)
    }

    /// Returns the number of terms with a logarithm or a root.
    pub fn logarithms_and_roots(&self) -> usize {
        let is_one = |(atom, _): &(Atom, u32)| match atom {
            Atom::Log { .. } | Atom::Sqrt { .. } => true,
            Atom::Min(a, b) | Atom::Max(a, b) => a.logarithms_and_roots() + b.logarithms_and_roots() > 0,
            Atom::Name(_) | Atom::Quotient { .. } => false,
        };
        self.terms().filter(|(monomial, _)| monomial.iter().any(is_one)).count()
    }

    /// Returns true if all coefficients are integers. The value is then an integer at all integers.
    fn is_integer(&self) -> bool {
        self.terms.values().all(|coefficient| coefficient.as_integer().is_some())
    }

    /// Returns the name, if the polynomial consists of one name.
    pub fn as_name(&self) -> Option<&Name> {
        let (monomial, coefficient) = self.terms().next().filter(|_| self.terms.len() == 1)?;
        match monomial.as_slice() {
            [(Atom::Name(name), 1)] if coefficient == Rational::ONE => Some(name),
            _ => None,
        }
    }

    /// Returns numerator and divisor, if the polynomial consists of one quotient with this rounding.
    pub fn as_quotient(&self, rounded: Rounding) -> Option<(&Self, &Self)> {
        let (monomial, coefficient) = self.terms().next().filter(|_| self.terms.len() == 1)?;
        match monomial.as_slice() {
            [(Atom::Quotient { numerator, divisor, rounding }, 1)]
                if coefficient == Rational::ONE && *rounding == rounded =>
            {
                Some((numerator, divisor))
            }
            _ => None,
        }
    }

    /// Returns all names in the polynomial.
    pub fn names(&self) -> BTreeSet<Name> {
        let mut names = BTreeSet::new();
        self.any_name(&mut |name| {
            names.insert(Arc::clone(name));
            false
        });
        names
    }

    /// Returns true if the polynomial has this name.
    pub fn has_name(&self, name: &str) -> bool {
        self.any_name(&mut |one| **one == *name)
    }

    /// Returns true if `is_wanted` accepts a name in the polynomial. A name that occurs several times may be tested
    /// several times.
    pub fn any_name(&self, is_wanted: &mut dyn FnMut(&Name) -> bool) -> bool {
        self.terms.keys().flatten().any(|(atom, _)| atom.any_name(is_wanted))
    }

    /// Returns true if a name occurs only in powers, and not in rounded or compared parts.
    pub fn is_polynomial_in(&self, name: &str) -> bool {
        self.terms.keys().flatten().all(|(atom, _)| match atom {
            Atom::Name(_) => true,
            Atom::Log { argument, .. } | Atom::Sqrt { argument, .. } => !argument.has_name(name),
            Atom::Quotient { numerator: a, divisor: b, .. } | Atom::Min(a, b) | Atom::Max(a, b) => {
                !a.has_name(name) && !b.has_name(name)
            }
        })
    }

    /// Returns the coefficients of the powers of a name, beginning with the 0th; `None` if the name also occurs in
    /// other atoms.
    pub fn powers_of(&self, name: &str) -> Option<Vec<Self>> {
        if !self.is_polynomial_in(name) {
            return None;
        }
        let mut powers = vec![Self::default()];
        for (monomial, coefficient) in self.terms() {
            let is_name = |atom: &Atom| matches!(atom, Atom::Name(one) if **one == *name);
            let power =
                monomial.iter().find(|(atom, _)| is_name(atom)).map_or(0, |(_, power)| *power) as usize;
            let rest = monomial.iter().filter(|(atom, _)| !is_name(atom)).cloned().collect();
            powers.resize(powers.len().max(power + 1), Self::default());
            powers[power].add(rest, coefficient)?;
        }
        Some(powers)
    }

    /// Replaces names by polynomials. If `replacement` returns `None`, the name stays.
    pub fn substituted(&self, replacement: &dyn Fn(&str) -> Option<Self>) -> Option<Self> {
        let mut sum = Self::default();
        for (monomial, coefficient) in self.terms() {
            // Names that stay become one factor: multiplying by one name after the other takes time quadratic in
            // their number.
            let mut rest = Monomial::new();
            let mut product = Self::constant(coefficient);
            for (atom, power) in monomial {
                let factor = match atom {
                    Atom::Name(name) => replacement(name),
                    _ => Some(atom.substituted(replacement)?),
                };
                match factor {
                    Some(factor) => product = product.times(&factor.power(*power)?)?,
                    None => rest.push((atom.clone(), *power)),
                }
            }
            sum = sum.plus(&product.times(&Self::from_terms([(rest, Rational::ONE)])?)?)?;
        }
        Some(sum)
    }

    /// Returns the value for these values of the names; `None` if a name has no value, or the result overflows.
    pub fn value(&self, values: &dyn Fn(&str) -> Option<i128>) -> Option<Rational> {
        let mut sum = Rational::ZERO;
        for (monomial, coefficient) in self.terms() {
            let mut product = coefficient;
            for (atom, power) in monomial {
                let value = atom.value(values)?;
                for _ in 0..*power {
                    product = product.times(value)?;
                }
            }
            sum = sum.plus(product)?;
        }
        Some(sum)
    }

    /// Returns the value in floating point, without rounding, for values that are fractional or too large.
    pub fn value_f64(&self, values: &dyn Fn(&str) -> Option<f64>) -> Option<f64> {
        let mut sum = 0.0;
        for (monomial, coefficient) in self.terms() {
            let mut product = coefficient.to_f64();
            for (atom, power) in monomial {
                product *= atom.value_f64(values)?.powi(*power as i32);
            }
            sum += product;
        }
        Some(sum)
    }

    /// Returns true if `value` is the trip count by the polynomial. A negative polynomial means no trips.
    pub fn gives(&self, value: u64, values: &dyn Fn(&str) -> Option<i128>) -> bool {
        let trips = self.value(values).map(|trips| trips.max(Rational::ZERO));
        trips == Some(Rational::integer(i128::from(value)))
    }
}

fn merged(a: &Monomial, b: &Monomial) -> Monomial {
    let mut product: Monomial = a.iter().chain(b).cloned().collect();
    product.sort_by(|(a, _), (b, _)| a.cmp(b));
    product.dedup_by(|(atom, power), (last, sum)| {
        let is_same = atom == last;
        if is_same {
            *sum += *power;
        }
        is_same
    });
    product
}

impl Atom {
    /// Returns true if the atom has this name.
    pub fn has_name(&self, name: &str) -> bool {
        self.any_name(&mut |one| **one == *name)
    }

    fn any_name(&self, is_wanted: &mut dyn FnMut(&Name) -> bool) -> bool {
        match self {
            Self::Name(name) => is_wanted(name),
            Self::Log { argument, .. } | Self::Sqrt { argument, .. } => argument.any_name(is_wanted),
            Self::Quotient { numerator: a, divisor: b, .. } | Self::Min(a, b) | Self::Max(a, b) => {
                a.any_name(is_wanted) || b.any_name(is_wanted)
            }
        }
    }

    fn substituted(&self, replacement: &dyn Fn(&str) -> Option<Polynomial>) -> Option<Polynomial> {
        let inner = |polynomial: &Polynomial| polynomial.substituted(replacement).map(Box::new);
        let atom = match self {
            Self::Name(name) => {
                return Some(replacement(name).unwrap_or_else(|| Polynomial::name(name)));
            }
            Self::Log { argument, base, rounding } => {
                Self::Log { argument: inner(argument)?, base: *base, rounding: *rounding }
            }
            Self::Sqrt { argument, rounding } => {
                Self::Sqrt { argument: inner(argument)?, rounding: *rounding }
            }
            Self::Quotient { numerator, divisor, rounding } => {
                let (numerator, divisor) = (inner(numerator)?, inner(divisor)?);
                let is_exact = divisor.as_constant() == Some(Rational::ONE) && numerator.is_integer();
                if is_exact || numerator.is_zero() {
                    return Some(*numerator);
                }
                Self::Quotient { numerator, divisor, rounding: *rounding }
            }
            Self::Min(a, b) => Self::Min(inner(a)?, inner(b)?),
            Self::Max(a, b) => Self::Max(inner(a)?, inner(b)?),
        };
        let is_number = !atom.any_name(&mut |_| true);
        // The value of a logarithm of 0 serves loops without trips; it must not become part of another expression.
        if is_number && matches!(&atom, Self::Log { argument, .. } if argument.as_constant()? < Rational::ONE)
        {
            return None;
        }
        let number = is_number.then(|| atom.value(&|_| None)).flatten();
        Some(number.map_or_else(|| Polynomial::atom(atom), Polynomial::constant))
    }

    fn value(&self, values: &dyn Fn(&str) -> Option<i128>) -> Option<Rational> {
        let value = match self {
            Self::Name(name) => values(name)?,
            Self::Log { argument, base, rounding } => {
                let ends = argument.as_quotient(*rounding);
                let ends = ends.map(|(hi, lo)| Some((hi.value(values)?, lo.value(values)?)));
                match ends {
                    // Multiplying a counter of 0 or below never increases it: the loop has no trips, or never ends.
                    Some(ends) if ends?.1 < Rational::ONE => {
                        let (hi, lo) = ends?;
                        match rounding {
                            Rounding::Down if hi < lo => -1,
                            Rounding::Up if hi <= lo => 0,
                            _ => return None,
                        }
                    }
                    _ => log(argument.value(values)?, i128::from(*base), *rounding)?,
                }
            }
            Self::Sqrt { argument, rounding } => {
                let x = argument.value(values)?.max(Rational::ZERO);
                match rounding {
                    Rounding::Down => x.floor().isqrt(),
                    Rounding::Up => {
                        let ceiling = x.ceil()?;
                        let root = ceiling.isqrt();
                        if root.checked_mul(root)? < ceiling { root + 1 } else { root }
                    }
                }
            }
            Self::Quotient { numerator, divisor, rounding } => {
                let (numerator, divisor) = (numerator.value(values)?, divisor.value(values)?);
                // A counter that does not move has no trips if it begins at or behind its end.
                if divisor.is_zero() && numerator <= Rational::ZERO {
                    return Some(Rational::ZERO);
                }
                let quotient = numerator.over(divisor)?;
                match rounding {
                    Rounding::Down => quotient.floor(),
                    Rounding::Up => quotient.ceil()?,
                }
            }
            Self::Min(a, b) => return Some(a.value(values)?.min(b.value(values)?)),
            Self::Max(a, b) => return Some(a.value(values)?.max(b.value(values)?)),
        };
        Some(Rational::integer(value))
    }

    fn value_f64(&self, values: &dyn Fn(&str) -> Option<f64>) -> Option<f64> {
        Some(match self {
            Self::Name(name) => values(name)?,
            Self::Log { argument, base, .. } => {
                argument.value_f64(values)?.max(1.0).ln() / f64::from(*base).ln()
            }
            Self::Sqrt { argument, .. } => argument.value_f64(values)?.max(0.0).sqrt(),
            Self::Quotient { numerator, divisor, .. } => {
                let (numerator, divisor) = (numerator.value_f64(values)?, divisor.value_f64(values)?);
                if divisor == 0.0 && numerator <= 0.0 { 0.0 } else { numerator / divisor }
            }
            Self::Min(a, b) => a.value_f64(values)?.min(b.value_f64(values)?),
            Self::Max(a, b) => a.value_f64(values)?.max(b.value_f64(values)?),
        })
    }
}

/// Returns the rounded logarithm; see [`Atom::Log`].
fn log(x: Rational, base: i128, rounding: Rounding) -> Option<i128> {
    let x = match rounding {
        Rounding::Down => x.floor(),
        Rounding::Up => x.ceil()?,
    };
    Some(match rounding {
        Rounding::Down if x < 1 => -1,
        Rounding::Up if x < 1 => 0,
        Rounding::Down => i128::from(x.ilog(base)),
        Rounding::Up if x == 1 => 0,
        // The smallest k with base^k ≥ x is one more than the largest k with base^k ≤ x − 1.
        Rounding::Up => i128::from((x - 1).ilog(base)) + 1,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn x() -> Polynomial {
        Polynomial::name("x")
    }

    #[test]
    fn logarithms_and_roots_count_the_trips_of_loops() {
        for n in 0_i128..5000 {
            let at = |atom: Atom| Polynomial::atom(atom).value(&|_| Some(n)).unwrap().as_integer().unwrap();
            let log = |base, rounding| at(Atom::Log { argument: Box::new(x()), base, rounding });
            let sqrt = |rounding| at(Atom::Sqrt { argument: Box::new(x()), rounding });
            for base in [2, 3, 10] {
                let mut halvings = 0;
                let mut rest = n;
                while rest > 0 {
                    (rest, halvings) = (rest / i128::from(base), halvings + 1);
                }
                assert_eq!(log(base, Rounding::Down) + 1, halvings, "while (n) n /= {base} of {n}");
                let (mut doublings, mut i) = (0, 1);
                while i < n {
                    (i, doublings) = (i * i128::from(base), doublings + 1);
                }
                assert_eq!(log(base, Rounding::Up), doublings, "for (i = 1; i < {n}; i *= {base})");
            }
            assert_eq!(sqrt(Rounding::Up), (0..n).take_while(|i| i * i < n).count() as i128);
            assert_eq!(sqrt(Rounding::Down), (1..=n).take_while(|i| i * i <= n).count() as i128);
        }
    }

    #[test]
    fn a_logarithm_of_nothing_is_no_part_of_an_expression() {
        let log = Atom::Log { argument: Box::new(Polynomial::name("n")), base: 2, rounding: Rounding::Down };
        let with = |n: i128| Polynomial::atom(log.clone()).substituted(&|_| Some(Polynomial::integer(n)));
        assert_eq!(with(9), Some(Polynomial::integer(3)));
        assert_eq!(with(0), None);
    }

    #[test]
    fn what_is_substituted_is_a_number_where_nothing_else_is_left() {
        let quotient = Polynomial::atom(Atom::Quotient {
            numerator: Box::new(x()),
            divisor: Box::new(Polynomial::integer(4)),
            rounding: Rounding::Up,
        });
        let at_9 = quotient.substituted(&|_| Some(Polynomial::integer(9))).unwrap();
        assert_eq!(at_9.as_constant(), Some(Rational::integer(3)));
        let by_one = |numerator| {
            let divisor = Box::new(Polynomial::name("step"));
            let atom = Atom::Quotient { numerator: Box::new(numerator), divisor, rounding: Rounding::Up };
            Polynomial::atom(atom).substituted(&|name| (name == "step").then(|| Polynomial::integer(1)))
        };
        assert_eq!(by_one(x()), Some(x()), "⌈x/1⌉");
        let half = x().scaled(Rational::new(1, 2).unwrap()).unwrap();
        assert_ne!(by_one(half.clone()), Some(half), "⌈½x⌉ is rounded");
        let of_y = quotient.substituted(&|_| Some(Polynomial::name("y"))).unwrap();
        assert_eq!(of_y.names().into_iter().collect::<Vec<_>>(), [Arc::from("y")]);
    }

    #[test]
    fn a_counter_that_does_not_move_has_no_trips_if_it_begins_at_its_end() {
        let quotient = Polynomial::atom(Atom::Quotient {
            numerator: Box::new(x()),
            divisor: Box::new(Polynomial::name("step")),
            rounding: Rounding::Up,
        });
        let at = |x: i128, step: i128| quotient.value(&|name| Some(if name == "x" { x } else { step }));
        assert_eq!([at(0, 0), at(-3, 0)], [Some(Rational::ZERO); 2]);
        assert_eq!(at(3, 0), None);
    }

    proptest! {
        #[test]
        fn sums_and_products_of_polynomials_have_those_of_their_values(
            a in prop::collection::vec((0_u32..4, 0_u32..3, -9_i128..9), 0..5),
            b in prop::collection::vec((0_u32..4, 0_u32..3, -9_i128..9), 0..5),
            at in (-20_i128..20, -20_i128..20),
        ) {
            let polynomial = |terms: &[(u32, u32, i128)]| {
                terms.iter().fold(Polynomial::default(), |sum, &(p, q, c)| {
                    let y = Polynomial::name("y").power(q).unwrap();
                    let term = x().power(p).unwrap().times(&y).unwrap();
                    sum.plus(&term.scaled(Rational::integer(c)).unwrap()).unwrap()
                })
            };
            let (a, b) = (polynomial(&a), polynomial(&b));
            let value = |one: &Polynomial| {
                one.value(&|name| Some(if name == "x" { at.0 } else { at.1 })).unwrap()
            };
            prop_assert_eq!(value(&a.plus(&b).unwrap()), value(&a).plus(value(&b)).unwrap());
            prop_assert_eq!(value(&a.times(&b).unwrap()), value(&a).times(value(&b)).unwrap());
            prop_assert!(a.minus(&a).unwrap().is_zero());
            let product = a.times(&b).unwrap();
            prop_assert_eq!(&product, &b.times(&a).unwrap());
            // The coefficients in x must recombine to the product.
            let powers = product.powers_of("x").unwrap();
            let again = powers.iter().enumerate().fold(Polynomial::default(), |sum, (k, c)| {
                sum.plus(&c.times(&x().power(k as u32).unwrap()).unwrap()).unwrap()
            });
            prop_assert_eq!(again, product);
        }
    }
}
