//! The machine on which this process runs: its description, the latency of its memory, and the user's cache folder.
//! `launch` starts programs that are not measured.

pub(crate) mod cache;
pub(crate) mod description;
pub(crate) mod latency;
pub(crate) mod launch;
