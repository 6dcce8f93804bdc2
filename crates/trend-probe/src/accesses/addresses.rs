//! Represents pointers as sums, to determine how far apart two of them are.

use inkwell::module::Module;

use crate::ir::builder::Builder;
use crate::ir::value::{Opcode, Value};

/// Maximum depth of operations that are looked through.
const DEEPEST: u32 = 8;

/// Target of a pointer: a sum plus a number of bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Address {
    pub(crate) sum: Sum,
    pub(crate) offset: i64,
}

/// A pointer plus values that are not known.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Sum {
    pub(crate) base: Value,
    /// Values with their factors.
    pub(crate) terms: Vec<(Value, i64)>,
}

/// A number as a sum; pointers are numbers as well.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct Number {
    pub(crate) terms: Vec<(Value, i64)>,
    pub(crate) constant: i64,
}

/// Returns a pointer as a sum. Equal sums are equal addresses if both pointers are computed from the same values.
pub(crate) fn address_of(pointer: Value, module: &Module<'_>) -> Address {
    let offset = pointer.offset(module);
    let mut number = Number { terms: Vec::new(), constant: offset.bytes };
    for (index, size) in offset.indices {
        number.add(index, size.cast_signed());
    }
    Address::new(offset.base, number)
}

impl Address {
    pub(crate) fn new(base: Value, number: Number) -> Self {
        let Number { terms, constant } = number.tidy();
        Self { sum: Sum { base, terms }, offset: constant }
    }
}

impl Number {
    pub(crate) fn from_value(value: Value, module: &Module<'_>) -> Self {
        let mut number = Self::default();
        if value.ty().is_pointer() {
            let Address { sum, offset } = address_of(value, module);
            number.constant = offset;
            number.terms = sum.terms;
            number.add_term(sum.base, 1);
        } else {
            number.add(value, 1);
        }
        number
    }

    /// Adds a multiple of another number.
    pub(crate) fn add_number(&mut self, other: &Self, scale: i64) {
        self.constant = self.constant.wrapping_add(other.constant.wrapping_mul(scale));
        other.terms.iter().for_each(|(value, of)| self.add_term(*value, of.wrapping_mul(scale)));
    }

    /// Adds a multiple of an integer value.
    fn add(&mut self, value: Value, scale: i64) {
        self.add_within(value, scale, DEEPEST);
    }

    fn add_within(&mut self, value: Value, scale: i64, deepest: u32) {
        if let Some(number) = value.signed() {
            self.constant = self.constant.wrapping_add(number.wrapping_mul(scale));
            return;
        }
        let mut each = |scales: [i64; 2]| {
            for (index, scale) in (0..).zip(scales).filter(|(_, scale)| *scale != 0) {
                self.add_within(value.operand(index), scale, deepest - 1);
            }
        };
        // Narrower integers may overflow before they are widened.
        if deepest > 0 && value.ty().is_any_integer() && value.ty().bits() == 64 {
            match value.opcode() {
                Some(Opcode::LLVMAdd) => return each([scale, scale]),
                Some(Opcode::LLVMOr) if value.is_sum() => return each([scale, scale]),
                Some(Opcode::LLVMSub) => return each([scale, scale.wrapping_neg()]),
                Some(Opcode::LLVMMul) if let Some(factor) = value.operand(1).signed() => {
                    return each([scale.wrapping_mul(factor), 0]);
                }
                Some(Opcode::LLVMShl) if let Some(bits @ 0..64) = value.operand(1).signed() => {
                    return each([scale.wrapping_shl(bits as u32), 0]);
                }
                _ => {}
            }
        }
        self.add_term(value, scale);
    }

    fn add_term(&mut self, value: Value, scale: i64) {
        match self.terms.iter_mut().find(|(term, _)| *term == value) {
            Some((_, factor)) => *factor = factor.wrapping_add(scale),
            None => self.terms.push((value, scale)),
        }
    }

    /// Sorts the terms, and removes those whose factor is 0.
    pub(crate) fn tidy(mut self) -> Self {
        self.terms.retain(|(_, scale)| *scale != 0);
        self.terms.sort_by_key(|(value, _)| value.0);
        self
    }

    /// Computes the number at the position of the builder.
    pub(crate) fn computed(&self, builder: &Builder) -> Value {
        let number = |number: i64| builder.constant(builder.int64(), number.cast_unsigned());
        self.terms.iter().fold(number(self.constant), |sum, (value, scale)| {
            let wide = if value.ty().is_pointer() { builder.address(*value) } else { builder.signed(*value) };
            builder.add(sum, builder.multiply(wide, number(*scale)))
        })
    }
}
