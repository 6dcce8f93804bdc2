//! What a command is doing while somebody waits, on stderr: only from the third second on, so that what is fast says
//! nothing, and only to a terminal.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::terminal::Terminal;

/// How long a command may say nothing.
const PATIENCE: Duration = Duration::from_secs(2);

/// How often the line is drawn again.
const TICK: Duration = Duration::from_millis(250);

/// The line that says what is being done; it goes when this does.
pub(crate) struct Waiting {
    bar: ProgressBar,
    /// Dropped to end the thread that begins to draw.
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Waiting {
    /// Begins with a first step, such as `reading the study`.
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

    /// Goes on to the next step.
    pub(crate) fn step(&self, step: impl Into<String>) {
        self.bar.set_message(step.into());
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        drop(self.end.take());
        // It ends at once; if it broke off, nothing was drawn.
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
