//! Measures verdicts on the costs of calls by their size, with sizes as programs have them: gaps, one call that is most
//! of the cost, many small calls and few large ones, a law that holds from a threshold on.
//!
//! ```text
//! cargo run --release -p trend-model --example calls -- [INSTANCES]
//! ```
//!
//! *Held* is how often the expected cost of the largest call is in the 95 % interval of the verdict on the others.
#![expect(clippy::print_stdout, reason = "the table is what this program is for")]

#[path = "simulation/draw.rs"]
mod draw;

use draw::Draw;
use trend_model::growth;

type Law = (&'static str, fn(f64) -> f64);

const LAWS: [Law; 6] = [
    ("n", |n| 3.0 * n + 20.0),
    ("n log n", |n| 2.0 * n * n.log2() + 10.0),
    ("n^1.5", |n| n.powf(1.5) + 30.0),
    ("n^2", |n| 1.5 * n * n + 10.0),
    ("n^2", |n| n * n + 300.0 * n),
    ("n^3", |n| 0.1 * n.powi(3) + 5.0 * n),
];

/// Returns the sizes of one program, ascending.
type Sizes = (&'static str, fn(&mut Draw) -> Vec<f64>);

const SIZES: [Sizes; 5] = [
    ("even", |draw| between(draw, 40, 8.0, 5000.0)),
    ("gap", |draw| [between(draw, 30, 4.0, 120.0), between(draw, 12, 4000.0, 9000.0)].concat()),
    ("one large call", |draw| [between(draw, 60, 4.0, 600.0), vec![8000.0]].concat()),
    ("heavy tail", |draw| {
        let sizes = (0..200).map(|_| {
            let size: f64 = 8.0 * draw.between(1e-3, 1.0).powf(-0.9);
            size.round()
        });
        ascending(sizes.collect())
    }),
    ("doubling", |_| (2..14).map(|i| 2f64.powi(i)).collect()),
];

fn between(draw: &mut Draw, count: usize, low: f64, high: f64) -> Vec<f64> {
    let size = |_| (low * (high / low).powf(draw.between(0.0, 1.0))).round();
    ascending((0..count).map(size).collect())
}

fn ascending(mut sizes: Vec<f64>) -> Vec<f64> {
    sizes.sort_by(f64::total_cmp);
    sizes.dedup();
    sizes
}

#[derive(Default)]
struct Cell {
    right: usize,
    undecided: usize,
    wrong: usize,
    held: usize,
}

fn main() {
    let instances: u64 = std::env::args().nth(1).and_then(|a| a.parse().ok()).unwrap_or(50);
    println!("| sizes | scatter | right, % | undecided, % | wrong, % | held, % |");
    println!("|---|---:|---:|---:|---:|---:|");
    for (sizes, make) in SIZES {
        for scatter in [0.0, 0.05, 0.2] {
            let mut cell = Cell::default();
            for (law, (class, cost)) in LAWS.iter().enumerate() {
                for instance in 0..instances {
                    let mut draw = Draw::new(1000 * instance + law as u64);
                    let x = make(&mut draw);
                    let y: Vec<f64> = x
                        .iter()
                        .map(|&n| (cost(n) * (scatter * draw.normal()).exp()).round().max(1.0))
                        .collect();
                    add(&mut cell, class, &x, &y, *cost);
                }
            }
            let all = (instances * LAWS.len() as u64) as f64;
            let share = |count: usize| 100.0 * count as f64 / all;
            println!(
                "| {sizes} | {scatter} | {:.1} | {:.1} | {:.1} | {:.1} |",
                share(cell.right),
                share(cell.undecided),
                share(cell.wrong),
                share(cell.held)
            );
        }
    }
}

fn add(cell: &mut Cell, class: &str, x: &[f64], y: &[f64], cost: fn(f64) -> f64) {
    let Ok(verdict) = growth(x, y) else { return };
    let is_right = verdict.best().class.to_string() == class;
    match (verdict.decided, is_right) {
        (true, true) => cell.right += 1,
        (true, false) => cell.wrong += 1,
        (false, _) => cell.undecided += 1,
    }
    let last = x.len() - 1;
    let Ok(interval) =
        growth(&x[..last], &y[..last]).and_then(|without| without.predict_interval(x[last], 0.95))
    else {
        return;
    };
    cell.held += usize::from((interval.lo.floor()..=interval.hi.ceil()).contains(&cost(x[last])));
}
