//! Runs the build's command, and ends it if the caller asks to stop.
//!
//! Ctrl-C in a terminal reaches every process of the build, but a signal to this process reaches only this one.
//! Therefore processes that still run shortly after the request are ended.

use std::collections::BTreeSet;
use std::io;
use std::process::{Command, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::supervisor::tree;

/// Time that processes get to end by themselves after Ctrl-C: `make` removes half-written targets.
const GRACE: Duration = Duration::from_millis(200);

/// Interval at which the build and the request to stop are checked.
const PAUSE: Duration = Duration::from_millis(10);

/// The end of the build's command.
pub(super) enum Ended {
    Over(ExitStatus),
    /// The caller asked to stop, and the command did not succeed.
    Interrupted,
}

/// Runs a command to its end. When `cancel` is set, ends it with all processes that it started in this session. A
/// daemon has its own session and is left alone.
pub(super) fn run(command: &mut Command, cancel: &AtomicBool) -> io::Result<Ended> {
    let mut child = command.spawn()?;
    let mut cancelled_at: Option<Instant> = None;
    let mut ended = BTreeSet::new();
    loop {
        if let Some(status) = child.try_wait()? {
            let is_interrupted = cancelled_at.is_some() || cancel.load(Ordering::Relaxed);
            return Ok(if is_interrupted && !status.success() {
                Ended::Interrupted
            } else {
                Ended::Over(status)
            });
        }
        if cancel.load(Ordering::Relaxed) && cancelled_at.get_or_insert_with(Instant::now).elapsed() >= GRACE
        {
            end_descendants(&mut ended);
        }
        thread::sleep(PAUSE);
    }
}

/// Sends SIGTERM once to every process that this one started, parents first.
fn end_descendants(ended: &mut BTreeSet<i32>) {
    let all = tree::all();
    let own = std::process::id() as i32;
    let session = all.iter().find(|process| process.pid == own).map(|process| process.session);
    for process in tree::below(own, &all, |process| Some(process.session) != session) {
        if ended.insert(process.pid)
            && let Some(pid) = Pid::from_raw(process.pid)
        {
            let _ = kill_process(pid, Signal::TERM);
        }
    }
}
