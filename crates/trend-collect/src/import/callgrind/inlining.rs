//! What callgrind does not say: which functions were inlined where.

use std::sync::Arc;

pub(super) const FORMAT: &str = "callgrind output";
/// What callgrind writes for a file that is not known.
pub(super) const UNKNOWN: &str = "???";

/// A function that was inlined at a place, or the one around all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The linkage name, or where debug information has none the plain one.
    pub function: Option<Arc<str>>,
    /// The source file's whole path.
    pub file: Arc<str>,
    /// 1-based; 0 when unknown.
    pub line: u32,
}

/// Knows which functions were inlined where.
pub trait Inlining {
    /// The functions at an address of an executable or shared library, as its own tables have addresses, from the
    /// inside out; none where nothing is known.
    fn frames(&mut self, object: &str, address: u64) -> Arc<[Frame]>;
}
