//! Data from which a page builds the answer at any target, and the doubts about it, the most important first.

use serde::Serialize;
use trend_analyze::{
    Candidate, Candidates, Doubt, Findings, GrowthModel, Model, NextRuns, RowLaw, TimeDoubt, TimeOutlook,
};
use trend_profile::Study;

use crate::layout::number;
use crate::layout::text::{brief, capital, cut, shorten};
#[cfg(test)]
use crate::tests::published;
use crate::words::fitting::Fitting;
use crate::words::{answer, growth};

/// Maximum width of a function's name in sentences.
const NAME_WIDTH: usize = 40;

/// Maximum width of a doubt's line.
const LINE_WIDTH: usize = 100;

/// Minimum share of a run at which a function's doubts are shown.
const LEAST_SHARE: f64 = 0.001;

/// Data for the sentences of the answer.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct AnswerExtra {
    /// Absent if the program ran at too few sizes to be predicted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<published::Candidates>"))]
    candidates: Option<Candidates>,
    /// The reason why the law of the whole says too little, and what would be enough; absent if it says enough, or if
    /// there is no law.
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<String>,
    /// True if important work was not counted.
    uncounted: bool,
    /// Sentence about uncounted code that takes much of the time; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_counted: Option<String>,
    /// The largest inputs within limits of time and memory; absent if none are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    fitting: Option<Fitting>,
    /// Doubts, those that change the answer most first.
    doubts: Vec<DoubtLine>,
    /// Possible doubts about the time; the page shows the first that applies at a target. Empty if nothing was timed.
    seconds: Vec<SecondsDoubt>,
    /// Sentence that wall time is unknown at every target; absent if it is predicted or nothing was timed.
    #[serde(skip_serializing_if = "Option::is_none")]
    wall_time: Option<String>,
    /// Sentence for targets that take more than a day.
    #[serde(skip_serializing_if = "Option::is_none")]
    day: Option<String>,
    /// Doubt about the memory at any target; absent if it can be trusted, or is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<String>,
    /// Sentence for targets at which memory is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    memory_unknown: Option<String>,
    /// Sentence for targets that need more memory than the machine has.
    #[serde(skip_serializing_if = "Option::is_none")]
    machine: Option<String>,
}

/// A doubt about the time, and the line that states it.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct SecondsDoubt {
    #[cfg_attr(test, schemars(with = "published::TimeDoubt"))]
    doubt: TimeDoubt,
    line: String,
}

/// A doubt in one line, and its details.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct DoubtLine {
    /// Text of at most 100 characters.
    line: String,
    /// Meaning and remedy; absent if the line says everything.
    #[serde(skip_serializing_if = "Option::is_none")]
    more: Option<String>,
    /// Index of the function in the findings; absent for doubts about the whole program.
    #[serde(skip_serializing_if = "Option::is_none")]
    function: Option<usize>,
}

impl AnswerExtra {
    pub(super) fn new(findings: &Findings, study: &Study) -> Self {
        let mut candidates = Candidates::new(findings, study);
        for candidate in candidates.iter_mut().flat_map(|all| &mut all.functions) {
            let Candidate { repeating, caller, branching, .. } = candidate;
            for place in [repeating, caller, branching].into_iter().flatten() {
                place.function = brief(&place.function, answer::NAME_WIDTH);
            }
        }
        let doubts = doubts(findings, candidates.as_ref());
        let seconds = time(findings).map_or_else(Vec::new, |time| {
            let line = |doubt| SecondsDoubt { doubt, line: answer::do_not_rely(doubt, time.longest_work()) };
            TimeDoubt::ALL.map(line).into()
        });
        let memory = findings.answer.as_ref().and_then(|answer| answer.memory.as_ref());
        let law = findings.total.fits.law();
        Self {
            missing: law.and_then(growth::missing),
            uncounted: findings.is_partial(),
            not_counted: answer::not_counted(findings),
            fitting: Fitting::new(findings),
            wall_time: time(findings).and_then(answer::wall_time_unknown),
            day: time(findings).and_then(|time| answer::within_a_day(findings, time)),
            memory: memory.and_then(|memory| answer::memory_doubt(findings, memory)),
            memory_unknown: answer::memory_unknown(findings),
            machine: memory.and_then(|memory| answer::within_the_machine(findings, memory)),
            candidates,
            doubts,
            seconds,
        }
    }
}

fn doubts(findings: &Findings, candidates: Option<&Candidates>) -> Vec<DoubtLine> {
    let total = &findings.total;
    let whole = total.fits.law();
    let of_whole: &[Doubt] = match whole {
        Some(RowLaw::Of(model)) => &model.doubts,
        _ => &[],
    };
    let rank = |doubt: &Doubt| match doubt {
        Doubt::LargestFailed { .. } | Doubt::UncountedGrowth { .. } | Doubt::MostlyUncounted { .. } => 0,
        Doubt::OffAtTheLargest { .. } | Doubt::OffWhatWasMeasured { .. } => 2,
        _ if doubt.matters() => 3,
        _ => 4,
    };
    let ranked = findings.doubts.iter().chain(of_whole).map(|doubt| (rank(doubt), DoubtLine::new(doubt)));
    let functions = candidates.map_or(&[][..], |all| &all.functions);
    let of_functions = functions.iter().flat_map(|candidate| of_function(candidate, findings));
    let undecided = match whole {
        Some(RowLaw::Of(model)) => undecided("the whole program", model, model.next.as_ref(), None),
        _ => None,
    };
    let mut all: Vec<(u8, DoubtLine)> = ranked.collect();
    all.extend(of_functions.chain(undecided).map(|doubt| (1, doubt)));
    // At equal rank, the study's doubts come before the law's doubts.
    all.sort_by_key(|(rank, _)| *rank);
    let mut lines: Vec<DoubtLine> = all.into_iter().map(|(_, doubt)| doubt).collect();
    if findings.unit.is_executions() && time(findings).is_none() {
        let (line, more) = match answer::longest(findings) {
            Some(sentence) => (cut(&sentence, LINE_WIDTH).into_owned(), Some(sentence)),
            None => ("Not timed: costs count executions, not seconds.".to_owned(), None),
        };
        lines.push(DoubtLine { line, more, function: None });
    }
    lines
}

fn time(findings: &Findings) -> Option<&TimeOutlook> {
    findings.answer.as_ref()?.time.as_ref()
}

/// Returns the doubts about a function: its growth is undecided, or its law fits poorly.
fn of_function(candidate: &Candidate, findings: &Findings) -> Vec<DoubtLine> {
    let row = &findings.functions[candidate.function];
    let function = Some(candidate.function);
    let Some(RowLaw::Of(model)) = row.fits.law() else { return Vec::new() };
    if row.max_share < LEAST_SHARE {
        return Vec::new();
    }
    let name = brief(&row.name, NAME_WIDTH);
    let poor = RowLaw::Of(model).is_poor().then(|| DoubtLine {
        line: format!("The law fits {name} poorly; its predictions are a guess."),
        more: None,
        function,
    });
    undecided(&name, model, candidate.next.as_ref(), function).into_iter().chain(poor).collect()
}

/// Describes an undecided growth: `Growth of last_node is unclear (n log n to n^1.5); bytes = 100 MB would decide.`
fn undecided(
    name: &str,
    model: &Model,
    next: Option<&NextRuns>,
    function: Option<usize>,
) -> Option<DoubtLine> {
    let growth = model.growth.as_ref().filter(|growth| growth.is_open())?;
    let runs = next.and_then(|next| Some((next, next.sizes.last()?)));
    let unknown = if next.is_some() { "further runs would not help" } else { "larger runs would help" };
    let way_out = runs.map_or(unknown.to_owned(), |(next, largest)| {
        let feature = shorten(&next.feature, NAME_WIDTH);
        let tell = if next.decides { "would decide" } else { "would help" };
        let runs = if next.sizes.len() > 1 { "runs up to " } else { "" };
        format!("{runs}{feature} = {} {tell}", number::feature_size(&next.feature, *largest))
    });
    Some(DoubtLine {
        line: format!("Growth of {name} is unclear ({}); {way_out}.", between(growth)),
        more: runs.map(|(next, _)| format!("Growth of {name}: {}.", next.message)),
        function,
    })
}

/// Formats the slowest and the fastest class: `n log n to n^1.5`.
fn between(growth: &GrowthModel) -> String {
    match growth::named_by_growth(growth).as_slice() {
        [first, .., last] => format!("{} to {}", first.class, last.class),
        _ => growth.short.in_a_sentence(),
    }
}

impl DoubtLine {
    fn new(doubt: &Doubt) -> Self {
        let message = doubt.to_string();
        // Keep the case of a feature's name at the beginning.
        let capital = |text: &str| match doubt.feature() {
            Some(feature) if text.starts_with(feature) => text.to_owned(),
            _ => capital(text),
        };
        let line = match doubt {
            Doubt::LargestFailed { feature, largest, .. } => format!(
                "No run above {} = {} succeeded, so everything above it is extrapolated.",
                shorten(feature, NAME_WIDTH),
                number::feature_size(feature, *largest)
            ),
            Doubt::UncountedGrowth { .. } | Doubt::MostlyUncounted { .. } => {
                "Some of the work was not counted; results cover only the rest.".to_owned()
            }
            Doubt::FailedWorkloads { failed, all } => format!("{failed} of {all} runs failed."),
            Doubt::FewWorkloads { workloads, .. } => {
                format!("Only {}; more sizes would help.", number::plural(*workloads, "run"))
            }
            Doubt::OffAtTheLargest { factor, .. } => {
                format!("The largest runs cost {factor:.2} times what the law of the whole program predicts.")
            }
            Doubt::OffWhatWasMeasured { factor, .. } => {
                format!(
                    "The cost measured there is {factor:.2} times what the law of the whole program \
                     predicts."
                )
            }
            _ => capital(&in_one_line(&message)),
        };
        Self { more: (line != message).then(|| format!("{}.", capital(&message))), line, function: None }
    }
}

/// Returns the first statement of a message, cut to the width of a line.
fn in_one_line(message: &str) -> String {
    let first = message.split_once("; ").map_or(message, |(first, _)| first);
    format!("{}.", cut(first, LINE_WIDTH - 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::sample::{bubble_sort_study, doubtful};

    #[test]
    fn what_changes_the_answer_most_is_the_first_doubt() {
        let mut findings = doubtful();
        let failed = |feature: &str| Doubt::LargestFailed {
            feature: feature.into(),
            largest: 5e7,
            failed: 3,
            from: 1e8,
            reason: "exited with 1".to_owned(),
            timed_out: false,
            last_words: String::new(),
        };
        findings.doubts = vec![Doubt::NothingVaries, failed("bytes")];
        let doubts = AnswerExtra::new(&findings, &bubble_sort_study()).doubts;
        assert!(doubts[0].line.starts_with("No run above bytes = 50 MB "), "{}", doubts[0].line);
        assert!(doubts[0].more.as_ref().is_some_and(|more| more.contains("exited with 1")));
        assert!(doubts.last().unwrap().line.starts_with("Not timed: "));
        let lines: Vec<&str> = doubts.iter().map(|doubt| doubt.line.as_str()).collect();
        assert!(lines.iter().all(|line| line.chars().count() <= LINE_WIDTH), "{lines:?}");
        let nothing = Doubt::NothingVaries.to_string();
        assert!(lines.iter().any(|line| line.eq_ignore_ascii_case(&in_one_line(&nothing))), "{lines:?}");
    }
}
