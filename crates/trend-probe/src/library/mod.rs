//! Models of the C library, which is not probed: what a call of it reads and writes.
//!
//! Begin with [`models`]: the effects of each function, by its name. [`effects`]: kinds of effects, and the functions
//! of the runtime that are called for them; [`formats`]: what `scanf` writes.

pub(crate) mod effects;
pub(crate) mod formats;
pub(crate) mod models;
