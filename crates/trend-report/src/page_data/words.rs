//! Words that a page uses, with their meanings and the study's numbers.

use trend_analyze::Findings;

use crate::frame;

/// Returns the words, each after the words that it builds on.
pub(super) fn words(findings: &Findings) -> Vec<(&'static str, String)> {
    let level = frame::level(findings);
    let interval = format!(
        "Where the value lies with {level} confidence, if the model is right. No number is shown as surer than it."
    );
    let tuple = "Input-sensitive profiling: what a routine’s calls cost per size of the input that each call read, kept as \
                 size, calls, least, greatest and summed cost.";
    let of_series = (!findings.series.is_empty()).then_some(("routine, input size, tuple", tuple));
    let words = BEFORE.into_iter().chain([("interval", interval.as_str())]).chain(BEHIND).chain(of_series);
    words.map(|(word, meaning)| (word, meaning.to_owned())).collect()
}

/// Words listed before `interval`.
const BEFORE: [(&str, &str); 12] = [
    ("program", "What is studied."),
    ("workload", "One input to one run of the program."),
    (
        "feature",
        "A number that describes a workload: its bytes, its lines, n, a number that the program printed.",
    ),
    ("location", "A place in the program that has a cost: a basic block, a line, a function."),
    ("cost", "What is counted for a location in one run, mostly how often the block was executed."),
    (
        "cluster",
        "Locations whose costs vary together linearly, and their representative, a location or a feature. A location can be \
         in several.",
    ),
    ("costly", "A cluster that takes more than 2 % of some run."),
    (
        "constant",
        "A location whose cost hardly varies (standard deviation below 10): in no cluster, but in totals, functions and \
         lines.",
    ),
    ("model", "A fitted function of a feature, with intervals and goodness of fit."),
    (
        "growth class",
        "The member of a family that the data support: 1, log n, n, n log n, n², 2ⁿ, or free as n to the 1.21 or 1.62ⁿ; n is \
         whatever the feature is.",
    ),
    ("verdict", "A growth class, or “undecided” between named ones. Never a guess with a straight face."),
    (
        "superlinear",
        "Certainly faster than linear: so says the verdict, else the whole interval of the exponent.",
    ),
];

/// Words listed after `interval`.
const BEHIND: [(&str, &str); 6] = [
    (
        "p95",
        "The 95th percentile of a feature. Predictions are made at 2 and at 10 times it, and at the target size.",
    ),
    ("target size", "The size in the box of the bar. Every prediction on every page is for it."),
    (
        "overtaking",
        "A cluster of steeper growth passes a costlier one at the crossing size, if both go on as they did so far.",
    ),
    (
        "cost of a line",
        "On the source page: per function the most frequent of the blocks that cover the line, each in the run where it runs \
         most, functions (instances of a template) added up.",
    ),
    ("cost of a file", "The sum of its locations’ costs, each in the run where it costs most."),
    ("study", "One program, its workloads, features and counts: one file."),
];
