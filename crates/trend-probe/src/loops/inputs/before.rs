//! Values from before the loop: by their names, or by the names of the values that they are computed from.

use super::input::source_of;
use super::search::{MOST, Search};
use crate::ir::instruction::stripped;
use crate::ir::value::{Opcode, Value};

/// Maximum number of inputs that a loop may already have if a sum is split into two variables. With the two
/// variables, an end and a step, it has as many inputs as are recorded.
const MOST_BEFORE_SUM: usize = 2;

impl Search<'_, '_, '_> {
    /// Handles a value from before the loop: by its name, or by the names of the values that it is computed from.
    pub(super) fn before(&mut self, value: Value, depth: usize) {
        if value.is_constant() || value.is_function() || self.inputs.len() > MOST {
            return;
        }
        let all = self.all;
        // The next value of a counter has the counter's name as well.
        let counter = value.operands().into_iter().find(|operand| {
            all.header_of(*operand).is_some_and(|outer| {
                all.is_around(outer, self.of) && all.first_and_next(*operand, outer).1.contains(&value)
            })
        });
        if let Some(counter) = counter.filter(|_| value.opcode() != Some(Opcode::LLVMPHI)) {
            return self.before(counter, depth);
        }
        let is_sum = value.shifted().is_some();
        let is_fit = !is_sum || all.names.is_in_scope(value, &self.view);
        if let Some(named) = all.names.lasting(value, &self.view).filter(|_| is_fit) {
            return self.push_named(value, named);
        }
        if self.length(value) || self.distance(value, depth) {
            return;
        }
        // The start of a counter has the counter's name only if no variable is known that it is computed from: the
        // start of `i = n - 1` is named after `n`.
        if let (Some(of), Some(deeper)) = (value.shifted(), depth.checked_sub(1))
            && (all.names.lasting(of, &self.view).is_some() || of.opcode() == Some(Opcode::LLVMLoad))
        {
            return self.before(of, deeper);
        }
        if let Some(deeper) = depth.checked_sub(1)
            && self.is_sum_of_variables(value)
        {
            return value.operands().into_iter().for_each(|operand| self.before(operand, deeper));
        }
        let is_read =
            matches!(value.opcode(), Some(Opcode::LLVMLoad | Opcode::LLVMCall | Opcode::LLVMInvoke));
        let is_named = !is_read && (!is_sum || depth == 0);
        if let Some(named) = all.names.variable(value, &self.view).filter(|_| is_named) {
            return self.push_named(value, named);
        }
        let Some(deeper) = depth.checked_sub(1) else { return self.push(value, source_of(value)) };
        let is_cast = stripped(value) != value;
        match value.opcode() {
            _ if is_cast => self.before(stripped(value), deeper),
            Some(
                Opcode::LLVMAdd
                | Opcode::LLVMSub
                | Opcode::LLVMMul
                | Opcode::LLVMShl
                | Opcode::LLVMLShr
                | Opcode::LLVMAShr
                | Opcode::LLVMUDiv
                | Opcode::LLVMSDiv
                | Opcode::LLVMURem
                | Opcode::LLVMSRem
                | Opcode::LLVMAnd
                | Opcode::LLVMOr
                | Opcode::LLVMXor
                | Opcode::LLVMFAdd
                | Opcode::LLVMFSub
                | Opcode::LLVMFMul
                | Opcode::LLVMFDiv
                | Opcode::LLVMFNeg
                | Opcode::LLVMICmp
                | Opcode::LLVMFCmp
                | Opcode::LLVMSelect
                | Opcode::LLVMExtractValue
                | Opcode::LLVMInsertValue,
            ) => value.operands().into_iter().for_each(|operand| self.before(operand, deeper)),
            Some(Opcode::LLVMCall) if value.callee().is_some_and(Value::is_intrinsic) => {
                let operands = (0..value.arguments()).map(|index| value.operand(index));
                operands.for_each(|operand| self.before(operand, deeper));
            }
            Some(Opcode::LLVMPHI) => match all.header_of(value) {
                Some(outer) if all.is_around(outer, self.of) => self.push(value, source_of(value)),
                // The value is the result of an earlier loop.
                Some(_) => self.push(value, source_of(value)),
                None => {
                    let incoming = value.incoming();
                    // A value that comes by one of several paths need not exist on the others.
                    if incoming.iter().all(|(value, _)| value.is_constant())
                        || !incoming.iter().all(|(value, _)| self.is_there(*value))
                    {
                        if !self.lengths_behind(value) {
                            self.push(value, source_of(value));
                        }
                    } else {
                        for (one, _) in incoming {
                            if self.seen.insert(one) {
                                self.before(one, deeper);
                            }
                        }
                    }
                }
            },
            Some(Opcode::LLVMGetElementPtr) => {
                // The end depends on the addends, and not on the beginning.
                let offset = value.offset(all.module);
                if offset.indices.iter().all(|(index, _)| index.is_constant()) {
                    self.before(offset.base, deeper);
                }
                offset.indices.iter().for_each(|(index, _)| self.before(*index, deeper));
            }
            Some(Opcode::LLVMAlloca) => {}
            Some(Opcode::LLVMLoad) if self.memory(value) => {}
            _ => self.push(value, source_of(value)),
        }
    }

    /// Returns true if a value is the sum or the difference of two integer variables that have no other values, and if
    /// there is room for both as inputs.
    fn is_sum_of_variables(&self, value: Value) -> bool {
        let names = &self.all.names;
        let is_variable = |operand: Value| {
            let term = operand.widened();
            term.ty().is_any_integer()
                && names.lasting(term, &self.view).is_some()
                && names.is_assigned_once(term, &self.view)
        };
        let is_sum = matches!(value.opcode(), Some(Opcode::LLVMAdd | Opcode::LLVMSub));
        is_sum && self.inputs.len() <= MOST_BEFORE_SUM && value.operands().into_iter().all(is_variable)
    }
}
