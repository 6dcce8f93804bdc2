//! Sums up the runs, and gives advice about failures.

use std::collections::BTreeMap;

use trend_profile::{Outcome, Warning};

use crate::run::workload::ended::accepting;

/// A run without counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Name of the workload.
    pub workload: String,
    /// Number of the repetition, from 0.
    pub repetition: u32,
    /// Result of the run.
    pub outcome: Outcome,
    /// The end of the run's stderr.
    pub stderr_tail: String,
}

/// The results of all runs.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Number of runs that yielded counts now.
    pub finished: usize,
    /// Number of runs that were recorded earlier and are still valid.
    pub skipped: usize,
    /// Runs that yielded no counts now, by workload and repetition.
    pub failures: Vec<Failure>,
    /// Number of runs that did not begin or finish, because the caller asked to stop or refused to let them begin.
    pub cancelled: usize,
    /// Doubts about the runs. The study has them as well.
    pub warnings: Vec<Warning>,
}

/// Advice about failures of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// The kind of failure, an example, and the number of further runs.
    pub text: String,
    /// The remedy, if there is one other than fixing the program.
    pub help: Option<String>,
    /// The end of the example's stderr.
    pub stderr_tail: String,
}

impl Summary {
    /// Returns advice about the failures, the most frequent kind first.
    pub fn advice(&self) -> Vec<Advice> {
        let mut kinds: BTreeMap<String, Vec<&Failure>> = BTreeMap::new();
        for failure in &self.failures {
            kinds.entry(kind(&failure.outcome)).or_default().push(failure);
        }
        let mut kinds: Vec<(String, Vec<&Failure>)> = kinds.into_iter().collect();
        kinds.sort_by_key(|(_, failures)| std::cmp::Reverse(failures.len()));
        let advice = |(kind, failures): &(String, Vec<&Failure>)| Advice {
            text: sentence(kind, failures),
            help: help(failures[0]),
            stderr_tail: failures[0].stderr_tail.clone(),
        };
        kinds.iter().map(advice).collect()
    }
}

/// Describes an outcome; the text is equal for failures of the same kind.
fn kind(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Finished => "finished".to_owned(),
        Outcome::Failed { code } => format!("ended with exit code {code}"),
        Outcome::Crashed { signal } => format!("was killed by {}", signal_name(*signal)),
        Outcome::TimedOut => "reached the time limit".to_owned(),
        Outcome::NoCounts { reason } => format!("left no counts: {reason}"),
        Outcome::NotStarted { reason } => format!("was not started: {reason}"),
    }
}

fn sentence(kind: &str, failures: &[&Failure]) -> String {
    let (example, others) = (failures[0], failures.len() - 1);
    let who = if others == 0 {
        format!("`{}`", example.workload)
    } else {
        let ending = if others == 1 { "" } else { "s" };
        format!("`{}` and {others} more run{ending}", example.workload)
    };
    let gives_no_reason = matches!(example.outcome, Outcome::Failed { .. } | Outcome::Crashed { .. });
    if gives_no_reason && example.stderr_tail.trim().is_empty() {
        return format!("{who}: {kind} and wrote nothing to stderr; its stdout is not kept");
    }
    format!("{who}: {kind}")
}

fn help(example: &Failure) -> Option<String> {
    match &example.outcome {
        Outcome::Failed { code } => Some(
            limit_remark(example)
                .unwrap_or_else(|| format!("if that is not a failure, {}", accepting(*code))),
        ),
        // Its counts were lost, so other `exit-codes` would not help.
        Outcome::Crashed { signal: 9 } => limit_remark(example),
        Outcome::Crashed { signal } => Some(
            limit_remark(example)
                .unwrap_or_else(|| format!("to use its counts anyway, {}", accepting(128 + signal))),
        ),
        Outcome::TimedOut => Some(
            "raise `timeout`, or omit the large inputs; predictions reach beyond the measured sizes"
                .to_owned(),
        ),
        Outcome::NoCounts { .. } | Outcome::NotStarted { .. } | Outcome::Finished => None,
    }
}

fn limit_remark(failure: &Failure) -> Option<String> {
    failure.stderr_tail.lines().last()?.strip_prefix("trend-prof: ").map(str::to_owned)
}

/// Returns the usual name of a signal.
fn signal_name(signal: i32) -> String {
    match (signal, signal_hook::low_level::signal_name(signal)) {
        (9, _) => "SIGKILL (out of memory?)".to_owned(),
        (_, Some(name)) => name.to_owned(),
        (_, None) => format!("signal {signal}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(workload: &str, outcome: Outcome, stderr_tail: &str) -> Failure {
        let (workload, stderr_tail) = (workload.to_owned(), stderr_tail.to_owned());
        Failure { workload, repetition: 0, outcome, stderr_tail }
    }

    #[test]
    fn advice_names_each_kind_once_the_most_frequent_first() {
        let summary = Summary {
            failures: vec![
                failure("a", Outcome::TimedOut, ""),
                failure("b", Outcome::Failed { code: 3 }, ""),
                failure("c", Outcome::Failed { code: 3 }, ""),
                failure("d", Outcome::Crashed { signal: 6 }, "x\ntrend-prof: the memory limit was reached"),
            ],
            cancelled: 1,
            ..Summary::default()
        };
        let advice = summary.advice();
        assert_eq!(advice.len(), 3);
        let first = &advice[0].text;
        assert!(first.starts_with("`b` and 1 more run: ended with exit code 3 "), "{first}");
        assert!(first.contains("nothing to stderr"), "{first}");
        assert!(advice[0].help.as_ref().unwrap().contains("exit-codes = [0, 3]"));
        let crash = advice.iter().find(|a| a.text.contains("SIGABRT")).unwrap();
        assert_eq!(crash.help.as_deref(), Some("the memory limit was reached"));
        assert!(crash.stderr_tail.starts_with('x'));
    }
}
