//! How it all ended, as data and in words. Runs nothing.

use std::time::Duration;

use crate::standing::Standing;

/// How the rounds ended.
#[derive(Clone, Debug)]
pub struct Account {
    /// What was to be decided, in words.
    pub what: &'static str,
    /// Why.
    pub ended: Ended,
    /// What was to be decided, the costliest first; empty for [`Ended::Stopped`].
    pub rows: Vec<RowAccount>,
    /// The time that was spent.
    pub spent: Duration,
    /// The time that there was.
    pub budget: Duration,
}

/// How a row stands at the end.
#[derive(Clone, Debug)]
pub struct RowAccount {
    /// Its name.
    pub name: String,
    /// Whether its growth is decided.
    pub standing: Standing,
    /// How long the runs would take that are advised for it.
    pub seconds: Option<f64>,
}

/// Why there are no further rounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The caller asked to stop, or there is nothing to choose sizes by.
    Stopped,
    /// The budget is over.
    Spent,
    /// After so many rounds it is given up.
    Rounds(usize),
    /// Nothing is advised that has sizes.
    NoAdvice,
    /// More inputs of a size are wanted, and nothing makes them.
    NoInputs,
    /// What is advised takes longer than there is time.
    Time,
    /// What is advised is as large as what failed; its name.
    Failed(String),
}

impl Account {
    /// What is decided, what is not, and why it ended, a sentence each.
    pub fn lines(&self) -> Vec<String> {
        let (spent, of) = (brief(self.spent.min(self.budget)), brief(self.budget));
        let budget_spent = format!("budget spent ({spent} of {of})");
        let is_spent = self.spent >= self.budget;
        if self.ended == Ended::Stopped {
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
            lines.push(format!("{} is decided, after {spent} of {of}", self.what));
            return lines;
        }
        let stopped = format!("stopped after {spent} of {of}");
        lines.push(match &self.ended {
            _ if is_spent => budget_spent,
            Ended::Spent | Ended::Stopped => budget_spent,
            Ended::Rounds(count) => format!("gave up after {count} rounds, {spent} of {of}"),
            Ended::Time => format!("{stopped}: nothing that there is time for would decide more"),
            Ended::NoAdvice => format!("{stopped}: no further sizes would decide more"),
            Ended::NoInputs => format!(
                "{stopped}: more inputs of a size would be needed, and no parameter such as `seed = [1, 2, 3]` \
                 can be counted on for them"
            ),
            Ended::Failed(name) => {
                format!("{stopped}: larger sizes would be needed, and {name} failed already")
            }
        });
        lines
    }
}

pub(crate) fn brief(time: Duration) -> String {
    brief_seconds(time.as_secs_f64())
}

/// `0.3 s`, `12 s`, `9m 58s`, `1.5 h`.
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
