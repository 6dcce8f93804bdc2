//! Activations of routines: their ends, what unwinds them, and the input that each has read. They begin in the hooks.
//!
//! Ids of activations grow with time, and the shadow of a cell holds that of the activation that accessed it last. So a
//! read is the first one of every running activation whose id is larger than that: of the innermost ones, down to the
//! deepest ancestor that has accessed the cell itself or by a routine it called.
//!
//! ```text
//!   cell: 5        frames: 2 │ 4 │ 7 │ 9        a read by 9 is new to 9 and 7; 4 has accessed the cell
//! ```
//!
//! The hooks count it for the running activation. `carried` keeps the rest with little work: what is new to the parent as
//! well is added to the parent and taken from the ancestor that is not new to it, and at an exit what was carried goes on to the
//! parent.

use core::sync::atomic::{Ordering, compiler_fence};

use crate::descriptors::Descriptor;
use crate::file::RECORD;
use crate::guests;
use crate::record::{Frame, Recent, Table, Unit, flag};
use crate::system;
use crate::tables::{self, Observed};
use crate::thread::{STACK, Thread, trend_probe_4_slow_enter};

/// Called at the entry of a function that is a part of routines, where none of these runs: it is a routine itself. Gives its
/// frame.
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
        // From here on the frame of a signal's handler is above this one.
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

/// Called when it returns.
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

/// Where costs are nanoseconds: what passed since the last time is the cost of the running activation.
unsafe fn tick(thread: &mut Thread, config: u32) {
    if Descriptor::unit(config) == Unit::Nanoseconds as u32 {
        let now = system::now();
        // SAFETY: the top is a frame of the thread.
        unsafe { (*thread.top).own += now.wrapping_sub(thread.clock) };
        thread.clock = now;
    }
}

/// Called at entries and exits where costs are nanoseconds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trend_probe_4_now() -> u64 {
    system::now()
}

/// Called at an exit that does not find its frame on top: routines above it were left by `longjmp` or an exception that
/// passed code without hooks. Ends those; `false` where the frame itself has ended already.
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
            // A process that has recorded nothing has nothing that could be wrong.
            if !record.is_left() {
                let flags = &mut record.header().flags;
                // Where another call took the place of this one, it need not have gone on after its end.
                if *flags & flag::NO_FRAMES == 0 {
                    *flags |= flag::INTERLEAVED;
                }
            }
        }
        is_there
    }
}

/// Ends the activation on top as of its last call.
pub(crate) unsafe fn end(thread: &mut Thread) {
    // SAFETY: the top is the frame of an activation.
    unsafe {
        let (table, observed) = leave(thread);
        tables::add(table, &observed, 1);
    }
}

/// Ends the activation on top as of its last call, and does not record it: what it came to, with its table.
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
        // Afterwards the frame of a signal's handler may take the place of this one.
        compiler_fence(Ordering::SeqCst);
        thread.top = parent;
        (table, observed)
    }
}

/// Called at an exit of an activation that has read what the kernel or other threads wrote.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trend_probe_4_end(thread: *mut Thread, frame: *mut Frame, count: u64, own: u64) {
    // SAFETY: the hooks pass the thread and the frame on top of its stack.
    unsafe {
        ((*frame).count, (*frame).own) = (count, own);
        end(&mut *thread);
    }
}

/// Called at an exit that does not find its like at its place among the recent activations.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trend_probe_4_record(
    table: *mut Table,
    place: *mut Recent,
    cells: i64,
    cost: u64,
    own: u64,
) {
    // What a handler left by a jump can be missing.
    let size = cells.max(0) as u64;
    // SAFETY: the hooks pass the table of the frame, and one of its places.
    unsafe { tables::record(table, place, Recent { size, cost, own, calls: 1 }) }
}

/// Called where cells are new to many activations: to all down to the one below `frame` that knows them, which had the id
/// `old` or a larger one when they were accessed last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trend_probe_4_known_far_below(frame: *mut Frame, old: u32, cells: i64) {
    // SAFETY: the hooks pass the frame of an activation; the bottom of the stack, with id 0, is below it.
    unsafe { (*last_to_know(frame, old)).carried -= cells }
}

pub(crate) unsafe fn first_read(frame: *mut Frame, old: u32, cells: i64) {
    // SAFETY: as above.
    unsafe {
        let parent = frame.sub(1);
        (*parent).carried += cells;
        if old != 0 {
            (*last_to_know(parent, old)).carried -= cells;
        }
    }
}

/// Mostly the call that knows a cell is near.
const NEAR: usize = 16;

/// The deepest activation below `frame` that is at least as old as `id`: step by step at first, then galloping down, then
/// bisecting.
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
            // The bottom is found by its id; steps must not pass it.
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
