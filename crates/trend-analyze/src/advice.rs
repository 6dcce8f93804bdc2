//! Which runs would tell more about a cost: the mathematics is `trend_model`'s, the words are ours.

use rayon::prelude::*;
use trend_model::{
    DecidingRuns, Growth, GrowthClass, NotDecidable, Reach, Term, deciding_runs, further_sizes, growth,
};
use trend_profile::Study;

use crate::model_doubts::NARROW_RANGE;
use crate::{Cluster, Model, NextRuns, Options};

/// What runs may cost together, in costs of the costliest so far. A program that was measured for minutes is not going
/// to be run for weeks.
const MOST_COST: f64 = 1000.0;

/// Advice that costs more than this many times the costliest run so far says so.
const DEAR: f64 = 10.0;

/// Clusters that get advice with sizes for a feature, the costliest whose growth is not decided. It takes up to a
/// hundred verdicts each, and whoever follows the first will ask again.
const ADVISED: usize = 8;

/// Clusters that are asked for it: no sizes may help those that come first.
const MOST_ASKED: usize = 32;

/// Fills in [`Model::next`] of the costliest clusters, feature by feature, so that no cluster that only another
/// feature leaves open or that no size would decide takes the place of one that can be helped. `clusters` are by
/// falling cost.
pub(crate) fn advise_clusters(study: &Study, options: &Options, clusters: &mut [Cluster]) {
    for feature in 0..study.features().len() {
        let is_open = |c: &&mut Cluster| c.costly && c.models.get(feature).is_some_and(|m| !is_settled(m));
        let mut open: Vec<&mut Cluster> = clusters.iter_mut().filter(is_open).take(MOST_ASKED).collect();
        let (mut begin, mut helped) = (0, 0);
        while helped < ADVISED && begin < open.len() {
            let end = open.len().min(begin + ADVISED - helped);
            let asked = open[begin..end].par_iter_mut().map(|cluster| {
                let model = &mut cluster.models[feature];
                advise_on(study, options, feature, &cluster.costs, model);
                usize::from(model.next.as_ref().is_some_and(|next| !next.sizes.is_empty()))
            });
            helped += asked.sum::<usize>();
            begin = end;
        }
    }
}

/// Fills in [`Model::next`] of a row of costs, `[workloads]`, whose models are `models`, one per feature.
pub(crate) fn advise(study: &Study, options: &Options, costs: &[u64], models: &mut [Model]) {
    for (feature, model) in models.iter_mut().enumerate() {
        advise_on(study, options, feature, costs, model);
    }
}

fn advise_on(study: &Study, options: &Options, feature: usize, costs: &[u64], model: &mut Model) {
    let feature = &study.features()[feature];
    let points = feature.values.iter().zip(costs).filter_map(|(x, &y)| Some(((*x)?, y as f64)));
    let (x, y): (Vec<f64>, Vec<f64>) = points.filter(|&(x, y)| x > 0.0 && y > 0.0).unzip();
    let largest = options.largest.as_ref().filter(|(name, _)| *name == feature.name).map(|&(_, x)| x);
    model.next = next(model, &x, &y, &Question { options, largest });
}

/// Whether the verdict is decided, of enough sizes that are far enough apart. An exponential shows over a few units.
fn is_settled(model: &Model) -> bool {
    let is_narrow = model.power_law.as_ref().is_some_and(|law| law.span < NARROW_RANGE);
    let is_decided = model.growth.as_ref().is_some_and(|growth| growth.decided);
    is_decided && (!is_narrow || exponential(model).is_some()) && model.is_sound()
}

/// Coefficient and base, where the verdict is an exponential.
fn exponential(model: &Model) -> Option<(f64, f64)> {
    match *model.growth.as_ref()?.decided_class()?.fit.terms.first()? {
        (coefficient, Term::Exponential { base }) => Some((coefficient, base)),
        _ => None,
    }
}

struct Question<'a> {
    options: &'a Options,
    largest: Option<f64>,
}

fn next(model: &Model, x: &[f64], y: &[f64], question: &Question<'_>) -> Option<NextRuns> {
    if is_settled(model) {
        return None;
    }
    let costliest = y.iter().copied().fold(0.0, f64::max);
    if model.growth.as_ref().is_none_or(|growth| growth.decided) {
        return wider(model, x, costliest, question);
    }
    let growth = growth(x, y).ok()?;
    let reach = Reach { largest: question.largest, cost: MOST_COST * costliest, seed: question.options.seed };
    Some(match deciding_runs(x, y, &growth, &reach) {
        Ok(runs) => {
            let message = format!(
                "run {}{} tell {}{}",
                listed(&model.feature, &runs, x),
                if runs.decides { " to" } else { ", which may" },
                classes(&growth),
                dear(runs.cost / costliest),
            );
            NextRuns { sizes: runs.sizes, inputs: runs.inputs, decides: runs.decides, message }
        }
        Err(why) => {
            let few = wider(model, x, costliest, question).filter(|_| !model.is_sound());
            return few.or_else(|| Some(nothing_helps(model, &growth, &why, question)));
        }
    })
}

/// Sizes for a study that has too few of them, or too close together, to say anything of growth.
fn wider(model: &Model, x: &[f64], costliest: f64, question: &Question<'_>) -> Option<NextRuns> {
    let affordable = affordable(model, costliest);
    let largest = question.largest.into_iter().chain(affordable).min_by(f64::total_cmp);
    let sizes = further_sizes(x, largest);
    if sizes.is_empty() {
        return None;
    }
    let feature = &model.feature;
    let runs = format!("{feature} = {}", plainly(&sizes));
    let mut known = x.to_vec();
    known.sort_by(f64::total_cmp);
    known.dedup();
    let span = known.last().zip(known.first()).map_or(1.0, |(most, least)| most / least);
    let message = if span < NARROW_RANGE && known.len() > 1 {
        format!(
            "run {runs} as well: {feature} spans a factor of {span:.1} only, and growth shows over a hundred"
        )
    } else {
        let sizes = if known.len() == 1 { "one size".to_owned() } else { format!("{} sizes", known.len()) };
        format!("run {runs} as well: {sizes} of {feature} can say little about growth")
    };
    Some(NextRuns { sizes, inputs: 1, decides: false, message })
}

/// The largest size that a run can have and not cost too much, by the power law, or the exponential that was decided.
fn affordable(model: &Model, costliest: f64) -> Option<f64> {
    if let Some((coefficient, base)) = exponential(model) {
        let largest = ((MOST_COST * costliest).ln() - coefficient.ln()) / base.ln();
        return largest.is_finite().then_some(largest);
    }
    let law = model.power_law.as_ref().filter(|law| law.b > 0.0)?;
    let largest = (MOST_COST * costliest / law.a).powf(1.0 / law.b);
    largest.is_finite().then_some(largest)
}

fn nothing_helps(model: &Model, growth: &Growth, why: &NotDecidable, question: &Question<'_>) -> NextRuns {
    let (feature, classes) = (&model.feature, classes(growth));
    let message = match (why, question.largest) {
        (NotDecidable::Scatter { factor, runs }, _) if *runs > 1 => format!(
            "no further sizes of {feature} would tell {classes}: {runs} runs of one size differ by up to \
             {factor:.1} times; a feature is needed that explains that"
        ),
        (NotDecidable::Scatter { .. }, _) => format!(
            "no further sizes of {feature} would tell {classes}: costs scatter too widely about all of them; \
             another feature is needed"
        ),
        (NotDecidable::OutOfReach, Some(largest)) => {
            format!("no sizes of {feature} up to {} would tell {classes}", plain(largest))
        }
        (NotDecidable::OutOfReach, None) => format!(
            "no sizes of {feature} that cost less than {MOST_COST:.0} times the costliest run would tell {classes}"
        ),
    };
    NextRuns { sizes: Vec::new(), inputs: 0, decides: false, message }
}

/// `n = 200000 and 400000 (2 inputs each)`; of sizes that were run before, `n = 100 and 200 (1 more input each)`.
fn listed(feature: &str, runs: &DecidingRuns, known: &[f64]) -> String {
    let again = runs.sizes.iter().all(|size| known.contains(size));
    let each = if runs.sizes.len() > 1 { " each" } else { "" };
    let inputs = match (runs.inputs, again) {
        (0 | 1, false) => String::new(),
        (inputs, false) => format!(" ({inputs} inputs{each})"),
        (0 | 1, true) => format!(" (1 more input{each})"),
        (inputs, true) => format!(" ({inputs} more inputs{each})"),
    };
    format!("{feature} = {}{inputs}", plainly(&runs.sizes))
}

fn plainly(sizes: &[f64]) -> String {
    joined(&sizes.iter().map(|&size| plain(size)).collect::<Vec<_>>())
}

/// `n log n from n^1.5`, or `1, n and n^2 apart`; classes by growth.
fn classes(growth: &Growth) -> String {
    let mut classes: Vec<GrowthClass> = growth.named().iter().map(|fit| fit.class).collect();
    classes.sort_unstable();
    let classes: Vec<String> = classes.iter().map(ToString::to_string).collect();
    match classes.as_slice() {
        [one, other] => format!("{one} from {other}"),
        all => format!("{} apart", joined(all)),
    }
}

fn dear(times: f64) -> String {
    if times < DEAR {
        return String::new();
    }
    format!("; that costs {:.0} times the costliest run so far", two_digits(times))
}

fn joined(words: &[String]) -> String {
    match words {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => words.concat(),
    }
}

/// A size as the command line takes it.
fn plain(size: f64) -> String {
    format!("{size}")
}

fn two_digits(value: f64) -> f64 {
    format!("{value:.1e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::{DecidingRuns, listed};
    use crate::{Cluster, Findings, NextRuns, Options, analyze};
    use trend_profile::Study;

    fn findings(sizes: &[u64], cost: &dyn Fn(u64) -> u64, options: &Options) -> Findings {
        let row =
            |f: &dyn Fn(u64) -> u64| sizes.iter().map(|&n| f(n).to_string()).collect::<Vec<_>>().join(" ");
        let text = format!("n: {}\na.c:4:f: {}", row(&|n| n), row(cost));
        analyze(&Study::from_text(&text).unwrap(), options).unwrap()
    }

    fn next(sizes: &[u64], cost: &dyn Fn(u64) -> u64) -> Option<NextRuns> {
        let findings = findings(sizes, cost, &Options::default());
        assert_eq!(findings.clusters[0].models[0].next, findings.total.models[0].next, "one location is all");
        findings.total.models[0].next.clone()
    }

    /// A logarithm above a startup cost, ±2 %, the same for the same size and program.
    fn hidden(program: u64) -> impl Fn(u64) -> u64 {
        move |n| {
            let noise = (((n + 7919 * program) as f64 * 12.9898).sin() * 43_758.547).sin();
            let cost = 1500.0 + 5.0 * n as f64 * (n as f64).log2();
            (cost * (1.0 + 0.02 * noise)).round() as u64
        }
    }

    const SIZES: [u64; 7] = [50, 80, 130, 200, 320, 500, 800];

    #[test]
    fn what_is_decided_over_a_wide_range_needs_nothing() {
        assert_eq!(next(&[10, 30, 100, 300, 1000, 3000, 10_000], &|n| 7 * n), None);
    }

    #[test]
    fn an_exponential_needs_no_wide_range_and_none_that_nobody_can_wait_for() {
        let cost = |n: u64| 40 + 3_u64.pow(n as u32);
        assert_eq!(next(&[5, 6, 7, 8, 10, 12, 14, 15], &cost), None);
        let few = next(&[10, 11, 12, 13, 14], &cost).unwrap();
        // 3^20 is 729 times 3^14.
        assert!(!few.sizes.is_empty() && few.sizes.iter().all(|n| *n <= 20.0), "{few:?}");
    }

    #[test]
    fn an_undecided_verdict_comes_with_the_runs_that_decide_it() {
        let (mut advised, mut right) = (0, 0);
        for program in 0..30 {
            let cost = hidden(program);
            let undecided = findings(&SIZES, &cost, &Options::default());
            let model = &undecided.total.models[0];
            let Some(advice) = model.next.clone().filter(|next| next.decides) else { continue };
            assert!(!model.growth.as_ref().unwrap().decided);
            assert!(
                advice.message.starts_with("run n = ") && advice.message.contains(" to tell "),
                "{advice:?}"
            );
            // Who follows it gets the verdict.
            let more: Vec<u64> = SIZES.into_iter().chain(advice.sizes.iter().map(|&n| n as u64)).collect();
            let after = findings(&more, &cost, &Options::default());
            advised += 1;
            right += u32::from(after.total.models[0].growth.as_ref().unwrap().verdict == "n log n");
        }
        assert!(advised >= 5 && right * 10 >= advised * 8, "{right} of {advised}");
    }

    #[test]
    fn sizes_out_of_reach_are_not_advised() {
        let mut advised = 0;
        for program in 0..30 {
            let options = Options { largest: Some(("n".to_owned(), 1700.0)), ..Options::default() };
            let near = findings(&SIZES, &hidden(program), &options).total.models[0].next.clone();
            let Some(advice) = near.filter(|next| !next.sizes.is_empty()) else { continue };
            assert!(advice.sizes.iter().all(|n| *n <= 1700.0), "{advice:?}");
            advised += 1;
        }
        assert!(advised >= 5, "{advised}");
    }

    #[test]
    fn clusters_that_no_size_decides_take_no_others_place() {
        // Sixteen clusters whose costs are another feature's doing, before one that larger sizes decide.
        let is_helped = |program: &u64| {
            let findings = findings(&SIZES, &hidden(*program), &Options::default());
            findings.total.models[0].next.as_ref().is_some_and(|next| !next.sizes.is_empty())
        };
        let cost = hidden((0..30).find(is_helped).unwrap());
        let row = |values: [u64; 7]| values.map(|value| value.to_string()).join(" ");
        let mut text = format!("n: {}\n", row(SIZES));
        for k in 0..16_u64 {
            let wild = |i: u64| 1_000_000 * (1 + (i + 3) * (i + 3) * (7 * k + 11) * (k + 5) % 97);
            let costs = row([0, 1, 2, 3, 4, 5, 6].map(wild));
            writeln!(text, "a.c:{}:wild{k}: {costs}", k + 1).unwrap();
        }
        writeln!(text, "a.c:99:f: {}", row(SIZES.map(cost))).unwrap();
        let options = Options { costly_share: 0.0, ..Options::default() };
        let findings = analyze(&Study::from_text(&text).unwrap(), &options).unwrap();
        let is_f = |c: &Cluster| c.members.iter().any(|m| *m.function == *"f");
        let at = findings.clusters.iter().position(is_f).unwrap();
        let (before, f) = (&findings.clusters[..at], &findings.clusters[at]);
        let hopeless = before.iter().filter_map(|c| c.models[0].next.as_ref());
        let hopeless = hopeless.filter(|next| next.sizes.is_empty()).count();
        assert!(hopeless >= 8, "{hopeless} of {}", before.len());
        let model = &f.models[0];
        assert!(model.next.as_ref().is_some_and(|next| !next.sizes.is_empty()), "{:#?}", model.growth);
    }

    #[test]
    fn further_inputs_of_known_sizes_are_said_to_be_more() {
        let runs =
            |sizes: &[f64], inputs| DecidingRuns { sizes: sizes.to_vec(), inputs, decides: true, cost: 1.0 };
        let known = [100.0, 100.0, 200.0];
        assert_eq!(listed("n", &runs(&[100.0, 200.0], 1), &known), "n = 100 and 200 (1 more input each)");
        assert_eq!(listed("n", &runs(&[400.0], 3), &known), "n = 400 (3 inputs)");
        assert_eq!(listed("n", &runs(&[400.0], 1), &known), "n = 400");
    }

    #[test]
    fn a_narrow_range_and_few_sizes_are_widened() {
        let narrow = next(&[100, 120, 140, 160, 180, 200, 220], &|n| 7 * n).unwrap();
        assert!(narrow.message.contains("spans a factor of 2.2 only"), "{narrow:?}");
        assert_eq!(narrow.sizes.last(), Some(&10_000.0));
        let few = next(&[100, 10_000], &|n| 7 * n).unwrap();
        assert!(few.message.contains("2 sizes of n can say little") && few.sizes.len() == 4, "{few:?}");
        assert!(!few.decides);
    }

    #[test]
    fn no_size_is_advised_where_another_feature_is_needed() {
        let sizes = [100, 100, 100, 200, 200, 200, 400, 400, 400, 800, 800, 800];
        let row = |values: &[u64]| values.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        let costs: Vec<u64> = (0..12).map(|i| [3, 1500, 70][i % 3] * sizes[(i * 7) % 12]).collect();
        let text = format!("n: {}\na.c:4:f: {}", row(&sizes), row(&costs));
        let findings = analyze(&Study::from_text(&text).unwrap(), &Options::default()).unwrap();
        let advice = findings.total.models[0].next.clone().unwrap();
        assert!(advice.sizes.is_empty() && advice.message.contains("feature is needed"), "{advice:?}");
    }
}
