//! Random instances of the ten growth classes under eight conditions. The instances are seeded. This module judges
//! nothing.

use trend_model::GrowthClass;

use crate::draw::Draw;

/// Condition under which the data of an instance are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    /// The leading term alone, rounded to integers.
    Exact,
    /// The leading term plus a lower-order term, which at the smallest size is 0.1 to 10 times as large.
    Lower,
    /// The leading term plus a startup cost of up to 20 times the smallest cost.
    Startup,
    /// The leading term with 5 % noise.
    Noise5,
    /// Lower-order term, startup cost and 3 % noise.
    Both,
    /// As [`Self::Both`], and every twentieth cost is half as large again.
    Outliers,
    /// Six sizes over one and a half decades, 3 % noise.
    SixSizes,
    /// The leading term with 20 % noise.
    Noise20,
}

impl Condition {
    pub(crate) const ALL: [Self; 8] = [
        Self::Exact,
        Self::Lower,
        Self::Startup,
        Self::Noise5,
        Self::Both,
        Self::Outliers,
        Self::SixSizes,
        Self::Noise20,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Lower => "+ lower",
            Self::Startup => "+ startup",
            Self::Noise5 => "5 % noise",
            Self::Both => "both, 3 %",
            Self::Outliers => "+ outliers",
            Self::SixSizes => "six sizes",
            Self::Noise20 => "20 % noise",
        }
    }

    fn noise(self) -> f64 {
        match self {
            Self::Exact | Self::Lower | Self::Startup => 0.0,
            Self::Noise5 => 0.05,
            Self::Both | Self::Outliers | Self::SixSizes => 0.03,
            Self::Noise20 => 0.2,
        }
    }
}

/// One program's measured costs, and the truth about them.
pub(crate) struct Instance {
    pub(crate) x: Vec<f64>,
    pub(crate) y: Vec<f64>,
    /// Expected cost at ten times the largest size.
    pub(crate) at_ten_times: f64,
}

/// Draws the instance with this number.
pub(crate) fn instance(class: GrowthClass, condition: Condition, number: u64) -> Instance {
    let row = GrowthClass::NAMED.iter().position(|&c| c == class).unwrap_or(0) as u64;
    let cell = row * 8 + condition as u64;
    let mut draw = Draw::new(number * 80 + cell);
    let x = sizes(&mut draw, class, condition);
    let (smallest, largest) = (x[0], x[x.len() - 1]);

    // Costs are counts, so a constant cost is an integer.
    let scale = 10f64.powf(draw.between(0.0, 4.0));
    let scale = if row == 0 { scale.round() } else { scale };
    let leading = |x: f64| scale * class.term().value(x);
    let lowers = match row {
        0 => &GrowthClass::NAMED[..0],
        row => &GrowthClass::NAMED[1..row as usize],
    };
    let has_lower = matches!(condition, Condition::Lower | Condition::Both | Condition::Outliers);
    let has_startup = matches!(condition, Condition::Startup | Condition::Both | Condition::Outliers);
    let ratio = 10f64.powf(draw.between(-1.0, 1.0));
    let lower = (has_lower && !lowers.is_empty()).then(|| lowers[below(&mut draw, lowers.len())]);
    let lower_scale = lower.map_or(0.0, |low| ratio * leading(smallest) / low.term().value(smallest));
    let without_startup = |x: f64| leading(x) + lower.map_or(0.0, |low| lower_scale * low.term().value(x));
    let startup = if has_startup { draw.between(0.0, 20.0) * without_startup(smallest) } else { 0.0 };
    let startup = if row == 0 { startup.round() } else { startup };
    let truth = |x: f64| startup + without_startup(x);

    let mut cost = |x: f64| {
        let noise = (condition.noise() * draw.normal()).exp();
        let outlier =
            if condition == Condition::Outliers && draw.between(0.0, 1.0) < 0.05 { 1.5 } else { 1.0 };
        (truth(x) * noise * outlier).round()
    };
    let y = x.iter().map(|&x| cost(x)).collect();
    Instance { y, at_ten_times: truth(10.0 * largest), x }
}

/// Draws 10 to 30 distinct sizes over 2 to 4 decades; the first is between 10 and 100. For `2^n`, draws 10 to 20 sizes
/// that start between 4 and 8.
fn sizes(draw: &mut Draw, class: GrowthClass, condition: Condition) -> Vec<f64> {
    let six = condition == Condition::SixSizes;
    if class == GrowthClass::Exponential {
        let start = 4 + below(draw, 5);
        let (count, step) = if six { (6, 3) } else { (10 + below(draw, 11), 1) };
        return (0..count).map(|i| (start + step * i) as f64).collect();
    }
    let (count, decades) = if six { (6, 1.5) } else { (10 + below(draw, 21), draw.between(2.0, 4.0)) };
    let start = 10f64.powf(draw.between(1.0, 2.0));
    let size = |i: usize| (start * 10f64.powf(decades * i as f64 / (count as f64 - 1.0))).round();
    let mut sizes: Vec<f64> = (0..count).map(size).collect();
    sizes.dedup();
    sizes
}

/// Draws a uniformly distributed integer below `bound`.
fn below(draw: &mut Draw, bound: usize) -> usize {
    draw.between(0.0, bound as f64) as usize
}
