//! Measures the gain from weighing averages by their number of observations. The routines have calls that scatter, at
//! sizes with very unequal numbers of calls.
//!
//! ```text
//! cargo run --release -p trend-model --example weights -- [DATA SETS PER ROW]
//! ```
//!
//! Writes a Markdown table. The random data are seeded.
#![expect(clippy::print_stdout, reason = "the table is what this program is for")]

#[path = "simulation/calls.rs"]
mod calls;
#[path = "simulation/draw.rs"]
mod draw;

use calls::{Calls, Counts, LAWS, MORE, Scatter};
use trend_model::{
    Axes, LineIntervals, PowerLaw, growth, growth_of_averages, intervals, variances_of_averages,
    weighted_intervals, weights_of_averages,
};

/// Results of one way to fit, over all data sets of a row.
#[derive(Default)]
struct Tally {
    right: u32,
    wrong: u32,
    squares: f64,
    exponent_held: u32,
    law_held: u32,
    verdict_held: u32,
}

/// One fit of a data set.
struct Fitted {
    verdict: trend_model::Growth,
    law: PowerLaw,
    intervals: LineIntervals,
}

impl Fitted {
    fn even(x: &[f64], y: &[f64], at: f64) -> Option<Self> {
        Some(Self {
            verdict: growth(x, y).ok()?,
            law: PowerLaw::fit(x, y).ok()?,
            intervals: intervals(Axes::LogLog, x, y, &[at], 0.95).ok()?,
        })
    }

    fn weighted(x: &[f64], y: &[f64], calls: &Calls, at: f64) -> Option<Self> {
        let variances = variances_of_averages(&calls.points);
        let Some(weights) = weights_of_averages(x, y, &variances) else { return Self::even(x, y, at) };
        Some(Self {
            verdict: growth_of_averages(x, y, &variances, usize::MAX).ok()?,
            law: PowerLaw::fit_weighted(x, y, &weights).ok()?,
            intervals: weighted_intervals(Axes::LogLog, x, y, &weights, &[at], 0.95).ok()?,
        })
    }
}

impl Tally {
    fn add(&mut self, fitted: &Fitted, law: &calls::CostLaw, at: f64) {
        let named = fitted.verdict.named();
        let is_named = named.iter().any(|fit| fit.class.to_string() == law.class);
        self.right += u32::from(is_named && fitted.verdict.decided);
        self.wrong += u32::from(!is_named);
        let truth = (law.cost)(at);
        let interval = fitted.verdict.predict_interval(at, 0.95);
        self.verdict_held += u32::from(interval.is_ok_and(|interval| interval.contains(truth)));
        if let Some(exponent) = law.exponent {
            self.squares += (fitted.law.b - exponent).powi(2);
            self.exponent_held += u32::from(fitted.intervals.b.contains(exponent));
            self.law_held += u32::from(fitted.intervals.predictions[0].contains(truth));
        }
    }
}

fn main() {
    let data_sets: u64 = std::env::args().nth(1).and_then(|a| a.parse().ok()).unwrap_or(400);
    println!(
        "| calls at a size | scatter of calls | fit | right | wrong | at 10× | exponent off by | exponent held | law at 10× |"
    );
    println!("|---|---|---|---:|---:|---:|---:|---:|---:|");
    for counts in Counts::ALL {
        for scatter in Scatter::ALL {
            let mut tallies = [Tally::default(), Tally::default()];
            for law in &LAWS {
                for seed in 0..data_sets {
                    let calls = Calls::draw(seed, law, counts, scatter);
                    let (x, y) = (&calls.sizes, &calls.means());
                    let at = MORE * x[x.len() - 1];
                    for (tally, fitted) in
                        tallies.iter_mut().zip([Fitted::even(x, y, at), Fitted::weighted(x, y, &calls, at)])
                    {
                        if let Some(fitted) = fitted {
                            tally.add(&fitted, law, at);
                        }
                    }
                }
            }
            for (tally, name) in tallies.iter().zip(["even", "weighted"]) {
                println!("| {} | {} | {name} | {} |", counts.name(), scatter.name(), cells(tally, data_sets));
            }
        }
    }
}

fn cells(tally: &Tally, data_sets: u64) -> String {
    let percent = |count: u32, laws: usize| 100.0 * f64::from(count) / (data_sets * laws as u64) as f64;
    let powers = LAWS.iter().filter(|law| law.exponent.is_some()).count();
    let all = [tally.right, tally.wrong, tally.verdict_held]
        .map(|count| format!("{:.0}", percent(count, LAWS.len())));
    let held = [tally.exponent_held, tally.law_held].map(|count| format!("{:.0}", percent(count, powers)));
    let error = (tally.squares / (data_sets * powers as u64) as f64).sqrt();
    format!("{} | {error:.3} | {}", all.join(" | "), held.join(" | "))
}
