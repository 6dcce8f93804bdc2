//! Leaves out accesses that cannot be the first of their activation.

use std::collections::HashMap;

use petgraph::algo::dominators;
use petgraph::graph::{DiGraph, NodeIndex};

use inkwell::module::Module;

use crate::Options;
use crate::accesses::{self, Access, Kind, Size};
use crate::addresses::{self, Address, Sum};
use crate::ir::{Block, Opcode, Value};
use crate::ranges;
use crate::routines::may_not_return;

/// Maximum number of bytes that are checked together.
const MOST_TOGETHER: i64 = 64;

/// Returns the accesses that must be watched. Leaves out variables that no other routine can reach, and bytes that are
/// accessed on every path to the access. An activation's first access makes a cell its own for good, whatever it calls.
/// If others are watched, this only holds until they may have written: at calls, and where threads synchronize.
/// Adjacent accesses are joined.
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
        let base = accesses::base(access.pointer);
        let is_local = base.opcode() == Some(Opcode::LLVMAlloca);
        if !is_local || !*is_private.entry(base).or_insert_with(|| !escapes(base)) {
            let mut address = addresses::of(access.pointer, module);
            address.offset += access.offset;
            reachable.push(Placed { access, address });
        }
    }
    if !is_dynamic {
        // A write to bytes that were read before changes nothing, and would keep reads from being hoisted.
        let first = first_on_paths(function, reachable, is_dynamic, |_, accesses| accesses);
        reachable = ranges::hoisted(function, first, module);
    }
    let needed = if is_interrupted {
        needed_in_blocks(function, reachable, options)
    } else {
        first_on_paths(function, reachable, is_dynamic, |block, accesses| together(block, accesses, options))
    };
    needed.into_iter().map(|placed| placed.access).collect()
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
    let mut known: HashMap<Sum, Known> = HashMap::new();
    walk(function, |step| match step {
        Step::Into(block) => {
            let mut undo = Vec::new();
            for placed in join(block, by_block.remove(&block).unwrap_or_default()) {
                let sum = placed.address.sum.clone();
                let before = known.get(&sum).cloned();
                let mut after = before.clone().unwrap_or_default();
                let Some(placed) = after.with(placed, is_dynamic) else { continue };
                if let Size::Known(_) = placed.access.size {
                    undo.push((sum.clone(), before));
                    known.insert(sum, after);
                }
                first.push(placed);
            }
            undo
        }
        Step::Out(undo) => {
            for (sum, before) in undo.into_iter().rev() {
                match before {
                    Some(before) => known.insert(sum, before),
                    None => known.remove(&sum),
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

/// An access and its address.
pub(crate) struct Placed {
    pub(crate) access: Access,
    pub(crate) address: Address,
}

impl Placed {
    /// Returns the range of bytes behind the sum that is accessed, if its length is known.
    fn bytes(&self) -> Option<(i64, i64)> {
        match self.access.size {
            Size::Known(size) => Some((self.address.offset, self.address.offset.checked_add_unsigned(size)?)),
            Size::Computed(_) => None,
        }
    }

    /// Returns an access to a range of the bytes that `others` access.
    fn of((from, to): (i64, i64), others: &[&Self]) -> Self {
        let first = others[0];
        let alignment = |other: &&Self| {
            let apart = from.wrapping_sub(other.address.offset);
            other.access.alignment.min(1 << apart.trailing_zeros().min(62))
        };
        let access = Access {
            offset: first.access.offset + (from - first.address.offset),
            size: Size::Known((to - from).unsigned_abs()),
            alignment: others.iter().map(alignment).max().unwrap_or(1),
            ..first.access
        };
        Self { access, address: Address { sum: first.address.sum.clone(), offset: from } }
    }
}

/// Bytes behind a sum that are known to be accessed, and to be written.
#[derive(Clone, Default)]
struct Known {
    accessed: Ranges,
    written: Ranges,
}

impl Known {
    /// Adds an access. Returns the part of it that must be watched. If others are watched, a write to bytes that were
    /// only read matters to them.
    fn with(&mut self, placed: Placed, is_dynamic: bool) -> Option<Placed> {
        let Some(bytes) = placed.bytes() else { return Some(placed) };
        let is_write = is_dynamic && placed.access.kind == Kind::Write;
        let missing = if is_write { &self.written } else { &self.accessed }.missing(bytes)?;
        self.accessed.add(bytes);
        if is_write {
            self.written.add(bytes);
        }
        Some(if missing == bytes { placed } else { Placed::of(missing, &[&placed]) })
    }
}

/// Ascending ranges that do not touch each other.
#[derive(Clone, Default)]
pub(crate) struct Ranges(Vec<(i64, i64)>);

impl Ranges {
    pub(crate) fn iter(&self) -> impl Iterator<Item = (i64, i64)> {
        self.0.iter().copied()
    }

    /// Returns the range without those parts of its beginning and its end that are in these ranges.
    fn missing(&self, (mut from, mut to): (i64, i64)) -> Option<(i64, i64)> {
        for (first, last) in &self.0 {
            if (*first..*last).contains(&from) {
                from = *last;
            }
            if *first < to && to <= *last {
                to = *first;
            }
        }
        (from < to).then_some((from, to))
    }

    pub(crate) fn add(&mut self, (mut from, mut to): (i64, i64)) {
        self.0.retain(|(first, last)| {
            let touches = *first <= to && from <= *last;
            if touches {
                (from, to) = (from.min(*first), to.max(*last));
            }
            !touches
        });
        let at = self.0.partition_point(|(first, _)| *first < from);
        self.0.insert(at, (from, to));
    }
}

/// Joins accesses of one kind to adjacent whole cells of 4 bytes. Nothing between them may change which cells are new.
fn together(block: Block, accesses: Vec<Placed>, options: Options) -> Vec<Placed> {
    if options.cell_shift != 2 || accesses.len() < 2 {
        return accesses;
    }
    let mut accesses = accesses.into_iter().peekable();
    let mut all = Vec::new();
    let mut group: Vec<Placed> = Vec::new();
    for instruction in block.instructions() {
        let waits = may_not_return(instruction) || (options.is_dynamic && may_wait(instruction));
        if waits {
            all.extend(joined(&std::mem::take(&mut group)));
        }
        while let Some(placed) = accesses.next_if(|placed| placed.access.at == instruction) {
            if group.last().is_some_and(|last| last.access.kind != placed.access.kind) {
                all.extend(joined(&std::mem::take(&mut group)));
            }
            group.push(placed);
        }
        if waits {
            all.extend(joined(&std::mem::take(&mut group)));
        }
    }
    all.extend(joined(&group));
    all
}

/// Joins adjacent accesses. A joined access is at the first of its members.
fn joined(group: &[Placed]) -> Vec<Placed> {
    let is_whole = |placed: &Placed| {
        let size = |(from, to): (i64, i64)| to - from;
        placed.access.alignment >= 4
            && placed.bytes().is_some_and(|bytes| size(bytes) % 4 == 0 && size(bytes) <= MOST_TOGETHER)
    };
    let mut is_done = vec![false; group.len()];
    let mut all = Vec::new();
    for first in 0..group.len() {
        if is_done[first] {
            continue;
        }
        let mut members = vec![first];
        if let Some(mut range) = group[first].bytes().filter(|_| is_whole(&group[first])) {
            let others = || {
                (first + 1..group.len()).filter(|other| group[*other].address.sum == group[first].address.sum)
            };
            while let Some((other, wider)) =
                others().filter(|other| !is_done[*other] && !members.contains(other)).find_map(|other| {
                    let (from, to) = group[other].bytes().filter(|_| is_whole(&group[other]))?;
                    let wider = (range.0.min(from), range.1.max(to));
                    let touches = from <= range.1 && range.0 <= to;
                    (touches && wider.1 - wider.0 <= MOST_TOGETHER).then_some((other, wider))
                })
            {
                members.push(other);
                range = wider;
            }
            if members.len() > 1 {
                let those: Vec<&Placed> = members.iter().map(|of| &group[*of]).collect();
                all.push(Placed::of(range, &those));
                for of in members {
                    is_done[of] = true;
                }
                continue;
            }
        }
        let Placed { access, address } = &group[first];
        all.push(Placed { access: *access, address: address.clone() });
    }
    all
}

/// Returns the needed accesses of each block. Nothing is known across instructions that may wait for others.
fn needed_in_blocks(function: Value, accesses: Vec<Placed>, options: Options) -> Vec<Placed> {
    let mut by_block = by_block(accesses);
    let mut needed = Vec::new();
    for block in function.blocks() {
        let accesses = together(block, by_block.remove(&block).unwrap_or_default(), options);
        let mut accesses = accesses.into_iter().peekable();
        let mut known: HashMap<Sum, Known> = HashMap::new();
        for instruction in block.instructions() {
            let waits = may_wait(instruction);
            while let Some(placed) = accesses.next_if(|placed| placed.access.at == instruction) {
                let known = known.entry(placed.address.sum.clone()).or_default();
                needed.extend(if waits { Some(placed) } else { known.with(placed, true) });
            }
            if waits {
                known.clear();
            }
        }
    }
    needed
}

/// Returns true if others can have written by the end of an instruction: calls, and accesses that are visible to other
/// threads.
fn may_wait(instruction: Value) -> bool {
    match instruction.opcode() {
        _ if accesses::updates_counter(instruction) => false,
        Some(Opcode::LLVMFence | Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg) => true,
        Some(Opcode::LLVMLoad | Opcode::LLVMStore) => instruction.is_volatile_or_atomic(),
        _ => may_not_return(instruction),
    }
}

type Undo = Vec<(Sum, Option<Known>)>;

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

/// Returns true if the address of a local variable escapes to where others could use it.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_that_touch_are_one_and_what_they_miss_is_left_to_watch() {
        let mut ranges = Ranges::default();
        assert_eq!(ranges.missing((0, 8)), Some((0, 8)));
        for bytes in [(16, 24), (0, 4), (4, 8), (20, 32)] {
            ranges.add(bytes);
        }
        assert_eq!(ranges.iter().collect::<Vec<_>>(), [(0, 8), (16, 32)]);
        assert_eq!(ranges.missing((2, 8)), None);
        assert_eq!(ranges.missing((4, 20)), Some((8, 16)));
        assert_eq!(ranges.missing((4, 40)), Some((8, 40)));
        assert_eq!(ranges.missing((-4, 4)), Some((-4, 0)));
    }
}
