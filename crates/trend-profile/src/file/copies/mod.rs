//! Studies made from others: merged, redacted, repaired.

pub(crate) mod merge;
pub(crate) mod redact;
pub(crate) mod repair;
