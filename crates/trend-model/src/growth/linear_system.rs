//! Small systems of linear equations, as the normal equations of a fit with a handful of parameters. Fits nothing.

/// Largest number of parameters: leading coefficient, two further terms, an exponent.
pub(crate) const MOST: usize = 4;

/// Of the parameters; what is beyond their number is 0.
pub(crate) type Vector = [f64; MOST];

/// Symmetric, by its lower triangle.
pub(crate) type Matrix = [Vector; MOST];

/// Smallest pivot of the normal equations relative to the diagonal; less is rounding.
const SMALLEST_PIVOT: f64 = 1e-13;

/// Sums over points with weights w, terms z and targets t.
#[derive(Default)]
pub(crate) struct NormalEquations {
    /// `Σ w·z·zᵀ`.
    pub(crate) normal: Matrix,
    /// `Σ w·z·t`.
    pub(crate) right: Vector,
    /// `Σ w·t²`.
    pub(crate) squares: f64,
}

impl NormalEquations {
    pub(crate) fn solve(&self, p: usize) -> Option<Vector> {
        solve(&self.normal, &self.right, p)
    }
}

/// How many points are added up side by side.
pub(crate) const LANES: usize = 2;

/// [`NormalEquations`] of every second point from the first on, and from the second on.
#[derive(Default)]
pub(crate) struct SideBySide {
    normal: [[[f64; LANES]; MOST]; MOST],
    right: [[f64; LANES]; MOST],
    squares: [f64; LANES],
}

impl SideBySide {
    /// Adds the next points with p terms.
    #[expect(clippy::inline_always, reason = "inlined, its loops have known lengths")]
    #[inline(always)]
    pub(crate) fn add(
        &mut self,
        z: &[[f64; LANES]; MOST],
        weight: &[f64; LANES],
        target: &[f64; LANES],
        p: usize,
    ) {
        for j in 0..p {
            let weighted: [f64; LANES] = std::array::from_fn(|l| weight[l] * z[j][l]);
            for (sum, other) in self.normal[j].iter_mut().zip(&z[..=j]) {
                (0..LANES).for_each(|l| sum[l] += weighted[l] * other[l]);
            }
            (0..LANES).for_each(|l| self.right[j][l] += weighted[l] * target[l]);
        }
        (0..LANES).for_each(|l| self.squares[l] += weight[l] * target[l] * target[l]);
    }

    /// Adds the last point.
    pub(crate) fn add_one(&mut self, z: &Vector, weight: f64, target: f64, p: usize) {
        for j in 0..p {
            let weighted = weight * z[j];
            for (sum, other) in self.normal[j].iter_mut().zip(&z[..=j]) {
                sum[0] += weighted * other;
            }
            self.right[j][0] += weighted * target;
        }
        self.squares[0] += weight * target * target;
    }

    /// The sums over all points.
    pub(crate) fn total(&self, p: usize) -> NormalEquations {
        let total = |lanes: &[f64; LANES]| lanes.iter().sum::<f64>();
        let mut sums = NormalEquations { squares: total(&self.squares), ..NormalEquations::default() };
        for j in 0..p {
            sums.right[j] = total(&self.right[j]);
            for (sum, lanes) in sums.normal[j].iter_mut().zip(&self.normal[j][..=j]) {
                *sum = total(lanes);
            }
        }
        sums
    }
}

/// The lower Cholesky factor of the first p rows; `None` when they are dependent.
pub(crate) fn cholesky(matrix: &Matrix, p: usize) -> Option<Matrix> {
    let mut factor = [[0.0; MOST]; MOST];
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

/// Solves `factor · solution = right` for a lower factor of p rows.
pub(crate) fn substitute(factor: &Matrix, right: &Vector, p: usize) -> Vector {
    let mut solution = [0.0; MOST];
    for j in 0..p {
        let sum: f64 = (0..j).map(|l| factor[j][l] * solution[l]).sum();
        solution[j] = (right[j] - sum) / factor[j][j];
    }
    solution
}

/// Solves the first p rows of a positive definite system given by its lower triangle.
pub(crate) fn solve(matrix: &Matrix, right: &Vector, p: usize) -> Option<Vector> {
    let factor = cholesky(matrix, p)?;
    let mut solution = substitute(&factor, right, p);
    for j in (0..p).rev() {
        let sum: f64 = (j + 1..p).map(|l| factor[l][j] * solution[l]).sum();
        solution[j] = (solution[j] - sum) / factor[j][j];
    }
    solution.iter().all(|v| v.is_finite()).then_some(solution)
}
