//! Predicted costs of functions at one point, as profiles that other viewers open.
//!
//! Begin at `profile.rs`.
//!
//! | file | format |
//! |---|---|
//! | `pprof.rs` | pprof's `profile.proto` |
//! | `speedscope.rs` | speedscope's JSON |

mod pprof;
pub(crate) mod profile;
mod speedscope;
