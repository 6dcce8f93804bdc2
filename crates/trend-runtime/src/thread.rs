//! State of threads that run routines: each receives it at its first routine, and leaves it to the next thread.
//!
//! ```text
//!   first routine ─▶ admit ─▶ a slot: stack of frames, shadow, tables        end of the thread ─▶ the slot is free
//!                         └─▶ if none is left: the shared state of `guests`
//! ```

use core::ffi::c_void;
use core::mem::size_of;

use crate::activations::{bottom_of, end, leave};
use crate::contexts::{self, Paths};
use crate::descriptors::{Descriptor, Names, ROUTINES};
use crate::file::{LARGEST, PAGE, RECORD, Record};
use crate::guests::{self, Guests};
use crate::lock::Lock;
use crate::record::{Frame, NO_CALLER, Table, flag};
use crate::renumber;
use crate::shadow::{BLOCK_BITS, BLOCKS, Blocks, Shadow};
use crate::system;
use crate::tables;
use crate::watch;

#[path = "fork.rs"]
pub(crate) mod fork;

/// Maximum number of threads that can be watched at a time.
pub(crate) const SLOTS: usize = 4096;
/// Address space of a stack of frames in bytes. The stack is aligned to its size, by which the hooks find its bottom.
pub const STACK: usize = 1 << 32;
const BLOCK: usize = 1 << BLOCK_BITS;
/// Number of blocks that the shadows of threads leave to the program and to stacks: 16 TB.
const SPARE: usize = BLOCKS / 8;
/// Size of a segment of frames in bytes: whole pages with whole frames.
const SEGMENT: usize = 1024 * size_of::<Frame>();
/// Size of the first frames of a stack in bytes: most threads and forked processes need no more.
const FIRST_FRAMES: usize = PAGE as usize;
/// Size of a thread's list of tables in bytes. The paths of its contexts follow it.
const TABLES: usize = (ROUTINES + 1) * size_of::<*mut Table>();
/// Id from which the activations of a thread are renumbered.
pub const LAST_ID: u32 = u32::MAX - 16;
/// Id from which they are renumbered if marks take some bits of ids.
pub const LAST_ID_WATCHED: u32 = (1 << 30) - 17;

/// State of a thread in the program's thread-local memory, where the hooks find it. All zero before its first routine.
#[repr(C)]
pub struct Thread {
    /// Frame of the running activation.
    pub top: *mut Frame,
    /// First frame that has no memory yet.
    pub limit: *mut Frame,
    /// Last id that was assigned.
    pub last_id: u32,
    /// Index of the thread's slot.
    pub slot: u32,
    /// Mask of the thread's [`Shadow`].
    pub mask: usize,
    /// Tables by the routine's index; null before the routine's first activation.
    pub tables: *mut *mut Table,
    /// XOR of the thread's mask and the mask of the writers' shadow.
    pub flip: usize,
    /// Number of the thread as a writer.
    pub writer: u32,
    /// Time up to which costs are charged, if costs are nanoseconds.
    pub clock: u64,
}

/// State that a thread leaves to the next one.
#[derive(Clone, Copy)]
struct Slot {
    is_taken: bool,
    /// True if the shadow has ids of a thread that a fork left behind.
    is_stale: bool,
    bottom: usize,
    limit: usize,
    /// Number of segments of frames.
    segments: u32,
    last_id: u32,
    mask: usize,
    tables: usize,
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
struct Process {
    /// Slot of the thread that forked this process, until its frames are in the record.
    inherited: Option<usize>,
    /// Signals that were blocked before a fork.
    signals: [u64; 16],
    snapshot: fork::Snapshot,
    config: u32,
    key: u32,
    names: Names,
    /// Start of the next stack, and end of the room for stacks.
    stacks: [usize; 2],
    /// Number of slots that were ever used.
    used: usize,
    slots: [Slot; SLOTS],
    /// State shared by the threads that are not watched.
    guests: Guests,
    blocks: Blocks,
}

static PROCESS: Lock<Process> = Lock::new(Process {
    inherited: None,
    signals: [0; 16],
    snapshot: fork::Snapshot::new(),
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
    // Kept out of line, so that its buffers are not on the stack of every handler that calls a new routine.
    #[cold]
    #[inline(never)]
    fn begin(&mut self, record: &mut Record, config: u32) {
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

    fn shadow(&self, mask: usize) -> Shadow {
        Shadow { mask, cell_shift: Descriptor::cell_shift(self.config) }
    }

    /// Gives a thread the state of a slot, or makes it a guest. Its pointer is kept until the thread ends, so it must be
    /// the one of the hooks.
    ///
    /// # Safety
    /// The state must belong to the calling thread.
    unsafe fn admit(&mut self, record: &mut Record, thread: *mut Thread) {
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
    fn take_stack(&mut self) -> Option<usize> {
        if self.stacks[0] == self.stacks[1] {
            let block = self.blocks.reserve_block()?;
            self.stacks = [block, block + BLOCK];
        }
        self.stacks[0] += STACK;
        Some(self.stacks[0] - STACK)
    }

    fn open_slot(&mut self) -> Option<usize> {
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
    fn has_frames(&mut self, record: &mut Record, slot: usize) -> bool {
        self.slots[slot].limit > self.slots[slot].bottom || self.grow_stack(record, slot).is_some()
    }

    /// Makes all memory look as if the thread of a slot had not accessed it.
    fn forget_shadow(&mut self, slot: usize) {
        self.blocks.each_shadow(self.slots[slot].mask, |start, end| {
            // SAFETY: the range is part of a shadow.
            unsafe { system::madvise(start as *mut _, end - start, system::MADV_DONTNEED) };
        });
        self.slots[slot].last_id = 0;
    }

    /// Returns the table of a routine that the running activation of a thread calls.
    fn table(&self, record: &mut Record, thread: &Thread, index: u32) -> *mut Table {
        if guests::is_guest(thread) {
            tables::sink()
        } else if Descriptor::has_contexts(self.config) {
            // SAFETY: the top is a frame of the calling thread.
            unsafe { contexts::of(record, paths_of(thread), thread.slot, (*thread.top).table, index) }
        } else {
            let capacity = if record.is_forked() { tables::SMALL_CAPACITY } else { tables::FIRST_CAPACITY };
            tables::create(record, index, thread.slot, NO_CALLER, capacity)
        }
    }

    /// Makes room for more frames. Returns the new limit, or `None` if there is no memory.
    fn grow_stack(&mut self, record: &mut Record, slot: usize) -> Option<usize> {
        let Slot { bottom, limit, segments, .. } = self.slots[slot];
        // If the first segment is shorter than others, it is extended to a whole one; in a forked process, step by step.
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
        let (start, end) = (limit.next_multiple_of(PAGE as usize), limit - kept + SEGMENT.max(length));
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

    /// Seals the record, unless other threads may still write to it.
    #[cfg(trend_staticlib)]
    fn seal(&mut self, record: &mut Record) {
        // SAFETY: the lock is held.
        let own = unsafe { self.calling_thread() }.map(|thread| thread.slot as usize);
        let slots = &self.slots[..self.used];
        if slots.iter().enumerate().all(|(number, slot)| !slot.is_taken || own == Some(number)) {
            record.seal(|slot| slots[slot as usize].bottom);
        }
    }

    /// Gives a slot a segment of `length` bytes of frames, which begins with the `kept` bytes before its limit. Returns
    /// the new limit, or `None` if the disk is full or there is no memory.
    fn move_frames(&mut self, record: &mut Record, slot: usize, length: usize, kept: usize) -> Option<usize> {
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

/// Returns the location of the paths of a thread's contexts.
pub(crate) fn paths_of(thread: &Thread) -> *mut *mut Paths {
    // SAFETY: [`TABLES`] has room for them.
    unsafe { thread.tables.add(ROUTINES).cast() }
}

/// Puts memory into address space that is reserved at an address. Returns false if there is no memory.
pub(crate) fn in_memory(at: usize, length: usize) -> bool {
    let flags = system::MAP_PRIVATE | system::MAP_ANONYMOUS | system::MAP_NORESERVE | system::MAP_FIXED;
    system::map(at, length, system::PROT_READ_WRITE, flags, -1, 0).is_some()
}

/// Puts memory into address space, and keeps the first `kept` bytes that are there.
pub(crate) fn in_memory_with(at: usize, length: usize, kept: usize) -> bool {
    let flags = system::MAP_PRIVATE | system::MAP_ANONYMOUS | system::MAP_NORESERVE;
    let Some(copy) = system::map(0, kept, system::PROT_READ_WRITE, flags, -1, 0) else { return false };
    // SAFETY: the bytes have memory, before and after it is exchanged.
    unsafe {
        (copy as *mut u8).copy_from_nonoverlapping(at as *const u8, kept);
        let is_done = in_memory(at, length);
        if is_done {
            (at as *mut u8).copy_from_nonoverlapping(copy as *const u8, kept);
        }
        system::madvise(copy as *mut _, kept, system::MADV_DONTNEED);
        is_done
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

fn no_address_space() -> ! {
    system::fail(
        b"trend-prof: a probed program needs terabytes of address space (no memory): run it without `ulimit -v`, and with \
          vm.overcommit_memory other than 2\n",
    )
}

/// Prepares the call of a routine. Called at its entry if the thread is new, the routine is new to it, or its stack or
/// ids are used up. Afterwards, this is no longer the case.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trend_probe_4_slow_enter(thread: *mut Thread, routine: *const Descriptor) {
    // SAFETY: the hooks pass a descriptor.
    let routine = unsafe { &*routine };
    let mut process = PROCESS.lock();
    let mut record = RECORD.lock_within(&process);
    if !record.is_begun() {
        process.begin(&mut record, routine.config);
    } else if record.is_left() {
        record.begin_forked();
    }
    if routine.config != process.config {
        system::fail(b"trend-prof: parts of this program were built with different options of the probe: build all of them anew\n");
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
    // Destructors that run later begin anew.
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

/// Runs at the end of the process, or when a library that contains the runtime is unloaded: after all other functions of
/// its kind. Threads that end later must not call back into it.
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
