//! Weighs every law that the data do not exclude, with every share that each of its terms may have. This module names
//! no verdict.
//!
//! The cost of a term at the sizes that were run says little about its future cost. Five per cent of a square under a
//! line with as much scatter are invisible, but are a third of the cost at ten times the size:
//!
//! ```text
//!   cost                                       ╱
//!     │                                    ╱  ·      Many laws fit the points as well as the best one,
//!     │                                ╱ · ─ ─ ─     but diverge beyond them.
//!     │                       ● ╱●═ ═ ═
//!     │              ●   ●  ●
//!     │    ●   ●  ●
//!     └─────────────────────────────┬─────────── n
//!                                largest
//! ```
//!
//! So shares are not fitted but summed over (`laws`): on a lattice for every sum of up to three terms, for powers with
//! any exponent, and for a line with an end. The cost at the largest size and the scatter are integrated in closed form
//! (`bins`). Other laws (pieces, negative terms, exponentials, high powers) are taken as fitted, with the evidence of
//! Laplace's approximation.

mod bins;
mod lattice;
mod laws;
mod least_squares;

use bins::{Bins, Worth};
use laws::{Composition, LawNodes, Size, laws};

use crate::growth::candidates::growth_fit::GrowthFit;
use crate::growth::candidates::model::Model;
use crate::growth::fits::points::{NU, Points};
use crate::laws::class::{GrowthClass, Term};
use crate::statistics::interval::Interval;
use crate::statistics::students::Students;

/// Temperature of the evidence. The evidence is raised to the power of the inverse, because the true law is rarely
/// exactly among the weighed ones.
const TEMPERATURE: f64 = 1.6;

/// Distance in log evidence from the best law beyond which laws are left out.
const NEGLIGIBLE: f64 = 14.0;

/// Part of the evidence of a law below which one of its nodes is left out.
const NEGLIGIBLE_PART: f64 = 1e-5;

/// Prior probability of laws that are taken as fitted, in units of the probability of one of their classes.
const FITTED: f64 = 0.1;

/// Maximum number of draws that are kept.
const KEPT: usize = 128;

/// Log odds of the outermost strata of draws and errors.
const OUTERMOST: f64 = 7.0;

/// Number of degrees of freedom that a law uses up. The errors keep at least the same number.
const LEAST_FREEDOM: f64 = 2.0;

/// Assumed error of every law, as a part of the scatter. It is multiplied by the Chebyshev polynomial, which is the
/// worst case beyond the data.
const OFF: f64 = 0.19;

/// Minimum share at the largest size for a part of the cost to matter; a smaller one may hide.
pub(crate) const MATTERS: f64 = 0.05;

/// Factor on the supports of powers whose exponent belongs to no class. Few programs have such a power; these laws
/// serve to widen intervals.
const UNNAMED: f64 = 0.3;

/// Classes of parts that may hide. The first one that grows faster than every named class counts.
const HIDING: [GrowthClass; 2] = [GrowthClass::Quadratic, GrowthClass::Cubic];

/// Probability that the hidden part is smaller than reported.
const HIDDEN_LEVEL: f64 = 0.975;

/// Minimum probability of the laws with a hidden part. Laws that all fit badly say nothing about its size.
const LEAST_HIDING: f64 = 0.01;

/// Minimum number of observations that the points are worth.
const FEWEST: f64 = 4.0;

/// A law that may be right.
#[derive(Clone, Debug)]
struct Draw {
    weight: f64,
    /// Error of the law's cost, in standard errors.
    off: f64,
    law: Drawn,
    /// True if the law's highest term certainly exists, however small it is.
    is_resolved: bool,
}

impl Draw {
    /// Returns the class of the highest term that matters at the largest size or is resolved.
    fn class(&self) -> GrowthClass {
        let enough = if self.is_resolved { 0.0 } else { MATTERS };
        match &self.law {
            Drawn::Shaped(_, shape) => {
                let leading = shape.terms().rev().find(|(share, _)| *share >= enough);
                leading.map_or(GrowthClass::Constant, |(_, term)| class_of(term))
            }
            Drawn::Fitted(model) => model.class,
        }
    }
}

#[derive(Clone, Debug)]
enum Drawn {
    /// Logarithm of the cost at the largest size, and its composition.
    Shaped(f64, Composition),
    Fitted(Box<Model>),
}

/// The laws that may be right, by their weights, which sum to 1.
#[derive(Clone, Debug)]
pub(crate) struct Posterior {
    draws: Vec<Draw>,
    /// For each class that may hide, the largest plausible part.
    hidden: Vec<Hidden>,
    /// Standard error of the logarithm of costs.
    error: f64,
    /// Standard deviation of the logarithms of costs around the best law.
    pub(crate) scatter: f64,
    /// Logarithm of the largest size over the smallest.
    range: f64,
    mean: MeanFactor,
}

/// Logarithm of the ratio of the expected cost to the typical cost, and its standard error.
#[derive(Clone, Copy, Debug)]
struct MeanFactor {
    log: f64,
    error: f64,
}

impl MeanFactor {
    /// Computes the factor from the residuals of log cost around a law, with inverse variances.
    fn new(residuals: &[f64], weights: &[f64], observations: f64) -> Self {
        /// Largest log factor: a cost farther off does not belong to the same program.
        const FARTHEST: f64 = 3.0;
        let weight: f64 = weights.iter().sum();
        let mean = |transform: &dyn Fn(f64) -> f64| {
            residuals.iter().zip(weights).map(|(&r, w)| w * transform(r)).sum::<f64>() / weight
        };
        let factor = |r: f64| r.clamp(-FARTHEST, FARTHEST).exp();
        let (expected, middle) = (mean(&factor), mean(&|r| r));
        let variance = mean(&|r| (factor(r) / expected - 1.0).powi(2));
        // The error of the law already includes the error of the middle.
        let of_law = mean(&|r| (r - middle).powi(2));
        Self { log: expected.ln(), error: ((variance - of_law).max(0.0) / observations).sqrt() }
    }
}

impl Posterior {
    /// Builds the posterior from fitted and weighed models and the fraction of the points that are independent
    /// observations. There is at least one model, and the best is first. Also returns the classes of all laws with
    /// their supports.
    ///
    /// - Time: some 0.5 ms.
    pub(crate) fn new(points: &Points, models: &[(f64, Model)], independent: f64) -> (Self, Vec<GrowthFit>) {
        let (_, best) = &models[0];
        let n = points.len();
        let variances: Vec<f64> = points
            .known_variances
            .iter()
            .map(|known_variance| best.fit.sigma.powi(2) + known_variance)
            .collect();
        let residuals: Vec<f64> =
            best.fit.standardized.iter().zip(&variances).map(|(r, variance)| r * variance.sqrt()).collect();
        let of_students = |(r, variance): (&f64, &f64)| (NU + 1.0) / (NU + r * r) / variance;
        let weights: Vec<f64> = best.fit.standardized.iter().zip(&variances).map(of_students).collect();
        let curve: Vec<f64> = points.log_y.iter().zip(&residuals).map(|(y, r)| y - r).collect();
        let known_parts =
            points.known_variances.iter().zip(&variances).map(|(known, variance)| known / variance);
        let observations = (independent * n as f64).max(FEWEST.min(n as f64));
        let worth =
            Worth { points: n as f64, observations, known_share: known_parts.sum::<f64>() / n as f64 };
        let mut bins = Bins::new(points, &weights, &curve, worth);
        let laws = laws(&mut bins);
        let fitted: Vec<(f64, &Model)> = models
            .iter()
            .filter(|(_, model)| model.is_no_sum() || laws::is_beyond(model.class.term()))
            .map(|(_, model)| {
                let log_prior = model.log_prior_of_fit(independent) + FITTED.ln() + 0.5 * bins.weight.ln();
                (log_prior + worth.log_likelihood(squares(points, model, &weights)), model)
            })
            .collect();
        let inverse: Vec<f64> = variances.iter().map(|variance| 1.0 / variance).collect();
        let all: f64 = inverse.iter().sum();
        let scatter = residuals.iter().zip(&inverse).map(|(r, w)| w * r * r).sum::<f64>() / all;
        let mut posterior = Self {
            draws: Vec::new(),
            hidden: Vec::new(),
            error: (worth.points / worth.observations / bins.weight).sqrt(),
            scatter: scatter.sqrt(),
            range: (points.x_max() / points.size(0)).ln(),
            mean: MeanFactor::new(&residuals, &inverse, observations),
        };
        posterior.draws = weighed(&laws, &fitted, TEMPERATURE);
        if posterior.draws.is_empty() {
            return (Self::from_model(points, best), Vec::new());
        }
        posterior.hidden = HIDING.iter().filter_map(|&class| posterior.most_of(class)).collect();
        posterior.spread(&Errors::new((observations - LEAST_FREEDOM).max(LEAST_FREEDOM)), points);
        let fits = posterior.fits(points, &weighed(&laws, &fitted, 1.0));
        (posterior, fits)
    }

    /// Builds the posterior of a single model that is taken as true.
    pub(crate) fn from_model(points: &Points, model: &Model) -> Self {
        let mut posterior = Self {
            draws: vec![Draw { weight: 1.0, off: 0.0, law: Drawn::fitted(model), is_resolved: true }],
            hidden: Vec::new(),
            error: 0.0,
            scatter: 0.0,
            range: (points.x_max() / points.size(0)).ln(),
            mean: MeanFactor { log: 0.0, error: 0.0 },
        };
        posterior.spread(&Errors::new(model.fit.degrees_of_freedom), points);
        posterior
    }

    /// Makes the draws that quantiles need. Laws with a large weight get several errors; the others get one. All are
    /// sorted by their prediction at ten times the largest size. Each stratum keeps its heaviest draw with the weight
    /// of all, and there are more strata at the ends.
    fn spread(&mut self, errors: &Errors, points: &Points) {
        /// Minimum weight for a law to get all errors.
        const HEAVY: f64 = 0.01;
        /// The golden section spreads the errors of the others evenly.
        const GOLDEN: f64 = 0.618_034;
        let (units, x) = (points.units(), 10.0 * points.x_max());
        let view = View::new(self, &units, x);
        let mut all: Vec<(f64, Draw)> = Vec::with_capacity(2 * self.draws.len());
        for (i, draw) in self.draws.iter().enumerate() {
            let (log_cost, error) = view.predict(&draw.law).unwrap_or_default();
            let mut add = |part: f64, off: f64| {
                all.push((log_cost + error * off, Draw { weight: draw.weight * part, off, ..draw.clone() }));
            };
            if draw.weight > HEAVY {
                errors.strata.iter().for_each(|&(part, off)| add(part, off));
            } else {
                add(1.0, errors.at((GOLDEN * i as f64).fract()));
            }
        }
        all.sort_by(|p, q| p.0.total_cmp(&q.0));
        let stratum = |below: f64| {
            let odds = (below / (1.0 - below)).ln().clamp(-OUTERMOST, OUTERMOST);
            ((odds + OUTERMOST) / (2.0 * OUTERMOST) * (KEPT - 1) as f64) as usize
        };
        self.draws.clear();
        let mut below = 0.0;
        let mut last = (usize::MAX, 0.0);
        for (_, draw) in all {
            let place = stratum((below + draw.weight / 2.0).clamp(1e-12, 1.0 - 1e-12));
            below += draw.weight;
            match self.draws.last_mut() {
                Some(heaviest) if last.0 == place => {
                    let weight = heaviest.weight + draw.weight;
                    if draw.weight > last.1 {
                        last.1 = draw.weight;
                        *heaviest = draw;
                    }
                    heaviest.weight = weight;
                }
                _ => {
                    last = (place, draw.weight);
                    self.draws.push(draw);
                }
            }
        }
        self.draws.shrink_to_fit();
    }

    /// Adds a model that is true with this probability, in case the previous laws are wrong.
    pub(crate) fn add(&mut self, probability: f64, model: &Model) {
        let errors = Errors::new(model.fit.degrees_of_freedom);
        for draw in &mut self.draws {
            draw.weight *= 1.0 - probability;
        }
        let draw = |&(part, off)| Draw {
            weight: probability * part,
            off,
            law: Drawn::fitted(model),
            is_resolved: true,
        };
        self.draws.extend(errors.strata.iter().map(draw));
    }

    /// Returns the interval of the logarithm of the expected cost at `x`, in units of the largest cost. Returns `None`
    /// if no law holds at this `x`.
    ///
    /// - Time: some 10 µs.
    pub(crate) fn interval(&self, units: &Points, x: f64, level: f64) -> Option<Interval> {
        let view = View::new(self, units, x);
        let value = |draw: &Draw| {
            let (log_cost, error) = view.predict(&draw.law)?;
            Some((log_cost + error * draw.off + self.mean.log, draw.weight))
        };
        let mut values: Vec<(f64, f64)> = self.draws.iter().filter_map(value).collect();
        values.sort_by(|p, q| p.0.total_cmp(&q.0));
        let tail = (1.0 - level) / 2.0;
        Some(Interval { lo: quantile(&values, tail)?, hi: quantile(&values, 1.0 - tail)?, level })
    }

    /// Returns the classes of laws with their supports; the heaviest law represents each class.
    fn fits(&self, points: &Points, draws: &[Draw]) -> Vec<GrowthFit> {
        let mut classes: Vec<(f64, GrowthClass, &Draw)> = Vec::new();
        for draw in draws {
            let class = draw.class();
            match classes.iter_mut().find(|(_, family, _)| family.is_of_family(class)) {
                Some((support, family, heaviest)) => {
                    *support += draw.weight;
                    if draw.weight > heaviest.weight {
                        (*family, *heaviest) = (class, draw);
                    }
                }
                None => classes.push((draw.weight, class, draw)),
            }
        }
        let fit = |(support, class, draw): (f64, GrowthClass, &Draw)| match &draw.law {
            Drawn::Shaped(cost, shape) => {
                let absolute = |(share, term): (f64, Term)| points.absolute(cost.exp() * share, term);
                let mut terms: Vec<(f64, Term)> = Vec::new();
                for (coefficient, term) in shape.terms().rev().flat_map(absolute) {
                    match terms.iter_mut().find(|(_, other)| *other == term) {
                        Some((sum, _)) => *sum += coefficient,
                        None => terms.push((coefficient, term)),
                    }
                }
                terms.retain(|(coefficient, _)| *coefficient != 0.0);
                GrowthFit { class, support, terms, spread: self.scatter, from: shape.from(points) }
            }
            Drawn::Fitted(model) => GrowthFit::new(points, model, support),
        };
        for (support, ..) in
            classes.iter_mut().filter(|(_, class, _)| matches!(class, GrowthClass::Free { .. }))
        {
            *support *= UNNAMED;
        }
        let all: f64 = classes.iter().map(|(support, ..)| support).sum();
        for (support, ..) in &mut classes {
            *support /= all;
        }
        classes.into_iter().map(fit).collect()
    }

    /// Returns the law with the largest plausible part of a class; `None` if laws with the class are improbable. The
    /// part is smaller with probability [`HIDDEN_LEVEL`].
    fn most_of(&self, class: GrowthClass) -> Option<Hidden> {
        let with_it = |draw: &Draw| {
            let Drawn::Shaped(_, shape) = draw.law else { return None };
            let (share, _) = shape.terms().last().filter(|(_, term)| *term == class.term())?;
            Some((draw.weight, share, shape))
        };
        let mut laws: Vec<(f64, f64, Composition)> = self.draws.iter().filter_map(with_it).collect();
        laws.sort_by(|p, q| p.1.total_cmp(&q.1));
        // The weights of all draws sum to 1.
        let probability: f64 = laws.iter().map(|(weight, ..)| weight).sum();
        if probability < LEAST_HIDING {
            return None;
        }
        let mut below = 0.0;
        let most = laws.into_iter().find(|(weight, ..)| {
            below += weight;
            below >= HIDDEN_LEVEL * probability
        });
        most.map(|(_, share, shape)| Hidden { class, probability, share, shape })
    }

    /// Returns the hidden part of the lowest class above another one.
    pub(crate) fn hidden_above(&self, class: GrowthClass) -> Option<Hidden> {
        self.hidden.iter().copied().find(|hidden| hidden.class > class)
    }
}

/// A law with a part that is not visible yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hidden {
    pub(crate) class: GrowthClass,
    /// Probability that the cost has a part of this class.
    pub(crate) probability: f64,
    /// Share of the part in the cost at the largest size.
    pub(crate) share: f64,
    shape: Composition,
}

impl Hidden {
    /// Returns the law's cost at `x`, divided by the cost at the largest size.
    pub(crate) fn growth(&self, units: &Points, x: f64) -> f64 {
        self.shape.at(&Size::new(units, x))
    }
}

impl Drawn {
    fn fitted(model: &Model) -> Self {
        let mut model = model.clone();
        model.forget_points();
        Self::Fitted(Box::new(model))
    }
}

/// Quantities for evaluating laws at one size.
struct View<'a> {
    units: &'a Points,
    x: f64,
    size: Size,
    /// Standard errors of a law with one term, and of a law with several.
    errors: [f64; 2],
    of_fitted: f64,
    mean: f64,
}

impl<'a> View<'a> {
    fn new(posterior: &Posterior, units: &'a Points, x: f64) -> Self {
        /// Largest distance at which the polynomials are still meaningful.
        const FARTHEST: f64 = 20.0;
        let beyond = (2.0 * units.log_relative(x).max(0.0) / posterior.range).min(FARTHEST);
        let z = 1.0 + beyond;
        let off = OFF * posterior.scatter;
        let (straight, bent) = (off * z, off * (2.0 * z * z - 1.0));
        let mean = posterior.mean.error;
        let errors = [straight, bent].map(|off| posterior.error.hypot(off).hypot(mean));
        Self { units, x, size: Size::new(units, x), errors, of_fitted: straight, mean }
    }

    /// Returns the logarithm of a law's cost, and its standard error. Returns `None` if the law does not hold at this
    /// size.
    fn predict(&self, law: &Drawn) -> Option<(f64, f64)> {
        /// Limit of the logarithm: larger costs are not representable, and a cost below 0 counts as nothing.
        const LARGEST_LOG: f64 = 800.0;
        let (log_cost, error) = match law {
            Drawn::Shaped(cost, shape) => {
                (cost + shape.at(&self.size).ln(), self.errors[usize::from(shape.is_bent())])
            }
            Drawn::Fitted(model) => {
                let (log_cost, error) = (self.x >= model.from).then(|| model.predict(self.units, self.x))?;
                (log_cost, error.hypot(self.of_fitted).hypot(self.mean))
            }
        };
        let log_cost = if log_cost.is_nan() { -LARGEST_LOG } else { log_cost };
        let error = if error.is_nan() { 0.0 } else { error.min(LARGEST_LOG) };
        Some((log_cost.clamp(-LARGEST_LOG, LARGEST_LOG), error))
    }
}

/// Student's errors in strata of probability: the share of each stratum and its middle.
struct Errors {
    strata: Vec<(f64, f64)>,
}

impl Errors {
    fn new(freedom: f64) -> Self {
        const STRATA: usize = 24;
        let Some(students) = Students::new(freedom) else { return Self { strata: vec![(1.0, 0.0)] } };
        let end = |i: usize| match i {
            0 => 0.0,
            STRATA => 1.0,
            _ => 1.0 / (1.0 + (OUTERMOST * (1.0 - 2.0 * i as f64 / STRATA as f64)).exp()),
        };
        // The lower half, then its mirror image.
        let lower: Vec<(f64, f64)> = (0..STRATA / 2)
            .map(|i| (end(i + 1) - end(i), students.quantile(f64::midpoint(end(i), end(i + 1)))))
            .collect();
        let upper = lower.iter().rev().map(|(part, off)| (*part, -off));
        Self { strata: lower.iter().copied().chain(upper).collect() }
    }

    /// Returns the error of the stratum at a probability.
    fn at(&self, probability: f64) -> f64 {
        let mut below = 0.0;
        let reached = self.strata.iter().find(|(part, _)| {
            below += part;
            below > probability
        });
        reached.map_or(0.0, |(_, off)| *off)
    }
}

/// Returns the `q`-quantile of ascending values with weights. Each value is in the middle of its own weight; in
/// between, the quantile is interpolated linearly.
fn quantile(values: &[(f64, f64)], q: f64) -> Option<f64> {
    let total: f64 = values.iter().map(|(_, weight)| weight).sum();
    let (mut below, mut last) = (0.0, *values.first()?);
    let mut last_middle = 0.0;
    for &(value, weight) in values {
        let middle = (below + weight / 2.0) / total;
        if middle >= q {
            let part = if middle > last_middle { (q - last_middle) / (middle - last_middle) } else { 1.0 };
            return Some(last.0 + part.clamp(0.0, 1.0) * (value - last.0));
        }
        below += weight;
        (last, last_middle) = ((value, weight), middle);
    }
    Some(last.0)
}

/// Returns the draws of all laws, weighed by their evidence at a temperature.
fn weighed(laws: &[LawNodes], fitted: &[(f64, &Model)], temperature: f64) -> Vec<Draw> {
    let evidence: Vec<f64> = laws.iter().map(LawNodes::log_evidence).collect();
    let top = evidence.iter().chain(fitted.iter().map(|(evidence, _)| evidence));
    let top = top.copied().fold(f64::NEG_INFINITY, f64::max);
    let weight =
        |evidence: f64| (evidence > top - NEGLIGIBLE).then(|| ((evidence - top) / temperature).exp());
    let mut draws = Vec::new();
    for (law, evidence) in laws.iter().zip(&evidence) {
        let Some(weight) = weight(*evidence) else { continue };
        let all: f64 = law.parts().map(|(part, _)| part).sum();
        let is_resolved = law.is_resolved();
        draws.extend(law.parts().filter(|(part, _)| *part > NEGLIGIBLE_PART * all).map(|(part, node)| {
            let law = Drawn::Shaped(node.cost, node.shape);
            Draw { weight: weight * part / all, off: 0.0, law, is_resolved }
        }));
    }
    for (evidence, model) in fitted {
        let Some(weight) = weight(*evidence) else { continue };
        draws.push(Draw { weight, off: 0.0, law: Drawn::fitted(model), is_resolved: true });
    }
    let total: f64 = draws.iter().map(|draw| draw.weight).sum();
    for draw in &mut draws {
        draw.weight /= total;
    }
    draws
}

/// Returns the weighted squares of a model's residuals around the best-fitting factor.
fn squares(points: &Points, model: &Model, weights: &[f64]) -> f64 {
    let scale = |known_variance: &f64| (model.fit.sigma.powi(2) + known_variance).sqrt();
    let residuals: Vec<f64> = model
        .fit
        .standardized
        .iter()
        .zip(&points.known_variances)
        .map(|(r, known_variance)| r * scale(known_variance))
        .collect();
    let all: f64 = weights.iter().sum();
    let mean = residuals.iter().zip(weights).map(|(r, w)| w * r).sum::<f64>() / all;
    residuals.iter().zip(weights).map(|(r, w)| w * (r - mean).powi(2)).sum()
}

/// Returns the class of a leading term: a named class if the exponent is nearly the same.
fn class_of(term: Term) -> GrowthClass {
    const SAME: f64 = 0.03;
    let Term::Power { exponent, log } = term else { return GrowthClass::exponential(2.0) };
    let is_near = |class: &GrowthClass| match class.term() {
        Term::Power { exponent: of_class, log: log_of_class } => {
            log == log_of_class && (exponent - of_class).abs() < SAME
        }
        _ => false,
    };
    GrowthClass::FIXED.into_iter().find(is_near).unwrap_or_else(|| GrowthClass::free(exponent, log))
}
