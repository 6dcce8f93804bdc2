//! Points whose trip counts a polynomial may give, and derived facts about them.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use super::modular::{Added, System, residue};
use crate::loops::polynomials::polynomial::{Atom, Monomial, Name, Polynomial};
use crate::loops::polynomials::rational::Rational;

/// Maximum number of inputs.
pub const MOST_INPUTS: usize = 4;

/// Number of points, in addition to the coefficients, that must confirm a polynomial. With 1, smooth sequences of
/// rounded values pass in more than 1 % of trials; the paper uses 1.
pub(crate) const CONFIRMING: usize = 2;

/// Maximum number of deciding points; all others only confirm. This is enough for the 70 coefficients of degree 4 in 4
/// inputs.
const DECIDING_POINTS: usize = 256;

/// Activations with one combination of inputs, which all have the same trip count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// Inputs, one per name.
    pub inputs: Vec<i64>,
    /// Number of trips.
    pub trips: u64,
}

/// A polynomial that gives the trip count; below 0, there are no trips.
#[derive(Clone, Debug, PartialEq)]
pub struct Interpolated {
    /// The polynomial that gives the trip count.
    pub polynomial: Polynomial,
    /// Number of points.
    pub points: usize,
    /// Indices of the points that the polynomial does not give.
    pub off: Vec<usize>,
    /// True if no other formula of its family gives the points. If inputs are equal in all points, several formulas do.
    pub is_unique: bool,
}

/// The points, and derived facts about them.
pub(crate) struct Problem<'a> {
    pub(crate) names: Vec<Name>,
    pub(crate) points: &'a [Point],
    /// Minimum trip count: 1 if the body precedes the condition. A polynomial may be below it there.
    pub(crate) least: u64,
    /// Indices of the inputs that vary between points.
    pub(crate) varying: Vec<usize>,
    /// Indices of the points that decide, which have more trips than the minimum.
    pub(crate) deciding: Vec<usize>,
    /// Cache of [`Self::support`], by the inputs.
    known_support: RefCell<HashMap<u8, (usize, usize)>>,
}

impl<'a> Problem<'a> {
    pub(crate) fn new(names: &[&str], points: &'a [Point]) -> Option<Self> {
        Self::with_least(names, points, 0)
    }

    pub(crate) fn with_least(names: &[&str], points: &'a [Point], least: u64) -> Option<Self> {
        if names.len() > MOST_INPUTS || points.iter().any(|point| point.inputs.len() != names.len()) {
            return None;
        }
        let first = points.first()?;
        let varying = (0..names.len()).filter(|&k| points.iter().any(|p| p.inputs[k] != first.inputs[k]));
        let mut problem = Self {
            names: names.iter().map(|name| Name::from(*name)).collect(),
            points,
            least,
            varying: varying.collect(),
            deciding: Vec::new(),
            known_support: RefCell::default(),
        };
        let positive: Vec<usize> = (0..points.len()).filter(|&i| points[i].trips > least).collect();
        // Spreads the deciding points evenly, including the first and the last.
        let count = positive.len().min(DECIDING_POINTS);
        let place = |i: usize| positive[i * (positive.len() - 1) / (count - 1).max(1)];
        problem.deciding = (0..count).map(place).collect();
        Some(problem)
    }

    pub(crate) fn point(&self, index: usize) -> impl Fn(&str) -> Option<i128> {
        let point = &self.points[index];
        move |name| {
            let position = self.names.iter().position(|one| **one == *name)?;
            Some(i128::from(point.inputs[position]))
        }
    }

    pub(crate) fn value(&self, polynomial: &Polynomial, index: usize) -> Option<Rational> {
        polynomial.value(&self.point(index))
    }

    /// Returns the points that a polynomial does not give; `None` as soon as there are more than `most`.
    pub(crate) fn misses(&self, polynomial: &Polynomial, most: usize) -> Option<Vec<usize>> {
        let mut off = Vec::new();
        for (index, point) in self.points.iter().enumerate() {
            let trips = polynomial.value(&self.point(index));
            let trips = trips.map(|trips| trips.max(Rational::integer(i128::from(self.least))));
            if trips != Some(Rational::integer(i128::from(point.trips))) {
                off.push(index);
                if off.len() > most {
                    return None;
                }
            }
        }
        Some(off)
    }

    /// Returns a polynomial that gives all points except for those in `off`; `None` if the evidence is too weak.
    pub(crate) fn confirm(
        &self,
        polynomial: Polynomial,
        off: Vec<usize>,
        is_unique: bool,
    ) -> Option<Interpolated> {
        let points = self.points.len();
        self.is_confirmed(&polynomial, &off).then_some(Interpolated { polynomial, points, off, is_unique })
    }

    /// Returns true if some inputs, given as bits, have more combinations and more trip counts than there are
    /// coefficients. With fewer, a polynomial in these inputs is not confirmed.
    pub(crate) fn is_supported(&self, inputs: u8, coefficients: usize) -> bool {
        if inputs == 0 {
            return true;
        }
        let mut cache = self.known_support.borrow_mut();
        let (with_trips, all) = *cache.entry(inputs).or_insert_with(|| self.support(inputs, &HashSet::new()));
        with_trips > coefficients && all >= coefficients + CONFIRMING
    }

    /// Returns the inputs in a product or a sum, one bit each.
    pub(crate) fn inputs_of(&self, polynomial: &Polynomial) -> u8 {
        let names = polynomial.names();
        let used = (0..self.names.len()).filter(|&k| names.contains(&self.names[k]));
        used.fold(0, |mask, k| mask | 1 << k)
    }

    /// Returns two counts. The first is the number of combinations of some inputs at the deciding points, or of trip
    /// counts there, whichever is smaller. The second is the number of combinations at all points.
    fn support(&self, inputs: u8, off: &HashSet<usize>) -> (usize, usize) {
        let with_trips = self.different(inputs, off, &mut self.deciding.iter().copied());
        let all = self.different(inputs, off, &mut (0..self.points.len()));
        let agreeing = self.deciding.iter().filter(|index| !off.contains(index));
        let trips: HashSet<u64> = agreeing.map(|&index| self.points[index].trips).collect();
        (with_trips.len().min(trips.len()), all.len())
    }

    /// Returns the first point of each combination of some inputs.
    fn different(
        &self,
        inputs: u8,
        off: &HashSet<usize>,
        all: &mut dyn Iterator<Item = usize>,
    ) -> Vec<usize> {
        let mut combinations = HashSet::new();
        let value =
            |index: usize, k: usize| if inputs & 1 << k == 0 { 0 } else { self.points[index].inputs[k] };
        let mut values = |index: usize| {
            combinations.insert(std::array::from_fn::<i64, MOST_INPUTS, _>(|k| {
                if k < self.names.len() { value(index, k) } else { 0 }
            }))
        };
        all.filter(|&index| !off.contains(&index) && values(index)).collect()
    }

    /// Returns true if the polynomial has fewer coefficients than its inputs have combinations and trip counts, and no
    /// single combination decides a coefficient. For example, `l − 16·step + 16` may rest on a single point with a step
    /// above 1. The distance of two inputs needs only the first condition: most loops count from one number to another.
    fn is_confirmed(&self, polynomial: &Polynomial, off: &[usize]) -> bool {
        let off: HashSet<usize> = off.iter().copied().collect();
        let one = |monomial: &Monomial| Polynomial::from_terms([(monomial.clone(), Rational::ONE)]);
        let terms = polynomial.terms().map(|(monomial, _)| one(monomial)).collect::<Option<Vec<_>>>();
        let Some(terms) = terms else { return false };
        let inputs = self.inputs_of(polynomial);
        if inputs == 0 {
            return true;
        }
        let (with_trips, all) = self.support(inputs, &off);
        if with_trips <= terms.len() || all < terms.len() + CONFIRMING {
            return false;
        }
        if is_distance(polynomial) {
            return true;
        }
        let row = |index: usize| -> Option<Vec<u64>> {
            let values = terms.iter().map(|term| Some(residue(self.value(term, index)?.as_integer()?)));
            values.chain([Some(0)]).collect()
        };
        let different = self.different(inputs, &off, &mut self.deciding.iter().copied());
        let Some(rows) = different.into_iter().map(row).collect::<Option<Vec<_>>>() else { return false };
        // The rows that add information, when all but one are added in order.
        let new = |left_out: Option<usize>| -> Vec<usize> {
            let mut system = System::new(terms.len());
            let others = (0..rows.len()).filter(|&index| Some(index) != left_out);
            others.filter(|&index| system.add(rows[index].clone()) == Added::New).take(terms.len()).collect()
        };
        let basis = new(None);
        basis.iter().all(|&one| new(Some(one)).len() == basis.len())
    }
}

/// Returns true if a polynomial is the trip count of a loop that counts from one input to another: `b − a`, plus or
/// minus 1.
fn is_distance(polynomial: &Polynomial) -> bool {
    let ones = |sign: i128| {
        let is_one = |(monomial, coefficient): &(&Monomial, Rational)| {
            matches!(monomial.as_slice(), [(Atom::Name(_), 1)]) && coefficient.as_integer() == Some(sign)
        };
        polynomial.terms().filter(is_one).count()
    };
    let rest: Vec<i128> = polynomial
        .terms()
        .filter(|(monomial, _)| monomial.is_empty())
        .filter_map(|(_, constant)| constant.as_integer())
        .collect();
    let is_small = rest.iter().all(|constant| constant.abs() <= 1);
    (ones(1), ones(-1)) == (1, 1) && is_small && polynomial.terms().len() == 2 + rest.len()
}
