//! Ends of activations: adds their counts to those of their callers, and to the tables.

use core::sync::atomic::{Ordering, compiler_fence};

use super::state::Thread;
use super::tables::{self, Observed};
use crate::layout::record::Table;

/// Ends the activation on top with the counts stored at its last call.
pub(crate) unsafe fn end(thread: &mut Thread) {
    // SAFETY: the top is the frame of an activation.
    unsafe {
        let (table, observed) = leave(thread);
        tables::add(table, &observed, 1);
    }
}

/// Ends the activation on top with the counts stored at its last call, without recording it. Returns its table and
/// totals.
pub(crate) unsafe fn leave(thread: &mut Thread) -> (*mut Table, Observed) {
    // SAFETY: the top is the frame of an activation.
    unsafe {
        let frame = thread.top;
        let own = (*frame).own + (*frame).parts_own;
        let cost = (*frame).inclusive + own;
        let table = (*frame).table as *mut Table;
        (*table).depth = (*table).depth.wrapping_sub(1);
        let observed = Observed {
            size: ((*frame).count as i64 + (*frame).parts_count as i64 + (*frame).carried).max(0) as u64,
            cost,
            own,
            is_outermost: (*table).depth == 0,
            from_threads: (*frame).from_threads,
            from_kernel: (*frame).from_kernel,
            again: (*frame).again,
            own_from_threads: (*frame).own_from_threads,
            own_from_kernel: (*frame).own_from_kernel,
        };
        let parent = frame.sub(1);
        (*parent).from_threads += (*frame).from_threads;
        (*parent).from_kernel += (*frame).from_kernel;
        (*parent).again += (*frame).again;
        (*parent).carried += (*frame).carried;
        (*parent).inclusive += cost;
        (*frame).id = 0;
        // From here on, the frame of a signal handler may take the place of this one.
        compiler_fence(Ordering::SeqCst);
        thread.top = parent;
        (table, observed)
    }
}
