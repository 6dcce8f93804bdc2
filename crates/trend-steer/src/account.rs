//! The outcome of the rounds, as data and in words. This module runs nothing.

use std::time::Duration;

use crate::standing::Standing;

/// Outcome of the rounds.
#[derive(Clone, Debug)]
pub struct Account {
    /// Subject of the decision, in words.
    pub what: &'static str,
    /// Reason for the end.
    pub ended: Ended,
    /// Rows to decide, the most expensive first; empty for [`Ended::Stopped`] and [`Ended::NothingFollows`].
    pub rows: Vec<RowAccount>,
    /// Time spent.
    pub spent: Duration,
    /// Time available.
    pub budget: Duration,
}

/// A row's state at the end.
#[derive(Clone, Debug)]
pub struct RowAccount {
    /// Name of the row.
    pub name: String,
    /// Verdict on the row, or the open question.
    pub standing: Standing,
    /// Time that the runs advised for the row would take.
    pub seconds: Option<f64>,
}

/// Reason why there are no further rounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The caller asked to stop, or no run succeeded.
    Stopped,
    /// No feature follows a numeric parameter.
    NothingFollows,
    /// The budget is spent.
    Spent,
    /// The rounds were given up after this many.
    Rounds(usize),
    /// No advice contains sizes.
    NoAdvice,
    /// More inputs of a size are needed, but no parameter produces them.
    NoInputs,
    /// The advised runs take longer than the remaining time.
    Time,
    /// The advised size is as large as a workload that failed; holds that workload's name.
    Failed(String),
}

impl Account {
    /// Returns a sentence about the decided rows, one per open row, and one about the end of the rounds.
    pub fn lines(&self) -> Vec<String> {
        let (spent, of) = (brief(self.spent.min(self.budget)), brief(self.budget));
        let budget_spent = format!("budget spent ({spent} of {of})");
        let is_spent = self.spent >= self.budget;
        if matches!(self.ended, Ended::Stopped | Ended::NothingFollows) {
            return if is_spent { vec![budget_spent] } else { Vec::new() };
        }
        let mut lines = Vec::new();
        let decided: Vec<String> = self
            .rows
            .iter()
            .filter_map(|row| match &row.standing {
                Standing::Decided(class) => Some(format!("{class} for {}", row.name)),
                Standing::Open { .. } => None,
            })
            .collect();
        if !decided.is_empty() {
            lines.push(format!("decided: {}", decided.join("; ")));
        }
        for row in &self.rows {
            let Standing::Open { verdict, next } = &row.standing else { continue };
            let advice = next.as_ref().map(|next| {
                let seconds = row.seconds.filter(|s| *s >= 1.0);
                let takes = seconds.map_or(String::new(), |s| format!(" (about {})", brief_seconds(s)));
                format!(": {}{takes}", next.message)
            });
            lines.push(format!("{verdict} for {}{}", row.name, advice.unwrap_or_default()));
        }
        if decided.len() == self.rows.len() {
            lines.push(format!("{} is decided ({spent} of {of})", self.what));
            return lines;
        }
        let stopped = format!("stopped after {spent} of {of}");
        lines.push(match &self.ended {
            _ if is_spent => budget_spent,
            Ended::Spent | Ended::Stopped | Ended::NothingFollows => budget_spent,
            Ended::Rounds(count) => format!("gave up after {count} rounds ({spent} of {of})"),
            Ended::Time => format!("{stopped}: no run that would help fits the remaining time"),
            Ended::NoAdvice => format!("{stopped}: no further sizes would help"),
            Ended::NoInputs => format!(
                "{stopped}: several inputs per size are needed; add a parameter such as `seed = [1, 2, 3]`"
            ),
            Ended::Failed(name) => {
                format!("{stopped}: larger sizes are needed, but {name} already failed")
            }
        });
        lines
    }
}

pub(crate) fn brief(time: Duration) -> String {
    brief_seconds(time.as_secs_f64())
}

/// Formats seconds briefly: `0.3 s`, `12 s`, `9m 58s`, `1.5 h`.
pub(crate) fn brief_seconds(seconds: f64) -> String {
    match seconds {
        s if s < 10.0 => format!("{s:.1} s"),
        s if s < 60.0 => format!("{s:.0} s"),
        s if s < 3600.0 => format!("{:.0}m {:02.0}s", (s / 60.0).floor(), (s % 60.0).floor()),
        s => format!("{:.1} h", s / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_as_long_as_they_need_to_be() {
        let shown = [0.25, 12.4, 59.4, 598.9, 600.0, 5400.0].map(brief_seconds);
        assert_eq!(shown, ["0.2 s", "12 s", "59 s", "9m 58s", "10m 00s", "1.5 h"]);
    }
}
