//! Writes of a loop, by itself or by calls, to a place that it reads.

use std::collections::BTreeSet;

use super::slicer::Slicer;
use super::written::{MemoryPlace, Write};
use crate::flow::loops::around;
use crate::ir::pointer::Offset;
use crate::ir::value::{Opcode, Value};

/// Size in bytes of the field in which a container keeps the number of its nodes.
const COUNT_BYTES: i64 = 8;

impl Slicer<'_, '_> {
    /// Returns true if two places are in one object: their pointers are the same, or are read from one place.
    pub(crate) fn is_same_object(&self, a: &Offset, b: &Offset) -> bool {
        let read_from = |base: Value| {
            (base.opcode() == Some(Opcode::LLVMLoad)).then(|| base.operand(0).offset(self.module))
        };
        a.base == b.base
            || matches!((read_from(a.base), read_from(b.base)), (Some(a), Some(b))
                if (a.bytes, &a.indices) == (b.bytes, &b.indices) && self.is_same_object(&a, &b))
    }

    /// Returns true if two pointers are read from one place, and no visible write changes that place between the
    /// first read and the end of a loop. The first read is in front of the loop.
    pub(crate) fn is_kept_pointer(&self, first: Value, second: Value, of: usize) -> bool {
        self.is_same_read(first, second, of)
            && !self.is_written_by_calls(first, of)
            && self.is_kept_until(first, of)
    }

    /// Returns true if nothing is written between a read and a loop. The read is at the end of the loop's preheader, or in
    /// front of a loop around it that writes nothing.
    pub(crate) fn is_kept_until(&self, read: Value, of: usize) -> bool {
        let may_write = |at: Value| match at.opcode() {
            Some(Opcode::LLVMCall | Opcode::LLVMInvoke) => !at.callee().is_some_and(|callee| {
                callee.only_reads() || callee.is_intrinsic() && !sets_block(&callee.name())
            }),
            Some(Opcode::LLVMStore | Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg) => true,
            _ => false,
        };
        let block = self.graph.number(read.block());
        let mut loops = std::iter::once(of).chain(around(self.loops, of));
        let Some(outer) = loops.find(|at| self.loops[*at].preheader == Some(block)) else { return false };
        let writes_in = |block: &usize| self.graph.blocks[*block].instructions().into_iter().any(may_write);
        !std::iter::successors(read.next(), |at| at.next()).any(may_write)
            && (outer == of || !self.loops[outer].blocks.iter().any(writes_in))
    }

    /// Returns true if a loop, or a function that it calls, may write to the number of nodes that a container keeps.
    /// `first` reads the pointer to the first node. The number is `distance` bytes behind the place that is read.
    pub(crate) fn is_count_written(&self, first: Value, distance: i64, of: usize) -> bool {
        let mut place = first.operand(0).offset(self.module);
        place.bytes += distance;
        let called = MemoryPlace::from_pointer(self.module, first.operand(0));
        !self.overwriting_place(&place, COUNT_BYTES, of).is_empty()
            || called.is_some_and(|of_first| {
                self.is_place_written_by_calls(&of_first.behind(distance), COUNT_BYTES, of, false)
            })
    }

    /// Returns true if two values are read from one place that a loop does not change.
    pub(crate) fn is_same_read(&self, a: Value, b: Value, of: usize) -> bool {
        if [a, b].iter().any(|one| one.opcode() != Some(Opcode::LLVMLoad)) || a.ty() != b.ty() {
            return false;
        }
        let [from, to] = [a, b].map(|one| one.operand(0).offset(self.module));
        let is_inside = |one: Value| self.is_inside(one, of);
        // Before the loop, the place may have been changed between the two.
        (is_inside(a) || is_inside(b) || a.block() == b.block())
            && (from.bytes, &from.indices) == (to.bytes, &to.indices)
            && self.is_same_object(&from, &to)
            && self.overwriting(a, of).is_empty()
    }

    /// Returns the instructions in a loop that may write to a place that is read, as far as they name the object alike.
    /// These are stores, and intrinsics that set or copy a block.
    pub(crate) fn overwriting(&self, load: Value, of: usize) -> Vec<Value> {
        let bytes = load.ty().size(self.module) as i64;
        self.overwriting_place(&load.operand(0).offset(self.module), bytes, of)
    }

    fn overwriting_place(&self, read: &Offset, read_bytes: i64, of: usize) -> Vec<Value> {
        let all = self;
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
            let overlaps = |length| overlap(read, read_bytes, &written, length);
            all.is_same_object(read, &written) && length.is_none_or(overlaps)
        };
        let blocks = all.loops[of].blocks.iter().collect::<BTreeSet<_>>().into_iter();
        blocks.flat_map(|block| all.graph.blocks[*block].instructions()).filter(may_write).collect()
    }

    /// Returns true if a function that a loop calls changes a value other than by adding the same number in each trip.
    pub(crate) fn is_written_by_calls(&self, load: Value, of: usize) -> bool {
        let place = MemoryPlace::from_pointer(self.module, load.operand(0));
        let bytes = load.ty().size(self.module) as i64;
        place.is_some_and(|place| self.is_place_written_by_calls(&place, bytes, of, true))
    }

    /// Returns true if a function that a loop calls writes to a place. If `may_step` is true, writes that add the
    /// same number in each trip do not count.
    fn is_place_written_by_calls(&self, read: &MemoryPlace, bytes: i64, of: usize, may_step: bool) -> bool {
        let (all, graph) = (self, self.graph);
        let meets = |(place, length): (&MemoryPlace, i64)| {
            let (Some((a, before)), Some((b, others))) =
                (read.offsets.split_last(), place.offsets.split_last())
            else {
                return false;
            };
            read.base == place.base && before == others && *a < b + length && *b < a + bytes
        };
        let one = &all.loops[of];
        let is_written_in = |block: usize| {
            // In an inner loop, a write is executed as often as that loop has trips.
            let is_certain = one.always_passes(graph, block)
                && !self.is_in_loop_inside(graph.blocks[block].terminator(), of);
            graph.blocks[block].instructions().into_iter().any(|at| {
                let is_call = matches!(at.opcode(), Some(Opcode::LLVMCall | Opcode::LLVMInvoke));
                let callee = is_call.then(|| at.callee()).flatten();
                let writes = callee.and_then(|callee| all.writes.0.get(&callee)).into_iter().flatten();
                let mut others = writes.filter(|write| !(may_step && is_certain && write.is_step));
                others.any(|Write { place, bytes, .. }| {
                    place.called(all.module, at).is_some_and(|place| meets((&place, *bytes)))
                })
            })
        };
        one.blocks.iter().any(|block| is_written_in(*block))
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
