//! Random instances that are harder than the recovery matrix and were not used to set priors. Coefficients range over
//! six decades, both other terms may be missing, sizes span few decades, and there are more outliers. This module
//! judges nothing.

use trend_model::GrowthClass;

use crate::draw::Draw;

/// Share of outliers among the costs, and their factor.
pub(crate) const OUTLIERS: [(f64, f64); 3] = [(0.0, 1.0), (0.05, 1.5), (0.1, 2.0)];

/// Numbers of sizes.
pub(crate) const COUNTS: [usize; 3] = [10, 20, 30];

/// An instance's sizes and costs, and the expected cost at ten times the largest size.
pub(crate) struct Instance {
    pub(crate) x: Vec<f64>,
    pub(crate) y: Vec<f64>,
    pub(crate) at_ten_times: f64,
}

/// Draws the instance with this number for a class. The column chooses the number of sizes and the kind of outliers.
pub(crate) fn instance(row: usize, column: usize, number: u64) -> Instance {
    let mut draw = Draw::new(7_000_000_000 + number * 90 + (row * 9 + column) as u64);
    let class = GrowthClass::NAMED[row];
    let count = COUNTS[column / 3];
    let (share, factor) = OUTLIERS[column % 3];
    let x = if class == GrowthClass::Exponential {
        let start = draw.between(3.0, 9.0).floor();
        (0..count).map(|i| start + i as f64).collect()
    } else {
        log_sizes(&mut draw, count, (1.5, 4.0))
    };
    let (smallest, largest) = (x[0], x[x.len() - 1]);
    let scale = 10f64.powf(draw.between(0.0, 6.0));
    let scale = if row == 0 { scale.round() } else { scale };
    let leading = |x: f64| scale * class.term().value(x);
    let has_lower = row > 1 && draw.between(0.0, 1.0) < 0.5;
    let lower = GrowthClass::NAMED[1 + draw.between(0.0, row.max(2) as f64 - 1.0) as usize].term();
    let ratio = if has_lower { 10f64.powf(draw.between(-1.0, 1.0)) } else { 0.0 };
    let lower_scale = ratio * leading(smallest) / lower.value(smallest);
    let without_startup = |x: f64| leading(x) + lower_scale * lower.value(x);
    let has_startup = draw.between(0.0, 1.0) < 0.5;
    let startup = if has_startup { draw.between(0.0, 20.0) * without_startup(smallest) } else { 0.0 };
    let truth = |x: f64| startup.round() + without_startup(x);
    let noise = [0.0, 0.01, 0.03, 0.05, 0.1][draw.between(0.0, 5.0) as usize];
    let mut cost = |x: f64| {
        let outlier = if draw.between(0.0, 1.0) < share { factor } else { 1.0 };
        (truth(x) * (noise * draw.normal()).exp() * outlier).round()
    };
    let y = x.iter().map(|&x| cost(x)).collect();
    Instance { y, at_ten_times: truth(10.0 * largest), x }
}

/// Draws distinct integers that are evenly spread in the logarithm over a random number of decades. The first is
/// between 10 and 100.
pub(crate) fn log_sizes(draw: &mut Draw, count: usize, decades: (f64, f64)) -> Vec<f64> {
    let decades = draw.between(decades.0, decades.1);
    let start = 10f64.powf(draw.between(1.0, 2.0));
    let size = |i: usize| (start * 10f64.powf(decades * i as f64 / (count as f64 - 1.0))).round();
    let mut sizes: Vec<f64> = (0..count).map(size).collect();
    sizes.dedup();
    sizes
}
