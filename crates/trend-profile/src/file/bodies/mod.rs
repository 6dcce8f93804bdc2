//! Data stored after records, packed: places, texts, series, calls, loops, counts. Begin at `body`.

pub(crate) mod blob;
pub(crate) mod body;
pub(crate) mod calls;
pub(crate) mod loops;
pub(crate) mod places;
