//! A copy of the frames of a thread that forks.

use super::tables;
use crate::layout::record::{Frame, PAGE, Table};
use crate::system;

/// Frames of a thread that forks, from the bottom up. Their routines are taken from their tables.
pub(super) struct Snapshot {
    address: usize,
    /// Number of bytes that have memory.
    room: usize,
    pub(super) frames: usize,
}

impl Snapshot {
    pub(super) const fn new() -> Self {
        Self { address: 0, room: 0, frames: 0 }
    }

    pub(super) fn frames(&self) -> &[Frame] {
        if self.frames == 0 {
            return &[];
        }
        // SAFETY: this many frames were written.
        unsafe { core::slice::from_raw_parts(self.address as *const Frame, self.frames) }
    }

    /// Copies frames of the calling thread.
    pub(super) fn take(&mut self, frames: &[Frame]) {
        let bytes = size_of_val(frames);
        if bytes > self.room {
            let room = bytes.next_power_of_two().max(PAGE);
            let flags = system::MAP_PRIVATE | system::MAP_ANONYMOUS | system::MAP_NORESERVE;
            let Some(address) = system::map(0, room, system::PROT_READ_WRITE, flags, -1, 0) else {
                system::fail(b"trend-prof: no memory is left to fork with\n");
            };
            if self.room > 0 {
                // SAFETY: the runtime owns the memory.
                unsafe { system::madvise(self.address as *mut _, self.room, system::MADV_DONTNEED) };
            }
            (self.address, self.room) = (address, room);
        }
        for (index, frame) in frames.iter().enumerate() {
            let table = frame.table as *const Table;
            let routine = match table {
                _ if table.is_null() => 0,
                _ if core::ptr::eq(table, tables::sink()) => frame.routine,
                // SAFETY: frames have tables.
                _ => unsafe { (*table).routine },
            };
            // SAFETY: there is room for all of them.
            unsafe { *(self.address as *mut Frame).add(index) = Frame { routine, ..*frame } };
        }
        self.frames = frames.len();
    }
}
