//! Places in a program that have a cost.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// Index of a [`Location`] in a [`Study`](crate::Study).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocationId(pub u32);

/// Index of a [`Function`] in a [`Study`](crate::Study).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionId(pub u32);

impl LocationId {
    /// The index as a subscript.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl FunctionId {
    /// The index as a subscript.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The two names of a function.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Symbol {
    /// The name that a person knows: demangled, and for code that the compiler outlined (OpenMP's
    /// parallel regions) the name of the function that it came from.
    pub name: String,
    /// The name that the linker knows, which tells apart what `name` does not.
    pub linkage: String,
}

impl Symbol {
    /// Of a function that the linker knows by the name that a person knows.
    pub fn plain(name: &str) -> Self {
        Self { name: name.to_owned(), linkage: name.to_owned() }
    }
}

/// A function whose blocks are counted.
///
/// Copies of one function in several objects (a `static inline` of a header, a template) are one
/// function when they have the same control flow, and several with different `signature`s when
/// they were compiled differently.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Function {
    /// Its names.
    pub symbol: Symbol,
    /// The source file, relative to the study's root where it lies below it.
    pub file: String,
    /// The line on which it begins, 1-based; 0 when unknown.
    pub line: u32,
    /// What the compiler knew of its control flow, as a word; empty for imported data.
    pub signature: String,
}

impl Function {
    /// A function of a plain name, without a signature; `line` is 0 where it is not known.
    pub fn plain(name: &str, file: &str, line: u32) -> Self {
        Self { symbol: Symbol::plain(name), file: file.to_owned(), line, signature: String::new() }
    }
}

/// What a location's count says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// How often a basic block was executed. Only these are costs.
    Block,
    /// How often the function was entered. Known for the sake of calls, and no cost of its own.
    Entry,
}

/// A basic block, or whatever else an imported format counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The function that it belongs to.
    pub function: FunctionId,
    /// What its count says.
    pub kind: Kind,
    /// The compiler's number of the block within its function.
    pub block: u32,
    /// The file of the block's first line; it differs from the function's where code was inlined.
    pub file: Arc<str>,
    /// The block's first line, 1-based; 0 when unknown.
    pub line: u32,
    /// Every line of `file` that the block has code of, ascending. Never empty when `line` > 0.
    pub lines: Arc<[u32]>,
    /// The name under which the data was imported; empty for blocks, which are named by place.
    pub label: Arc<str>,
}

impl Location {
    /// A location without a name on one line, or on none where that is 0, of the first block of the first function.
    pub fn on_line(kind: Kind, file: impl Into<Arc<str>>, line: u32) -> Self {
        let lines = (line > 0).then_some(line).into_iter().collect();
        let (file, label) = (file.into(), Arc::default());
        Self { function: FunctionId(0), kind, block: 0, file, line, lines, label }
    }
}
