//! Previews sums of products by least squares of the relative error. This module fits nothing robustly and chooses
//! nothing.

use super::points::Points;
use crate::numerics::linear_system::{MOST, solve};
use crate::statistics::centred::dot;

/// Columns that sums may consist of.
pub(crate) struct Previews {
    /// Columns divided by the costs: `[columns][points]`.
    relative: Vec<Vec<f64>>,
    sums: Vec<f64>,
    /// Number of distinct sizes.
    sizes: usize,
    known_variance: f64,
}

impl Previews {
    pub(crate) fn new<'a>(points: &Points, columns: impl Iterator<Item = &'a [f64]>) -> Self {
        let relative: Vec<Vec<f64>> = columns
            .map(|column| column.iter().zip(&points.relative_y).map(|(v, y)| v / y).collect())
            .collect();
        let sums = relative.iter().map(|column| column.iter().sum()).collect();
        let known_variance = points.known_variances.iter().sum::<f64>() / points.len() as f64;
        Self { relative, sums, sizes: points.sizes(points.len()), known_variance }
    }

    /// Returns the log likelihood, with normal errors, of a least-squares fit of the relative error with these columns.
    /// This is a cheap preview of [`Fit::new`](super::fit::Fit::new). Returns `None` if that has no fit either.
    ///
    /// - Time: O(k·p²).
    pub(crate) fn preview(&self, columns: &[usize]) -> Option<f64> {
        let (n, p) = (self.relative.first()?.len(), columns.len());
        if n < p + 2 || self.sizes < p + 1 || p > MOST {
            return None;
        }
        let (mut normal, mut right) = ([[0.0; MOST]; MOST], [0.0; MOST]);
        for (j, &column) in columns.iter().enumerate() {
            right[j] = self.sums[column];
            for (l, &other) in columns[..=j].iter().enumerate() {
                normal[j][l] = dot(&self.relative[column], &self.relative[other]);
            }
        }
        let coefficients = solve(&normal, &right, p)?;
        let mut errors = vec![1.0; n];
        for (&column, coefficient) in columns.iter().zip(&coefficients) {
            for (error, value) in errors.iter_mut().zip(&self.relative[column]) {
                *error -= coefficient * value;
            }
        }
        let freedom = (n - p) as f64;
        Some(-freedom / 2.0 * (dot(&errors, &errors) / freedom + self.known_variance).ln())
    }
}
