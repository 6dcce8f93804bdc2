//! What is kept of each routine's activations: sums by size, in open-addressing tables in the mapped file.

use core::mem::size_of;

use crate::file::{RECORD, Record, is_disk_full};
use crate::record::{CALLERS_UNKNOWN, Entry, NO_CALLER, Table};

/// Room for so many sizes at first, where contexts are not told apart.
pub(crate) const FIRST_CAPACITY: u64 = 8;

/// A table that keeps nothing: of activations that a forked process inherited, and of all when the disk is full.
static mut SINK: Table = Table {
    next: 0,
    routine: 0,
    slot: 0,
    capacity: 0,
    length: 0,
    entries: 0,
    address: 0,
    last: 0,
    depth: 0,
    // No table calls what is in it.
    parent: u64::MAX,
    caller: CALLERS_UNKNOWN,
};
static NO_ENTRY: Entry = Entry {
    size: u64::MAX,
    again: 0,
    calls: 0,
    least: 0,
    greatest: 0,
    sum: 0,
    squares: [0; 2],
    outermost: 0,
    own: 0,
    own_least: 0,
    own_greatest: 0,
    called_squares: [0; 2],
    from_threads: 0,
    from_kernel: 0,
    own_from_threads: 0,
    own_from_kernel: 0,
};

/// What one activation comes to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Observed {
    /// Cells of input.
    pub size: u64,
    /// Its cost, with what it called.
    pub cost: u64,
    /// Its cost without that.
    pub own: u64,
    /// Whether no other activation of the routine encloses it.
    pub is_outermost: bool,
    /// Cells of the input that other threads wrote.
    pub from_threads: u64,
    /// Cells of the input that the kernel wrote.
    pub from_kernel: u64,
    /// Cells that count again.
    pub again: u64,
    /// Cells that other threads wrote and it read itself.
    pub own_from_threads: u64,
    /// Cells that the kernel wrote and it read itself.
    pub own_from_kernel: u64,
}

/// The table that keeps nothing.
pub(crate) fn sink() -> *mut Table {
    let sink = &raw mut SINK;
    // SAFETY: the same is written whenever it is.
    unsafe { (*sink).last = &raw const NO_ENTRY as u64 };
    sink
}

/// A table with room for `capacity` sizes, a power of two; without room it keeps nothing. `parent` is the address of the
/// table of the calling context, or one of the constants.
pub(crate) fn create(record: &mut Record, routine: u32, slot: u32, parent: u64, capacity: u64) -> *mut Table {
    let entries = record.allocate(capacity * size_of::<Entry>() as u64);
    let offset = record.allocate(size_of::<Table>() as u64);
    let (Some(entries), Some(offset)) = (entries, offset) else { return sink() };
    let table = record.at::<Table>(offset);
    let next = record.header().tables;
    let last = &raw const NO_ENTRY as u64;
    let address = record.at::<Entry>(entries) as u64;
    let caller = match parent {
        NO_CALLER | CALLERS_UNKNOWN => parent,
        _ => record.offset_of(parent).unwrap_or(CALLERS_UNKNOWN),
    };
    let new =
        Table { next, routine, slot, capacity, length: 0, entries, address, last, depth: 0, parent, caller };
    // SAFETY: it was allocated just now.
    unsafe { *table = new };
    record.header().tables = offset;
    table
}

/// Empties a table.
pub(crate) fn forget(table: *mut Table) {
    // SAFETY: tables and their entries are mapped, and no other thread runs.
    unsafe {
        let entries = (*table).address as *mut Entry;
        entries.write_bytes(0, (*table).capacity as usize);
        (*table).length = 0;
        (*table).depth = 0;
        (*table).last = &raw const NO_ENTRY as u64;
    }
}

/// Adds an activation.
///
/// # Safety
/// The table is one that this crate has made, and belongs to the calling thread.
pub unsafe fn add(table: *mut Table, observed: &Observed) {
    // SAFETY: the table is mapped, and other threads leave it alone.
    let table = unsafe { &mut *table };
    if table.capacity == 0 || (4 * table.length >= 3 * table.capacity && !grow(table)) {
        // Threads that are not watched end all their calls here.
        if is_disk_full() {
            RECORD.lock().header().lost += 1;
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
    entry.sum += observed.cost;
    entry.least = entry.least.min(observed.cost);
    entry.greatest = entry.greatest.max(observed.cost);
    add_product(&mut entry.squares, observed.cost, observed.cost);
    entry.own += observed.own;
    entry.own_least = entry.own_least.min(observed.own);
    entry.own_greatest = entry.own_greatest.max(observed.own);
    let called = observed.cost.wrapping_sub(observed.own);
    if called != 0 {
        // The difference of the squares.
        add_product(&mut entry.called_squares, called, observed.cost.wrapping_add(observed.own));
    }
    if observed.is_outermost {
        entry.outermost += observed.cost;
    }
    entry.from_threads += observed.from_threads;
    entry.from_kernel += observed.from_kernel;
    entry.own_from_threads += observed.own_from_threads;
    entry.own_from_kernel += observed.own_from_kernel;
    entry.calls += 1;
    table.last = core::ptr::from_mut(entry) as u64;
}

fn add_product(sum: &mut [u64; 2], a: u64, b: u64) {
    let product = u128::from(a) * u128::from(b);
    let products = ((u128::from(sum[1]) << 64) | u128::from(sum[0])).wrapping_add(product);
    *sum = [products as u64, (products >> 64) as u64];
}

/// Where the entry of a size is or belongs.
fn place(table: &Table, size: u64, again: u64) -> *mut Entry {
    let entries = table.address as *mut Entry;
    // Fibonacci hashing: sizes come in runs and in multiples.
    let shift = 64 - table.capacity.trailing_zeros();
    let mut index = (size ^ again.rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> shift;
    loop {
        // SAFETY: the index is below the capacity.
        let entry = unsafe { entries.add(index as usize) };
        // SAFETY: as above.
        let (at, calls) = unsafe { (((*entry).size, (*entry).again), (*entry).calls) };
        if calls == 0 || at == (size, again) {
            return entry;
        }
        index = (index + 1) & (table.capacity - 1);
    }
}

/// Doubles a table; its former entries stay in the file, and are no longer linked.
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
