//! Models of the C library, which is not probed: what a call of it reads and writes.
//!
//! [`models`] begins: the effects of each function, by its name. [`effects`] says what an effect is, and what of the
//! runtime is called for it; [`formats`] says what `scanf` writes.

pub(crate) mod effects;
pub(crate) mod formats;
pub(crate) mod models;
