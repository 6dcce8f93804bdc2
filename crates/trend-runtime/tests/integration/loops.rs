//! Trip counts of loops in several threads.

use std::cell::UnsafeCell;
use std::mem::size_of;
use std::sync::Barrier;
use std::sync::atomic::AtomicU32;
use std::thread;

use trend_runtime::loop_record::{Entry, MOST_INPUTS, Table};
use trend_runtime::loops::{
    Descriptor, Facts, Group, Thread, trend_probe_loops_3_module, trend_probe_loops_3_record,
    trend_probe_loops_3_table,
};

/// The facts of a module as trend-probe writes them.
#[repr(C)]
struct Module {
    hash: u64,
    text: *const u8,
    length: u64,
}

/// A loop's descriptor as trend-probe writes it.
#[repr(C)]
struct Loop {
    index: AtomicU32,
    number: u32,
    inputs: u32,
    inner: u32,
    facts: *const Module,
}

/// The state of a thread as trend-probe declares it.
#[repr(C)]
struct State {
    tables: *mut *mut Table,
    slot: usize,
}

const _: () = assert!(size_of::<Module>() == size_of::<Facts>());
const _: () = assert!(size_of::<Loop>() == size_of::<Descriptor>());
const _: () = assert!(size_of::<State>() == size_of::<Thread>());

// SAFETY: the text is constant.
unsafe impl Sync for Module {}
// SAFETY: only the index changes, and it is atomic.
unsafe impl Sync for Loop {}

const TEXT: &str = "loops of program.c\n";
static MODULE: Module = Module { hash: 77, text: TEXT.as_ptr(), length: TEXT.len() as u64 };
static LOOP: Loop =
    Loop { index: AtomicU32::new(0), number: 0, inputs: 1, inner: 1, facts: &raw const MODULE };

thread_local! {
    static STATE: UnsafeCell<State> =
        const { UnsafeCell::new(State { tables: std::ptr::null_mut(), slot: 0 }) };
}

/// Records activations with growing inputs, of which each makes as many trips as its input. Waits until all threads
/// have tables before. Returns the table.
fn run(activations: u64, barrier: &Barrier) -> *mut Table {
    let state = STATE.with(UnsafeCell::get).cast::<Thread>();
    // SAFETY: the state lives as long as the thread, and descriptors for ever.
    unsafe {
        let table = trend_probe_loops_3_table(state, (&raw const LOOP).cast());
        barrier.wait();
        for n in 1..=activations {
            let group = Group {
                activations: 1,
                least: n,
                greatest: n,
                sum: n,
                cost_least: 2 * n,
                cost_greatest: 2 * n,
                cost_sum: 2 * n,
                inputs: [n as i64, 0, 0, 0],
            };
            let entry = trend_probe_loops_3_record(table, &raw const group);
            *entry.add(1).cast::<u64>() += 3 * n;
        }
        table
    }
}

/// Returns the entries of a table with the trips of the inner loop, by their inputs.
///
/// # Safety
/// The thread of the table must have ended.
unsafe fn entries(table: *const Table) -> Vec<(Entry, u64)> {
    // SAFETY: the runtime keeps tables for ever, and nobody writes to this one.
    let mut entries: Vec<(Entry, u64)> = unsafe {
        let size = size_of::<Entry>() + size_of::<u64>();
        let places = (*table).address as *const u8;
        let place = |index: u64| places.add(index as usize * size).cast::<Entry>();
        (0..(*table).capacity).map(place).map(|entry| (*entry, *entry.add(1).cast::<u64>())).collect()
    };
    entries.retain(|(entry, _)| entry.activations > 0);
    entries.sort_by_key(|(entry, _)| entry.inputs);
    entries
}

/// Returns the entry of one activation of [`run`].
fn expected(n: u64) -> (Entry, u64) {
    let mut inputs = [0; MOST_INPUTS];
    inputs[0] = n as i64;
    let (least, greatest, sum) = (n, n, n);
    let (cost_least, cost_greatest, cost_sum) = (2 * n, 2 * n, 2 * n);
    (
        Entry { inputs, activations: 1, least, greatest, sum, cost_least, cost_greatest, cost_sum, extra: 0 },
        3 * n,
    )
}

#[test]
fn each_thread_keeps_the_trips_of_its_own_activations() {
    let most = if cfg!(miri) { 40 } else { 1000 };
    let counts = [most, most / 2, most / 4];
    let barrier = &Barrier::new(counts.len());
    // SAFETY: the facts live for ever.
    unsafe { trend_probe_loops_3_module((&raw const MODULE).cast()) };
    let tables = thread::scope(|scope| {
        let started =
            counts.map(|activations| scope.spawn(move || run(activations, barrier).expose_provenance()));
        started.map(|thread| std::ptr::with_exposed_provenance::<Table>(thread.join().unwrap()))
    });
    for (activations, table) in counts.into_iter().zip(tables) {
        // SAFETY: the thread has ended.
        let recorded = unsafe { entries(table) };
        assert_eq!(recorded, (1..=activations).map(expected).collect::<Vec<_>>());
    }
}
