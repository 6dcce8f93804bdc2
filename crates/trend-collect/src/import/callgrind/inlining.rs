//! Interface for the inlined functions at an address, which callgrind does not report.

use std::sync::Arc;

pub(super) const FORMAT: &str = "callgrind output";
/// Callgrind's name for an unknown file.
pub(super) const UNKNOWN: &str = "???";

/// A function that was inlined at a place, or the outermost one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Linkage name, or the plain name if debug information has no other.
    pub function: Option<Arc<str>>,
    /// Full path of the source file.
    pub file: Arc<str>,
    /// Line, 1-based; 0 if unknown.
    pub line: u32,
}

/// A source of inlined functions by address.
pub trait Inlining {
    /// Returns the functions at an address of an executable or shared library, innermost first; empty if none are
    /// known. The address is one of the object's own tables.
    fn frames(&mut self, object: &str, address: u64) -> Arc<[Frame]>;
}
