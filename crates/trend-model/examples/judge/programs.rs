//! Programs whose growth is known, with their costs at random sizes: the yardstick for growth verdicts. This module
//! judges nothing.

use trend_model::{GrowthClass, Term};

use crate::draw::Draw;
use crate::shapes::{self, Shape};

/// Correct verdicts on a program.
#[derive(Clone, Debug)]
pub(crate) enum Truth {
    /// Any of these classes.
    Class(Vec<GrowthClass>),
    /// A power whose exponent is right within 0.1.
    Exponent(f64),
}

impl Truth {
    pub(crate) fn is(&self, class: GrowthClass) -> bool {
        match self {
            Self::Class(classes) => classes.contains(&class),
            Self::Exponent(truth) => match class.term() {
                Term::Power { exponent, log } => {
                    (exponent + if log { 0.1 } else { 0.0 } - truth).abs() < 0.1 + 1e-9
                }
                _ => false,
            },
        }
    }

    /// Returns true for exponentials: another unit of the size would be another base.
    pub(crate) fn explodes(&self) -> bool {
        matches!(self, Self::Class(classes) if classes.iter().any(|class| class.term().explodes()))
    }

    pub(crate) fn is_superlinear(&self) -> bool {
        match self {
            Self::Class(classes) => classes.iter().any(|class| *class > GrowthClass::Linear),
            Self::Exponent(exponent) => *exponent > 1.0,
        }
    }
}

/// A program's sizes and costs, and the truth about them.
pub(crate) struct Program {
    pub(crate) x: Vec<f64>,
    pub(crate) y: Vec<f64>,
    pub(crate) truth: Truth,
    /// Expected cost at ten times the largest size.
    pub(crate) at_ten_times: f64,
    /// The share of the leading term at the largest size, if it is too small to decide the verdict.
    pub(crate) hidden: Option<f64>,
}

/// Scatter of the costs around their expectation.
#[derive(Clone, Copy)]
pub(crate) enum Errors {
    Lognormal(f64),
    /// Exponential above a floor: skewed, with mean 1.
    Skewed,
    /// A tenth of the runs cost four times as much.
    Minority,
    /// Lognormal of 10 %, with a correlation of 0.8 from size to size.
    Correlated,
}

/// A cell of the table: a kind of program that is drawn from a seed.
pub(crate) struct Cell {
    pub(crate) group: &'static str,
    pub(crate) name: String,
    pub(crate) program: Box<dyn Fn(u64) -> Program>,
}

/// Draws sizes of many kinds: few or many, evenly spaced in the logarithm or not, with or without repetitions.
fn sizes(draw: &mut Draw, least: f64) -> Vec<f64> {
    let count = draw.between(least, 31.0).floor();
    let decades = draw.between(1.5, 4.0);
    let first = 10f64.powf(draw.between(1.0, 2.5));
    let kind = draw.between(0.0, 4.0) as usize;
    let mut positions: Vec<f64> = (0..count as usize)
        .map(|i| {
            let even = i as f64 / (count - 1.0);
            let inner = i > 0 && i + 1 < count as usize;
            if kind == 1 && inner { draw.between(0.0, 1.0) } else { even }
        })
        .collect();
    positions.sort_by(f64::total_cmp);
    let last = first * 10f64.powf(decades);
    let size = |p: f64| match kind {
        2 => first + p * (last.min(100.0 * first) - first),
        _ => first * 10f64.powf(decades * p),
    };
    let mut sizes: Vec<f64> = positions.iter().map(|&p| size(p).round()).collect();
    sizes.dedup();
    if kind == 3 {
        let half: Vec<f64> = sizes.iter().copied().step_by(2).collect();
        if half.len() >= 6 {
            sizes = half.iter().flat_map(|&n| [n, n]).collect();
        }
    }
    sizes
}

fn scattered(draw: &mut Draw, costs: &[f64], errors: Errors) -> Vec<f64> {
    let mut before = draw.normal();
    costs
        .iter()
        .map(|cost| {
            let factor = match errors {
                Errors::Lognormal(sigma) => (sigma * draw.normal()).exp(),
                Errors::Skewed => 0.5 - 0.5 * draw.between(0.0, 1.0).ln(),
                Errors::Minority => {
                    let costly = if draw.between(0.0, 1.0) < 0.1 { 4.0 } else { 1.0 };
                    costly * (0.05 * draw.normal()).exp()
                }
                Errors::Correlated => {
                    before = 0.8 * before + 0.6 * draw.normal();
                    (0.1 * before).exp()
                }
            };
            (cost * factor).round().max(1.0)
        })
        .collect()
}

/// Draws a program from a law, scaled by a random constant that leaves the costs large enough to be counts.
fn draw_program(
    seed: u64,
    truth: Truth,
    errors: Errors,
    law: impl Fn(&mut Draw, &[f64]) -> Box<dyn Fn(f64) -> f64>,
) -> Program {
    let mut draw = Draw::new(seed);
    let x = sizes(&mut draw, if matches!(errors, Errors::Minority) { 20.0 } else { 8.0 });
    let scale = 10f64.powf(draw.between(0.0, 3.0));
    let law = law(&mut draw, &x);
    let costs: Vec<f64> = x.iter().map(|&n| scale * law(n)).collect();
    let y = scattered(&mut draw, &costs, errors);
    let mean = if matches!(errors, Errors::Minority) { 1.3 } else { 1.0 };
    Program { at_ten_times: mean * scale * law(10.0 * x[x.len() - 1]), x, y, truth, hidden: None }
}

fn class(class: GrowthClass) -> Truth {
    Truth::Class(vec![class])
}

/// Returns all cells.
pub(crate) fn cells() -> Vec<Cell> {
    use GrowthClass::{Constant, Linear, Linearithmic, Quadratic};
    let mut cells: Vec<Cell> = Vec::new();
    let mut add = |group, name: String, program: Box<dyn Fn(u64) -> Program>| {
        cells.push(Cell { group, name, program });
    };
    for share in [0.03, 0.1, 0.3, 0.5] {
        let group = if share < 0.1 { "square of 3 %" } else { "square" };
        for noise in [0.01, 0.05, 0.15] {
            let program = move |seed| {
                let law = draw_program(seed, class(Quadratic), Errors::Lognormal(noise), |_, x| {
                    let largest = x[x.len() - 1];
                    Box::new(move |n| (1.0 - share) * n + share * n * n / largest)
                });
                Program { hidden: (share < 0.1).then_some(share), ..law }
            };
            add(group, format!("{share}, {noise}"), Box::new(program));
        }
    }
    let honest: [(GrowthClass, bool); 5] =
        [(Constant, true), (Linear, false), (Linear, true), (Linearithmic, false), (Quadratic, false)];
    for (leading, floor) in honest {
        for noise in [0.01, 0.05, 0.15] {
            let program = move |seed| {
                draw_program(seed, class(leading), Errors::Lognormal(noise), |draw, x| {
                    let startup = if floor { draw.between(0.0, 20.0) * x[0] } else { 0.0 };
                    let grows = leading != Constant;
                    Box::new(move |n| startup + if grows { leading.term().value(n) } else { 1000.0 })
                })
            };
            let group = if leading == Constant { "constant" } else { "honest" };
            let name =
                format!("{leading}{}, {noise}", if floor && leading != Constant { " + c" } else { "" });
            add(group, name, Box::new(program));
        }
    }
    for noise in [0.02, 0.1] {
        for exponent in [0.75, 1.2, 1.35, 1.7, 2.3] {
            let program = move |seed| {
                draw_program(seed, Truth::Exponent(exponent), Errors::Lognormal(noise), |_, _| {
                    Box::new(move |n: f64| n.powf(exponent))
                })
            };
            add("between", format!("n^{exponent}, {noise}"), Box::new(program));
        }
        let capped = move |seed| {
            draw_program(seed, class(Constant), Errors::Lognormal(noise), |draw, x| {
                let place = draw.between(0.2, 0.8);
                let cap = x[0] * (x[x.len() - 1] / x[0]).powf(place);
                Box::new(move |n: f64| n.min(cap))
            })
        };
        add("cap", format!("min(n, K), {noise}"), Box::new(capped));
    }
    for (name, errors) in
        [("skewed", Errors::Skewed), ("minority", Errors::Minority), ("AR 0.8", Errors::Correlated)]
    {
        for leading in [Linear, Linearithmic, Quadratic] {
            let program = move |seed| {
                draw_program(seed, class(leading), errors, |_, _| Box::new(move |n| leading.term().value(n)))
            };
            add(name, format!("{name}: {leading}"), Box::new(program));
        }
    }
    for noise in [0.0, 0.02] {
        let sawtooth = move |seed| {
            draw_program(seed, class(Linear), Errors::Lognormal(noise), |draw, _| {
                let block = 2f64.powf(draw.between(3.0, 7.0)).round();
                Box::new(move |n: f64| (n / block).ceil() * block)
            })
        };
        let doubling = move |seed| {
            draw_program(seed, class(Linear), Errors::Lognormal(noise), |draw, _| {
                let copies = draw.between(0.3, 3.0);
                Box::new(move |n: f64| n + copies * 2f64.powf(n.log2().ceil()))
            })
        };
        let waves = move |seed| {
            draw_program(seed, class(Linear), Errors::Lognormal(noise), |draw, _| {
                let depth = draw.between(0.1, 0.4);
                Box::new(move |n: f64| n * (1.0 + depth * n.log2().fract()))
            })
        };
        add("ragged", format!("padding, {noise}"), Box::new(sawtooth));
        add("ragged", format!("doubling, {noise}"), Box::new(doubling));
        add("ragged", format!("saw-teeth, {noise}"), Box::new(waves));
        for shape in [Shape::Bend, Shape::Window, Shape::Step, Shape::Threshold, Shape::HiddenSquare] {
            let (group, leading) =
                if shape.is_superlinear() { ("square", Quadratic) } else { ("bend", Linear) };
            let program = move |seed| {
                let (x, y, at_ten_times) = shapes::program(shape, noise, seed);
                Program { x, y, truth: class(leading), at_ten_times, hidden: None }
            };
            add(group, format!("{shape:?}, {noise}"), Box::new(program));
        }
    }
    for (row, leading) in GrowthClass::NAMED.into_iter().enumerate() {
        let program = move |seed| {
            let instance = crate::harder::instance(row, seed as usize % 9, seed);
            Program {
                x: instance.x,
                y: instance.y,
                truth: class(leading),
                at_ten_times: instance.at_ten_times,
                hidden: None,
            }
        };
        add("sums", format!("sums: {leading}"), Box::new(program));
    }
    cells
}
