//! Inputs of a loop.

use crate::ir::value::Value;
use crate::loops::naming::named::Kind;

/// A value from outside that a loop depends on.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    /// Outer loop whose counter the input is.
    pub(crate) counter_of: Option<usize>,
    pub(crate) source: InputSource,
    pub(crate) is_unsigned: bool,
    /// True if the loop always ends at the input.
    pub(crate) is_limit: bool,
}

/// Source of the value of an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum InputSource {
    /// A value from before the loop.
    Before(Value),
    /// A value that is computed in the loop, and is the same in every trip as far as this can be known. Its first value
    /// is recorded.
    Inside(Value),
    /// The number of steps of a size in bytes from one pointer to another. The second pointer may be computed in the
    /// loop.
    Steps(Value, Value, i64),
    /// The number of nodes that a container keeps. In front of the loop, the value reads the pointer to the first
    /// node. The number is at the given distance in bytes behind the place that is read.
    Count(Value, i64),
    /// 1 if a pointer is not null, and 0 otherwise.
    IsThere(Value),
    /// The value changes from trip to trip.
    Changes,
}

/// Returns the source of a value from before the loop.
pub(super) fn source_of(value: Value) -> InputSource {
    if value.ty().is_pointer() { InputSource::IsThere(value) } else { InputSource::Before(value) }
}
