//! Previews of sums of products by least squares of the relative error, from inner products that are computed once.
//! Fits nothing robustly and chooses nothing.

use super::linear_system::{MOST, Matrix, Vector, solve};
use super::points::Points;
use crate::dot;

/// Part of the numbers that are subtracted below which the difference is taken point by point: thousands of times what
/// rounding leaves.
const CANCELLATION: f64 = 1e-11;

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
        let relative: Vec<Vec<f64>> = columns
            .map(|column| column.iter().zip(&points.relative_y).map(|(v, y)| v / y).collect())
            .collect();
        let sums = relative.iter().map(|column| column.iter().sum()).collect();
        let rounding = points.rounding.iter().sum::<f64>() / points.len() as f64;
        Self { with: vec![Vec::new(); relative.len()], relative, sums, rounding }
    }

    /// How well least squares of the relative error alone does with the columns at these positions, as a log likelihood with
    /// normal errors: a cheap preview of [`Fit::new`](super::fit::Fit::new). `None` where that has no fit either.
    ///
    /// - Time: O(p³), and O(k) for each pair of columns that was not asked for before, and where the fit is exact.
    pub(crate) fn preview(&mut self, columns: &[usize]) -> Option<f64> {
        let (n, p) = (self.relative.first()?.len(), columns.len());
        if n < p + 2 || p > MOST {
            return None;
        }
        let (mut normal, mut right): (Matrix, Vector) = ([[0.0; MOST]; MOST], [0.0; MOST]);
        for (j, &column) in columns.iter().enumerate() {
            right[j] = self.sums[column];
            for (l, &other) in columns[..=j].iter().enumerate() {
                normal[j][l] = self.product(column, other);
            }
        }
        let coefficients = solve(&normal, &right, p)?;
        let squares = squares(n, &normal, &right, &coefficients, p)
            .unwrap_or_else(|| self.squares_by_point(columns, &coefficients));
        let freedom = (n - p) as f64;
        Some(-freedom / 2.0 * (squares / freedom + self.rounding).ln())
    }

    fn squares_by_point(&self, columns: &[usize], coefficients: &Vector) -> f64 {
        let mut errors = vec![1.0; self.relative[0].len()];
        for (&column, coefficient) in columns.iter().zip(coefficients) {
            for (error, value) in errors.iter_mut().zip(&self.relative[column]) {
                *error -= coefficient * value;
            }
        }
        dot(&errors, &errors)
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
        let value = dot(&self.relative[low], &self.relative[high]);
        self.with[low][high - low] = value;
        value
    }
}

/// `Σ (1 − Σⱼ cⱼ zⱼ)²` over n points; `None` where too little of what is subtracted is left. Right for any coefficients c,
/// so that what rounding did to them does not count twice.
fn squares(n: usize, normal: &Matrix, right: &Vector, coefficients: &Vector, p: usize) -> Option<f64> {
    let (mut squares, mut magnitude) = (n as f64, n as f64);
    for j in 0..p {
        let along = 2.0 * coefficients[j] * right[j];
        squares -= along;
        magnitude += along.abs();
        for l in 0..=j {
            let twice = if l < j { 2.0 } else { 1.0 };
            let part = twice * coefficients[j] * coefficients[l] * normal[j][l];
            squares += part;
            magnitude += part.abs();
        }
    }
    (squares > CANCELLATION * magnitude).then_some(squares)
}
