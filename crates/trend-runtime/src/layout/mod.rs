//! Layouts of data that readers of records, hooks and this crate share. Only definitions. Begin at `record`.

pub(crate) mod descriptor;
pub mod loop_record;
pub mod record;
