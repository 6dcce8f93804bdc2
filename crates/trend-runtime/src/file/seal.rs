//! Ends a record with checks of its pages, if nothing more is written to it.
//!
//! ```text
//!   seal     the checks, and then the flag: a process that is killed before has a record without a seal
//!   detach   the same pages are mapped again, as memory of this process: destructors that run later are probed, too
//! ```

use core::mem::{offset_of, size_of};
use core::sync::atomic::{Ordering, fence};

use super::OwnRecord;
use super::own_file::{OwnFile, PAGE};
use crate::layout::record::{self, Frame, Header, Segment, check, flag};
use crate::system;

impl OwnRecord {
    /// Ends the record with checks of its pages, if it has a file that is complete. Afterwards the process
    /// writes to private memory, and the file does not change.
    ///
    /// No other thread may write to the record. `bottom_of` returns the address of the first frame of a slot.
    pub(crate) fn seal(&mut self, bottom_of: impl Fn(u32) -> usize) {
        const CUT_OFF: u32 = flag::DISK_FULL | flag::UNWATCHED_THREADS;
        if !self.is_begun() || self.has_no_record || self.file.is_none() {
            return;
        }
        let at = self.header().used.next_multiple_of(8);
        let pages = at.div_ceil(PAGE);
        let end = at + 8 * (pages + 2);
        if self.header().flags & CUT_OFF != 0 || (end > self.mapped && !self.grow(end)) {
            return;
        }
        self.header().used = end;
        // The process can be killed at any moment, so the flag is set when the seal is complete.
        let flags = self.header().flags | flag::SEALED;
        // SAFETY: the file is mapped up to the end of the seal, and nobody else refers to it.
        let (checked, seal) = unsafe {
            let checked = core::slice::from_raw_parts(self.at::<u8>(0), at as usize);
            (checked, core::slice::from_raw_parts_mut(self.at::<u64>(at), pages as usize + 2))
        };
        let (checks, last) = seal.split_at_mut(pages as usize);
        for (of_page, page) in checks.iter_mut().zip(checked.chunks(record::PAGE)).skip(1) {
            *of_page = check(page);
        }
        checks[0] = self.check_of_header(&checked[..checked.len().min(record::PAGE)], flags);
        last[0] = pages;
        // SAFETY: the bytes before the last word are initialised.
        seal[pages as usize + 1] =
            check(unsafe { core::slice::from_raw_parts(seal.as_ptr().cast(), 8 * (pages as usize + 1)) });
        fence(Ordering::Release);
        self.header().flags = flags;
        if self.detach(bottom_of) {
            let pool = self.pool.take().map(|pool| pool.file);
            self.file.take().into_iter().chain(pool).for_each(OwnFile::close);
        } else {
            (self.header().flags, self.header().used) = (flags & !flag::SEALED, at);
        }
    }

    /// Keeps later writes out of the file. The header comes last, so that it can still be written if this fails.
    fn detach(&mut self, bottom_of: impl Fn(u32) -> usize) -> bool {
        let size = |frames: u64| frames as usize * size_of::<Frame>();
        let mut next = self.header().segments;
        while next != 0 {
            // SAFETY: segments are linked by offsets in the file.
            let segment = unsafe { *self.at::<Segment>(next) };
            let below =
                self.segments().filter(|other| other.slot == segment.slot && other.index < segment.index);
            let address = bottom_of(segment.slot) + below.map(|other| size(other.length)).sum::<usize>();
            let length = (size(segment.length) as u64).next_multiple_of(PAGE);
            if !self.map_as(system::MAP_PRIVATE, address, segment.frames, length) {
                return false;
            }
            next = segment.next;
        }
        self.map_as(system::MAP_PRIVATE, self.window, 0, self.mapped)
    }

    /// Returns the segments of all threads' frames.
    fn segments(&self) -> impl Iterator<Item = Segment> {
        let mut next = self.header().segments;
        core::iter::from_fn(move || {
            // SAFETY: segments are linked by offsets in the file.
            let segment = (next != 0).then(|| unsafe { *self.at::<Segment>(next) })?;
            next = segment.next;
            Some(segment)
        })
    }

    /// Returns the check that the first page has with these flags.
    // Kept out of line, so that the page is on the stack for a short time only.
    #[inline(never)]
    fn check_of_header(&self, page: &[u8], flags: u32) -> u64 {
        let mut copy = [0; record::PAGE];
        let copy = &mut copy[..page.len()];
        copy.copy_from_slice(page);
        let at = offset_of!(Header, flags);
        copy[at..at + 4].copy_from_slice(&flags.to_ne_bytes());
        check(copy)
    }
}
