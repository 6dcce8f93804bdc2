//! Assigns new ids for a thread that has used up its own.

use crate::layout::record::Frame;
use crate::memory::shadow::{Blocks, Shadow, each_mapping};
use crate::memory::watch;
use crate::system;

/// Renumbers the running activations from 1. Each cell gets the new id of the activation that accessed it last. If that
/// one has ended, the cell gets the id of the innermost running one that encloses it. Returns the last new id.
///
/// # Safety
/// `bottom` to `top` must be the frames of the calling thread, and the shadow must be its own.
#[cold]
#[inline(never)]
pub(crate) unsafe fn renumber(blocks: &Blocks, shadow: Shadow, bottom: *mut Frame, top: *mut Frame) -> u32 {
    // SAFETY: the frames are there.
    let (frames, count) = unsafe {
        let count = top.offset_from(bottom) as usize;
        (core::slice::from_raw_parts_mut(bottom.add(1), count), count)
    };
    let is_watched = watch::is_watched();
    // SAFETY: the same reason as above.
    let last_of_others = unsafe { (*bottom).id };
    each_mapping_and_gap(blocks, shadow, |start, end, is_mapped| {
        if !is_mapped {
            // The next mapping here must not look as if it had been read.
            // SAFETY: the range is part of a shadow.
            unsafe { system::madvise(start as *mut _, end - start, system::MADV_DONTNEED) };
            return;
        }
        let mut at = start as *mut u32;
        while (at as usize) < end {
            // SAFETY: the range is part of a shadow.
            unsafe {
                let id = *at;
                if id != 0 && is_watched {
                    *at = watch::renumbered(id, last_of_others, frames);
                } else if id != 0 {
                    *at = frames.partition_point(|frame| frame.id <= id) as u32;
                }
                at = at.add(1);
            }
        }
    });
    let first = if is_watched { watch::FIRST_ID } else { 1 };
    for (frame, id) in frames.iter_mut().zip(first..) {
        frame.id = id;
    }
    if is_watched {
        // SAFETY: the same reason as above.
        unsafe { (*bottom).id = watch::BOTTOM_ID };
    }
    first - 1 + count as u32
}

/// Calls `each` with the ranges of shadows of mapped memory, and of the gaps between.
fn each_mapping_and_gap(blocks: &Blocks, shadow: Shadow, mut each: impl FnMut(usize, usize, bool)) {
    blocks.each_shadow(shadow.mask, |start, end| {
        let mut gap = start;
        each_mapping(|from, to| {
            blocks.each_program_part(from, to, |from, length| {
                // Within a page, the mask permutes cells.
                let low = shadow.id_at(from) as usize & !0xfff;
                let (from, to) = (low.max(start), (low + length).min(end));
                if from < to && from >= gap {
                    if gap < from {
                        each(gap, from, false);
                    }
                    each(from, to, true);
                    gap = to;
                }
            });
        });
        if gap < end {
            each(gap, end, false);
        }
    });
}
