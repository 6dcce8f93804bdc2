//! Layouts: what readers of records, hooks and this crate agree on. Nothing here does anything. Begin at `record`.

pub(crate) mod descriptor;
pub mod loop_record;
pub mod record;
