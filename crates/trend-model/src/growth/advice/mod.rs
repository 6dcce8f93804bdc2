//! Finds further runs that would decide a verdict. This module knows nothing about how long runs take, except for the
//! costs that the caller passes in.
//!
//! ```text
//!   plan: sizes, inputs each ─┐
//!   for every named class, taken as the truth:
//!       the points ∪ that model's costs at the plan's sizes, with its scatter ─▶ verdict ─▶ decided for that class?
//! ```
//!
//! The advice is the cheapest plan under which every named class would be decided if it were the truth. So the plan
//! decides whatever the truth is, as long as the truth is among the named classes. Larger sizes are preferred to all
//! others that distinguish the models equally well: growth shows at large sizes, and programs follow their models best
//! there. Further sizes grow by factors; if the cost may double with every unit, they grow by units.

pub(crate) mod plans;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use self::plans::{FurtherRuns, Growing, plans};
use crate::growth::candidates::growth_fit::GrowthFit;
use crate::growth::verdict::{Growth, growth};
use crate::laws::class::{GrowthClass, Term};
use crate::models::log_points::is_usable;

/// Number of times that a plan's runs are drawn for each class that may be the truth.
const DRAWS: usize = 5;

/// Maximum number of these draws for which the verdict may come out undecided or wrong.
const MOST_FAILURES: usize = 1;

/// Maximum number of verdicts that are tried for one advice. They take some 50 ms. Among plans of a kind, the
/// expensive ones are tried last.
const MOST_VERDICTS: usize = 150;

/// Maximum number of points that take part. More add little to the effect of further runs, and take longer.
const MOST_POINTS: usize = 100;

/// Standard deviation of log cost from which no size distinguishes the classes. Runs of one size then differ too
/// much, because of another feature.
const SCATTERED: f64 = 0.7;

/// Minimum part of the support that a plan must decide to be worth its cost. A plan that decides all of it is
/// preferred.
const WORTHWHILE: f64 = 0.5;

/// Maximum difference between the exponents of a free class and its neighbour at which they count as the same class.
const SAME_EXPONENT: f64 = 0.1;

/// Maximum difference between the logarithms of two bases at which they count as the same class, as a part of the
/// logarithm.
const SAME_BASE: f64 = 0.05;

/// Scatter below which all draws are equal.
const EXACT: f64 = 1e-9;

/// Limits on the further runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    /// Largest possible size, if there is one.
    pub largest: Option<f64>,
    /// Budget for the total cost of all runs together, in the unit of the costs.
    pub cost: f64,
    /// True if another input of the same size may have a different cost, although no size was run twice. If false,
    /// several inputs of a size are advised only if runs of one size differ already.
    pub other_inputs: bool,
    /// Seed of the draws.
    pub seed: u64,
}

/// Runs that would decide a verdict, or the best available ones.
#[derive(Clone, Debug, PartialEq)]
pub struct DecidingRuns {
    /// Sizes, ascending. They have one or two significant digits, and are integers if all sizes so far are.
    pub sizes: Vec<f64>,
    /// Number of distinct inputs of each size.
    pub inputs: usize,
    /// True if the runs are expected to decide, whichever of the named classes is the true one.
    pub decides: bool,
    /// Expected cost of one run at each of the sizes, averaged over the named classes.
    pub costs: Vec<f64>,
}

/// Reason why no further runs are advised.
#[derive(Clone, Debug, PartialEq)]
pub enum NotDecidable {
    /// Costs scatter so widely around every class that sizes cannot distinguish them.
    Scatter {
        /// Largest ratio of two costs at one size; 1 if every size was run once.
        factor: f64,
        /// Number of runs of that size.
        runs: usize,
    },
    /// The outcomes of all runs within reach would be too similar.
    OutOfReach,
}

/// Returns the cheapest further runs that would decide an undecided verdict on `(x, y)`. Larger sizes are preferred if
/// they decide.
///
/// `total_cost` returns the total cost of a run, given a size and the cost that the verdict expects there. The total is
/// limited by `reach` and ranks the plans. A total below the second argument is raised to it.
///
/// The result is deterministic for a seed. More than one input per size is advised only if runs of one size differ, or
/// may differ.
///
/// - Time: up to 150 verdicts on at most some 130 points.
///
/// # Errors
///
/// [`NotDecidable`] gives the reason why there is no advice.
pub fn deciding_runs(
    x: &[f64],
    y: &[f64],
    growth: &Growth,
    reach: &Reach,
    total_cost: &dyn Fn(f64, f64) -> f64,
) -> Result<DecidingRuns, NotDecidable> {
    let study = Study::new(x, y);
    if growth.best().spread >= SCATTERED {
        return Err(study.scatter());
    }
    let candidates = plans(&study.x, study.varies(reach.other_inputs), growing(growth), reach.largest);
    let price = |x: f64| {
        let own = expected(growth, x);
        total_cost(x, own).max(own)
    };
    let priced = candidates.into_iter().map(|plan| {
        let costs: Vec<f64> = plan.sizes.iter().map(|&x| price(x)).collect();
        Priced { cost: plan.inputs as f64 * costs.iter().sum::<f64>(), costs, plan }
    });
    let mut priced: Vec<Priced> = priced.filter(|p| p.cost.is_finite() && p.cost <= reach.cost).collect();
    priced.sort_by(|p, q| q.plan.is_larger.cmp(&p.plan.is_larger).then(p.cost.total_cmp(&q.cost)));

    let mut trial = Trial { study: &study, draws: ChaCha8Rng::seed_from_u64(reach.seed), verdicts: 0 };
    let named: f64 = growth.named().iter().map(|fit| fit.support).sum();
    let mut best: Option<(f64, DecidingRuns)> = None;
    for Priced { plan, costs, .. } in priced {
        if trial.verdicts >= MOST_VERDICTS {
            break;
        }
        let support = trial.support_decided(growth, &plan) / named;
        let decides = support > 1.0 - 1e-9;
        let runs = DecidingRuns { sizes: plan.sizes, inputs: plan.inputs, decides, costs };
        if decides {
            return Ok(runs);
        }
        if support >= WORTHWHILE && best.as_ref().is_none_or(|(most, _)| support > *most) {
            best = Some((support, runs));
        }
    }
    let why = if growth.best().spread > SCATTERED / 3.0 { study.scatter() } else { NotDecidable::OutOfReach };
    best.map(|(_, runs)| runs).ok_or(why)
}

/// A plan with the cost of one run at each of its sizes, and the total cost.
struct Priced {
    cost: f64,
    costs: Vec<f64>,
    plan: FurtherRuns,
}

/// Returns the possible growth of the cost. It follows from the fastest exploding class among the named ones, and
/// from whether all of them explode.
fn growing(growth: &Growth) -> Growing {
    let mut exploding = growth.named().iter().filter(|fit| fit.class.term().explodes());
    let all = growth.named().len() == exploding.clone().count();
    let fastest =
        exploding.next().map(|first| exploding.fold(first, |p, q| if q.class > p.class { q } else { p }));
    // Uses the fitted term, because the base of a class is rounded.
    let term =
        fastest.and_then(|fit| fit.terms.first()).map(|(_, term)| *term).filter(|term| term.explodes());
    match term {
        Some(term) if all => Growing::Exploding(term),
        Some(term) => Growing::Either(term),
        None => Growing::Powers,
    }
}

/// Returns the expected cost of one run at size `x`, averaged over the named classes by their support.
fn expected(growth: &Growth, x: f64) -> f64 {
    let cost = |fit: &GrowthFit| fit.support * fit.predict(x).max(0.0);
    let support: f64 = growth.named().iter().map(|fit| fit.support).sum();
    growth.named().iter().map(cost).sum::<f64>() / support
}

/// The points on which verdicts are tried.
struct Study {
    /// Sizes, ascending.
    x: Vec<f64>,
    y: Vec<f64>,
    is_count: bool,
}

impl Study {
    fn new(x: &[f64], y: &[f64]) -> Self {
        let mut points: Vec<(f64, f64)> =
            x.iter().copied().zip(y.iter().copied()).filter(|&(x, y)| is_usable(x, y)).collect();
        points.sort_by(|p, q| p.0.total_cmp(&q.0).then(p.1.total_cmp(&q.1)));
        if points.len() > MOST_POINTS {
            let last = points.len() - 1;
            points = (0..MOST_POINTS).map(|i| points[i * last / (MOST_POINTS - 1)]).collect();
        }
        let is_count = points.iter().all(|(_, y)| y.fract() == 0.0);
        let (x, y) = points.into_iter().unzip();
        Self { x, y, is_count }
    }

    /// Returns the costs of each size.
    fn groups(&self) -> impl Iterator<Item = &[f64]> {
        let mut begin = 0;
        self.x.chunk_by(|p, q| p == q).map(move |group| {
            begin += group.len();
            &self.y[begin - group.len()..begin]
        })
    }

    /// Returns true if runs of one size differ; returns `unknown` if no size was run twice.
    fn varies(&self, unknown: bool) -> bool {
        let mut repeated = self.groups().filter(|y| y.len() > 1).peekable();
        (unknown && repeated.peek().is_none()) || repeated.any(|y| y[0] < y[y.len() - 1])
    }

    fn scatter(&self) -> NotDecidable {
        let ratios = self.groups().map(|y| (y[y.len() - 1] / y[0], y.len()));
        let (factor, runs) = ratios.max_by(|p, q| p.0.total_cmp(&q.0)).unwrap_or((1.0, 1));
        NotDecidable::Scatter { factor, runs }
    }
}

/// Tries verdicts on drawn outcomes of further runs.
struct Trial<'a> {
    study: &'a Study,
    draws: ChaCha8Rng,
    verdicts: usize,
}

impl Trial<'_> {
    /// Returns the support of the named classes that the plan's runs would decide, if they were the truth.
    fn support_decided(&mut self, growth: &Growth, plan: &FurtherRuns) -> f64 {
        growth.named().iter().filter(|truth| self.is_decided(truth, plan)).map(|truth| truth.support).sum()
    }

    fn is_decided(&mut self, truth: &GrowthFit, plan: &FurtherRuns) -> bool {
        let mut failures = 0;
        let draws = if truth.spread < EXACT { 1 } else { DRAWS };
        for _ in 0..draws {
            failures += usize::from(!self.is_decided_once(truth, plan));
            if failures > MOST_FAILURES.min(draws - 1) {
                return false;
            }
        }
        true
    }

    fn is_decided_once(&mut self, truth: &GrowthFit, plan: &FurtherRuns) -> bool {
        let (mut x, mut y) = (self.study.x.clone(), self.study.y.clone());
        for &size in &plan.sizes {
            for _ in 0..plan.inputs {
                let cost = truth.predict(size) * (truth.spread * self.normal()).exp();
                x.push(size);
                y.push(if self.study.is_count { cost.round() } else { cost });
            }
        }
        self.verdicts += 1;
        // A model that goes below 0 cannot be the truth there. An outcome that cannot be fitted decides nothing.
        let verdict = growth(&x, &y).ok();
        verdict.is_some_and(|verdict| verdict.decided && is_same(verdict.best().class, truth.class))
    }

    /// Draws a standard normal number, by Box and Muller.
    fn normal(&mut self) -> f64 {
        let mut uniform = || (f64::from(self.draws.next_u32()) + 0.5) / 4_294_967_296.0;
        let radius = (-2.0 * uniform().ln()).sqrt();
        radius * (std::f64::consts::TAU * uniform()).cos()
    }
}

/// Returns true if two classes are the same, or if one is free and has nearly the exponent of the other.
fn is_same(estimate: GrowthClass, truth: GrowthClass) -> bool {
    let is_free = |class| matches!(class, GrowthClass::Free { .. } | GrowthClass::FreeExponential { .. });
    match (estimate.term(), truth.term()) {
        (Term::Power { exponent: b, log: l }, Term::Power { exponent: c, log: m })
            if is_free(estimate) || is_free(truth) =>
        {
            (b - c).abs() <= SAME_EXPONENT && l == m
        }
        (Term::Exponential { base: b }, Term::Exponential { base: c }) => {
            (b.ln() / c.ln() - 1.0).abs() <= SAME_BASE
        }
        _ => estimate == truth,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::noise::Noise;

    const REACH: Reach = Reach { largest: None, cost: 1e15, other_inputs: true, seed: 1 };
    const ALONE: fn(f64, f64) -> f64 = |_, own| own;

    fn spaced(count: i32, from: f64, decades: f64) -> Vec<f64> {
        (0..count)
            .map(|i| (from * 10f64.powf(decades * f64::from(i) / (f64::from(count) - 1.0))).round())
            .collect()
    }

    /// A program's cost law, and its noise.
    struct Program {
        class: GrowthClass,
        startup: f64,
        lower: f64,
        noise: f64,
    }

    impl Program {
        fn random(seed: u64) -> (Self, Vec<f64>, Noise) {
            let mut noise = Noise::new(seed);
            let class = GrowthClass::NAMED[1 + (noise.uniform() * 8.0) as usize];
            let x = spaced(6 + (noise.uniform() * 5.0) as i32, 50.0, 1.0 + noise.uniform());
            let smallest = class.term().value(x[0]);
            let startup = 20.0 * noise.uniform() * smallest;
            let lower = 3.0 * noise.uniform() * smallest / x[0].sqrt();
            let scatter = if seed.is_multiple_of(3) { 0.0 } else { 0.06 };
            (Self { class, startup, lower, noise: scatter }, x, noise)
        }

        fn costs(&self, x: &[f64], noise: &mut Noise) -> Vec<f64> {
            let lower = if self.class <= GrowthClass::SquareRoot { 0.0 } else { self.lower };
            let cost = |n: f64| 50.0 * (self.startup + lower * n.sqrt() + self.class.term().value(n));
            noise.costs(x, self.noise, cost).into_iter().map(f64::round).collect()
        }
    }

    #[test]
    fn whoever_follows_the_advice_gets_the_verdict() {
        let (mut advised, mut decided, mut wrong, mut hopeless) = (0, 0, 0, 0);
        for seed in 0..150 {
            let (program, mut x, mut noise) = Program::random(seed);
            let mut y = program.costs(&x, &mut noise);
            let before = growth(&x, &y).unwrap();
            if before.decided {
                continue;
            }
            let Ok(runs) = deciding_runs(&x, &y, &before, &REACH, &ALONE) else {
                hopeless += 1;
                continue;
            };
            if !runs.decides {
                continue;
            }
            let further: Vec<f64> = runs.sizes.iter().flat_map(|&n| vec![n; runs.inputs]).collect();
            y.extend(program.costs(&further, &mut noise));
            x.extend(further);
            let after = growth(&x, &y).unwrap();
            advised += 1;
            decided += usize::from(after.decided);
            wrong += usize::from(after.decided && !is_same(after.best().class, program.class));
        }
        // Measured: 10, 10 and 0. A small part that grows faster than a line is rarely ruled out with certainty.
        assert!(advised >= 9, "{advised} advised, {hopeless} hopeless");
        assert!(decided * 100 >= advised * 80, "{decided} of {advised}");
        assert_eq!(wrong, 0, "of {advised}");
    }

    #[test]
    fn the_advice_is_the_cheapest_that_decides_and_within_reach() {
        let x = spaced(6, 100.0, 1.3);
        // The first program with an undecided verdict that further runs would decide.
        let decidable = |seed| {
            let y = Noise::new(seed).costs(&x, 0.01, |n| 30_000.0 + n * n.log2());
            let verdict = growth(&x, &y).unwrap();
            let free = deciding_runs(&x, &y, &verdict, &REACH, &ALONE).ok()?;
            (!verdict.decided && free.decides).then_some((y, verdict, free))
        };
        let (y, verdict, free) = (0..100).find_map(decidable).unwrap();
        assert!(free.sizes.is_sorted() && free.inputs >= 1, "{free:?}");
        assert!(free.sizes.iter().all(|n| n.fract() == 0.0), "{free:?}");
        let bound = Reach { largest: Some(free.sizes[0] - 1.0), ..REACH };
        let near = deciding_runs(&x, &y, &verdict, &bound, &ALONE);
        assert!(near.as_ref().unwrap().sizes.iter().all(|n| *n < free.sizes[0]), "{near:?}");
        let price = |runs: &DecidingRuns| runs.inputs as f64 * runs.costs.iter().sum::<f64>();
        let cost = price(&free);
        // Cheaper advice has smaller sizes, or does not decide.
        let poor = Reach { cost: cost * 0.99, ..REACH };
        let is_smaller = |runs: &DecidingRuns| !runs.decides || runs.sizes[0] < free.sizes[0];
        let cheaper = deciding_runs(&x, &y, &verdict, &poor, &ALONE).ok();
        assert!(cheaper.is_none_or(|runs| price(&runs) <= poor.cost && is_smaller(&runs)), "{free:?}");
        // The same program, with ten times as much work outside of this cost.
        let besides = |_: f64, own: f64| 11.0 * own;
        let poor = Reach { cost: cost * 10.9, ..REACH };
        let cheaper = deciding_runs(&x, &y, &verdict, &poor, &besides).ok();
        assert!(cheaper.is_none_or(|runs| price(&runs) <= poor.cost && is_smaller(&runs)), "{free:?}");
        let total = deciding_runs(&x, &y, &verdict, &REACH, &besides).unwrap();
        assert!((total.costs[0] / free.costs[0] - 11.0).abs() < 1e-9 && total.sizes == free.sizes);
        assert_eq!(free, deciding_runs(&x, &y, &verdict, &REACH, &ALONE).unwrap());
    }

    #[test]
    fn scatter_that_no_size_overcomes_is_named() {
        let x: Vec<f64> = spaced(8, 100.0, 1.0).into_iter().flat_map(|n| [n; 3]).collect();
        let mut noise = Noise::new(3);
        let y: Vec<f64> = x.iter().map(|n| n * 10f64.powf(2.0 * noise.uniform())).collect();
        let verdict = growth(&x, &y).unwrap();
        let why = deciding_runs(&x, &y, &verdict, &REACH, &ALONE).unwrap_err();
        let NotDecidable::Scatter { factor, runs } = why else { panic!("{why:?}") };
        assert!(factor > 5.0 && runs == 3, "{factor} {runs}");
    }

    #[test]
    fn exact_costs_are_not_asked_for_twice() {
        let x: Vec<f64> = spaced(5, 10.0, 0.5).into_iter().flat_map(|n| [n; 2]).collect();
        let y: Vec<f64> = x.iter().map(|n| (1000.0 + n.sqrt()).round()).collect();
        let verdict = growth(&x, &y).unwrap();
        assert!(!verdict.decided, "{}", verdict.verdict());
        assert!(deciding_runs(&x, &y, &verdict, &REACH, &ALONE).is_ok_and(|runs| runs.inputs == 1));
    }
}
