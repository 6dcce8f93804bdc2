//! What the caller may show while sizes are chosen and run. Nothing here is needed for the results.

use std::fmt;
use std::time::Duration;

use crate::account::{brief, brief_seconds};

/// Receives what happens, from several threads at once.
pub trait Observer: Sync {
    /// Something happened.
    fn event(&self, event: &Event<'_>);
}

/// What happens.
#[derive(Clone, Debug)]
pub enum Event<'a> {
    /// A run began, ended, …
    Run(&'a trend_run::Event<'a>),
    /// The runs of a round are over.
    RunsOver,
    /// Something was decided.
    Note(Note<'a>),
}

/// What was decided. Its `Display` is a sentence for people.
#[derive(Clone, Debug)]
pub enum Note<'a> {
    /// Another round begins.
    Round {
        /// From 2: the first runs what is configured.
        number: usize,
        /// The parameter of the sweep.
        parameter: &'a str,
        /// Its further values.
        values: &'a [(String, usize)],
        /// The row that they are for.
        row: &'a str,
        /// What is left of the budget.
        left: Duration,
    },
    /// There is no time for a run; of those that are longer, none is reported.
    NotBegun {
        /// The workload.
        workload: &'a str,
        /// How long the run would take.
        seconds: f64,
        /// What is left of the budget.
        left: Duration,
    },
    /// No feature follows a parameter: there are no further rounds.
    NothingFollows,
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
                "{workload} is not begun, nor is what takes longer: it would take about {}, and {} of the budget are left",
                brief_seconds(*seconds),
                brief(*left)
            ),
            Self::NothingFollows => {
                f.write_str("no feature follows a numeric parameter, so that no further sizes can be chosen")
            }
        }
    }
}
