//! Lists the laws that may be right, each with every share that its terms may have, for summation. This module does not
//! weigh them against each other.

use super::bins::{Bins, TERMS};
use super::lattice::{Lattice, Lattices};
use super::least_squares::{LeastSquares, Ratios};
use crate::growth::fits::points::Points;
use crate::laws::class::Term;

/// Prior probability of all sums of terms. Together with [`POWERS`], it leaves a rest for caps and for laws that are
/// fitted elsewhere.
const SUMS: f64 = 0.5;

/// Prior probability of all powers with any exponent.
const POWERS: f64 = 0.25;

/// Capped laws, each given by its exponent beyond the cap and its prior probability. The first is a line that ends in
/// a constant. The second is a square that becomes a line because the work per step is limited.
const CAPS: [(f64, f64); 2] = [(0.0, 0.05), (1.0, 0.0125)];

/// Prior probability of a cost that does not grow, in units of one growing class.
const CONSTANT: f64 = 5.0;

/// Part of the prior probability of a growing class for each of its three kinds of sums: of one term, of two, and of
/// two with a constant.
const EACH: f64 = 1.0 / 3.0;

/// Part of the powers that have a logarithm.
const LOGARITHMIC: f64 = 0.3;

/// Part of all powers that have a constant.
const WITH_CONSTANT: f64 = 0.5;

/// Range of the exponents of powers, all equally probable.
const EXPONENTS: (f64, f64) = (0.03, 3.4);

/// Log ratio of a term to the others below which it is undetectable, even at ten times the size.
const LEAST_RATIO: f64 = -10.0;

/// Step of the coarse lattice for the log ratio of two terms.
const RATIO_STEP: f64 = 1.25;

/// Step of the coarse lattice for the log ratio of a third term to the others.
const THIRD_STEP: f64 = 2.0;

/// Step of the coarse lattice for an exponent.
const EXPONENT_STEP: f64 = 0.1;

/// Distance in log evidence from the best law beyond which a sum of two terms is not extended with a third.
const HOPELESS: f64 = 5.0;

/// Minimum evidence of a ratio of two terms for it to be extended with a third term, as a part of the evidence of the
/// best ratio.
const FOLLOWED: f64 = 0.03;

/// Log likelihood that a law must lose without a term for the term to count as resolved: five standard errors.
const RESOLVED: f64 = 12.5;

/// Distance in log likelihood from the best law beyond which a sum is not tried at all, whatever its coefficients.
const FAR_OFF: f64 = 20.0;

/// Distance between places of the lattice around three terms, in standard deviations.
const PACE: f64 = 1.0;

/// Distance of the farthest place of the lattice around three terms, in standard deviations.
const FARTHEST: f64 = 3.3;

/// Returns true if a term grows faster than all terms that are summed over.
pub(super) fn is_beyond(term: Term) -> bool {
    match term {
        Term::Power { exponent, .. } => exponent > EXPONENTS.1,
        _ => true,
    }
}

/// Composition of a cost at the largest size.
#[derive(Clone, Copy, Debug)]
pub(super) enum Composition {
    /// Shares of `count` terms, ascending, with their positions in [`TERMS`].
    Sum { shares: [f64; 3], classes: [u8; 3], count: u8 },
    /// The share of a power; the rest is a constant.
    Power { share: f64, exponent: f64, log: bool },
    /// A power up to the size `at`, and the power `exponent`, which is 1 less, beyond it. `at` is the logarithm of
    /// the size in units of the largest.
    Capped { at: f64, exponent: f64 },
}

/// Values that shapes need at a size, all in units of the largest.
pub(super) struct Size {
    log_x: f64,
    log_factor: f64,
    terms: [f64; TERMS.len()],
}

impl Size {
    pub(super) fn new(units: &Points, x: f64) -> Self {
        Self {
            log_x: units.log_relative(x),
            log_factor: units.relative(Term::Power { exponent: 0.0, log: true }, x),
            terms: TERMS.map(|class| units.relative(class.term(), x)),
        }
    }
}

impl Composition {
    fn sum<const N: usize>(shares: [f64; N], classes: [usize; N]) -> Self {
        let part = |i: usize| if i < N { (shares[i], classes[i] as u8) } else { (0.0, 0) };
        Self::Sum {
            shares: std::array::from_fn(|i| part(i).0),
            classes: std::array::from_fn(|i| part(i).1),
            count: N as u8,
        }
    }

    /// Returns the smallest size at which the terms hold.
    pub(super) fn from(&self, points: &Points) -> f64 {
        match self {
            Self::Capped { at, .. } => at.exp() * points.x_max(),
            _ => 0.0,
        }
    }

    /// Returns the parts by ascending terms. For a cap, returns the power beyond it.
    pub(super) fn terms(&self) -> impl DoubleEndedIterator<Item = (f64, Term)> {
        let (parts, count) = match *self {
            Self::Sum { shares, classes, count } => {
                let part = |i: usize| (shares[i], TERMS[usize::from(classes[i])].term());
                (std::array::from_fn(part), usize::from(count))
            }
            Self::Power { share: 1.0, exponent, log } => ([(1.0, Term::Power { exponent, log }); 3], 1),
            Self::Power { share, exponent, log } => {
                let power = (share, Term::Power { exponent, log });
                ([(1.0 - share, Term::ONE), power, power], 2)
            }
            Self::Capped { exponent, .. } => ([(1.0, Term::Power { exponent, log: false }); 3], 1),
        };
        parts.into_iter().take(count)
    }

    /// Returns true if there is more than one term.
    pub(super) fn is_bent(&self) -> bool {
        match self {
            Self::Sum { count, .. } => *count > 1,
            Self::Power { share, .. } => *share < 1.0,
            Self::Capped { .. } => false,
        }
    }

    /// Returns the cost at a size, divided by the cost at the largest.
    pub(super) fn at(&self, size: &Size) -> f64 {
        match self {
            Self::Sum { shares, classes, .. } => {
                shares.iter().zip(classes).map(|(share, &class)| share * size.terms[usize::from(class)]).sum()
            }
            Self::Power { share, exponent, log } => {
                let power = (exponent * size.log_x).exp() * if *log { size.log_factor } else { 1.0 };
                1.0 - share + share * power
            }
            Self::Capped { at, exponent } => ((size.log_x - at).min(0.0) + exponent * size.log_x).exp(),
        }
    }
}

/// A law with all its parameters except for the scatter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) shape: Composition,
    /// Logarithm of the cost at the largest size, in units of the largest cost.
    pub(super) cost: f64,
    prior: f64,
    log_likelihood: f64,
}

/// A law as all of its nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct LawNodes {
    nodes: Vec<Node>,
    /// Largest log likelihood of the nodes.
    top: f64,
}

impl LawNodes {
    fn with_room(nodes: usize) -> Self {
        Self { nodes: Vec::with_capacity(nodes), top: f64::NEG_INFINITY }
    }

    /// Returns each node with its part of the evidence, in units of `e^top`.
    pub(super) fn parts(&self) -> impl Iterator<Item = (f64, &Node)> {
        self.nodes.iter().map(|node| (node.prior * (node.log_likelihood - self.top).exp(), node))
    }

    /// Returns the logarithm of the probability of the points, up to a constant that all laws share.
    pub(super) fn log_evidence(&self) -> f64 {
        if self.top == f64::NEG_INFINITY {
            return self.top;
        }
        self.top + self.parts().map(|(part, _)| part).sum::<f64>().ln()
    }

    /// Returns true if a negligible highest term is improbable.
    pub(super) fn is_resolved(&self) -> bool {
        let highest = |node: &Node| node.shape.terms().last().map_or(1.0, |(share, _)| share);
        let least = self.nodes.iter().min_by(|p, q| highest(p).total_cmp(&highest(q)));
        least.is_some_and(|node| node.log_likelihood < self.top - RESOLVED || highest(node) >= 1.0)
    }

    fn add(&mut self, shape: Composition, prior: f64, (cost, log_likelihood): (f64, f64)) {
        self.top = self.top.max(log_likelihood);
        self.nodes.push(Node { shape, cost, prior, log_likelihood });
    }
}

/// Returns all laws.
///
/// - Time: some 5,000 likelihoods.
pub(super) fn laws(bins: &mut Bins) -> Vec<LawNodes> {
    let mut laws = sums(bins);
    for log in [false, true] {
        let prior = POWERS * if log { LOGARITHMIC } else { 1.0 - LOGARITHMIC };
        laws.push(powers(bins, log, prior * (1.0 - WITH_CONSTANT)));
        laws.push(powers_with_constant(bins, log, prior * WITH_CONSTANT));
    }
    for (exponent, prior) in CAPS {
        laws.extend(caps(bins, exponent, prior));
    }
    laws
}

/// The prior of the log ratio of a higher part of the cost to a lower one at the largest size. The ratio is smaller by
/// `apart` at the smallest size.
///
/// # Formula
///
/// The density is `√(σ(u)·σ(apart − u))` over its integral, with σ the logistic function. It is uniform where both
/// parts are visible. If one part is small at all sizes, its largest share e has the density `1/√e`.
#[derive(Clone, Copy)]
struct RatioPrior {
    /// `e^−apart`.
    fallen: f64,
    integral: f64,
}

impl RatioPrior {
    fn new(log_gap: f64) -> Self {
        // The integral approaches `log_gap` + 4 ln 2 for a large `log_gap`, and is π for 0.
        let integral = log_gap + 2.772_588_7 + 0.369_004 * (-log_gap / 2.0).exp();
        Self { fallen: (-log_gap).exp(), integral }
    }

    /// Returns the density at a share, which is σ(u).
    fn density(self, share: f64) -> f64 {
        let ratio = share / (1.0 - share);
        (share / (1.0 + ratio * self.fallen)).sqrt() / self.integral
    }
}

fn logistic(u: f64) -> f64 {
    1.0 / (1.0 + (-u).exp())
}

/// Returns the relative prior probability that a sum combines two terms: a third for each further power between them.
fn nearness(low: usize, high: usize) -> f64 {
    let order = |class: usize| match TERMS[class].term() {
        Term::Power { exponent, log } => exponent + if log { 0.2 } else { 0.0 },
        _ => f64::INFINITY,
    };
    3f64.powf(-(order(high) - order(low) - 1.0).max(0.0))
}

/// Returns the sums of up to three terms; sums of three include a constant.
fn sums(bins: &mut Bins) -> Vec<LawNodes> {
    let squares = LeastSquares::new(bins);
    let of_class = SUMS / TERMS.len() as f64;
    let mut laws = Vec::new();
    for class in 0..TERMS.len() {
        let prior = of_class * if class == 0 { CONSTANT } else { EACH };
        let mut law = LawNodes::with_room(1);
        let likelihood = bins.likelihood(|bins, i| bins.terms[class][i]);
        law.add(Composition::sum([1.0], [class]), prior, likelihood);
        laws.push(law);
    }
    let best = laws.iter().map(LawNodes::log_evidence).fold(f64::NEG_INFINITY, f64::max);
    let is_hopeless = |bins: &Bins, squares: f64| bins.log_likelihood_of(squares) < best - FAR_OFF;
    let mut with_constant = Vec::new();
    for high in 1..TERMS.len() {
        let all: f64 = (0..high).map(|low| nearness(low, high)).sum();
        for low in 0..high {
            if is_hopeless(bins, squares.squares([low, high])) {
                continue;
            }
            let prior = of_class * EACH * nearness(low, high) / all;
            let pair = Pair::new(bins, &squares, [low, high], prior);
            if low == 0 {
                with_constant.push(pair);
            } else {
                laws.push(pair.law);
            }
        }
    }
    let pairs = with_constant.iter().map(|pair| &pair.law);
    let best = laws.iter().chain(pairs).map(LawNodes::log_evidence).fold(f64::NEG_INFINITY, f64::max);
    for high in 2..TERMS.len() {
        let weight = |middle: usize| nearness(0, middle) * nearness(middle, high);
        let all: f64 = (1..high).map(weight).sum();
        for pair in with_constant.iter().filter(|pair| pair.classes[1] < high) {
            if is_hopeless(bins, squares.squares([0, pair.classes[1], high])) {
                continue;
            }
            let prior = of_class * EACH * weight(pair.classes[1]) / all;
            laws.push(pair.with_third(bins, &squares, high, prior, best));
        }
    }
    laws.extend(with_constant.into_iter().map(|pair| pair.law));
    laws
}

/// A sum of two terms.
struct Pair {
    classes: [usize; 2],
    lattices: Lattices,
    law: LawNodes,
}

impl Pair {
    fn new(bins: &mut Bins, squares: &LeastSquares, classes: [usize; 2], prior: f64) -> Self {
        let [low, high] = classes;
        let log_gap = (bins.terms[low][0] / bins.terms[high][0]).ln();
        let coarse = Lattice::over(LEAST_RATIO, log_gap - LEAST_RATIO, RATIO_STEP);
        let lattices = Lattices::new(coarse, squares.pair(low, high));
        let of_ratio = RatioPrior::new(log_gap);
        let mut law = LawNodes::with_room(48);
        for u in lattices.values() {
            let share = logistic(u);
            let likelihood =
                bins.likelihood(|bins, i| (1.0 - share) * bins.terms[low][i] + share * bins.terms[high][i]);
            let prior = prior * of_ratio.density(share) / lattices.density(u);
            law.add(Composition::sum([1.0 - share, share], classes), prior, likelihood);
        }
        Self { classes, lattices, law }
    }

    /// Adds a third term to the sum. Combines all possible ratios of this term with the plausible ratios of the pair.
    /// Adds a lattice around the estimate if all three are known.
    fn with_third(
        &self,
        bins: &mut Bins,
        squares: &LeastSquares,
        third: usize,
        prior: f64,
        best: f64,
    ) -> LawNodes {
        let [low, middle] = self.classes;
        let [of_low, of_middle, of_third] = [low, middle, third].map(|class| bins.terms[class][0]);
        let log_gap = |u: f64| {
            let share = logistic(u);
            (((1.0 - share) * of_low + share * of_middle) / of_third).ln()
        };
        let of_thirds = Lattice::over(LEAST_RATIO, log_gap(0.0) - LEAST_RATIO, THIRD_STEP);
        let mut places: Vec<[f64; 2]> = Vec::new();
        let (mut least, mut greatest) = (f64::INFINITY, f64::NEG_INFINITY);
        if self.law.log_evidence() > best - HOPELESS {
            let top = self.law.parts().map(|(part, _)| part).fold(0.0, f64::max);
            let nodes = self.lattices.values().zip(self.law.parts());
            for (u, _) in nodes.filter(|(_, (part, _))| *part > FOLLOWED * top) {
                (least, greatest) = (least.min(u), greatest.max(u));
                places.extend(of_thirds.values().map(|v| [u, v]));
            }
        }
        let estimate = squares.triple([low, middle, third]);
        places.extend(estimate.iter().flat_map(about));
        let of_first = RatioPrior::new((of_low / of_middle).ln());
        let mut law = LawNodes::with_room(places.len());
        for [u, v] in places {
            let mut density = 0.0;
            if let Some(estimate) = estimate.filter(|estimate| estimate.distance(u, v) < FARTHEST + 1e-6) {
                density += 1.0 / (estimate.area() * PACE * PACE);
            }
            if (least - 1e-9..=greatest + 1e-9).contains(&u) {
                density += self.lattices.density(u) * of_thirds.density(v);
            }
            let (share, above) = (logistic(u), logistic(v));
            let shares = [(1.0 - above) * (1.0 - share), (1.0 - above) * share, above];
            let likelihood = bins.likelihood(|bins, i| {
                shares[0] * bins.terms[low][i]
                    + shares[1] * bins.terms[middle][i]
                    + shares[2] * bins.terms[third][i]
            });
            let of_ratios = of_first.density(share) * RatioPrior::new(log_gap(u)).density(above);
            law.add(Composition::sum(shares, [low, middle, third]), prior * of_ratios / density, likelihood);
        }
        law
    }
}

/// Returns places around known ratios, a standard deviation apart.
fn about(ratios: &Ratios) -> Vec<[f64; 2]> {
    let steps = || (-3..=3).map(|step| f64::from(step) * PACE);
    let all = steps().flat_map(|z| steps().map(move |w| [z, w]));
    all.filter(|[z, w]| z.hypot(*w) <= FARTHEST).map(|z| ratios.place(z)).collect()
}

/// Returns the value of a power at a bin.
fn power(bins: &Bins, i: usize, exponent: f64, log: bool) -> f64 {
    (exponent * bins.log_x[i]).exp() * if log { bins.log_factors[i] } else { 1.0 }
}

/// Returns powers with any exponent.
fn powers(bins: &mut Bins, log: bool, prior: f64) -> LawNodes {
    let (least, greatest) = EXPONENTS;
    let coarse = Lattice::over(least, greatest, EXPONENT_STEP);
    let lattices = Lattices::new(coarse, Some(exponent_near(bins, log, 1.0, slope(bins, log))));
    let mut law = LawNodes::with_room(64);
    for exponent in lattices.values().filter(|b| (least..=greatest).contains(b)) {
        let likelihood = bins.likelihood(|bins, i| power(bins, i, exponent, log));
        let prior = prior / (greatest - least) / lattices.density(exponent);
        law.add(Composition::Power { share: 1.0, exponent, log }, prior, likelihood);
    }
    law
}

/// Returns powers with any exponent and a constant: for each ratio of the two, the exponents that fit it.
fn powers_with_constant(bins: &mut Bins, log: bool, prior: f64) -> LawNodes {
    /// Smallest log ratio of the power to the constant at the largest size.
    const LEAST: f64 = -6.0;
    /// Distance beyond the ratio at which both parts are equal at the smallest size. There the constant is hardly
    /// visible.
    const BEYOND: f64 = 8.0;
    const STEP: f64 = 1.0;
    let (least, greatest) = EXPONENTS;
    let mut exponent = slope(bins, log);
    let ratios = Lattice::over(LEAST, BEYOND - exponent * bins.log_x[0], STEP);
    let mut law = LawNodes::with_room(256);
    for v in ratios.values().rev() {
        let share = logistic(v);
        let (centre, error) = exponent_near(bins, log, share, exponent);
        exponent = centre;
        let lattice = Lattice::about(centre, error);
        for exponent in lattice.values().filter(|b| (least..=greatest).contains(b)) {
            let likelihood = bins.likelihood(|bins, i| share * power(bins, i, exponent, log) + 1.0 - share);
            let of_ratio = RatioPrior::new(-exponent * bins.log_x[0]).density(share);
            let places = lattice.density(exponent) * ratios.density(v);
            let prior = prior / (greatest - least) / places * of_ratio;
            law.add(Composition::Power { share, exponent, log }, prior, likelihood);
        }
    }
    law
}

/// Returns the exponent of a power through all bins, within bounds.
fn slope(bins: &Bins, log: bool) -> f64 {
    let target = |i: usize| bins.log_y[i] - if log { bins.log_factors[i].ln() } else { 0.0 };
    let mean = |value: &dyn Fn(usize) -> f64| {
        (0..bins.len()).map(|i| bins.weights[i] * value(i)).sum::<f64>() / bins.weight
    };
    let (x, y) = (mean(&|i| bins.log_x[i]), mean(&target));
    let product = mean(&|i| (bins.log_x[i] - x) * (target(i) - y));
    (product / mean(&|i| (bins.log_x[i] - x).powi(2))).clamp(0.2, 3.0)
}

/// Returns the exponent that fits best if a power has this share of the cost at the largest size, and its standard
/// error. Takes a few Newton steps from `near`.
fn exponent_near(bins: &Bins, log: bool, share: f64, near: f64) -> (f64, f64) {
    const STEPS: usize = 2;
    const LONGEST: f64 = 0.4;
    let (mut exponent, mut error) = (near, 1.0);
    for _ in 0..STEPS {
        let [mut zz, mut zr, mut z1, mut r1] = [0.0; 4];
        for i in 0..bins.len() {
            let part = share * power(bins, i, exponent, log);
            let value = part + 1.0 - share;
            let (weight, z) = (bins.weights[i], part * bins.log_x[i] / value);
            let r = bins.log_y[i] - value.ln();
            zz += weight * z * z;
            zr += weight * z * r;
            z1 += weight * z;
            r1 += weight * r;
        }
        let information = zz - z1 * z1 / bins.weight;
        if information.is_nan() || information <= 0.0 {
            break;
        }
        let step = (zr - z1 * r1 / bins.weight) / information;
        exponent = (exponent + step.clamp(-LONGEST, LONGEST)).clamp(EXPONENTS.0, EXPONENTS.1);
        error = (bins.repeated() / information).sqrt().min(1.0);
    }
    (exponent, error)
}

/// Returns laws that are a power with exponent `exponent + 1` up to a size within the bins, and with `exponent`
/// beyond it. Returns `None` with too few bins.
fn caps(bins: &mut Bins, exponent: f64, prior: f64) -> Option<LawNodes> {
    const FEWEST_BINS: usize = 6;
    const COARSE: f64 = 40.0;
    const FINEST: f64 = 1e-9;
    let n = bins.len();
    if n < FEWEST_BINS {
        return None;
    }
    let (from, to) = (bins.log_x[1], bins.log_x[n - 2]);
    let coarse = Lattice::over(from, to, (to - from) / COARSE);
    let mut likelihood = |cap: f64| {
        bins.likelihood(|bins, i| ((bins.log_x[i] - cap).min(0.0) + exponent * bins.log_x[i]).exp())
    };
    let best = coarse.values().map(|cap| (likelihood(cap).1, cap)).max_by(|p, q| p.0.total_cmp(&q.0));
    let (mut top, mut at) = best?;
    // Climbs in ever shorter steps until a step is a standard error.
    let mut step = (to - from) / COARSE / 2.0;
    while step > FINEST {
        let sides = [at - step, at + step].map(|cap| (likelihood(cap).1, cap));
        let [higher, lower] = if sides[0].0 > sides[1].0 { sides } else { [sides[1], sides[0]] };
        if higher.0 > top {
            (top, at) = higher;
        } else if top - lower.0 < 0.5 {
            break;
        } else {
            step /= 2.0;
        }
    }
    let lattices = Lattices::new(coarse, Some((at, step)));
    let mut law = LawNodes::with_room(64);
    for cap in lattices.values().filter(|cap| (from..=to).contains(cap)) {
        let prior = prior / (to - from) / lattices.density(cap);
        law.add(Composition::Capped { at: cap, exponent }, prior, likelihood(cap));
    }
    Some(law)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prior_of_a_ratio_is_a_density() {
        for log_gap in [0.0, 0.5, 2.0, 5.0, 12.0, 30.0] {
            let lattice = Lattice::over(-30.0, log_gap + 30.0, 0.01);
            let of_ratio = RatioPrior::new(log_gap);
            let sum: f64 = lattice.values().map(|u| of_ratio.density(logistic(u)) / lattice.density(u)).sum();
            assert!((sum - 1.0).abs() < 0.01, "{log_gap}: {sum}");
        }
    }
}
