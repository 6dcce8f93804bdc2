//! Seeded columns of costs in two features: four true laws, three designs, three noise levels. Judges nothing.

use std::fmt::Write as _;

/// A true law of a cost in two features.
pub(crate) struct Truth {
    /// The formula of the law.
    pub(crate) name: &'static str,
    /// The terms with a feature, as formulas without their coefficients, sorted.
    pub(crate) terms: &'static [&'static str],
    pub(crate) cost: fn(f64, f64) -> f64,
}

pub(crate) const TRUTHS: [Truth; 4] = [
    Truth { name: "5 + 3·x·y", terms: &["x·y"], cost: |x, y| 5.0 + 3.0 * x * y },
    Truth { name: "1 + 0.2·x^2·log y", terms: &["x^2·log y"], cost: |x, y| 1.0 + 0.2 * x * x * y.log2() },
    Truth { name: "100 + 40·x + 3·y^2", terms: &["x", "y^2"], cost: |x, y| 100.0 + 40.0 * x + 3.0 * y * y },
    Truth { name: "7·x·log x·y", terms: &["x log x·y"], cost: |x, y| 7.0 * x * x.log2() * y },
];

/// A design: the points to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Design {
    /// All combinations of 4 to 7 levels of each feature.
    Factorial,
    /// Thirty points, evenly spread on a logarithmic scale.
    Random,
    /// One feature at a time, from a point in the middle; seven levels each.
    Star,
}

impl Design {
    pub(crate) const ALL: [Self; 3] = [Self::Factorial, Self::Random, Self::Star];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Factorial => "factorial",
            Self::Random => "random",
            Self::Star => "star",
        }
    }

    fn points(self, column: u64, noise: &mut Noise) -> Vec<[f64; 2]> {
        let levels = |count: u64| (0..count as i32).map(|i| 4.0 * 2_f64.powi(i)).collect::<Vec<_>>();
        match self {
            Self::Factorial => {
                let (x, y) = (levels(4 + column % 4), levels(4 + column / 4 % 4));
                x.iter().flat_map(|&x| y.iter().map(move |&y| [x, y])).collect()
            }
            Self::Random => {
                let mut value = || 4.0 * 2_f64.powf(6.0 * noise.uniform());
                (0..30).map(|_| [value().round(), value().round()]).collect()
            }
            Self::Star => {
                let all = levels(7);
                let middle = all[3];
                let along = all.iter().map(|&x| [x, middle]);
                along.chain(all.iter().filter(|y| **y != middle).map(|&y| [middle, y])).collect()
            }
        }
    }
}

/// Standard deviations of log cost.
pub(crate) const NOISES: [f64; 3] = [0.0, 0.02, 0.05];

/// A column of costs at points.
pub(crate) struct Instance {
    pub(crate) points: Vec<[f64; 2]>,
    pub(crate) costs: Vec<f64>,
    /// Ten times the largest value of each feature.
    pub(crate) far: [f64; 2],
    /// The true cost at `far`, without noise.
    pub(crate) far_cost: f64,
}

impl Instance {
    pub(crate) fn new(truth: &Truth, design: Design, sigma: f64, column: u64) -> Self {
        let mut noise = Noise(column);
        let points = design.points(column, &mut noise);
        let cost = |[x, y]: &[f64; 2]| ((truth.cost)(*x, *y) * (sigma * noise.normal()).exp()).round();
        let costs = points.iter().map(cost).collect();
        let far = [0, 1].map(|j| 10.0 * points.iter().map(|point| point[j]).fold(0.0, f64::max));
        Self { costs, far, far_cost: (truth.cost)(far[0], far[1]), points }
    }

    /// Returns the study as text: two features and a function.
    pub(crate) fn text(&self) -> String {
        let row = |name: &str, values: &mut dyn Iterator<Item = f64>| {
            values.fold(name.to_owned(), |mut row, value| {
                let _ = write!(row, " {value}");
                row
            })
        };
        let feature = |j: usize| self.points.iter().map(move |point| point[j]);
        let rows = [
            row("x:", &mut feature(0)),
            row("y:", &mut feature(1)),
            row("work.c:5:work:", &mut self.costs.iter().copied()),
        ];
        rows.join("\n")
    }
}

/// Seeded random numbers: SplitMix64.
struct Noise(u64);

impl Noise {
    /// Returns a number between 0 and 1.
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (((mixed ^ (mixed >> 31)) >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }

    /// Returns a standard normal number, by Box and Muller.
    fn normal(&mut self) -> f64 {
        let radius = (-2.0 * self.uniform().ln()).sqrt();
        radius * (std::f64::consts::TAU * self.uniform()).cos()
    }
}
