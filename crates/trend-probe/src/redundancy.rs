//! Accesses that cannot be the first of their activation.

use std::collections::HashMap;

use petgraph::algo::dominators;
use petgraph::graph::{DiGraph, NodeIndex};

use crate::accesses::{self, Access, Kind, Size};
use crate::ir::{Block, Opcode, Value};
use crate::routines::may_not_return;

/// Leaves out what need not be watched: variables that no other routine can reach, and what is accessed by the same pointer
/// on every way there. An activation's first access makes a cell its own for good, whatever it calls, unless others are watched:
/// then until they may have written, which is at calls and where threads synchronise.
pub(crate) fn needed(function: Value, all: Vec<Access>, is_dynamic: bool) -> Vec<Access> {
    let waits = |instruction: &Value| is_dynamic && may_wait(*instruction);
    let is_interrupted = function.blocks().iter().any(|block| block.instructions().iter().any(waits));
    let mut is_private: HashMap<Value, bool> = HashMap::new();
    let reachable: Vec<Access> = all
        .into_iter()
        .filter(|access| {
            let base = accesses::base(access.pointer);
            base.opcode() != Some(Opcode::LLVMAlloca)
                || !*is_private.entry(base).or_insert_with(|| !escapes(base))
        })
        .collect();
    let mut by_block: HashMap<Block, Vec<Access>> = HashMap::new();
    for access in reachable {
        by_block.entry(access.at.block()).or_default().push(access);
    }
    let mut needed = Vec::new();
    let mut known: HashMap<Value, Known> = HashMap::new();
    walk(function, |step| match step {
        Step::Into(block) => {
            let mut undo = Vec::new();
            let accesses = by_block.remove(&block).unwrap_or_default();
            if is_interrupted {
                needed.extend(needed_in_block(block, accesses));
                return undo;
            }
            for access in accesses {
                let Size::Known(size) = access.size else {
                    needed.push(access);
                    continue;
                };
                let before = known.get(&access.pointer).copied();
                if let Some(after) = before.unwrap_or_default().with(access.kind, size, is_dynamic) {
                    undo.push((access.pointer, before));
                    known.insert(access.pointer, after);
                    needed.push(access);
                }
            }
            undo
        }
        Step::Out(undo) => {
            for (pointer, before) in undo.into_iter().rev() {
                match before {
                    Some(before) => known.insert(pointer, before),
                    None => known.remove(&pointer),
                };
            }
            Vec::new()
        }
    });
    needed
}

/// How many bytes from a pointer on are known to be accessed, and written.
#[derive(Clone, Copy, Default)]
struct Known {
    accessed: u64,
    written: u64,
}

impl Known {
    /// With one more access; `None` where that changes nothing. A write of what was read matters to others that are watched.
    fn with(self, kind: Kind, size: u64, is_dynamic: bool) -> Option<Self> {
        let is_write = is_dynamic && kind == Kind::Write;
        let before = if is_write { self.written } else { self.accessed };
        (before < size).then(|| Self {
            accessed: self.accessed.max(size),
            written: if is_write { size } else { self.written },
        })
    }
}

/// Those of one block, in which nothing is known across what may wait for others.
fn needed_in_block(block: Block, accesses: Vec<Access>) -> Vec<Access> {
    let mut accesses = accesses.into_iter().peekable();
    let mut needed = Vec::new();
    let mut known: HashMap<Value, Known> = HashMap::new();
    for instruction in block.instructions() {
        let waits = may_wait(instruction);
        while let Some(access) = accesses.next_if(|access| access.at == instruction) {
            let Size::Known(size) = access.size else {
                needed.push(access);
                continue;
            };
            let before = known.get(&access.pointer).copied().unwrap_or_default();
            let after = before.with(access.kind, size, true);
            if waits || after.is_some() {
                known.insert(access.pointer, after.unwrap_or(before));
                needed.push(access);
            }
        }
        if waits {
            known.clear();
        }
    }
    needed
}

/// Whether others can have written when it is done: calls, and accesses that threads see of each other.
fn may_wait(instruction: Value) -> bool {
    match instruction.opcode() {
        _ if accesses::updates_counter(instruction) => false,
        Some(Opcode::LLVMFence | Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg) => true,
        Some(Opcode::LLVMLoad | Opcode::LLVMStore) => instruction.is_volatile_or_atomic(),
        _ => may_not_return(instruction),
    }
}

type Undo = Vec<(Value, Option<Known>)>;

enum Step {
    Into(Block),
    Out(Undo),
}

/// What is left to do of a walk.
enum Task {
    Into(NodeIndex),
    Out(Undo),
}

/// Visits the blocks along the tree of dominators: whatever is visited between a block's `Into` and `Out` runs after it.
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

/// Whether the address of a local variable gets to where others could use it.
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
