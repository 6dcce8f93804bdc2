//! Begins and ends activations of routines, and unwinds them. Most begin and end in the hooks.

use core::sync::atomic::{Ordering, compiler_fence};

use super::ends::end;
use super::guests;
use super::state::Thread;
use super::tables;
use super::thread::trend_probe_4_slow_enter;
use crate::file::RECORD;
use crate::layout::descriptor::Descriptor;
use crate::layout::record::{Frame, Recent, Table, Unit, flag};
use crate::memory::first_reads::innermost_that_accessed;
use crate::system;

/// Starts an activation of a part (a function counted with its caller) that no routine called. Returns its frame.
/// Called at the part's entry.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trend_probe_4_begin(thread: *mut Thread, routine: *const Descriptor) -> *mut Frame {
    // SAFETY: the hooks pass both; afterwards there is a table and room for a frame.
    unsafe {
        trend_probe_4_slow_enter(thread, routine);
        let (thread, routine) = (&mut *thread, &*routine);
        tick(thread, routine.config);
        let table = *thread.tables.add(routine.index() as usize);
        let frame = thread.top.add(1);
        // A signal handler uses the table of the top frame, so it is set before the frame is on top.
        (*frame).table = table as u64;
        // From here on, the frame of a signal handler is above this one.
        compiler_fence(Ordering::SeqCst);
        thread.top = frame;
        compiler_fence(Ordering::SeqCst);
        thread.last_id += 1;
        *frame = Frame {
            id: thread.last_id,
            routine: routine.index(),
            table: table as u64,
            ..core::mem::zeroed()
        };
        (*table).depth += 1;
        frame
    }
}

/// Ends an activation that `trend_probe_4_begin` started. Called when the part returns.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trend_probe_4_finish(
    thread: *mut Thread,
    routine: *const Descriptor,
    frame: *mut Frame,
) {
    // SAFETY: the hooks pass the thread, and the frame that it was given.
    unsafe {
        if (*thread).top == frame || trend_probe_4_unwind(thread, frame) {
            tick(&mut *thread, (*routine).config);
            end(&mut *thread);
        }
    }
}

/// If costs are nanoseconds, charges the time since the last charge to the running activation.
unsafe fn tick(thread: &mut Thread, config: u32) {
    if Descriptor::unit(config) == Unit::Nanoseconds as u32 {
        let now = system::now();
        // SAFETY: the top is a frame of the thread.
        unsafe { (*thread.top).own += now.wrapping_sub(thread.clock) };
        thread.clock = now;
    }
}

/// Returns the current time in nanoseconds. Called at entries and exits if costs are nanoseconds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trend_probe_4_now() -> u64 {
    system::now()
}

/// Ends the activations above `frame`. They were left by `longjmp`, or by an exception that passed code without hooks.
/// Returns false if `frame` itself has already ended. Called at an exit whose frame is not on top.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trend_probe_4_unwind(thread: *mut Thread, frame: *mut Frame) -> bool {
    // SAFETY: the hooks pass the thread and one of its frames.
    unsafe {
        let thread = &mut *thread;
        while thread.top > frame {
            end(thread);
        }
        let is_there = thread.top == frame;
        if !is_there && !guests::is_guest(thread) {
            let record = RECORD.lock();
            // A process without a record has no results to flag.
            if record.has_record() {
                let flags = &mut record.header().flags;
                // If frames ran out, a later call may have reused this frame, so its absence does not prove that an
                // activation was resumed.
                if *flags & flag::NO_FRAMES == 0 {
                    *flags |= flag::INTERLEAVED;
                }
            }
        }
        is_there
    }
}

/// Ends an activation that has read cells written by the kernel or other threads. Called at its exit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trend_probe_4_end(thread: *mut Thread, frame: *mut Frame, count: u64, own: u64) {
    // SAFETY: the hooks pass the thread and the frame on top of its stack.
    unsafe {
        ((*frame).count, (*frame).own) = (count, own);
        end(&mut *thread);
    }
}

/// Replaces the recent activation at `place` with one that differs from it. Called at its exit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trend_probe_4_record(
    table: *mut Table,
    place: *mut Recent,
    cells: i64,
    cost: u64,
    own: u64,
) {
    // If a jump left a signal handler, counts can be missing and `cells` negative.
    let size = cells.max(0) as u64;
    // SAFETY: the hooks pass the table of the frame, and one of its places.
    unsafe { tables::record(table, place, Recent { size, cost, own, calls: 1 }) }
}

/// Subtracts cells from the [`Frame::carried`] of the innermost activation below `frame` that has accessed them,
/// because they are not new to it. `old` is the id of their last access. Called if cells are new to many activations.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trend_probe_4_known_far_below(frame: *mut Frame, old: u32, cells: i64) {
    // SAFETY: the hooks pass the frame of an activation; the bottom of the stack, with id 0, is below it.
    unsafe { (*innermost_that_accessed(frame, old)).carried -= cells }
}
