//! Measures the growth verdicts against programs of many kinds whose growth is known.
//!
//! ```text
//! cargo run --release -p trend-model --example judge -- [COLUMNS A CELL] [FIRST SEED] [--groups] [--units] [GROUP…]
//! ```
//!
//! Prints these columns per cell, in per cent: intervals at ten times the largest size that contain the expected cost;
//! their median width as a logarithm; verdicts that are right, wrong, undecided without the truth, and wrongly *not
//! superlinear*. For hidden squares, two more columns count those whose share now, and whose cost at ten times, is at
//! most the one in the verdict. A second table shows how often a support is right. With `--units`, it also prints how
//! often a verdict stays the same in another unit of the size, and how often it then names none of the same classes.
#![expect(clippy::print_stdout, reason = "the tables are what this program is for")]

#[path = "../simulation/draw.rs"]
mod draw;
#[path = "../simulation/harder.rs"]
mod harder;
#[path = "../simulation/shapes.rs"]
mod shapes;

mod algorithms;
mod programs;

use std::collections::BTreeMap;

use programs::Program;
use trend_model::{GrowthClass, growth};

/// Counts over a cell or a group of cells.
#[derive(Clone, Default)]
struct Score {
    columns: usize,
    covered: usize,
    widths: Vec<f64>,
    right: usize,
    wrong: usize,
    lost: usize,
    denied: usize,
    /// Hidden squares: all; those whose share is at most the one in the verdict; those whose cost at ten times is at
    /// most the verdict's.
    hidden: [usize; 3],
    in_other_units: usize,
    same: usize,
    contradicted: usize,
    /// Bins of [`SUPPORTS`], by the support of the best class: sum of the supports, right verdicts, all verdicts.
    supports: [(f64, usize, usize); 5],
}

/// Lower bounds of the bins of support.
const SUPPORTS: [f64; 5] = [0.8, 0.85, 0.9, 0.95, 0.98];

/// Units of the size; no verdict should depend on them.
const UNITS: [f64; 3] = [1e-3, 1024.0, 0.25];

impl Score {
    fn add(&mut self, program: &Program, units: &[f64]) {
        self.columns += 1;
        let Ok(verdict) = growth(&program.x, &program.y) else { return };
        let at = 10.0 * program.x[program.x.len() - 1];
        if let Ok(interval) = verdict.predict_interval(at, 0.95) {
            let slack = 1e-6 * program.at_ten_times;
            let holds =
                interval.lo - slack <= program.at_ten_times && program.at_ten_times <= interval.hi + slack;
            self.covered += usize::from(holds);
            self.widths.push((interval.hi / interval.lo).ln());
        }
        let is_named = verdict.named().iter().any(|fit| program.truth.is(fit.class));
        match (verdict.decided, is_named) {
            (true, true) => self.right += 1,
            (true, false) => self.wrong += 1,
            (false, false) => self.lost += 1,
            (false, true) => {}
        }
        self.denied += usize::from(program.truth.is_superlinear() && verdict.is_superlinear() == Some(false));
        if let Some(share) = program.hidden {
            let y = program.at_ten_times / (10.0 * (1.0 - share) + 100.0 * share);
            let hidden_square = verdict.may_hide().filter(|hidden| hidden.class == GrowthClass::Quadratic);
            // If the verdict itself has a square, nothing is hidden.
            if verdict.named().iter().all(|fit| fit.class < GrowthClass::Quadratic) {
                let most = hidden_square.map_or(0.0, |hidden| hidden.share);
                let law = verdict.best();
                let at_most = (1.0 - most) * law.predict(at) + most * 100.0 * law.predict(at / 10.0);
                self.hidden[0] += 1;
                self.hidden[1] += usize::from(most >= share);
                self.hidden[2] += usize::from(at_most >= (10.0 * (1.0 - share) + 100.0 * share) * y);
            }
        }
        let best = verdict.best();
        if program.hidden.is_none()
            && let Some(bin) = SUPPORTS.iter().rposition(|from| best.support >= *from)
        {
            let (sum, right, all) = self.supports[bin];
            let is_right = usize::from(program.truth.is(best.class));
            self.supports[bin] = (sum + best.support, right + is_right, all + 1);
        }
        for unit in units.iter().filter(|_| !program.truth.explodes()) {
            let x: Vec<f64> = program.x.iter().map(|x| x * unit).collect();
            self.in_other_units += 1;
            let Ok(other) = growth(&x, &program.y) else { continue };
            let is_named = |class: GrowthClass| verdict.named().iter().any(|fit| fit.class == class);
            self.same += usize::from(other.verdict() == verdict.verdict());
            self.contradicted += usize::from(!other.named().iter().any(|fit| is_named(fit.class)));
        }
    }

    fn merge(&mut self, other: &Self) {
        self.columns += other.columns;
        self.covered += other.covered;
        self.widths.extend_from_slice(&other.widths);
        self.right += other.right;
        self.wrong += other.wrong;
        self.lost += other.lost;
        self.denied += other.denied;
        for (own, other) in self.hidden.iter_mut().zip(other.hidden) {
            *own += other;
        }
        self.in_other_units += other.in_other_units;
        self.same += other.same;
        self.contradicted += other.contradicted;
        for (own, other) in self.supports.iter_mut().zip(other.supports) {
            *own = (own.0 + other.0, own.1 + other.1, own.2 + other.2);
        }
    }

    fn row(&self, name: &str) -> String {
        let mut widths = self.widths.clone();
        widths.sort_by(f64::total_cmp);
        let width = widths.get(widths.len() / 2).copied().unwrap_or(f64::NAN);
        let percent = |count: usize| 100.0 * count as f64 / self.columns as f64;
        let [covered, right, wrong, lost, denied] =
            [self.covered, self.right, self.wrong, self.lost, self.denied].map(percent);
        let of_hidden = |count: usize| match self.hidden[0] {
            0 => String::new(),
            all => format!("{:.0}", 100.0 * count as f64 / all as f64),
        };
        let [_, share, cost] = self.hidden.map(of_hidden);
        format!(
            "| {name} | {covered:.0} | {width:.2} | {right:.0} | {wrong:.1} | {lost:.1} | {denied:.1} | {share} | {cost} |"
        )
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut numbers = arguments.iter().filter_map(|a| a.parse::<u64>().ok());
    let columns = numbers.next().unwrap_or(96);
    let first = numbers.next().unwrap_or(0);
    let only_groups = arguments.iter().any(|a| a == "--groups");
    let units: &[f64] = if arguments.iter().any(|a| a == "--units") { &UNITS } else { &[] };
    let chosen_groups: Vec<&String> =
        arguments.iter().filter(|a| a.parse::<u64>().is_err() && !a.starts_with("--")).collect();
    println!("| cell | covered | width | right | wrong | lost | denied | share | cost |");
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|");
    let mut groups: BTreeMap<&str, (Score, f64)> = BTreeMap::new();
    let mut all = Score::default();
    for (number, cell) in programs::cells().into_iter().chain(algorithms::cells()).enumerate() {
        if !chosen_groups.is_empty() && !chosen_groups.iter().any(|w| *w == cell.group) {
            continue;
        }
        let mut score = Score::default();
        for column in 0..columns {
            score.add(&(cell.program)(first + 1000 * number as u64 + column * 1_000_003), units);
        }
        if !only_groups {
            println!("{}", score.row(&cell.name));
        }
        all.merge(&score);
        let lowest = 100.0 * score.covered as f64 / score.columns as f64;
        let (group, least) = groups.entry(cell.group).or_insert((Score::default(), 100.0));
        group.merge(&score);
        *least = least.min(lowest);
    }
    for (name, (score, lowest)) in &groups {
        println!("{}", score.row(&format!("**{name}** (lowest {lowest:.0})")));
    }
    println!("{}", all.row("**all**"));
    println!("\n| support | mean | right | columns |\n|---|---:|---:|---:|");
    for (from, (sum, right, count)) in SUPPORTS.iter().zip(all.supports) {
        let percent = |value: f64| 100.0 * value / count as f64;
        println!("| from {from} | {:.1} | {:.1} | {count} |", percent(sum), percent(right as f64));
    }
    if all.in_other_units > 0 {
        let part = |count: usize| 100.0 * count as f64 / all.in_other_units as f64;
        println!(
            "\nThe same in another unit: {:.1} %; other classes: {:.1} %.",
            part(all.same),
            part(all.contradicted)
        );
    }
}
