//! What the runs came to, and what to do about it.

use std::collections::BTreeMap;

use trend_profile::{Outcome, Warning};

/// A run that gave no counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The workload's name.
    pub workload: String,
    /// Which repetition, from 0.
    pub repetition: u32,
    /// How it ended.
    pub outcome: Outcome,
    /// The end of its stderr.
    pub stderr_tail: String,
}

/// What the runs came to.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Runs that gave counts now.
    pub finished: usize,
    /// Runs that were recorded already and are still good.
    pub skipped: usize,
    /// Runs that gave no counts now, by workload and repetition.
    pub failures: Vec<Failure>,
    /// Runs that were not begun or not finished because the caller asked to stop, or did not let them begin.
    pub cancelled: usize,
    /// What was noticed; recorded in the study as well.
    pub warnings: Vec<Warning>,
}

/// What to do about failures of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// What happened, to how many runs, one of which is named.
    pub text: String,
    /// The way out, where there is one besides mending the program.
    pub help: Option<String>,
    /// The end of that run's stderr.
    pub stderr_tail: String,
}

impl Summary {
    /// What to do about the failures, the most frequent kind first.
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

/// What failures have in common that are about the same thing.
fn kind(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Finished => "finished".to_owned(),
        Outcome::Failed { code } => format!("ended with exit code {code}"),
        Outcome::Crashed { signal } => format!("was ended by {}", signal_name(*signal)),
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
        format!("`{}` and {} more", example.workload, plural(others))
    };
    let gives_no_reason = matches!(example.outcome, Outcome::Failed { .. } | Outcome::Crashed { .. });
    if gives_no_reason && example.stderr_tail.trim().is_empty() {
        return format!("{who}: {kind}, and wrote nothing to its stderr; its stdout is not kept");
    }
    format!("{who}: {kind}")
}

fn help(example: &Failure) -> Option<String> {
    match &example.outcome {
        Outcome::Failed { code } => Some(memory_remark(example).unwrap_or_else(|| {
            format!("where that is no failure, write `exit-codes = [0, {code}]` under [program]")
        })),
        // Nothing that it counted is left.
        Outcome::Crashed { signal: 9 } => memory_remark(example),
        Outcome::Crashed { signal } => Some(memory_remark(example).unwrap_or_else(|| {
            let code = 128 + signal;
            format!("where its counts matter nevertheless, write `exit-codes = [0, {code}]` under [program]")
        })),
        Outcome::TimedOut => {
            Some("raise `timeout`, or leave out the large inputs: predictions reach beyond them".to_owned())
        }
        Outcome::NoCounts { .. } | Outcome::NotStarted { .. } | Outcome::Finished => None,
    }
}

fn memory_remark(failure: &Failure) -> Option<String> {
    failure.stderr_tail.lines().last()?.strip_prefix("trend-prof: ").map(str::to_owned)
}

fn plural(runs: usize) -> String {
    if runs == 1 { "1 run".to_owned() } else { format!("{runs} runs") }
}

/// The name that people know a signal by.
fn signal_name(signal: i32) -> String {
    match (signal, signal_hook::low_level::signal_name(signal)) {
        (9, _) => "SIGKILL (perhaps for want of memory)".to_owned(),
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
        assert_eq!(
            advice[0].text,
            "`b` and 1 run more: ended with exit code 3, and wrote nothing to its stderr; its stdout is not kept"
        );
        assert!(advice[0].help.as_ref().unwrap().contains("exit-codes = [0, 3]"));
        let crash = advice.iter().find(|a| a.text.contains("SIGABRT")).unwrap();
        assert_eq!(crash.help.as_deref(), Some("the memory limit was reached"));
        assert!(crash.stderr_tail.starts_with('x'));
    }
}
