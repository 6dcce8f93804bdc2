//! Blocks that only run on the way to an abnormal end, or while an exception leaves the function.

use crate::ir::value::{Block, Opcode, Value};

/// Returns true for each block that cannot reach a `ret` without an exception. Blocks in an endless cycle are not
/// included.
pub(super) fn abnormal(
    blocks: &[Block],
    successors: &[Vec<usize>],
    predecessors: &[Vec<usize>],
) -> Vec<bool> {
    let mut is_abnormal = vec![false; blocks.len()];
    let mut next: Vec<usize> = Vec::new();
    for (number, block) in blocks.iter().enumerate() {
        let begins_with_exception =
            block.instructions().iter().any(|of| of.opcode() == Some(Opcode::LLVMLandingPad));
        let ends_badly =
            matches!(block.terminator().opcode(), Some(Opcode::LLVMUnreachable | Opcode::LLVMResume));
        if begins_with_exception || ends_badly {
            is_abnormal[number] = true;
            next.extend(&predecessors[number]);
        }
    }
    while let Some(block) = next.pop() {
        if !is_abnormal[block]
            && !successors[block].is_empty()
            && successors[block].iter().all(|to| is_abnormal[*to])
        {
            is_abnormal[block] = true;
            next.extend(&predecessors[block]);
        }
    }
    is_abnormal
}

/// Returns true for each block of cleanup: it is reached only through landing pads, it cannot be reached from a block
/// that catches the exception, and it cannot reach a `ret`.
pub(super) fn cleanup(blocks: &[Block], successors: &[Vec<usize>], predecessors: &[Vec<usize>]) -> Vec<bool> {
    let is_landing = |number: usize| {
        blocks[number].instructions().iter().any(|of| of.opcode() == Some(Opcode::LLVMLandingPad))
    };
    let returns =
        (0..blocks.len()).filter(|number| blocks[*number].terminator().opcode() == Some(Opcode::LLVMRet));
    let catches = |number: &usize| {
        let calls = blocks[*number].instructions().into_iter();
        let calls = calls.filter(|of| of.opcode() == Some(Opcode::LLVMCall) && !of.is_assembly());
        let mut callees = calls.filter_map(Value::callee);
        callees.any(|callee| callee.name() == "__cxa_begin_catch")
    };
    let is_caught = reached((0..blocks.len()).filter(catches).collect(), successors, |_| true);
    let is_normal = reached(vec![0], successors, |number| !is_landing(number));
    let may_return = reached(returns.collect(), predecessors, |_| true);
    (0..blocks.len()).map(|of| !is_normal[of] && !may_return[of] && !is_caught[of]).collect()
}

/// Returns true for each block that can be reached by edges through blocks for which `may_be` is true.
fn reached(mut next: Vec<usize>, edges: &[Vec<usize>], may_be: impl Fn(usize) -> bool) -> Vec<bool> {
    let mut is_reached = vec![false; edges.len()];
    while let Some(block) = next.pop() {
        if !is_reached[block] && may_be(block) {
            is_reached[block] = true;
            next.extend(&edges[block]);
        }
    }
    is_reached
}
