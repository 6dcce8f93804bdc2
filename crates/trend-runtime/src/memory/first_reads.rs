//! First reads: counts the input that each running activation has read.
//!
//! Ids of activations grow with time. The shadow of a cell holds the id of the activation that accessed it last. So a
//! read is the first one for each running activation with a larger id. These are the activations above the innermost
//! ancestor that has accessed the cell, directly or through a callee.
//!
//! ```text
//!   cell: 5        frames: 2 │ 4 │ 7 │ 9        a read by 9 is new to 9 and 7; 4 has accessed the cell
//! ```
//!
//! The hooks count the read for the running activation. `carried` accounts for its ancestors at little cost. If the
//! cell is also new to the parent, it is added to the parent's `carried` and subtracted from the `carried` of the
//! ancestor that has accessed it. At an exit, `carried` is added to the parent's.

use crate::layout::record::Frame;

/// Address space of a stack of frames in bytes. The stack is aligned to its size, by which the hooks find its bottom.
pub const STACK: usize = 1 << 32;

/// Counts a read of cells that are new to the activation of `frame` and to its parent. `old` is the id of their last
/// access.
pub(crate) unsafe fn first_read(frame: *mut Frame, old: u32, cells: i64) {
    // SAFETY: the frame is that of an activation; the bottom of the stack, with id 0, is below it.
    unsafe {
        let parent = frame.sub(1);
        (*parent).carried += cells;
        if old != 0 {
            (*innermost_that_accessed(parent, old)).carried -= cells;
        }
    }
}

/// Number of frames that are searched one by one: the activation that has accessed a cell is usually near.
const NEAR: usize = 16;

/// Returns the innermost activation below `frame` whose id is at most `id`. Searches frame by frame at first, then
/// gallops down, then bisects.
pub(crate) unsafe fn innermost_that_accessed(frame: *mut Frame, id: u32) -> *mut Frame {
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
            // The id of the bottom, 0, ends the search; steps must not pass it.
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
