//! The file as a container: a header, and frames that are chained to each other. Nothing here knows records. Begin at
//! `log`.

pub(crate) mod frame;
pub(crate) mod header;
pub(crate) mod log;
