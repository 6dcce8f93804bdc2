//! Rules out pairs of rows that cannot correlate, from a few coordinates of each: most pairs need no comparison of all
//! workloads. Decides nothing: the remaining pairs are compared in full.
//!
//! ```text
//!        ▲                    A row of length 1 is its shadow in a space of few dimensions, plus a rest
//!        │   ╱│ rest          orthogonal to that space. Two rows x and y satisfy
//!        │  ╱ │
//!        │ ╱  │                   |x·y| ≤ |shadow(x)·shadow(y)| + rest(x)·rest(y)
//!        │╱   ▼
//!        └────────▶ shadow    by the Cauchy–Schwarz inequality, for any space.
//! ```
//!
//! If |x·y| is at least r, the angle between the rows, up to a sign, is at most arccos r. Their angles to any direction
//! differ by no more than that. With representatives sorted by their angle to the first direction, only a window is
//! searched.
//!
//! The space spans the directions of greatest variance in a sample of the rows, along which different rows are
//! furthest apart. Of the pairs that do not correlate, one in some thousands passes.

use trend_model::{Standardized, dot};

use super::shadows::{DIMENSIONS, Shadows, Sorted};

/// Maximum number of rows from which the space is found.
const SAMPLE: usize = 256;

/// Number of times the space is turned towards the greatest variance. It need not be optimal.
const ROUNDS: usize = 4;

/// Bound on all rounding errors between `f64` and the single precision of shadows.
const SLACK: f32 = 1e-5;

/// Bound on the rounding error of the difference between two angles: rounding turns a cosine of 1 into `1 - SLACK`.
const ANGLE_SLACK: f32 = 0.01;

/// Bound on the rounding error of the square of a rest, which is a difference.
const REST_SLACK: f64 = 1e-6;

/// Relative length below which a vector lies in the space already, and only rounding errors remain.
const SMALLEST_DIRECTION: f64 = 1e-6;

/// A space of few dimensions in which rows are compared.
pub(crate) struct Screen {
    /// Orthonormal vectors, `[dimensions][points]`; at most [`DIMENSIONS`].
    directions: Vec<Vec<f64>>,
    /// Correlation at and above which no pair is missed.
    least: f64,
    /// `least` minus the rounding errors of shadows.
    passing: f32,
    /// Difference of angles to a direction above which rows do not correlate.
    largest_angle: f32,
}

impl Screen {
    /// Margin below the correlation of a fit within which pairs are found too.
    pub(crate) const CLOSE: f64 = 5e-5;

    /// Builds a screen for pairs whose R² is above `threshold` or slightly below, among rows like the sample's.
    pub(crate) fn new(sample: &Standardized, threshold: f64) -> Self {
        let least = threshold.max(0.0).sqrt() - Self::CLOSE;
        let passing = least as f32 - SLACK;
        Self {
            directions: principal_directions(sample),
            least,
            passing,
            largest_angle: passing.acos() + ANGLE_SLACK,
        }
    }

    /// Returns the positions of a sample of `count` rows, evenly spread.
    pub(crate) fn sample(count: usize) -> impl Iterator<Item = usize> {
        let size = count.min(SAMPLE);
        (0..size).map(move |i| i * count / size)
    }

    /// Appends the shadow of a row of length 1.
    pub(crate) fn cast(&self, row: &[f64], shadows: &mut Shadows) {
        let mut shadow = [0.0; DIMENSIONS];
        let mut rest = 1.0;
        for (coordinate, direction) in shadow.iter_mut().zip(&self.directions) {
            let along = dot(direction, row);
            *coordinate = along as f32;
            rest -= along * along;
        }
        shadows.coordinates.extend(shadow);
        shadows.rests.push((rest.max(0.0) + REST_SLACK).sqrt() as f32);
        shadows.angles.push(shadow[0].abs().min(1.0).acos());
    }

    /// Returns the correlation at and above which [`Self::pairs`] misses no pair.
    pub(crate) fn least(&self) -> f64 {
        self.least
    }

    /// Calls `visit` with every row of `others`, beginning with row `first`, that can correlate with row `i` of
    /// `some`.
    pub(crate) fn pairs_of_one(
        &self,
        some: &Shadows,
        i: usize,
        others: &Shadows,
        first: usize,
        mut visit: impl FnMut(usize),
    ) {
        let (row, rest, angle) = (some.row(i), some.rests[i], some.angles[i]);
        let angles = (first..).zip(&others.angles[first..]);
        for (j, _) in angles.filter(|(_, other)| (angle - **other).abs() <= self.largest_angle) {
            let product: f32 = row.iter().zip(others.row(j)).map(|(x, y)| x * y).sum();
            if product.abs() + rest * others.rests[j] > self.passing {
                visit(j);
            }
        }
    }

    /// Calls `visit` with every pair (a row of `some`, a row of `others`) that can correlate, in no particular order.
    ///
    /// - Time: O(pairs of a row and one in the window), a product of matrices. It is fastest if all rows have similar
    ///   angles to the first direction.
    pub(crate) fn pairs(&self, some: &Shadows, others: &Sorted, mut visit: impl FnMut(usize, usize)) {
        let least = some.angles.iter().copied().fold(f32::INFINITY, f32::min) - self.largest_angle;
        let most = some.angles.iter().copied().fold(0.0, f32::max) + self.largest_angle;
        let start = others.shadows.angles.partition_point(|angle| *angle < least);
        let end = others.shadows.angles.partition_point(|angle| *angle <= most);
        let mut products = Vec::new();
        for start in (start..end).step_by(COLUMNS) {
            let (coordinates, rests) = others.shadows.slice(start..end.min(start + COLUMNS));
            multiply(some, coordinates, rests.len(), &mut products);
            for ((i, products), rest) in products.chunks_exact(rests.len()).enumerate().zip(&some.rests) {
                // Whole blocks are skipped at once, in vector registers.
                let blocks = products.chunks(BLOCK).zip(rests.chunks(BLOCK));
                for (block, (products, rests)) in blocks.enumerate() {
                    let passes = |(product, other): (&f32, &f32)| product.abs() + rest * other > self.passing;
                    let any = products.iter().zip(rests).fold(false, |any, pair| any | passes(pair));
                    if any {
                        let passing =
                            products.iter().zip(rests).enumerate().filter(|&(_, pair)| passes(pair));
                        passing.for_each(|(j, _)| visit(i, others.order[start + block * BLOCK + j].1));
                    }
                }
            }
        }
    }
}

/// Number of other rows whose products are computed at once, so that they stay in the cache.
const COLUMNS: usize = 512;

/// Number of pairs that are skipped at once.
const BLOCK: usize = 32;

/// Computes the dot products of all shadows with the coordinates of others, `[some × others]`, into `products`.
#[expect(unsafe_code, reason = "matrixmultiply takes pointers; the lengths are checked right before")]
fn multiply(some: &Shadows, others: &[f32], columns: usize, products: &mut Vec<f32>) {
    let rows = some.len();
    products.resize(rows * columns, 0.0);
    assert_eq!((some.coordinates.len(), others.len()), (rows * DIMENSIONS, columns * DIMENSIONS));
    // SAFETY: the three matrices are `rows × DIMENSIONS`, `DIMENSIONS × columns` (the others read column by column)
    // and `rows × columns`; the slices have exactly these lengths.
    unsafe {
        matrixmultiply::sgemm(
            rows,
            DIMENSIONS,
            columns,
            1.0,
            some.coordinates.as_ptr(),
            DIMENSIONS as isize,
            1,
            others.as_ptr(),
            1,
            DIMENSIONS as isize,
            0.0,
            products.as_mut_ptr(),
            columns as isize,
            1,
        );
    }
}

/// Returns orthonormal directions near those with the greatest variance. Alternates multiplication by the rows' product
/// matrix with Gram–Schmidt orthogonalisation (subspace iteration).
fn principal_directions(sample: &Standardized) -> Vec<Vec<f64>> {
    // Starts with rows that lie far apart, followed by all others while dimensions are left.
    let step = sample.len().div_ceil(DIMENSIONS).max(1);
    let order = (0..step).flat_map(|first| (first..sample.len()).step_by(step));
    let mut directions = orthonormal(order.map(|i| sample.row(i).to_vec()));
    for _ in 0..ROUNDS {
        let mut turned = vec![vec![0.0; sample.points()]; directions.len()];
        for row in (0..sample.len()).map(|i| sample.row(i)) {
            for (sum, direction) in turned.iter_mut().zip(&directions) {
                let along = dot(row, direction);
                sum.iter_mut().zip(row).for_each(|(s, r)| *s += along * r);
            }
        }
        directions = orthonormal(turned.into_iter());
    }
    directions
}

/// Returns orthonormal vectors that span the first [`DIMENSIONS`] linearly independent ones.
fn orthonormal(vectors: impl Iterator<Item = Vec<f64>>) -> Vec<Vec<f64>> {
    let mut done: Vec<Vec<f64>> = Vec::with_capacity(DIMENSIONS);
    for mut vector in vectors {
        if done.len() == DIMENSIONS {
            break;
        }
        let before = dot(&vector, &vector).sqrt();
        // Two passes are enough: the second removes the rounding errors of the first.
        for _ in 0..2 {
            for other in &done {
                let along = dot(&vector, other);
                vector.iter_mut().zip(other).for_each(|(v, o)| *v -= along * o);
            }
        }
        let length = dot(&vector, &vector).sqrt();
        if length > SMALLEST_DIRECTION * before {
            for value in &mut vector {
                *value /= length;
            }
            done.push(vector);
        }
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standardized(rows: &[Vec<f64>]) -> Standardized {
        let mut all = Standardized::new(rows[0].len());
        for row in rows {
            all.push(row.iter().copied());
        }
        all
    }

    #[test]
    fn rows_that_differ_are_told_apart() {
        // Sixty rows in twelve orthogonal directions: only rows of one direction correlate.
        let row =
            |i: usize| (0..24).map(|k| if k / 2 == i % 12 { [1.0, -1.0][k % 2] } else { 0.0 }).collect();
        let rows = standardized(&(0..60).map(row).collect::<Vec<_>>());
        let screen = Screen::new(&rows, 0.98);
        let mut shadows = Shadows::default();
        (0..rows.len()).for_each(|i| screen.cast(rows.row(i), &mut shadows));
        let mut pairs = 0;
        let mut sorted = Sorted::default();
        sorted.update(&shadows);
        screen.pairs(&shadows, &sorted, |i, j| {
            assert_eq!(i % 12, j % 12);
            pairs += 1;
        });
        assert_eq!(pairs, 12 * 5 * 5);
    }
}
