//! Calling contexts: a table for each path of callers that leads to a routine, where contexts are wanted.
//!
//! ```text
//!   main ─┬─ parse ─┬─ value ── array      array in main → parse → value
//!         │         └─ array               array in main → parse
//!         └─ print
//! ```
//!
//! A routine that is called while it runs goes on in the context that it runs in: no path has a routine twice, and all
//! running activations of a routine share one table. The hooks take the routine's table of last time where the routine
//! runs, or is called from the same context again; else [`trend_probe_4_called`] finds the table or makes it.

use core::mem::size_of;
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::descriptors::Descriptor;
use crate::file::Record;
use crate::record::{CALLERS_UNKNOWN, Frame, NO_CALLER, Table, flag};
use crate::system;
use crate::tables;
use crate::thread::{Thread, make_context, paths_of};

/// So many contexts of a process are told apart: 32 MB and what they record. Further calls are those of a context whose
/// callers are unknown.
const MOST: u32 = 1 << 16;
/// Room for so many contexts at first.
const FIRST_PLACES: usize = 512;

static MADE: AtomicU32 = AtomicU32::new(0);

/// The contexts of one thread by caller and routine, in an open-addressing table. It is left as it is when it grows: a
/// look-up that a signal interrupted may still read it.
#[repr(C)]
pub(crate) struct Paths {
    capacity: usize,
    length: usize,
}

impl Paths {
    fn place(&self, index: usize) -> *mut *mut Table {
        // SAFETY: the places follow; the index is below the capacity.
        unsafe { core::ptr::from_ref(self).add(1).cast_mut().cast::<*mut Table>().add(index) }
    }

    /// Where the context of a routine is or belongs.
    fn find(&self, caller: u64, routine: u32) -> *mut *mut Table {
        // Fibonacci hashing: addresses are multiples of 32.
        let key = (caller >> 5) ^ u64::from(routine).rotate_left(32);
        let shift = 64 - self.capacity.trailing_zeros();
        let mut index = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> shift) as usize;
        loop {
            let place = self.place(index);
            // SAFETY: places have null or the address of a table, and a quarter of them has null.
            unsafe {
                let table = *place;
                if table.is_null() || ((*table).parent == caller && (*table).routine == routine) {
                    return place;
                }
            }
            index = (index + 1) & (self.capacity - 1);
        }
    }

    /// Room for one more; the address where it begins, or `None` where there is no memory.
    fn with_room(paths: *mut Self) -> Option<*mut Self> {
        // SAFETY: null, or what was made here.
        let old = unsafe { paths.as_ref() };
        if old.is_some_and(|old| 4 * (old.length + 1) <= 3 * old.capacity) {
            return Some(paths);
        }
        let capacity = old.map_or(FIRST_PLACES, |old| 2 * old.capacity);
        let bytes = size_of::<Self>() + capacity * size_of::<*mut Table>();
        let flags = system::MAP_PRIVATE | system::MAP_ANONYMOUS | system::MAP_NORESERVE;
        let new = system::map(0, bytes, system::PROT_READ_WRITE, flags, -1, 0)? as *mut Self;
        // SAFETY: it was mapped just now, zeroed.
        unsafe {
            *new = Self { capacity, length: old.map_or(0, |old| old.length) };
            for place in old.into_iter().flat_map(|old| (0..old.capacity).map(|index| old.place(index))) {
                let table = *place;
                if !table.is_null() {
                    *(*new).find((*table).parent, (*table).routine) = table;
                }
            }
        }
        Some(new)
    }
}

/// Called at an entry of a routine that does not run, and was last called from another context: its table in this one, which
/// becomes that of the last call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trend_probe_4_called(thread: *mut Thread, routine: *const Descriptor) -> *mut Table {
    // SAFETY: the hooks pass both; the thread has a frame, and the routine an index.
    unsafe {
        let (thread, routine) = (&mut *thread, &*routine);
        let (caller, index) = ((*thread.top).table, routine.index());
        let known = |caller| {
            let paths = (*paths_of(thread)).as_ref()?;
            Some(*paths.find(caller, index)).filter(|table| !table.is_null())
        };
        let is_full = MADE.load(Relaxed) >= MOST;
        let table = known(caller).or_else(|| known(CALLERS_UNKNOWN).filter(|_| is_full));
        let table = table.unwrap_or_else(|| make_context(thread, index));
        *thread.tables.add(index as usize) = table;
        table
    }
}

/// The context of a routine that is called from `caller`, made where it is new.
///
/// # Safety
/// The paths are those of the calling thread, which owns the slot, and the caller is a table or one of the constants.
pub(crate) unsafe fn of(
    record: &mut Record,
    paths: *mut *mut Paths,
    slot: u32,
    mut caller: u64,
    routine: u32,
) -> *mut Table {
    // SAFETY: as the caller says.
    unsafe {
        // A signal's handler may have made it meanwhile.
        let find = |caller| (*paths).as_ref().map(|paths| *paths.find(caller, routine));
        let known = |caller| find(caller).filter(|table| !table.is_null());
        if let Some(table) = known(caller) {
            return table;
        }
        if MADE.load(Relaxed) >= MOST {
            record.header().flags |= flag::CONTEXTS_FULL;
            caller = CALLERS_UNKNOWN;
            if let Some(table) = known(caller) {
                return table;
            }
        }
        let Some(with_room) = Paths::with_room(*paths) else { return tables::sink() };
        *paths = with_room;
        let table = tables::create(record, routine, slot, caller, tables::SMALL_CAPACITY);
        if (*table).capacity > 0 {
            *(*with_room).find(caller, routine) = table;
            (*with_room).length += 1;
            MADE.fetch_add(1, Relaxed);
        }
        table
    }
}

/// Makes a table for the running activations of each routine that a forked process inherited, in the record of this process. It
/// keeps nothing, and what the activation calls has the same callers as before. The routines are named already.
///
/// # Safety
/// The frames are those of the calling thread, which owns the slot and has no tables yet.
pub(crate) unsafe fn inherit(record: &mut Record, thread: &Thread, frames: &mut [Frame]) {
    // SAFETY: there is room for all routines.
    let table_of = |routine: u32| unsafe { thread.tables.add(routine as usize) };
    let mut caller = NO_CALLER;
    for frame in frames.iter_mut() {
        // SAFETY: as above.
        let table = unsafe { &mut *table_of(frame.routine) };
        if table.is_null() {
            *table = match frame.routine {
                0 => tables::sink(),
                routine => tables::create(record, routine, thread.slot, caller, 0),
            };
        }
        caller = *table as u64;
        frame.table = caller;
    }
    for frame in frames.iter() {
        // SAFETY: as above. A table of what is called from here on is none of these.
        unsafe { *table_of(frame.routine) = core::ptr::null_mut() };
    }
}

/// Makes room for as many contexts as at the beginning, in a process that was just forked.
pub(crate) fn forget() {
    MADE.store(0, Relaxed);
}
