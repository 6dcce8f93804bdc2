//! Least-squares lines and R², stable for any offset and scale. Knows nothing of logarithms or of costs.

use crate::FitError;

/// A least-squares line `ŷ = intercept + slope·x`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Regression {
    /// `ŷ` at `x = 0`, in units of `y`.
    pub intercept: f64,
    /// Change of `ŷ` per unit of `x`.
    pub slope: f64,
    /// Fraction of the variance of `y` that the line accounts for, 0 to 1; 1 for a constant `y`.
    pub r2: f64,
    /// Number of points fitted.
    pub points: usize,
}

/// Fits `y = intercept + slope·x` by least squares.
///
/// # Formula
///
/// `slope = Σ(xᵢ−x̄)(yᵢ−ȳ) / Σ(xᵢ−x̄)²`, `intercept = ȳ − slope·x̄`,
/// `R² = (Σ(xᵢ−x̄)(yᵢ−ȳ))² / (Σ(xᵢ−x̄)²·Σ(yᵢ−ȳ)²)`.
///
/// For a constant `y` that is 0/0. The line then passes through all points, and R² is 1 by the equivalent
/// `1 − Σ(yᵢ−ŷᵢ)²/Σ(yᵢ−ȳ)²` with nothing left over.
///
/// - Time: O(k). Memory: O(k).
///
/// # Errors
///
/// [`FitError::LengthMismatch`], [`FitError::NonFinite`], [`FitError::TooFewPoints`] below two points,
/// [`FitError::ConstantFeature`], [`FitError::ParametersOutOfRange`] when a parameter overflows.
pub fn linear_regression(x: &[f64], y: &[f64]) -> Result<Regression, FitError> {
    check_points(x, y)?;
    let points = x.len();
    if points < 2 {
        return Err(FitError::TooFewPoints { points, needed: 2 });
    }
    let cx = Centred::new(x);
    let cy = Centred::new(y);
    for c in [&cx, &cy] {
        if let Some(index) = c.deviations.iter().position(|d| !d.is_finite()) {
            return Err(FitError::NonFinite { index });
        }
    }
    if cx.is_constant() {
        return Err(FitError::ConstantFeature);
    }
    let sxx = dot(&cx.deviations, &cx.deviations);
    let sxy = dot(&cx.deviations, &cy.deviations);
    let slope = sxy / sxx * (cy.scale / cx.scale);
    let intercept = cy.mean - slope * cx.mean;
    if !(slope.is_finite() && intercept.is_finite()) {
        return Err(FitError::ParametersOutOfRange);
    }
    Ok(Regression { intercept, slope, r2: cx.r2(&cy).unwrap_or(1.0), points })
}

/// The squared Pearson correlation of two vectors: how much of the variance of one a line in the other
/// accounts for. Symmetric.
///
/// `None` when either is constant, the lengths differ, or a value is not finite.
///
/// # Formula
///
/// `R² = (Σ(xᵢ−x̄)(yᵢ−ȳ))² / (Σ(xᵢ−x̄)²·Σ(yᵢ−ȳ)²)`
///
/// - Time: O(k). Memory: O(k).
pub fn r_squared(x: &[f64], y: &[f64]) -> Option<f64> {
    check_points(x, y).ok()?;
    Centred::new(x).r2(&Centred::new(y))
}

/// `x` and `y` describe the same points, all finite.
pub(crate) fn check_points(x: &[f64], y: &[f64]) -> Result<(), FitError> {
    if x.len() != y.len() {
        return Err(FitError::LengthMismatch { expected: x.len(), found: y.len() });
    }
    match x.iter().zip(y).position(|(x, y)| !(x.is_finite() && y.is_finite())) {
        Some(index) => Err(FitError::NonFinite { index }),
        None => Ok(()),
    }
}

/// A vector as `mean + scale·deviations`, deviations of magnitude below 2 with mean 0.
///
/// `scale` is a power of two, so that scaling costs no precision; 0 for a constant vector, exactly: the
/// mean is taken of differences to the first value, which are 0 when all values are the same.
pub(crate) struct Centred {
    pub(crate) mean: f64,
    pub(crate) scale: f64,
    pub(crate) deviations: Vec<f64>,
}

impl Centred {
    pub(crate) fn new(values: &[f64]) -> Self {
        let Some(&first) = values.first() else {
            return Self { mean: 0.0, scale: 0.0, deviations: Vec::new() };
        };
        let mut deviations: Vec<f64> = values.iter().map(|v| v - first).collect();
        let largest = deviations.iter().fold(0.0, |m: f64, d| m.max(d.abs()));
        if largest == 0.0 {
            return Self { mean: first, scale: 0.0, deviations };
        }
        let scale = power_of_two_below(largest);
        let k = values.len() as f64;
        for d in &mut deviations {
            *d /= scale;
        }
        let offset = deviations.iter().sum::<f64>() / k;
        for d in &mut deviations {
            *d -= offset;
        }
        Self { mean: first + offset * scale, scale, deviations }
    }

    pub(crate) fn is_constant(&self) -> bool {
        self.scale == 0.0
    }

    fn r2(&self, other: &Self) -> Option<f64> {
        if self.is_constant() || other.is_constant() {
            return None;
        }
        let sxx = dot(&self.deviations, &self.deviations);
        let syy = dot(&other.deviations, &other.deviations);
        let r = dot(&self.deviations, &other.deviations) / (sxx.sqrt() * syy.sqrt());
        r.is_finite().then(|| (r * r).min(1.0))
    }
}

/// The largest power of two that is not above a positive `value`; `value` itself when that is subnormal.
fn power_of_two_below(value: f64) -> f64 {
    const EXPONENT_BITS: u64 = 0x7ff0_0000_0000_0000;
    let power = f64::from_bits(value.to_bits() & EXPONENT_BITS);
    if power > 0.0 { power } else { value }
}

/// `Σ xᵢyᵢ` in eight interleaved partial sums: a fixed order that the compiler can put into vector registers.
pub(crate) fn dot(x: &[f64], y: &[f64]) -> f64 {
    const LANES: usize = 8;
    let mut sums = [0.0; LANES];
    let (x_chunks, x_rest) = x.as_chunks::<LANES>();
    let (y_chunks, y_rest) = y.as_chunks::<LANES>();
    for (x, y) in x_chunks.iter().zip(y_chunks) {
        for lane in 0..LANES {
            sums[lane] += x[lane] * y[lane];
        }
    }
    let rest: f64 = x_rest.iter().zip(y_rest).map(|(x, y)| x * y).sum();
    sums.iter().sum::<f64>() + rest
}
