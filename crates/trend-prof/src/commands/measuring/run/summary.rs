//! Summary of the runs on stderr.

use trend_profile::shell_path;
use trend_run::Advice;

use super::campaign::Campaign;
use crate::failure::Failure;
use crate::terminal::plural;

/// Number of lines of a failed run's stderr to show.
const STDERR_LINES: usize = 3;

/// Returns the text of a failure with the last lines of the run's stderr.
pub(crate) fn failure_text(advice: &Advice) -> String {
    let lines: Vec<&str> = advice.stderr_tail.lines().collect();
    let last = lines[lines.len().saturating_sub(STDERR_LINES)..].iter();
    last.fold(advice.text.clone(), |text, line| format!("{text}\n    {line}"))
}

impl Campaign {
    /// Prints the result of the runs to stderr.
    pub(crate) fn report(&self) {
        let Self { summary, terminal, .. } = self;
        let path = self.study.path();
        for advice in summary.advice() {
            let failure = Failure::new(failure_text(&advice));
            match advice.help {
                Some(help) => failure.hint(help).print(),
                None => failure.print(),
            }
        }
        if !summary.failures.is_empty() {
            terminal.hint("after fixing it, rerun this command: only failures run again");
        }
        let mut parts = vec![format!("{} recorded in {}", plural(summary.finished, "run"), path.display())];
        for (count, what) in [
            (summary.skipped, "recorded before"),
            (summary.failures.len(), "failed"),
            (summary.cancelled, "not run"),
        ] {
            if count > 0 {
                parts.push(format!("{count} {what}"));
            }
        }
        terminal.note(&parts.join(", "));
        if summary.cancelled > 0 {
            terminal.hint("rerun this command to continue");
        } else if summary.finished + summary.skipped > 0 {
            terminal.note(&format!("next: `trend-prof show {0}`, `trend-prof report {0}`", shell_path(path)));
        }
    }
}
