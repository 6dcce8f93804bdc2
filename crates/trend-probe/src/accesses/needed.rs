//! Leaves out accesses that cannot be the first of their activation.

use std::collections::HashMap;

use inkwell::module::Module;
use petgraph::algo::dominators;
use petgraph::graph::{DiGraph, NodeIndex};

use super::access::{Access, Kind, Size};
use super::addresses::{self, Sum};
use super::hoisted::hoisted;
use super::joined::together;
use super::placed::Placed;
use super::ranges::Ranges;
use super::repeated::mark_repeated;
use crate::ir::pointer::base;
use crate::ir::value::{Block, Opcode, Value};
use crate::options::Options;
use crate::routines::calls::{has_jump, may_wait};

/// Returns the accesses that must be watched. Leaves out variables that no other routine can reach, and bytes that
/// are accessed on every path to the access. After an activation's first access to a cell, its later accesses never
/// count, whatever it calls. If writes of the kernel and of other threads are watched, this only holds until they may
/// have written: at calls, and where threads synchronize. Adjacent accesses are joined.
pub(crate) fn needed(
    function: Value,
    all: Vec<Access>,
    module: &Module<'_>,
    options: Options,
) -> Vec<Access> {
    let is_dynamic = options.is_dynamic;
    let waits = |instruction: &Value| is_dynamic && may_wait(*instruction);
    let is_interrupted = function.blocks().iter().any(|block| block.instructions().iter().any(waits));
    let mut is_private: HashMap<Value, bool> = HashMap::new();
    let mut reachable = Vec::new();
    for access in all {
        let base = base(access.pointer);
        let is_local = base.opcode() == Some(Opcode::LLVMAlloca);
        if !is_local || !*is_private.entry(base).or_insert_with(|| !escapes(base)) {
            let mut address = addresses::address_of(access.pointer, module);
            address.offset += access.offset;
            reachable.push(Placed { access, address });
        }
    }
    if !is_dynamic {
        // A write to bytes that were read before changes nothing, and would keep reads from being hoisted.
        let first = first_on_paths(function, reachable, is_dynamic, |_, accesses| accesses);
        reachable = hoisted(function, first, module);
    }
    let needed = if is_interrupted {
        needed_in_blocks(function, reachable, options)
    } else {
        first_on_paths(function, reachable, is_dynamic, |block, accesses| together(block, accesses, options))
    };
    let mut needed: Vec<Access> = needed.into_iter().map(|placed| placed.access).collect();
    // A `longjmp` to a `setjmp` in a loop may skip the rest of the first trip.
    if !is_dynamic && !has_jump(function) {
        mark_repeated(function, &mut needed, module);
    }
    needed
}

/// Returns the accesses, or their parts, to bytes that are not accessed on every path to them. `join` may join the
/// accesses of a block.
fn first_on_paths(
    function: Value,
    accesses: Vec<Placed>,
    is_dynamic: bool,
    join: impl Fn(Block, Vec<Placed>) -> Vec<Placed>,
) -> Vec<Placed> {
    let mut by_block = by_block(accesses);
    let mut first = Vec::new();
    let mut accessed: HashMap<Sum, AccessedBytes> = HashMap::new();
    walk(function, |step| match step {
        Step::Into(block) => {
            let mut undo = Vec::new();
            for placed in join(block, by_block.remove(&block).unwrap_or_default()) {
                let sum = placed.address.sum.clone();
                let before = accessed.get(&sum).cloned();
                let mut after = before.clone().unwrap_or_default();
                let Some(placed) = after.with(placed, is_dynamic) else { continue };
                if let Size::Known(_) = placed.access.size {
                    undo.push((sum.clone(), before));
                    accessed.insert(sum, after);
                }
                first.push(placed);
            }
            undo
        }
        Step::Out(undo) => {
            for (sum, before) in undo.into_iter().rev() {
                match before {
                    Some(before) => accessed.insert(sum, before),
                    None => accessed.remove(&sum),
                };
            }
            Vec::new()
        }
    });
    first
}

fn by_block(accesses: Vec<Placed>) -> HashMap<Block, Vec<Placed>> {
    let mut by_block: HashMap<Block, Vec<Placed>> = HashMap::new();
    for placed in accesses {
        by_block.entry(placed.access.at.block()).or_default().push(placed);
    }
    by_block
}

/// Bytes at offsets from a sum that are known to be accessed, and to be written.
#[derive(Clone, Default)]
struct AccessedBytes {
    accessed: Ranges,
    written: Ranges,
}

impl AccessedBytes {
    /// Adds an access. Returns the part of it that must be watched. If writes of other threads are watched, a write
    /// to bytes that were only read matters to other threads.
    fn with(&mut self, placed: Placed, is_dynamic: bool) -> Option<Placed> {
        let Some(bytes) = placed.bytes() else { return Some(placed) };
        let is_write = is_dynamic && placed.access.kind == Kind::Write;
        let missing = if is_write { &self.written } else { &self.accessed }.missing(bytes)?;
        self.accessed.add(bytes);
        if is_write {
            self.written.add(bytes);
        }
        Some(if missing == bytes { placed } else { Placed::covering(missing, &[&placed]) })
    }
}

/// Returns the needed accesses of each block. Nothing is known across instructions that may wait for the kernel or
/// other threads.
fn needed_in_blocks(function: Value, accesses: Vec<Placed>, options: Options) -> Vec<Placed> {
    let mut by_block = by_block(accesses);
    let mut needed = Vec::new();
    for block in function.blocks() {
        let accesses = together(block, by_block.remove(&block).unwrap_or_default(), options);
        let mut accesses = accesses.into_iter().peekable();
        let mut accessed_by_sum: HashMap<Sum, AccessedBytes> = HashMap::new();
        for instruction in block.instructions() {
            let waits = may_wait(instruction);
            while let Some(placed) = accesses.next_if(|placed| placed.access.at == instruction) {
                let accessed = accessed_by_sum.entry(placed.address.sum.clone()).or_default();
                needed.extend(if waits { Some(placed) } else { accessed.with(placed, true) });
            }
            if waits {
                accessed_by_sum.clear();
            }
        }
    }
    needed
}

type Undo = Vec<(Sum, Option<AccessedBytes>)>;

enum Step {
    Into(Block),
    Out(Undo),
}

/// Remaining step of a walk.
enum Task {
    Into(NodeIndex),
    Out(Undo),
}

/// Visits the blocks along the dominator tree. Blocks that are visited between a block's `Into` and `Out` run after it.
fn walk(function: Value, mut visit: impl FnMut(Step) -> Undo) {
    let blocks = function.blocks();
    let mut graph = DiGraph::<Block, ()>::new();
    let nodes: HashMap<Block, NodeIndex> =
        blocks.iter().map(|block| (*block, graph.add_node(*block))).collect();
    for block in &blocks {
        for next in block.successors() {
            graph.update_edge(nodes[block], nodes[&next], ());
        }
    }
    let tree = dominators::simple_fast(&graph, nodes[&blocks[0]]);
    let mut children: HashMap<NodeIndex, Vec<NodeIndex>> = HashMap::new();
    for node in graph.node_indices() {
        if let Some(parent) = tree.immediate_dominator(node) {
            children.entry(parent).or_default().push(node);
        }
    }
    let mut tasks = vec![Task::Into(nodes[&blocks[0]])];
    while let Some(task) = tasks.pop() {
        match task {
            Task::Into(node) => {
                let undo = visit(Step::Into(graph[node]));
                tasks.push(Task::Out(undo));
                tasks.extend(children.remove(&node).unwrap_or_default().into_iter().map(Task::Into));
            }
            Task::Out(undo) => {
                visit(Step::Out(undo));
            }
        }
    }
}

/// Returns true if the address of a local variable escapes to other functions or threads.
fn escapes(variable: Value) -> bool {
    let mut pointers = vec![variable];
    let mut seen = Vec::new();
    while let Some(pointer) = pointers.pop() {
        if seen.contains(&pointer) {
            continue;
        }
        seen.push(pointer);
        for user in pointer.users() {
            match user.opcode() {
                Some(Opcode::LLVMLoad | Opcode::LLVMICmp) => {}
                Some(Opcode::LLVMStore) if user.operand(0) != pointer => {}
                Some(
                    Opcode::LLVMGetElementPtr | Opcode::LLVMBitCast | Opcode::LLVMPHI | Opcode::LLVMSelect,
                ) => pointers.push(user),
                Some(Opcode::LLVMCall)
                    if user.callee().is_some_and(|callee| {
                        let name = callee.name();
                        name.starts_with("llvm.lifetime") || name.starts_with("llvm.mem")
                    }) => {}
                _ => return true,
            }
        }
    }
    false
}
