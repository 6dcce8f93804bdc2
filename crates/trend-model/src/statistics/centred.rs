//! Vectors about their mean, in units of their largest deviation, and their products. This module fits nothing.

use crate::numerics::wide::widely;

/// A vector as `mean + scale·deviations`; the deviations have magnitude below 2 and mean 0.
///
/// `scale` is a power of two, so that scaling costs no precision. It is exactly 0 for a constant vector: the mean is
/// computed from differences to the first value, which are then 0.
#[derive(Clone, Debug)]
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
        let mut deviations = values.to_vec();
        let largest = subtract(&mut deviations, first);
        // The vector is constant, or differences overflow. In the latter case they stay infinite, and so does
        // everything computed from them.
        if largest == 0.0 || largest.is_infinite() {
            return Self { mean: first, scale: largest, deviations };
        }
        let scale = power_of_two_below(largest);
        let offset = divide(&mut deviations, scale) / values.len() as f64;
        subtract(&mut deviations, offset);
        Self { mean: first + offset * scale, scale, deviations }
    }

    pub(crate) fn is_constant(&self) -> bool {
        self.scale == 0.0
    }

    /// Returns the index of the first value whose difference to the first value overflows.
    pub(crate) fn overflow(&self) -> Option<usize> {
        // The scale is at most the largest difference, and a part of it if that is finite.
        if self.scale.is_finite() {
            return None;
        }
        self.deviations.iter().position(|d| !d.is_finite())
    }

    pub(crate) fn r2(&self, other: &Self) -> Option<f64> {
        if self.is_constant() || other.is_constant() {
            return None;
        }
        let squares = |c: &Self| dot(&c.deviations, &c.deviations);
        let r = dot(&self.deviations, &other.deviations) / (squares(self).sqrt() * squares(other).sqrt());
        r.is_finite().then(|| (r * r).min(1.0))
    }
}

widely! {
    /// Subtracts a number from all values; returns the largest absolute value of the result, ignoring NaN.
    fn subtract(values: &mut [f64], number: f64) -> f64 {
        const LANES: usize = 8;
        let mut largest = [0.0_f64; LANES];
        let (chunks, rest) = values.as_chunks_mut::<LANES>();
        for chunk in chunks {
            for (value, largest) in chunk.iter_mut().zip(&mut largest) {
                *value -= number;
                let size = value.abs();
                *largest = if size > *largest { size } else { *largest };
            }
        }
        for value in &mut *rest {
            *value -= number;
        }
        rest.iter().map(|value| value.abs()).chain(largest).fold(0.0, f64::max)
    }
}

widely! {
    /// Divides all values by a power of two, or a subnormal number; returns their sum, added up in order.
    fn divide(values: &mut [f64], scale: f64) -> f64 {
        let inverse = 1.0 / scale;
        let is_exact = scale.is_normal();
        for value in &mut *values {
            *value = if is_exact { *value * inverse } else { *value / scale };
        }
        values.iter().sum()
    }
}

/// Returns the largest power of two that is not above a positive `value`; `value` itself if it is subnormal.
fn power_of_two_below(value: f64) -> f64 {
    const EXPONENT_BITS: u64 = 0x7ff0_0000_0000_0000;
    let power = f64::from_bits(value.to_bits() & EXPONENT_BITS);
    if power > 0.0 { power } else { value }
}

widely! {
    /// Returns `Σ xᵢyᵢ` for two vectors of equal length. There are eight interleaved partial sums, a fixed order that
    /// the compiler can map to vector registers.
    ///
    /// - Time: O(k).
    pub fn dot(x: &[f64], y: &[f64]) -> f64 {
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
}
