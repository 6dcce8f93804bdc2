//! Handles running activations when a process is forked: the child continues in its own record.
//!
//! ```text
//!   before      parent: all locks are held; the forking thread's frames are copied
//!   in_child    child: the copy replaces the frames, which the parent shares; all tables are forgotten
//!   slow_enter  child: its record begins with its first call, and its frames move there (`adopt`)
//! ```
//!
//! The parent continues as soon as the system has forked, and writes to the shared memory. So a child reads nothing
//! there that can change.

use core::mem::size_of;

use super::paths;
use super::process::{PROCESS, Process, SEGMENT, Slot, TABLES};
use super::state::Thread;
use super::tables;
use crate::file::{OwnRecord, RECORD};
use crate::layout::descriptor::Descriptor;
use crate::layout::record::{Frame, PAGE};
use crate::memory::watch;
use crate::system;
use crate::system::reserved::{in_memory, in_memory_with};

/// Number of calls for which a child has room, besides those that it inherits.
const CALLS: usize = 16;

/// Takes all locks before a fork, so that the child finds all state consistent.
pub(crate) unsafe extern "C" fn before() {
    let signals = system::block_signals();
    PROCESS.hold();
    RECORD.hold();
    // SAFETY: the locks are held.
    let (process, record) = unsafe { (PROCESS.value(), RECORD.value()) };
    process.signals = signals;
    process.snapshot.frames = 0;
    record.before_fork();
    // SAFETY: the lock is held, and frames up to the top belong to the calling thread.
    unsafe {
        if let Some(thread) = process.calling_thread() {
            let bottom = process.slots[thread.slot as usize].bottom as *const Frame;
            let count = thread.top.cast_const().offset_from(bottom) as usize + 1;
            process.snapshot.take(core::slice::from_raw_parts(bottom, count));
        }
    }
}

pub(crate) unsafe extern "C" fn after() {
    // SAFETY: the lock is held since [`before`].
    let signals = unsafe { PROCESS.value().signals };
    RECORD.release();
    PROCESS.release();
    system::restore_signals(&signals);
}

/// Leaves the record to the parent, in a child, and clears everything that refers to it.
pub(crate) unsafe extern "C" fn in_child() {
    // SAFETY: both locks are held since [`before`].
    let (process, record) = unsafe { (PROCESS.value(), RECORD.value()) };
    let is_shared = record.has_file();
    record.leave_to_parent();
    // SAFETY: the lock is held.
    let own = unsafe { process.calling_thread() };
    let own_slot = own.map(|thread| thread.slot as usize);
    // SAFETY: the key has the thread's state, or nothing.
    process
        .guests
        .forget_others(unsafe { system::pthread_getspecific(process.key).cast::<Thread>().as_ref() });
    for number in 0..process.used {
        let slot = &mut process.slots[number];
        if own_slot != Some(number) {
            // The slot's shadow has ids of activations that this process does not know.
            slot.is_stale |= slot.is_taken;
            slot.is_taken = false;
            watch::leave(number);
        }
        if is_shared {
            // SAFETY: the runtime owns the memory.
            unsafe { system::madvise(slot.tables as *mut _, TABLES, system::MADV_DONTNEED) };
            slot.segments = 0;
            if own_slot != Some(number) {
                slot.limit = slot.bottom;
            }
        }
    }
    if is_shared {
        process.names.forget();
        paths::forget();
        process.inherited = own_slot;
        if let Some(slot) = own_slot {
            process.restore_frames(slot);
        }
    } else if process.inherited != own_slot {
        process.inherited = None;
    }
    // SAFETY: as for the parent.
    unsafe { after() };
}

impl Process {
    /// Replaces the frames of a slot, which the parent has as well, by the copy made before the fork. Their activations
    /// belong to the parent.
    fn restore_frames(&mut self, slot: usize) {
        let Slot { bottom, limit, .. } = self.slots[slot];
        if !in_memory(bottom, (limit - bottom).next_multiple_of(PAGE)) {
            system::fail(b"trend-prof: no memory is left in a forked process\n");
        }
        for (index, frame) in self.snapshot.frames().iter().enumerate() {
            let table = if index == 0 { 0 } else { tables::sink() as u64 };
            // SAFETY: the memory of the frames was just mapped.
            unsafe { *(bottom as *mut Frame).add(index) = Frame { table, ..*frame } };
        }
    }

    /// Moves the frames that the calling thread inherited into the record of this process.
    pub(super) fn adopt(&mut self, record: &mut OwnRecord, thread: &mut Thread) {
        self.inherited = None;
        let slot = thread.slot as usize;
        let bottom = self.slots[slot].bottom as *mut Frame;
        // SAFETY: the frames up to the top belong to the thread. The first frame is not an activation.
        let frames = unsafe {
            let count = thread.top.cast_const().offset_from(bottom) as usize;
            core::slice::from_raw_parts_mut(bottom.add(1), count)
        };
        if Descriptor::has_contexts(self.config) {
            for frame in frames.iter().filter(|frame| frame.routine != 0) {
                // SAFETY: the routine is running.
                unsafe { self.names.name_again(record, frame.routine) };
            }
            // SAFETY: the thread has no tables yet.
            unsafe { paths::inherit(record, thread, frames) };
        }
        for frame in frames.iter_mut() {
            frame.routine = 0;
        }
        if record.has_file() {
            let length = match (frames.len() + 1 + CALLS) * size_of::<Frame>() {
                length if length > SEGMENT => length.next_multiple_of(SEGMENT),
                length => length,
            };
            let former = self.slots[slot].limit;
            self.slots[slot].limit = thread.top as usize + size_of::<Frame>();
            let kept = self.slots[slot].limit - bottom as usize;
            let limit = self.move_frames(record, slot, length, kept).unwrap_or_else(|| {
                // Some of their pages may already be in the record, which continues without them.
                if !in_memory_with(bottom as usize, former - bottom as usize, kept) {
                    system::fail(b"trend-prof: no memory is left in a forked process\n");
                }
                former
            });
            self.slots[slot].limit = limit;
            thread.limit = limit as *mut Frame;
        }
    }
}
