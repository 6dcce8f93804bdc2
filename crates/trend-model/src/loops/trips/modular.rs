//! Solves linear systems over the integers modulo a prime, and recovers fractions from their solutions.
//!
//! Coefficients of loops are small fractions, but intermediate numbers are not: they are fourth powers of a million,
//! and products of these. Modulo a prime, nothing grows. The caller checks the result with exact arithmetic.

use crate::loops::polynomials::rational::Rational;

/// The Mersenne prime 2^61 − 1.
pub(crate) const PRIME: u64 = (1 << 61) - 1;

/// Maximum numerator and denominator of a coefficient. Its square is below half of the prime, so a fraction that is
/// found is unique.
const LARGEST: u64 = 1 << 29;

/// Returns an integer modulo the prime.
pub(crate) fn residue(value: i128) -> u64 {
    value.rem_euclid(i128::from(PRIME)) as u64
}

pub(crate) fn product(a: u64, b: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(PRIME)) as u64
}

fn difference(a: u64, b: u64) -> u64 {
    if a >= b { a - b } else { a + (PRIME - b) }
}

fn inverse(a: u64) -> u64 {
    let (mut power, mut result, mut exponent) = (a, 1, PRIME - 2);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = product(result, power);
        }
        power = product(power, power);
        exponent >>= 1;
    }
    result
}

/// Returns the fraction with a small numerator and denominator for this residue, if there is one. Uses the extended
/// Euclidean algorithm, stopped half way: P. S. Wang, *A p-adic algorithm for univariate partial fractions*, SYMSAC
/// 1981.
pub(crate) fn fraction(residue: u64) -> Option<Rational> {
    let (mut old, mut rest) = (i128::from(PRIME), i128::from(residue));
    let (mut old_factor, mut factor) = (0_i128, 1_i128);
    while rest > i128::from(LARGEST) {
        let quotient = old / rest;
        (old, rest) = (rest, old - quotient * rest);
        (old_factor, factor) = (factor, old_factor - quotient * factor);
    }
    if factor.unsigned_abs() > u128::from(LARGEST) {
        return None;
    }
    Rational::new(rest, factor)
}

/// Result of adding a row to a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Added {
    /// The row adds information.
    New,
    /// The row follows from the rows before.
    Implied,
    /// The row contradicts the rows before.
    Contradiction,
}

/// A system of linear equations in echelon form; rows are added one by one.
#[derive(Clone, Debug)]
pub(crate) struct System {
    unknowns: usize,
    /// Rows by the column of their first coefficient, which is 1. The right side is last.
    rows: Vec<Option<Vec<u64>>>,
}

impl System {
    pub(crate) fn new(unknowns: usize) -> Self {
        Self { unknowns, rows: vec![None; unknowns] }
    }

    /// Adds an equation: first the coefficients, then the right side.
    ///
    /// - Time: O(unknowns²).
    pub(crate) fn add(&mut self, mut row: Vec<u64>) -> Added {
        for column in 0..self.unknowns {
            let lead = row[column];
            if lead == 0 {
                continue;
            }
            let Some(pivot) = &self.rows[column] else {
                let scale = inverse(lead);
                row.iter_mut().skip(column).for_each(|value| *value = product(*value, scale));
                self.rows[column] = Some(row);
                return Added::New;
            };
            for (value, pivot) in row.iter_mut().zip(pivot).skip(column) {
                *value = difference(*value, product(lead, *pivot));
            }
        }
        if row[self.unknowns] == 0 { Added::Implied } else { Added::Contradiction }
    }

    /// Returns the solution, if it is unique and consists of small fractions.
    pub(crate) fn solution(&self) -> Option<Vec<Rational>> {
        let mut residues = vec![0; self.unknowns];
        for column in (0..self.unknowns).rev() {
            let row = self.rows[column].as_ref()?;
            let eliminate = |sum, later: usize| difference(sum, product(row[later], residues[later]));
            residues[column] = (column + 1..self.unknowns).fold(row[self.unknowns], eliminate);
        }
        residues.into_iter().map(fraction).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_system_says_what_is_new_what_follows_and_what_contradicts() {
        let row = |values: [i128; 3]| values.map(residue).to_vec();
        let mut system = System::new(2);
        assert_eq!(system.add(row([1, 1, 5])), Added::New);
        assert_eq!(system.add(row([2, 2, 10])), Added::Implied);
        assert_eq!(system.add(row([2, 2, 11])), Added::Contradiction);
        assert_eq!(system.solution(), None);
        assert_eq!(system.add(row([2, -4, 7])), Added::New);
        let fraction = |n, d| Rational::new(n, d).unwrap();
        assert_eq!(system.solution(), Some(vec![fraction(9, 2), fraction(1, 2)]));
    }

    proptest! {
        #[test]
        fn fractions_come_back_from_their_residues(n in -1_000_000_i128..1_000_000, d in 1_i128..1_000_000) {
            let original = Rational::new(n, d).unwrap();
            let residue = product(residue(original.numerator()), inverse(residue(original.denominator())));
            prop_assert_eq!(fraction(residue), Some(original));
        }

        #[test]
        fn a_polynomial_comes_back_from_values_at_large_points(
            coefficients in prop::collection::vec((-1000_i128..1000, 1_i128..24), 1..6),
            first in 1_i128..1_000_000_000,
        ) {
            let coefficients: Vec<Rational> =
                coefficients.iter().map(|&(n, d)| Rational::new(n, d).unwrap()).collect();
            let degree = coefficients.len();
            let mut system = System::new(degree);
            for t in 0..degree as i128 {
                let x = residue(first + 7 * t);
                let powers: Vec<u64> =
                    std::iter::successors(Some(1), |power| Some(product(*power, x))).take(degree).collect();
                let value = powers.iter().zip(&coefficients).fold(0, |sum, (power, c)| {
                    let c = product(residue(c.numerator()), inverse(residue(c.denominator())));
                    difference(sum, difference(0, product(*power, c)))
                });
                let row = powers.into_iter().chain([value]).collect();
                prop_assert_eq!(system.add(row), Added::New);
            }
            prop_assert_eq!(system.solution(), Some(coefficients));
        }
    }
}
