//! Functions: their parameters, their blocks, and their place in the source.

use inkwell::llvm_sys::core as llvm;
use inkwell::llvm_sys::debuginfo as debug;
use inkwell::llvm_sys::{LLVMLinkage, LLVMVisibility};

use super::value::{Block, Value};

impl Value {
    pub(crate) fn is_declaration(self) -> bool {
        unsafe { llvm::LLVMIsDeclaration(self.0) != 0 }
    }

    pub(crate) fn linkage(self) -> LLVMLinkage {
        unsafe { llvm::LLVMGetLinkage(self.0) }
    }

    pub(crate) fn parameter(self, index: u32) -> Value {
        Self(unsafe { llvm::LLVMGetParam(self.0, index) })
    }

    /// Returns the parameters of a function.
    pub(crate) fn parameters(self) -> Vec<Value> {
        (0..unsafe { llvm::LLVMCountParams(self.0) }).map(|index| self.parameter(index)).collect()
    }

    pub(crate) fn is_variadic(self) -> bool {
        unsafe { llvm::LLVMIsFunctionVarArg(llvm::LLVMGlobalGetValueType(self.0)) != 0 }
    }

    pub(crate) fn is_intrinsic(self) -> bool {
        unsafe { llvm::LLVMGetIntrinsicID(self.0) != 0 }
    }

    pub(crate) fn make_internal(self) {
        unsafe {
            llvm::LLVMSetVisibility(self.0, LLVMVisibility::LLVMDefaultVisibility);
            llvm::LLVMSetLinkage(self.0, LLVMLinkage::LLVMInternalLinkage);
        }
    }

    pub(crate) fn blocks(self) -> Vec<Block> {
        let first = unsafe { llvm::LLVMGetFirstBasicBlock(self.0) };
        std::iter::successors((!first.is_null()).then_some(first), |block| {
            let next = unsafe { llvm::LLVMGetNextBasicBlock(*block) };
            (!next.is_null()).then_some(next)
        })
        .map(Block)
        .collect()
    }

    /// Puts a number before a function's code.
    pub(crate) fn set_prefix(self, number: Value) {
        unsafe { llvm::LLVMSetPrefixData(self.0, number.0) }
    }

    /// Returns the file and the line where a function is defined, according to its debug information.
    pub(crate) fn source(self) -> Option<(String, u32)> {
        unsafe {
            let program = debug::LLVMGetSubprogram(self.0);
            if program.is_null() {
                return None;
            }
            let file = debug::LLVMDIScopeGetFile(program);
            let line = debug::LLVMDISubprogramGetLine(program);
            if file.is_null() {
                return None;
            }
            let mut length = 0;
            let name = text(debug::LLVMDIFileGetFilename(file, &raw mut length), &length);
            let folder = text(debug::LLVMDIFileGetDirectory(file, &raw mut length), &length);
            let path =
                if name.starts_with('/') || folder.is_empty() { name } else { format!("{folder}/{name}") };
            Some((path, line))
        }
    }

    /// Returns true for a parameter whose object nothing else accesses while the function runs.
    pub(crate) fn is_argument_alone(self) -> bool {
        if !self.is_argument() {
            return false;
        }
        unsafe {
            let function = llvm::LLVMGetParamParent(self.0);
            let kind = llvm::LLVMGetEnumAttributeKindForName(c"noalias".as_ptr(), 7);
            // Index 0 stands for the result.
            let index = (1..).zip(Value(function).parameters()).find(|(_, of)| *of == self);
            index
                .is_some_and(|(index, _)| !llvm::LLVMGetEnumAttributeAtIndex(function, index, kind).is_null())
        }
    }

    /// Returns true if a function changes no memory.
    pub(crate) fn only_reads(self) -> bool {
        unsafe {
            let kind = llvm::LLVMGetEnumAttributeKindForName(c"memory".as_ptr(), 6);
            let at = inkwell::llvm_sys::LLVMAttributeFunctionIndex;
            let attribute = llvm::LLVMGetEnumAttributeAtIndex(self.0, at, kind);
            // Each kind of memory has two bits: it is read, and it is changed.
            !attribute.is_null() && llvm::LLVMGetEnumAttributeValue(attribute) & 0xaaaa_aaaa_aaaa_aaaa == 0
        }
    }
}

/// Converts a text of LLVM. A null pointer stands for an empty one.
///
/// # Safety
/// `text` must be null or have `length` bytes.
unsafe fn text(text: *const i8, length: &u32) -> String {
    if text.is_null() {
        return String::new();
    }
    let bytes = unsafe { std::slice::from_raw_parts(text.cast(), *length as usize) };
    String::from_utf8_lossy(bytes).into_owned()
}
