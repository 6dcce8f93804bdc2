//! Advice in words. Decides nothing.

use trend_model::{DecidingRuns, Growth, GrowthClass, NotDecidable};

use super::MOST_COST;

/// From how many times the costliest run so far the cost of advised runs is named, and from how many seconds their time.
const NAMED_COST: f64 = 2.0;
const NAMED_SECONDS: f64 = 1.0;

/// Sizes up to which each is named; of more, how many there are and the ends.
const MOST_NAMED: usize = 6;

/// What keeps larger sizes from being advised.
pub(super) enum Bound {
    /// The largest size that is wanted.
    Size(f64),
    /// What all runs may take together.
    Seconds(f64),
    /// [`MOST_COST`].
    Cost,
}

/// Why no sizes are advised.
pub(super) fn nothing_helps(feature: &str, growth: &Growth, why: &NotDecidable, bound: &Bound) -> String {
    let classes = classes(growth);
    match (why, bound) {
        (NotDecidable::Scatter { factor, runs }, _) if *runs > 1 => format!(
            "no further sizes of {feature} would tell {classes}: {runs} runs of one size differ by up to \
             {factor:.1} times; a feature is needed that explains that"
        ),
        (NotDecidable::Scatter { .. }, _) => format!(
            "no further sizes of {feature} would tell {classes}: costs scatter too widely about all of them; \
             another feature is needed"
        ),
        (NotDecidable::OutOfReach, Bound::Size(largest)) => {
            format!("no sizes of {feature} up to {} would tell {classes}", plain(*largest))
        }
        (NotDecidable::OutOfReach, Bound::Seconds(seconds)) => {
            format!(
                "no sizes of {feature} whose runs take less than {} would tell {classes}",
                duration(*seconds)
            )
        }
        (NotDecidable::OutOfReach, Bound::Cost) => format!(
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

/// How much more than the costliest run so far runs of these `costs` cost, and how long all take; `; up to 40 times the cost of
/// the costliest run so far, up to 3 min in all`. Empty where both are little.
pub(super) fn price_words(costs: &[f64], costliest: f64, seconds: Option<f64>) -> String {
    let times = costs.iter().copied().fold(0.0, f64::max) / costliest;
    let cost = (times >= NAMED_COST)
        .then(|| format!("up to {} times the cost of the costliest run so far", plain(two_digits(times))));
    let time = seconds.filter(|s| *s >= NAMED_SECONDS).map(|s| format!("up to {} in all", duration(s)));
    let parts: Vec<String> = cost.into_iter().chain(time).collect();
    if parts.is_empty() { String::new() } else { format!("; {}", parts.join(", ")) }
}

/// `40 s`, `3 min`, `5 h`.
fn duration(seconds: f64) -> String {
    let (length, unit) = match seconds {
        ..120.0 => (1.0, "s"),
        ..7200.0 => (60.0, "min"),
        _ => (3600.0, "h"),
    };
    format!("{} {unit}", plain(two_digits(seconds / length)))
}

/// `100, 200 and 400`; of many `100 … 6400, 40 sizes`.
pub(super) fn plainly(sizes: &[f64]) -> String {
    match sizes {
        [first, .., last] if sizes.len() > MOST_NAMED => {
            format!("{} … {}, {} sizes", plain(*first), plain(*last), sizes.len())
        }
        _ => joined(&sizes.iter().map(|&size| plain(size)).collect::<Vec<_>>()),
    }
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
