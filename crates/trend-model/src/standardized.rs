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

    /// Appends a row of others as it is there.
    ///
    /// # Panics
    ///
    /// When there is no such row, or it has another number of values.
    pub fn push_row(&mut self, others: &Self, i: usize) {
        assert_eq!(others.points, self.points, "every row has one value per point");
        self.values.extend_from_slice(others.row(i));
        self.rows += 1;
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

    /// All rows, `[rows × points]`, row-major.
    pub fn values(&self) -> &[f64] {
        &self.values
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::r_squared;
    use proptest::prelude::*;

    const ALPHA: f64 = 0.02;

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

    #[test]
    fn two_rows_at_opposite_ends_of_a_cluster_reach_the_bound_of_the_theorem() {
        // Oracle: closed form. x and y at angle arcsin √α on either side of p have R² = (1 − 2α)².
        let (sin, cos) = (ALPHA.sqrt(), (1.0 - ALPHA).sqrt());
        let (p, q) = ([1.0, 1.0, -1.0, -1.0], [1.0, -1.0, 1.0, -1.0]);
        let at =
            |sin: f64| p.iter().zip(&q).map(|(p, q)| 1e6 + 300.0 * (cos * p + sin * q)).collect::<Vec<_>>();
        let rows = standardized(&[p.to_vec(), at(sin), at(-sin)]);
        assert!((rows.r2(1, 0) - (1.0 - ALPHA)).abs() < 1e-9);
        assert!((rows.r2(2, 0) - (1.0 - ALPHA)).abs() < 1e-9);
        assert!((rows.r2(1, 2) - (1.0 - 4.0 * ALPHA * (1.0 - ALPHA))).abs() < 1e-9);
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

        /// If x and y fit p with R² > 1 − α, then x fits y with R² > 1 − 4α(1 − α). Members are p plus a part across
        /// it, up to just beyond the limit, so that many are near the edge of the cluster, on any sides of it.
        #[test]
        fn members_of_a_cluster_fit_each_other(
            base in prop::collection::vec((-1.0..1.0f64, -1.0..1.0f64, -1.0..1.0f64), 4..40),
            alpha in 0.001..0.499f64,
            tilts in prop::collection::vec((0.9..1.01f64, prop::bool::ANY), 2),
            opposite in prop::bool::ANY,
        ) {
            let column = |i: usize| base.iter().map(|t| [t.0, t.1, t.2][i]).collect::<Vec<f64>>();
            let directions = standardized(&[column(0), column(1), column(2)]);
            let p = directions.row(0);
            let across = |row: &[f64]| {
                let along = dot(row, p);
                let rest: Vec<f64> = row.iter().zip(p).map(|(r, p)| r - along * p).collect();
                let length = dot(&rest, &rest).sqrt();
                rest.into_iter().map(|r| r / length).collect::<Vec<f64>>()
            };
            let side = across(directions.row(1));
            let other_side = if opposite { side.iter().map(|s| -s).collect() } else { across(directions.row(2)) };
            let member = |side: &[f64], (tilt, flipped): (f64, bool)| {
                let angle = tilt * alpha.sqrt().asin();
                let sign = if flipped { -1.0 } else { 1.0 };
                p.iter().zip(side).map(|(p, s)| 50.0 + sign * (angle.cos() * p + angle.sin() * s)).collect::<Vec<_>>()
            };
            let rows = standardized(&[p.to_vec(), member(&side, tilts[0]), member(&other_side, tilts[1])]);
            if rows.r2(1, 0) > 1.0 - alpha && rows.r2(2, 0) > 1.0 - alpha {
                prop_assert!(rows.r2(1, 2) > 1.0 - 4.0 * alpha * (1.0 - alpha) - 1e-9);
            }
        }
    }
}
