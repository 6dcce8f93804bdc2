//! Small systems of linear equations: the normal equations of fits with a handful of parameters.

/// Maximum number of parameters: leading coefficient, two further terms, and an exponent.
pub(crate) const MOST: usize = 4;

/// One value per parameter; the rest is 0.
pub(crate) type Vector = [f64; MOST];

/// A symmetric matrix, stored as its lower triangle.
pub(crate) type Matrix = [Vector; MOST];

/// Smallest pivot of the normal equations, relative to the diagonal. A smaller one is rounding.
const SMALLEST_PIVOT: f64 = 1e-13;

/// Sums over points with weights w, terms z and targets t.
pub(crate) struct NormalEquations<const N: usize> {
    /// `Σ w·z·zᵀ`, as its lower triangle.
    pub(crate) normal: [[f64; N]; N],
    /// `Σ w·z·t`.
    pub(crate) right: [f64; N],
    /// `Σ w·t²`.
    pub(crate) squares: f64,
}

impl<const N: usize> NormalEquations<N> {
    pub(crate) fn new() -> Self {
        Self { normal: [[0.0; N]; N], right: [0.0; N], squares: 0.0 }
    }

    /// Adds a point with p terms.
    #[expect(clippy::inline_always, reason = "inlined, its loops have known lengths")]
    #[inline(always)]
    pub(crate) fn add(&mut self, z: &[f64; N], weight: f64, target: f64, p: usize) {
        for j in 0..p {
            let weighted = weight * z[j];
            for (sum, other) in self.normal[j].iter_mut().zip(&z[..=j]) {
                *sum += weighted * other;
            }
            self.right[j] += weighted * target;
        }
        self.squares += weight * target * target;
    }

    /// Returns the first p coefficients that minimize the sum of squares; `None` if the terms are linearly dependent.
    pub(crate) fn solve(&self, p: usize) -> Option<[f64; N]> {
        solve(&self.normal, &self.right, p)
    }
}

/// Returns the coefficients of the terms in rows `(terms, target)` that minimize the sum of squares; `None` if the
/// terms are linearly dependent.
#[expect(clippy::inline_always, reason = "compiled for the processor, where the caller is")]
#[inline(always)]
pub(crate) fn least_squares<const N: usize>(rows: impl Iterator<Item = ([f64; N], f64)>) -> Option<[f64; N]> {
    let mut sums = NormalEquations::new();
    for (row, target) in rows {
        sums.add(&row, 1.0, target, N);
    }
    sums.solve(N)
}

/// Returns the lower Cholesky factor of the first p rows; `None` if they are linearly dependent.
pub(crate) fn cholesky<const N: usize>(matrix: &[[f64; N]; N], p: usize) -> Option<[[f64; N]; N]> {
    let mut factor = [[0.0; N]; N];
    for j in 0..p {
        for l in 0..=j {
            let sum: f64 = (0..l).map(|m| factor[j][m] * factor[l][m]).sum();
            let rest = matrix[j][l] - sum;
            if l == j {
                if rest.is_nan() || rest <= SMALLEST_PIVOT * matrix[j][j] {
                    return None;
                }
                factor[j][j] = rest.sqrt();
            } else {
                factor[j][l] = rest / factor[l][l];
            }
        }
    }
    Some(factor)
}

/// Solves `factor · solution = right` for a lower triangular factor with p rows.
pub(crate) fn substitute<const N: usize>(factor: &[[f64; N]; N], right: &[f64; N], p: usize) -> [f64; N] {
    let mut solution = [0.0; N];
    for j in 0..p {
        let sum: f64 = (0..j).map(|l| factor[j][l] * solution[l]).sum();
        solution[j] = (right[j] - sum) / factor[j][j];
    }
    solution
}

/// Solves the first p rows of a positive definite system, given as its lower triangle.
pub(crate) fn solve<const N: usize>(matrix: &[[f64; N]; N], right: &[f64; N], p: usize) -> Option<[f64; N]> {
    let factor = cholesky(matrix, p)?;
    let mut solution = substitute(&factor, right, p);
    for j in (0..p).rev() {
        let sum: f64 = (j + 1..p).map(|l| factor[l][j] * solution[l]).sum();
        solution[j] = (solution[j] - sum) / factor[j][j];
    }
    solution.iter().all(|v| v.is_finite()).then_some(solution)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn least_squares_solves_what_it_was_made_from() {
        let rows: Vec<[f64; 3]> = (0..9).map(|i| f64::from(i) / 4.0 - 1.0).map(|z| [1.0, z, z * z]).collect();
        let y: Vec<f64> = rows.iter().map(|r| 2.0 - 3.0 * r[1] + 0.5 * r[2]).collect();
        let coefficients = least_squares(rows.into_iter().zip(y)).unwrap();
        assert!(
            coefficients.iter().zip([2.0, -3.0, 0.5]).all(|(a, b)| (a - b).abs() < 1e-12),
            "{coefficients:?}"
        );
        assert_eq!(least_squares([([1.0, 2.0], 1.0), ([2.0, 4.0], 2.0)].into_iter()), None);
    }
}
