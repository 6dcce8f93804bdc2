//! Signals that a supervisor outlives.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};

/// Lets signals pass that are meant for the tool, such as those that go to all processes of a service or a name. They are
/// caught and not ignored: what a process ignores, the programs that it starts ignore as well. For the same reason those
/// that this process was started to ignore, by nohup, stay ignored.
pub(super) fn outlive_signals() {
    for signal in [SIGHUP, SIGINT, SIGQUIT, SIGTERM] {
        if !is_ignored(signal) {
            let _ = signal_hook::flag::register(signal, Arc::new(AtomicBool::new(false)));
        }
    }
}

/// Whether this process ignores a signal, as those do that nohup started.
pub fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default();
    (1..=64).contains(&signal) && mask & (1 << (signal - 1)) != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_that_are_ignored_are_known() {
        // The standard library lets every program ignore it.
        assert!(is_ignored(signal_hook::consts::SIGPIPE));
        assert!(!is_ignored(signal_hook::consts::SIGUSR1));
        assert!(!is_ignored(0));
    }
}
