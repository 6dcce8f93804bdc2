//! Requests to stop a build or runs: Ctrl-C, SIGTERM, or a closed terminal.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;

use crate::failure::Failure;

/// Offset that shells add to a signal's number to form an exit code.
const OF_SIGNALS: u8 = 128;

/// Tells whether the user asked to stop, and by which signal.
#[derive(Clone, Debug)]
pub(crate) struct Interruption {
    requested: Arc<AtomicBool>,
    signal: Arc<AtomicUsize>,
}

impl Interruption {
    /// Starts listening. A second signal ends the process at once.
    pub(crate) fn listen() -> Result<Self, Failure> {
        let interruption = Self { requested: Arc::default(), signal: Arc::default() };
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            // Under nohup, SIGHUP is ignored and must stay so.
            if !trend_run::supervisor::is_ignored(signal) {
                interruption
                    .listen_to(signal)
                    .map_err(|e| Failure::from_error("failed to listen for Ctrl-C", &e))?;
            }
        }
        Ok(interruption)
    }

    fn listen_to(&self, signal: i32) -> std::io::Result<()> {
        // Register this handler first: it must see the flag of an earlier signal, not of the current one.
        flag::register_conditional_shutdown(signal, code(signal).into(), Arc::clone(&self.requested))?;
        flag::register_usize(signal, Arc::clone(&self.signal), signal as usize)?;
        flag::register(signal, Arc::clone(&self.requested))?;
        Ok(())
    }

    /// Returns the flag that is set when the user asks to stop.
    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.requested
    }

    pub(crate) fn is_requested(&self) -> bool {
        self.requested.load(Ordering::Relaxed)
    }

    /// Returns the exit code that a shell expects of a program that a signal ended.
    pub(crate) fn exit_code(&self) -> ExitCode {
        ExitCode::from(self.code())
    }

    /// Returns the exit code as a number.
    pub(crate) fn code(&self) -> u8 {
        let signal = i32::try_from(self.signal.load(Ordering::Relaxed)).unwrap_or_default();
        code(if signal == 0 { SIGINT } else { signal })
    }
}

fn code(signal: i32) -> u8 {
    OF_SIGNALS.saturating_add(u8::try_from(signal).unwrap_or_default())
}
