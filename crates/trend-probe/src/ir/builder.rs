//! Inserts instructions into a module: variables, reads and writes, calls.

use std::ffi::c_uint;

use inkwell::llvm_sys::core as llvm;
use inkwell::llvm_sys::debuginfo as debug;
use inkwell::llvm_sys::prelude::{LLVMBuilderRef, LLVMValueRef};
use inkwell::module::Module;

use super::instruction::OURS;
use super::value::{Type, Value};

/// Inserts instructions at a position in a module.
pub(crate) struct Builder {
    pub(crate) position: LLVMBuilderRef,
    pub(crate) context: inkwell::llvm_sys::prelude::LLVMContextRef,
    pub(crate) module: inkwell::llvm_sys::prelude::LLVMModuleRef,
}

impl Builder {
    pub(crate) fn new(module: &Module<'_>) -> Self {
        let module = module.as_mut_ptr();
        unsafe {
            let context = llvm::LLVMGetModuleContext(module);
            Self { position: llvm::LLVMCreateBuilderInContext(context), context, module }
        }
    }

    /// Moves to the position before an instruction.
    pub(crate) fn before(&self, instruction: Value) -> &Self {
        unsafe {
            llvm::LLVMPositionBuilderBefore(self.position, instruction.0);
            // An instruction without a location must not take the one of its neighbor, so the location is cleared
            // first.
            llvm::LLVMSetCurrentDebugLocation2(self.position, std::ptr::null_mut());
            let location = debug::LLVMInstructionGetDebugLoc(instruction.0);
            llvm::LLVMSetCurrentDebugLocation2(self.position, location);
        }
        self
    }

    pub(crate) fn int32(&self) -> Type {
        Type(unsafe { llvm::LLVMInt32TypeInContext(self.context) })
    }

    pub(crate) fn int64(&self) -> Type {
        Type(unsafe { llvm::LLVMInt64TypeInContext(self.context) })
    }

    pub(crate) fn pointer(&self) -> Type {
        Type(unsafe { llvm::LLVMPointerTypeInContext(self.context, 0) })
    }

    #[expect(clippy::unused_self, reason = "constants are made where instructions are")]
    pub(crate) fn constant(&self, ty: Type, value: u64) -> Value {
        Value(unsafe { llvm::LLVMConstInt(ty.0, value, 0) })
    }

    pub(crate) fn variable(&self, ty: Type) -> Value {
        Value(unsafe { llvm::LLVMBuildAlloca(self.position, ty.0, c"".as_ptr()) })
    }

    pub(crate) fn load(&self, ty: Type, from: Value) -> Value {
        Value(unsafe { llvm::LLVMBuildLoad2(self.position, ty.0, from.0, c"".as_ptr()) })
    }

    pub(crate) fn store(&self, value: Value, into: Value) {
        unsafe { llvm::LLVMBuildStore(self.position, value.0, into.0) };
    }

    /// Reads from a place with the type of a load. The program does not make this read.
    pub(crate) fn load_like(&self, load: Value, place: Value) -> Value {
        let new_load = self.own_load(load.ty(), place);
        // If there is no object, a variable of 8 bytes takes its place.
        unsafe { llvm::LLVMSetAlignment(new_load.0, llvm::LLVMGetAlignment(load.0).min(8)) };
        new_load
    }

    /// Reads from a place, and marks the read as one that the program does not make.
    pub(crate) fn own_load(&self, ty: Type, place: Value) -> Value {
        let new_load = self.load(ty, place);
        unsafe {
            let text = llvm::LLVMMDStringInContext2(self.context, c"".as_ptr(), 0);
            let mark = llvm::LLVMMetadataAsValue(
                self.context,
                llvm::LLVMMDNodeInContext2(self.context, [text].as_mut_ptr(), 1),
            );
            llvm::LLVMSetMetadata(new_load.0, self.mark_of_reads(), mark);
        }
        new_load
    }

    fn mark_of_reads(&self) -> u32 {
        unsafe { llvm::LLVMGetMDKindIDInContext(self.context, OURS.as_ptr(), OURS.count_bytes() as u32) }
    }

    pub(crate) fn call(&self, function: Value, arguments: &[Value]) -> Value {
        let mut arguments: Vec<LLVMValueRef> = arguments.iter().map(|a| a.0).collect();
        unsafe {
            let ty = llvm::LLVMGlobalGetValueType(function.0);
            let count = arguments.len() as c_uint;
            let call = llvm::LLVMBuildCall2(
                self.position,
                ty,
                function.0,
                arguments.as_mut_ptr(),
                count,
                c"".as_ptr(),
            );
            llvm::LLVMSetInstructionCallConv(call, llvm::LLVMGetFunctionCallConv(function.0));
            Value(call)
        }
    }

    /// Returns the address this many bytes after a pointer.
    pub(crate) fn offset(&self, pointer: Value, bytes: i64) -> Value {
        if bytes == 0 {
            return pointer;
        }
        self.offset_by(pointer, self.constant(self.int64(), bytes.cast_unsigned()))
    }

    /// Returns the address at a computed distance after a pointer.
    pub(crate) fn offset_by(&self, pointer: Value, bytes: Value) -> Value {
        unsafe {
            let byte = llvm::LLVMInt8TypeInContext(llvm::LLVMGetModuleContext(self.module));
            let mut index = bytes.0;
            let name = c"".as_ptr();
            Value(llvm::LLVMBuildGEP2(self.position, byte, pointer.0, &raw mut index, 1, name))
        }
    }

    /// Converts a pointer to a number.
    pub(crate) fn address(&self, pointer: Value) -> Value {
        Value(unsafe { llvm::LLVMBuildPtrToInt(self.position, pointer.0, self.int64().0, c"".as_ptr()) })
    }
}

impl Drop for Builder {
    fn drop(&mut self) {
        unsafe { llvm::LLVMDisposeBuilder(self.position) };
    }
}
