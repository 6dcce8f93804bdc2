//! What becomes of running activations where a process is forked: the child goes on in a record of its own.

use core::mem::size_of;

use super::{PROCESS, SEGMENT};
use crate::contexts;
use crate::descriptors::Descriptor;
use crate::file::{RECORD, Record};
use crate::record::{Frame, NO_CALLER, Segment, Table};
use crate::system;
use crate::tables;
use crate::thread::Thread;
use crate::watch;

/// Before a fork: nobody is in the middle of anything, so that the child finds all in order.
pub(super) unsafe extern "C" fn before() {
    let signals = system::block_signals();
    PROCESS.hold();
    RECORD.hold();
    // SAFETY: the lock is held.
    unsafe { PROCESS.value().signals = signals };
}

pub(super) unsafe extern "C" fn after() {
    // SAFETY: the lock is held since [`before`].
    let signals = unsafe { PROCESS.value().signals };
    RECORD.release();
    PROCESS.release();
    system::restore_signals(&signals);
}

fn each_table(record: &Record, each: impl Fn(*mut Table)) {
    let mut next = record.header().tables;
    while next != 0 {
        let table = record.at::<Table>(next);
        each(table);
        // SAFETY: tables are linked by offsets in the file.
        next = unsafe { (*table).next };
    }
}

/// In a child: goes on in a file of its own, without what the parent recorded and will record.
pub(super) unsafe extern "C" fn in_child() {
    // SAFETY: both locks are held since [`before`].
    let (process, record) = unsafe { (PROCESS.value(), RECORD.value()) };
    record.separate();
    let mut next = record.header().segments;
    while next != 0 {
        // SAFETY: segments are linked by offsets in the file.
        let segment = unsafe { *record.at::<Segment>(next) };
        let bottom = process.slots[segment.slot as usize].bottom;
        record.map_again(bottom + segment.index as usize * SEGMENT, segment.frames, SEGMENT as u64);
        next = segment.next;
    }
    each_table(record, tables::forget);
    record.forget_externals();
    // SAFETY: the key has the thread's state, or nothing.
    let own = unsafe { system::pthread_getspecific(process.key).cast::<Thread>().as_ref() };
    let own_slot = own.map(|thread| thread.slot as usize);
    process.guests.forget_others(own);
    for (number, slot) in process.slots[..process.used].iter_mut().enumerate() {
        let is_own = own_slot == Some(number);
        slot.is_taken = is_own;
        if !is_own {
            watch::leave(number);
        }
        let frames = (slot.limit - slot.bottom) / size_of::<Frame>();
        // SAFETY: so many frames have memory.
        let frames = unsafe { core::slice::from_raw_parts_mut(slot.bottom as *mut Frame, frames) };
        let mut caller = NO_CALLER;
        for frame in frames.iter_mut().skip(1).take_while(|frame| frame.id != 0) {
            // Ids go on growing in whoever gets the slot.
            slot.last_id = slot.last_id.max(frame.id);
            frame.routine = 0;
            let table = if Descriptor::has_contexts(process.config) && is_own {
                // SAFETY: frames have tables, and all of these were forgotten.
                unsafe { contexts::inherited(record, frame.table as *mut Table, caller) }
            } else {
                tables::sink()
            };
            caller = table as u64;
            frame.table = caller;
            if !is_own {
                frame.id = 0;
            }
        }
    }
    // SAFETY: no activation of this process runs.
    each_table(record, |table| unsafe { (*table).depth = 0 });
    // SAFETY: as for the parent.
    unsafe { after() };
}
