//! Builds the sentences above the rows of a comparison. The comparison itself decides their content.

use serde::Serialize;
use trend_analyze::{
    Basis, ChangeKind, Compared, Comparison, Effect, GrowthChange, JudgedPlace, NOTABLE_UNCOUNTED,
    OutOfReach, Outcome, OutcomeReason, Resources, TimePartKind,
};

use super::{at, change_and_interval, growth, name};
use crate::number::{self, plural};
use crate::text::{brief, shorten, visible};

/// Maximum number of functions named; the others are only counted.
const MOST_NAMED: usize = 3;

/// Maximum width of names of libraries and workloads.
const NAME_WIDTH: usize = 40;

/// A part of a sentence.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Piece {
    #[serde(rename = "as")]
    is: PieceKind,
    text: String,
    /// Place of the function, if the piece names one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, type = "import('./findings-types').JudgedPlace"))]
    place: Option<JudgedPlace>,
}

/// The kind of a part of a sentence.
#[derive(Clone, Copy, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
enum PieceKind {
    /// Plain text without emphasis.
    Plain,
    /// The outcome in one word.
    Outcome,
    /// The number or name that the sentence is about.
    Strong,
    /// An interval, in parentheses.
    Soft,
    /// The name of a function.
    Function,
}

impl Piece {
    fn new(is: PieceKind, text: impl Into<String>) -> Self {
        Self { is, text: text.into(), place: None }
    }

    fn plain(text: impl Into<String>) -> Self {
        Self::new(PieceKind::Plain, text)
    }
}

/// Returns the sentence that the pieces form.
pub(super) fn text(pieces: &[Piece]) -> String {
    pieces.iter().map(|piece| piece.text.as_str()).collect()
}

/// Returns the outcome in one word, and the program's cost: `Regressed. At n = 1 M: 5.60 G → 7.10 G executions, +27 %
/// (20–34 %).`
pub(crate) fn headline(comparison: &Comparison) -> Vec<Piece> {
    let word = match comparison.outcome {
        Outcome::Holds => "Holds.",
        Outcome::Regressed => "Regressed.",
        Outcome::Improved => "Improved.",
        Outcome::CannotTell => "Cannot tell.",
    };
    let mut pieces = vec![Piece::new(PieceKind::Outcome, word)];
    match comparison.reason {
        OutcomeReason::FewShared { needed } => pieces.push(Piece::plain(few_shared(comparison, needed))),
        OutcomeReason::NoPrediction => pieces.push(Piece::plain(format!(
            " One version has no prediction {}. Run larger sizes on both.",
            at(comparison)
        ))),
        _ => pieces.extend(costs(comparison)),
    }
    let more = match comparison.reason {
        OutcomeReason::Open => " Whether that matters is unclear; more runs or larger sizes would help.",
        OutcomeReason::NoFactor { .. } => " The factor differs between runs. Run sizes over a wider range.",
        _ => return pieces,
    };
    pieces.push(Piece::plain(more));
    pieces
}

fn few_shared(comparison: &Comparison, needed: usize) -> String {
    let shared = match comparison.workloads.shared {
        0 => "No workload is".to_owned(),
        1 => "One workload is".to_owned(),
        n => format!("{n} workloads are"),
    };
    format!(" {shared} in both studies; at least {needed} are needed. Run the same inputs on both.")
}

/// Returns the program's cost before and after.
fn costs(comparison: &Comparison) -> Vec<Piece> {
    let total = &comparison.total;
    let [before, after] = [&total.before, &total.after].map(|side| number::cost(side.cost, 3));
    let mut pieces = vec![Piece::plain(format!(" {}: ", where_compared(comparison)))];
    if total.change.kind == ChangeKind::None && total.change.exact && before == after {
        pieces.extend([Piece::new(PieceKind::Strong, before), Piece::plain(" as before.")]);
        return pieces;
    }
    let unit = visible(comparison.unit.name());
    let (change, interval) = change_and_interval(total);
    pieces.extend([
        Piece::plain(format!("{before} → ")),
        Piece::new(PieceKind::Strong, after),
        Piece::plain(format!(" {unit}, {change}")),
        Piece::new(PieceKind::Soft, interval),
        Piece::plain("."),
    ]);
    pieces
}

/// Returns the point of comparison, as the beginning of a sentence.
fn where_compared(comparison: &Comparison) -> String {
    if let Basis::Measured { sizes, span, .. } = comparison.basis {
        let sizes = match sizes {
            0 | 1 => "of one size".to_owned(),
            _ => format!("of sizes within a factor of {}", number::significant(span, 3)),
        };
        return format!("In the mean of {} {sizes}", plural(comparison.workloads.shared, "shared run"));
    }
    let size = at(comparison).replacen("at", "At", 1);
    match &comparison.out_of_reach {
        Some(out) => format!(
            "{size}, the largest size that both versions finish in a day ({})",
            beyond(comparison, out)
        ),
        None => size,
    }
}

/// Explains why costs are compared at another target: `n = 180 takes 1.8e41 years at an assumed 1 ns each`.
fn beyond(comparison: &Comparison, out: &OutOfReach) -> String {
    let (feature, asked) = (visible(&comparison.feature), number::size(out.asked));
    let time = out
        .seconds
        .map_or("longer than any number can tell".to_owned(), |seconds| number::seconds(seconds, None));
    let rate = if out.is_assumed {
        format!(" at an assumed {} ns each", number::significant(out.rate * 1e9, 2))
    } else {
        String::new()
    };
    format!("{feature} = {asked} takes {time}{rate}")
}

/// Returns the meaning of the costs: functions that grow faster or slower now, and changes in time, memory and
/// uncounted code.
pub(crate) fn meaning(comparison: &Comparison) -> Vec<Piece> {
    if !comparison.reason.is_compared() {
        return Vec::new();
    }
    let faster = named(comparison, GrowthChange::Faster, |c| c.after.cost);
    let slower = named(comparison, GrowthChange::Slower, |c| c.before.cost);
    let mut sentences = Vec::new();
    if !faster.is_empty() {
        sentences.push(sentence("Grows faster: ", faster));
    }
    if !slower.is_empty() {
        sentences.push(sentence("Grows slower: ", slower));
    }
    if comparison.nothing_faster {
        let words =
            if sentences.is_empty() { "Nothing grows faster than before." } else { "Nothing grows faster." };
        sentences.push(vec![Piece::plain(words)]);
    }
    sentences.extend(of_resources(&comparison.resources).into_iter().map(|text| vec![Piece::plain(text)]));
    let mut pieces = Vec::new();
    for sentence in sentences {
        if !pieces.is_empty() {
            pieces.push(Piece::plain(" "));
        }
        pieces.extend(sentence);
    }
    pieces
}

fn sentence(start: &str, named: Vec<Piece>) -> Vec<Piece> {
    [Piece::plain(start)].into_iter().chain(named).chain([Piece::plain(".")]).collect()
}

/// Returns the functions whose growth changed in this way, the most expensive first.
fn named(comparison: &Comparison, grows: GrowthChange, cost: fn(&Compared) -> f64) -> Vec<Piece> {
    let mut those: Vec<&Compared> = comparison.changes.iter().filter(|c| c.grows == grows).collect();
    those.sort_by(|a, b| cost(b).total_cmp(&cost(a)));
    let mut pieces = Vec::new();
    for compared in those.iter().take(MOST_NAMED) {
        let separator = if pieces.is_empty() { "" } else { "; " };
        pieces.push(Piece::plain(separator));
        let function = Piece::new(PieceKind::Function, name(compared));
        pieces.push(Piece { place: compared.place.clone(), ..function });
        let how = match compared.change.kind {
            ChangeKind::New => "new, ",
            ChangeKind::Vanished => "gone, ",
            _ => "",
        };
        pieces.push(Piece::plain(format!(": {how}{}", growth(compared))));
    }
    if those.len() > MOST_NAMED {
        pieces.push(Piece::plain(format!("; and {} more", those.len() - MOST_NAMED)));
    }
    pieces
}

/// Describes the time and memory of runs in both versions: `The run n=100 took 2.6 s before, and 0.05 s after.`
fn of_resources(resources: &Resources) -> Vec<String> {
    let mut told = Vec::new();
    if let Some(seconds) = resources.seconds.as_ref().filter(|seconds| seconds.effect != Effect::Same) {
        let [before, after] = [seconds.before, seconds.after].map(|seconds| number::seconds(seconds, None));
        let workload = shorten(&visible(&seconds.workload), NAME_WIDTH).into_owned();
        told.push(format!("Run {workload} took {before} before, {after} now."));
    }
    if let Some(memory) = resources.memory.as_ref().filter(|memory| memory.effect != Effect::Same) {
        let [before, after] =
            [memory.before, memory.after].map(|bytes| number::bytes_with_interval(bytes, None));
        let workload = shorten(&visible(&memory.workload), NAME_WIDTH).into_owned();
        told.push(format!("Peak memory in {workload} was {before} before, {after} now."));
    }
    let shares = resources.uncounted.iter().zip(["before", "after"]);
    let shares = shares.filter_map(|(uncounted, when)| Some((uncounted.as_ref()?, when)));
    let most = shares.max_by(|a, b| a.0.share.total_cmp(&b.0.share));
    if let Some((uncounted, when)) = most.filter(|(uncounted, _)| uncounted.share >= NOTABLE_UNCOUNTED) {
        let name = match uncounted.kind {
            TimePartKind::Kernel => "The kernel".to_owned(),
            _ => brief(&uncounted.name, NAME_WIDTH),
        };
        let share = number::share(uncounted.share);
        told.push(format!("{name} (not counted) takes {share} of the time {when}."));
    }
    told
}

/// Returns the number of unchanged functions in words. Empty if there are none, or if too few workloads are shared.
pub(crate) fn unchanged(comparison: &Comparison) -> String {
    if matches!(comparison.reason, OutcomeReason::FewShared { .. }) {
        return String::new();
    }
    let function = |count: usize| plural(count, "function");
    match (comparison.unchanged, comparison.undecided) {
        (0, 0) => String::new(),
        (same, 0) => format!("{} exactly unchanged.", function(same)),
        (0, open) => format!("{} within the noise of the runs.", function(open)),
        (same, open) => {
            format!("{} exactly unchanged; {open} within the noise of the runs.", function(same))
        }
    }
}
