//! The state of a thread, where the hooks find it.

use crate::layout::record::{Frame, Table};

/// Maximum number of routines: 8 MB of address space for each thread.
pub(crate) const ROUTINES: usize = 1 << 20;

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
    /// Mask of the thread's [`Shadow`](crate::shadow::Shadow).
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
