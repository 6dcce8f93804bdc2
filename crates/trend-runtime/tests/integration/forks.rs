//! Processes that are forked while other threads run routines.

use std::ffi::c_int;
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crate::hooks::{Calls, ProbedRoutine, recorded};

static SERVER: ProbedRoutine = ProbedRoutine::new("server");
static NEIGHBOUR: ProbedRoutine = ProbedRoutine::new("neighbour");
static REQUEST: ProbedRoutine = ProbedRoutine::new("request");

unsafe extern "C" {
    fn fork() -> c_int;
    fn _exit(code: c_int) -> !;
    fn waitpid(process: c_int, status: *mut c_int, options: c_int) -> c_int;
}

/// Runs a closure in a forked process. Returns the process once it has ended.
fn forked(body: impl FnOnce()) -> u32 {
    // SAFETY: the child only calls the runtime, which is meant for it, and ends.
    unsafe {
        let child = fork();
        if child == 0 {
            body();
            _exit(0);
        }
        let mut status = -1;
        assert_eq!((waitpid(child, &raw mut status, 0), status), (child, 0));
        child as u32
    }
}

/// Calls routines until it is dropped.
struct Busy<'a>(&'a AtomicBool);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn a_child_records_its_own_calls_and_nothing_of_its_parent() {
    const CHILDREN: u64 = 30;
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let _busy = Busy(&is_over);
        for _ in 0..2 {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    NEIGHBOUR.run(|neighbour| neighbour.costs(black_box(1)));
                }
            });
        }
        SERVER.run(|server| {
            server.costs(100);
            for calls in 1..=CHILDREN {
                let child = forked(|| (0..calls).for_each(|_| REQUEST.run(|request| request.costs(3))));
                let expected = Calls { size: 0, count: calls, cost: 3 * calls, own: 3 * calls };
                assert_eq!(recorded(child, "request"), [expected]);
            }
        });
    });
    let of_server = Calls { size: 0, count: 1, cost: 100, own: 100 };
    assert_eq!(recorded(std::process::id(), "server"), [of_server]);
}
