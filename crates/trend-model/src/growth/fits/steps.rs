//! Gauss-Newton steps of a robust fit: the loops over points that take all the time of a verdict. This module judges no
//! fit.
//!
//! With Student's weights, each plain step is too short: it leaves 2/7 of the way. So steps that are short already are
//! made longer, and the variance is divided by the sum of the weights instead of the number of points (C. Liu, D.
//! Rubin, Y. N. Wu, *Parameter expansion to accelerate EM*, 1998). Both accelerate convergence without changing the
//! fit.

use super::fit::{Design, Fit, LogDensity, Searched};
use super::points::{NU, Points};
use crate::numerics::linear_system::{MOST, NormalEquations, Vector};
use crate::numerics::logarithms::replace_normal_by_ln;
use crate::numerics::wide::widely;

const MOST_STEPS: usize = 40;

/// Largest change of a logarithm in the last step, as a fraction of its error. Further steps would change the
/// likelihood only by the square of this fraction.
const CONVERGED: f64 = 1e-2;

/// Inverse of the part of the information that is left by Student's errors with 4 degrees of freedom: `(ν+3)/(ν+1)`.
const LONGER: f64 = (NU + 3.0) / (NU + 1.0);

/// Variance of log cost from which steps are not made longer: they are then as large as the coefficients themselves.
const WIDE: f64 = 1.0;

/// Largest step that is made longer, as a fraction of the errors.
const SHORT: f64 = 1.0;

/// Maximum factor by which the sum of the weights changes the variance in a step.
const LARGEST_EXPANSION: f64 = 2.0;

/// Fraction of a cost below which a prediction's logarithm is continued by its tangent.
const FAR_BELOW: f64 = 0.05;

/// A design whose number of terms is known to the compiler, so that the loops over points contain no loop over terms.
struct Shaped<'a, const TERMS: usize, const IS_FREE: bool> {
    columns: [&'a [f64]; TERMS],
    along: &'a [f64],
    factor: &'a [f64],
    searched: Searched,
    relative_y: &'a [f64],
    log_y: &'a [f64],
    known_variances: &'a [f64],
    /// Smallest variance that can be distinguished from zero.
    floor: f64,
}

/// Intermediate values, one per point.
struct Scratch {
    /// The leading term, if its exponent is fitted.
    lead: Vec<f64>,
    value: Vec<f64>,
    residual: Vec<f64>,
    weight: Vec<f64>,
}

/// Current state of a fit.
struct State {
    coefficients: Vector,
    exponent: f64,
    variance: f64,
}

impl Fit {
    /// Fits the first `n` points. Returns `None` if no fit exists, if it is not positive, or if no points are left to
    /// judge it by.
    ///
    /// - Time: O(n·p²) per step.
    pub(crate) fn new(points: &Points, n: usize, design: &Design) -> Option<Self> {
        let p = design.parameters();
        if n < p + 2 || points.sizes(n) < p + 1 {
            return None;
        }
        fit(points, n, design, design.exponent.map_or(0.0, |free| free.start))
    }
}

widely! {
    /// Fits a design to the first `n` points; returns `None` if no fit exists or it is not positive.
    fn fit(points: &Points, n: usize, design: &Design<'_>, exponent: f64) -> Option<Fit> {
        // Closures would be compiled for the baseline processor, so there are none here.
        match (design.columns.len(), design.exponent.is_some()) {
            (1, false) => Shaped::<1, false>::new(points, n, design)?.fit(exponent),
            (2, false) => Shaped::<2, false>::new(points, n, design)?.fit(exponent),
            (3, false) => Shaped::<3, false>::new(points, n, design)?.fit(exponent),
            (4, false) => Shaped::<4, false>::new(points, n, design)?.fit(exponent),
            (1, true) => Shaped::<1, true>::new(points, n, design)?.fit(exponent),
            (2, true) => Shaped::<2, true>::new(points, n, design)?.fit(exponent),
            (3, true) => Shaped::<3, true>::new(points, n, design)?.fit(exponent),
            _ => None,
        }
    }
}

impl Scratch {
    fn new(n: usize) -> Self {
        Self { lead: Vec::new(), value: vec![0.0; n], residual: vec![0.0; n], weight: vec![0.0; n] }
    }
}

#[expect(
    clippy::inline_always,
    reason = "all is compiled for the processor that runs it, and the loops over points without calls"
)]
impl<'a, const TERMS: usize, const IS_FREE: bool> Shaped<'a, TERMS, IS_FREE> {
    const PARAMETERS: usize = TERMS + IS_FREE as usize;

    /// Creates the design for the first `n` points.
    fn new(points: &'a Points, n: usize, design: &Design<'a>) -> Option<Self> {
        let mut columns: [&[f64]; TERMS] = [&[]; TERMS];
        for (shaped, column) in columns.iter_mut().zip(&design.columns) {
            *shaped = column.get(..n)?;
        }
        let (along, factor, searched) = match design.exponent {
            Some(free) => (free.along.get(..n)?, free.factor.get(..n)?, free.searched),
            None => ([].as_slice(), [].as_slice(), Searched::default()),
        };
        let (relative_y, log_y) = (points.relative_y.get(..n)?, points.log_y.get(..n)?);
        let known_variances = points.known_variances.get(..n)?;
        let floor = points.least_known_variance(n) * 1e-2;
        Some(Self { columns, along, factor, searched, relative_y, log_y, known_variances, floor })
    }

    fn len(&self) -> usize {
        self.relative_y.len()
    }

    /// Returns the columns. The leading one is the value that [`Self::evaluate_lead`] computed.
    #[inline(always)]
    fn terms<'b>(&'b self, lead: &'b [f64]) -> [&'b [f64]; TERMS] {
        let mut terms: [&[f64]; TERMS] = self.columns;
        if IS_FREE {
            terms[0] = lead;
        }
        terms
    }

    #[inline(always)]
    fn evaluate_lead(&self, lead: &mut Vec<f64>, exponent: f64) {
        if IS_FREE {
            lead.clear();
            lead.extend(self.along.iter().zip(self.factor).map(|(x, f)| (exponent * x).exp() * f));
        }
    }

    /// Returns `Σ w·z·zᵀ` and `Σ w·z·t`, with z the terms in units of the values.
    #[inline(always)]
    fn sums(&self, scratch: &Scratch, coefficients: &Vector) -> NormalEquations<MOST> {
        let n = self.len();
        let terms = self.terms(&scratch.lead).map(|term| &term[..n]);
        let [values, weights, targets] =
            [&scratch.value, &scratch.weight, &scratch.residual].map(|values| &values[..n]);
        let mut sums = NormalEquations::new();
        for i in 0..n {
            let mut z = [0.0; MOST];
            for (z, term) in z.iter_mut().zip(&terms) {
                *z = term[i] * (1.0 / values[i]);
            }
            if IS_FREE {
                z[TERMS] = coefficients[0] * z[0] * self.along[i];
            }
            sums.add(&z, weights[i], targets[i], Self::PARAMETERS);
        }
        sums
    }

    /// Returns the coefficients that minimize `Σ (1 − ŷ/y)²`, a linear problem.
    #[inline(always)]
    fn relative_least_squares(&self, scratch: &mut Scratch, exponent: f64) -> Option<Vector> {
        self.evaluate_lead(&mut scratch.lead, exponent);
        scratch.value.copy_from_slice(self.relative_y);
        scratch.weight.fill(1.0);
        scratch.residual.fill(1.0);
        let sums = self.sums(scratch, &[0.0; MOST]);
        sums.solve(TERMS)
    }

    /// Computes values and log residuals. If the model is not positive or far below the cost, its linear continuation
    /// replaces the logarithm.
    #[inline(always)]
    fn residuals(&self, state: &State, scratch: &mut Scratch) {
        self.evaluate_lead(&mut scratch.lead, state.exponent);
        // Slices of one length that the compiler can see need no bounds checks in the loop.
        let n = self.len();
        let terms = self.terms(&scratch.lead).map(|term| &term[..n]);
        let (value, residual) = (&mut scratch.value[..n], &mut scratch.residual[..n]);
        let (below, relative_y) = (&mut scratch.weight[..n], &self.relative_y[..n]);
        for i in 0..n {
            let mut sum = 0.0;
            for (term, coefficient) in terms.iter().zip(&state.coefficients) {
                sum += coefficient * term[i];
            }
            let least = FAR_BELOW * relative_y[i];
            value[i] = if sum > least { sum } else { least };
            below[i] = (value[i] - sum) / value[i];
        }
        residual.copy_from_slice(value);
        replace_normal_by_ln(residual);
        for ((residual, log_y), below) in residual.iter_mut().zip(self.log_y).zip(below) {
            *residual = log_y - *residual + *below;
        }
    }

    /// Starts from least squares of the relative error.
    #[inline(always)]
    fn start(&self, scratch: &mut Scratch, exponent: f64) -> Option<State> {
        let coefficients = self.relative_least_squares(scratch, exponent)?;
        let mut state = State { coefficients, exponent, variance: 0.0 };
        self.residuals(&state, scratch);
        let squares: f64 = scratch.residual.iter().map(|r| r * r).sum();
        state.variance = squares / (self.len() - Self::PARAMETERS) as f64;
        Some(state)
    }

    /// Takes one step from the residuals; returns the largest change of a logarithm in units of its error.
    #[inline(always)]
    fn step(&self, state: &mut State, scratch: &mut Scratch) -> Option<f64> {
        let (n, p) = (self.len() as f64, Self::PARAMETERS as f64);
        for ((weight, residual), known_variance) in
            scratch.weight.iter_mut().zip(&scratch.residual).zip(self.known_variances)
        {
            *weight = (NU + 1.0) / (NU * (state.variance + known_variance) + residual * residual);
        }
        let sums = self.sums(scratch, &state.coefficients);
        let delta = sums.solve(Self::PARAMETERS)?;
        let mut change = (0..Self::PARAMETERS).map(|j| sums.right[j] * delta[j]).sum::<f64>().abs().sqrt();
        let is_hasty = state.variance < WIDE;
        let length = if is_hasty && change < SHORT { LONGER } else { 1.0 };
        for (coefficient, change) in state.coefficients[..TERMS].iter_mut().zip(&delta) {
            *coefficient += length * change;
        }
        if IS_FREE {
            let Searched { least, greatest, step } = self.searched;
            let change = (length * delta[TERMS]).clamp(-step, step);
            state.exponent = (state.exponent + change).clamp(least, greatest);
        }
        // The squares are n − p if the variance is right, and the sum of the weights is then (NU·n + p)/NU.
        let expansion = if is_hasty {
            ((NU * n + p) / (n * (NU + 1.0) - sums.squares)).clamp(0.0, LARGEST_EXPANSION)
        } else {
            1.0
        };
        let floor = self.floor;
        let before = state.variance;
        state.variance = (before * sums.squares / (n - p) * expansion).max(floor);
        // The scale has converged if it no longer moves, or if it is negligible compared with the known variance.
        if before > floor {
            change = change.max((state.variance / before).ln().abs() / 10.0);
        }
        Some(change)
    }

    #[inline(always)]
    fn fit(&self, exponent: f64) -> Option<Fit> {
        let scratch = &mut Scratch::new(self.len());
        let mut state = self.start(scratch, exponent)?;
        for _ in 0..MOST_STEPS {
            if self.step(&mut state, scratch)? < CONVERGED {
                break;
            }
            self.residuals(&state, scratch);
        }
        self.finish(&state, scratch)
    }

    #[inline(always)]
    fn finish(&self, state: &State, scratch: &mut Scratch) -> Option<Fit> {
        self.evaluate_lead(&mut scratch.lead, state.exponent);
        let terms = self.terms(&scratch.lead);
        for (i, value) in scratch.value.iter_mut().enumerate() {
            *value = (0..TERMS).map(|j| state.coefficients[j] * terms[j][i]).sum();
        }
        // This is also false for NaN.
        if !scratch.value.iter().all(|value| *value > 0.0 && value.is_finite()) {
            return None;
        }
        scratch.residual.copy_from_slice(&scratch.value);
        replace_normal_by_ln(&mut scratch.residual);
        let mut density = LogDensity::new();
        let per_point = scratch
            .residual
            .iter_mut()
            .zip(&mut scratch.weight)
            .zip(self.log_y.iter().zip(self.known_variances));
        for ((residual, weight), (log_y, known_variance)) in per_point {
            let variance = state.variance + known_variance;
            *residual = log_y - *residual;
            density.add(*residual, variance);
            // The weight is the expected information of Student's t.
            *weight = (NU + 1.0) / (NU + 3.0) / variance;
        }
        let information = self.sums(scratch, &state.coefficients).normal;
        let standardized = scratch
            .residual
            .iter()
            .zip(self.known_variances)
            .map(|(r, known_variance)| r / (state.variance + known_variance).sqrt());
        Some(Fit {
            coefficients: state.coefficients,
            exponent: state.exponent,
            sigma: state.variance.sqrt(),
            information,
            parameters: Self::PARAMETERS,
            degrees_of_freedom: (self.len() - Self::PARAMETERS) as f64,
            log_likelihood: density.sum(),
            standardized: standardized.collect(),
        })
    }
}
