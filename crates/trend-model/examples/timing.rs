//! Measures the median time per growth verdict by number of points, and per joint model of three features.
//!
//! ```text
//! cargo run --release -p trend-model --example timing
//! ```
#![expect(clippy::print_stdout, reason = "the table is what this program is for")]

#[path = "simulation/draw.rs"]
mod draw;

use std::time::Instant;

use draw::Draw;
use trend_model::{growth, joint_growth};

fn main() {
    println!("| what | points | ms |");
    println!("|---|---:|---:|");
    for points in [10, 30, 100, 300, 785, 3000] {
        let mut draw = Draw::new(points as u64);
        let rows: Vec<(Vec<f64>, Vec<f64>)> = (0..100).map(|row| study(&mut draw, points, row)).collect();
        let growth_time = |(x, y): &(Vec<f64>, Vec<f64>)| time(|| growth(x, y).is_ok());
        println!("| growth | {points} | {:.2} |", median(rows.iter().map(growth_time).collect()));
    }
    for points in [30, 785] {
        let mut draw = Draw::new(1);
        let (x, y) = study(&mut draw, points, 3);
        let (z, _) = study(&mut draw, points, 3);
        let (w, _) = study(&mut draw, points, 3);
        let features: [&[f64]; 3] = [&x, &z, &w];
        let model =
            joint_growth(&features, &y).map(|m| m.law.sums[0].formula(&["x", "y", "z"])).unwrap_or_default();
        let times = (0..20).map(|_| time(|| joint_growth(&features, &y).is_ok())).collect();
        println!("| joint, {model} | {points} | {:.1} |", median(times));
    }
}

/// Returns the milliseconds that an answer takes.
fn time(answer: impl FnOnce() -> bool) -> f64 {
    let start = Instant::now();
    assert!(answer(), "there is an answer");
    start.elapsed().as_secs_f64() * 1e3
}

/// Returns the median, which other work on the machine changes little.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Draws sizes over three decades, and costs with startup, one of five powers and 10 % noise.
fn study(draw: &mut Draw, points: usize, row: u64) -> (Vec<f64>, Vec<f64>) {
    let exponent = 0.5 * (row % 5) as f64;
    let x: Vec<f64> = (0..points).map(|_| 10f64.powf(draw.between(1.0, 4.0)).round()).collect();
    let y =
        x.iter().map(|x| ((100.0 + 3.0 * x.powf(exponent)) * (0.1 * draw.normal()).exp()).round()).collect();
    (x, y)
}
