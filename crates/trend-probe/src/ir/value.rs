//! Handles of values, blocks and types, valid as long as their module.

use inkwell::llvm_sys::core as llvm;
use inkwell::llvm_sys::prelude::{LLVMBasicBlockRef, LLVMTypeRef, LLVMValueRef};
use inkwell::llvm_sys::target as layout;
use inkwell::llvm_sys::{LLVMOpcode, LLVMTypeKind, LLVMValueKind};
use inkwell::module::Module;

pub(crate) use inkwell::llvm_sys::LLVMOpcode as Opcode;

/// Handle of a value, an instruction or a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Value(pub(crate) LLVMValueRef);

/// Handle of a basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Block(pub(crate) LLVMBasicBlockRef);

/// Handle of a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Type(pub(crate) LLVMTypeRef);

impl Value {
    pub(super) fn some(value: LLVMValueRef) -> Option<Self> {
        (!value.is_null()).then_some(Self(value))
    }

    /// Returns the opcode of an instruction; `None` for other values.
    pub(crate) fn opcode(self) -> Option<Opcode> {
        unsafe {
            (!llvm::LLVMIsAInstruction(self.0).is_null()).then(|| llvm::LLVMGetInstructionOpcode(self.0))
        }
    }

    pub(crate) fn is_function(self) -> bool {
        unsafe { llvm::LLVMGetValueKind(self.0) == LLVMValueKind::LLVMFunctionValueKind }
    }

    pub(crate) fn is_global_variable(self) -> bool {
        unsafe { llvm::LLVMGetValueKind(self.0) == LLVMValueKind::LLVMGlobalVariableValueKind }
    }

    pub(crate) fn name(self) -> String {
        let mut length = 0;
        unsafe {
            let text = llvm::LLVMGetValueName2(self.0, &raw mut length);
            String::from_utf8_lossy(std::slice::from_raw_parts(text.cast(), length)).into_owned()
        }
    }

    pub(crate) fn operand(self, index: u32) -> Value {
        Self(unsafe { llvm::LLVMGetOperand(self.0, index) })
    }

    pub(crate) fn operands(self) -> Vec<Value> {
        let count = unsafe { llvm::LLVMGetNumOperands(self.0) };
        (0..u32::try_from(count).unwrap_or(0)).map(|index| self.operand(index)).collect()
    }

    /// Returns the instructions and constants that have it as an operand.
    pub(crate) fn users(self) -> impl Iterator<Item = Value> {
        let first = unsafe { llvm::LLVMGetFirstUse(self.0) };
        std::iter::successors((!first.is_null()).then_some(first), |of| {
            let next = unsafe { llvm::LLVMGetNextUse(*of) };
            (!next.is_null()).then_some(next)
        })
        .map(|of| Self(unsafe { llvm::LLVMGetUser(of) }))
    }

    pub(crate) fn next(self) -> Option<Value> {
        Self::some(unsafe { llvm::LLVMGetNextInstruction(self.0) })
    }

    pub(crate) fn block(self) -> Block {
        Block(unsafe { llvm::LLVMGetInstructionParent(self.0) })
    }

    pub(crate) fn ty(self) -> Type {
        Type(unsafe { llvm::LLVMTypeOf(self.0) })
    }

    pub(crate) fn remove(self) {
        unsafe { llvm::LLVMInstructionEraseFromParent(self.0) };
    }

    pub(crate) fn is_argument(self) -> bool {
        unsafe { !llvm::LLVMIsAArgument(self.0).is_null() }
    }

    pub(crate) fn is_constant(self) -> bool {
        unsafe { llvm::LLVMIsConstant(self.0) != 0 }
    }

    /// Returns the value of a constant integer.
    pub(crate) fn constant(self) -> Option<u64> {
        unsafe {
            let is_integer = !llvm::LLVMIsAConstantInt(self.0).is_null();
            is_integer.then(|| llvm::LLVMConstIntGetZExtValue(self.0))
        }
    }

    /// Returns the value of a constant integer with its sign.
    pub(crate) fn signed(self) -> Option<i64> {
        unsafe {
            let is_integer = !llvm::LLVMIsAConstantInt(self.0).is_null() && self.ty().is_integer();
            is_integer.then(|| llvm::LLVMConstIntGetSExtValue(self.0))
        }
    }

    pub(crate) fn is_null_pointer(self) -> bool {
        unsafe { !llvm::LLVMIsAConstantPointerNull(self.0).is_null() }
    }

    /// Returns the constant text that a pointer points to, if the constant has the type of a text.
    pub(crate) fn text(self) -> Option<String> {
        unsafe {
            if !self.is_global_variable() || llvm::LLVMIsGlobalConstant(self.0) == 0 {
                return None;
            }
            let contents = llvm::LLVMGetInitializer(self.0);
            // An all-zero constant has no text, and must not be used as one.
            if contents.is_null()
                || llvm::LLVMIsAConstantDataSequential(contents).is_null()
                || llvm::LLVMIsConstantString(contents) == 0
            {
                return None;
            }
            let mut length = 0;
            let bytes = llvm::LLVMGetAsString(contents, &raw mut length);
            let bytes: &[u8] = std::slice::from_raw_parts(bytes.cast(), length);
            let text = bytes.split(|byte| *byte == 0).next()?;
            Some(std::str::from_utf8(text).ok()?.to_owned())
        }
    }
}

impl Block {
    /// Returns the function that contains the block.
    pub(crate) fn function(self) -> Value {
        Value(unsafe { llvm::LLVMGetBasicBlockParent(self.0) })
    }

    pub(crate) fn instructions(self) -> Vec<Value> {
        let first = unsafe { llvm::LLVMGetFirstInstruction(self.0) };
        std::iter::successors(Value::some(first), |of| of.next()).collect()
    }

    pub(crate) fn terminator(self) -> Value {
        Value(unsafe { llvm::LLVMGetBasicBlockTerminator(self.0) })
    }

    pub(crate) fn successors(self) -> Vec<Block> {
        let last = self.terminator();
        let count = unsafe { llvm::LLVMGetNumSuccessors(last.0) };
        (0..count).map(|index| Block(unsafe { llvm::LLVMGetSuccessor(last.0, index) })).collect()
    }

    /// Returns the first position where instructions can be inserted: after phis and landing pads.
    pub(crate) fn first_insertion_point(self) -> Value {
        let is_fixed =
            |of: &Value| matches!(of.opcode(), Some(LLVMOpcode::LLVMPHI | LLVMOpcode::LLVMLandingPad));
        let all = self.instructions();
        all.iter().copied().find(|of| !is_fixed(of)).unwrap_or_else(|| self.terminator())
    }
}

impl Type {
    /// Returns the number of bytes that a load of the type reads; 0 if it is unknown.
    pub(crate) fn size(self, module: &Module<'_>) -> u64 {
        unsafe {
            let layout = layout::LLVMGetModuleDataLayout(module.as_mut_ptr());
            if llvm::LLVMTypeIsSized(self.0) == 0 { 0 } else { layout::LLVMStoreSizeOfType(layout, self.0) }
        }
    }

    pub(crate) fn is_integer(self) -> bool {
        unsafe {
            llvm::LLVMGetTypeKind(self.0) == inkwell::llvm_sys::LLVMTypeKind::LLVMIntegerTypeKind
                && llvm::LLVMGetIntTypeWidth(self.0) <= 64
        }
    }

    pub(crate) fn is_thin_pointer(self) -> bool {
        unsafe {
            llvm::LLVMGetTypeKind(self.0) == inkwell::llvm_sys::LLVMTypeKind::LLVMPointerTypeKind
                && llvm::LLVMGetPointerAddressSpace(self.0) == 0
        }
    }

    pub(crate) fn bits(self) -> u32 {
        unsafe { llvm::LLVMGetIntTypeWidth(self.0) }
    }

    pub(crate) fn is_any_integer(self) -> bool {
        unsafe { llvm::LLVMGetTypeKind(self.0) == LLVMTypeKind::LLVMIntegerTypeKind }
    }

    pub(crate) fn is_floating(self) -> bool {
        let kind = unsafe { llvm::LLVMGetTypeKind(self.0) };
        matches!(kind, LLVMTypeKind::LLVMFloatTypeKind | LLVMTypeKind::LLVMDoubleTypeKind)
    }

    pub(crate) fn is_pointer(self) -> bool {
        unsafe { llvm::LLVMGetTypeKind(self.0) == LLVMTypeKind::LLVMPointerTypeKind }
    }
}
