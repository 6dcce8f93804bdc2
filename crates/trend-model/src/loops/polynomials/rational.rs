//! Exact fractions. A result that does not fit into 128 bits is `None` instead of a wrong number.

use std::cmp::Ordering;
use std::fmt;

/// A fraction in lowest terms with a positive denominator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rational {
    numerator: i128,
    denominator: i128,
}

/// Returns the greatest common divisor; 0 for 0 and 0.
fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl Rational {
    /// The fraction 0.
    pub const ZERO: Self = Self::integer(0);
    /// The fraction 1.
    pub const ONE: Self = Self::integer(1);

    /// Creates an integer. Reasonable input never leads to a value as low as `i128::MIN`.
    pub const fn integer(value: i128) -> Self {
        Self { numerator: value, denominator: 1 }
    }

    /// Creates `numerator / denominator`; returns `None` if the denominator is 0 or the result overflows.
    pub fn new(numerator: i128, denominator: i128) -> Option<Self> {
        if denominator == 0 {
            return None;
        }
        let divisor = i128::try_from(gcd(numerator.unsigned_abs(), denominator.unsigned_abs())).ok()?;
        let sign = denominator.signum();
        let numerator = (numerator / divisor).checked_mul(sign)?;
        Some(Self { numerator, denominator: (denominator / divisor).checked_mul(sign)? })
    }

    /// Returns the numerator.
    pub fn numerator(self) -> i128 {
        self.numerator
    }

    /// Returns the denominator, which is at least 1.
    pub fn denominator(self) -> i128 {
        self.denominator
    }

    /// Returns true if the fraction is 0.
    pub fn is_zero(self) -> bool {
        self.numerator == 0
    }

    /// Returns true if the fraction is below 0.
    pub fn is_negative(self) -> bool {
        self.numerator < 0
    }

    /// Returns the integer, if the fraction is one.
    pub fn as_integer(self) -> Option<i128> {
        (self.denominator == 1).then_some(self.numerator)
    }

    /// Returns the nearest `f64`.
    pub fn to_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }

    /// Returns the sum.
    pub fn plus(self, other: Self) -> Option<Self> {
        let a = self.numerator.checked_mul(other.denominator)?;
        let b = other.numerator.checked_mul(self.denominator)?;
        Self::new(a.checked_add(b)?, self.denominator.checked_mul(other.denominator)?)
    }

    /// Returns the difference.
    pub fn minus(self, other: Self) -> Option<Self> {
        self.plus(other.negated()?)
    }

    /// Returns the negative.
    pub fn negated(self) -> Option<Self> {
        Some(Self { numerator: self.numerator.checked_neg()?, ..self })
    }

    /// Returns the product.
    pub fn times(self, other: Self) -> Option<Self> {
        // Cancelling crosswise first keeps intermediate results small.
        let a = Self::new(self.numerator, other.denominator)?;
        let b = Self::new(other.numerator, self.denominator)?;
        Self::new(a.numerator.checked_mul(b.numerator)?, a.denominator.checked_mul(b.denominator)?)
    }

    /// Returns the quotient; `None` if `other` is 0.
    pub fn over(self, other: Self) -> Option<Self> {
        self.times(Self::new(other.denominator, other.numerator)?)
    }

    /// Returns the largest integer that is not above the fraction.
    pub fn floor(self) -> i128 {
        self.numerator.div_euclid(self.denominator)
    }

    /// Returns the smallest integer that is not below the fraction.
    pub fn ceil(self) -> Option<i128> {
        Some(-self.negated()?.floor())
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Self) -> Ordering {
        // Most fractions are integers, with the denominator 1.
        if self.denominator == other.denominator {
            return self.numerator.cmp(&other.numerator);
        }
        // Compares by continued fractions, because the products might overflow.
        let (a, b) = (self.floor(), other.floor());
        let rest = |one: &Self, floor: i128| one.numerator - floor * one.denominator;
        a.cmp(&b).then_with(|| match (rest(self, a), rest(other, b)) {
            (0, 0) => Ordering::Equal,
            (0, _) => Ordering::Less,
            (_, 0) => Ordering::Greater,
            (p, q) => {
                let inverse = |n, d| Self { numerator: d, denominator: n };
                inverse(q, other.denominator).cmp(&inverse(p, self.denominator))
            }
        })
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.denominator == 1 {
            return write!(f, "{}", self.numerator);
        }
        let sign = if self.numerator < 0 { "-" } else { "" };
        match (self.numerator.unsigned_abs(), self.denominator) {
            (1, 2) => write!(f, "{sign}½"),
            (1, 3) => write!(f, "{sign}⅓"),
            (2, 3) => write!(f, "{sign}⅔"),
            (1, 4) => write!(f, "{sign}¼"),
            (3, 4) => write!(f, "{sign}¾"),
            (1, 6) => write!(f, "{sign}⅙"),
            (5, 6) => write!(f, "{sign}⅚"),
            (1, 8) => write!(f, "{sign}⅛"),
            (numerator, denominator) => write!(f, "{sign}{numerator}/{denominator}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_does_not_fit_is_no_result() {
        let large = Rational::integer(i128::MAX / 2);
        assert_eq!(large.times(Rational::integer(4)), None);
        assert_eq!(large.plus(large).and_then(|sum| sum.plus(large)), None);
        assert_eq!(Rational::new(1, 0), None);
        // Factors that cancel do not overflow.
        let half = Rational::new(1, 2).unwrap();
        assert_eq!(Rational::integer(i128::MAX - 1).times(half), Some(large));
    }

    #[test]
    fn fractions_are_written_as_people_write_them() {
        let text = |n, d| Rational::new(n, d).unwrap().to_string();
        assert_eq!(
            ["½", "-¾", "7", "-5/7"].map(str::to_owned),
            [text(2, 4), text(3, -4), text(-21, -3), text(-5, 7)]
        );
    }

    proptest! {
        #[test]
        fn fractions_are_a_field_in_the_order_of_real_numbers(
            n in prop::array::uniform3(-1000_i128..1000),
            d in prop::array::uniform3(1_i128..1000),
        ) {
            let [a, b, c] = [0, 1, 2].map(|i| Rational::new(n[i], d[i]).unwrap());
            prop_assert_eq!(a.plus(b), b.plus(a));
            let left = a.times(b.plus(c).unwrap());
            let right = a.times(b).unwrap().plus(a.times(c).unwrap());
            prop_assert_eq!(left, right);
            if !b.is_zero() {
                prop_assert_eq!(a.over(b).unwrap().times(b), Some(a));
            }
            prop_assert_eq!(a.cmp(&b), (n[0] * d[1]).cmp(&(n[1] * d[0])));
            prop_assert!(Rational::integer(a.floor()) <= a && a < Rational::integer(a.floor() + 1));
            prop_assert!(Rational::integer(a.ceil().unwrap()) >= a);
        }
    }
}
