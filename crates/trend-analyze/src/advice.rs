//! Which runs would tell more about a cost: the mathematics is `trend_model`'s, the words are ours.

use trend_model::{Growth, GrowthClass, NotDecidable, Reach, deciding_runs, further_sizes, growth};
use trend_profile::Study;

use crate::models::NARROW_RANGE;
use crate::{Model, NextRuns, Options};

/// What runs may cost together, in costs of the costliest so far. A program that was measured for minutes is not going
/// to be run for weeks.
const MOST_COST: f64 = 1000.0;

/// Advice that costs more than this many times the costliest run so far says so.
const DEAR: f64 = 10.0;

/// Fills in [`Model::next`] of a row of costs, `[workloads]`, whose models are `models`, one per feature.
pub(crate) fn advise(study: &Study, options: &Options, costs: &[u64], models: &mut [Model]) {
    for (feature, model) in study.features().iter().zip(models) {
        let points = feature.values.iter().zip(costs).filter_map(|(x, &y)| Some(((*x)?, y as f64)));
        let (x, y): (Vec<f64>, Vec<f64>) = points.filter(|&(x, y)| x > 0.0 && y > 0.0).unzip();
        let largest = options.largest.as_ref().filter(|(name, _)| *name == feature.name).map(|&(_, x)| x);
        model.next = next(model, &x, &y, &Question { options, largest });
    }
}

/// Whether some model of a row leaves something to advise on.
pub(crate) fn is_wanted(models: &[Model]) -> bool {
    models.iter().any(|model| !is_settled(model))
}

/// Whether the verdict is decided, of enough sizes that are far enough apart.
fn is_settled(model: &Model) -> bool {
    let is_narrow = model.power_law.as_ref().is_some_and(|law| law.span < NARROW_RANGE);
    model.growth.as_ref().is_some_and(|growth| growth.decided) && !is_narrow && model.is_sound()
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
                listed(&model.feature, &runs.sizes, runs.inputs),
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
    let runs = listed(feature, &sizes, 1);
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

/// The largest size that a run can have and not cost too much, by the power law.
fn affordable(model: &Model, costliest: f64) -> Option<f64> {
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

/// `n = 200000 and 400000 (2 inputs each)`.
fn listed(feature: &str, sizes: &[f64], inputs: usize) -> String {
    let sizes: Vec<String> = sizes.iter().map(|&size| plain(size)).collect();
    let inputs = match (inputs, sizes.len()) {
        (0 | 1, _) => String::new(),
        (inputs, 1) => format!(" ({inputs} inputs)"),
        (inputs, _) => format!(" ({inputs} inputs each)"),
    };
    format!("{feature} = {}{inputs}", joined(&sizes))
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
    use crate::{Findings, NextRuns, Options, analyze};
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
            let Some(advice) = near else { continue };
            assert!(advice.sizes.iter().all(|n| *n <= 1700.0), "{advice:?}");
            advised += 1;
        }
        assert!(advised >= 5, "{advised}");
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
