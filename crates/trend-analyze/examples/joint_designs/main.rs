//! Measures how often laws in two features are right, by truth, design and noise, on seeded columns.
//!
//! ```text
//! cargo run --release -p trend-analyze --example joint_designs -- [COLUMNS] [--dump | --instead]
//! ```
#![expect(clippy::print_stdout, reason = "the table is what this program is for")]

mod designs;
mod judge;

use designs::{Design, Instance, NOISES, TRUTHS, Truth};
use judge::{Judged, Worth, judge};
use trend_analyze::{Options, analyze};
use trend_profile::Study;

/// Number of columns per cell by default.
const COLUMNS: u64 = 20;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |option: &str| arguments.iter().any(|argument| argument == option);
    let columns = arguments.iter().find_map(|argument| argument.parse().ok()).unwrap_or(COLUMNS);
    if has("--dump") {
        each_cell(|truth, design, noise| dump(truth, design, noise, columns));
        return;
    }
    println!("| cost | design | noise | right, % | terms, % | near, % | undecided, % | interval holds, % |");
    println!("|---|---|---:|---:|---:|---:|---:|---:|");
    each_cell(|truth, design, noise| {
        let instances = (0..columns).map(|column| Instance::new(truth, design, noise, column));
        let judged: Vec<Judged> = instances
            .map(|instance| {
                let judged = judge(truth, &instance);
                if has("--instead") && !judged.is_right() {
                    println!("  {} runs, {judged:?}: {}", instance.costs.len(), formula(&instance));
                }
                judged
            })
            .collect();
        let share = |is: fn(&Judged) -> bool| {
            100.0 * judged.iter().filter(|judged| is(judged)).count() as f64 / judged.len() as f64
        };
        println!(
            "| {} | {} | {:.0} % | {:.0} | {:.0} | {:.0} | {:.0} | {:.0} |",
            truth.name,
            design.name(),
            100.0 * noise,
            share(|judged| judged.is_right()),
            share(|judged| judged.has_terms),
            share(|judged| judged.far == Worth::Near),
            share(|judged| !judged.is_decided),
            share(|judged| judged.far != Worth::Missed),
        );
    });
}

/// Returns the law of the whole as a formula.
fn formula(instance: &Instance) -> String {
    let study = Study::from_text(&instance.text()).expect("the text is a study");
    let findings = analyze(&study, &Options::default()).expect("it can be analysed");
    findings.total.law().map(|law| law.formula()).unwrap_or_default()
}

fn each_cell(mut visit: impl FnMut(&Truth, Design, f64)) {
    for truth in &TRUTHS {
        for design in Design::ALL {
            for noise in NOISES {
                visit(truth, design, noise);
            }
        }
    }
}

/// Prints the columns of a cell as JSON, one per line, for other tools.
fn dump(truth: &Truth, design: Design, noise: f64, columns: u64) {
    for column in 0..columns {
        let instance = Instance::new(truth, design, noise, column);
        let line = serde_json::json!({
            "truth": truth.name, "terms": truth.terms, "design": design.name(), "noise": noise,
            "points": instance.points, "costs": instance.costs, "far": instance.far, "far_cost": instance.far_cost,
        });
        println!("{line}");
    }
}
