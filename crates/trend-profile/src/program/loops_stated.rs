//! Statements of a program's code about its loops: the trips of a counted loop as an expression in its inputs, before
//! any run.
//!
//! ```text
//!   for (i = s; i < s + len; i += 2)      trips ⌈(s + len − s)/2⌉, as  s len + s − 2 ⌈/⌉
//! ```

use serde::{Deserialize, Serialize};

/// Maximum number of terms of an expression.
pub const MOST_LOOP_TERMS: usize = 64;

/// One step of an expression in postfix order.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LoopTerm {
    /// An integer.
    Number(i64),
    /// The value of an input, by its position.
    Input(u32),
    /// Sum of the last two values.
    Plus,
    /// Difference of the last two values.
    Minus,
    /// Product of the last two values.
    Times,
    /// Quotient of the last two values, rounded down.
    QuotientDown,
    /// Quotient of the last two values, rounded up.
    QuotientUp,
    /// The lesser of the last two values.
    Lesser,
    /// The greater of the last two values.
    Greater,
    /// Logarithm of the last value but one, rounded down. The last value is the base. −1 for a number below 1.
    LogarithmDown,
    /// Logarithm of the last value but one, rounded up. The last value is the base. 0 for a number below 1.
    LogarithmUp,
}

/// An expression in the inputs of a loop, in postfix order; empty if there is none.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoopExpression(pub Vec<LoopTerm>);

/// The code's statement about a loop.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoopStatement {
    /// Trips of an activation; a value below 0 means no trips.
    pub trips: LoopExpression,
    /// True if the loop can be left earlier, by an exit that no expression describes.
    pub is_bound: bool,
    /// The movement of each input, in their order. Empty if unknown.
    pub inputs: Vec<LoopMovement>,
}

/// The movement of a loop's input in the loops around it.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoopMovement {
    /// Index in the function of the innermost loop around in whose trips the value may change; `None` if it is the same
    /// throughout a call.
    pub varies_in: Option<u32>,
    /// First value of a counter, in the inputs of its own loop.
    pub start: LoopExpression,
    /// Amount that a counter grows by per trip, in the inputs of its own loop.
    pub step: LoopExpression,
}

impl LoopExpression {
    /// Returns true if there is no expression.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns true if the terms form at most one expression in this many inputs.
    pub fn is_valid(&self, inputs: usize) -> bool {
        let depth = self.0.iter().try_fold(0_usize, |depth, term| match term {
            LoopTerm::Number(_) => Some(depth + 1),
            LoopTerm::Input(input) => ((*input as usize) < inputs).then_some(depth + 1),
            _ => (depth > 1).then(|| depth - 1),
        });
        self.0.len() <= MOST_LOOP_TERMS && depth == Some(usize::from(!self.is_empty()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_leave_one_value() {
        use LoopTerm::{Input, Number, Plus};
        let is_valid = |terms: &[LoopTerm]| LoopExpression(terms.to_vec()).is_valid(1);
        assert!(is_valid(&[]) && is_valid(&[Input(0)]) && is_valid(&[Input(0), Number(1), Plus]));
        for bad in [&[Input(1)][..], &[Input(0), Plus], &[Input(0), Input(0)], &[Plus]] {
            assert!(!is_valid(bad), "{bad:?}");
        }
        assert!(!is_valid(&[[Number(1); 40].as_slice(), &[Plus; 39]].concat()));
    }
}
