//! Builds the sentences above the rows of a comparison. Their content is decided by
//! [`trend_analyze::change_statements`].

use serde::Serialize;
use trend_analyze::{
    Basis, ChangeKind, ChangeStatement as Said, Compared, Comparison, JudgedPlace, OutOfReach, Outcome,
    Resource, TimePartKind, Uncounted, change_statements,
};

use super::words::{at, change_and_interval, growth, name, what};
use crate::layout::number::{self, plural};
use crate::layout::text::{brief, shorten, visible};
#[cfg(test)]
use crate::tests::published;

/// Maximum number of functions or clusters named; the others are only counted.
const MOST_NAMED: usize = 3;

/// Maximum width of names of libraries and workloads.
const NAME_WIDTH: usize = 40;

/// A part of a sentence.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Piece {
    #[serde(rename = "as")]
    is: PieceKind,
    text: String,
    /// Place of the function, if the piece names one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<published::JudgedPlace>"))]
    place: Option<JudgedPlace>,
}

/// The kind of a part of a sentence.
#[derive(Clone, Copy, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
    for statement in change_statements(comparison) {
        match statement {
            Said::FewShared { needed } => pieces.push(Piece::plain(few_shared(comparison, needed))),
            Said::NoPrediction => pieces.push(Piece::plain(format!(
                " One version has no prediction {}. Run larger sizes on both.",
                at(comparison)
            ))),
            Said::Whole { is_as_before } => pieces.extend(costs(comparison, is_as_before)),
            Said::Open => pieces.push(Piece::plain(
                " The runs do not show if this change matters; more runs or larger sizes would help.",
            )),
            Said::NoFactor => {
                pieces.push(Piece::plain(" The factor differs between runs. Run sizes over a wider range."));
            }
            _ => {}
        }
    }
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
fn costs(comparison: &Comparison, is_as_before: bool) -> Vec<Piece> {
    let total = &comparison.total;
    let [before, after] = [&total.before, &total.after].map(|side| number::cost(side.cost, 3));
    let mut pieces = vec![Piece::plain(format!(" {}: ", where_compared(comparison)))];
    if is_as_before {
        pieces.extend([Piece::new(PieceKind::Strong, after), Piece::plain(" as before.")]);
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
    let (feature, requested) =
        (visible(&comparison.feature), number::feature_size(&comparison.feature, out.asked));
    let time = out
        .seconds
        .map_or("longer than any number can tell".to_owned(), |seconds| number::seconds(seconds, None));
    let rate = if out.is_assumed {
        format!(" at an assumed {} ns each", number::significant(out.rate * 1e9, 2))
    } else {
        String::new()
    };
    format!("{feature} = {requested} takes {time}{rate}")
}

/// Returns the meaning of the costs: functions that grow faster or slower now, and changes in time, memory and
/// uncounted code.
pub(crate) fn meaning(comparison: &Comparison) -> Vec<Piece> {
    let resources = &comparison.resources;
    let mut pieces = Vec::new();
    for statement in change_statements(comparison) {
        let sentence = match statement {
            Said::Faster(rows) => growing("Grows faster: ", comparison, &rows),
            Said::Slower(rows) => growing("Grows slower: ", comparison, &rows),
            Said::Most(row) => most(&comparison.changes[row]),
            Said::NothingFaster { is_slower: false } => {
                vec![Piece::plain("Nothing grows faster than before.")]
            }
            Said::NothingFaster { is_slower: true } => vec![Piece::plain("Nothing grows faster.")],
            Said::Seconds => {
                resources.seconds.iter().map(|seconds| Piece::plain(of_seconds(seconds))).collect()
            }
            Said::Memory => resources.memory.iter().map(|memory| Piece::plain(of_memory(memory))).collect(),
            Said::Uncounted { version } => {
                let uncounted = resources.uncounted[version].iter();
                uncounted.map(|uncounted| Piece::plain(of_uncounted(uncounted, version))).collect()
            }
            _ => continue,
        };
        if !pieces.is_empty() {
            pieces.push(Piece::plain(" "));
        }
        pieces.extend(sentence);
    }
    pieces
}

/// Names functions whose growth changed.
fn growing(start: &str, comparison: &Comparison, rows: &[usize]) -> Vec<Piece> {
    let mut pieces = vec![Piece::plain(start)];
    for (i, compared) in rows.iter().take(MOST_NAMED).map(|&row| &comparison.changes[row]).enumerate() {
        pieces.push(Piece::plain(if i == 0 { "" } else { "; " }));
        let function = Piece::new(PieceKind::Function, name(compared));
        pieces.push(Piece { place: compared.place.clone(), ..function });
        let how = match compared.change.kind {
            ChangeKind::New => "new, ",
            ChangeKind::Vanished => "removed, ",
            _ => "",
        };
        pieces.push(Piece::plain(format!(": {how}{}", growth(compared))));
    }
    if rows.len() > MOST_NAMED {
        pieces.push(Piece::plain(format!("; and {} more", rows.len() - MOST_NAMED)));
    }
    pieces.push(Piece::plain("."));
    pieces
}

/// Names the function with most of the change: `Most of it is in parse: 155 k → 113 M.`
fn most(compared: &Compared) -> Vec<Piece> {
    let [before, after] = [&compared.before, &compared.after].map(|side| number::cost(side.cost, 3));
    let function = Piece::new(PieceKind::Function, name(compared));
    vec![
        Piece::plain("Most of it is in "),
        Piece { place: compared.place.clone(), ..function },
        Piece::plain(format!(": {before} → {after}.")),
    ]
}

/// Describes the time of a run in both versions: `Run n=100 took 2.6 s before and takes 0.05 s now.`
fn of_seconds(seconds: &Resource) -> String {
    let [before, after] = [seconds.before, seconds.after].map(|seconds| number::seconds(seconds, None));
    format!("Run {} took {before} before and takes {after} now.", workload(seconds))
}

fn of_memory(memory: &Resource) -> String {
    let [before, after] = [memory.before, memory.after].map(|bytes| number::bytes_with_interval(bytes, None));
    format!("Peak memory in {} was {before} before and is {after} now.", workload(memory))
}

fn workload(resource: &Resource) -> String {
    shorten(&visible(&resource.workload), NAME_WIDTH).into_owned()
}

fn of_uncounted(uncounted: &Uncounted, version: usize) -> String {
    let name = match uncounted.kind {
        TimePartKind::Kernel => "The kernel".to_owned(),
        _ => brief(&uncounted.name, NAME_WIDTH),
    };
    let (takes, when) = [("took", "before"), ("takes", "now")][version];
    format!("{name} (not counted) {takes} {} of the time {when}.", number::share(uncounted.share))
}

/// Names the clusters that changed: `Clusters: a.c:7 in slow (n → n^2), a.c:3 in fast (new, n).` Returns an
/// empty string if the comparison says nothing about clusters.
pub(super) fn clusters(comparison: &Comparison) -> String {
    let is_of_clusters = |statement| if let Said::Clusters(rows) = statement { Some(rows) } else { None };
    let Some(rows) = change_statements(comparison).into_iter().find_map(is_of_clusters) else {
        return String::new();
    };
    let describe = |&row: &usize| {
        let cluster = &comparison.clusters[row];
        let is_new = matches!(cluster.change.kind, ChangeKind::New | ChangeKind::Vanished);
        let words = [if is_new { what(cluster) } else { String::new() }, growth(cluster)];
        let words = words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>();
        format!("{} ({})", name(cluster), words.join(", "))
    };
    let named: Vec<String> = rows.iter().take(MOST_NAMED).map(describe).collect();
    let more = match rows.len() - named.len() {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    format!("Clusters: {}{more}.", named.join(", "))
}

/// Returns the number of unchanged functions in words. Empty if there are none, or if too few workloads are shared.
pub(crate) fn unchanged(comparison: &Comparison) -> String {
    if !change_statements(comparison).contains(&Said::Unchanged) {
        return String::new();
    }
    let function = |count: usize| plural(count, "function");
    match (comparison.unchanged, comparison.undecided) {
        (same, 0) => format!("{} exactly unchanged.", function(same)),
        (0, open) => format!("{} within the noise of the runs.", function(open)),
        (same, open) => {
            format!("{} exactly unchanged; {open} within the noise of the runs.", function(same))
        }
    }
}
