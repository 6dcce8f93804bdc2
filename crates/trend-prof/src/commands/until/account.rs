//! How it all ended, in words. Runs nothing.

use std::time::Duration;

use super::choice::Why;
use super::standing::{self, Standing};
use super::{End, MOST_ROUNDS, Rounds};
use crate::terminal::plural;

impl Rounds<'_> {
    /// What is decided, what is not, and why it ended.
    pub(super) fn report(&self, end: Option<&End>) {
        let terminal = self.job.terminal;
        let (spent, of) = (brief(self.begin.elapsed().min(self.budget)), brief(self.budget));
        let budget_spent = format!("budget spent ({spent} of {of})");
        let Some(end) = end else {
            if self.left().is_zero() {
                terminal.note(&budget_spent);
            }
            return;
        };
        let rows = standing::rows(&end.findings, end.feature);
        let decided: Vec<String> = rows
            .iter()
            .filter_map(|row| match &row.standing {
                Standing::Decided(class) => Some(format!("{class} for {}", row.name)),
                Standing::Open { .. } => None,
            })
            .collect();
        if !decided.is_empty() {
            terminal.note(&format!("decided: {}", decided.join("; ")));
        }
        let forecast = self.forecast(&end.study, &end.findings, end.feature);
        for row in &rows {
            let Standing::Open { verdict, next } = &row.standing else { continue };
            let advice = next.as_ref().map(|next| {
                let runs: Vec<(f64, usize)> = next.sizes.iter().map(|&size| (size, next.inputs)).collect();
                let seconds = forecast.seconds(&runs).filter(|s| *s >= 1.0);
                let takes = seconds.map_or(String::new(), |s| format!(" (about {})", brief_seconds(s)));
                format!(": {}{takes}", next.message)
            });
            terminal.note(&format!("{verdict} for {}{}", row.name, advice.unwrap_or_default()));
        }
        if decided.len() == rows.len() {
            terminal.note(&format!("everything costly is decided, after {spent} of {of}"));
            return;
        }
        let stopped = format!("stopped after {spent} of {of}");
        terminal.note(&match &end.why {
            _ if self.left().is_zero() => budget_spent,
            Why::Spent => budget_spent,
            Why::Rounds => format!("gave up after {}, {spent} of {of}", plural(MOST_ROUNDS, "round")),
            Why::Time => format!("{stopped}: nothing that there is time for would decide more"),
            Why::NoAdvice => format!("{stopped}: no further sizes would decide more"),
            Why::NoInputs => format!(
                "{stopped}: more inputs of a size would be needed, and no parameter such as `seed = [1, 2, 3]` \
                 can be counted on for them"
            ),
            Why::Failed(name) => {
                format!("{stopped}: larger sizes would be needed, and {name} failed already")
            }
        });
    }
}

pub(super) fn brief(time: Duration) -> String {
    brief_seconds(time.as_secs_f64())
}

/// `0.3 s`, `12 s`, `9m 58s`, `1.5 h`.
pub(super) fn brief_seconds(seconds: f64) -> String {
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
