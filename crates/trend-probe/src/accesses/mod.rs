//! Accesses of a routine to memory, and which of them must be watched.
//!
//! - Begin with [`access`]: the accesses of an instruction. [`lanes`] prepares those to vectors.
//! - [`needed`]: the accesses that can be the first of their activation, with [`hoisted`]: accesses before loops,
//!   [`repeated`]: accesses that each trip repeats, and [`joined`]: adjacent accesses.
//! - [`placed`]: an access and its address; [`addresses`]: addresses as sums; [`ranges`]: ranges of bytes.

pub(crate) mod access;
pub(crate) mod addresses;
pub(crate) mod hoisted;
pub(crate) mod joined;
pub(crate) mod lanes;
pub(crate) mod needed;
pub(crate) mod placed;
pub(crate) mod ranges;
pub(crate) mod repeated;
