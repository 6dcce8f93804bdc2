//! Finds the contents of memory at the beginning of a loop, for variables that compilers create: the values stored in
//! front of it.
//!
//! ```text
//!   for x in v { … }         iter.ptr = v.ptr             rustc keeps an iterator in memory if it must be dropped,
//!                            iter.end = v.ptr + v.len     and its variable is not the program's:
//!                            while iter.ptr != iter.end   the loop ends at v.len()
//! ```

use std::collections::{BTreeSet, HashSet};

use super::inputs::{Search, Slicer};
use super::values::Offset;
use crate::ir::{Opcode, Value};

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
    /// Returns the value that was stored in a place of a local variable in front of a loop, and the loop's own writes
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
        // Only the same trip of the outer loop counts, so writes behind this loop do not come between.
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
                    // The difference of two addresses is no address.
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

    /// Returns true if two places are in one object: their pointers are the same, or are read from one place.
    pub(super) fn is_same_object(&self, a: &Offset, b: &Offset) -> bool {
        let read_from = |base: Value| {
            (base.opcode() == Some(Opcode::LLVMLoad)).then(|| base.operand(0).offset(self.module))
        };
        a.base == b.base
            || matches!((read_from(a.base), read_from(b.base)), (Some(a), Some(b))
                if (a.bytes, &a.indices) == (b.bytes, &b.indices) && self.is_same_object(&a, &b))
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

impl Search<'_, '_, '_> {
    /// Visits everything that decides the loop's own writes to a place that it reads: their positions, their values,
    /// and their conditions.
    pub(super) fn overwritten(&mut self, load: Value) {
        for write in self.overwriting(load) {
            let at = if write.opcode() == Some(Opcode::LLVMStore) {
                self.visit(write.operand(0));
                write.operand(1)
            } else {
                self.changes(load);
                write.operand(0)
            };
            at.offset(self.all.module).indices.into_iter().for_each(|(index, _)| self.visit(index));
            self.conditions_of(self.all.graph.number(write.block()));
        }
    }

    /// Returns the instructions in the loop that may write to a place that is read.
    pub(super) fn overwriting(&self, load: Value) -> Vec<Value> {
        self.all.overwriting(load, self.of)
    }
}

impl Slicer<'_, '_> {
    /// Returns the instructions in a loop that may write to a place that is read, as far as they name the object alike.
    /// These are stores, and intrinsics that set or copy a block.
    pub(super) fn overwriting(&self, load: Value, of: usize) -> Vec<Value> {
        let (all, read) = (self, load.operand(0).offset(self.module));
        let bytes = |value: Value| value.ty().size(all.module) as i64;
        let may_write = |at: &Value| {
            let (place, length) = match at.opcode() {
                Some(Opcode::LLVMStore) => (at.operand(1), Some(bytes(at.operand(0)))),
                Some(Opcode::LLVMCall) if at.callee().is_some_and(|callee| sets_block(&callee.name())) => {
                    (at.operand(0), at.operand(2).signed())
                }
                _ => return false,
            };
            let written = place.offset(all.module);
            let overlaps = |length| overlap(&read, bytes(load), &written, length);
            all.is_same_object(&read, &written) && length.is_none_or(overlaps)
        };
        let blocks = all.loops[of].blocks.iter().collect::<BTreeSet<_>>().into_iter();
        blocks.flat_map(|block| all.graph.blocks[*block].instructions()).filter(may_write).collect()
    }
}

/// Returns true if two places of an object may have bytes in common: `v[i].a` and `v[j].a` may, and `v[i].a` and
/// `v[j].b` do not.
fn overlap(a: &Offset, bytes_of_a: i64, b: &Offset, bytes_of_b: i64) -> bool {
    let ahead = b.bytes.wrapping_sub(a.bytes);
    if a.indices == b.indices {
        return -bytes_of_b < ahead && ahead < bytes_of_a;
    }
    let sizes = a.indices.iter().chain(&b.indices).map(|(_, size)| *size as i64);
    let step = sizes.fold(0, gcd).max(1);
    let ahead = ahead.rem_euclid(step);
    ahead < bytes_of_a || step - ahead < bytes_of_b
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Returns true for intrinsics that write a block of memory. Their arguments are its address, its contents, and its
/// length.
fn sets_block(name: &str) -> bool {
    ["llvm.memset.", "llvm.memcpy.", "llvm.memmove."].iter().any(|start| name.starts_with(start))
}

/// Returns true for intrinsics that change no memory of their arguments.
fn is_no_write(name: &str) -> bool {
    ["llvm.lifetime.", "llvm.assume", "llvm.experimental.noalias", "llvm.invariant."]
        .iter()
        .any(|of| name.starts_with(of))
}
