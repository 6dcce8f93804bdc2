//! Events that the caller may show while sizes are chosen and run. The results do not depend on them.

use std::fmt;
use std::time::Duration;

use crate::account::{brief, brief_seconds};

/// Receives events, from several threads at once.
pub trait Observer: Sync {
    /// Receives one event.
    fn event(&self, event: &Event<'_>);
}

/// An event while sizes are chosen and run.
#[derive(Clone, Debug)]
pub enum Event<'a> {
    /// An event of a run, such as its beginning or end.
    Run(&'a trend_run::Event<'a>),
    /// All runs of a round have finished.
    RunsOver,
    /// A decision about the rounds.
    Note(Note<'a>),
}

/// A decision; its `Display` is a sentence for people.
#[derive(Clone, Debug)]
pub enum Note<'a> {
    /// Another round begins.
    Round {
        /// Number of the round, from 2: the first round runs the configured workloads.
        number: usize,
        /// Parameter of the sweep.
        parameter: &'a str,
        /// Further values of the parameter, with their numbers of inputs.
        values: &'a [(String, usize)],
        /// Row that the runs are for.
        row: &'a str,
        /// Remaining budget.
        left: Duration,
    },
    /// There is no time for a run. Longer runs are refused as well, without a further note.
    NotBegun {
        /// Name of the workload.
        workload: &'a str,
        /// Predicted seconds of the run.
        seconds: f64,
        /// Remaining budget.
        left: Duration,
    },
}

impl fmt::Display for Note<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Round { number, parameter, values, row, left } => {
                let values: Vec<&str> = values.iter().map(|(value, _)| value.as_str()).collect();
                let left = brief(*left);
                write!(f, "round {number}: {parameter} = {}, for {row}; {left} left", values.join(", "))
            }
            Self::NotBegun { workload, seconds, left } => write!(
                f,
                "{workload} and longer runs are skipped: it would take about {}, but only {} of the \
                 budget is left",
                brief_seconds(*seconds),
                brief(*left)
            ),
        }
    }
}
