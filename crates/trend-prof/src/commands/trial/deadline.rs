//! Work with a deadline.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Interval at which the deadline is checked.
const TICK: Duration = Duration::from_millis(20);

/// Calls `work` with a flag that is set when the user asks to stop or when the time is over.
pub(super) fn until<T>(end: Instant, asked: &AtomicBool, work: impl FnOnce(&AtomicBool) -> T) -> T {
    let (stop, done) = (AtomicBool::new(false), AtomicBool::new(false));
    thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                let is_over = asked.load(Ordering::Relaxed) || Instant::now() >= end;
                stop.fetch_or(is_over, Ordering::Relaxed);
                thread::park_timeout(TICK);
            }
        });
        let worked = work(&stop);
        done.store(true, Ordering::Relaxed);
        worked
    })
}
