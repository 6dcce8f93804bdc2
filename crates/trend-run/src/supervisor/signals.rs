//! Makes a supervisor survive signals.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};

/// Makes this process survive signals that are meant for the tool, such as signals to all processes of a service or
/// to all processes with a name. The signals are caught and not ignored, because programs inherit ignored signals.
/// For the same reason, signals that were ignored when this process was started, for example by nohup, stay ignored.
pub(super) fn outlive_signals() {
    for signal in [SIGHUP, SIGINT, SIGQUIT, SIGTERM] {
        if !is_ignored(signal) {
            let _ = signal_hook::flag::register(signal, Arc::new(AtomicBool::new(false)));
        }
    }
}

/// Returns true if this process ignores a signal, for example because nohup started it.
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
        // The standard library makes every program ignore this signal.
        assert!(is_ignored(signal_hook::consts::SIGPIPE));
        assert!(!is_ignored(signal_hook::consts::SIGUSR1));
        assert!(!is_ignored(0));
    }
}
