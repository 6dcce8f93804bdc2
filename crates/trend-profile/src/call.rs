//! Calls in the code of a program: which line of which function calls which other one.

use std::sync::Arc;

/// A line of a counted function that calls another counted function, as the program's machine code and debug information say.
///
/// Code that is not counted lies between both where it must: a comparison that is compiled into `sort` is called by the line
/// that calls `sort`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Call {
    /// The calling function.
    pub caller: FunctionName,
    /// The file of the call, which differs from the caller's where code was inlined.
    pub file: Arc<str>,
    /// Its line, 1-based.
    pub line: u32,
    /// The function that is called.
    pub callee: FunctionName,
    /// Number of call instructions on the line in one copy of the caller; 0 where code that is not counted lies
    /// between, which may
    /// call any number of times.
    pub sites: u32,
}

/// A function by its name and file. Copies that were compiled differently have the same.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionName {
    /// The name that a person knows.
    pub name: Arc<str>,
    /// The source file.
    pub file: Arc<str>,
}

impl FunctionName {
    /// Returns the name of a function in a file.
    pub fn new(name: &str, file: &str) -> Self {
        Self { name: name.into(), file: file.into() }
    }
}
