//! Words the advice. Decides nothing.

use trend_model::{DecidingRuns, Growth, GrowthClass, NotDecidable};

use super::price::MOST_COST;
use crate::findings::model::Model;

/// Minimum cost of an advised size, as a multiple of the most expensive run so far, for the advice to name it.
const EXPENSIVE: f64 = 10.0;

/// Maximum number of sizes that are listed one by one. For more sizes, the first, the last and the number of all are
/// given.
const MOST_NAMED: usize = 5;

/// Explains why no sizes are advised.
pub(super) fn nothing_helps(
    model: &Model,
    growth: &Growth,
    why: &NotDecidable,
    largest: Option<f64>,
) -> String {
    let feature = &model.feature;
    let classes = classes(growth);
    match (why, largest) {
        (NotDecidable::Scatter { factor, runs }, _) if *runs > 1 => format!(
            "no further sizes of {feature} would separate {classes}: {runs} runs of one size differ by up \
             to {factor:.1}×; a second feature may explain this"
        ),
        (NotDecidable::Scatter { .. }, _) => format!(
            "no further sizes of {feature} would separate {classes}: the scatter of the costs is larger \
             than the difference between these laws; a second feature may explain it"
        ),
        (NotDecidable::OutOfReach, Some(largest)) => {
            format!("no size of {feature} up to {} would separate {classes}", plain(largest))
        }
        (NotDecidable::OutOfReach, None) => format!(
            "no sizes of {feature} that cost up to {MOST_COST:.0} times as much as all runs so far would \
             separate {classes}"
        ),
    }
}

/// Formats the advised runs: `n = 200000 and 400000 (2 inputs each)`; for sizes that were run before,
/// `n = 100 and 200 (1 more input each)`.
pub(super) fn listed(feature: &str, runs: &DecidingRuns, measured: &[f64]) -> String {
    let again = runs.sizes.iter().all(|size| measured.contains(size));
    let each = if runs.sizes.len() > 1 { " each" } else { "" };
    let inputs = match (runs.inputs, again) {
        (0 | 1, false) => String::new(),
        (inputs, false) => format!(" ({inputs} inputs{each})"),
        (0 | 1, true) => format!(" (1 more input{each})"),
        (inputs, true) => format!(" ({inputs} more inputs{each})"),
    };
    format!("{feature} = {}{inputs}", sizes_in_words(&runs.sizes))
}

/// Formats the classes to separate, from slow to fast: `n log n from n^1.5`, or `1, n and n^2 apart`.
pub(super) fn classes(growth: &Growth) -> String {
    let classes = by_growth(growth);
    match classes.as_slice() {
        [one, other] => format!("{one} from {other}"),
        all => format!("{} apart", joined(all)),
    }
}

/// Returns the named classes, the slowest first.
fn by_growth(growth: &Growth) -> Vec<String> {
    let mut classes: Vec<GrowthClass> = growth.named().iter().map(|fit| fit.class).collect();
    classes.sort_unstable();
    classes.iter().map(ToString::to_string).collect()
}

/// Describes the most expensive of the advised sizes, which have these `costs`:
/// `; that costs 40 times the most expensive run so far`, or `; n = 6400 costs …` for several sizes. Returns an empty
/// string below [`EXPENSIVE`] times.
pub(super) fn expensive(feature: &str, sizes: &[f64], costs: &[f64], costliest: f64) -> String {
    let Some((size, cost)) = sizes.iter().zip(costs).max_by(|a, b| a.1.total_cmp(b.1)) else {
        return String::new();
    };
    let times = cost / costliest;
    if times < EXPENSIVE {
        return String::new();
    }
    let which = if sizes.len() == 1 { "that".to_owned() } else { format!("{feature} = {}", plain(*size)) };
    format!("; {which} costs {} times the most expensive run so far", plain(two_digits(times)))
}

/// Formats sizes: `100, 200 and 400`, or `100 to 6400 (7 sizes)`.
pub(super) fn sizes_in_words(sizes: &[f64]) -> String {
    match sizes {
        [first, .., last] if sizes.len() > MOST_NAMED => {
            format!("{} to {} ({} sizes)", plain(*first), plain(*last), sizes.len())
        }
        all => joined(&all.iter().map(|&size| plain(size)).collect::<Vec<_>>()),
    }
}

pub(super) fn joined(words: &[String]) -> String {
    match words {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => words.concat(),
    }
}

/// Formats a size as the command line accepts it.
fn plain(size: f64) -> String {
    format!("{size}")
}

pub(super) fn two_digits(value: f64) -> f64 {
    format!("{value:.1e}").parse().unwrap_or(value)
}
