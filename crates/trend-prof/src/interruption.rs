//! A user's wish that a build or runs stop: Ctrl-C, SIGTERM, or the end of the terminal.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;

use crate::failure::Failure;

/// What a shell adds to the number of the signal that ended a program.
const OF_SIGNALS: u8 = 128;

/// Whether the user asks to stop, and by which signal.
#[derive(Clone, Debug)]
pub(crate) struct Interruption {
    requested: Arc<AtomicBool>,
    signal: Arc<AtomicUsize>,
}

impl Interruption {
    /// Listens from now on; a second signal ends the process at once.
    pub(crate) fn listen() -> Result<Self, Failure> {
        let interruption = Self { requested: Arc::default(), signal: Arc::default() };
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            // Under nohup the end of the terminal means nothing.
            if !trend_run::supervisor::is_ignored(signal) {
                interruption
                    .listen_to(signal)
                    .map_err(|e| Failure::from_error("failed to listen for Ctrl-C", &e))?;
            }
        }
        Ok(interruption)
    }

    fn listen_to(&self, signal: i32) -> std::io::Result<()> {
        // Registered first, so that it sees the mark of an earlier signal and not its own.
        flag::register_conditional_shutdown(signal, code(signal).into(), Arc::clone(&self.requested))?;
        flag::register_usize(signal, Arc::clone(&self.signal), signal as usize)?;
        flag::register(signal, Arc::clone(&self.requested))?;
        Ok(())
    }

    /// Is set when the user asks to stop.
    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.requested
    }

    pub(crate) fn is_requested(&self) -> bool {
        self.requested.load(Ordering::Relaxed)
    }

    /// What a shell expects of a program that a signal ended.
    pub(crate) fn exit_code(&self) -> ExitCode {
        ExitCode::from(self.code())
    }

    /// The same as a number.
    pub(crate) fn code(&self) -> u8 {
        let signal = i32::try_from(self.signal.load(Ordering::Relaxed)).unwrap_or_default();
        code(if signal == 0 { SIGINT } else { signal })
    }
}

fn code(signal: i32) -> u8 {
    OF_SIGNALS.saturating_add(u8::try_from(signal).unwrap_or_default())
}
