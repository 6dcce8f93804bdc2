//! Values that are multiplied or divided by the same number in every trip, and when they reach an end.
//!
//! ```text
//!   for (x = s; x < n; x *= b)      s·bᵏ < n holds in ⌈log_b(n/s)⌉ trips
//!   for (x = s; x >= d; x /= b)     ⌊s/bᵏ⌋ >= d holds in ⌊log_b(s/d)⌋ + 1 trips
//! ```

use inkwell::llvm_sys::LLVMIntPredicate as Predicate;

use super::terms::{Operator, Terms};
use crate::ir::instruction::stripped;
use crate::ir::value::{Opcode, Value};

/// A value that is multiplied or divided by the same number in every trip.
pub(super) struct Geometric {
    pub(super) start: Terms,
    pub(super) scale: Scale,
    /// True if the value has already been multiplied or divided for the next trip, as in the condition of a `do` loop.
    pub(super) is_next: bool,
    /// Number that the value is divided by for the comparison; 1 if it is not divided.
    pub(super) divisor: i64,
}

/// Multiplication or division by a number of at least 2.
#[derive(Clone, Copy)]
pub(super) struct Scale {
    is_down: bool,
    /// True if a negative value becomes less negative. Other divisions of negative values never end at 0.
    is_signed_quotient: bool,
    by: i64,
}

impl Scale {
    /// Returns the value that an instruction multiplies or divides, and the scale.
    pub(super) fn of(value: Value) -> Option<(Value, Self)> {
        let operand = |index| stripped(value.operand(index));
        let number = |index: u32| value.operand(index).signed().filter(|number| *number > 1);
        let shifted = || power_of_two(value.operand(1)).filter(|by| *by > 1);
        let up = |by| Self { is_down: false, is_signed_quotient: false, by };
        let is_signed_quotient = value.opcode() == Some(Opcode::LLVMSDiv);
        let down = |by| Self { is_down: true, is_signed_quotient, by };
        match value.opcode()? {
            Opcode::LLVMMul => match (number(0), number(1)) {
                (_, Some(by)) => Some((operand(0), up(by))),
                (Some(by), None) => Some((operand(1), up(by))),
                (None, None) => None,
            },
            Opcode::LLVMAdd if operand(0) == operand(1) => Some((operand(0), up(2))),
            Opcode::LLVMShl => Some((operand(0), up(shifted()?))),
            Opcode::LLVMUDiv | Opcode::LLVMSDiv => Some((operand(0), down(number(1)?))),
            Opcode::LLVMLShr | Opcode::LLVMAShr => Some((operand(0), down(shifted()?))),
            _ => None,
        }
    }

    /// Returns true if a counter does not wrap around, and if no cast in `values` cuts off its bits. A multiplied counter
    /// of at least `wide` bits is assumed not to wrap around, and a divided one never does.
    pub(super) fn is_kept(self, counter: Value, values: [Value; 2], wide: u32) -> bool {
        let bits = counter.ty().bits();
        let is_whole =
            |value: Value| value.casts().all(|one| one.ty().is_any_integer() && one.ty().bits() >= bits);
        (self.is_down || bits >= wide) && values.into_iter().all(is_whole)
    }

    /// Returns the divisor; `None` for a multiplication.
    pub(super) fn divisor(self) -> Option<i64> {
        self.is_down.then_some(self.by)
    }
}

impl Geometric {
    /// Returns the number of first trips in which a comparison with an end holds. A value below 0 means no trips.
    pub(super) fn trips_until(&self, end: &Terms, predicate: Predicate) -> Option<Terms> {
        let after_end = || end.then(&Terms::number(1), Operator::Plus);
        let times_divisor = |end: &Terms| end.then(&Terms::number(self.divisor), Operator::Times);
        let by = Terms::number(self.scale.by);
        // Trips in which the value has not passed the end, from the ratio of the larger of both to the smaller.
        let from_down = |ratio: Terms| {
            let log = ratio.then(&by, Operator::LogarithmDown);
            if self.is_next { log } else { log.then(&Terms::number(1), Operator::Plus) }
        };
        let at_least = |end: &Terms| from_down(self.start.then(end, Operator::QuotientDown));
        let below = |end: &Terms| {
            let log = end.then(&self.start, Operator::QuotientUp).then(&by, Operator::LogarithmUp);
            if self.is_next { log.then(&Terms::number(1), Operator::Minus) } else { log }
        };
        match (predicate, self.scale.is_down) {
            (Predicate::LLVMIntSLT | Predicate::LLVMIntULT, false) => Some(below(&times_divisor(end))),
            (Predicate::LLVMIntSLE | Predicate::LLVMIntULE, false) if self.divisor == 1 => {
                Some(from_down(end.then(&self.start, Operator::QuotientDown)))
            }
            (Predicate::LLVMIntSLE | Predicate::LLVMIntULE, false) => {
                Some(below(&times_divisor(&after_end())))
            }
            (Predicate::LLVMIntSGE | Predicate::LLVMIntUGE, true) => Some(at_least(&times_divisor(end))),
            (Predicate::LLVMIntSGT | Predicate::LLVMIntUGT, true) => {
                Some(at_least(&times_divisor(&after_end())))
            }
            // A value that is not 0 is at least 1.
            (Predicate::LLVMIntNE, true) if *end == Terms::number(0) => {
                let negative = Terms::number(0).then(&self.start, Operator::Minus);
                let start = if self.scale.is_signed_quotient {
                    self.start.then(&negative, Operator::Greater)
                } else {
                    self.start.clone()
                };
                Some(from_down(start.then(&Terms::number(self.divisor), Operator::QuotientDown)))
            }
            _ => None,
        }
    }
}

/// Returns 2 to the power of a constant.
pub(super) fn power_of_two(exponent: Value) -> Option<i64> {
    1_i64.checked_shl(u32::try_from(exponent.signed()?).ok().filter(|bits| *bits < 63)?)
}
