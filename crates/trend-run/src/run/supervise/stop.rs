//! Requests to end the runs.

use std::sync::atomic::{AtomicBool, Ordering};

/// True if the runs have to end, because the caller says so or because recording failed.
#[derive(Debug)]
pub(crate) struct Stop<'a> {
    pub(crate) caller: &'a AtomicBool,
    pub(crate) recorder: AtomicBool,
}

impl Stop<'_> {
    pub(crate) fn is_requested(&self) -> bool {
        self.caller.load(Ordering::Relaxed) || self.recorder.load(Ordering::Relaxed)
    }
}
