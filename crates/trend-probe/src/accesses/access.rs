//! Accesses of an instruction to memory.

use inkwell::module::Module;

use crate::ir::value::{Opcode, Value};
use crate::routines::counters::is_of_tools;

/// Kind of an access to a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Read,
    Write,
}

/// Number of bytes that are accessed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Size {
    Known(u64),
    Computed(Value),
}

/// One access of an instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Access {
    pub(crate) at: Value,
    pub(crate) pointer: Value,
    /// Distance of the access from the pointer in bytes.
    pub(crate) offset: i64,
    pub(crate) size: Size,
    /// Alignment of the first byte in bytes.
    pub(crate) alignment: u64,
    pub(crate) kind: Kind,
    /// Variable that is 1 in the first trip of the loop that repeats the access, and 0 later; `None` without such a
    /// loop.
    pub(crate) first_trip: Option<Value>,
}

/// Returns the accesses of an instruction, in order.
pub(crate) fn accesses_of(instruction: Value, module: &Module<'_>) -> Vec<Access> {
    let access = |pointer: Value, bytes: u64, kind| Access {
        at: instruction,
        pointer,
        offset: 0,
        size: Size::Known(bytes),
        alignment: instruction.alignment(),
        kind,
        first_trip: None,
    };
    let accesses = match instruction.opcode() {
        Some(Opcode::LLVMLoad) if instruction.is_own_read() => Vec::new(),
        Some(Opcode::LLVMLoad) => {
            let whole = access(instruction.operand(0), instruction.ty().size(module), Kind::Read);
            match instruction.taken_lanes() {
                Some(taken) if taken.contains(&false) => of_lanes(&whole, &taken),
                _ => vec![whole],
            }
        }
        Some(Opcode::LLVMStore) => {
            vec![access(instruction.operand(1), instruction.operand(0).ty().size(module), Kind::Write)]
        }
        // An atomic update reads the cells that it writes, and other threads must read them again.
        Some(Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg) => {
            let size = instruction.operand(1).ty().size(module);
            [Kind::Read, Kind::Write].map(|kind| access(instruction.operand(0), size, kind)).to_vec()
        }
        Some(Opcode::LLVMCall) => of_intrinsic(instruction),
        _ => Vec::new(),
    };
    accesses
        .into_iter()
        .filter(|a| a.size != Size::Known(0) && a.pointer.ty().is_thin_pointer() && !is_of_tools(a.pointer))
        .collect()
}

/// Returns the reads of those elements of a vector that are used.
fn of_lanes(whole: &Access, taken: &[bool]) -> Vec<Access> {
    let Size::Known(size) = whole.size else { return vec![*whole] };
    let lane = size / taken.len() as u64;
    let at = |index: usize| {
        let offset = index as u64 * lane;
        let alignment = whole.alignment.min(1 << offset.trailing_zeros().min(62));
        Access { offset: offset.cast_signed(), size: Size::Known(lane), alignment, ..*whole }
    };
    (0..taken.len()).filter(|index| taken[*index]).map(at).collect()
}

/// Returns the accesses of intrinsics that copy or fill whole ranges.
fn of_intrinsic(call: Value) -> Vec<Access> {
    let Some(name) = call.callee().map(Value::name).filter(|name| name.starts_with("llvm.mem")) else {
        return Vec::new();
    };
    let length = call.operand(2);
    let size = length.constant().map_or(Size::Computed(length), Size::Known);
    let access = |index, kind| Access {
        at: call,
        pointer: call.operand(index),
        offset: 0,
        size,
        alignment: call.alignment_of_argument(index),
        kind,
        first_trip: None,
    };
    if name.starts_with("llvm.memset") {
        vec![access(0, Kind::Write)]
    } else {
        vec![access(1, Kind::Read), access(0, Kind::Write)]
    }
}
