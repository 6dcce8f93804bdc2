//! Reads memory that decides the trips of a loop, at the position before the loop.
//!
//! ```text
//!   s->len = n;                                the input s.len is n: the value stored before the loop counts,
//!   do { take(s); } while (s->len >= 2);       and the values written by the loop do not
//! ```
//!
//! The program itself reads this memory late, or not in each activation. A read before the loop is only inserted if
//! it cannot fail: the program accesses the same object on each path that leads to the loop or through it. A null
//! object is not read.

use inkwell::module::Module;

use crate::flow::graph::Graph;
use crate::flow::loops::Loop;
use crate::ir::builder::Builder;
use crate::ir::value::{Opcode, Value};

/// Maximum number of steps from an object to a pointer that is computed from it.
const DEEPEST: usize = 16;

/// Maximum number of users of an object that are examined.
const MOST_USERS: usize = 4096;

/// A read that can be made before its loop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    load: Value,
    object: Value,
    bytes: i64,
}

impl Entry {
    /// Returns the read before a loop that corresponds to a read in it, if that is possible.
    pub(super) fn new(module: &Module<'_>, graph: &Graph, one: &Loop, load: Value) -> Option<Self> {
        let ty = load.ty();
        let is_number = ty.is_integer() || ty.is_pointer() || ty.is_floating();
        if load.opcode() != Some(Opcode::LLVMLoad) || !is_number || load.is_volatile_or_atomic() {
            return None;
        }
        let offset = load.operand(0).offset(module);
        let object = offset.base;
        let is_before = object.opcode().is_none() || !one.blocks.contains(&graph.number(object.block()));
        let is_there = is_before && offset.indices.is_empty() && is_accessed(graph, one, object);
        is_there.then_some(Self { load, object, bytes: offset.bytes })
    }

    /// Reads the value at the position of the builder. `none` is an empty variable.
    pub(super) fn read(&self, builder: &Builder, none: Value) -> Value {
        let place = builder.offset(self.object, self.bytes);
        let is_variable =
            self.object.is_global_variable() || self.object.opcode() == Some(Opcode::LLVMAlloca);
        let place = if is_variable { place } else { builder.if_there(self.object, place, none) };
        builder.load_like(self.load, place)
    }
}

/// Returns true if an object is accessed on each path to a loop, or on each path from its beginning.
fn is_accessed(graph: &Graph, one: &Loop, object: Value) -> bool {
    if object.is_global_variable() {
        return true;
    }
    let Some(front) = one.preheader else { return false };
    // The initial contents of a local variable are undefined, so reads of it do not count.
    let is_variable = object.opcode() == Some(Opcode::LLVMAlloca);
    let mut next = vec![(object, DEEPEST)];
    let mut left = MOST_USERS;
    while let Some((pointer, depth)) = next.pop() {
        for user in pointer.users() {
            let Some(fewer) = left.checked_sub(1) else { return false };
            left = fewer;
            let Some(opcode) = user.opcode() else { continue };
            if user.is_offset() {
                if depth > 0 && user.operand(0) == pointer {
                    next.push((user, depth - 1));
                }
                continue;
            }
            let is_access = match opcode {
                Opcode::LLVMLoad => !is_variable,
                Opcode::LLVMStore => user.operand(1) == pointer,
                Opcode::LLVMCall | Opcode::LLVMInvoke => {
                    is_variable && !user.callee().is_some_and(Value::is_intrinsic)
                }
                _ => false,
            };
            let block = graph.number(user.block());
            let is_certain =
                graph.dominates(block, front) || !is_variable && graph.post_dominates(block, one.header);
            if is_access && is_certain {
                return true;
            }
        }
    }
    false
}
