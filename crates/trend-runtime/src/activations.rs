//! Ends activations of routines, unwinds them, and counts the input that each has read. They begin in the hooks.
//!
//! Ids of activations grow with time. The shadow of a cell holds the id of the activation that accessed it last. So a
//! read is the first one for each running activation with a larger id. These are the activations above the innermost
//! ancestor that has accessed the cell, directly or through a callee.
//!
//! ```text
//!   cell: 5        frames: 2 │ 4 │ 7 │ 9        a read by 9 is new to 9 and 7; 4 has accessed the cell
//! ```
//!
//! The hooks count the read for the running activation. `carried` accounts for its ancestors at little cost. If the
//! cell is also new to the parent, it is added to the parent's `carried` and subtracted from the `carried` of the
//! ancestor that has accessed it. At an exit, `carried` is added to the parent's.

use core::sync::atomic::{Ordering, compiler_fence};

use crate::descriptors::Descriptor;
use crate::file::RECORD;
use crate::guests;
use crate::record::{Frame, Recent, Table, Unit, flag};
use crate::system;
use crate::tables::{self, Observed};
use crate::thread::{STACK, Thread, trend_probe_4_slow_enter};

/// Starts an activation of a part whose routines are not running, so that it counts as a routine itself. Returns its
/// frame. Called at the part's entry.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trend_probe_4_begin(thread: *mut Thread, routine: *const Descriptor) -> *mut Frame {
    // SAFETY: the hooks pass both; afterwards there is a table and room for a frame.
    unsafe {
        trend_probe_4_slow_enter(thread, routine);
        let (thread, routine) = (&mut *thread, &*routine);
        tick(thread, routine.config);
        let table = *thread.tables.add(routine.index() as usize);
        let frame = thread.top.add(1);
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
            if !record.is_left() {
                let flags = &mut record.header().flags;
                // If frames ran out, a later call may have taken this frame. The routine then did not continue after
                // its end.
                if *flags & flag::NO_FRAMES == 0 {
                    *flags |= flag::INTERLEAVED;
                }
            }
        }
        is_there
    }
}

/// Ends the activation on top with the counts stored at its last call.
pub(crate) unsafe fn end(thread: &mut Thread) {
    // SAFETY: the top is the frame of an activation.
    unsafe {
        let (table, observed) = leave(thread);
        tables::add(table, &observed, 1);
    }
}

/// Ends the activation on top with the counts stored at its last call, without recording it. Returns its table and
/// totals.
pub(crate) unsafe fn leave(thread: &mut Thread) -> (*mut Table, Observed) {
    // SAFETY: the top is the frame of an activation.
    unsafe {
        let frame = thread.top;
        let own = (*frame).own + (*frame).parts_own;
        let cost = (*frame).inclusive + own;
        let table = (*frame).table as *mut Table;
        (*table).depth = (*table).depth.wrapping_sub(1);
        let observed = Observed {
            size: ((*frame).count as i64 + (*frame).parts_count as i64 + (*frame).carried).max(0) as u64,
            cost,
            own,
            is_outermost: (*table).depth == 0,
            from_threads: (*frame).from_threads,
            from_kernel: (*frame).from_kernel,
            again: (*frame).again,
            own_from_threads: (*frame).own_from_threads,
            own_from_kernel: (*frame).own_from_kernel,
        };
        let parent = frame.sub(1);
        (*parent).from_threads += (*frame).from_threads;
        (*parent).from_kernel += (*frame).from_kernel;
        (*parent).again += (*frame).again;
        (*parent).carried += (*frame).carried;
        (*parent).inclusive += cost;
        (*frame).id = 0;
        // From here on, the frame of a signal handler may take the place of this one.
        compiler_fence(Ordering::SeqCst);
        thread.top = parent;
        (table, observed)
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

/// Records an activation that differs from the one at its place among the recent activations. Called at its exit.
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

/// Subtracts cells from the `carried` of the innermost activation below `frame` that has accessed them. `old` is the id
/// of their last access. Called if cells are new to many activations.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trend_probe_4_known_far_below(frame: *mut Frame, old: u32, cells: i64) {
    // SAFETY: the hooks pass the frame of an activation; the bottom of the stack, with id 0, is below it.
    unsafe { (*last_to_know(frame, old)).carried -= cells }
}

pub(crate) unsafe fn first_read(frame: *mut Frame, old: u32, cells: i64) {
    // SAFETY: the same reason as above.
    unsafe {
        let parent = frame.sub(1);
        (*parent).carried += cells;
        if old != 0 {
            (*last_to_know(parent, old)).carried -= cells;
        }
    }
}

/// Number of frames that are searched one by one: the activation that has accessed a cell is usually near.
const NEAR: usize = 16;

/// Returns the innermost activation below `frame` whose id is at most `id`. Searches frame by frame at first, then
/// gallops down, then bisects.
pub(crate) unsafe fn last_to_know(frame: *mut Frame, id: u32) -> *mut Frame {
    // SAFETY: ids grow from the bottom, which has 0, to the top.
    unsafe {
        let mut high = frame;
        for _ in 0..NEAR {
            let low = high.sub(1);
            if (*low).id <= id {
                return low;
            }
            high = low;
        }
        let mut step = 1;
        let mut low = high.sub(1);
        while (*low).id > id {
            high = low;
            step *= 2;
            // The id of the bottom, 0, ends the search; steps must not pass it.
            let bottom = bottom_of(high);
            let room = high.offset_from(bottom);
            low = high.sub(step.min(room as usize));
        }
        while high.offset_from(low) > 1 {
            let middle = low.add(high.offset_from(low) as usize / 2);
            if (*middle).id > id { high = middle } else { low = middle }
        }
        low
    }
}

pub(crate) fn bottom_of(frame: *mut Frame) -> *mut Frame {
    (frame as usize & !(STACK - 1)) as *mut Frame
}
