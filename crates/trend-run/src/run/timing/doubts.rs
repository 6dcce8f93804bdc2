//! Warnings about times: programs that cannot be timed, and counters that make runs slow.

use std::time::Duration;

use trend_profile::{Usage, Warning, WarningKind};

use super::timed::Timed;
use super::uncounted::Uncounted;
use crate::plan::workload::Plan;

/// Minimum slowdown by counters for a warning. The counted run must also take at least [`LONG_ENOUGH`].
const NOTABLE: f64 = 2.0;

/// Minimum duration of a counted run for a warning about slow counters.
const LONG_ENOUGH: Duration = Duration::from_millis(200);

/// Returns a warning if the program that was configured for timing does not run.
pub(crate) fn not_timed(timed: &[Timed<'_>], plan: &Plan) -> Option<Warning> {
    let mut now = timed.iter().filter(|one| !one.is_known).peekable();
    now.peek()?;
    let program = plan.config.program.timed.as_ref().filter(|_| now.all(|one| one.runs.is_empty()))?;
    let message = format!(
        "nothing was timed: {} (`timed` in [program]) cannot be run, or fails on every workload; skip \
         timing with `run --no-time`",
        program.display()
    );
    Some(Warning::new(WarningKind::NotTimed, message))
}

/// Returns a warning if counters make the longest run much slower. It applies to this machine only and is not recorded.
pub(crate) fn slow_counters(timed: &[Timed<'_>], copy: &Uncounted, watches_memory: bool) -> Option<Warning> {
    let longest = timed.iter().find(|timed| !timed.runs.is_empty())?;
    if longest.counted.cpu() < LONG_ENOUGH {
        return None;
    }
    let plain = Usage::median(&longest.runs).filter(|_| copy.is_copy)?;
    let (counted, plain) = (longest.counted.cpu().as_secs_f64(), plain.cpu().as_secs_f64());
    let times = counted / plain;
    (times >= NOTABLE).then(|| {
        let what = if watches_memory { "counters and memory by line make" } else { "counters make" };
        let message = format!(
            "{what} the program {times:.0} times slower: {} took {counted:.2} s of CPU time, and \
             {plain:.2} s without them; for single-threaded programs, `trend-prof build --update single` \
             is faster",
            longest.workload.workload.name
        );
        Warning::new(WarningKind::SlowCounters, message)
    })
}
