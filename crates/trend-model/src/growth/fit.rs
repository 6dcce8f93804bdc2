//! Robust fits of sums of terms with relative error, and the evidence for each. Chooses nothing: that is `growth`.
//!
//! The error of a cost is a factor: `ln y = ln ŷ + s·t`, with `s² = σ² + rounding` and t Student's with a few
//! degrees of freedom, so that a few outliers weigh little. Gauss and Newton's steps solve
//!
//! ```text
//!   Σ wᵢ (ln yᵢ − ln ŷᵢ − Σⱼ zᵢⱼ δⱼ)²  →  min,      zᵢⱼ = termⱼ(xᵢ)/ŷᵢ,     wᵢ = (ν+1)/(ν+tᵢ²)/sᵢ²
//! ```
//!
//! for the changes δ of the coefficients. As only changes are solved for, rounding in the normal equations slows the
//! convergence and leaves no trace in the result.

use super::points::Points;

/// Largest number of parameters: leading coefficient, two further terms, an exponent.
pub(crate) const MOST: usize = 4;

pub(crate) type Vector = [f64; MOST];
type Matrix = [Vector; MOST];

/// Degrees of freedom of the error distribution. With 4, a fit that passes exactly through k points counts
/// k/5 outliers as such, and normal errors cost a few per cent of efficiency (Lange, Little and Taylor,
/// *Robust statistical modeling using the t distribution*, 1989).
const NU: f64 = 4.0;

const MOST_STEPS: usize = 40;

/// Points whose residuals are computed before any of them is added up.
const BLOCK: usize = 32;

/// Steps that change logarithms by a smaller fraction of their errors are the last: what is left changes the
/// likelihood by the square of it.
const CONVERGED: f64 = 1e-2;

/// Largest change of an exponent in one step.
const LARGEST_EXPONENT_STEP: f64 = 0.5;

/// Exponents that are searched.
pub(crate) const EXPONENTS: (f64, f64) = (0.02, 8.0);

/// Smallest pivot of the normal equations relative to the diagonal; less is rounding.
const SMALLEST_PIVOT: f64 = 1e-13;

/// The terms of a model as columns over the points; the first one leads.
pub(crate) struct Design<'a> {
    pub(crate) columns: Vec<&'a [f64]>,
    /// Where the leading term's exponent is fitted too: the start, the logarithms of x, and the factor besides.
    pub(crate) exponent: Option<FreeExponent<'a>>,
}

/// What the leading term of a free class is made of: `exp(exponent·log_x)·factor`.
#[derive(Clone, Copy)]
pub(crate) struct FreeExponent<'a> {
    pub(crate) start: f64,
    pub(crate) log_x: &'a [f64],
    pub(crate) factor: &'a [f64],
}

impl Design<'_> {
    pub(crate) fn parameters(&self) -> usize {
        self.columns.len() + usize::from(self.exponent.is_some())
    }

    /// The terms at point i, not multiplied by coefficients.
    fn row(&self, i: usize, exponent: f64) -> Vector {
        let mut row = [0.0; MOST];
        for (value, column) in row.iter_mut().zip(&self.columns) {
            *value = column[i];
        }
        if let Some(free) = self.exponent {
            row[0] = (exponent * free.log_x[i]).exp() * free.factor[i];
        }
        row
    }
}

/// A design of which the compiler knows the number of terms, so that no loop over terms is left in the loops over
/// points, where all the time goes.
struct Shaped<'a, const TERMS: usize, const IS_FREE: bool> {
    columns: [&'a [f64]; TERMS],
    log_x: &'a [f64],
    factor: &'a [f64],
}

/// Calls a method of [`Shaped`] for a design.
macro_rules! shaped {
    ($design:expr, $n:expr, $shape:ident => $call:expr) => {
        match ($design.columns.len(), $design.exponent.is_some()) {
            (1, false) => Shaped::<1, false>::new($design, $n).and_then(|$shape| $call),
            (2, false) => Shaped::<2, false>::new($design, $n).and_then(|$shape| $call),
            (3, false) => Shaped::<3, false>::new($design, $n).and_then(|$shape| $call),
            (4, false) => Shaped::<4, false>::new($design, $n).and_then(|$shape| $call),
            (1, true) => Shaped::<1, true>::new($design, $n).and_then(|$shape| $call),
            (2, true) => Shaped::<2, true>::new($design, $n).and_then(|$shape| $call),
            (3, true) => Shaped::<3, true>::new($design, $n).and_then(|$shape| $call),
            _ => None,
        }
    };
}

#[expect(clippy::inline_always, reason = "in the loops over points a call would cost more than what it does")]
impl<'a, const TERMS: usize, const IS_FREE: bool> Shaped<'a, TERMS, IS_FREE> {
    const PARAMETERS: usize = TERMS + IS_FREE as usize;

    /// Of the first `n` points.
    fn new(design: &Design<'a>, n: usize) -> Option<Self> {
        let mut columns: [&[f64]; TERMS] = [&[]; TERMS];
        for (shaped, column) in columns.iter_mut().zip(&design.columns) {
            *shaped = column.get(..n)?;
        }
        let (log_x, factor) = match design.exponent {
            Some(free) => (free.log_x.get(..n)?, free.factor.get(..n)?),
            None => ([].as_slice(), [].as_slice()),
        };
        Some(Self { columns, log_x, factor })
    }

    #[inline(always)]
    fn row(&self, i: usize, exponent: f64) -> Vector {
        let mut row = [0.0; MOST];
        for (value, column) in row.iter_mut().zip(&self.columns) {
            *value = column[i];
        }
        if IS_FREE {
            row[0] = (exponent * self.log_x[i]).exp() * self.factor[i];
        }
        row
    }

    #[inline(always)]
    fn predict(coefficients: &Vector, row: &Vector) -> f64 {
        (0..TERMS).map(|j| coefficients[j] * row[j]).sum()
    }

    /// Derivatives of `ln ŷ`.
    #[inline(always)]
    fn gradient(&self, row: &Vector, coefficients: &Vector, value: f64, i: usize) -> Vector {
        let inverse = 1.0 / value;
        let mut z = [0.0; MOST];
        for (derivative, term) in z.iter_mut().zip(&row[..TERMS]) {
            *derivative = term * inverse;
        }
        if IS_FREE {
            z[TERMS] = coefficients[0] * z[0] * self.log_x[i];
        }
        z
    }

    /// Coefficients that minimize `Σ (1 − ŷ/y)²`, a linear problem.
    fn relative_least_squares(&self, points: &Points, n: usize, exponent: f64) -> Option<Vector> {
        let (mut normal, mut right) = ([[0.0; MOST]; MOST], [0.0; MOST]);
        for (i, y) in points.y[..n].iter().enumerate() {
            let scale = points.y_max / y;
            let z = self.row(i, exponent).map(|v| v * scale);
            accumulate(&mut normal, &mut right, &z, 1.0, 1.0, TERMS);
        }
        solve(&normal, &right, TERMS)
    }

    /// Log residual, the value it is about, and the row. Where the model is not positive or far below the cost, the
    /// linear continuation takes the logarithm's place.
    #[inline(always)]
    fn residual(&self, state: &State, points: &Points, i: usize) -> (f64, f64, Vector) {
        /// Fraction of a cost below which a prediction is treated by the continuation.
        const FAR_BELOW: f64 = 0.05;
        let row = self.row(i, state.exponent);
        let value = Self::predict(&state.coefficients, &row);
        let y = points.y[i] / points.y_max;
        if value > FAR_BELOW * y {
            (points.log_y[i] - value.ln(), value, row)
        } else {
            let about = FAR_BELOW * y;
            (-FAR_BELOW.ln() + (about - value) / about, about, row)
        }
    }

    /// From least squares of the relative error.
    fn start(&self, points: &Points, n: usize, exponent: f64) -> Option<State> {
        let coefficients = self.relative_least_squares(points, n, exponent)?;
        let mut state = State { coefficients, exponent, variance: 0.0 };
        let squares: f64 = (0..n).map(|i| self.residual(&state, points, i).0.powi(2)).sum();
        state.variance = squares / (n - Self::PARAMETERS) as f64;
        Some(state)
    }

    /// One step; the largest change of a logarithm in units of its error.
    fn step(&self, state: &mut State, points: &Points, n: usize) -> Option<f64> {
        let p = Self::PARAMETERS;
        let (mut normal, mut right) = ([[0.0; MOST]; MOST], [0.0; MOST]);
        let mut spread = 0.0;
        for start in (0..n).step_by(BLOCK) {
            let block = start..(start + BLOCK).min(n);
            // Logarithms first: a call between the sums would drive them out of their registers.
            let mut residuals = [(0.0, 0.0, [0.0; MOST]); BLOCK];
            for (residual, i) in residuals.iter_mut().zip(block.clone()) {
                *residual = self.residual(state, points, i);
            }
            for ((residual, value, row), i) in residuals.iter().zip(block) {
                let z = self.gradient(row, &state.coefficients, *value, i);
                let s2 = state.variance + points.rounding[i];
                let precision = (NU + 1.0) / (NU * s2 + residual * residual);
                spread += precision * residual * residual;
                accumulate(&mut normal, &mut right, &z, precision, *residual, p);
            }
        }
        let delta = solve(&normal, &right, p)?;
        for (coefficient, change) in state.coefficients[..TERMS].iter_mut().zip(&delta) {
            *coefficient += change;
        }
        let mut change = (0..p).map(|j| right[j] * delta[j]).sum::<f64>().abs().sqrt();
        if IS_FREE {
            let step = delta[TERMS].clamp(-LARGEST_EXPONENT_STEP, LARGEST_EXPONENT_STEP);
            state.exponent = (state.exponent + step).clamp(EXPONENTS.0, EXPONENTS.1);
        }
        let factor = spread / (n - p) as f64;
        let floor = points.rounding[n - 1] * 1e-2;
        let before = state.variance;
        state.variance = (before * factor).max(floor);
        // The scale has converged when it no longer moves, or is nothing beside the rounding.
        if before > floor {
            change = change.max((state.variance / before).ln().abs() / 10.0);
        }
        Some(change)
    }

    fn finish(&self, state: &State, points: &Points, n: usize) -> Option<Fit> {
        let p = Self::PARAMETERS;
        let (mut information, mut unused) = ([[0.0; MOST]; MOST], [0.0; MOST]);
        let mut log_likelihood = 0.0;
        let mut standardized = Vec::with_capacity(n);
        for i in 0..n {
            let row = self.row(i, state.exponent);
            let value = Self::predict(&state.coefficients, &row);
            // Also false for NaN.
            let is_positive = value > 0.0 && value.is_finite();
            if !is_positive {
                return None;
            }
            let residual = points.log_y[i] - value.ln();
            let z = self.gradient(&row, &state.coefficients, value, i);
            let s2 = state.variance + points.rounding[i];
            log_likelihood += log_density(residual, s2);
            // The expected information of Student's t.
            accumulate(&mut information, &mut unused, &z, (NU + 1.0) / (NU + 3.0) / s2, 0.0, p);
            standardized.push(residual / s2.sqrt());
        }
        Some(Fit {
            coefficients: state.coefficients,
            exponent: state.exponent,
            sigma: state.variance.sqrt(),
            information,
            parameters: p,
            degrees_of_freedom: (n - p) as f64,
            log_likelihood,
            standardized,
        })
    }

    fn fit(&self, points: &Points, n: usize, exponent: f64) -> Option<Fit> {
        let mut state = self.start(points, n, exponent)?;
        for _ in 0..MOST_STEPS {
            if self.step(&mut state, points, n)? < CONVERGED {
                break;
            }
        }
        self.finish(&state, points, n)
    }
}

/// A fit of a design to points.
#[derive(Clone, Debug)]
pub(crate) struct Fit {
    /// One per column, in units of the largest cost at the largest size.
    pub(crate) coefficients: Vector,
    pub(crate) exponent: f64,
    /// Standard deviation of the logarithms besides rounding.
    pub(crate) sigma: f64,
    /// Information (inverse covariance) of coefficients and exponent.
    pub(crate) information: Matrix,
    pub(crate) parameters: usize,
    pub(crate) degrees_of_freedom: f64,
    /// Log density of the points at the fit, with σ^p for the parameters fitted.
    pub(crate) log_likelihood: f64,
    /// `(ln y − ln ŷ)/s` by ascending x.
    pub(crate) standardized: Vec<f64>,
}

impl Fit {
    /// Fits the first `n` points; `None` when the fit does not exist, is not positive, or has nothing left to judge
    /// it by.
    ///
    /// - Time: O(n·p²) per step.
    pub(crate) fn new(points: &Points, n: usize, design: &Design) -> Option<Self> {
        let p = design.parameters();
        if n < p + 2 || points.sizes(n) < p + 1 {
            return None;
        }
        let exponent = design.exponent.map_or(0.0, |free| free.start);
        shaped!(design, n, shape => shape.fit(points, n, exponent))
    }

    /// How well least squares of the relative error alone does, as a log likelihood with normal errors: a cheap
    /// preview of [`Fit::new`], and the coefficients. `None` when that has no fit either.
    ///
    /// - Time: O(n·p²).
    pub(crate) fn preview(points: &Points, design: &Design) -> Option<(f64, Vector)> {
        let (n, p) = (points.len(), design.parameters());
        if n < p + 2 || points.sizes(n) < p + 1 {
            return None;
        }
        let coefficients = shaped!(design, n, shape => shape.relative_least_squares(points, n, 0.0))?;
        let error = |i: usize| 1.0 - predict(&coefficients, &design.row(i, 0.0)) * points.y_max / points.y[i];
        let squares: f64 = (0..n).map(|i| error(i).powi(2)).sum();
        let rounding = points.rounding.iter().sum::<f64>() / n as f64;
        let freedom = (n - p) as f64;
        Some((-freedom / 2.0 * (squares / freedom + rounding).ln(), coefficients))
    }

    /// Variance of `ln ŷ` for a gradient of it.
    pub(crate) fn variance(&self, gradient: &Vector) -> f64 {
        let Some(solution) = solve(&self.information, gradient, self.parameters) else {
            return f64::INFINITY;
        };
        (0..self.parameters).map(|j| solution[j] * gradient[j]).sum::<f64>().max(0.0)
    }

    /// Log density of the points from `from` on, as predicted by this fit: heavy-tailed about the prediction.
    pub(crate) fn log_predictive(&self, points: &Points, from: usize, design: &Design) -> f64 {
        let mut sum = 0.0;
        for i in from..points.len() {
            let row = design.row(i, self.exponent);
            let value = predict(&self.coefficients, &row);
            if value <= 0.0 {
                return f64::NEG_INFINITY;
            }
            let gradient = gradient(design, &row, &self.coefficients, value, i);
            let variance = self.sigma * self.sigma + points.rounding[i] + self.variance(&gradient);
            sum += log_density(points.log_y[i] - value.ln(), variance);
        }
        sum
    }
}

struct State {
    coefficients: Vector,
    exponent: f64,
    variance: f64,
}

fn predict(coefficients: &Vector, row: &Vector) -> f64 {
    coefficients.iter().zip(row).map(|(c, t)| c * t).sum()
}

/// Derivatives of `ln ŷ`.
fn gradient(design: &Design, row: &Vector, coefficients: &Vector, value: f64, i: usize) -> Vector {
    let inverse = 1.0 / value;
    let mut z = row.map(|v| v * inverse);
    if let Some(free) = design.exponent {
        z[design.columns.len()] = coefficients[0] * z[0] * free.log_x[i];
    }
    z
}

/// Log density of Student's t with scale `√variance`.
fn log_density(residual: f64, variance: f64) -> f64 {
    /// `ln Γ(5/2) − ln Γ(2) − ½ ln 4π`, for four degrees of freedom.
    const NORMALIZATION: f64 = -0.980_829_253_011_726_2;
    /// Half the power with which the density falls.
    const TAIL: f64 = f64::midpoint(NU, 1.0);
    let t2 = residual * residual / variance;
    NORMALIZATION - 0.5 * variance.ln() - TAIL * (t2 / NU).ln_1p()
}

#[expect(clippy::inline_always, reason = "inlined, its loops have known lengths")]
#[inline(always)]
fn accumulate(normal: &mut Matrix, right: &mut Vector, z: &Vector, weight: f64, target: f64, p: usize) {
    for j in 0..p {
        for l in 0..=j {
            normal[j][l] += weight * z[j] * z[l];
        }
        right[j] += weight * z[j] * target;
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

/// Solves the first p rows of a positive definite system given by its lower triangle.
pub(crate) fn solve(matrix: &Matrix, right: &Vector, p: usize) -> Option<Vector> {
    let factor = cholesky(matrix, p)?;
    let mut solution = [0.0; MOST];
    for j in 0..p {
        let sum: f64 = (0..j).map(|l| factor[j][l] * solution[l]).sum();
        solution[j] = (right[j] - sum) / factor[j][j];
    }
    for j in (0..p).rev() {
        let sum: f64 = (j + 1..p).map(|l| factor[l][j] * solution[l]).sum();
        solution[j] = (solution[j] - sum) / factor[j][j];
    }
    solution.iter().all(|v| v.is_finite()).then_some(solution)
}
