//! Whether the smallest sizes keep the others from a verdict. Advises no runs.
//!
//! ```text
//!   cost       ●          Up to some size a program does something else: it allocates, or takes another path. No class
//!     │      ●            describes both ends; the upper one is what grows.
//!     │● ● ●
//!     └───────── n
//! ```

use std::collections::BTreeSet;

use trend_model::{Growth, growth_of_some};
use trend_profile::{Study, shell_word};

use super::words::{sizes_in_words, two_digits};

/// Part of the sizes that may be left out, and sizes that have to remain.
const MOST_LEFT_OUT: usize = 3;
const FEWEST_SIZES: usize = 6;

/// How many times off the law of the others the smallest size has to be, and each that is left out.
const OFF: f64 = 1.5;
const A_LITTLE_OFF: f64 = 1.1;

/// How many times the scatter about that law each has to be off.
const BEYOND_SCATTER: f64 = 4.0;

/// Standard deviation of log cost from which a decided verdict describes its runs badly, and by how much better the others
/// have to be described than all of them.
pub(super) const BAD_SPREAD: f64 = 0.2;
const MUCH_BETTER: f64 = 3.0;

/// The greatest ratio of sizes below which growth does not show.
const LEAST_SPAN: f64 = 3.0;

/// Options that leave out more than so many sizes are not for the command line.
const MOST_OPTIONS: usize = 6;

/// Points of which it is asked, spread over the sizes; more tell hardly more and take longer.
const MOST_POINTS: usize = 100;

/// The largest sizes have a law that the smallest have not.
pub(super) struct Smaller {
    /// Workloads to leave out, in order.
    pub(super) workloads: Vec<String>,
    /// In words.
    pub(super) message: String,
}

/// What leaving out the smallest of the sizes would decide, `None` where that is nothing. `x` and `y` are the runs with a
/// positive size and cost, `workloads` their names; `verdict` is on all of them.
pub(super) fn without_smallest(
    study: &Study,
    feature: &str,
    (x, y, workloads): (&[f64], &[f64], &[usize]),
    verdict: &Growth,
) -> Option<Smaller> {
    if verdict.decided && verdict.best().spread < BAD_SPREAD {
        return None;
    }
    let mut sizes = x.to_vec();
    sizes.sort_by(f64::total_cmp);
    sizes.dedup();
    let most = (sizes.len() / MOST_LEFT_OUT).min(sizes.len().checked_sub(FEWEST_SIZES)?).min(MOST_OPTIONS);
    let upper = |left_out: usize| {
        let kept = x.iter().zip(y).filter(|(x, _)| **x >= sizes[left_out]);
        let (x, y): (Vec<f64>, Vec<f64>) = kept.unzip();
        growth_of_some(&x, &y, MOST_POINTS).ok()
    };
    let decides = |left_out: &usize| {
        let found = upper(*left_out).filter(|found| is_better(found, verdict))?;
        // The law of a piece of the others leaves out more than the smallest.
        let is_of_all = found.best().from <= sizes[*left_out];
        let explodes = found.best().class.term().explodes();
        let spans = sizes[sizes.len() - 1] / sizes[*left_out] >= LEAST_SPAN;
        // Not by chance: one size less says the same.
        let stays =
            upper(left_out + 1).is_none_or(|next| next.named().iter().any(|f| f.class == found.best().class));
        (is_of_all && stays && (spans || explodes)).then_some(found)
    };
    let (left_out, found) = (1..=most).find_map(|left_out| Some((left_out, decides(&left_out)?)))?;
    let cost_at = |size: f64| x.iter().zip(y).filter(move |(x, _)| **x == size).map(|(_, y)| *y);
    let distance = |size: f64| {
        let law = found.best().predict(size);
        let off = cost_at(size).map(|y| if law > 0.0 { (y / law).ln().abs() } else { f64::INFINITY });
        off.fold(f64::INFINITY, f64::min)
    };
    let enough = A_LITTLE_OFF.ln().max(BEYOND_SCATTER * found.best().spread);
    if distance(sizes[0]) < OFF.ln().max(enough)
        || sizes[..left_out].iter().any(|size| distance(*size) < enough)
    {
        return None;
    }
    let out: BTreeSet<&str> = (x.iter().zip(workloads))
        .filter(|(x, _)| **x < sizes[left_out])
        .map(|(_, &w)| study.workloads()[w].name.as_str())
        .collect();
    let options = options(study, &out)?;
    let furthest = sizes[..left_out].iter().map(|size| distance(*size)).fold(0.0, f64::max).exp();
    let off = if furthest.is_finite() {
        format!("up to {} times off what the others follow", two_digits(furthest))
    } else {
        "off what the others follow".to_owned()
    };
    let message = format!(
        "without {feature} = {} ({off}) it is {}: `{options}`",
        sizes_in_words(&sizes[..left_out]),
        found.best().class
    );
    Some(Smaller { workloads: out.into_iter().map(str::to_owned).collect(), message })
}

/// Whether the larger sizes are decided, and described so much better that the smaller ones are another matter: a startup cost
/// is a term of the law, which fits as well with it.
fn is_better(found: &Growth, than: &Growth) -> bool {
    found.decided && found.best().spread * MUCH_BETTER <= than.best().spread
}

/// The options that leave out these workloads and no others: their names, or a pattern that they share; `None` where that
/// takes too many.
fn options(study: &Study, out: &BTreeSet<&str>) -> Option<String> {
    let mut groups: Vec<String> = Vec::new();
    for name in out {
        // `n=5 seed=1` and `n=5 seed=2` share `n=5 *`.
        let shared = name.split_once(' ').map(|(first, _)| format!("{first} "));
        let is_plain = |start: &String| !start.contains(['*', '?', '[', ']']);
        let all_out = |start: &String| {
            let meant = study.workloads().iter().filter(|w| w.name.starts_with(start.as_str()));
            meant.clone().count() > 1 && meant.into_iter().all(|w| out.contains(w.name.as_str()))
        };
        let word = shared.filter(|start| is_plain(start) && all_out(start)).map(|start| format!("{start}*"));
        let word = word.unwrap_or_else(|| (*name).to_owned());
        if !groups.contains(&word) {
            groups.push(word);
        }
    }
    (groups.len() <= MOST_OPTIONS).then(|| {
        groups.iter().map(|word| format!("--exclude={}", shell_word(word))).collect::<Vec<_>>().join(" ")
    })
}
