//! Which further runs would decide a verdict. Says nothing of how long they take, but for the costs that it is told.
//!
//! ```text
//!   plan: sizes, inputs each ─┐
//!   for every class that the verdict names, as the truth:
//!       the points ∪ what that class's model costs at the plan's sizes, with its scatter ─▶ verdict ─▶ decided, for it?
//! ```
//!
//! The cheapest plan under which every named class, were it the true one, would come out decided is the advice: it
//! decides whatever the truth is, as far as the truth is among the named. Larger sizes go before all others, which the
//! models tell apart as well: growth shows far out, and programs follow their models best there. Further is by factors, and of
//! what may double with every unit by units.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::class::{GrowthClass, Term};
use super::growth_fit::GrowthFit;
use super::plans::{FurtherRuns, Growing, plans};
use super::verdict::{Growth, growth};
use crate::power_law::is_usable;

/// Times that runs of a plan are drawn for each class that may be the truth.
const DRAWS: usize = 5;

/// Of these, how often the verdict may fail to come out.
const MOST_FAILURES: usize = 1;

/// Verdicts that are tried for one advice: some 50 ms. Of plans of a kind the costly ones are tried last.
const MOST_VERDICTS: usize = 150;

/// Points that take part; more tell hardly more of what further ones would do, and take longer.
const MOST_POINTS: usize = 100;

/// Standard deviation of log cost from which runs of one size differ by so much that no size tells the classes
/// apart: they are another feature's doing.
const SCATTERED: f64 = 0.7;

/// Support of the classes that have to come out for runs that do not decide in every case to be worth their cost.
const WORTHWHILE: f64 = 0.5;

/// Distance between exponents within which a free class is as good as its neighbour, and the part of the logarithm of a
/// base.
const SAME_EXPONENT: f64 = 0.1;
const SAME_BASE: f64 = 0.05;

/// Scatter below which all draws are the same.
const EXACT: f64 = 1e-9;

/// What further runs can be had.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    /// The largest size, if there is one.
    pub largest: Option<f64>,
    /// What all runs may cost together and in all, in the unit of the costs.
    pub cost: f64,
    /// True if another input of a size may cost something else although no size was run twice; else no more inputs of a size are
    /// advised than differ already.
    pub other_inputs: bool,
    /// Of the draws.
    pub seed: u64,
}

/// Runs that would decide a verdict, or are the best there is.
#[derive(Clone, Debug, PartialEq)]
pub struct DecidingRuns {
    /// Ascending; with one or two significant digits, and whole where all sizes so far are.
    pub sizes: Vec<f64>,
    /// How many different inputs of each.
    pub inputs: usize,
    /// Whether they are expected to decide, whichever of the named classes is the true one.
    pub decides: bool,
    /// What one run costs at each of the sizes, expected over the named classes.
    pub costs: Vec<f64>,
}

/// Why no further runs are advised.
#[derive(Clone, Debug, PartialEq)]
pub enum NotDecidable {
    /// Costs scatter so widely about every class that sizes do not tell them apart.
    Scatter {
        /// The greatest ratio of two costs at one size; 1 where every size was run once.
        factor: f64,
        /// How many runs have that size.
        runs: usize,
    },
    /// No runs within reach would come out differently enough.
    OutOfReach,
}

/// The cheapest further runs that would decide an undecided verdict on `(x, y)`; larger sizes, where they do.
///
/// `whole` says what a run costs in all at a size (the first argument) where these costs are expected to be the second: what
/// is limited, and what makes one plan cheaper than another. Not below the second.
///
/// Deterministic for a seed. Inputs beyond the first are advised only where runs of one size differ, or may.
///
/// - Time: up to 150 verdicts on at most some 130 points.
///
/// # Errors
///
/// [`NotDecidable`] says why there are none.
pub fn deciding_runs(
    x: &[f64],
    y: &[f64],
    growth: &Growth,
    reach: &Reach,
    whole: &dyn Fn(f64, f64) -> f64,
) -> Result<DecidingRuns, NotDecidable> {
    let study = Study::new(x, y);
    if growth.best().spread >= SCATTERED {
        return Err(study.scatter());
    }
    let candidates = plans(&study.x, study.varies(reach.other_inputs), growing(growth), reach.largest);
    let price = |x: f64| {
        let own = expected(growth, x);
        whole(x, own).max(own)
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

/// A plan with what one run costs at each of its sizes, and all of them together.
struct Priced {
    cost: f64,
    costs: Vec<f64>,
    plan: FurtherRuns,
}

/// How the cost may grow: by the fastest of the named classes, and by whether all explode.
fn growing(growth: &Growth) -> Growing {
    let mut exploding = growth.named().iter().filter(|fit| fit.class.term().explodes());
    let all = growth.named().len() == exploding.clone().count();
    let fastest =
        exploding.next().map(|first| exploding.fold(first, |p, q| if q.class > p.class { q } else { p }));
    // The fitted term: the base of a class is rounded.
    let term =
        fastest.and_then(|fit| fit.terms.first()).map(|(_, term)| *term).filter(|term| term.explodes());
    match term {
        Some(term) if all => Growing::Exploding(term),
        Some(term) => Growing::Either(term),
        None => Growing::Powers,
    }
}

/// The cost of one run at size `x`, over the named classes by their support.
fn expected(growth: &Growth, x: f64) -> f64 {
    let cost = |fit: &GrowthFit| fit.support * fit.predict(x).max(0.0);
    let support: f64 = growth.named().iter().map(|fit| fit.support).sum();
    growth.named().iter().map(cost).sum::<f64>() / support
}

/// The points that verdicts are tried on.
struct Study {
    /// Ascending.
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

    /// The runs of each size.
    fn groups(&self) -> impl Iterator<Item = &[f64]> {
        let mut begin = 0;
        self.x.chunk_by(|p, q| p == q).map(move |group| {
            begin += group.len();
            &self.y[begin - group.len()..begin]
        })
    }

    /// True if runs of one size differ; `unknown` if no size was run twice.
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

/// Verdicts on what runs may come to.
struct Trial<'a> {
    study: &'a Study,
    draws: ChaCha8Rng,
    verdicts: usize,
}

impl Trial<'_> {
    /// The support of the named classes for which, were they the truth, the plan's runs decide.
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
        // A model that goes below 0 cannot be the truth there, and what cannot be fitted decides nothing.
        let verdict = growth(&x, &y).ok();
        verdict.is_some_and(|verdict| verdict.decided && is_same(verdict.best().class, truth.class))
    }

    /// Standard normal, by Box and Muller.
    fn normal(&mut self) -> f64 {
        let mut uniform = || (f64::from(self.draws.next_u32()) + 0.5) / 4_294_967_296.0;
        let radius = (-2.0 * uniform().ln()).sqrt();
        radius * (std::f64::consts::TAU * uniform()).cos()
    }
}

/// Whether two classes are one, or one is free and has nearly the other's exponent.
fn is_same(found: GrowthClass, truth: GrowthClass) -> bool {
    let is_free = |class| matches!(class, GrowthClass::Free { .. } | GrowthClass::FreeExponential { .. });
    match (found.term(), truth.term()) {
        (Term::Power { exponent: b, log: l }, Term::Power { exponent: c, log: m })
            if is_free(found) || is_free(truth) =>
        {
            (b - c).abs() <= SAME_EXPONENT && l == m
        }
        (Term::Exponential { base: b }, Term::Exponential { base: c }) => {
            (b.ln() / c.ln() - 1.0).abs() <= SAME_BASE
        }
        _ => found == truth,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::Noise;

    const REACH: Reach = Reach { largest: None, cost: 1e15, other_inputs: true, seed: 1 };
    const ALONE: fn(f64, f64) -> f64 = |_, own| own;

    fn spaced(count: i32, from: f64, decades: f64) -> Vec<f64> {
        (0..count)
            .map(|i| (from * 10f64.powf(decades * f64::from(i) / (f64::from(count) - 1.0))).round())
            .collect()
    }

    /// A program's cost, and its runs.
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
        for seed in 0..300 {
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
        // Measured: 19, 16 and 0. A small part that grows faster than a line is seldom ruled out for sure.
        assert!(advised >= 17, "{advised} advised, {hopeless} hopeless");
        assert!(decided * 100 >= advised * 80, "{decided} of {advised}");
        assert!(wrong <= 1, "{wrong} wrong of {advised}");
    }

    #[test]
    fn the_advice_is_the_cheapest_that_decides_and_within_reach() {
        let x = spaced(6, 100.0, 1.3);
        // The first program of which the verdict is open and would come out.
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
        // What costs less is not of the largest sizes, or does not decide.
        let poor = Reach { cost: cost * 0.99, ..REACH };
        let is_smaller = |runs: &DecidingRuns| !runs.decides || runs.sizes[0] < free.sizes[0];
        let cheaper = deciding_runs(&x, &y, &verdict, &poor, &ALONE).ok();
        assert!(cheaper.is_none_or(|runs| price(&runs) <= poor.cost && is_smaller(&runs)), "{free:?}");
        // The same of a program that does ten times as much besides.
        let besides = |_: f64, own: f64| 11.0 * own;
        let poor = Reach { cost: cost * 10.9, ..REACH };
        let cheaper = deciding_runs(&x, &y, &verdict, &poor, &besides).ok();
        assert!(cheaper.is_none_or(|runs| price(&runs) <= poor.cost && is_smaller(&runs)), "{free:?}");
        let whole = deciding_runs(&x, &y, &verdict, &REACH, &besides).unwrap();
        assert!((whole.costs[0] / free.costs[0] - 11.0).abs() < 1e-9 && whole.sizes == free.sizes);
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
