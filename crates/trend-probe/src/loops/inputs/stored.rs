//! Finds the contents of memory at the beginning of a loop, for variables that compilers create: the values stored in
//! front of it.
//!
//! ```text
//!   for x in v { … }         iter.ptr = v.ptr             rustc keeps an iterator in memory if it must be dropped,
//!                            iter.end = v.ptr + v.len     and its variable is not the program's:
//!                            while iter.ptr != iter.end   the loop ends at v.len()
//! ```

use std::collections::HashSet;

use super::slicer::Slicer;
use crate::ir::pointer::Offset;
use crate::ir::value::{Opcode, Value};

/// Maximum number of users of a variable that are examined.
const MOST_USERS: usize = 512;

/// Contents of a place at the beginning of a loop.
#[derive(Clone, Debug)]
pub(super) enum Stored {
    Value(Value),
    /// Contents of another place.
    Copy(Offset),
}

/// A write to a variable, with the range in bytes; `None` if that is unknown.
#[derive(Clone, Copy, Debug)]
struct Write {
    by: Value,
    range: Option<(i64, i64)>,
    /// True if it can write nowhere else.
    is_certain: bool,
}

/// A pointer from which others are computed. It points to a variable, or to either the variable or something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Root {
    pointer: Value,
    /// Position in the variable that it points to, in bytes; `None` if unknown.
    bytes: Option<i64>,
    is_certain: bool,
}

impl Slicer<'_, '_> {
    /// Returns the value that was stored in a place of a local variable before a loop, and the loop's own writes
    /// to the place.
    pub(super) fn stored(&self, place: &Offset, bytes: i64, of: usize) -> Option<(Stored, Vec<Value>)> {
        let one = &self.loops[of];
        let front = one.preheader?;
        let (begin, end) = (place.bytes, place.bytes + bytes);
        let writes = self.all_writes(place)?;
        let meets = |write: &Write| write.range.is_none_or(|(from, to)| from < end && begin < to);
        let (inside, outside): (Vec<Write>, Vec<Write>) =
            writes.into_iter().filter(meets).partition(|write| self.is_inside(write.by, of));
        let block = |write: &Write| self.graph.number(write.by.block());
        let covers = |write: &&Write| {
            write.is_certain && write.range.is_some_and(|(from, to)| from <= begin && end <= to)
        };
        // Only the same trip of the outer loop counts, so writes after this loop do not come between.
        let is_in_trip = |write: &&Write| {
            one.parent.is_none_or(|parent| self.loops[parent].blocks.contains(&block(write)))
        };
        let before = outside.iter().filter(covers).filter(|w| self.graph.dominates(block(w), front));
        let last = before.filter(is_in_trip).reduce(|a, b| if self.is_before(a.by, b.by) { b } else { a })?;
        let comes_between = |write: &Write| {
            write.by != last.by
                && !self.is_before(write.by, last.by)
                && !self.graph.dominates(one.header, block(write))
                && !self.graph.is_cleanup[block(write)]
        };
        if outside.iter().any(comes_between) {
            return None;
        }
        let stored = match last.by.opcode()? {
            Opcode::LLVMStore if last.range == Some((begin, end)) => Stored::Value(last.by.operand(0)),
            Opcode::LLVMCall => {
                let from = last.by.operand(1).offset(self.module);
                let bytes = from.bytes + begin - last.range?.0;
                Stored::Copy(Offset { bytes, ..from })
            }
            _ => return None,
        };
        Some((stored, inside.into_iter().map(|write| write.by).collect()))
    }

    /// Returns the contents of a place that a variable was copied from, unless the loop writes to that place.
    pub(super) fn copied(&self, place: &Offset, bytes: i64, of: usize) -> Option<Stored> {
        let (stored, writes) = self.stored(place, bytes, of)?;
        writes.is_empty().then_some(stored)
    }

    /// Returns all instructions that write to a local variable; `None` if its address goes elsewhere.
    pub(super) fn writes(&self, place: &Offset) -> Option<Vec<Value>> {
        Some(self.all_writes(place)?.into_iter().map(|write| write.by).collect())
    }

    /// Returns all writes to a local variable; `None` if its address goes elsewhere.
    fn all_writes(&self, place: &Offset) -> Option<Vec<Write>> {
        if place.base.opcode() != Some(Opcode::LLVMAlloca) || !place.indices.is_empty() {
            return None;
        }
        let root = Root { pointer: place.base, bytes: Some(0), is_certain: true };
        let (mut writes, mut next, mut left) = (Vec::new(), vec![(place.base, root)], MOST_USERS);
        let mut seen = HashSet::new();
        while let Some((pointer, root)) = next.pop() {
            if !seen.insert((pointer, root)) {
                continue;
            }
            let at = pointer.offset(self.module);
            let is_known = at.base == root.pointer && at.indices.is_empty();
            let begin = root.bytes.filter(|_| is_known).map(|bytes| bytes + at.bytes);
            let range = |bytes: i64| begin.map(|begin| (begin, begin + bytes));
            let write = |by: Value, range| Write { by, range, is_certain: root.is_certain };
            for user in pointer.users() {
                left = left.checked_sub(1)?;
                match user.opcode()? {
                    _ if user.is_offset() => next.push((user, root)),
                    // The pointer is one of several, and a loop may advance it.
                    opcode @ (Opcode::LLVMSelect | Opcode::LLVMPHI) => {
                        let bytes = begin.filter(|_| opcode == Opcode::LLVMSelect);
                        next.push((user, Root { pointer: user, bytes, is_certain: false }));
                    }
                    Opcode::LLVMLoad | Opcode::LLVMICmp => {}
                    // The difference of two addresses is not an address.
                    Opcode::LLVMSub if user.operand(1).signed().is_none() => {}
                    Opcode::LLVMPtrToInt
                    | Opcode::LLVMAdd
                    | Opcode::LLVMSub
                    | Opcode::LLVMAnd
                    | Opcode::LLVMOr => {
                        next.push((user, Root { bytes: None, ..root }));
                    }
                    Opcode::LLVMStore if user.operand(0) == pointer => return None,
                    Opcode::LLVMStore => {
                        let bytes = i64::try_from(user.operand(0).ty().size(self.module)).ok()?;
                        writes.push(write(user, range(bytes)));
                    }
                    Opcode::LLVMCall | Opcode::LLVMInvoke => {
                        let name = user.callee().map(Value::name).unwrap_or_default();
                        let is_copy = ["llvm.memcpy.", "llvm.memmove."].iter().any(|of| name.starts_with(of));
                        if is_copy && user.operand(0) == pointer {
                            let range = user.operand(2).signed().and_then(range);
                            writes.push(write(user, range));
                        } else if !is_copy && !is_no_write(&name) {
                            writes.push(write(user, None));
                        }
                    }
                    _ => return None,
                }
            }
        }
        Some(writes)
    }

    /// Returns true if every path to the second instruction leads through the first.
    fn is_before(&self, first: Value, second: Value) -> bool {
        let [a, b] = [first, second].map(|at| self.graph.number(at.block()));
        if a != b {
            return self.graph.dominates(a, b);
        }
        let of_block = first.block().instructions();
        of_block.iter().position(|at| *at == first) < of_block.iter().position(|at| *at == second)
    }
}

/// Returns true for intrinsics that change no memory of their arguments.
fn is_no_write(name: &str) -> bool {
    ["llvm.lifetime.", "llvm.assume", "llvm.experimental.noalias", "llvm.invariant."]
        .iter()
        .any(|of| name.starts_with(of))
}
