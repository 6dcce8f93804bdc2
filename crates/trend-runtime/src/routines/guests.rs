//! Threads that begin when there is no room for another shadow or another stack. They run through the hooks like all
//! threads, but nothing of them is recorded.
//!
//! ```text
//!   one stack's address space │ bottom │ window │ window │ window …       a thread has its own window of frames
//! ```
//!
//! They share a shadow, and tables that keep nothing. A window has room for several hundred frames. A call that is
//! nested more deeply takes the place of its caller.

use core::mem::size_of;

use super::state::Thread;
use crate::layout::record::Frame;
use crate::memory::first_reads::STACK;
use crate::memory::shadow::Blocks;
use crate::memory::watch;
use crate::system;
use crate::system::reserved::in_memory;

/// Size of a window in bytes.
const WINDOW: usize = 1 << 16;
const WINDOWS: usize = STACK / WINDOW;
/// Last window. All further threads share it; the values that they write there are never used.
const LAST: usize = WINDOWS - 1;
/// Slot of all guests.
const SLOT: u32 = u32::MAX;

pub(crate) struct Guests {
    mask: usize,
    bottom: usize,
    tables: usize,
    /// Number of all guests as a writer. `flip` leads from their shadow to the writers' shadow.
    writer: u32,
    flip: usize,
    taken: [u64; WINDOWS / 64],
}

impl Guests {
    pub(crate) const fn new() -> Self {
        Self { mask: 0, bottom: 0, tables: 0, writer: 0, flip: 0, taken: [0; WINDOWS / 64] }
    }

    /// Reserves the address space of a stack, and `tables` bytes. Returns `None` if there is no room.
    pub(crate) fn begin(&mut self, blocks: &mut Blocks, stack: usize, tables: usize) -> Option<()> {
        self.mask = blocks.reserve_shadow(0)?;
        let flags = system::MAP_PRIVATE | system::MAP_ANONYMOUS | system::MAP_NORESERVE;
        self.tables = system::map(0, tables, system::PROT_READ_WRITE, flags, -1, 0)?;
        self.bottom = in_memory(stack, STACK).then_some(stack)?;
        // The first window contains the bottom.
        self.taken[0] = 1;
        (self.flip, self.writer) = watch::new_writer(self.mask);
        if watch::is_watched() {
            // SAFETY: the bottom was just mapped.
            let bottom = unsafe { &mut *(self.bottom as *mut Frame) };
            (bottom.id, bottom.count) = (watch::BOTTOM_ID, self.writer.into());
        }
        Some(())
    }

    /// Gives a thread a window and the shared state.
    pub(crate) fn admit(&mut self, thread: &mut Thread) {
        let free = (0..LAST).find(|window| self.taken[window / 64] & (1 << (window % 64)) == 0);
        let window = free.unwrap_or(LAST);
        self.taken[window / 64] |= 1 << (window % 64);
        let first = self.bottom + window * WINDOW;
        thread.top = first as *mut Frame;
        // The limit is after the last whole frame.
        thread.limit = (first + WINDOW / size_of::<Frame>() * size_of::<Frame>()) as *mut Frame;
        thread.slot = SLOT;
        thread.mask = self.mask;
        thread.tables = self.tables as *mut _;
        (thread.flip, thread.writer) = (self.flip, self.writer);
        if watch::is_watched() {
            thread.last_id = watch::BOTTOM_ID;
            // SAFETY: the frame has memory.
            unsafe { (*thread.top).id = watch::BOTTOM_ID };
        }
    }

    /// Frees all windows except the window of the calling thread, in a forked child: the other threads do not exist
    /// there.
    pub(crate) fn forget_others(&mut self, own: Option<&Thread>) {
        let own = own.filter(|thread| is_guest(thread));
        let own = own.map(|thread| (window_of(thread.top) as usize - self.bottom) / WINDOW);
        for (number, word) in self.taken.iter_mut().enumerate() {
            let bit = |window: usize| if window / 64 == number { 1 << (window % 64) } else { 0 };
            let kept = bit(0) | own.map_or(0, bit);
            // Writing would copy the parent's page.
            if *word != kept {
                *word = kept;
            }
        }
    }

    /// Frees the window that begins at `first`, since its thread has ended.
    pub(crate) fn leave(&mut self, first: *mut Frame) {
        let window = (first as usize - self.bottom) / WINDOW;
        self.taken[window / 64] &= !(1 << (window % 64));
    }
}

/// Returns true if a thread is a guest.
pub(crate) fn is_guest(thread: &Thread) -> bool {
    thread.slot == SLOT
}

/// Returns the first frame of the window that contains a frame. It stands for the caller of the first activation.
pub(crate) fn window_of(frame: *mut Frame) -> *mut Frame {
    (frame as usize & !(WINDOW - 1)) as *mut Frame
}
