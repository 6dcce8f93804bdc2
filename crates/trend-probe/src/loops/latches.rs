//! Gives a loop one way back where the source has one loop.
//!
//! ```text
//!   while (a) {
//!       if (b) { …; continue; }     a way back
//!       …                           another one
//!   }
//! ```
//!
//! LLVM takes such ways for two loops, one in the other, where one of them leaves a variable as it is: for the optimizer that is as
//! good. For what a loop costs it is not: the inner one would begin anew with every `continue`.

use inkwell::module::Module;

use super::debug::Debug;
use super::graph::{Graph, Loop};
use crate::ir::{self, Builder, Opcode, Value};
use crate::routines::{has_loop, is_routine};

/// Gives all loops of a module that are one in the source one way back.
pub(super) fn unite(module: &Module<'_>) {
    let (builder, debug) = (Builder::new(module), Debug::new(module));
    for function in ir::functions(module).into_iter().filter(|f| is_routine(*f) && has_loop(*f)) {
        let graph = Graph::new(function);
        for one in graph.loops().iter().filter(|one| is_one(one, &graph, &debug)) {
            let ends: Vec<Value> =
                one.latches.iter().map(|latch| graph.blocks[*latch].terminator()).collect();
            let back = builder.gather(&ends, graph.blocks[one.header]);
            debug.move_loop(&ends, back);
        }
    }
}

/// Whether a loop with several ways back is one in the source.
fn is_one(one: &Loop, graph: &Graph, debug: &Debug) -> bool {
    let ends = || one.latches.iter().map(|latch| graph.blocks[*latch].terminator());
    let can_be_moved =
        |end: Value| matches!(end.opcode(), Some(Opcode::LLVMBr | Opcode::LLVMSwitch | Opcode::LLVMInvoke));
    if one.latches.len() < 2
        || !ends().all(can_be_moved)
        || graph.blocks[one.header]
            .instructions()
            .iter()
            .any(|of| of.opcode() == Some(Opcode::LLVMLandingPad))
    {
        return false;
    }
    let said: Vec<_> = ends().map(|end| debug.loop_of(end)).collect();
    let mut loops = said.iter().flatten();
    let first = loops.next();
    if !loops.all(|other| Some(other) == first) {
        return false;
    }
    // clang says nothing where variables are destroyed on the way, and rustc never. What is asked in every trip whether it goes on is
    // hardly the question of a loop inside.
    !said.contains(&None)
        || one.exits.iter().any(|(from, to)| {
            !graph.is_abnormal[*to] && one.latches.iter().all(|latch| graph.dominates(*from, *latch))
        })
}
