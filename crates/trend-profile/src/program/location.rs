//! Places in a program that have a cost.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// Index of a [`Location`] in a [`Study`](crate::Study).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocationId(pub u32);

/// Index of a [`Function`] in a [`Study`](crate::Study).
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionId(pub u32);

impl LocationId {
    /// Returns the index as a `usize`.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl FunctionId {
    /// Returns the index as a `usize`.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The two names of a function.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Symbol {
    /// Demangled name. For code that the compiler outlined (OpenMP's parallel regions), the name of the original
    /// function.
    pub name: String,
    /// Name used by the linker, which distinguishes functions with an equal `name`.
    pub linkage: String,
}

impl Symbol {
    /// Creates the symbol of a function whose two names are equal.
    pub fn plain(name: &str) -> Self {
        Self { name: name.to_owned(), linkage: name.to_owned() }
    }
}

/// A function whose blocks are counted.
///
/// Copies of one function in several objects (a `static inline` of a header, a template) are one function if they have
/// the same control flow. Copies that were compiled differently are several, with different `signature`s.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Function {
    /// Names of the function.
    pub symbol: Symbol,
    /// Source file, relative to the study's root if it lies below it.
    pub file: String,
    /// First line, 1-based; 0 if unknown.
    pub line: u32,
    /// Digest of the control flow that the compiler recorded; empty for imported data.
    pub signature: String,
}

impl Function {
    /// Creates a function whose two names are equal, without a signature; `line` is 0 if unknown.
    pub fn plain(name: &str, file: &str, line: u32) -> Self {
        Self { symbol: Symbol::plain(name), file: file.to_owned(), line, signature: String::new() }
    }
}

/// Meaning of a location's count.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Executions of a basic block. Only these are costs.
    Block,
    /// Entries into the function. They show calls and are not a cost.
    Entry,
}

/// A basic block, or the unit that an imported format counts.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// Function that contains the location.
    pub function: FunctionId,
    /// Meaning of its count.
    pub kind: Kind,
    /// Number of the block within its function, given by the compiler.
    pub block: u32,
    /// File of the block's first line; it differs from the function's where code was inlined.
    pub file: Arc<str>,
    /// First line of the block, 1-based; 0 if unknown.
    pub line: u32,
    /// Every line of `file` with code of the block, ascending. Never empty if `line` > 0.
    #[cfg_attr(test, schemars(with = "Vec<u32>"))]
    pub lines: Arc<[u32]>,
    /// Name under which the data was imported; empty for blocks, which are named by place.
    pub label: Arc<str>,
}

impl Location {
    /// Creates a location of the first block of the first function, without a label. It lies on one line, or on none if
    /// `line` is 0.
    pub fn on_line(kind: Kind, file: impl Into<Arc<str>>, line: u32) -> Self {
        let lines = (line > 0).then_some(line).into_iter().collect();
        let (file, label) = (file.into(), Arc::default());
        Self { function: FunctionId(0), kind, block: 0, file, line, lines, label }
    }
}
