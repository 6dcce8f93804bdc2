//! Paths of callers that lead to routines, each with its table.

use core::mem::size_of;
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::state::{ROUTINES, Thread};
use super::tables;
use crate::file::OwnRecord;
use crate::layout::record::{CALLERS_UNKNOWN, Frame, NO_CALLER, Table, flag};
use crate::system;

/// Maximum number of contexts of a process. Their tables and first entries take about 40 MB. Further calls belong to a
/// context with unknown callers.
pub(super) const MOST: u32 = 1 << 16;
/// Initial number of places for contexts.
const FIRST_PLACES: usize = 512;

pub(super) static MADE: AtomicU32 = AtomicU32::new(0);

/// Contexts of one thread by caller and routine, in an open-addressing table. Growing leaves the old table unchanged: a
/// look-up that a signal interrupted may still read it.
#[repr(C)]
pub(crate) struct Paths {
    capacity: usize,
    length: usize,
}

impl Paths {
    fn place(&self, index: usize) -> *mut *mut Table {
        // SAFETY: the places follow the header; the index is below the capacity.
        unsafe { core::ptr::from_ref(self).add(1).cast_mut().cast::<*mut Table>().add(index) }
    }

    /// Returns the place that holds a routine's context, or the empty place where it belongs.
    pub(super) fn find(&self, caller: u64, routine: u32) -> *mut *mut Table {
        // Fibonacci hashing. Addresses of tables are multiples of 32.
        let key = (caller >> 5) ^ u64::from(routine).rotate_left(32);
        let shift = 64 - self.capacity.trailing_zeros();
        let mut index = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> shift) as usize;
        loop {
            let place = self.place(index);
            // SAFETY: each place holds null or the address of a table, and at least a quarter of them hold null.
            unsafe {
                let table = *place;
                if table.is_null() || ((*table).parent == caller && (*table).routine == routine) {
                    return place;
                }
            }
            index = (index + 1) & (self.capacity - 1);
        }
    }

    /// Makes room for one more context. Returns the address of the paths, or `None` if there is no memory.
    fn with_room(paths: *mut Self) -> Option<*mut Self> {
        // SAFETY: it is null, or this function mapped it.
        let old = unsafe { paths.as_ref() };
        if old.is_some_and(|old| 4 * (old.length + 1) <= 3 * old.capacity) {
            return Some(paths);
        }
        let capacity = old.map_or(FIRST_PLACES, |old| 2 * old.capacity);
        let bytes = size_of::<Self>() + capacity * size_of::<*mut Table>();
        let flags = system::MAP_PRIVATE | system::MAP_ANONYMOUS | system::MAP_NORESERVE;
        let new = system::map(0, bytes, system::PROT_READ_WRITE, flags, -1, 0)? as *mut Self;
        // SAFETY: the memory was just mapped, and is zeroed.
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

/// Returns the context of a routine called from `caller`, and creates it if it is new.
///
/// # Safety
/// The paths and the slot must belong to the calling thread. The caller must be a table or one of the constants.
pub(crate) unsafe fn context_table(
    record: &mut OwnRecord,
    paths: *mut *mut Paths,
    slot: u32,
    mut caller: u64,
    routine: u32,
) -> *mut Table {
    // SAFETY: the caller guarantees it.
    unsafe {
        // A signal handler may have created it in the meantime.
        let find = |caller| (*paths).as_ref().map(|paths| *paths.find(caller, routine));
        let existing = |caller| find(caller).filter(|table| !table.is_null());
        if let Some(table) = existing(caller) {
            return table;
        }
        if MADE.load(Relaxed) >= MOST {
            record.header().flags |= flag::CONTEXTS_FULL;
            caller = CALLERS_UNKNOWN;
            if let Some(table) = existing(caller) {
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

/// Creates a table in this process's record for each routine that was running when the process was forked. The tables
/// keep nothing, but callees of these activations keep the callers they had before. The record must already name the
/// routines.
///
/// # Safety
/// The frames must belong to the calling thread, which must own the slot and have no tables yet.
pub(crate) unsafe fn inherit(record: &mut OwnRecord, thread: &Thread, frames: &mut [Frame]) {
    // SAFETY: there is room for all routines.
    let table_of = |routine: u32| unsafe { thread.tables.add(routine as usize) };
    let mut caller = NO_CALLER;
    for frame in frames.iter_mut() {
        // SAFETY: the same reason as above.
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
        // SAFETY: as above. Later calls must not use these tables.
        unsafe { *table_of(frame.routine) = core::ptr::null_mut() };
    }
}

/// Resets the number of contexts in a process that was just forked.
pub(crate) fn forget() {
    // Writing would copy the parent's page.
    if MADE.load(Relaxed) != 0 {
        MADE.store(0, Relaxed);
    }
}

/// Returns the location of the paths of a thread's contexts.
pub(crate) fn paths_of(thread: &Thread) -> *mut *mut Paths {
    // SAFETY: [`TABLES`] has room for them.
    unsafe { thread.tables.add(ROUTINES).cast() }
}
