//! Calling contexts: a table for each path of callers that leads to a routine, where contexts are wanted.
//!
//! ```text
//!   main ─┬─ parse ─┬─ value ── array      array in main → parse → value
//!         │         └─ array               array in main → parse
//!         └─ print
//! ```
//!
//! A recursive call stays in the context of the running activation. So no path contains a routine twice, and all
//! running activations of a routine share one table. If the routine is running, or was last called from the same
//! context, the hooks reuse its table. Otherwise, [`trend_probe_4_called`] finds or creates the table.

use core::sync::atomic::Ordering::Relaxed;

use super::paths::{MADE, MOST, paths_of};
use super::process::make_context;
use super::state::Thread;
use crate::layout::descriptor::Descriptor;
use crate::layout::record::{CALLERS_UNKNOWN, Table};

/// Returns a routine's table in the current context, and makes it the thread's current table of the routine. Called at
/// the entry of a routine that is not running and was last called from another context.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trend_probe_4_called(thread: *mut Thread, routine: *const Descriptor) -> *mut Table {
    // SAFETY: the hooks pass both; the thread has a frame, and the routine an index.
    unsafe {
        let (thread, routine) = (&mut *thread, &*routine);
        let (caller, index) = ((*thread.top).table, routine.index());
        let existing = |caller| {
            let paths = (*paths_of(thread)).as_ref()?;
            Some(*paths.find(caller, index)).filter(|table| !table.is_null())
        };
        let is_full = MADE.load(Relaxed) >= MOST;
        let table = existing(caller).or_else(|| existing(CALLERS_UNKNOWN).filter(|_| is_full));
        let table = table.unwrap_or_else(|| make_context(thread, index));
        *thread.tables.add(index as usize) = table;
        table
    }
}
