//! The process that the build's command starts, and its end where the caller asks to stop.
//!
//! A terminal's Ctrl-C reaches every process of the build by itself; a signal to this process alone reaches none. So what
//! still runs a moment after the request is ended.

use std::collections::BTreeSet;
use std::io;
use std::process::{Command, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::supervisor::tree;

/// How long what got a terminal's Ctrl-C may take to end by itself: `make` removes half-written targets.
const GRACE: Duration = Duration::from_millis(200);

/// How often it is asked whether the build is over, or is to stop.
const PAUSE: Duration = Duration::from_millis(10);

/// How the build's command ended.
pub(super) enum Ended {
    Over(ExitStatus),
    /// The caller asked to stop, and it did not succeed before.
    Interrupted,
}

/// Runs a command to its end. Ends it with all that it started in this session when `cancel` is set; a daemon has a
/// session of its own, and is left alone.
pub(super) fn run(command: &mut Command, cancel: &AtomicBool) -> io::Result<Ended> {
    let mut child = command.spawn()?;
    let mut asked: Option<Instant> = None;
    let mut ended = BTreeSet::new();
    loop {
        if let Some(status) = child.try_wait()? {
            let is_interrupted = asked.is_some() || cancel.load(Ordering::Relaxed);
            return Ok(if is_interrupted && !status.success() {
                Ended::Interrupted
            } else {
                Ended::Over(status)
            });
        }
        if cancel.load(Ordering::Relaxed) && asked.get_or_insert_with(Instant::now).elapsed() >= GRACE {
            end_descendants(&mut ended);
        }
        thread::sleep(PAUSE);
    }
}

/// Sends SIGTERM to every process that this one started, parents first, once each.
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
