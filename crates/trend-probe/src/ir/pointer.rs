//! Pointers that are computed from others.

use inkwell::llvm_sys::core as llvm;
use inkwell::llvm_sys::target as layout;
use inkwell::llvm_sys::{LLVMOpcode, LLVMTypeKind};
use inkwell::module::Module;

use super::value::{Opcode, Type, Value};

/// Offset of an address from a pointer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Offset {
    pub(crate) base: Value,
    /// Number of bytes that are constant.
    pub(crate) bytes: i64,
    /// Indices that are not constant, with the size of their elements in bytes.
    pub(crate) indices: Vec<(Value, u64)>,
}

impl Value {
    /// Returns true for a pointer that is computed from its first operand, by an instruction or as a constant.
    pub(crate) fn is_offset(self) -> bool {
        let is_of = |opcode| matches!(opcode, LLVMOpcode::LLVMGetElementPtr | LLVMOpcode::LLVMBitCast);
        unsafe {
            let is_constant = !llvm::LLVMIsAConstantExpr(self.0).is_null();
            self.opcode().is_some_and(is_of) || (is_constant && is_of(llvm::LLVMGetConstOpcode(self.0)))
        }
    }

    /// Returns the size of the element that a pointer into an array points to; `None` for other values.
    pub(crate) fn element_size(self, module: &Module<'_>) -> Option<u64> {
        let is_element = self.opcode() == Some(Opcode::LLVMGetElementPtr) && self.operands().len() == 2;
        is_element.then(|| Type(unsafe { llvm::LLVMGetGEPSourceElementType(self.0) }).size(module))
    }

    /// Returns the offset of a pointer from its base, through all constant and computed offsets.
    pub(crate) fn offset(self, module: &Module<'_>) -> Offset {
        let mut offset = Offset { base: self, bytes: 0, indices: Vec::new() };
        for _ in 0..64 {
            let at = offset.base;
            if !at.is_offset() || at.opcode() == Some(Opcode::LLVMBitCast) {
                break;
            }
            let Some(bytes) = add_indices(at, module, &mut offset.indices) else { break };
            offset.bytes = offset.bytes.wrapping_add(bytes);
            offset.base = at.operand(0);
        }
        offset
    }
}

/// Adds the computed indices of one instruction to `indices`. Returns the sum of the constant ones in bytes.
fn add_indices(at: Value, module: &Module<'_>, indices: &mut Vec<(Value, u64)>) -> Option<i64> {
    unsafe {
        let data = layout::LLVMGetModuleDataLayout(module.as_mut_ptr());
        let mut ty = llvm::LLVMGetGEPSourceElementType(at.0);
        let mut bytes = 0_i64;
        for (number, index) in at.operands().into_iter().skip(1).enumerate() {
            if number > 0 {
                match llvm::LLVMGetTypeKind(ty) {
                    LLVMTypeKind::LLVMStructTypeKind => {
                        let field = u32::try_from(index.constant()?).ok()?;
                        bytes = bytes.checked_add(layout::LLVMOffsetOfElement(data, ty, field) as i64)?;
                        ty = llvm::LLVMStructGetTypeAtIndex(ty, field);
                        continue;
                    }
                    LLVMTypeKind::LLVMArrayTypeKind | LLVMTypeKind::LLVMVectorTypeKind => {
                        ty = llvm::LLVMGetElementType(ty);
                    }
                    _ => return None,
                }
            }
            if llvm::LLVMTypeIsSized(ty) == 0 {
                return None;
            }
            let size = layout::LLVMABISizeOfType(data, ty);
            match index.signed() {
                Some(index) => bytes = bytes.checked_add(index.checked_mul(size as i64)?)?,
                None => indices.push((index, size)),
            }
        }
        Some(bytes)
    }
}

/// Returns the pointer that a pointer is computed from.
pub(crate) fn base(mut pointer: Value) -> Value {
    while pointer.is_offset() {
        pointer = pointer.operand(0);
    }
    pointer
}
