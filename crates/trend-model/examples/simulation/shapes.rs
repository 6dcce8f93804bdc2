//! Random programs whose cost is not a sum of terms, like many real ones: tables cleared once, buffers that double,
//! caches that overflow, and caps. Two shapes hide a square under linear work. This module judges nothing.

use crate::draw::Draw;
use crate::harder::log_sizes;

/// The shape of a cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A line plus a constant of 0.1 to 1000 times the smallest size.
    Constant,
    /// A cost per item that changes by up to a factor of ten, up or down, at some size.
    Bend,
    /// A window filled once: `c·min(n, K) + d·n`.
    Window,
    /// Two to five times the cost per item above some size.
    Step,
    /// A buffer that doubles: `n` plus all copies.
    Doubling,
    /// Whole blocks: `⌈n/B⌉·B`.
    Blocks,
    /// Startup only up to some size, then linear.
    Threshold,
    /// Linear up to some size, then constant.
    Cap,
    /// A square under linear work, with 5 to 20 % of the cost at the largest size.
    FaintSquare,
    /// A square under linear work, with 20 to 50 % of the cost at the largest size.
    HiddenSquare,
}

impl Shape {
    pub(crate) const ALL: [Self; 10] = [
        Self::Constant,
        Self::Bend,
        Self::Window,
        Self::Step,
        Self::Doubling,
        Self::Blocks,
        Self::Threshold,
        Self::Cap,
        Self::FaintSquare,
        Self::HiddenSquare,
    ];

    pub(crate) fn is_superlinear(self) -> bool {
        matches!(self, Self::FaintSquare | Self::HiddenSquare)
    }
}

/// Draws the sizes and costs of the program with this number, with a lognormal factor of `noise`. Also returns the
/// expected cost at ten times the largest size.
pub(crate) fn program(shape: Shape, noise: f64, number: u64) -> (Vec<f64>, Vec<f64>, f64) {
    let row = Shape::ALL.iter().position(|&s| s == shape).unwrap_or(0) as u64;
    let mut draw =
        Draw::new(11_000_000_000 + number * 30 + row * 3 + u64::from(noise > 0.0) + u64::from(noise > 0.02));
    let count = draw.between(8.0, 31.0) as usize;
    let sizes = log_sizes(&mut draw, count, (1.5, 4.0));
    let (smallest, largest) = (sizes[0], sizes[sizes.len() - 1]);
    let scale = 10f64.powf(draw.between(0.0, 4.0));
    let inside = (smallest.ln() + draw.between(0.1, 0.9) * (largest / smallest).ln()).exp().round();
    let factor = 10f64.powf(draw.between(0.0, 1.0));
    let bend = 10f64.powf(draw.between(-1.0, 1.0));
    let startup = 10f64.powf(draw.between(-1.0, 3.0)) * smallest;
    let block = (2f64).powf(draw.between(1.0, 7.0)).round();
    let share = if shape == Shape::FaintSquare { draw.between(0.05, 0.2) } else { draw.between(0.2, 0.5) };
    let truth = |n: f64| match shape {
        Shape::Constant => startup + n,
        Shape::Bend => n.min(inside) + bend * (n - inside).max(0.0),
        Shape::Window => factor * n.min(inside) + n,
        Shape::Step => n * if n > inside { 2.0 + factor / 3.0 } else { 1.0 },
        Shape::Doubling => n + factor * (2f64.powf(n.log2().ceil()) - 1.0),
        Shape::Blocks => (n / block).ceil() * block,
        Shape::Threshold => startup + (n - inside).max(0.0),
        Shape::Cap => startup.min(smallest) + n.min(inside),
        Shape::FaintSquare | Shape::HiddenSquare => n + share / (1.0 - share) * n * n / largest,
    };
    let at_ten_times = scale * truth(10.0 * largest);
    let mut cost = |n: f64| (scale * truth(n) * (noise * draw.normal()).exp()).round().max(1.0);
    let y = sizes.iter().map(|&n| cost(n)).collect();
    (sizes, y, at_ten_times)
}
