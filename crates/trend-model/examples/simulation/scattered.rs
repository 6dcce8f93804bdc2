//! Random programs whose cost depends on more than the size. The scatter reaches a factor of ten, runs of one size may
//! share a deviation, and kinds of inputs may have their own constants or exponents. This module judges nothing.

use trend_model::GrowthClass;

use crate::draw::Draw;
use crate::harder::log_sizes;

/// Source of the scatter of the costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scatter {
    /// A lognormal factor of this many tenths, 10 to 100 different sizes.
    Noise(u8),
    /// 5 to 12 sizes with 3 to 8 runs each; a factor of 0.3 per size and 0.1 per run.
    PerSize,
    /// Three kinds of inputs at every size, with constants up to tenfold apart.
    Constants,
    /// As [`Self::Constants`], and one kind grows by `n^0.1` more and another by `n^0.1` less.
    Exponents,
    /// A factor whose spread grows tenfold with the size, to 1.
    Growing,
    /// A factor whose spread shrinks tenfold with the size, from 1.
    Shrinking,
    /// The cost times a second feature that varies by two decades.
    Product,
    /// The cost plus twice the cost at the middle size times a second feature that varies by two decades.
    Sum,
}

impl Scatter {
    pub(crate) const ALL: [Self; 10] = [
        Self::Noise(5),
        Self::Noise(10),
        Self::Noise(15),
        Self::PerSize,
        Self::Constants,
        Self::Exponents,
        Self::Growing,
        Self::Shrinking,
        Self::Product,
        Self::Sum,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Noise(5) => "noise 0.5",
            Self::Noise(10) => "noise 1.0",
            Self::Noise(_) => "noise 1.5",
            Self::PerSize => "per size",
            Self::Constants => "constants",
            Self::Exponents => "exponents",
            Self::Growing => "growing",
            Self::Shrinking => "shrinking",
            Self::Product => "product",
            Self::Sum => "sum",
        }
    }
}

/// Draws the sizes and costs of the program with this number.
pub(crate) fn program(class: GrowthClass, scatter: Scatter, number: u64) -> (Vec<f64>, Vec<f64>) {
    let row = GrowthClass::NAMED.iter().position(|&c| c == class).unwrap_or(0) as u64;
    let column = Scatter::ALL.iter().position(|&s| s == scatter).unwrap_or(0) as u64;
    let mut draw = Draw::new(9_000_000_000 + number * 100 + row * 10 + column);
    let count = 10f64.powf(draw.between(1.0, 2.0)) as usize;
    let decades = (1.0, 3.0);
    let (sizes, runs) = match scatter {
        Scatter::PerSize => (draw.between(5.0, 13.0) as usize, draw.between(3.0, 9.0) as usize),
        Scatter::Constants | Scatter::Exponents => ((count / 3).max(5), 3),
        _ => (count, 1),
    };
    let sizes = log_sizes(&mut draw, sizes, decades);
    let (smallest, largest) = (sizes[0], sizes[sizes.len() - 1]);
    let scale = 10f64.powf(draw.between(1.0, 4.0));
    let term = class.term();
    let startup = draw.between(-3.0, 3.0).max(0.0) * term.value(smallest);
    let truth = |x: f64| scale * (startup + term.value(x));
    let constants: Vec<f64> = (0..3).map(|_| 10f64.powf(draw.between(-0.5, 0.5))).collect();
    let mut y = Vec::new();
    let mut x = Vec::new();
    for &size in &sizes {
        let position = (size / smallest).ln() / (largest / smallest).ln();
        let common = (0.3 * draw.normal()).exp();
        for run in 0..runs {
            let constant = constants[run % 3];
            let normal = draw.normal();
            let other = 10f64.powf(draw.between(-1.0, 1.0));
            let cost = match scatter {
                Scatter::Noise(tenths) => truth(size) * (f64::from(tenths) / 10.0 * normal).exp(),
                Scatter::PerSize => truth(size) * common * (0.1 * normal).exp(),
                Scatter::Constants => truth(size) * constant * (0.05 * normal).exp(),
                Scatter::Exponents => {
                    let more = 0.1 * (run as f64 - 1.0);
                    truth(size) * constant * (size / smallest).powf(more) * (0.02 * normal).exp()
                }
                Scatter::Growing => truth(size) * (10f64.powf(position - 1.0) * normal).exp(),
                Scatter::Shrinking => truth(size) * (10f64.powf(-position) * normal).exp(),
                Scatter::Product => truth(size) * other,
                Scatter::Sum => truth(size) + 2.0 * truth(sizes[sizes.len() / 2]) * other,
            };
            x.push(size);
            y.push(cost.round().max(1.0));
        }
    }
    (x, y)
}
