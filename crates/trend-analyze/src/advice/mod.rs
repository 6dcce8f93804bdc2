//! Chooses the runs that would reveal more about a cost. The mathematics is in `trend_model`; the wording is here.

mod price;
#[cfg(test)]
mod tests;
mod words;

use std::time::Duration;

use rayon::prelude::*;
use trend_answer::Outlook;
use trend_model::{
    Growth, Reach, deciding_runs, further_sizes, further_units, growth, largest_that, r_squared,
};
use trend_profile::Study;

use self::price::{MOST_COST, Price};
use self::words::{classes, expensive, listed, nothing_helps, sizes_in_words};
use crate::findings::Findings;
use crate::findings::doubt::Doubt;
use crate::findings::model::{Model, NextRuns};
use crate::findings::row::{Cluster, Parts};
use crate::fit::model_doubts::NARROW_RANGE;
use crate::forecast::memory;
use crate::options::{Advise, Options};

/// Maximum number of clusters that get sizes to run for a feature: the costliest whose growth is undecided. Each
/// takes up to 150 verdicts, and users ask again after the first runs.
const ADVISED: usize = 8;

/// Maximum number of undecided clusters that are tried for a feature. It exceeds [`ADVISED`], because no size may
/// help the first ones.
const MOST_ASKED: usize = 32;

/// Maximum number of points of the verdicts for all advice together. A point takes some 25 µs. Without the limit, a
/// study of 24 features and 400 workloads would take four hundred seconds.
const MOST_POINTS: usize = 400_000;

/// Estimated number of verdicts for the advice on a row; `trend_model` tries up to 150.
const VERDICTS: usize = 100;

/// Estimated maximum number of points of a verdict for the advice.
const POINTS_OF_VERDICT: usize = 130;

/// Minimum share of the cost with which a row gets advice.
const LEAST_SHARE: f64 = 0.01;

/// Exponent of a power law above which costs without a verdict may grow exponentially.
const STEEP: f64 = 3.0;

/// If the only size that was run took this long, smaller sizes are advised.
const LONG: Duration = Duration::from_secs(1);

/// Maximum advised size, as a multiple of the largest that was run.
const FAR: f64 = 1e6;

/// The whole program, whose cost decides which runs are affordable.
pub(crate) struct Whole<'a> {
    pub(crate) study: &'a Study,
    pub(crate) options: &'a Options,
    /// Costs of the whole, `[workloads]`.
    pub(crate) totals: &'a [u64],
    /// Parts that add up to the whole, for the features in which it is a sum.
    pub(crate) parts: &'a [Parts],
    /// `[points]`, the predicted cost of the whole.
    pub(crate) outlooks: &'a [Option<Outlook>],
}

impl Whole<'_> {
    /// Returns true if a row takes [`LEAST_SHARE`] of the costliest run, or may take it at one of the points. Other
    /// rows are not worth a run.
    fn may_matter(&self, row: &Cluster) -> bool {
        let may_grow = |(own, whole): (&Option<Outlook>, &Option<Outlook>)| {
            let (Some(own), Some(whole)) = (own, whole) else { return true };
            own.ci.map_or(own.cost, |[_, upper]| upper) >= LEAST_SHARE * whole.cost
        };
        row.share_of_largest >= LEAST_SHARE || row.outlooks.iter().zip(self.outlooks).any(may_grow)
    }

    /// Returns true if some run took at least this long.
    fn takes(&self, time: Duration) -> bool {
        self.study.workloads().iter().filter_map(|workload| workload.usage).any(|usage| usage.wall >= time)
    }
}

/// Adds advice on further runs to the findings of a study that was analysed with [`Advise::Nothing`].
pub fn advise(study: &Study, options: &Options, findings: &mut Findings) {
    let total = &mut findings.total;
    let outlooks = &total.outlooks;
    let whole = Whole { study, options, totals: &total.costs, parts: &total.parts, outlooks };
    let left_out = fill_in(&whole, &mut findings.clusters, &mut total.fits.models);
    findings.doubts.extend(left_out);
}

/// Fills in [`Model::next`] of the costliest clusters and of the whole. It does so for each feature separately, so that
/// a cluster that no size would decide in one feature takes no other's place. `clusters` are sorted by falling cost;
/// `total` are the whole's models, one per feature. If all parts that matter are decided, the whole gets no advice
/// unless [`Advise::Whole`] asks for it.
///
/// Each row that is tried is a question. Questions are limited by [`MOST_POINTS`], and shared by the features. The
/// features that explain most of the whole are the first. Returns a doubt if others have no advice.
pub(crate) fn fill_in(whole: &Whole<'_>, clusters: &mut [Cluster], total: &mut [Model]) -> Option<Doubt> {
    let explained = |model: &Model| model.power_law.as_ref().map_or(0.0, |law| law.r2);
    let mut order: Vec<usize> = (0..total.len()).collect();
    order.sort_by(|&f, &g| explained(&total[g]).total_cmp(&explained(&total[f])).then(f.cmp(&g)));
    let mut questions = most_questions(whole.study.workloads().len());
    for (position, &feature) in order.iter().enumerate() {
        if questions == 0 {
            let (advised, all) = (position, order.len());
            return Some(Doubt::AdviceLeftOut { advised, all });
        }
        let most = questions.div_ceil(order.len() - position);
        questions -= fill_in_feature(whole, feature, clusters, &mut total[feature], most);
    }
    None
}

/// Returns the maximum number of rows that are tried in all features together.
fn most_questions(workloads: usize) -> usize {
    MOST_POINTS / (VERDICTS * workloads.clamp(1, POINTS_OF_VERDICT))
}

/// Fills in the advice in one feature with at most `most` questions. Returns the number of questions.
fn fill_in_feature(
    whole: &Whole<'_>,
    feature: usize,
    clusters: &mut [Cluster],
    model: &mut Model,
    most: usize,
) -> usize {
    let question = Question::new(whole, feature, model, clusters);
    let is_open = |c: &&mut Cluster| {
        c.costly && whole.may_matter(c) && c.fits.models.get(feature).is_some_and(|m| !is_settled(m))
    };
    let mut open: Vec<&mut Cluster> =
        clusters.iter_mut().filter(is_open).take(MOST_ASKED.min(most)).collect();
    let (mut begin, mut helped) = (0, 0);
    while helped < ADVISED && begin < open.len() {
        let end = open.len().min(begin + ADVISED - helped);
        let advised = open[begin..end].par_iter_mut().map(|cluster| {
            let model = &mut cluster.fits.models[feature];
            model.next = question.next(model, &cluster.costs);
            usize::from(model.next.as_ref().is_some_and(|next| !next.sizes.is_empty()))
        });
        helped += advised.sum::<usize>();
        begin = end;
    }
    if whole.options.advise == Advise::Whole
        || !all_that_matter_are_settled(clusters, feature, whole.options.costly_share)
    {
        model.next = question.next(model, whole.totals);
    }
    most.min(begin + 1)
}

/// Returns true if some clusters are costly in the costliest run and all of these are settled.
fn all_that_matter_are_settled(clusters: &[Cluster], feature: usize, costly_share: f64) -> bool {
    let mut matter = clusters.iter().filter(|c| c.share_of_largest > costly_share).peekable();
    matter.peek().is_some() && matter.all(|c| c.fits.models.get(feature).is_some_and(is_settled))
}

/// Returns true if the verdict needs no further runs: it is decided, or its classes make no difference, and it comes
/// from enough sizes that are far enough apart. An exponential shows over a few units.
fn is_settled(model: &Model) -> bool {
    let is_narrow = model.power_law.as_ref().is_some_and(|law| law.span < NARROW_RANGE);
    let growth = model.growth.as_ref().filter(|growth| !growth.is_open());
    model.is_sound() && growth.is_some_and(|growth| !is_narrow || growth.explodes())
}

/// Facts about one feature that the advice on every row needs.
struct Question<'a> {
    whole: &'a Whole<'a>,
    feature: usize,
    largest: Option<f64>,
    price: Price,
}

/// The runs of a row with a positive size and cost.
struct Runs {
    x: Vec<f64>,
    y: Vec<f64>,
}

impl<'a> Question<'a> {
    fn new(whole: &'a Whole<'a>, feature: usize, total: &Model, clusters: &[Cluster]) -> Self {
        let requested = whole.options.largest.as_ref().filter(|(name, _)| *name == total.feature);
        // The machine that made the runs must have enough memory for the advised sizes.
        let fits = memory::fits_up_to(whole.study, total.id);
        let runs = runs(whole.study, feature, whole.totals);
        let parts = whole.parts.iter().find(|parts| parts.id == total.id);
        let price = Price::new((&runs.x, &runs.y), total, parts, feature, clusters);
        Self {
            whole,
            feature,
            largest: requested.map(|&(_, x)| x).into_iter().chain(fits).min_by(f64::total_cmp),
            price,
        }
    }

    /// Returns the advice on a row of costs, `[workloads]`.
    fn next(&self, model: &Model, costs: &[u64]) -> Option<NextRuns> {
        let runs = runs(self.whole.study, self.feature, costs);
        if model.growth.is_none() {
            return self.wider(model, &runs);
        }
        if is_settled(model) {
            return None;
        }
        let growth = growth(&runs.x, &runs.y).ok()?;
        if growth.is_open() { Some(self.deciding(model, &runs, &growth)) } else { self.wider(model, &runs) }
    }

    fn deciding(&self, model: &Model, runs: &Runs, growth: &Growth) -> NextRuns {
        // A program that was never run twice at one size may always have the same input at a size.
        let (cost, seed) = (self.budget(), self.whole.options.seed);
        let reach = Reach { largest: self.largest, cost, other_inputs: false, seed };
        let law = model.law_of_itself();
        let modelled = |x: f64| law.as_ref().and_then(|law| law.cost(&[x])).unwrap_or(f64::INFINITY);
        let total_cost = |x: f64, own: f64| self.price.with(x, modelled(x), own);
        match deciding_runs(&runs.x, &runs.y, growth, &reach, &total_cost) {
            Ok(plan) => {
                let message = format!(
                    "run {}{} tell {}{}",
                    listed(&model.feature, &plan, &runs.x),
                    if plan.decides { " to" } else { " to help" },
                    classes(growth),
                    expensive(&model.feature, &plan.sizes, &plan.costs, self.price.costliest),
                );
                let (sizes, costs) = (plan.sizes, plan.costs);
                NextRuns {
                    sizes,
                    costs,
                    inputs: plan.inputs,
                    decides: plan.decides,
                    message,
                    ..NextRuns::none(&model.feature)
                }
            }
            Err(why) => {
                let few = self.wider(model, runs).filter(|_| !model.is_sound());
                few.unwrap_or_else(|| NextRuns {
                    message: nothing_helps(model, growth, &why, self.largest),
                    ..NextRuns::none(&model.feature)
                })
            }
        }
    }

    /// Returns sizes for a study that has too few of them, or too close together, to say anything about growth.
    fn wider(&self, model: &Model, runs: &Runs) -> Option<NextRuns> {
        let mut measured = runs.x.clone();
        measured.sort_by(f64::total_cmp);
        measured.dedup();
        let (least, most) = (*measured.first()?, *measured.last()?);
        let cost = |x: f64| self.cost(model, runs, x);
        let is_priced = cost(most).is_finite();
        let explodes = may_explode(model);
        let further = |largest: Option<f64>| {
            if explodes { further_units(&measured, largest) } else { further_sizes(&measured, largest) }
        };
        let is_affordable =
            |largest: f64| further(Some(largest)).into_iter().map(cost).sum::<f64>() <= self.budget();
        let affordable =
            (is_priced && !is_affordable(most * FAR)).then(|| largest_that(most, most * FAR, is_affordable));
        let limit =
            |also: Option<f64>| self.largest.into_iter().chain(affordable).chain(also).min_by(f64::total_cmp);
        let smaller = (measured.len() == 1 && self.whole.takes(LONG)).then(|| further(limit(Some(most))));
        let mut sizes = smaller.filter(|sizes| !sizes.is_empty()).unwrap_or_else(|| further(limit(None)));
        // At such small sizes a law may be negative, and no such input may exist.
        sizes.retain(|x| !is_priced || cost(*x).is_finite());
        let span = sizes.iter().copied().fold(most, f64::max) / sizes.iter().copied().fold(least, f64::min);
        // If another part explodes, a decided verdict may still cover a narrow range after these runs; then they are
        // not worth it.
        let is_decided = model.is_sound() && model.growth.as_ref().is_some_and(|growth| !growth.is_open());
        if sizes.is_empty() || (is_decided && span < NARROW_RANGE) {
            return None;
        }
        let feature = &model.feature;
        let costs: Vec<f64> = sizes.iter().map(|&x| cost(x)).filter(|_| is_priced).collect();
        let expensive = expensive(feature, &sizes, &costs, self.price.costliest);
        let advised = format!("{feature} = {}", sizes_in_words(&sizes));
        let span = most / least;
        let message = if span < NARROW_RANGE && measured.len() > 1 && !explodes {
            format!(
                "also run {advised}: {feature} spans only a factor of {span:.1}, and growth needs a \
                 factor of a hundred{expensive}"
            )
        } else {
            let (count, say) = match measured.len() {
                1 => ("one size".to_owned(), "says"),
                count => (format!("{count} sizes"), "say"),
            };
            format!("also run {advised}: {count} of {feature} {say} little about growth{expensive}")
        };
        Some(NextRuns { sizes, costs, inputs: 1, message, ..NextRuns::none(feature) })
    }

    /// Returns the maximum cost of the advised runs together.
    fn budget(&self) -> f64 {
        MOST_COST * self.price.so_far
    }

    /// Returns the cost of a whole run at `x`, as far as a row and the whole are known. A row without a verdict counts
    /// as an exponential if that fits as well as the power law.
    fn cost(&self, model: &Model, runs: &Runs, x: f64) -> f64 {
        let modelled = model.law_of_itself().and_then(|law| law.cost(&[x])).unwrap_or(f64::INFINITY);
        let is_exponential = model.growth.is_none() && (may_explode(model) || fits_exponential(model, runs));
        let exponential = if is_exponential { exponentially(runs, x) } else { None };
        self.price.with(x, modelled, exponential.unwrap_or(modelled).max(modelled))
    }
}

fn runs(study: &Study, feature: usize, costs: &[u64]) -> Runs {
    let values = study.features()[feature].values.iter().zip(costs);
    let points = values.filter_map(|(x, &y)| Some(((*x)?, y as f64)));
    let mut runs = Runs { x: Vec::new(), y: Vec::new() };
    for (x, y) in points.filter(|&(x, y)| x > 0.0 && y > 0.0) {
        runs.x.push(x);
        runs.y.push(y);
    }
    runs
}

/// Returns true if a few more units may multiply the cost: all classes of the verdict explode, or there is no verdict
/// and costs are steep.
fn may_explode(model: &Model) -> bool {
    match &model.growth {
        Some(growth) => growth.explodes(),
        None => model.power_law.as_ref().is_some_and(|law| law.b > STEEP),
    }
}

/// Extrapolates the cost at `x` with an exponential through the costliest runs of the two largest sizes.
fn exponentially(runs: &Runs, x: f64) -> Option<f64> {
    let largest = runs.x.iter().copied().max_by(f64::total_cmp)?;
    let before = runs.x.iter().copied().filter(|x| *x < largest).max_by(f64::total_cmp)?;
    let cost = |size: f64| {
        runs.x.iter().zip(&runs.y).filter(|(x, _)| **x == size).map(|(_, y)| *y).fold(0.0, f64::max)
    };
    let rate = (cost(largest) / cost(before)).ln() / (largest - before);
    Some(cost(largest) * (rate * (x - largest)).exp())
}

/// Returns true if log cost follows the size at least as well as its logarithm. It needs three sizes, as two fit
/// both.
fn fits_exponential(model: &Model, runs: &Runs) -> bool {
    let log_y: Vec<f64> = runs.y.iter().map(|y| y.ln()).collect();
    let exponential = r_squared(&runs.x, &log_y).unwrap_or(0.0);
    model.power_law.as_ref().is_some_and(|law| law.sizes > 2 && exponential >= law.r2)
}
