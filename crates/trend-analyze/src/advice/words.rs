//! Advice in words. Decides nothing.

use trend_model::{DecidingRuns, Growth, GrowthClass, NotDecidable};

use super::MOST_COST;

/// Advised sizes that cost more than this many times the costliest run so far say so.
const DEAR: f64 = 10.0;

/// Why no sizes are advised.
pub(super) fn nothing_helps(
    feature: &str,
    growth: &Growth,
    why: &NotDecidable,
    largest: Option<f64>,
) -> String {
    let classes = classes(growth);
    match (why, largest) {
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
    }
}

/// `n = 200000 and 400000 (2 inputs each)`; of sizes that were run before, `n = 100 and 200 (1 more input each)`.
pub(super) fn listed(feature: &str, runs: &DecidingRuns, known: &[f64]) -> String {
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

/// `n log n from n^1.5`, or `1, n and n^2 apart`; classes by growth.
pub(super) fn classes(growth: &Growth) -> String {
    let mut classes: Vec<GrowthClass> = growth.named().iter().map(|fit| fit.class).collect();
    classes.sort_unstable();
    let classes: Vec<String> = classes.iter().map(ToString::to_string).collect();
    match classes.as_slice() {
        [one, other] => format!("{one} from {other}"),
        all => format!("{} apart", joined(all)),
    }
}

/// What the dear ones of the sizes cost, each with the `costs` of one run there; `; that costs 40 times the costliest run so
/// far`. Empty where none is dear.
pub(super) fn dear(feature: &str, sizes: &[f64], costs: &[f64], costliest: f64) -> String {
    let times = sizes.iter().zip(costs).map(|(&size, cost)| (size, cost / costliest));
    let dear: Vec<(f64, f64)> = times.filter(|(_, times)| *times >= DEAR).collect();
    let (which, times): (Vec<f64>, Vec<String>) =
        dear.into_iter().map(|(size, times)| (size, plain(two_digits(times)))).unzip();
    match times.as_slice() {
        [] => String::new(),
        [one] if sizes.len() == 1 => format!("; that costs {one} times the costliest run so far"),
        [one] => format!("; {feature} = {} costs {one} times the costliest run so far", plainly(&which)),
        all => {
            let which = if which.len() == sizes.len() {
                "they".to_owned()
            } else {
                format!("{feature} = {}", plainly(&which))
            };
            format!("; {which} cost {} times the costliest run so far", joined(all))
        }
    }
}

pub(super) fn plainly(sizes: &[f64]) -> String {
    joined(&sizes.iter().map(|&size| plain(size)).collect::<Vec<_>>())
}

pub(super) fn joined(words: &[String]) -> String {
    match words {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => words.concat(),
    }
}

/// A size as the command line takes it.
fn plain(size: f64) -> String {
    format!("{size}")
}

pub(super) fn two_digits(value: f64) -> f64 {
    format!("{value:.1e}").parse().unwrap_or(value)
}
