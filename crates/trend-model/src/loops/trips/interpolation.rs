//! Finds the simplest polynomial in the inputs of a loop that gives its trip counts.
//!
//! ```text
//!   points ─┬─ guiding set: one point per coefficient ──solve──▶ candidate
//!           └─ verification set: all others ──────────check──▶ found, or the next family
//! ```
//!
//! The families, the simplest first, are: polynomials of degree 0 and 1; quotients `⌊(n + k)/d⌋`; logarithms
//! `⌈log₂(n/size)⌉`; polynomials up to degree 4, as long as there are more points than coefficients; and sums of few
//! terms out of powers, products, logarithms, roots, `min` and `max`. If no family gives all points, the maximum of 1
//! and a formula is tried, and then polynomials that give all but a few points.
//!
//! The method comes from F. Demontiê et al., *Automatic Inference of Loop Complexity through Polynomial Interpolation*,
//! section 3.4. Several inputs, exact fractions, sparse sums and non-polynomials are new.

use super::modular::{Added, System, residue};
use super::problem::{CONFIRMING, Interpolated, Point, Problem};
use super::{geometric, quotients};
use crate::loops::polynomials::polynomial::{Atom, Monomial, Name, Polynomial, Rounding};
use crate::loops::polynomials::rational::Rational;

/// Maximum degree of a polynomial.
const HIGHEST_DEGREE: u32 = 4;

/// Number of points that must confirm a formula that is not a polynomial or leaves points out: there are more such
/// formulas to choose from.
const CONFIRMING_FREE: usize = 4;

/// Maximum number of sums of three terms that are tried.
const MOST_TRIPLES: usize = 600;

/// Number of guiding sets that are tried if points may be off.
const GUIDING_SETS: usize = 60;

/// Maximum denominator of a coefficient. Sums of fourth powers have denominators of 30, and steps of 64 and more.
const LARGEST_DENOMINATOR: i128 = 1024;

/// A product that may be a term, and its values at the deciding points, modulo the prime.
struct Candidate {
    monomial: Monomial,
    /// The product's inputs, one bit each.
    inputs: u8,
    column: Vec<u64>,
}

/// Finds the simplest polynomial that gives the trip count at all points, or at all but at most one in eight.
///
/// Points with the same inputs count once, so the caller must merge them. Returns `None` if no family has such a
/// polynomial, or if there are too few points.
///
/// - Time: O(families · points); at most some milliseconds.
pub fn interpolate(names: &[&str], points: &[Point]) -> Option<Interpolated> {
    let problem = Problem::new(names, points)?;
    problem.everywhere().or_else(|| at_least_once(names, points)).or_else(|| problem.tolerant())
}

/// Finds the trip count of a loop whose body precedes its condition: `max(1, n − m)`. The loop must run once at several
/// points, and the formula alone must be smaller at one of them.
fn at_least_once(names: &[&str], points: &[Point]) -> Option<Interpolated> {
    if points.iter().any(|point| point.trips == 0) {
        return None;
    }
    let problem = Problem::with_least(names, points, 1)?;
    let interpolated = problem.everywhere()?;
    let once = points.iter().filter(|point| point.trips == 1).count();
    let is_less = |index: usize| {
        problem.value(&interpolated.polynomial, index).is_some_and(|trips| trips < Rational::ONE)
    };
    let one = Box::new(Polynomial::integer(1));
    let greater = |polynomial| Polynomial::atom(Atom::Max(one, Box::new(polynomial)));
    (once >= CONFIRMING && (0..points.len()).any(is_less))
        .then(|| Interpolated { polynomial: greater(interpolated.polynomial), ..interpolated })
}

impl Problem<'_> {
    /// Returns the simplest polynomial that gives all points.
    fn everywhere(&self) -> Option<Interpolated> {
        self.constant()
            .or_else(|| self.dense(1))
            .or_else(|| self.sparse(1))
            .or_else(|| quotients::quotient(self))
            .or_else(|| geometric::logarithm(self))
            .or_else(|| (2..=HIGHEST_DEGREE).find_map(|degree| self.dense(degree)))
            .or_else(|| self.sparse(HIGHEST_DEGREE))
    }

    /// Returns a constant, if the trip count is the same for several inputs.
    fn constant(&self) -> Option<Interpolated> {
        let trips = self.points.first()?.trips;
        let is_constant = self.points.len() > CONFIRMING && self.points.iter().all(|p| p.trips == trips);
        is_constant.then(|| self.confirm(Polynomial::integer(i128::from(trips)), Vec::new(), true)).flatten()
    }

    /// Returns the polynomial of this degree with all its coefficients.
    fn dense(&self, degree: u32) -> Option<Interpolated> {
        let monomials = self.monomials(degree);
        if !self.is_enough(monomials.len(), CONFIRMING) {
            return None;
        }
        let terms = self.terms(monomials);
        let polynomial = self.solve(&terms.iter().collect::<Vec<_>>(), 0..self.deciding.len())?;
        self.confirm(polynomial.clone(), self.misses(&polynomial, 0)?, true)
    }

    /// Returns true if there are enough points for the coefficients and for confirmation. A point without trips only
    /// confirms that there are no more trips. That is enough for powers of the inputs, but not for the hundreds of
    /// other formulas.
    fn is_enough(&self, coefficients: usize, confirming: usize) -> bool {
        let with_trips = if confirming == CONFIRMING { coefficients + 1 } else { coefficients + confirming };
        self.deciding.len() >= with_trips && self.points.len() >= coefficients + confirming
    }

    /// Returns the only polynomial with these terms that gives the deciding points at these positions.
    fn solve(&self, terms: &[&Candidate], positions: impl IntoIterator<Item = usize>) -> Option<Polynomial> {
        let mut system = System::new(terms.len());
        for position in positions {
            let trips = residue(i128::from(self.points[self.deciding[position]].trips));
            let row = terms.iter().map(|term| term.column[position]).chain([trips]).collect();
            if system.add(row) == Added::Contradiction {
                return None;
            }
        }
        let coefficients = system.solution()?;
        if coefficients.iter().any(|c| c.denominator() > LARGEST_DENOMINATOR) {
            return None;
        }
        Polynomial::from_terms(terms.iter().map(|term| term.monomial.clone()).zip(coefficients))
    }

    /// Returns products with their values; products without a value at some point are left out.
    fn terms(&self, monomials: Vec<Monomial>) -> Vec<Candidate> {
        let valued = monomials.into_iter().filter_map(|monomial| {
            let column = self.deciding.iter().map(|&index| self.residue_of(&monomial, index));
            let column = column.collect::<Option<_>>()?;
            let product = Polynomial::from_terms([(monomial.clone(), Rational::ONE)])?;
            Some(Candidate { inputs: self.inputs_of(&product), monomial, column })
        });
        valued.collect()
    }

    fn residue_of(&self, monomial: &Monomial, index: usize) -> Option<u64> {
        let values = self.point(index);
        monomial.iter().try_fold(1, |product, (atom, power)| {
            let value = match atom {
                Atom::Name(name) => values(name)?,
                other => Polynomial::atom(other.clone()).value(&values)?.as_integer()?,
            };
            let value = residue(value);
            Some((0..*power).fold(product, |product, _| super::modular::product(product, value)))
        })
    }

    fn atom(&self, input: usize) -> Atom {
        Atom::Name(Name::clone(&self.names[input]))
    }

    /// Returns all products of varying inputs up to a degree, by ascending degree.
    fn monomials(&self, degree: u32) -> Vec<Monomial> {
        let mut all: Vec<Vec<u32>> = vec![Vec::new()];
        for _ in &self.varying {
            let longer = |powers: Vec<u32>| {
                let remaining = degree - powers.iter().sum::<u32>();
                (0..=remaining).map(move |power| powers.iter().copied().chain([power]).collect())
            };
            all = all.into_iter().flat_map(longer).collect();
        }
        all.sort_by_key(|powers| (powers.iter().sum::<u32>(), std::cmp::Reverse(powers.clone())));
        let monomial = |powers: Vec<u32>| {
            let factors = self.varying.iter().zip(powers).filter(|(_, power)| *power > 0);
            let mut monomial: Monomial = factors.map(|(&input, power)| (self.atom(input), power)).collect();
            monomial.sort();
            monomial
        };
        all.into_iter().map(monomial).collect()
    }

    /// Returns a sum of at most three products; for degree 1, only products of degree 1.
    fn sparse(&self, degree: u32) -> Option<Interpolated> {
        let mut monomials = self.monomials(degree.min(HIGHEST_DEGREE));
        // The constant is not a separate term: each sum is tried with and without it.
        monomials.retain(|monomial| !monomial.is_empty());
        let powers = monomials.len();
        if degree > 1 {
            monomials.extend(self.other_terms());
        }
        let candidates = self.terms(monomials);
        let sums = subsets(candidates.len());
        let sum_with = |terms: &Vec<usize>| {
            let is_polynomial = terms.iter().all(|&term| term < powers);
            let terms: Vec<&Candidate> = terms.iter().map(|&term| &candidates[term]).collect();
            self.sum_of(&terms, if is_polynomial { CONFIRMING } else { CONFIRMING_FREE })
        };
        let (position, first) =
            sums.iter().enumerate().find_map(|(position, terms)| Some((position, sum_with(terms)?)))?;
        // A later sum with the same number of terms would be another explanation.
        let mut others = sums[position + 1..].iter().take_while(|other| other.len() == sums[position].len());
        Some(Interpolated { is_unique: others.all(|other| sum_with(other).is_none()), ..first })
    }

    fn sum_of(&self, terms: &[&Candidate], confirming: usize) -> Option<Interpolated> {
        let constant = Candidate { monomial: Vec::new(), inputs: 0, column: vec![1; self.deciding.len()] };
        [false, true].into_iter().find_map(|has_constant| {
            let mut all = terms.to_vec();
            all.extend(has_constant.then_some(&constant));
            let inputs = all.iter().fold(0, |inputs, term| inputs | term.inputs);
            if !self.is_enough(all.len(), confirming) || !self.is_supported(inputs, all.len()) {
                return None;
            }
            let polynomial = self.solve(&all, 0..self.deciding.len())?;
            if polynomial.terms().len() < all.len() {
                return None;
            }
            // A lone logarithm comes from a loop that multiplies: see `geometric`.
            if terms.len() == 1 && is_logarithm(&polynomial) || is_rounded_both_ways(&polynomial) {
                return None;
            }
            let off = self.misses(&polynomial, 0)?;
            self.confirm(polynomial, off, true)
        })
    }

    /// Returns terms that are not powers of an input: logarithms, roots, the minimum and maximum of two, and their
    /// products with an input.
    fn other_terms(&self) -> Vec<Monomial> {
        let name = |input: usize| Box::new(Polynomial::atom(self.atom(input)));
        let mut atoms = Vec::new();
        for (position, &k) in self.varying.iter().enumerate() {
            for rounding in [Rounding::Down, Rounding::Up] {
                let bases = [2, 3, 10].map(|base| Atom::Log { argument: name(k), base, rounding });
                atoms.extend(bases);
                atoms.push(Atom::Sqrt { argument: name(k), rounding });
            }
            for &j in &self.varying[position + 1..] {
                atoms.push(Atom::Min(name(k), name(j)));
                atoms.push(Atom::Max(name(k), name(j)));
            }
        }
        let single = atoms.iter().map(|atom| vec![(atom.clone(), 1)]);
        let products = atoms.iter().flat_map(|atom| {
            self.varying.iter().map(|&input| {
                let mut monomial = vec![(atom.clone(), 1), (self.atom(input), 1)];
                monomial.sort();
                monomial
            })
        });
        single.chain(products).collect()
    }

    /// Returns a polynomial of degree up to 3 that gives all but a few points.
    fn tolerant(&self) -> Option<Interpolated> {
        let most_off = (self.points.len() / 8).max(1);
        (1..HIGHEST_DEGREE).find_map(|degree| {
            let terms = self.terms(self.monomials(degree));
            if self.deciding.len() < terms.len() + CONFIRMING_FREE {
                return None;
            }
            let terms: Vec<&Candidate> = terms.iter().collect();
            let guided = |set: usize| {
                let polynomial = self.solve(&terms, guiding_set(self.deciding.len(), terms.len(), set))?;
                Some((self.misses(&polynomial, most_off)?, polynomial))
            };
            let best = (0..GUIDING_SETS).filter_map(guided).min_by_key(|(off, _)| off.len());
            best.and_then(|(off, polynomial)| self.confirm(polynomial, off, true))
        })
    }
}

/// Returns true if the only term with names is a single logarithm.
fn is_logarithm(polynomial: &Polynomial) -> bool {
    let is_once = |(monomial, coefficient): (&Monomial, Rational)| match monomial.as_slice() {
        [] => true,
        [(Atom::Log { .. }, 1)] => coefficient == Rational::ONE,
        _ => false,
    };
    polynomial.terms().all(is_once)
}

/// Returns true if a value is rounded down in one term and up in another. Their difference is 0 or 1, so it can stand
/// for any small rest: `¼·⌊log₂ n⌋ − ¼·⌈log₂ n⌉`.
fn is_rounded_both_ways(polynomial: &Polynomial) -> bool {
    let opposite = |atom: &Atom| {
        let turned = |rounding: &Rounding| match rounding {
            Rounding::Down => Rounding::Up,
            Rounding::Up => Rounding::Down,
        };
        match atom.clone() {
            Atom::Log { argument, base, rounding } => {
                Some(Atom::Log { argument, base, rounding: turned(&rounding) })
            }
            Atom::Sqrt { argument, rounding } => Some(Atom::Sqrt { argument, rounding: turned(&rounding) }),
            _ => None,
        }
    };
    let atoms = || polynomial.terms().flat_map(|(monomial, _)| monomial).map(|(atom, _)| atom);
    atoms().filter_map(opposite).any(|opposite| atoms().any(|atom| *atom == opposite))
}

/// Draws `count` of the numbers below `all`. Each set has its own draw, which is always the same.
fn guiding_set(all: usize, count: usize, set: usize) -> Vec<usize> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(set as u64 + 1);
    let mut rest: Vec<usize> = (0..all).collect();
    let mut drawn = || {
        // A linear congruential generator: Knuth's MMIX.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        rest.swap_remove((state >> 33) as usize % rest.len())
    };
    (0..count).map(|_| drawn()).collect()
}

/// Returns sets of one and two candidates and, for the first candidates, of three: few terms before many, and simple
/// ones before others.
fn subsets(candidates: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = (0..candidates).map(|i| vec![i]).collect();
    let pairs = (0..candidates).flat_map(|j| (0..j).map(move |i| vec![i, j]));
    all.extend(pairs);
    let triples = (0..candidates).flat_map(|k| (0..k).flat_map(move |j| (0..j).map(move |i| vec![i, j, k])));
    all.extend(triples.take(MOST_TRIPLES));
    all
}

#[cfg(test)]
mod tests;
