//! Random programs whose cost multiplies with every unit of size. The programs are seeded. This module judges nothing.

use trend_model::{Growth, Term};

use crate::draw::Draw;

/// Factors by which the cost multiplies. The third one belongs to Fibonacci's recursion.
pub(crate) const BASES: [f64; 6] = [1.1, 1.3, 1.618_033_988_749_895, 2.0, 3.0, 7.0];

/// Standard deviations of the logarithm of the cost.
pub(crate) const NOISES: [f64; 3] = [0.0, 0.03, 0.05];

/// Largest deviation of a verdict's base from the true one, as a part of the true base's logarithm.
const NEAR: f64 = 0.06;

/// A program's counts, and its cost at 1.5 times the largest size.
pub(crate) struct Program {
    pub(crate) x: Vec<f64>,
    pub(crate) y: Vec<f64>,
    pub(crate) further: (f64, f64),
}

/// Draws the program with this number. It has 8 to 30 sizes that start between 4 and 12, over which the leading term
/// grows by e^5 to e^25 or more. A startup cost and a term in `n` or `n^2` are each present half of the time, and cost
/// up to 20 times the smallest cost.
pub(crate) fn program(base: f64, noise: f64, number: u64) -> Program {
    let mut draw = Draw::new(number * 6 + BASES.iter().position(|&b| b == base).unwrap_or(0) as u64);
    let start = draw.between(4.0, 13.0).floor();
    let span = (draw.between(5.0, 25.0) / base.ln()).round().max(7.0);
    let count = draw.between(8.0, 31.0).floor().min(span + 1.0);
    let mut x: Vec<f64> =
        (0..count as u32).map(|i| start + (span * f64::from(i) / (count - 1.0)).round()).collect();
    x.dedup();
    let scale = 10f64.powf(draw.between(0.0, 4.0));
    let smallest = base.powf(start);
    let mut perhaps = || if draw.between(0.0, 1.0) < 0.5 { draw.between(0.0, 20.0) * smallest } else { 0.0 };
    let (startup, lower) = (perhaps(), perhaps());
    let power = if draw.between(0.0, 1.0) < 0.5 { 1 } else { 2 };
    let cost = |n: f64| scale * (startup + lower * (n / start).powi(power) + base.powf(n));
    let y = x.iter().map(|&n| (cost(n) * (noise * draw.normal()).exp()).round()).collect();
    let further = 1.5 * (start + span);
    Program { x, y, further: (further, cost(further)) }
}

/// Returns true if the verdict names an exponential whose base is about this one.
pub(crate) fn is_named(verdict: &Growth, base: f64) -> bool {
    verdict.named().iter().any(|fit| match fit.terms.first() {
        Some((_, Term::Exponential { base: fitted })) => (fitted.ln() / base.ln() - 1.0).abs() <= NEAR,
        _ => false,
    })
}
