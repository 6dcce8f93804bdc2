//! Points whose trips a polynomial may give, and what is known of them.

use super::polynomial::{Name, Polynomial};
use super::rational::Rational;

/// The most inputs.
pub const MOST_INPUTS: usize = 4;

/// As many points decide; all others only confirm. Enough for the 70 coefficients of degree 4 in 4 inputs.
const DECIDING_POINTS: usize = 256;

/// Activations at one combination of inputs, all with the same number of trips.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// As many as there are names.
    pub inputs: Vec<i64>,
    /// The number of trips.
    pub trips: u64,
}

/// A polynomial that gives the trips; where it is below 0 there are none.
#[derive(Clone, Debug, PartialEq)]
pub struct Interpolated {
    /// The polynomial.
    pub polynomial: Polynomial,
    /// How many points there were.
    pub points: usize,
    /// Indices of the points that it does not give.
    pub off: Vec<usize>,
    /// Whether no other one of its family gives the points; where inputs were equal in all of them, several do.
    pub is_unique: bool,
}

/// The points, and what is known of them.
pub(super) struct Problem<'a> {
    pub(super) names: Vec<Name>,
    pub(super) points: &'a [Point],
    /// The inputs that are not the same in all points.
    pub(super) varying: Vec<usize>,
    /// Points that decide, with at least one trip: where there are none, the polynomial may be below 0.
    pub(super) deciding: Vec<usize>,
}

impl<'a> Problem<'a> {
    pub(super) fn new(names: &[&str], points: &'a [Point]) -> Option<Self> {
        if names.len() > MOST_INPUTS || points.iter().any(|point| point.inputs.len() != names.len()) {
            return None;
        }
        let first = points.first()?;
        let varying = (0..names.len()).filter(|&k| points.iter().any(|p| p.inputs[k] != first.inputs[k]));
        let mut problem = Self {
            names: names.iter().map(|name| Name::from(*name)).collect(),
            points,
            varying: varying.collect(),
            deciding: Vec::new(),
        };
        let positive: Vec<usize> = (0..points.len()).filter(|&i| points[i].trips > 0).collect();
        // Evenly through the whole, the first and the last among them.
        let count = positive.len().min(DECIDING_POINTS);
        let place = |i: usize| positive[i * (positive.len() - 1) / (count - 1).max(1)];
        problem.deciding = (0..count).map(place).collect();
        Some(problem)
    }

    pub(super) fn point(&self, index: usize) -> impl Fn(&str) -> Option<i128> {
        let point = &self.points[index];
        move |name| {
            let position = self.names.iter().position(|one| **one == *name)?;
            Some(i128::from(point.inputs[position]))
        }
    }

    pub(super) fn value(&self, polynomial: &Polynomial, index: usize) -> Option<Rational> {
        polynomial.value(&self.point(index))
    }

    /// The points that a polynomial does not give; `None` as soon as there are more than so many.
    pub(super) fn misses(&self, polynomial: &Polynomial, most: usize) -> Option<Vec<usize>> {
        let mut off = Vec::new();
        for (index, point) in self.points.iter().enumerate() {
            if !polynomial.gives(point.trips, &self.point(index)) {
                off.push(index);
                if off.len() > most {
                    return None;
                }
            }
        }
        Some(off)
    }

    pub(super) fn found(&self, polynomial: Polynomial, off: Vec<usize>, is_unique: bool) -> Interpolated {
        Interpolated { polynomial, points: self.points.len(), off, is_unique }
    }
}
