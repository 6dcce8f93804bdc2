//! Parsed formulas, and errors with their place in the text. This module neither parses nor evaluates.

use std::fmt;

/// An error in formulas, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormulaError {
    /// Line, 1-based.
    pub line: usize,
    /// Column in characters, 1-based.
    pub column: usize,
    /// Description of the error.
    pub what: String,
}

impl fmt::Display for FormulaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.what)
    }
}

impl std::error::Error for FormulaError {}

/// Position in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Position {
    pub(super) line: usize,
    pub(super) column: usize,
}

impl Position {
    pub(super) fn error(self, what: impl Into<String>) -> FormulaError {
        FormulaError { line: self.line, column: self.column, what: what.into() }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    Log2,
    Ln,
    Sqrt,
    Min,
    Max,
}

impl Function {
    pub(super) const ALL: [(&'static str, Self, usize); 5] = [
        ("log2", Self::Log2, 1),
        ("ln", Self::Ln, 1),
        ("sqrt", Self::Sqrt, 1),
        ("min", Self::Min, 2),
        ("max", Self::Max, 2),
    ];

    /// Returns the function with this name, and its number of arguments.
    pub(super) fn named(name: &str) -> Option<(Self, usize)> {
        Self::ALL
            .into_iter()
            .find(|entry| entry.0 == name)
            .map(|(_, function, arguments)| (function, arguments))
    }

    pub(super) fn apply(self, arguments: &[f64]) -> f64 {
        match (self, arguments) {
            (Self::Log2, [x]) => x.log2(),
            (Self::Ln, [x]) => x.ln(),
            (Self::Sqrt, [x]) => x.sqrt(),
            (Self::Min, [x, y]) => x.min(*y),
            (Self::Max, [x, y]) => x.max(*y),
            _ => f64::NAN,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Expression {
    pub(super) place: Position,
    pub(super) kind: Kind,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Number(f64),
    Name(String),
    Call(String, Vec<Expression>),
    Negative(Box<Expression>),
    Operation(Operator, Box<[Expression; 2]>),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Definition {
    pub(super) place: Position,
    pub(super) name: String,
    pub(super) parameters: Vec<String>,
    pub(super) is: Expression,
}
