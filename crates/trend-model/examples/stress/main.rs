//! Measures growth verdicts on data that the priors were not set on: harder instances, scattered costs, shapes that are
//! not sums of terms, and exponentials with bases other than 2.
//!
//! ```text
//! cargo run --release -p trend-model --example stress -- harder|scattered|shapes|exponentials [INSTANCES] [FIRST] [--instead]
//! ```
//!
//! Writes Markdown tables. The random data are seeded.
#![expect(clippy::print_stdout, reason = "the tables are what this program is for")]

#[path = "../simulation/draw.rs"]
mod draw;
#[path = "../simulation/exponentials.rs"]
mod exponentials;
#[path = "../simulation/harder.rs"]
mod harder;
#[path = "../simulation/scattered.rs"]
mod scattered;
#[path = "../simulation/shapes.rs"]
mod shapes;

use std::collections::BTreeMap;

use scattered::Scatter;
use shapes::Shape;
use trend_model::{Growth, GrowthClass, growth};

/// Counts of the verdicts in a cell.
#[derive(Clone, Default)]
struct Cell {
    right: usize,
    named: usize,
    wrong: usize,
    first: usize,
    covered: usize,
    instead: BTreeMap<String, usize>,
}

impl Cell {
    fn add(&mut self, class: GrowthClass, verdict: &Growth) {
        let is_named = verdict.named().iter().any(|fit| fit.class == class);
        self.first += usize::from(verdict.best().class == class);
        match (verdict.decided, is_named) {
            (true, true) => self.right += 1,
            (_, true) => self.named += 1,
            (_, false) => {
                self.wrong += 1;
                *self.instead.entry(verdict.verdict()).or_default() += 1;
            }
        }
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut numbers = arguments.iter().filter_map(|a| a.parse::<u64>().ok());
    let instances = numbers.next().unwrap_or(200);
    let first = numbers.next().unwrap_or(0);
    let range = first..first + instances;
    let shows_instead = arguments.iter().any(|a| a == "--instead");
    let has_flag = |name: &str| arguments.iter().any(|a| a == name);
    if has_flag("harder") {
        let names: Vec<String> = (0..9)
            .map(|c| {
                let (share, factor) = harder::OUTLIERS[c % 3];
                format!("{}, {} % ×{factor}", harder::COUNTS[c / 3], 100.0 * share)
            })
            .collect();
        let cell = |row: usize, column: usize| {
            let mut cell = Cell::default();
            for number in range.clone() {
                let instance = harder::instance(row, column, number);
                let Ok(verdict) = growth(&instance.x, &instance.y) else { continue };
                cell.add(GrowthClass::NAMED[row], &verdict);
                let at = 10.0 * instance.x[instance.x.len() - 1];
                let holds = |truth: f64| {
                    let slack = 1e-6 * truth;
                    verdict
                        .predict_interval(at, 0.95)
                        .is_ok_and(|i| i.lo - slack <= truth && truth <= i.hi + slack)
                };
                cell.covered += usize::from(holds(instance.at_ten_times));
            }
            cell
        };
        tables(&names, 10, cell, instances, shows_instead, true);
    }
    if has_flag("scattered") {
        let names: Vec<String> = Scatter::ALL.iter().map(|s| s.name().to_owned()).collect();
        let cell = |row: usize, column: usize| {
            let mut cell = Cell::default();
            for number in range.clone() {
                let class = GrowthClass::NAMED[row];
                let (x, y) = scattered::program(class, Scatter::ALL[column], number);
                if let Ok(verdict) = growth(&x, &y) {
                    cell.add(class, &verdict);
                }
            }
            cell
        };
        tables(&names, 9, cell, instances, shows_instead, false);
    }
    if has_flag("shapes") {
        of_shapes(range.clone(), shows_instead);
    }
    if has_flag("exponentials") {
        of_exponentials(range, shows_instead);
    }
}

fn tables(
    columns: &[String],
    rows: usize,
    cell: impl Fn(usize, usize) -> Cell,
    instances: u64,
    shows_instead: bool,
    has_truth: bool,
) {
    let cells: Vec<Vec<Cell>> =
        (0..rows).map(|row| (0..columns.len()).map(|column| cell(row, column)).collect()).collect();
    let percent = |count: usize| 100.0 * count as f64 / instances as f64;
    println!("Right + undecided with the truth / wrong or without the truth, in per cent.\n");
    println!("| class | {} |", columns.join(" | "));
    println!("|---|{}", "---:|".repeat(columns.len()));
    for (class, row) in GrowthClass::NAMED.iter().zip(&cells) {
        let text = |cell: &Cell| {
            format!("{:.0} + {:.0} / {:.1}", percent(cell.right), percent(cell.named), percent(cell.wrong))
        };
        println!("| {class} | {} |", row.iter().map(text).collect::<Vec<_>>().join(" | "));
    }
    let all = || cells.iter().flatten();
    let sum = |count: fn(&Cell) -> usize| percent(all().map(count).sum()) / all().count() as f64;
    println!(
        "\nOver all: right {:.1}, most support {:.1}, wrong {:.2}; worst cell {:.1}.",
        sum(|c| c.right),
        sum(|c| c.first),
        sum(|c| c.wrong),
        percent(all().map(|c| c.wrong).max().unwrap_or(0))
    );
    if has_truth {
        let lowest = all().map(|c| c.covered).min().unwrap_or(0);
        println!(
            "At ten times, 95 % intervals hold the truth in {:.1}; lowest cell {:.1}.",
            sum(|c| c.covered),
            percent(lowest)
        );
    }
    if shows_instead {
        for (class, row) in GrowthClass::NAMED.iter().zip(&cells) {
            for (name, cell) in columns.iter().zip(row) {
                let mut instead: Vec<_> = cell.instead.iter().collect();
                instead.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
                if cell.wrong > 0 {
                    println!("{class} | {name}: {:?}", &instead[..instead.len().min(5)]);
                }
            }
        }
    }
    println!();
}

fn of_shapes(numbers: std::ops::Range<u64>, shows_instead: bool) {
    println!("Superlinear: true, undecided, false, in per cent, by noise.\n");
    println!("| shape | none | 1 % | 5 % |");
    println!("|---|---:|---:|---:|");
    let instances = (numbers.end - numbers.start) as f64;
    for shape in Shape::ALL {
        let mut instead: BTreeMap<String, usize> = BTreeMap::new();
        let cell = |noise: f64| {
            let mut counts = [0usize; 3];
            for number in numbers.clone() {
                let (x, y, _) = shapes::program(shape, noise, number);
                let verdict = growth(&x, &y);
                let answer = verdict.as_ref().ok().and_then(Growth::is_superlinear);
                counts[match answer {
                    Some(true) => 0,
                    None => 1,
                    Some(false) => 2,
                }] += 1;
                if answer == Some(!shape.is_superlinear()) {
                    *instead.entry(verdict.map_or(String::new(), |v| v.verdict())).or_default() += 1;
                }
            }
            counts.map(|count| format!("{:.1}", 100.0 * count as f64 / instances)).join(" / ")
        };
        println!("| {shape:?} | {} |", [0.0, 0.01, 0.05].map(cell).join(" | "));
        if shows_instead && !instead.is_empty() {
            let mut instead: Vec<_> = instead.iter().collect();
            instead.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
            println!("    {:?}", &instead[..instead.len().min(8)]);
        }
    }
    println!();
}

fn of_exponentials(numbers: std::ops::Range<u64>, shows_instead: bool) {
    println!(
        "Right + undecided with the truth / wrong or without the truth; 95 % intervals at one and a half times"
    );
    println!("the largest size that hold the truth. In per cent, by noise.\n");
    println!("| base | none | 3 % | 5 % |");
    println!("|---|---:|---:|---:|");
    let percent = |count: usize| 100.0 * count as f64 / (numbers.end - numbers.start) as f64;
    for base in exponentials::BASES {
        let mut instead = Vec::new();
        let cell = |noise: f64| {
            let mut cell = Cell::default();
            for number in numbers.clone() {
                let program = exponentials::program(base, noise, number);
                let Ok(verdict) = growth(&program.x, &program.y) else { continue };
                match (exponentials::is_named(&verdict, base), verdict.decided) {
                    (true, true) => cell.right += 1,
                    (true, false) => cell.named += 1,
                    (false, _) => {
                        cell.wrong += 1;
                        instead.push(verdict.verdict());
                    }
                }
                let (at, truth) = program.further;
                let slack = 1e-6 * truth;
                let interval = verdict.predict_interval(at, 0.95);
                cell.covered +=
                    usize::from(interval.is_ok_and(|i| i.lo - slack <= truth && truth <= i.hi + slack));
            }
            let [right, named, wrong, covered] =
                [cell.right, cell.named, cell.wrong, cell.covered].map(percent);
            format!("{right:.1} + {named:.1} / {wrong:.1}; {covered:.1}")
        };
        println!("| {base:.4} | {} |", exponentials::NOISES.map(cell).join(" | "));
        if shows_instead {
            println!("    {:?}", &instead[..instead.len().min(12)]);
        }
    }
    println!();
}
