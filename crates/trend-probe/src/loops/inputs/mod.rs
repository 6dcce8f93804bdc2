//! Inputs of a loop: the values from before it that decide its trip count.
//!
//! - Begin with [`find`]: goes back from the exits of the loop. [`search`]: what it has found so far; [`input`]: one
//!   input.
//! - [`choices`]: conditions that decide; [`pointers`]: distances of pointers; [`nodes`]: nodes of containers;
//!   [`before`]: values from before the loop; [`iterators`]: values that rustc keeps in memory.
//! - [`recurrences`]: counters that move irregularly; [`limits`]: values at which a loop always ends.
//! - [`slicer`]: how values relate to the loops of a function; [`changes`], [`stored`] and [`written`]: writes to the
//!   memory that a loop reads.

pub(crate) mod before;
pub(crate) mod changes;
pub(crate) mod choices;
pub(crate) mod find;
pub(crate) mod input;
pub(crate) mod iterators;
pub(crate) mod limits;
pub(crate) mod nodes;
pub(crate) mod pointers;
pub(crate) mod recurrences;
pub(crate) mod search;
pub(crate) mod slicer;
pub(crate) mod stored;
pub(crate) mod written;
