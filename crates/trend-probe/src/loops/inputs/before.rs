//! Values from before the loop: by their names, or by the names of the values that they are computed from.

use std::collections::HashSet;

use trend_runtime::loop_record::MOST_INPUTS;

use super::input::source_of;
use super::search::{DEEPEST, MOST, Search};
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
        let is_computed = depth > 0 && self.is_computed_from_variables(value);
        let named = all.names.lasting(value, &self.view);
        if let Some(named) = named.filter(|_| is_fit && !is_computed) {
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
        if let Some(deeper) = depth.checked_sub(1).filter(|_| is_computed) {
            let operands = arithmetic_operands(value.widened()).unwrap_or_default();
            return operands.into_iter().for_each(|operand| self.before(operand, deeper));
        }
        let is_read =
            matches!(value.opcode(), Some(Opcode::LLVMLoad | Opcode::LLVMCall | Opcode::LLVMInvoke));
        let is_named = !is_read && (!is_sum || depth == 0);
        if let Some(named) = all.names.variable(value, &self.view).filter(|_| is_named) {
            return self.push_named(value, named);
        }
        let Some(deeper) = depth.checked_sub(1) else { return self.push(value, source_of(value)) };
        if let Some(from) = value.casts().nth(1) {
            return self.before(from, deeper);
        }
        match value.opcode() {
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

    /// Returns true if the variables that a value is computed from replace the value as inputs. The value has no
    /// lasting name, or it changes with the counter of an outer loop: `end = min(8 * b + 8, n)`. There must be room
    /// for all variables.
    fn is_computed_from_variables(&self, value: Value) -> bool {
        self.variables_behind(value, DEEPEST).is_some_and(|behind| {
            !behind.variables.is_empty()
                && !behind.variables.contains(&value.widened())
                && self.has_room(&behind.variables)
        })
    }

    /// Returns true if variables, together with the inputs that a loop has already, are few enough to be recorded.
    fn has_room(&self, variables: &HashSet<Value>) -> bool {
        let named = variables.iter().filter_map(|one| self.all.names.lasting(*one, &self.view));
        let mut names: HashSet<String> = named.map(|named| named.name).collect();
        names.extend(self.inputs.iter().map(|input| input.name.clone()));
        names.len() <= MOST_INPUTS
    }

    /// Returns the integer variables that a value is computed from, by sums, products, minima and maxima. Each of them
    /// has one value, or is the counter of an outer loop. Returns `None` if the value depends on something else.
    fn variables_behind(&self, value: Value, depth: usize) -> Option<Behind> {
        let (all, term, deeper) = (self.all, value.widened(), depth.checked_sub(1)?);
        if term.signed().is_some() {
            return Some(Behind::default());
        }
        let is_lasting = all.names.lasting(term, &self.view).is_some();
        let of_operands = || {
            let mut behind = Behind::default();
            for operand in arithmetic_operands(term)? {
                let of_operand = self.variables_behind(operand, deeper)?;
                behind.variables.extend(of_operand.variables);
                behind.has_counter |= of_operand.has_counter;
            }
            Some(behind)
        };
        if let Some(behind) = of_operands().filter(|behind| behind.has_counter || !is_lasting) {
            return Some(behind);
        }
        let has_counter = all.header_of(term).is_some_and(|outer| all.is_around(outer, self.of));
        let is_variable =
            is_lasting && term.ty().is_any_integer() && all.names.is_assigned_once(term, &self.view);
        is_variable.then(|| Behind { variables: HashSet::from([term]), has_counter })
    }
}

/// Variables that a value is computed from.
#[derive(Default)]
struct Behind {
    variables: HashSet<Value>,
    /// True if the counter of an outer loop is one of them.
    has_counter: bool,
}

/// Returns the operands of a sum, a difference, a product, a minimum or a maximum, and the value that a constant shift
/// multiplies.
fn arithmetic_operands(value: Value) -> Option<Vec<Value>> {
    match value.opcode()? {
        Opcode::LLVMAdd | Opcode::LLVMSub | Opcode::LLVMMul => Some(value.operands()),
        Opcode::LLVMShl if value.operand(1).signed().is_some() => Some(vec![value.operand(0)]),
        _ => value.extreme().map(|extreme| extreme.of.to_vec()),
    }
}
