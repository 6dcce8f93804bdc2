//! Previews of sums of products by least squares of the relative error, from inner products that are computed once.
//! Fits nothing robustly and chooses nothing.

use super::fit::{MOST, Vector, solve};
use super::points::Points;

/// Part of a sum of squares that subtraction leaves uncertain.
const CANCELLATION: f64 = 1e-14;

/// Inner products of all columns with those that models are built on.
pub(crate) struct InnerProducts {
    /// Columns divided by the costs: `[products + 1][points]`, the constant last.
    relative: Vec<Vec<f64>>,
    sums: Vec<f64>,
    /// By column; empty until it is asked for.
    with: Vec<Vec<f64>>,
    rounding: f64,
}

impl InnerProducts {
    pub(crate) fn new<'a>(points: &Points, columns: impl Iterator<Item = &'a [f64]>) -> Self {
        let scale: Vec<f64> = points.y.iter().map(|y| points.y_max / y).collect();
        let relative: Vec<Vec<f64>> =
            columns.map(|column| column.iter().zip(&scale).map(|(v, s)| v * s).collect()).collect();
        let sums = relative.iter().map(|column| column.iter().sum()).collect();
        let rounding = points.rounding.iter().sum::<f64>() / points.len() as f64;
        Self { with: vec![Vec::new(); relative.len()], relative, sums, rounding }
    }

    /// The log likelihood that [`Fit::preview`](super::fit::Fit::preview) gives, for the columns at these positions.
    ///
    /// - Time: O(p³), and O(k) for each pair of columns that was not asked for before.
    pub(crate) fn preview(&mut self, columns: &[usize]) -> Option<f64> {
        let (n, p) = (self.relative.first()?.len(), columns.len());
        if n < p + 2 || p > MOST {
            return None;
        }
        let (mut normal, mut right): ([Vector; MOST], Vector) = ([[0.0; MOST]; MOST], [0.0; MOST]);
        for (j, &column) in columns.iter().enumerate() {
            right[j] = self.sums[column];
            for (l, &other) in columns[..=j].iter().enumerate() {
                normal[j][l] = self.product(column, other);
            }
        }
        let coefficients = solve(&normal, &right, p)?;
        let explained: f64 = coefficients.iter().zip(&right).map(|(c, r)| c * r).sum();
        let squares = (n as f64 - explained).max(CANCELLATION * n as f64);
        let freedom = (n - p) as f64;
        Some(-freedom / 2.0 * (squares / freedom + self.rounding).ln())
    }

    fn product(&mut self, column: usize, other: usize) -> f64 {
        let (low, high) = (column.min(other), column.max(other));
        if self.with[low].is_empty() {
            self.with[low] = vec![f64::NAN; self.relative.len() - low];
        }
        let known = self.with[low][high - low];
        if !known.is_nan() {
            return known;
        }
        let value = self.relative[low].iter().zip(&self.relative[high]).map(|(v, w)| v * w).sum();
        self.with[low][high - low] = value;
        value
    }
}
