//! Sums of each routine's activations by size, in open-addressing tables in the mapped file.
//!
//! ```text
//!   exit ─▶ recent: 8 places by size and cost        the same again: one more call
//!                │ others take the place
//!                ▼
//!           entries: sums by size
//! ```

use core::mem::size_of;

use crate::file::{OwnRecord, RECORD, is_disk_full};
use crate::layout::record::{CALLERS_UNKNOWN, Entry, NO_CALLER, RECENT, Recent, Table};

/// Initial number of entries if contexts are not distinguished.
pub(crate) const FIRST_CAPACITY: u64 = 8;
/// Initial number of entries in forked processes and in contexts: most see few sizes.
pub(crate) const SMALL_CAPACITY: u64 = 2;

/// Table that keeps nothing. Used for activations that a forked process inherited, and for all activations if the disk
/// is full.
static mut SINK: Table = Table {
    next: 0,
    routine: 0,
    slot: 0,
    capacity: 0,
    length: 0,
    entries: 0,
    address: 0,
    depth: 0,
    // No caller's table has this address, so the hooks look up the context at each call.
    parent: u64::MAX,
    caller: CALLERS_UNKNOWN,
    // No activation has this size, so all of them reach [`record`].
    recent: [Recent { size: u64::MAX, cost: 0, own: 0, calls: 0 }; RECENT],
};

/// Totals of one activation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Observed {
    /// Number of cells of input.
    pub size: u64,
    /// Cost including callees.
    pub cost: u64,
    /// Cost without callees.
    pub own: u64,
    /// True if no other activation of the routine encloses it.
    pub is_outermost: bool,
    /// Number of cells of the input that other threads wrote.
    pub from_threads: u64,
    /// Number of cells of the input that the kernel wrote.
    pub from_kernel: u64,
    /// Number of cells that count again.
    pub again: u64,
    /// Number of cells that other threads wrote and the activation read itself.
    pub own_from_threads: u64,
    /// Number of cells that the kernel wrote and the activation read itself.
    pub own_from_kernel: u64,
}

/// Returns the table that keeps nothing.
pub(crate) fn sink() -> *mut Table {
    &raw mut SINK
}

/// Creates a table with room for `capacity` sizes, a power of two; with 0 it keeps nothing. `parent` is the address of
/// the table of the calling context, or one of the constants. Returns the sink if the record has no room.
pub(crate) fn create(
    record: &mut OwnRecord,
    routine: u32,
    slot: u32,
    parent: u64,
    capacity: u64,
) -> *mut Table {
    let entries = record.allocate(capacity * size_of::<Entry>() as u64);
    let offset = record.allocate(size_of::<Table>() as u64);
    let (Some(entries), Some(offset)) = (entries, offset) else { return sink() };
    let table = record.at::<Table>(offset);
    let next = record.header().tables;
    let address = record.at::<Entry>(entries) as u64;
    let caller = match parent {
        NO_CALLER | CALLERS_UNKNOWN => parent,
        _ => record.offset_of(parent).unwrap_or(CALLERS_UNKNOWN),
    };
    let (length, depth, recent) = (0, 0, [Recent::default(); RECENT]);
    let new =
        Table { next, routine, slot, capacity, length, entries, address, depth, parent, caller, recent };
    // SAFETY: the table was just allocated.
    unsafe { *table = new };
    record.header().tables = offset;
    table
}

/// Puts an activation into its place among the recent ones. Adds the activations that were there to their entry.
///
/// # Safety
/// As for [`add`]; the place must belong to the table.
pub(crate) unsafe fn record(table: *mut Table, place: *mut Recent, new: Recent) {
    // SAFETY: the caller guarantees it.
    unsafe {
        if (*table).capacity == 0 {
            return add(table, &Observed::default(), 1);
        }
        let Recent { size, cost, own, calls } = core::mem::replace(&mut *place, new);
        if calls > 0 {
            let (own, is_outermost) = (own / 2, own % 2 == 0);
            add(table, &Observed { size, cost, own, is_outermost, ..Observed::default() }, calls);
        }
    }
}

/// Adds `calls` activations with equal totals.
///
/// # Safety
/// The table must come from this crate, and must belong to the calling thread.
pub unsafe fn add(table: *mut Table, observed: &Observed, calls: u64) {
    // SAFETY: the table is mapped, and other threads leave it alone.
    let table = unsafe { &mut *table };
    if table.capacity == 0 || (4 * table.length >= 3 * table.capacity && !grow(table)) {
        // Unwatched threads also end all their calls here, so only a full disk means that calls are lost.
        if is_disk_full() {
            RECORD.lock().header().lost += calls;
        }
        return;
    }
    // SAFETY: the entries are mapped.
    let entry = unsafe { &mut *place(table, observed.size, observed.again) };
    if entry.calls == 0 {
        entry.size = observed.size;
        entry.again = observed.again;
        (entry.least, entry.own_least) = (u64::MAX, u64::MAX);
        table.length += 1;
    }
    entry.sum += calls * observed.cost;
    entry.least = entry.least.min(observed.cost);
    entry.greatest = entry.greatest.max(observed.cost);
    add_square(&mut entry.squares, observed.cost, calls);
    entry.own += calls * observed.own;
    entry.own_least = entry.own_least.min(observed.own);
    entry.own_greatest = entry.own_greatest.max(observed.own);
    add_square(&mut entry.own_squares, observed.own, calls);
    if observed.is_outermost {
        entry.outermost += calls * observed.cost;
    }
    entry.from_threads += calls * observed.from_threads;
    entry.from_kernel += calls * observed.from_kernel;
    entry.own_from_threads += calls * observed.own_from_threads;
    entry.own_from_kernel += calls * observed.own_from_kernel;
    entry.calls += calls;
}

fn add_square(sum: &mut [u64; 2], of: u64, times: u64) {
    let squares = (u128::from(of) * u128::from(of)).wrapping_mul(u128::from(times));
    let all = ((u128::from(sum[1]) << 64) | u128::from(sum[0])).wrapping_add(squares);
    *sum = [all as u64, (all >> 64) as u64];
}

/// Returns the entry of a size, or the empty place where it belongs.
fn place(table: &Table, size: u64, again: u64) -> *mut Entry {
    let entries = table.address as *mut Entry;
    // Fibonacci hashing. Sizes are often consecutive or multiples of one number.
    let shift = 64 - table.capacity.trailing_zeros();
    let mut index = (size ^ again.rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> shift;
    loop {
        // SAFETY: the index is below the capacity.
        let entry = unsafe { entries.add(index as usize) };
        // SAFETY: the same reason as above.
        let (at, calls) = unsafe { (((*entry).size, (*entry).again), (*entry).calls) };
        if calls == 0 || at == (size, again) {
            return entry;
        }
        index = (index + 1) & (table.capacity - 1);
    }
}

/// Doubles a table. Its old entries stay in the file, without a link to them. Returns false if the record has no room.
fn grow(table: &mut Table) -> bool {
    let mut record = RECORD.lock();
    let capacity = 2 * table.capacity;
    let Some(entries) = record.allocate(capacity * size_of::<Entry>() as u64) else { return false };
    let larger = Table { capacity, entries, address: record.at::<Entry>(entries) as u64, ..*table };
    let old = table.address as *const Entry;
    for index in 0..table.capacity as usize {
        // SAFETY: both are mapped.
        unsafe {
            let entry = *old.add(index);
            if entry.calls > 0 {
                *place(&larger, entry.size, entry.again) = entry;
            }
        }
    }
    *table = larger;
    true
}
