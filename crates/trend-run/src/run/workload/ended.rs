//! Describes in words how runs ended.

use std::io;

use trend_profile::Usage;

use crate::supervisor::wire::{Ended, Part};

/// Returns the resources that a run used.
pub(crate) fn usage(ended: &Ended) -> Usage {
    let Ended { wall, user, system, peak_rss_bytes, .. } = *ended;
    Usage { wall, user, system, peak_rss_bytes }
}

/// Returns the name of a part of a run.
pub(crate) fn word(part: Part) -> &'static str {
    match part {
        Part::Program => "program",
        Part::Stdin => "stdin",
        Part::Stdout => "stdout",
        Part::Stderr => "stderr",
    }
}

/// Explains that the supervisor was not started.
pub(crate) fn no_supervisor(error: &io::Error) -> String {
    format!("failed to start the supervisor process: {}", explained(error))
}

/// Explains that the supervisor ended before the run did, in the way `how`.
pub(crate) fn lost(how: &str) -> String {
    format!("its supervisor process ended {how}; run the same command again")
}

/// Explains that a process of a run cannot be ended.
pub(crate) fn unending(process: i32) -> String {
    format!(
        "it left process {process}, which cannot be killed (it belongs to another user or waits for a \
         device); end it before the next run"
    )
}

/// Returns the text of an operating system error without its number.
pub(crate) fn explained(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_lowercase()
}

/// Describes a run with an exit code that means failure by default, whose profile is kept.
pub(crate) fn unexpected_exit(code: i32) -> String {
    format!(
        "the profile includes a run that ended with exit code {code}; if that is not a failure, {}, and if it is, set \
         `exit-codes = [0]`",
        accepting(code)
    )
}

/// Tells how to accept an exit code, with a configuration or without.
pub(crate) fn accepting(code: i32) -> String {
    format!(
        "set `exit-codes = [0, {code}]` under [program] in trend-prof.toml, or run with `--exit-codes 0,{code}`"
    )
}
