//! Work with a deadline.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Interval at which the deadline is checked.
const TICK: Duration = Duration::from_millis(20);

/// Sets the flag on drop, even after a panic, so that a thread waiting for it always ends.
struct SetAtEnd<'a>(&'a AtomicBool);

impl Drop for SetAtEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Calls `work` with a flag that is set once `stop_requested` is set or `time` is over.
pub fn within<T>(time: Duration, stop_requested: &AtomicBool, work: impl FnOnce(&AtomicBool) -> T) -> T {
    let (begin, stop, done) = (Instant::now(), AtomicBool::new(false), AtomicBool::new(false));
    thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                let is_over = stop_requested.load(Ordering::Relaxed) || begin.elapsed() >= time;
                stop.fetch_or(is_over, Ordering::Relaxed);
                thread::park_timeout(TICK);
            }
        });
        let _done = SetAtEnd(&done);
        work(&stop)
    })
}
