//! Counts the costs of routines. The counters are inserted before optimization, so counts are those of the source's
//! blocks, however they are optimized. A loop with a known trip count is still counted by one addition, and still
//! vectorized.
//!
//! The optimizer must not move the sums out of reach. So they are passed to functions that do not exist. The optimizer
//! knows that these access no memory of the program.

use inkwell::module::Module;

use super::calls::{ends_in_tail_call, may_not_return};
use super::counters::updates_counter;
use super::marks::{is_part, is_routine};
use crate::ir::builder::Builder;
use crate::ir::symbols;
use crate::ir::value::{Block, Opcode, Value};
use crate::options::Unit;

/// Function that receives the cost before a call that may not return.
pub(crate) const BEFORE_CALL: &str = "trend.cost.before.call";

/// Function that receives the cost at an exit.
pub(crate) const AT_EXIT: &str = "trend.cost.at.exit";

/// Function that receives the cost of a part since the last time, before a call that may not return and at an
/// exit.
pub(crate) const OF_PART: &str = "trend.cost.of.part";

/// Value of the attribute `memory(inaccessiblemem: readwrite)`.
const INACCESSIBLE: u64 = 0b1100;

/// Inserts counters into all routines.
pub(crate) fn count(module: &Module<'_>, unit: Unit) {
    let builder = Builder::new(module);
    let [before_call, at_exit, of_part] = [BEFORE_CALL, AT_EXIT, OF_PART].map(|name| {
        let mark = builder.declare(name, &[builder.int64()]);
        mark.add_attribute("memory", INACCESSIBLE);
        mark.add_attribute("nounwind", 0);
        mark.add_attribute("willreturn", 0);
        mark
    });
    for function in symbols::functions(module).into_iter().filter(|f| is_routine(*f)) {
        let blocks = function.blocks();
        let long = builder.int64();
        // The variable belongs to the whole function. Once it is a register, nothing of it is left.
        let begin = blocks[0].instructions()[0];
        let sum = builder.before(begin).variable(long);
        builder.store(builder.constant(long, 0), sum);
        for block in &blocks {
            let weight = match unit {
                Unit::Blocks => u64::from(!only_counts(*block, &blocks)),
                Unit::Instructions => {
                    block.instructions().iter().filter(|of| is_counted(**of)).count() as u64
                }
                // The hooks read the clock.
                Unit::Nanoseconds => 0,
            };
            let instructions = block.instructions();
            if weight > 0 {
                let first = if *block == blocks[0] { begin } else { block.first_insertion_point() };
                let before = builder.before(first).load(long, sum);
                builder.store(builder.add(before, builder.constant(long, weight)), sum);
            }
            for instruction in instructions {
                let is_exit = matches!(instruction.opcode(), Some(Opcode::LLVMRet | Opcode::LLVMResume));
                // A call that must be a tail call is the exit, since nothing may stand after it.
                let mark =
                    if instruction.is_tail_call_that_must_be() || (is_exit && !ends_in_tail_call(*block)) {
                        at_exit
                    } else if may_not_return(instruction) {
                        before_call
                    } else {
                        continue;
                    };
                let so_far = builder.before(instruction).load(long, sum);
                if is_part(function) {
                    builder.call(of_part, &[so_far]);
                    builder.store(builder.constant(long, 0), sum);
                } else {
                    builder.call(mark, &[so_far]);
                }
            }
        }
    }
}

/// Returns true if a block only exists because the compiler counts in it. Without counters, its successor would have
/// taken its place.
fn only_counts(block: Block, blocks: &[Block]) -> bool {
    let [next] = block.successors()[..] else { return false };
    let end = block.terminator();
    let instructions = block.instructions();
    let is_more = instructions.iter().any(|of| *of != end && !updates_counter(*of));
    if block == blocks[0] || next == block || instructions.len() == 1 || is_more {
        return false;
    }
    // Phis must not distinguish this block from the blocks before it.
    let phis = next.instructions().into_iter().take_while(|of| of.opcode() == Some(Opcode::LLVMPHI));
    phis.map(Value::incoming).all(|incoming| {
        let own = incoming.iter().find(|(_, from)| *from == block).map(|(value, _)| *value);
        incoming.iter().all(|(value, from)| Some(*value) == own || !from.successors().contains(&block))
    })
}

fn is_counted(instruction: Value) -> bool {
    match instruction.opcode() {
        Some(Opcode::LLVMPHI | Opcode::LLVMAlloca) => false,
        Some(Opcode::LLVMCall) => instruction.callee().is_none_or(|callee| !is_note(&callee.name())),
        _ => !updates_counter(instruction),
    }
}

/// Returns true for an intrinsic that generates no code.
fn is_note(name: &str) -> bool {
    ["llvm.lifetime", "llvm.dbg", "llvm.assume", "llvm.experimental.noalias"]
        .iter()
        .any(|n| name.starts_with(n))
}
