//! Hooks of routines: entries, exits and watched accesses that are inserted into the code.
//!
//! - Begin with [`mod@instrument`]: the routines of a module, one by one; [`instrumentation`]: what they have in
//!   common.
//! - [`calls`]: calls of other functions, and their effects on memory if known.
//! - [`memory`]: hooks for accesses to memory.
//! - [`mod@link`]: adds `hooks.ll`, the hooks themselves.

pub(crate) mod calls;
pub(crate) mod instrument;
pub(crate) mod instrumentation;
pub(crate) mod link;
pub(crate) mod memory;
