//! The recovery matrix: the rate of right, undecided and wrong growth verdicts on seeded random data.
//!
//! ```text
//! cargo run --release -p trend-model --example recovery -- [INSTANCES] [FIRST] [--dump] [--instead]
//! ```
//!
//! Instances are numbered; the priors were tuned on numbers below 400. Writes Markdown tables. With `--dump`, writes
//! the instances instead, one JSON object per line, for the peers in `benches/models`.
#![expect(clippy::print_stdout, reason = "the tables are what this program is for")]

#[path = "../simulation/draw.rs"]
mod draw;
#[path = "../simulation/matrix.rs"]
mod matrix;

use std::time::{Duration, Instant};

use matrix::{Condition, Instance, instance};
use trend_model::{Growth, GrowthClass, LOG_AS_EXPONENT, growth};

/// Factor by which a cost at ten times the largest size must be wrong if a verdict near a class misled.
const MATTERS: f64 = 1.3;

#[derive(Clone, Default)]
struct Cell {
    right: usize,
    with_truth: usize,
    without: usize,
    wrong: usize,
    covered: usize,
    first: usize,
    near: usize,
    near_wrong: usize,
    instead: std::collections::BTreeMap<String, usize>,
}

impl Cell {
    fn add(&mut self, class: GrowthClass, instance: &Instance, verdict: &Growth) {
        let named: Vec<GrowthClass> = verdict.named().iter().map(|fit| fit.class).collect();
        let is_named = named.contains(&class);
        self.first += usize::from(verdict.best().class == class);
        match (verdict.decided, is_named) {
            (true, true) => self.right += 1,
            (false, true) => self.with_truth += 1,
            (false, false) => self.without += 1,
            (true, false) => self.wrong += 1,
        }
        if let Some(near) = verdict.near {
            let distance = (near.term().pace() - class.term().pace()).abs();
            let ratio = verdict.law().cost(&[10.0 * instance.x[instance.x.len() - 1]]).unwrap_or(0.0)
                / instance.at_ten_times;
            let is_right = distance <= 1.001 * LOG_AS_EXPONENT && (1.0 / MATTERS..MATTERS).contains(&ratio);
            self.near += usize::from(is_right);
            self.near_wrong += usize::from(!is_right);
        }
        if !(verdict.decided && is_named) {
            *self.instead.entry(verdict.verdict()).or_default() += 1;
        }
        let x = instance.x[instance.x.len() - 1] * 10.0;
        let truth = instance.at_ten_times;
        let covered = verdict
            .predict_interval(x, 0.95)
            .is_ok_and(|interval| interval.lo * (1.0 - 1e-6) <= truth && truth <= interval.hi * (1.0 + 1e-6));
        self.covered += usize::from(covered);
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut numbers = arguments.iter().filter_map(|a| a.parse::<u64>().ok());
    let instances = numbers.next().unwrap_or(200);
    let first = numbers.next().unwrap_or(0);
    if arguments.iter().any(|a| a == "--dump") {
        dump(first..first + instances);
        return;
    }
    let mut time = Duration::ZERO;
    let mut slowest = Duration::ZERO;
    let mut cells = vec![Cell::default(); 80];
    for (row, &class) in GrowthClass::NAMED.iter().enumerate() {
        for &condition in &Condition::ALL {
            for number in first..first + instances {
                let instance = instance(class, condition, number);
                let start = Instant::now();
                let verdict = growth(&instance.x, &instance.y);
                let elapsed = start.elapsed();
                time += elapsed;
                slowest = slowest.max(elapsed);
                let cell = &mut cells[row * 8 + condition as usize];
                match verdict {
                    Ok(verdict) => cell.add(class, &instance, &verdict),
                    Err(_) => cell.wrong += 1,
                }
            }
        }
    }
    let percent = |count: usize| 100.0 * count as f64 / instances as f64;
    table("Right, in per cent", &cells, |cell| format!("{:.1}", percent(cell.right)));
    table("With the truth among the named", &cells, |cell| format!("{:.1}", percent(cell.with_truth)));
    table("Decided right, or near the truth", &cells, |cell| {
        format!("{:.1}", percent(cell.right + cell.near))
    });
    table("Near another class, or wrong by more than 30 % at ten times", &cells, |cell| {
        format!("{:.1}", percent(cell.near_wrong))
    });
    table("The truth has most support, decided or not", &cells, |cell| format!("{:.1}", percent(cell.first)));
    table("Undecided without the truth, and wrong", &cells, |cell| {
        format!("{:.1} + {:.1}", percent(cell.without), percent(cell.wrong))
    });
    table("95 % intervals at ten times the largest size that hold the truth", &cells, |cell| {
        format!("{:.1}", percent(cell.covered))
    });
    let covered: usize = cells.iter().map(|cell| cell.covered).sum();
    println!("Coverage at ten times over the whole matrix: {:.1} %.", percent(covered) / 80.0);
    let worst = cells.iter().map(|cell| cell.wrong + cell.without).max().unwrap_or(0);
    let right: usize = cells.iter().map(|cell| cell.right).sum();
    println!(
        "Right {:.1} %; wrong or without in the worst cell {:.1} %.",
        percent(right) / 80.0,
        percent(worst)
    );
    println!("{:?} per verdict, {slowest:?} at most.", time / (80 * instances as u32));
    if arguments.iter().any(|a| a == "--instead") {
        for (i, cell) in cells.iter().enumerate() {
            let mut instead: Vec<_> = cell.instead.iter().collect();
            instead.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
            let class = GrowthClass::NAMED[i / 8];
            println!("{class} | {}: {:?}", Condition::ALL[i % 8].name(), &instead[..instead.len().min(6)]);
        }
    }
}

fn table(title: &str, cells: &[Cell], text: impl Fn(&Cell) -> String) {
    println!("### {title}\n");
    println!("| class | {} |", Condition::ALL.map(Condition::name).join(" | "));
    println!("|---|{}", "---:|".repeat(8));
    for (class, row) in GrowthClass::NAMED.iter().zip(cells.chunks(8)) {
        println!("| {class} | {} |", row.iter().map(&text).collect::<Vec<_>>().join(" | "));
    }
    println!();
}

/// Prints one JSON object per line: class, condition, x, y.
fn dump(numbers: std::ops::Range<u64>) {
    let list = |values: &[f64]| values.iter().map(|v| format!("{v:?}")).collect::<Vec<_>>().join(", ");
    for &class in &GrowthClass::NAMED {
        for &condition in &Condition::ALL {
            for number in numbers.clone() {
                let Instance { x, y, .. } = instance(class, condition, number);
                println!(
                    r#"{{"class": "{class}", "condition": "{}", "number": {number}, "x": [{}], "y": [{}]}}"#,
                    condition.name(),
                    list(&x),
                    list(&y)
                );
            }
        }
    }
}
