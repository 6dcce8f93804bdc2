//! Fits the law of peak memory to lines of numbers: first the size to predict at, then pairs of size and bytes, one
//! pair per run. Prints the prediction, the ends of its interval and the law's shape, or `none`.
//! `benches/run.py memory-law` compares it with real programs.
//!
//! ```text
//! echo 1e6 1e3 2e6 2e3 2.5e6 4e3 3.4e6 8e3 5.2e6 16e3 9e6 | cargo run --release -p trend-model --example memory_law
//! ```
#![expect(clippy::print_stdout, reason = "the law is what this program is for")]

use std::io::{self, BufRead as _};

use trend_model::MemoryLaw;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for line in io::stdin().lock().lines() {
        let numbers = line?.split_whitespace().map(str::parse).collect::<Result<Vec<f64>, _>>()?;
        let Some((at, runs)) = numbers.split_first() else { continue };
        let mut runs: Vec<(f64, f64)> = runs.chunks_exact(2).map(|run| (run[0], run[1])).collect();
        runs.sort_by(|a, b| a.0.total_cmp(&b.0));
        let Some(law) = MemoryLaw::fit(&runs) else {
            println!("none");
            continue;
        };
        let (bytes, [low, high]) = law.outlook(*at);
        println!("{bytes} {low} {high} {:?}", law.shape);
    }
    Ok(())
}
