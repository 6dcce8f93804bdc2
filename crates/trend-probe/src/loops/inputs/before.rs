//! Values from before the loop: by their names, or by the names of the values that they are computed from.

use super::input::source_of;
use super::search::{MOST, Search};
use crate::ir::instruction::stripped;
use crate::ir::value::{Opcode, Value};

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
        // The start of a counter gets the counter's name only if it has no other names: `i = n - m` is named by `n`
        // and `m`.
        if let Some(deeper) = depth.checked_sub(1).filter(|deeper| self.is_polynomial(value, *deeper)) {
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

    /// Returns true if a value is a sum or a product of values that have lasting names.
    fn is_polynomial(&self, value: Value, depth: usize) -> bool {
        let is_term = |operand: Value| {
            let term = stripped(operand);
            term.is_constant()
                || term.opcode() == Some(Opcode::LLVMLoad)
                || self.all.names.lasting(term, &self.view).is_some()
                || depth.checked_sub(1).is_some_and(|deeper| self.is_polynomial(term, deeper))
        };
        match value.opcode() {
            Some(Opcode::LLVMAdd | Opcode::LLVMSub | Opcode::LLVMMul) => {}
            Some(Opcode::LLVMShl) if value.operand(1).is_constant() => {}
            _ => return false,
        }
        value.operands().into_iter().all(is_term)
    }
}
