//! Trip counts of loops: sums by the values of their inputs, in tables of the mapped file.
//!
//! ```text
//!   the loop is left ─▶ inputs as before? ─▶ add to the last entry            in the program's code
//!                            └── no ─▶ find the entry
//! ```
//!
//! A look-up costs more than most loops. So if a loop's inputs often differ from the inputs of the activation before,
//! only some activations are kept. One of 16 is kept, then one of 128, then one of 1,024, at random distances. The
//! others are counted in totals, with their extremes. Each entry has the number of skipped activations that it stands
//! for.

use core::ffi::c_void;
use core::sync::atomic::{AtomicU32, Ordering};

use crate::file::{LARGEST, OwnRecord};
use crate::layout::loop_record::{Entry, MAGIC, MOST_INPUTS, Module, SAMPLING, Table, VERSION, entry_size};
use crate::layout::record::{Header, flag};
use crate::system;
use crate::system::lock::Lock;

/// Initial number of places for entries.
const FIRST_CAPACITY: u64 = 8;
/// Initial number of places in forked processes, since there are many of them.
const SMALL_CAPACITY: u64 = 2;
/// Size of a thread's list of tables in bytes.
const TABLES: usize = (LOOPS + 1) * size_of::<*mut Table>();
/// Tables with more places than this do not grow.
const MOST_ENTRIES: u64 = 2048;
/// Once the entries of all tables take this many bytes, no table grows further.
const MOST_BYTES: u64 = 1 << 28;
/// Maximum number of threads that have tables at a time.
const SLOTS: usize = 4096;
/// Maximum number of loops: 8 MB of address space for each thread.
const LOOPS: usize = 1 << 20;
/// Number of inner loops for which the sink has room.
const MOST_INNER: usize = 64;
/// Smallest room for a record if the address space is limited.
const SMALLEST: usize = 1 << 24;

/// Facts of a module that are known before it runs, as trend-probe writes them.
#[repr(C)]
pub struct Facts {
    hash: u64,
    text: *const u8,
    length: u64,
}

/// A loop of the program, as trend-probe writes it into the code.
#[repr(C)]
pub struct Descriptor {
    /// Index of the loop; 0 until it is left for the first time. The hooks of all threads read it without a lock.
    index: AtomicU32,
    number: u32,
    inputs: u32,
    inner: u32,
    facts: *const Facts,
}

/// State of a thread, where the hooks find it. All zero before its first loop.
#[repr(C)]
pub struct Thread {
    /// Tables by the loop's index; null before the loop's first activation.
    tables: *mut *mut Table,
    slot: usize,
}

#[derive(Clone, Copy)]
struct Slot {
    is_taken: bool,
    tables: usize,
}

struct State {
    record: OwnRecord,
    slots: [Slot; SLOTS],
    /// Number of slots that were ever used.
    used: usize,
    /// Tables of threads without a slot; all are null.
    nobody: usize,
    loops: u32,
    key: u32,
    /// Size of all entries in bytes.
    bytes: u64,
    signals: [u64; 16],
}

static STATE: Lock<State> = Lock::new(State {
    record: OwnRecord::new(),
    slots: [Slot { is_taken: false, tables: 0 }; SLOTS],
    used: 0,
    nobody: 0,
    loops: 0,
    key: 0,
    bytes: 0,
    signals: [0; 16],
});

/// Entry whose inputs match no activation.
static NO_ENTRY: Entry = Entry {
    inputs: [0x6a09_e667_f3bc_c908, 0x3b67_ae85_84ca_a73b, 0x3c6e_f372_fe94_f82b, 0x254f_f53a_5f1d_36f1],
    activations: 0,
    least: 0,
    greatest: 0,
    sum: 0,
    cost_least: 0,
    cost_greatest: 0,
    cost_sum: 0,
    extra: 0,
};

/// Entry that receives everything that is not kept.
#[unsafe(export_name = "trend_probe_loops_3_nowhere")]
static mut SINK: [u64; size_of::<Entry>() / 8 + MOST_INNER] = [0; size_of::<Entry>() / 8 + MOST_INNER];
static mut SINK_TABLE: Table = EMPTY;

const EMPTY: Table = Table {
    last: 0,
    countdown: i64::MAX as u64,
    skipped: 0,
    skipped_trips: 0,
    least: 0,
    range: u64::MAX,
    started: 0,
    drawn: 0,
    weight: 1,
    next: 0,
    module: 0,
    number: 0,
    slot: 0,
    inputs: 0,
    inner: 0,
    capacity: 0,
    length: 0,
    entries: 0,
    address: 0,
    input_changes: 0,
    least_inputs: [0; MOST_INPUTS],
    greatest_inputs: [0; MOST_INPUTS],
    random: 0,
    is_full: 0,
};

fn sink() -> *mut Entry {
    (&raw mut SINK).cast()
}

/// Returns a table that keeps nothing.
fn sink_table() -> *mut Table {
    let table = &raw mut SINK_TABLE;
    // SAFETY: every call writes the same value.
    unsafe { (*table).last = sink() as u64 };
    table
}

impl State {
    /// Begins the record of this process if it has none.
    fn ensure_begun(&mut self) {
        if !self.record.is_begun() {
            self.begin();
        } else if !self.record.has_record() {
            self.record.begin_forked();
        }
    }

    // Kept out of line, so that its buffers are not on the stack of every handler that runs a new loop.
    #[cold]
    #[inline(never)]
    fn begin(&mut self) {
        let flags = system::MAP_PRIVATE | system::MAP_ANONYMOUS | system::MAP_NORESERVE;
        let mut room = LARGEST as usize;
        let window = loop {
            match system::map(0, room, system::PROT_NONE, flags, -1, 0) {
                Some(window) => break window,
                None if room > SMALLEST => room /= 2,
                None => system::fail(b"trend-prof: no address space is left to record loops in\n"),
            }
        };
        self.record.limit(room as u64);
        self.record.begin_with(window, &Header::new(MAGIC, VERSION));
        self.nobody = room_for_tables().unwrap_or(0);
        // SAFETY: the functions live as long as the program.
        unsafe {
            system::pthread_key_create(&raw mut self.key, Some(thread_ends));
            system::at_fork(before_fork, after_fork, in_child);
        }
    }

    /// Gives a thread tables. The pointer is kept until the thread ends, so it must be the pointer that the hooks
    /// use.
    ///
    /// # Safety
    /// The state must belong to the calling thread.
    unsafe fn admit(&mut self, thread: *mut Thread) {
        // SAFETY: the key exists, and the caller guarantees the rest.
        let thread = unsafe {
            system::pthread_setspecific(self.key, thread.cast());
            &mut *thread
        };
        let free = (0..self.used).find(|slot| !self.slots[*slot].is_taken);
        let slot = free.or_else(|| {
            let tables = if self.used < SLOTS { room_for_tables()? } else { return None };
            self.slots[self.used] = Slot { is_taken: false, tables };
            self.used += 1;
            Some(self.used - 1)
        });
        if let Some(slot) = slot {
            self.slots[slot].is_taken = true;
            thread.tables = self.slots[slot].tables as *mut *mut Table;
            thread.slot = slot;
        } else {
            self.record.header().flags |= flag::UNWATCHED_THREADS;
            thread.tables = self.nobody as *mut *mut Table;
            thread.slot = SLOTS;
        }
    }

    /// Creates the table of the loop with an index.
    fn create(&mut self, descriptor: &Descriptor, index: u32, slot: usize) -> *mut Table {
        let capacity = match descriptor.inputs {
            0 => 1,
            _ if self.record.is_forked() => SMALL_CAPACITY,
            _ => FIRST_CAPACITY,
        };
        let length = capacity * entry_size(descriptor.inner);
        let (Some(entries), Some(offset)) =
            (self.record.allocate(length), self.record.allocate(size_of::<Table>() as u64))
        else {
            return sink_table();
        };
        self.bytes += length;
        let table = self.record.at::<Table>(offset);
        let address = self.record.at::<Entry>(entries);
        let last = if descriptor.inputs == 0 { address } else { (&raw const NO_ENTRY).cast_mut() };
        // SAFETY: trend-probe writes the facts.
        let module = unsafe { (*descriptor.facts).hash };
        let new = Table {
            last: last as u64,
            countdown: 0,
            least: u64::MAX,
            range: 0,
            next: self.record.header().tables,
            module,
            number: descriptor.number,
            slot: slot as u32,
            inputs: descriptor.inputs,
            inner: descriptor.inner,
            capacity,
            entries,
            address: address as u64,
            random: 0x9e37_79b9_7f4a_7c15 ^ u64::from(index),
            ..EMPTY
        };
        // SAFETY: both were just allocated.
        unsafe {
            *table = new;
            if descriptor.inputs == 0 {
                ((*address).least, (*address).cost_least) = (u64::MAX, u64::MAX);
            }
        }
        self.record.header().tables = offset;
        table
    }

    /// Doubles a table. Its old entries stay in the file, without a link to them. Returns false if the table may not
    /// grow.
    fn grow(&mut self, table: &mut Table) -> bool {
        let (size, capacity) = (entry_size(table.inner), 2 * table.capacity);
        if capacity > 2 * MOST_ENTRIES || self.bytes + capacity * size > MOST_BYTES {
            return false;
        }
        let Some(entries) = self.record.allocate(capacity * size) else { return false };
        self.bytes += capacity * size;
        let larger = Table { capacity, entries, address: self.record.at::<Entry>(entries) as u64, ..*table };
        for index in 0..table.capacity {
            // SAFETY: both are mapped, and entries have this size.
            unsafe {
                let entry = (table.address + index * size) as *const u8;
                if (*entry.cast::<Entry>()).activations > 0 {
                    let place = place(&larger, &(*entry.cast::<Entry>()).inputs);
                    entry.copy_to_nonoverlapping(place.cast(), size as usize);
                }
            }
        }
        *table = larger;
        true
    }
}

/// Returns true if the process records loops.
#[cfg(trend_staticlib)]
pub(crate) fn has_begun() -> bool {
    STATE.lock().record.is_begun()
}

fn room_for_tables() -> Option<usize> {
    let flags = system::MAP_PRIVATE | system::MAP_ANONYMOUS | system::MAP_NORESERVE;
    system::map(0, TABLES, system::PROT_READ_WRITE, flags, -1, 0)
}

/// Returns the entry of these inputs, or the empty place where it belongs.
fn place(table: &Table, inputs: &[i64; MOST_INPUTS]) -> *mut Entry {
    let size = entry_size(table.inner);
    let mut hash = 0_u64;
    for input in &inputs[..table.inputs as usize] {
        hash = (hash.rotate_left(5) ^ *input as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    let mut index = (hash >> 32) & (table.capacity - 1);
    loop {
        let entry = (table.address + index * size) as *mut Entry;
        // SAFETY: the index is below the capacity.
        let (is_empty, is_same) = unsafe { ((*entry).activations == 0, (*entry).inputs == *inputs) };
        if is_empty || is_same {
            return entry;
        }
        index = (index + 1) & (table.capacity - 1);
    }
}

/// Adds the facts of a module's loops to the record. Called before the module's code runs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trend_probe_loops_3_module(facts: *const Facts) {
    // SAFETY: trend-probe writes the facts.
    let facts = unsafe { &*facts };
    let mut state = STATE.lock();
    state.ensure_begun();
    let record = &mut state.record;
    let Some(offset) = record.allocate(size_of::<Module>() as u64 + facts.length) else { return };
    let next = record.header().routines;
    // SAFETY: the bytes were just allocated.
    unsafe {
        *record.at::<Module>(offset) = Module { next, hash: facts.hash, length: facts.length };
        let text = record.at::<u8>(offset + size_of::<Module>() as u64);
        text.copy_from_nonoverlapping(facts.text, facts.length as usize);
    }
    record.header().routines = offset;
}

/// Returns the table of a loop. Called if a thread does not have it yet.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trend_probe_loops_3_table(
    thread: *mut Thread,
    descriptor: *const Descriptor,
) -> *mut Table {
    let mut state = STATE.lock();
    state.ensure_begun();
    // SAFETY: the hooks pass the state of the calling thread and a descriptor.
    let (thread, descriptor) = unsafe {
        if (*thread).tables.is_null() {
            state.admit(thread);
        }
        (&*thread, &*descriptor)
    };
    if thread.slot == SLOTS {
        return sink_table();
    }
    let mut index = descriptor.index.load(Ordering::Relaxed);
    if index == 0 {
        if state.loops as usize >= LOOPS {
            return sink_table();
        }
        state.loops += 1;
        index = state.loops;
        descriptor.index.store(index, Ordering::Release);
    }
    // SAFETY: there is room for this many loops.
    unsafe {
        let place = thread.tables.add(index as usize);
        if (*place).is_null() {
            *place = state.create(descriptor, index, thread.slot);
        }
        *place
    }
}

/// Activations of a loop with the same inputs.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// Number of activations; at least one.
    pub activations: u64,
    /// Fewest trips of an activation.
    pub least: u64,
    /// Most trips of an activation.
    pub greatest: u64,
    /// Total trips of the activations.
    pub sum: u64,
    /// Least cost of an activation. Costs are 0 if they follow from the trips.
    pub cost_least: u64,
    /// Greatest cost of an activation.
    pub cost_greatest: u64,
    /// Total cost of the activations.
    pub cost_sum: u64,
    /// Values of the inputs.
    pub inputs: [i64; MOST_INPUTS],
}

/// Records several activations whose inputs differ from those before. Returns the entry that receives the trips of
/// inner loops. Called when the activations end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trend_probe_loops_3_group(table: *mut Table, group: *const Group) -> *mut Entry {
    // SAFETY: the hooks pass a table of the calling thread.
    let (table, group) = unsafe { (&mut *table, &*group) };
    if table.countdown > 1 {
        table.countdown -= 1;
        skip(table, group);
        return sink();
    }
    let entry = keep(table, group);
    // Skipped groups differ in size and are counted at once, so `countdown` says nothing about them.
    table.drawn = 0;
    entry
}

/// Records an activation that is to be kept. Returns its entry. Called when the activation ends.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trend_probe_loops_3_record(table: *mut Table, group: *const Group) -> *mut Entry {
    // SAFETY: the hooks pass a table of the calling thread.
    unsafe { keep(&mut *table, &*group) }
}

fn keep(table: &mut Table, group: &Group) -> *mut Entry {
    if table.capacity == 0 {
        table.countdown = i64::MAX as u64;
        return sink();
    }
    let weight = table.weight;
    table.skipped += table.drawn.saturating_sub(1);
    table.input_changes += weight;
    let next =
        SAMPLING.iter().find(|(from, _)| table.input_changes >= *from).map_or(1, |(_, weight)| *weight);
    table.weight = next;
    table.countdown = if next == 1 { 0 } else { 1 + random(table) % (2 * next - 1) };
    table.drawn = table.countdown;
    let mut entry = place(table, &group.inputs);
    // SAFETY: the entry is mapped.
    if unsafe { (*entry).activations } == 0 {
        let is_full = 4 * (table.length + 1) > 3 * table.capacity;
        if is_full && (table.is_full != 0 || !STATE.lock().grow(table)) {
            // Taking the lock again would cost more than most loops.
            table.is_full = 1;
            skip(table, group);
            return sink();
        }
        if is_full {
            entry = place(table, &group.inputs);
        }
        table.length += 1;
        // SAFETY: the same reason as above.
        unsafe {
            (*entry).inputs = group.inputs;
            ((*entry).least, (*entry).cost_least) = (u64::MAX, u64::MAX);
        }
    }
    // SAFETY: the same reason as above.
    let sums = unsafe { &mut *entry };
    sums.activations += group.activations;
    sums.extra += (weight - 1) * group.activations;
    sums.least = sums.least.min(group.least);
    sums.greatest = sums.greatest.max(group.greatest);
    sums.sum += group.sum;
    sums.cost_least = sums.cost_least.min(group.cost_least);
    sums.cost_greatest = sums.cost_greatest.max(group.cost_greatest);
    sums.cost_sum += group.cost_sum;
    table.last = entry as u64;
    entry
}

/// Counts activations only in the totals.
fn skip(table: &mut Table, group: &Group) {
    table.skipped += group.activations;
    table.skipped_trips += group.sum;
    extremes(table, group.least, group.greatest, &group.inputs);
}

fn extremes(table: &mut Table, least: u64, greatest: u64, inputs: &[i64; MOST_INPUTS]) {
    let is_first = table.least == u64::MAX;
    let highest = if is_first { greatest } else { table.least + table.range };
    if is_first || least < table.least {
        (table.least, table.least_inputs) = (least, *inputs);
    }
    if is_first || greatest > highest {
        table.greatest_inputs = *inputs;
    }
    table.range = highest.max(greatest) - table.least;
}

/// Updates the extremes. Called if an activation is skipped that has fewer or more trips than all skipped before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trend_probe_loops_3_extreme(
    table: *mut Table,
    trips: u64,
    inputs: *const [i64; MOST_INPUTS],
) {
    // SAFETY: the hooks pass a table of the calling thread.
    unsafe { extremes(&mut *table, trips, trips, &*inputs) }
}

fn random(table: &mut Table) -> u64 {
    // xorshift64
    table.random ^= table.random << 13;
    table.random ^= table.random >> 7;
    table.random ^= table.random << 17;
    table.random
}

/// Frees the slot of a thread that ends, so that a new thread can take over its tables.
unsafe extern "C" fn thread_ends(thread: *mut c_void) {
    // SAFETY: `admit` gave the key the address of the thread's state.
    let thread = unsafe { &mut *thread.cast::<Thread>() };
    let mut state = STATE.lock();
    if let Some(slot) = state.slots.get_mut(thread.slot) {
        slot.is_taken = false;
    }
    // Destructors that run later begin again.
    *thread = Thread { tables: core::ptr::null_mut(), slot: 0 };
}

pub(crate) unsafe extern "C" fn before_fork() {
    let signals = system::block_signals();
    STATE.hold();
    // SAFETY: the lock is held.
    let state = unsafe { STATE.value() };
    state.signals = signals;
    state.record.before_fork();
}

pub(crate) unsafe extern "C" fn after_fork() {
    // SAFETY: the lock is held since [`before_fork`].
    let signals = unsafe { STATE.value().signals };
    STATE.release();
    system::restore_signals(&signals);
}

/// Leaves the record with all its tables to the parent, in a child. Facts of modules are only in the parent's record.
pub(crate) unsafe extern "C" fn in_child() {
    // SAFETY: the lock is held since [`before_fork`].
    let state = unsafe { STATE.value() };
    let is_shared = state.record.has_file();
    state.record.leave_to_parent();
    // SAFETY: the key has the thread's state, or nothing.
    let own = unsafe { system::pthread_getspecific(state.key).cast::<Thread>().as_ref() };
    for (number, slot) in state.slots[..state.used].iter_mut().enumerate() {
        slot.is_taken = own.is_some_and(|own| own.slot == number);
        if is_shared {
            // SAFETY: the runtime owns the memory.
            unsafe { system::madvise(slot.tables as *mut c_void, TABLES, system::MADV_DONTNEED) };
        }
    }
    if is_shared {
        state.bytes = 0;
    }
    // SAFETY: as for the parent.
    unsafe { after_fork() };
}

/// Runs when the process ends, or when a library that contains the runtime is unloaded, after all other functions in
/// `.fini_array`. Threads that end later must not call the runtime.
#[used]
#[cfg(trend_staticlib)]
#[unsafe(link_section = ".fini_array.00000")]
static AT_UNLOADING: unsafe extern "C" fn() = end_record;

#[cfg(trend_staticlib)]
unsafe extern "C" fn end_record() {
    let mut state = STATE.lock();
    if !state.record.is_begun() {
        return;
    }
    // SAFETY: the key has the thread's state, or nothing.
    let own = unsafe { system::pthread_getspecific(state.key).cast::<Thread>().as_ref() };
    let own = own.map(|own| own.slot);
    let slots = &state.slots[..state.used];
    if slots.iter().enumerate().all(|(number, slot)| !slot.is_taken || own == Some(number)) {
        state.record.seal(|_| 0);
    }
    // SAFETY: the key exists.
    unsafe { system::pthread_key_delete(state.key) };
}
