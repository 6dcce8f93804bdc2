//! The points that a power law can describe, as logarithms. This module fits nothing.

use crate::numerics::logarithms::replace_by_ln;

/// Returns true if both values are positive and finite, so that their logarithms exist.
pub(crate) fn is_usable(x: f64, y: f64) -> bool {
    x > 0.0 && y > 0.0 && x.is_finite() && y.is_finite()
}

/// Natural logarithms of the usable points, in the given order.
pub(crate) struct LogPoints {
    pub(crate) x: Vec<f64>,
    pub(crate) y: Vec<f64>,
}

impl LogPoints {
    pub(crate) fn new(x: &[f64], y: &[f64]) -> Self {
        let is_used = x.iter().zip(y).all(|(&x, &y)| is_usable(x, y));
        let usable = x.iter().zip(y).filter(|&(&x, &y)| is_usable(x, y));
        let (mut x, mut y): (Vec<f64>, Vec<f64>) =
            if is_used { (x.to_vec(), y.to_vec()) } else { usable.unzip() };
        replace_by_ln(&mut x);
        replace_by_ln(&mut y);
        Self { x, y }
    }
}
