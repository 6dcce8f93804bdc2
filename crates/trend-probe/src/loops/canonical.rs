//! Gives each loop of the source a single latch.
//!
//! ```text
//!   while (a) {
//!       if (b) { …; continue; }     a latch
//!       …                           another one
//!   }
//! ```
//!
//! If one of these latches leaves a variable unchanged, LLVM treats them as two nested loops. The optimizer loses
//! nothing by this. The cost of a loop would be wrong, however: the inner loop would begin again with every
//! `continue`.

use inkwell::module::Module;

use crate::error::ProbeError;
use crate::flow::cycles::has_loop;
use crate::flow::graph::Graph;
use crate::flow::loops::Loop;
use crate::ir::builder::Builder;
use crate::ir::symbols;
use crate::ir::value::{Opcode, Value};
use crate::loops::debug::reader::Debug;
use crate::routines::marks::is_routine;

/// Passes that bring loops into the form that the analysis expects. They do not infer the effects of functions on
/// memory: functions will count, so calls of them must stay in place.
const CANONICAL: &str = "function(loop-simplify,lcssa,loop-mssa(licm))";

/// Brings loops into the form that the analysis expects.
pub(crate) fn canonicalize(
    module: &Module<'_>,
    run: impl Fn(&str) -> Result<(), ProbeError>,
) -> Result<(), ProbeError> {
    unite(module);
    run(CANONICAL)
}

/// Gives a single latch to all loops of a module that are one loop in the source.
pub(super) fn unite(module: &Module<'_>) {
    let (builder, debug) = (Builder::new(module), Debug::new(module));
    for function in symbols::functions(module).into_iter().filter(|f| is_routine(*f) && has_loop(*f)) {
        let graph = Graph::new(function);
        for one in graph.loops().iter().filter(|one| is_one(one, &graph, &debug)) {
            let ends: Vec<Value> =
                one.latches.iter().map(|latch| graph.blocks[*latch].terminator()).collect();
            let back = builder.gather(&ends, graph.blocks[one.header]);
            debug.move_loop(&ends, back);
        }
    }
}

/// Returns true if a loop with several latches is one loop in the source.
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
    let nodes: Vec<_> = ends().map(|end| debug.loop_of(end)).collect();
    let mut loops = nodes.iter().flatten();
    let first = loops.next();
    if !loops.all(|other| Some(other) == first) {
        return false;
    }
    // clang states no loop if variables are destroyed on the way, and rustc never does. A condition that is tested in
    // every trip hardly belongs to an inner loop.
    !nodes.contains(&None)
        || one.exits.iter().any(|(from, to)| !graph.is_abnormal[*to] && one.always_passes(graph, *from))
}
