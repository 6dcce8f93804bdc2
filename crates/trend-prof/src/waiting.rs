//! A status line on stderr for long steps. It appears after two seconds, so fast commands stay silent, and only on a
//! terminal.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::terminal::Terminal;

/// Time after which the status line appears.
const PATIENCE: Duration = Duration::from_secs(2);

/// Redraw interval of the line.
const TICK: Duration = Duration::from_millis(250);

/// The status line. Dropping it removes the line.
pub(crate) struct Waiting {
    bar: ProgressBar,
    /// Dropped to end the thread that starts the drawing.
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Waiting {
    /// Starts with a first step, such as `reading the study`.
    pub(crate) fn new(terminal: Terminal, step: impl Into<String>) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}  {elapsed}") {
            bar.set_style(style);
        }
        bar.set_message(step.into());
        let (end, ended) = mpsc::channel::<()>();
        let thread = terminal.shows_progress().then(|| {
            let bar = bar.clone();
            std::thread::spawn(move || {
                if ended.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                    bar.set_draw_target(ProgressDrawTarget::stderr());
                    bar.enable_steady_tick(TICK);
                }
            })
        });
        Self { bar, end: Some(end), thread }
    }

    /// Shows the next step.
    pub(crate) fn step(&self, step: impl Into<String>) {
        self.bar.set_message(step.into());
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        drop(self.end.take());
        // The thread ends at once. If it panicked, nothing was drawn.
        let _ = self.thread.take().map(JoinHandle::join);
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    #[test]
    fn what_is_fast_waits_for_nothing() {
        let begin = Instant::now();
        let waiting = Waiting::new(Terminal { verbose: 0, quiet: false }, "reading");
        waiting.step("analysing");
        drop(waiting);
        assert!(begin.elapsed() < PATIENCE);
    }
}
