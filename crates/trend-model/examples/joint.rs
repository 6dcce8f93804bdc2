//! Measures how often models in several features are right, on seeded random data.
//!
//! ```text
//! cargo run --release -p trend-model --example joint -- [INSTANCES]
//! ```
#![expect(clippy::print_stdout, reason = "the table is what this program is for")]

#[path = "simulation/draw.rs"]
mod draw;

use draw::Draw;
use trend_model::{JointModel, LawSum, LawTerm, joint_growth};

/// Number of workloads in a data set.
const POINTS: usize = 40;

/// A program: its name, the terms that must be found, and its cost at features x, y and z.
type Program = (&'static str, &'static [&'static str], fn([f64; 3]) -> f64);

const PROGRAMS: [Program; 12] = [
    ("x·y", &["x·y"], |[x, y, _]| 3.0 * x * y),
    ("x + y", &["x", "y"], |[x, y, _]| 3.0 * x + 30.0 * y),
    ("x + y^2", &["x", "y^2"], |[x, y, _]| 30.0 * x + 3.0 * y * y),
    ("x·log y", &["x·log y"], |[x, y, _]| 3.0 * x * y.log2()),
    ("x^2·y", &["x^2·y"], |[x, y, _]| 0.5 * x * x * y),
    ("x·y + x", &["x·y", "x"], |[x, y, _]| x * y + 300.0 * x),
    ("x·y·z", &["x·y·z"], |[x, y, z]| 0.5 * x * y * z),
    ("min(x, y)", &["min(x, y)"], |[x, y, _]| 30.0 * x.min(y)),
    ("min(x, 10·y)", &["?"], |[x, y, _]| 30.0 * x.min(10.0 * y)),
    ("x^2/y", &["x^2/y"], |[x, y, _]| 3.0 * x * x / y),
    ("max(x, 10·y)", &["?"], |[x, y, _]| 30.0 * x.max(10.0 * y)),
    ("x^2, with y without part", &["x^2"], |[x, _, _]| 0.5 * x * x),
];

fn main() {
    let instances = std::env::args().nth(1).and_then(|a| a.parse().ok()).unwrap_or(200);
    println!(
        "| cost | noise | right, % | decided for others, % | undecided, % | within 25 % at ten times both, % |"
    );
    println!("|---|---:|---:|---:|---:|---:|");
    for (name, terms, cost) in PROGRAMS {
        for noise in [0.0, 0.05, 0.2] {
            let (mut right, mut wrong, mut near) = (0, 0, 0);
            for seed in 0..instances {
                let mut draw = Draw::new(seed);
                let features: [Vec<f64>; 3] = [(1.0, 4.0), (1.0, 3.0), (1.0, 3.0)].map(|(from, to)| {
                    (0..POINTS).map(|_| 10f64.powf(draw.between(from, to)).round()).collect()
                });
                let [x, y, z] = &features;
                let costs: Vec<f64> = (0..POINTS)
                    .map(|i| ((500.0 + cost([x[i], y[i], z[i]])) * (noise * draw.normal()).exp()).round())
                    .collect();
                let used = if name.contains('z') { 3 } else { 2 };
                let columns: Vec<&[f64]> = features[..used].iter().map(Vec::as_slice).collect();
                let Ok(model) = joint_growth(&columns, &costs) else { continue };
                let is_right =
                    feature_terms(&model) == sorted(terms.iter().map(ToString::to_string).collect());
                right += u64::from(is_right);
                wrong += u64::from(!is_right && model.decided);
                let far = [1e5, 1e4, 1e4];
                near += u64::from(
                    (model.law.cost(&far[..used]).unwrap_or(f64::NAN) / cost(far) - 1.0).abs() < 0.25,
                );
            }
            let share = |count: u64| 100.0 * count as f64 / instances as f64;
            println!(
                "| {name} | {noise} | {:.1} | {:.1} | {:.1} | {:.1} |",
                share(right),
                share(wrong),
                share(instances - right - wrong),
                share(near)
            );
        }
    }
}

/// Returns the terms that have a feature, without their coefficients.
fn feature_terms(model: &JointModel) -> Vec<String> {
    let term = |term: &LawTerm| {
        let one = LawTerm { coefficient: 1.0, ..term.clone() };
        LawSum { weight: 1.0, class: None, terms: vec![one], from: 0.0 }.formula(&["x", "y", "z"])
    };
    let terms = &model.law.sums[0].terms;
    sorted(terms.iter().filter(|term| !term.factors.is_empty()).map(term).collect())
}

fn sorted(mut terms: Vec<String>) -> Vec<String> {
    terms.sort();
    terms
}
