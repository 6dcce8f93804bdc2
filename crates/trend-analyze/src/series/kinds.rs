//! Finds out whether the calls of a routine are of several kinds, each with its own law. This module does not know how
//! calls are weighted.
//!
//! ```text
//!   cost                ●  greatest        A cache: a hit costs 3, a miss costs n. Neither the size nor an average shows
//!     │            ●                       this. The least and the greatest cost of each size do, and so may the caller
//!     │       ●                            or the run.
//!     │  ○    ○    ○    ○  least
//!     └───────────────────── n
//! ```
//!
//! Calls that scatter about a single law also differ by a factor at each size, more so the more calls there are. The
//! test is therefore whether that factor grows with the size, beyond the effect of the number of calls.

use trend_model::{GrowthClass, linear_regression, two_trends};
use trend_profile::{Observation, Series, Study, Variable};

use super::{MOST_SIZES, average_growth, scattered, thinned};
use crate::findings::growth::GrowthModel;
use crate::findings::series::{CallShares, KindLaw, KindOfCalls, KindOfContexts, Kinds, SeriesRow};
use crate::fit::modeller::{Attention, Modeller};
use crate::fit::rule;
use crate::options::Options;

impl KindLaw {
    fn new(growth: &GrowthModel) -> Option<Self> {
        let best = growth.best()?;
        Some(Self {
            growth: growth.short.to_string(),
            formula: best.formula.clone(),
            is_constant: growth.decided && best.class == GrowthClass::Constant,
        })
    }
}

/// Number of sizes of a run that are looked at even where runs are many.
const LEAST_OF_RUN: usize = 16;

/// Least share of a routine's calls or cost for a kind that is worth reporting.
const LEAST_PART: f64 = 0.01;

/// Least factor between two different laws, at a size that both have.
const DIFFERENT: f64 = 2.0;

/// Least factor that the common sizes of two contexts must span. Outside these sizes, the contexts may be two pieces of
/// one law.
const LEAST_OVERLAP: f64 = 2.0;

/// Minimum number of sizes with several calls for examining the spread of calls.
const FEWEST_SIZES: usize = 6;

/// Minimum share of the sizes in each of two kinds. Fewer sizes are outliers.
const LEAST_SIZES_OF_KIND: f64 = 0.1;

/// Maximum number of rounds in which sizes change sides. If some still do after that, the calls are not of two kinds.
const MOST_ROUNDS: usize = 4;

/// Least power of the size by which the factor between the least and the greatest cost grows: from `n log n` to
/// `n^1.5`.
const LEAST_GROWTH: f64 = 0.25;

/// Least distance of that power from 0, in standard errors. With one law and a scatter of 30 to 100 %, chance exceeds
/// it in 1 of 1000 routines. Even then, the two classes have to differ as well.
const CERTAIN: f64 = 5.0;

/// Least variance of calls at which nearly all cost about the least or the greatest. Its unit is the largest variance
/// possible between these two. A uniform distribution has 1/3, an arcsine distribution 1/2, and two kinds that each
/// scatter by a tenth have 0.7.
const TWO_SIDED: f64 = 0.6;

/// Least share of the calls at sizes with such a variance, or at sizes with too few calls to tell.
const MOST: f64 = 0.9;

/// Finds kinds by caller, from the whole routine and its contexts.
pub(crate) fn of_contexts(routine: &SeriesRow, contexts: &[&SeriesRow]) -> Option<Kinds> {
    struct DecidedContext<'a> {
        row: &'a SeriesRow,
        growth: &'a GrowthModel,
        class: GrowthClass,
        sizes: (f64, f64),
    }
    let shares = |count: u64, cost: u64| CallShares {
        calls: count as f64 / routine.count.max(1) as f64,
        cost: cost as f64 / routine.sum.max(1) as f64,
    };
    let is_notable = |row: &&'_ SeriesRow| -> bool {
        let part = shares(row.count, row.sum);
        row.variables.len() == 1 && part.calls.max(part.cost) >= LEAST_PART
    };
    let decided: Vec<DecidedContext<'_>> = contexts
        .iter()
        .copied()
        .filter(is_notable)
        .filter_map(|row| {
            let model = row.average.fits.models.first().filter(|model| model.is_sound())?;
            let growth = model.growth.as_ref()?;
            let class = growth.decided_class()?.class;
            let mut sizes = row.observations.iter().map(|o| o.size() as f64).filter(|size| *size > 0.0);
            let least = sizes.next()?;
            Some(DecidedContext { row, growth, class, sizes: (least, sizes.next_back()?) })
        })
        .collect();
    let differ = |a: &DecidedContext<'_>, b: &DecidedContext<'_>| {
        let (from, to) = (a.sizes.0.max(b.sizes.0), a.sizes.1.min(b.sizes.1));
        let cost = |context: &DecidedContext<'_>, at: f64| {
            context.growth.best().map_or(f64::NAN, |best| best.fit.predict(at))
        };
        let factor = |at: f64| (cost(a, at) / cost(b, at)).ln().abs();
        a.class != b.class && to >= LEAST_OVERLAP * from && factor(from).max(factor(to)) >= DIFFERENT.ln()
    };
    if !decided.iter().any(|a| decided.iter().any(|b| differ(a, b))) {
        return None;
    }
    let mut classes: Vec<GrowthClass> = decided.iter().map(|one| one.class).collect();
    classes.sort_unstable();
    classes.dedup();
    let kind = |class: &GrowthClass| {
        let mut of_class: Vec<&DecidedContext<'_>> =
            decided.iter().filter(|one| one.class == *class).collect();
        of_class.sort_by_key(|one| std::cmp::Reverse(one.row.sum));
        let total = |field: fn(&SeriesRow) -> u64| of_class.iter().map(|one| field(one.row)).sum();
        Some(KindOfContexts {
            contexts: of_class.iter().filter_map(|one| one.row.context.clone()).collect(),
            law: KindLaw::new(of_class.first()?.growth)?,
            part: shares(total(|row| row.count), total(|row| row.sum)),
        })
    };
    Some(Kinds::Contexts { kinds: classes.iter().filter_map(kind).collect() })
}

/// Finds kinds by run, from the series of each workload.
pub(crate) fn of_runs(study: &Study, series: &[&Series], options: &Options) -> Option<Kinds> {
    let [variable] = series.first()?.variables.as_slice() else { return None };
    let point = |(i, o): (usize, &Observation)| {
        let mean = o.sum as f64 / o.count.max(1) as f64;
        (o.size() > 0 && mean > 0.0).then_some((i, o.size() as f64, mean))
    };
    let of_run = (MOST_SIZES / series.len()).max(LEAST_OF_RUN);
    let points: Vec<(usize, f64, f64)> = (series.iter().enumerate())
        .flat_map(|(i, one)| {
            thinned(&one.observations, of_run).into_iter().filter_map(move |o| point((i, &o)))
        })
        .collect();
    let (x, y): (Vec<f64>, Vec<f64>) = points.iter().map(|&(_, x, y)| (x, y)).unzip();
    let sides = two_trends(&x, &y)?.is_upper;
    // Each run follows one trend. If runs follow both, something else distinguishes the calls.
    let mut votes = vec![[0_usize; 2]; series.len()];
    for ((i, ..), side) in points.iter().zip(sides).filter_map(|(point, side)| Some((point, side?))) {
        votes[*i][usize::from(side)] += 1;
    }
    let (stray, all) =
        votes.iter().fold((0, 0), |(stray, all), v| (stray + v[0].min(v[1]), all + v[0] + v[1]));
    if stray * 20 > all {
        return None;
    }
    let voting: Vec<usize> = (0..series.len()).filter(|&i| votes[i][0] != votes[i][1]).collect();
    let is_costlier: Vec<bool> = voting.iter().map(|&i| votes[i][1] > votes[i][0]).collect();
    let workloads: Vec<usize> = voting.iter().map(|&i| series[i].workload.index()).collect();
    let rule = rule::find(study, variable.name(), &workloads, &is_costlier);
    let (told_apart_by, rule, is_costlier) =
        rule.map_or((None, None, is_costlier), |rule| (rule.feature, Some(rule.words), rule.is_costlier));
    let (count, cost) = part(series.iter().flat_map(|one| &one.observations));
    let kind = |costlier: bool| {
        let of_kind = voting.iter().zip(&is_costlier).filter(|(_, side)| **side == costlier);
        let mut observations: Vec<Observation> =
            of_kind.flat_map(|(&i, _)| &series[i].observations).copied().collect();
        Observation::merge(&mut observations);
        let (calls, sum) = part(&observations);
        let growth = average_growth(*variable, &observations, options)?;
        Some(KindOfCalls {
            law: KindLaw::new(&growth)?,
            part: CallShares { calls: calls / count, cost: sum / cost },
        })
    };
    Some(Kinds::Runs { told_apart_by, rule, cheaper: kind(false)?, costlier: kind(true)? })
}

/// Returns true if a cost of the sizes follows two trends.
pub(crate) fn are_trends(observations: &[Observation], cost: impl Fn(&Observation) -> f64) -> bool {
    let (x, y): (Vec<f64>, Vec<f64>) = observations.iter().map(|o| (o.size() as f64, cost(o))).unzip();
    two_trends(&x, &y).is_some()
}

/// Finds kinds by the curve: sizes whose mean costs follow one of two trends. Also returns the observations of the
/// cheaper and of the costlier kind. The observations have one variable.
pub(crate) fn of_trends(
    variable: Variable,
    observations: &[Observation],
    options: &Options,
) -> Option<(Kinds, [Vec<Observation>; 2])> {
    let mean = |o: &Observation| o.sum as f64 / o.count.max(1) as f64;
    let (x, y): (Vec<f64>, Vec<f64>) = observations.iter().map(|o| (o.size() as f64, mean(o))).unzip();
    let mut sides = two_trends(&x, &y)?.is_upper;
    let of_side = |sides: &[Option<bool>], upper: bool| -> Vec<Observation> {
        let of_side = observations.iter().zip(sides).filter(|(_, side)| **side == Some(upper));
        of_side.map(|(observation, _)| *observation).collect()
    };
    for _ in 0..MOST_ROUNDS {
        let kinds = [of_side(&sides, false), of_side(&sides, true)];
        let growth = |of_kind: &Vec<Observation>| average_growth(variable, of_kind, options);
        let laws = [growth(&kinds[0])?, growth(&kinds[1])?];
        // The curves of the trends have a common bend, which the laws of the kinds need not have.
        let distance = |law: &GrowthModel, i: usize| Some((law.best()?.fit.predict(x[i]) / y[i]).ln().abs());
        let nearer = |(i, side): (usize, &Option<bool>)| {
            side.map(|side| match (distance(&laws[0], i), distance(&laws[1], i)) {
                // A law without a positive value at this size is not near it.
                (Some(lower), Some(upper)) if lower != upper => upper.total_cmp(&lower).is_lt(),
                _ => side,
            })
        };
        let settled: Vec<Option<bool>> = sides.iter().enumerate().map(nearer).collect();
        if settled != sides {
            sides = settled;
            continue;
        }
        let at_largest = |law: &GrowthModel| Some(law.best()?.fit.predict(*x.last()?));
        let are_kinds = kinds.iter().all(|kind| kind.len() as f64 >= LEAST_SIZES_OF_KIND * x.len() as f64);
        if !are_kinds || at_largest(&laws[0])? >= at_largest(&laws[1])? {
            return None;
        }
        let totals = part(observations);
        let of_calls = |growth: &GrowthModel, of_kind: &Vec<Observation>| {
            let (calls, cost) = part(of_kind);
            let part = CallShares { calls: calls / totals.0, cost: cost / totals.1 };
            Some(KindOfCalls { law: KindLaw::new(growth)?, part })
        };
        let [cheaper, costlier] = [0, 1].map(|i| of_calls(&laws[i], &kinds[i]));
        return Some((Kinds::Trends { cheaper: cheaper?, costlier: costlier? }, kinds));
    }
    None
}

/// Returns the number of calls and their cost.
fn part<'a>(observations: impl IntoIterator<Item = &'a Observation>) -> (f64, f64) {
    let calls_and_costs = observations.into_iter().map(|o| (o.count as f64, o.sum as f64));
    calls_and_costs.fold((0.0, 0.0), |(calls, cost), (count, sum)| (calls + count, cost + sum))
}

/// Finds kinds by the spread of the calls of one size. The observations have one variable, and are in order of
/// ascending size.
pub(crate) fn of_spread(
    variable: Variable,
    observations: &[Observation],
    options: &Options,
) -> Option<Kinds> {
    let several: Vec<&Observation> =
        observations.iter().filter(|o| o.count > 1 && o.min > 0 && o.size() > 0).collect();
    if !runs_apart(&several) {
        return None;
    }
    let sizes = several.iter().map(|o| o.size() as f64).collect();
    let modeller = Modeller::by_size(vec![(variable.name(), sizes)], options);
    let growth = |cost: fn(&Observation) -> u64| {
        let costs: Vec<f64> = several.iter().map(|o| cost(o) as f64).collect();
        modeller.models_with(&costs, Attention::Full).pop()?.growth
    };
    let (cheapest, dearest) = (growth(|o| o.min)?, growth(|o| o.max)?);
    let classes = |growth: &GrowthModel| growth.named().map(|named| named.class).collect::<Vec<_>>();
    let (slow, fast) = (classes(&cheapest), classes(&dearest));
    if slow.iter().max()? >= fast.iter().min()? {
        return None;
    }
    let dearest_part = dearest_part(observations);
    Some(Kinds::Spread { cheapest: KindLaw::new(&cheapest)?, dearest: KindLaw::new(&dearest)?, dearest_part })
}

/// Returns true if the greatest cost of a size grows faster than the least, beyond the effect of the numbers of calls.
///
/// # Formula
///
/// The slope of `ln(max/min)` over `ln n`, over the larger two thirds of the sizes and at least six. First, both are
/// reduced by their regression lines on `√(2·ln m)`, the number of standard deviations by which the greatest of m
/// normal values exceeds their mean.
fn runs_apart(several: &[&Observation]) -> bool {
    if several.len() < FEWEST_SIZES {
        return false;
    }
    let upper = &several[(several.len() / 3).min(several.len() - FEWEST_SIZES)..];
    let column = |value: fn(&Observation) -> f64| upper.iter().map(|o| value(o)).collect::<Vec<f64>>();
    let along = column(|o| (o.size() as f64).ln());
    let log_ratios = column(|o| (o.max as f64 / o.min as f64).ln());
    let expected = column(|o| (2.0 * (o.count as f64).ln()).sqrt());
    if log_ratios.last().is_none_or(|last| *last < DIFFERENT.ln()) {
        return false;
    }
    let about = |values: &[f64]| match linear_regression(&expected, values) {
        Ok(line) => expected.iter().zip(values).map(|(e, v)| v - line.intercept - line.slope * e).collect(),
        // All sizes have the same number of calls.
        Err(_) => values.to_vec(),
    };
    let (along, log_ratios): (Vec<f64>, Vec<f64>) = (about(&along), about(&log_ratios));
    let Ok(line) = linear_regression(&along, &log_ratios) else { return false };
    let mean = along.iter().sum::<f64>() / along.len() as f64;
    let squares: f64 = along.iter().map(|x| (x - mean).powi(2)).sum();
    let residual_squares: f64 =
        along.iter().zip(&log_ratios).map(|(x, y)| (y - line.intercept - line.slope * x).powi(2)).sum();
    let error = (residual_squares / (along.len() - 3) as f64 / squares).sqrt();
    line.slope >= LEAST_GROWTH && line.slope >= CERTAIN * error
}

/// Returns the shares of the calls that cost about as much as the greatest of their size. Returns `None` unless nearly
/// all calls cost about the greatest or the least.
///
/// # Formula
///
/// Calls with mean μ between the least cost l and the greatest g have at most the variance `(g − μ)(μ − l)`. If they
/// have that variance, a share of `(μ − l)/(g − l)` of them costs g.
fn dearest_part(observations: &[Observation]) -> Option<CallShares> {
    let (mut covered, mut calls, mut cost) = (0.0, 0.0, 0.0);
    let (count, sum) = part(observations);
    for o in observations.iter().filter(|o| o.count > 1 && o.max > o.min) {
        let (least, greatest) = (o.min as f64, o.max as f64);
        let of_size = scattered(o);
        let mean = of_size.mean();
        let most = (greatest - mean) * (mean - least) * o.count as f64;
        if o.count > 3 && of_size.squares_about_mean()? < TWO_SIDED * most {
            continue;
        }
        let costly_calls = o.count as f64 * (mean - least) / (greatest - least);
        covered += o.count as f64;
        calls += costly_calls;
        cost += costly_calls * greatest;
    }
    (covered >= MOST * count).then(|| CallShares { calls: calls / count, cost: (cost / sum).min(1.0) })
}

#[cfg(test)]
mod tests;
