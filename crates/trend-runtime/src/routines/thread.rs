//! Threads that run routines: each receives its state at its first routine, and leaves it to the next thread.
//!
//! ```text
//!   first routine ─▶ admit ─▶ a slot: stack of frames, shadow, tables        end of the thread ─▶ the slot is free
//!                         └─▶ if none is left: the shared state of `guests`
//! ```

use core::ffi::c_void;

use super::ends::{end, leave};
use super::fork;
use super::guests;
use super::process::{BLOCK, PROCESS, Process, TABLES, no_address_space};
use super::renumber;
pub use super::state::{LAST_ID, LAST_ID_WATCHED, Thread};
use crate::file::{LARGEST, OwnRecord, RECORD};
use crate::layout::descriptor::Descriptor;
use crate::layout::record::{Frame, Table, flag};
pub use crate::memory::first_reads::STACK;
use crate::memory::first_reads::bottom_of;
use crate::memory::watch;
use crate::system;

impl Process {
    // Kept out of line, so that its buffers are not on the stack of every handler that calls a new routine.
    #[cold]
    #[inline(never)]
    fn begin(&mut self, record: &mut OwnRecord, config: u32) {
        self.config = config;
        self.blocks.begin(config);
        let arena = self.blocks.reserve_block().unwrap_or_else(|| no_address_space());
        self.stacks = [arena + LARGEST as usize, arena + BLOCK];
        if Descriptor::is_dynamic(config) {
            watch::begin(&mut self.blocks).unwrap_or_else(|| no_address_space());
        }
        record.begin(arena, config);
        self.names.begin().unwrap_or_else(|| no_address_space());
        // A new thread never ends a program, so the state of guests is reserved at the beginning.
        let stack = self.take_stack().unwrap_or_else(|| no_address_space());
        let guests = self.guests.begin(&mut self.blocks, stack, TABLES);
        guests.unwrap_or_else(|| no_address_space());
        // SAFETY: the functions live as long as the program.
        unsafe {
            system::pthread_key_create(&raw mut self.key, Some(thread_ends));
            system::at_fork(fork::before, fork::after, fork::in_child);
        }
    }

    /// Seals the record, unless other threads may still write to it.
    #[cfg(trend_staticlib)]
    fn seal(&mut self, record: &mut OwnRecord) {
        // SAFETY: the lock is held.
        let own = unsafe { self.calling_thread() }.map(|thread| thread.slot as usize);
        let slots = &self.slots[..self.used];
        if slots.iter().enumerate().all(|(number, slot)| !slot.is_taken || own == Some(number)) {
            record.seal(|slot| slots[slot as usize].bottom);
        }
    }
}

/// Prepares the call of a routine: the thread's state, the routine's table in this thread, and room in the thread's
/// stack and ids. Called at the entry of the routine if one of these is missing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trend_probe_4_slow_enter(thread: *mut Thread, routine: *const Descriptor) {
    // SAFETY: the hooks pass a descriptor.
    let routine = unsafe { &*routine };
    let mut process = PROCESS.lock();
    let mut record = RECORD.lock_within(&process);
    if !record.is_begun() {
        process.begin(&mut record, routine.config);
    } else if !record.has_record() {
        record.begin_forked();
    }
    if routine.config != process.config {
        system::fail(b"trend-prof: parts of this program were built with different options of the probe; rebuild all of them\n");
    }
    // SAFETY: the hooks pass the state of the calling thread.
    let thread = unsafe {
        if (*thread).tables.is_null() {
            process.admit(&mut record, thread);
        }
        &mut *thread
    };
    if process.inherited == Some(thread.slot as usize) {
        process.adopt(&mut record, thread);
    }
    let index = process.names.register(&mut record, routine) as usize;
    // SAFETY: there is room for this many routines.
    let table = unsafe { &mut *thread.tables.add(index) };
    // SAFETY: the top is a frame of the thread, and tables are mapped.
    let is_known = unsafe {
        let caller = (*thread.top).table;
        let is_here = |table: &Table| table.depth > 0 || table.parent == caller;
        table.as_ref().is_some_and(|table| !Descriptor::has_contexts(process.config) || is_here(table))
    };
    if !is_known {
        *table = process.table(&mut record, thread, index as u32);
    }
    // SAFETY: only computes the address of the next frame.
    if unsafe { thread.top.add(1) } >= thread.limit {
        let is_guest = guests::is_guest(thread);
        let limit = if is_guest { None } else { process.grow_stack(&mut record, thread.slot as usize) };
        if let Some(limit) = limit {
            thread.limit = limit as *mut Frame;
        } else {
            if !is_guest {
                record.header().flags |= flag::NO_FRAMES;
                record.header().lost += 1;
            }
            // SAFETY: more than one frame of the thread has memory, so the top is not at the bottom.
            unsafe { leave(thread) };
        }
    }
    if thread.last_id >= if watch::is_watched() { LAST_ID_WATCHED } else { LAST_ID } {
        let bottom = first_of(thread);
        // SAFETY: the frames from the bottom to the top belong to the thread.
        thread.last_id =
            unsafe { renumber::renumber(&process.blocks, process.shadow(thread.mask), bottom, thread.top) };
    }
}

/// Returns the bottom of a thread's own frames.
fn first_of(thread: &Thread) -> *mut Frame {
    if guests::is_guest(thread) { guests::window_of(thread.top) } else { bottom_of(thread.top) }
}

/// Ends the activations of a thread that ends, and frees its slot for the next thread.
unsafe extern "C" fn thread_ends(thread: *mut c_void) {
    // SAFETY: `admit` gave the key the address of the thread's state.
    let thread = unsafe { &mut *thread.cast::<Thread>() };
    let bottom = first_of(thread);
    while thread.top > bottom {
        // SAFETY: the top is the frame of an activation.
        unsafe { end(thread) };
    }
    let mut process = PROCESS.lock();
    if guests::is_guest(thread) {
        process.guests.leave(bottom);
    } else {
        let slot = &mut process.slots[thread.slot as usize];
        slot.is_taken = false;
        slot.last_id = thread.last_id;
        watch::leave(thread.slot as usize);
    }
    // Destructors that run later begin again.
    *thread = Thread {
        top: core::ptr::null_mut(),
        limit: core::ptr::null_mut(),
        last_id: 0,
        slot: 0,
        mask: 0,
        tables: core::ptr::null_mut(),
        flip: 0,
        writer: 0,
        clock: 0,
    };
}

/// Runs when the process ends, or when a library that contains the runtime is unloaded, after all other functions in
/// `.fini_array`. Threads that end later must not call the runtime.
#[used]
#[cfg(trend_staticlib)]
#[unsafe(link_section = ".fini_array.00000")]
static AT_UNLOADING: unsafe extern "C" fn() = end_record;

#[cfg(trend_staticlib)]
unsafe extern "C" fn end_record() {
    let mut process = PROCESS.lock();
    if process.used > 0 {
        let mut record = RECORD.lock_within(&process);
        process.seal(&mut record);
        // SAFETY: the key exists once a thread was admitted.
        unsafe { system::pthread_key_delete(process.key) };
    }
}
