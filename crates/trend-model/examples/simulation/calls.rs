//! Routines whose calls scatter, at sizes with very unequal numbers of calls.

use trend_model::Scattered;

use crate::draw::Draw;

/// Number of sizes, from 10 to 10,000.
const SIZES: i32 = 15;
const SMALLEST: f64 = 10.0;
const DECADES: f64 = 3.0;

/// Factor from the largest size to the predicted one.
pub(crate) const MORE: f64 = 10.0;

/// Number of calls up to which each call is drawn. The sum of more calls is drawn as one normal number.
const EACH: u64 = 2000;

/// Average cost of the calls of a size.
pub(crate) struct CostLaw {
    /// The class as verdicts write it.
    pub(crate) class: &'static str,
    pub(crate) cost: fn(f64) -> f64,
    /// The exponent, if the law is a power.
    pub(crate) exponent: Option<f64>,
}

pub(crate) const LAWS: [CostLaw; 4] = [
    CostLaw { class: "n", cost: |n| 40.0 * n, exponent: Some(1.0) },
    CostLaw { class: "n log n", cost: |n| 20.0 * n * n.log2(), exponent: None },
    CostLaw { class: "n^1.5", cost: |n| 30.0 * n.powf(1.5), exponent: Some(1.5) },
    CostLaw { class: "n^2", cost: |n| 3.0 * n * n, exponent: Some(2.0) },
];

/// Number of calls per size: 1 to 100,000.
#[derive(Clone, Copy)]
pub(crate) enum Counts {
    /// Independent of the size.
    Unequal,
    /// More calls for smaller sizes, as in divide and conquer.
    Falling,
    /// More calls for larger sizes.
    Rising,
}

impl Counts {
    pub(crate) const ALL: [Self; 3] = [Self::Unequal, Self::Falling, Self::Rising];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Unequal => "1 to 100,000, any size",
            Self::Falling => "100,000 down to 1",
            Self::Rising => "1 up to 100,000",
        }
    }

    /// Returns the number of calls; `position` is 0 at the smallest size and 1 at the largest.
    fn at(self, draw: &mut Draw, position: f64) -> u64 {
        let logarithm = match self {
            Self::Unequal => 5.0 * draw.between(0.0, 1.0),
            Self::Falling => 5.0 * (1.0 - position),
            Self::Rising => 5.0 * position,
        };
        10_f64.powf(logarithm).round() as u64
    }
}

/// Scatter of the calls of one size.
#[derive(Clone, Copy)]
pub(crate) enum Scatter {
    /// Lognormal scatter of 50 % at every size.
    Even,
    /// As [`Self::Even`], and the mean of each size deviates from the law by another 5 %.
    AndSizes,
    /// One call in ten costs six times as much as the others: a scatter of 100 %.
    Rare,
    /// Scatter of 100 % at the smallest size and 10 % at the largest.
    Shrinking,
}

impl Scatter {
    pub(crate) const ALL: [Self; 4] = [Self::Even, Self::AndSizes, Self::Rare, Self::Shrinking];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Even => "50 %",
            Self::AndSizes => "50 %, and 5 % by size",
            Self::Rare => "one in ten six times",
            Self::Shrinking => "100 % down to 10 %",
        }
    }

    /// Returns the standard deviation of a call's cost, as a part of the mean.
    fn relative(self, position: f64) -> f64 {
        match self {
            Self::Even | Self::AndSizes => 0.5,
            Self::Rare => 1.0,
            Self::Shrinking => 0.1_f64.powf(position),
        }
    }

    /// Draws a call's cost, as a multiple of the mean.
    fn draw(self, draw: &mut Draw, position: f64) -> f64 {
        if let Self::Rare = self {
            return if draw.between(0.0, 1.0) < 0.1 { 4.0 } else { 2.0 / 3.0 };
        }
        let variance = self.relative(position).powi(2).ln_1p();
        (variance.sqrt() * draw.normal() - variance / 2.0).exp()
    }
}

/// The calls of a routine, one point per size.
pub(crate) struct Calls {
    pub(crate) sizes: Vec<f64>,
    pub(crate) points: Vec<Scattered>,
}

impl Calls {
    pub(crate) fn draw(seed: u64, law: &CostLaw, counts: Counts, scatter: Scatter) -> Self {
        let mut draw = Draw::new(seed);
        let (mut sizes, mut points) = (Vec::new(), Vec::new());
        for i in 0..SIZES {
            let position = f64::from(i) / f64::from(SIZES - 1);
            let size = (SMALLEST * 10_f64.powf(DECADES * position)).round();
            let of_size = match scatter {
                Scatter::AndSizes => (0.05 * draw.normal()).exp(),
                _ => 1.0,
            };
            let mean = (law.cost)(size) * of_size;
            let count = counts.at(&mut draw, position);
            let mut point = Scattered { count, min: f64::INFINITY, max: 0.0, sum: 0.0, sum_of_squares: 0.0 };
            for _ in 0..count.min(EACH) {
                let cost = (mean * scatter.draw(&mut draw, position)).round();
                point.min = point.min.min(cost);
                point.max = point.max.max(cost);
                point.sum += cost;
                point.sum_of_squares += cost * cost;
            }
            if count > EACH {
                let relative = scatter.relative(position);
                let all = count as f64;
                let average = mean * (1.0 + relative * draw.normal() / all.sqrt());
                point.sum = average * all;
                point.sum_of_squares = all * (average * average + (relative * mean).powi(2));
            }
            sizes.push(size);
            points.push(point);
        }
        Self { sizes, points }
    }

    pub(crate) fn means(&self) -> Vec<f64> {
        self.points.iter().map(Scattered::mean).collect()
    }
}
