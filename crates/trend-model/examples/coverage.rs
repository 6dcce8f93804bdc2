//! Measures how often nominal 95 % intervals of power laws contain the truth, by method, number of points and kind of
//! scatter.
//!
//! ```text
//! cargo run --release -p trend-model --example coverage -- [DATA SETS PER CELL]
//! ```
//!
//! Writes Markdown tables. The random data are seeded.
#![expect(clippy::print_stdout, reason = "the tables are what this program is for")]

#[path = "simulation/draw.rs"]
mod draw;

use draw::Draw;
use trend_model::{Axes, Interval, Resamples, intervals, nearest_rank, percentile_intervals};

const POINTS: [usize; 4] = [10, 30, 100, 1000];

/// Standard deviation of the logarithm of the cost around the law.
const SPREAD: f64 = 0.2;

/// Decades of sizes: 100 to 100,000.
const DECADES: f64 = 3.0;

/// The law whose parameters the intervals should hold.
const COEFFICIENT: f64 = 3.0;
const EXPONENT: f64 = 1.4;

#[derive(Clone, Copy)]
enum Scatter {
    Even,
    Growing,
    HeavyTailed,
    Skewed,
    Uniform,
}

impl Scatter {
    const ALL: [(Self, &'static str); 5] = [
        (Self::Even, "lognormal"),
        (Self::Growing, "growing threefold"),
        (Self::HeavyTailed, "heavy-tailed"),
        (Self::Skewed, "skewed"),
        (Self::Uniform, "uniform"),
    ];

    /// Draws an error of mean 0; `position` is 0 at the smallest and 1 at the largest size.
    fn draw(self, draw: &mut Draw, position: f64) -> f64 {
        match self {
            Self::Even => draw.normal(),
            Self::Growing => draw.normal() * (0.5 + position),
            // Student's t with 5 degrees of freedom.
            Self::HeavyTailed => {
                let squares: f64 = (0..5).map(|_| draw.normal().powi(2)).sum();
                draw.normal() / (squares / 5.0).sqrt()
            }
            Self::Skewed => -draw.between(0.0, 1.0).ln() - 1.0,
            Self::Uniform => draw.between(-1.0, 1.0),
        }
    }
}

fn main() {
    let data_sets = std::env::args().nth(1).and_then(|a| a.parse().ok()).unwrap_or(4000);
    println!("| method | scatter | points | exponent | coefficient | at 2× | at 10× |");
    println!("|---|---|---:|---:|---:|---:|---:|");
    for (scatter, name) in Scatter::ALL {
        for points in POINTS {
            row("robust", name, points, data_sets, scatter);
        }
    }
    for points in POINTS {
        row("percentile", "lognormal", points, data_sets / 2, Scatter::Even);
    }
}

fn row(method: &str, name: &str, points: usize, data_sets: u64, scatter: Scatter) {
    let mut held = [0; 4];
    let resamples = (method == "percentile").then(|| Resamples::new(points, 1000, 1));
    for seed in 0..data_sets {
        for (count, is_held) in held.iter_mut().zip(trial(points, seed, scatter, resamples.as_ref())) {
            *count += u32::from(is_held);
        }
    }
    let percent = held.map(|count| format!("{:.1}", 100.0 * f64::from(count) / data_sets as f64));
    println!("| {method} | {name} | {points} | {} |", percent.join(" | "));
}

/// Returns, for one data set, whether each interval contains the truth: exponent, coefficient, and predictions at 2 and
/// 10 times the 95th percentile of the sizes.
fn trial(points: usize, seed: u64, scatter: Scatter, resamples: Option<&Resamples>) -> [bool; 4] {
    let mut draw = Draw::new(seed);
    let truth = |x: f64| COEFFICIENT * x.powf(EXPONENT);
    let positions: Vec<f64> = (0..points).map(|_| draw.between(0.0, 1.0)).collect();
    let x: Vec<f64> = positions.iter().map(|p| 100.0 * 10f64.powf(DECADES * p)).collect();
    let cost = |(x, position): (&f64, &f64)| truth(*x) * (SPREAD * scatter.draw(&mut draw, *position)).exp();
    let y: Vec<f64> = x.iter().zip(&positions).map(cost).collect();
    let f95 = nearest_rank(&x, 0.95).unwrap_or(1.0);
    let at = [2.0 * f95, 10.0 * f95];
    let intervals = match resamples {
        Some(resamples) => percentile_intervals(resamples, Axes::LogLog, &x, &[&y], &at, 0.95).remove(0),
        None => intervals(Axes::LogLog, &x, &y, &at, 0.95),
    };
    let Ok(intervals) = intervals else { return [false; 4] };
    let holds = |interval: &Interval, value: f64| interval.contains(value);
    [
        holds(&intervals.b, EXPONENT),
        holds(&intervals.a, COEFFICIENT),
        holds(&intervals.predictions[0], truth(at[0])),
        holds(&intervals.predictions[1], truth(at[1])),
    ]
}
