//! State of all threads of the process: gives each thread a slot, with a stack of frames, a shadow and tables.

use core::mem::size_of;

use super::descriptors::Names;
use super::guests::{self, Guests};
use super::paths::{self, paths_of};
use super::snapshot::Snapshot;
use super::state::{ROUTINES, Thread};
use super::tables;
use crate::file::{OwnRecord, RECORD};
use crate::layout::descriptor::Descriptor;
use crate::layout::record::{Frame, NO_CALLER, PAGE, Table, flag};
use crate::memory::first_reads::STACK;
use crate::memory::shadow::{BLOCK_BITS, BLOCKS, Blocks, Shadow};
use crate::memory::watch::{self, SLOTS};
use crate::system;
use crate::system::lock::Lock;
use crate::system::reserved::{in_memory, in_memory_with};

pub(super) const BLOCK: usize = 1 << BLOCK_BITS;
/// Number of blocks that the shadows of threads leave to the program and to stacks: 16 TB.
const SPARE: usize = BLOCKS / 8;
/// Size of a segment of frames in bytes: whole pages with whole frames.
pub(super) const SEGMENT: usize = 1024 * size_of::<Frame>();
/// Size of the first frames of a stack in bytes: most threads and forked processes need no more.
const FIRST_FRAMES: usize = PAGE;
/// Size of a thread's list of tables in bytes. The paths of its contexts follow it.
pub(super) const TABLES: usize = (ROUTINES + 1) * size_of::<*mut Table>();

/// State that a thread leaves to the next one.
#[derive(Clone, Copy)]
pub(super) struct Slot {
    pub(super) is_taken: bool,
    /// True if the shadow has ids of a thread that a fork left behind.
    pub(super) is_stale: bool,
    pub(super) bottom: usize,
    pub(super) limit: usize,
    /// Number of segments of frames.
    pub(super) segments: u32,
    pub(super) last_id: u32,
    pub(super) mask: usize,
    pub(super) tables: usize,
}

impl Slot {
    const fn new(bottom: usize, mask: usize, tables: usize) -> Self {
        Self {
            is_taken: false,
            is_stale: false,
            bottom,
            limit: bottom,
            segments: 0,
            last_id: 0,
            mask,
            tables,
        }
    }
}

/// State of all threads. The fields that a forked process writes come first.
#[repr(C)]
pub(super) struct Process {
    /// Slot of the thread that forked this process, until its frames are in the record.
    pub(super) inherited: Option<usize>,
    /// Signals that were blocked before a fork.
    pub(super) signals: [u64; 16],
    pub(super) snapshot: Snapshot,
    pub(super) config: u32,
    pub(super) key: u32,
    pub(super) names: Names,
    /// Start of the next stack, and end of the room for stacks.
    pub(super) stacks: [usize; 2],
    /// Number of slots that were ever used.
    pub(super) used: usize,
    pub(super) slots: [Slot; SLOTS],
    /// State shared by the threads that are not watched.
    pub(super) guests: Guests,
    pub(super) blocks: Blocks,
}

pub(super) static PROCESS: Lock<Process> = Lock::new(Process {
    inherited: None,
    signals: [0; 16],
    snapshot: Snapshot::new(),
    config: 0,
    key: 0,
    names: Names::new(),
    stacks: [0; 2],
    used: 0,
    slots: [Slot::new(0, 0, 0); SLOTS],
    guests: Guests::new(),
    blocks: Blocks::new(),
});

impl Process {
    /// Returns the calling thread if it has a slot.
    ///
    /// # Safety
    /// The caller must hold the lock.
    pub(super) unsafe fn calling_thread(&self) -> Option<&'static Thread> {
        // SAFETY: the key has the thread's state, or nothing.
        let thread = unsafe { system::pthread_getspecific(self.key).cast::<Thread>().as_ref() };
        thread.filter(|thread| !guests::is_guest(thread))
    }

    pub(super) fn shadow(&self, mask: usize) -> Shadow {
        Shadow { mask, cell_shift: Descriptor::cell_shift(self.config) }
    }

    /// Gives a thread the state of a slot, or makes it a guest. The pointer is kept until the thread ends, so it must
    /// be the pointer that the hooks use.
    ///
    /// # Safety
    /// The state must belong to the calling thread.
    pub(super) unsafe fn admit(&mut self, record: &mut OwnRecord, thread: *mut Thread) {
        // SAFETY: the key exists, and the caller guarantees the rest.
        let thread = unsafe {
            system::pthread_setspecific(self.key, thread.cast());
            &mut *thread
        };
        let free = (0..self.used).find(|slot| !self.slots[*slot].is_taken);
        let slot = free.or_else(|| self.open_slot());
        let Some(slot) = slot.filter(|slot| self.has_frames(record, *slot)) else {
            if self.used == 0 {
                no_address_space();
            }
            record.header().flags |= flag::UNWATCHED_THREADS;
            self.guests.admit(thread);
            return;
        };
        if core::mem::take(&mut self.slots[slot].is_stale) {
            self.forget_shadow(slot);
        }
        let kept = &mut self.slots[slot];
        kept.is_taken = true;
        thread.top = kept.bottom as *mut Frame;
        thread.limit = kept.limit as *mut Frame;
        thread.last_id = kept.last_id;
        thread.slot = slot as u32;
        thread.mask = kept.mask;
        thread.tables = kept.tables as *mut *mut Table;
        (thread.flip, thread.writer) = watch::admit(slot, kept.mask);
        if watch::is_watched() {
            // Ids of earlier threads in this slot must be at most the bottom's id.
            thread.last_id = (thread.last_id + 1).max(watch::BOTTOM_ID);
            // SAFETY: the frame has memory.
            let bottom = unsafe { &mut *thread.top };
            (bottom.id, bottom.count) = (thread.last_id, thread.writer.into());
        }
    }

    /// Takes address space for a stack of frames.
    pub(super) fn take_stack(&mut self) -> Option<usize> {
        if self.stacks[0] == self.stacks[1] {
            let block = self.blocks.reserve_block()?;
            self.stacks = [block, block + BLOCK];
        }
        self.stacks[0] += STACK;
        Some(self.stacks[0] - STACK)
    }

    pub(super) fn open_slot(&mut self) -> Option<usize> {
        if self.used == SLOTS {
            return None;
        }
        // The shadow is by far the largest part. If there is no room for it, the thread must not reserve the rest.
        let mask = self.blocks.reserve_shadow(SPARE)?;
        let bottom = self.take_stack()?;
        let flags = system::MAP_PRIVATE | system::MAP_ANONYMOUS | system::MAP_NORESERVE;
        let tables = system::map(0, TABLES, system::PROT_READ_WRITE, flags, -1, 0)?;
        self.slots[self.used] = Slot::new(bottom, mask, tables);
        self.used += 1;
        Some(self.used - 1)
    }

    /// Makes room for the first frames of a slot if it has none. Returns false if there is no memory.
    pub(super) fn has_frames(&mut self, record: &mut OwnRecord, slot: usize) -> bool {
        self.slots[slot].limit > self.slots[slot].bottom || self.grow_stack(record, slot).is_some()
    }

    /// Makes all memory look as if the thread of a slot had not accessed it.
    pub(super) fn forget_shadow(&mut self, slot: usize) {
        self.blocks.each_shadow(self.slots[slot].mask, |start, end| {
            // SAFETY: the range is part of a shadow.
            unsafe { system::madvise(start as *mut _, end - start, system::MADV_DONTNEED) };
        });
        self.slots[slot].last_id = 0;
    }

    /// Returns the table of a routine that the running activation of a thread calls.
    pub(super) fn table(&self, record: &mut OwnRecord, thread: &Thread, index: u32) -> *mut Table {
        if guests::is_guest(thread) {
            tables::sink()
        } else if Descriptor::has_contexts(self.config) {
            // SAFETY: the top is a frame of the calling thread.
            unsafe { paths::context_table(record, paths_of(thread), thread.slot, (*thread.top).table, index) }
        } else {
            let capacity = if record.is_forked() { tables::SMALL_CAPACITY } else { tables::FIRST_CAPACITY };
            tables::create(record, index, thread.slot, NO_CALLER, capacity)
        }
    }

    /// Makes room for more frames. Returns the new limit, or `None` if there is no memory.
    pub(super) fn grow_stack(&mut self, record: &mut OwnRecord, slot: usize) -> Option<usize> {
        let Slot { bottom, limit, segments, .. } = self.slots[slot];
        // If the first segment is shorter than others, it is extended to a whole one; in a forked process, step by
        // step.
        let kept = if segments == 0 { limit - bottom } else { (limit - bottom) % SEGMENT };
        let length = match (kept + 1).next_multiple_of(SEGMENT) {
            SEGMENT if kept > 0 && record.is_forked() => SEGMENT.min(4 * kept),
            length => length,
        };
        if limit - kept + length > bottom + STACK {
            return None;
        }
        let is_first = limit == bottom && record.has_file();
        let length = if is_first { FIRST_FRAMES } else { length };
        if (kept == 0 || record.has_file())
            && let Some(limit) = self.move_frames(record, slot, length, kept)
        {
            return Some(limit);
        }
        // On a full disk, frames are only in memory. If the process is killed, their activations are lost.
        let (start, end) = (limit.next_multiple_of(PAGE), limit - kept + SEGMENT.max(length));
        let is_done = if kept > 0 && segments > 0 && record.is_forked() {
            // The last page of the frames also holds other parts of the record.
            let is_done = in_memory_with(limit - kept, end - (limit - kept), kept);
            if is_done {
                record.empty_segment(slot as u32, segments - 1);
            }
            is_done
        } else {
            in_memory(start, end - start)
        };
        if !is_done {
            return None;
        }
        self.slots[slot].segments += 1;
        self.slots[slot].limit = end;
        Some(end)
    }

    /// Gives a slot a segment of `length` bytes of frames, which begins with the `kept` bytes before its limit. Returns
    /// the new limit, or `None` if the disk is full or there is no memory.
    pub(super) fn move_frames(
        &mut self,
        record: &mut OwnRecord,
        slot: usize,
        length: usize,
        kept: usize,
    ) -> Option<usize> {
        let Slot { limit, segments, .. } = self.slots[slot];
        let start = limit - kept;
        let frames = record.allocate_at(start, length as u64, kept)?;
        let count = length / size_of::<Frame>();
        let is_longer = kept > 0 && segments > 0;
        if is_longer {
            record.lengthen_segment(slot as u32, segments - 1, frames, count as u64);
        } else if frames != 0 {
            record.add_segment(slot as u32, segments, frames, count as u64);
        }
        let slot = &mut self.slots[slot];
        slot.segments += u32::from(!is_longer);
        slot.limit = start + count * size_of::<Frame>();
        Some(slot.limit)
    }
}

/// Returns true if the process records routines.
#[cfg(trend_staticlib)]
pub(crate) fn has_begun() -> bool {
    RECORD.lock().is_begun()
}

/// Returns the table of a routine that the running activation of a thread calls from a new context.
pub(crate) fn make_context(thread: &Thread, index: u32) -> *mut Table {
    let process = PROCESS.lock();
    process.table(&mut RECORD.lock_within(&process), thread, index)
}

pub(super) fn no_address_space() -> ! {
    system::fail(
        b"trend-prof: a probed program needs terabytes of address space (no memory): run it without `ulimit -v`, and with \
          vm.overcommit_memory other than 2\n",
    )
}
