//! Calls in a program's code: the line and function of the call, and the function called.

use std::sync::Arc;

/// A line of a counted function that calls another counted function, according to machine code and debug information.
///
/// Code that is not counted may lie between the two. For example, the line that calls `sort` also calls the comparison
/// that is compiled into `sort`.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Call {
    /// Function that contains the call.
    pub caller: FunctionName,
    /// File of the call, which differs from the caller's where code was inlined.
    pub file: Arc<str>,
    /// Line of the call, 1-based.
    pub line: u32,
    /// Function that is called.
    pub callee: FunctionName,
    /// Number of call instructions on the line in one copy of the caller. 0 if uncounted code lies between, which may
    /// call any number of times.
    pub sites: u32,
}

/// A function by its name and file. Copies that were compiled differently share both.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionName {
    /// Demangled name of the function.
    pub name: Arc<str>,
    /// Source file of the function.
    pub file: Arc<str>,
}

impl FunctionName {
    /// Returns the name of a function in a file.
    pub fn new(name: &str, file: &str) -> Self {
        Self { name: name.into(), file: file.into() }
    }
}
