//! Layout of the file that a process leaves if its loops are watched.
//!
//! It begins like a record of routines, with a [`Header`](crate::layout::record::Header) that has another [`MAGIC`].
//! [`Module`]s hold text: the facts of loops that are known before the program runs. [`Table`]s hold measurements, one
//! table for each loop and thread. Integers have the machine's byte order.
//!
//! # The text of a module
//! The text has lines of tab-separated words. A function's lines follow each other.
//!
//! ```text
//! F  linkage name  file  line  parameter  …
//! L  line  parent  exits  conditional  trips  table  started  inner  cost
//! I  kind  counter  value  limit  name
//! S  kind  terms
//! M  varies  start  step
//! C  line  within  conditional  callee  argument  …
//! N  linkage name  file  line  loops  depth
//! ```
//!
//! - `F`: a function, and the names of its parameters, which may be empty.
//! - `L`: a loop. `parent` is the index of its parent in the function. `exits` is `1` or `n`. `conditional` is `c` if
//!   the loop can be skipped. `trips` is a constant trip count. `table` is the index of its tables in the module, if
//!   it is watched. A loop with neither `trips` nor `table` is not counted: for example, a cycle that the code enters
//!   at several places. `started` is `s` if activations are also counted at their beginning. `inner` is the count of
//!   inner loops if entries have a sum of the trips of each, in the order of the loops. `cost` is `3+1` if an
//!   activation costs 3 for each trip plus 1, and entries have no cost. `-` stands for a missing word.
//! - `I`: an input of the loop before. `kind` is a letter. `counter` is the loop whose counter it is. `value` is `i`
//!   for an integer, `f` for a floating-point number, and `-` without a value. `limit` is `l` if the loop always ends
//!   at this input. `name` is the input's name.
//! - `S`: the trips of the loop before, as the code states them. `kind` is `=`, or `<` if the loop can be left earlier.
//!   Terms are in postfix order and separated by spaces. A term is a number, `#` and the position of an input, or an
//!   operator on the last two values. `+`, `-` and `*` are sum, difference and product. `d` and `u` are quotients, rounded
//!   down and up. `l` is the lesser, and `g` the greater. `ld` and `lu` are logarithms to the base of the last value,
//!   rounded down and up.
//! - `M`: the movement of each input of the loop before, in their order. `varies` is the innermost loop around in whose
//!   trips the value may change. `start` and `step` of a counter are terms in the inputs of its own loop.
//! - `C`: a call. `within` is its loop. `conditional` is `c` if the call can be skipped. `callee` is empty for a call
//!   through a pointer. Arguments begin with `=`; `-` is one without a name.
//! - `N`: a function that is not watched, since it has more loops than [`MOST_LOOPS`] or deeper nests than
//!   [`MOST_DEPTH`]; with both numbers.

/// First bytes of a file.
pub const MAGIC: [u8; 8] = *b"trendlps";
/// Version of this layout and of the text.
pub const VERSION: u32 = 4;
/// Maximum number of loops in a watched function. The analysis of a nest takes quadratic time.
pub const MOST_LOOPS: usize = 4096;
/// Maximum depth of nested loops in a watched function, including the innermost loop. For the counters of 128 nested
/// loops, the optimizer creates so many values that it takes minutes.
pub const MOST_DEPTH: usize = 64;
/// Maximum number of inputs kept for a loop.
pub const MOST_INPUTS: usize = 4;
/// Sampling rates (threshold, interval), from the largest threshold to the smallest. Once
/// [`Table::input_changes`] reaches a threshold, every interval-th activation is kept. Below all thresholds, all are
/// kept.
pub const SAMPLING: [(u64, u64); 3] = [(262_144, 1024), (65_536, 128), (8192, 16)];

/// Facts of a module's loops that are known before it runs. The text follows.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Module {
    /// Offset of the next module; 0 for none.
    pub next: u64,
    /// Hash of the text.
    pub hash: u64,
    /// Length of the text in bytes.
    pub length: u64,
}

/// Record of one loop in one thread.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// Used only while the process runs: address of the entry of the last activation.
    pub last: u64,
    /// Number of activations until one is kept, counting that one; 0 while all are kept.
    pub countdown: u64,
    /// Number of activations skipped by sampling, counted up to the last draw of `countdown`.
    pub skipped: u64,
    /// Total trips of the skipped activations.
    pub skipped_trips: u64,
    /// Fewest trips of a skipped activation; the largest number if all were kept.
    pub least: u64,
    /// Difference between the most trips of a skipped activation and `least`.
    pub range: u64,
    /// Number of activations that began, if that is counted.
    pub started: u64,
    /// Value that `countdown` was last set to; 0 if skipped activations are counted at once.
    pub drawn: u64,
    /// Number of activations that the next kept one stands for.
    pub weight: u64,
    /// Offset of the next table.
    pub next: u64,
    /// [`Module::hash`] of the loop's module.
    pub module: u64,
    /// Index of the loop in its module.
    pub number: u32,
    /// Slot of the thread. When a thread ends, a new one can take over its slot.
    pub slot: u32,
    /// Number of inputs that have values.
    pub inputs: u32,
    /// Number of inner loops whose trips are counted in each entry.
    pub inner: u32,
    /// Number of places for entries: a power of two.
    pub capacity: u64,
    /// Number of entries.
    pub length: u64,
    /// Offset of the first place; places without activations are empty.
    pub entries: u64,
    /// Used only while the process runs: address of the first place.
    pub address: u64,
    /// Number of activations whose inputs differed from the inputs of the one before.
    pub input_changes: u64,
    /// Inputs of the skipped activation with the fewest trips.
    pub least_inputs: [i64; MOST_INPUTS],
    /// Inputs of the skipped activation with the most trips.
    pub greatest_inputs: [i64; MOST_INPUTS],
    /// Used only while the process runs: state of the random number generator.
    pub random: u64,
    /// Used only while the process runs: 1 once the table no longer grows.
    pub is_full: u64,
}

/// The kept activations with the same inputs. The total trips of inner loops follow, 8 bytes each.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// Values of the inputs.
    pub inputs: [i64; MOST_INPUTS],
    /// Number of activations in the sums.
    pub activations: u64,
    /// Fewest trips of an activation.
    pub least: u64,
    /// Most trips of an activation.
    pub greatest: u64,
    /// Total trips of the activations.
    pub sum: u64,
    /// Least cost of an activation.
    pub cost_least: u64,
    /// Greatest cost of an activation.
    pub cost_greatest: u64,
    /// Total cost of the activations.
    pub cost_sum: u64,
    /// Number of skipped activations that the counted ones stand for.
    pub extra: u64,
}

/// Returns the size of an entry in bytes, including the sums after it.
pub const fn entry_size(inner: u32) -> u64 {
    size_of::<Entry>() as u64 + 8 * inner as u64
}
