//! Rows prepared for computing many R² between them, as clustering needs. This module does not cluster.

use super::centred::{Centred, dot};

/// Rows of mean 0 and Euclidean length 1, `[rows × points]`, row-major: the R² of two rows is the square of
/// their dot product.
#[derive(Clone, Debug, PartialEq)]
pub struct Standardized {
    points: usize,
    rows: usize,
    values: Vec<f64>,
}

impl Standardized {
    /// Creates an empty set of rows with `points` values each.
    pub fn new(points: usize) -> Self {
        Self { points, rows: 0, values: Vec::new() }
    }

    /// Centres and scales a row, and appends it. If the row is constant or has a value that is not finite, no R² exists
    /// with it; nothing is appended then, and the result is false.
    ///
    /// - Time: O(k). Memory: 8 bytes per value.
    ///
    /// # Panics
    ///
    /// Panics if the row's length is not the number of points given to [`Standardized::new`].
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

    /// Appends a row of other standardized rows unchanged.
    ///
    /// # Panics
    ///
    /// Panics if `others` has no such row, or if its rows have another length.
    pub fn push_row(&mut self, others: &Self, i: usize) {
        assert_eq!(others.points, self.points, "every row has one value per point");
        self.values.extend_from_slice(others.row(i));
        self.rows += 1;
    }

    /// Returns the R² of the linear fit of row `i` to row `j`, in the order of successful pushes.
    ///
    /// - Time: O(k), no division.
    ///
    /// # Panics
    ///
    /// Panics if one of the rows does not exist.
    pub fn r2(&self, i: usize, j: usize) -> f64 {
        let r = dot(self.row(i), self.row(j));
        (r * r).min(1.0)
    }

    /// Returns the standardized values of row `i`.
    ///
    /// # Panics
    ///
    /// Panics if the row does not exist.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.values[i * self.points..(i + 1) * self.points]
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Returns true if there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Returns the number of values in every row.
    pub fn points(&self) -> usize {
        self.points
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::regression::r_squared;
    use proptest::prelude::*;

    fn standardized(rows: &[Vec<f64>]) -> Standardized {
        let mut all = Standardized::new(rows[0].len());
        for row in rows {
            assert!(all.push(row.iter().copied()));
        }
        all
    }

    #[test]
    fn constant_and_infinite_rows_are_refused_and_leave_no_trace() {
        let mut rows = Standardized::new(3);
        assert!(!rows.push([0.1; 3].into_iter()));
        assert!(!rows.push([0.1, f64::INFINITY, 1.0].into_iter()));
        assert!(!rows.push([f64::NAN, 1.0, 2.0].into_iter()));
        assert!(rows.is_empty());
        assert!(rows.push([1.0, 2.0, 3.0].into_iter()));
        assert!(rows.push([9.0, 7.0, 5.0].into_iter()));
        assert_eq!(rows.len(), 2);
        assert_eq!(rows.points(), 3);
        assert!((rows.r2(0, 1) - 1.0).abs() < 1e-15);
    }

    proptest! {
        #[test]
        fn r2_is_that_of_the_regression(
            pairs in prop::collection::vec((0.0..1e9f64, 0.0..1e9f64), 2..60),
        ) {
            let (x, y): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
            let rows = standardized(&[x.clone(), y.clone()]);
            prop_assert!((rows.r2(0, 1) - r_squared(&x, &y).unwrap()).abs() < 1e-12);
        }
    }
}
