//! Calls that may not return, that return twice, or that wait for others.

use super::counters::updates_counter;
use crate::ir::value::{Block, Opcode, Value};

/// Returns true for a call after which the caller may not continue.
pub(crate) fn may_not_return(instruction: Value) -> bool {
    match instruction.opcode() {
        Some(Opcode::LLVMInvoke) => true,
        Some(Opcode::LLVMCall) => {
            !instruction.is_assembly()
                && instruction
                    .callee()
                    .is_none_or(|callee| !callee.is_intrinsic() && !callee.name().starts_with("trend."))
        }
        _ => false,
    }
}

/// Returns true if a function has a call that can return a second time.
pub(crate) fn has_jump(function: Value) -> bool {
    let is_jump = |of: &Value| of.opcode() == Some(Opcode::LLVMCall) && returns_twice(*of);
    function.blocks().iter().any(|block| block.instructions().iter().any(is_jump))
}

/// Returns true if a call can return a second time, as `setjmp` does.
pub(crate) fn returns_twice(call: Value) -> bool {
    call.has_attribute("returns_twice")
        || call.callee().is_some_and(|callee| callee.has_attribute("returns_twice"))
}

pub(crate) fn ends_in_tail_call(block: Block) -> bool {
    block.instructions().iter().any(|of| of.is_tail_call_that_must_be())
}

/// Returns true if others can have written by the end of an instruction: calls, and accesses that are visible to other
/// threads.
pub(crate) fn may_wait(instruction: Value) -> bool {
    match instruction.opcode() {
        _ if updates_counter(instruction) => false,
        Some(Opcode::LLVMFence | Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg) => true,
        Some(Opcode::LLVMLoad | Opcode::LLVMStore) => instruction.is_volatile_or_atomic(),
        _ => may_not_return(instruction),
    }
}
