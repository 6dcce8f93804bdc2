//! Counters in loops: inserted before optimization, and recorded where a loop is left.
//!
//! - Begin with [`mod@watch`]: the loops of one function. [`counters`]: the variables that count; [`weights`]: costs of
//!   blocks; [`folding`]: costs that follow from the trips.
//! - [`watched`]: values at the beginning of a loop; [`entry`]: reads of memory there.
//! - [`record`]: exits; [`groups`]: activations recorded together.
//! - [`hooks`]: functions that are called; [`mod@link`]: adds their bodies, with those of `loops.ll`.

pub(crate) mod counters;
pub(crate) mod entry;
pub(crate) mod folding;
pub(crate) mod groups;
pub(crate) mod hooks;
pub(crate) mod link;
pub(crate) mod record;
pub(crate) mod watch;
pub(crate) mod watched;
pub(crate) mod weights;
