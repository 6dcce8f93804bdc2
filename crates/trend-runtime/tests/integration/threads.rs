//! Threads that run routines at once.

use std::process;
use std::sync::Barrier;
use std::thread;

use crate::hooks::{Calls, ProbedRoutine, cells, recorded};

/// Number of threads that are watched at a time, even where a sanitizer leaves little address space.
const THREADS: usize = 4;
const SIZES: usize = 40;

static CALLER: ProbedRoutine = ProbedRoutine::new("caller");
static CALLEE: ProbedRoutine = ProbedRoutine::new("callee");

/// Calls a routine at every size: its tables grow while other threads call it as well.
fn run(input: &[u32]) {
    for size in 1..=SIZES {
        CALLER.run(|caller| {
            caller.costs(1);
            CALLEE.run(|callee| {
                callee.costs(2);
                callee.reads(&input[..size]);
            });
        });
    }
}

#[test]
fn each_call_of_each_thread_is_recorded_once() {
    const ROUNDS: u64 = 3;
    let input = &*cells(SIZES);
    for _ in 0..ROUNDS {
        let barrier = Barrier::new(THREADS);
        thread::scope(|scope| {
            for _ in 0..THREADS {
                scope.spawn(|| {
                    barrier.wait();
                    run(input);
                });
            }
        });
    }
    let calls = ROUNDS * THREADS as u64;
    let expected = |cost: u64, own: u64| {
        (1..=SIZES as u64)
            .map(|size| Calls { size, count: calls, cost: cost * calls, own: own * calls })
            .collect::<Vec<_>>()
    };
    assert_eq!(recorded(process::id(), "callee"), expected(2, 2));
    assert_eq!(recorded(process::id(), "caller"), expected(3, 1));
}
