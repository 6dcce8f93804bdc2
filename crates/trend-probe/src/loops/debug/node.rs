//! Nodes of debug information: variables, functions, locations and scopes.

use inkwell::llvm_sys::core as llvm;
use inkwell::llvm_sys::debuginfo as api;
use inkwell::llvm_sys::debuginfo::LLVMMetadataKind;
use inkwell::llvm_sys::prelude::{LLVMContextRef, LLVMMetadataRef, LLVMValueRef};

/// A node of debug information.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Node {
    pub(super) node: LLVMMetadataRef,
    pub(super) context: LLVMContextRef,
}

impl Node {
    pub(super) fn some(node: LLVMMetadataRef, context: LLVMContextRef) -> Option<Self> {
        (!node.is_null()).then_some(Self { node, context })
    }

    pub(super) fn kind(self) -> LLVMMetadataKind {
        unsafe { api::LLVMGetMetadataKind(self.node) }
    }

    pub(super) fn tag(self) -> u16 {
        unsafe { api::LLVMGetDINodeTag(self.node) }
    }

    pub(super) fn value(self) -> LLVMValueRef {
        unsafe { llvm::LLVMMetadataAsValue(self.context, self.node) }
    }

    pub(super) fn operands(self) -> Vec<LLVMValueRef> {
        let value = self.value();
        let count = unsafe { llvm::LLVMGetMDNodeNumOperands(value) };
        let mut operands = vec![std::ptr::null_mut(); count as usize];
        unsafe { llvm::LLVMGetMDNodeOperands(value, operands.as_mut_ptr()) };
        operands
    }

    pub(super) fn operand(self, index: usize) -> Option<Self> {
        let operand = *self.operands().get(index)?;
        if operand.is_null() {
            return None;
        }
        Self::some(unsafe { llvm::LLVMValueAsMetadata(operand) }, self.context)
    }

    pub(super) fn text(self, index: usize) -> Option<String> {
        let operand = *self.operands().get(index)?;
        if operand.is_null() {
            return None;
        }
        let mut length = 0;
        unsafe {
            let text = llvm::LLVMGetMDString(operand, &raw mut length);
            if text.is_null() {
                return None;
            }
            let bytes = std::slice::from_raw_parts(text.cast(), length as usize);
            Some(String::from_utf8_lossy(bytes).into_owned()).filter(|name| !name.is_empty())
        }
    }

    pub(super) fn is_derived(self) -> bool {
        matches!(self.kind(), LLVMMetadataKind::LLVMDIDerivedTypeMetadataKind)
    }

    pub(super) fn is_composite(self) -> bool {
        matches!(self.kind(), LLVMMetadataKind::LLVMDICompositeTypeMetadataKind)
    }

    /// Returns the name of a variable.
    pub(crate) fn variable_name(self) -> Option<String> {
        self.text(1)
    }

    /// Returns the type of a variable.
    pub(crate) fn variable_type(self) -> Option<Self> {
        self.operand(3)
    }

    /// Returns the name of a function, and true if it is a method.
    pub(crate) fn function_name(self) -> Option<(String, bool)> {
        let is_method = self.operand(1).is_some_and(Self::is_composite);
        Some((self.text(2)?, is_method))
    }

    fn line(self) -> u32 {
        unsafe { api::LLVMDILocationGetLine(self.node) }
    }

    pub(super) fn inlined_at(self) -> Option<Self> {
        Self::some(unsafe { api::LLVMDILocationGetInlinedAt(self.node) }, self.context)
    }

    /// Returns the file of a location.
    fn file(self) -> Option<Self> {
        let scope = unsafe { api::LLVMDILocationGetScope(self.node) };
        Self::some(unsafe { api::LLVMDIScopeGetFile(scope) }, self.context)
    }

    /// Returns a location and the calls by which it was inlined, from the innermost one to the one in the function
    /// itself.
    pub(super) fn frames(self) -> impl Iterator<Item = Self> {
        std::iter::successors(Some(self), |frame| frame.inlined_at())
    }

    /// Returns the lines in the file of the function, from the function itself to the innermost function inlined from
    /// that file. Code inlined from other files, such as libraries, has the lines of the calls.
    pub(super) fn lines_in_file(self) -> Vec<u32> {
        let mut frames: Vec<Self> = self.frames().collect();
        frames.reverse();
        let own = frames[0].file();
        frames.into_iter().filter(|frame| frame.file() == own).map(Self::line).collect()
    }

    /// Returns true if a location is in another file than the function.
    pub(super) fn is_of_other_file(self) -> bool {
        self.frames().last().is_some_and(|own| own.file() != self.file())
    }

    /// Returns the enclosing scope, up to the function.
    fn around(self) -> Option<Self> {
        let is_block = matches!(
            self.kind(),
            LLVMMetadataKind::LLVMDILexicalBlockMetadataKind
                | LLVMMetadataKind::LLVMDILexicalBlockFileMetadataKind
        );
        self.operand(1).filter(|_| is_block)
    }

    /// Returns true if code in scope `inner` can see declarations of this scope.
    pub(crate) fn encloses(self, inner: Self) -> bool {
        std::iter::successors(Some(inner), |scope| scope.around()).any(|scope| scope == self)
    }

    /// Returns the depth of a scope in its function.
    pub(crate) fn depth(self) -> usize {
        std::iter::successors(Some(self), |scope| scope.around()).count()
    }
}
