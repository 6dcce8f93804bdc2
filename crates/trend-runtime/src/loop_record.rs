//! The layout of the file that a process leaves whose loops are watched.
//!
//! It begins as a record of routines does, with a [`Header`](crate::record::Header) that has another [`MAGIC`]. What is
//! known of the loops before the program runs is text in [`Module`]s; what they did is in [`Table`]s, one for each loop and
//! thread. Integers are those of the machine.
//!
//! # The text of a module
//! Lines of words that are separated by tabs; a function's lines follow each other.
//!
//! ```text
//! F  linkage name  file  line  parameter  …
//! L  line  parent  exits  conditional  trips  table  started  inner  cost
//! I  kind  counter  value  limit  name
//! C  line  within  conditional  callee  argument  …
//! N  linkage name  file  line  loops  depth
//! ```
//!
//! - A function, and its parameters, which may be empty.
//! - A loop: the number of its parent in the function; `1` or `n` exits; `c` where it can be left out; its trips where they
//!   are constant; the number of its tables in the module where it is watched; `s` where activations are counted at their
//!   beginning as well; how many loops are inside, where an entry has a sum of the trips of each, in the order of the
//!   loops; `3+1` where an activation costs 3 for each trip and 1, and no cost is in the entries. `-` stands for what is not
//!   there.
//! - An input of the loop before: a letter for what it is; the loop whose counter it is; `i` for an integer, `f` for a floating
//!   point number, `-` for what has no value; `l` where the loop ends at it in any case; what it is called.
//! - A call: the loop that it is in; `c` where it can be left out; `=` in front of arguments, `-` for one without a name.
//! - A function that is not watched, as it has more loops than [`MOST_LOOPS`] or deeper nests than [`MOST_DEPTH`], and how many.

/// The first bytes of a file.
pub const MAGIC: [u8; 8] = *b"trendlps";
/// The version of this layout and of the text. The names of the runtime's symbols have it as well.
pub const VERSION: u32 = 2;
/// A function with more loops is not watched: the analysis of a nest takes the square.
pub const MOST_LOOPS: usize = 4096;
/// A function with more loops around one another, the innermost included, is not watched.
pub const MOST_DEPTH: usize = 64;
/// The inputs of a loop that are kept.
pub const INPUTS: usize = 4;
/// From so many activations on that differ from the one before, one of how many is kept, the largest number first; before, all are.
pub const SAMPLING: [(u64, u64); 3] = [(262_144, 1024), (65_536, 128), (8192, 16)];

/// What is known of the loops of one module; the text follows.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Module {
    /// The offset of the next one; 0 for none.
    pub next: u64,
    /// A number of the text.
    pub hash: u64,
    /// Bytes of the text.
    pub length: u64,
}

/// What one thread recorded of one loop.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// In the process: the address of the entry of the last activation.
    pub last: u64,
    /// How many activations end until one of them is kept, which is counted; 0 as long as all are.
    pub countdown: u64,
    /// Activations that were not kept by their inputs, but for those since `countdown` was [`Self::drawn`].
    pub skipped: u64,
    /// The trips of all that were not kept.
    pub skipped_trips: u64,
    /// The fewest trips of one of them.
    pub least: u64,
    /// By how many the most are more; where there are none, `least` is the largest number.
    pub range: u64,
    /// Activations that began, where that is counted.
    pub started: u64,
    /// What `countdown` was when it was set last; 0 where skipped activations are counted at once.
    pub drawn: u64,
    /// For how many activations the next one that is kept stands.
    pub weight: u64,
    /// The offset of the next table.
    pub next: u64,
    /// [`Module::hash`] of the loop's module.
    pub module: u64,
    /// The loop's number in its module.
    pub number: u32,
    /// The thread's; one that ended can pass it on to a new one.
    pub slot: u32,
    /// How many inputs have values.
    pub inputs: u32,
    /// How many loops inside have their trips counted in each entry.
    pub inner: u32,
    /// Room for how many entries: a power of two.
    pub capacity: u64,
    /// How many there are.
    pub length: u64,
    /// The offset of the first place for one; places without activations are empty.
    pub entries: u64,
    /// In the process: its address.
    pub address: u64,
    /// Activations whose inputs were not those of the one before.
    pub misses: u64,
    /// The inputs of the skipped activation with the fewest trips.
    pub least_inputs: [i64; INPUTS],
    /// Those of the one with the most.
    pub greatest_inputs: [i64; INPUTS],
    /// In the process: what the next random number comes from.
    pub random: u64,
    /// In the process: 1 once it grows no more.
    pub is_full: u64,
}

/// All activations with the same inputs. The sums of the trips of loops inside follow, 8 bytes each.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// The values.
    pub inputs: [i64; INPUTS],
    /// How many activations are in the sums.
    pub activations: u64,
    /// The fewest trips of one.
    pub least: u64,
    /// The most.
    pub greatest: u64,
    /// The trips of all.
    pub sum: u64,
    /// The least cost of one.
    pub cost_least: u64,
    /// The greatest.
    pub cost_greatest: u64,
    /// The cost of all.
    pub cost_sum: u64,
    /// For how many further activations, which were skipped, they stand.
    pub extra: u64,
}

/// Bytes of an entry with the sums behind it.
pub const fn entry_size(inner: u32) -> u64 {
    size_of::<Entry>() as u64 + 8 * inner as u64
}
