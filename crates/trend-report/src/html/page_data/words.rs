//! Words that a page uses, with their meanings and the study's numbers.

use trend_analyze::Findings;

use crate::words::study;

/// Returns the words, each after the words that it builds on.
pub(super) fn words(findings: &Findings) -> Vec<(&'static str, String)> {
    let level = study::level(findings);
    let interval = format!(
        "The range that holds the value with {level} confidence, if the model is right. No number is \
         shown with more certainty than its interval."
    );
    let tuple = "Input-sensitive profiling: what a routine’s calls cost per size of the input that each call read, kept as \
                 size, calls, least, greatest and summed cost.";
    let of_series = (!findings.series.is_empty()).then_some(("routine, input size, tuple", tuple));
    let words = BEFORE.into_iter().chain([("interval", interval.as_str())]).chain(BEHIND).chain(of_series);
    words.map(|(word, meaning)| (word, meaning.to_owned())).collect()
}

/// Words listed before `interval`.
const BEFORE: [(&str, &str); 12] = [
    ("program", "The program under study."),
    ("workload", "One input to one run of the program."),
    (
        "feature",
        "A number that describes a workload: its bytes, its lines, n, a number that the program printed.",
    ),
    ("location", "A place in the program that has a cost: a basic block, a line, a function."),
    ("cost", "The count of a location in one run, usually the executions of a basic block."),
    (
        "cluster",
        "Locations whose costs vary together linearly, with a location or a feature as representative. A \
         location can be in several.",
    ),
    ("costly", "A cluster that takes more than 2 % of some run."),
    (
        "constant",
        "A location whose cost hardly varies (standard deviation below 10). It is in no cluster, but \
         counts in totals, functions and lines.",
    ),
    ("model", "A fitted function of a feature, with intervals and goodness of fit."),
    (
        "growth class",
        "The growth that the data support best: 1, log n, n, n log n, n², 2ⁿ, or a fitted exponent or \
         base such as n^1.21 or 1.62ⁿ. Here n stands for the feature.",
    ),
    ("verdict", "A growth class, or “undecided” between named ones."),
    (
        "superlinear",
        "Certainly faster than linear, by the verdict or, without one, by the whole interval of the \
         exponent.",
    ),
];

/// Words listed after `interval`.
const BEHIND: [(&str, &str); 6] = [
    (
        "p95",
        "The 95th percentile of a feature. Predictions are made at 2 and at 10 times it, and at the target size.",
    ),
    ("target size", "The size in the box at the top. Every prediction on every page is for this size."),
    (
        "overtaking",
        "A faster-growing cluster passes a more expensive one at the crossing size, if both keep their \
         growth.",
    ),
    (
        "cost of a line",
        "On the source page: the most frequent block that covers the line, in the run where it runs most; \
         instances of a template are added up.",
    ),
    ("cost of a file", "The sum of the costs of its locations, each in the run where it costs most."),
    ("study", "One program, its workloads, features and counts: one file."),
];
