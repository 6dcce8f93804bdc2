//! Records, and the state after applying them. Begin at `record`.

pub(crate) mod facts;
pub(crate) mod record;
