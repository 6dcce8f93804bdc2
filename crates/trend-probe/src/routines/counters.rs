//! Counters that compilers insert, whose updates are not work of the program.

use crate::ir::pointer::base;
use crate::ir::value::{Opcode, Value};

/// Returns true if an instruction belongs to the update of a compiler's counter.
pub(crate) fn updates_counter(instruction: Value) -> bool {
    match instruction.opcode() {
        Some(Opcode::LLVMLoad | Opcode::LLVMAtomicRMW) => is_of_tools(instruction.operand(0)),
        Some(Opcode::LLVMStore) => is_of_tools(instruction.operand(1)),
        Some(Opcode::LLVMAdd) => {
            let sum = instruction.operand(0);
            sum.opcode() == Some(Opcode::LLVMLoad) && updates_counter(sum)
        }
        _ => false,
    }
}

/// Returns true if a pointer points to a counter of the compiler, not to data of the program.
pub(crate) fn is_of_tools(pointer: Value) -> bool {
    let base = base(pointer);
    base.is_global_variable() && ["__prof", "__llvm_", "trend"].iter().any(|n| base.name().starts_with(n))
}
