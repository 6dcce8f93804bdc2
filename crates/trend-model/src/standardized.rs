//! Rows prepared for many R² against each other, as clustering needs. Does not cluster.

use crate::regression::{Centred, dot};

/// Rows of mean 0 and Euclidean length 1, `[rows × points]`, row-major: the R² of two rows is the square of
/// their dot product.
#[derive(Clone, Debug, PartialEq)]
pub struct Standardized {
    points: usize,
    rows: usize,
    values: Vec<f64>,
}

impl Standardized {
    /// No rows yet, each to have `points` values.
    pub fn new(points: usize) -> Self {
        Self { points, rows: 0, values: Vec::new() }
    }

    /// Centres and scales a row and appends it. Returns false, and appends nothing, when the row is constant or
    /// has a value that is not finite: no R² exists with it.
    ///
    /// - Time: O(k). Memory: 8 bytes per value.
    ///
    /// # Panics
    ///
    /// When the row does not have exactly the number of values given to [`Standardized::new`].
    pub fn push(&mut self, row: impl Iterator<Item = f64>) -> bool {
        let row: Vec<f64> = row.collect();
        assert_eq!(row.len(), self.points, "every row has one value per point");
        let centred = Centred::new(&row);
        let length = dot(&centred.deviations, &centred.deviations).sqrt();
        // A row with an infinity or NaN has a NaN length.
        if centred.is_constant() || !length.is_finite() {
            return false;
        }
        self.values.extend(centred.deviations.iter().map(|d| d / length));
        self.rows += 1;
        true
    }

    /// The R² of the linear fit of row `i` to row `j`, in the order of successful pushes.
    ///
    /// - Time: O(k), no division.
    ///
    /// # Panics
    ///
    /// When there is no such row.
    pub fn r2(&self, i: usize, j: usize) -> f64 {
        let r = dot(self.row(i), self.row(j));
        (r * r).min(1.0)
    }

    /// The standardized values of row `i`.
    ///
    /// # Panics
    ///
    /// When there is no such row.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.values[i * self.points..(i + 1) * self.points]
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Number of values in every row.
    pub fn points(&self) -> usize {
        self.points
    }
}
