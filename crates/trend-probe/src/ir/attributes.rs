//! Attributes of functions and calls.

use std::ffi::c_uint;

use inkwell::llvm_sys::core as llvm;
use inkwell::llvm_sys::prelude::LLVMAttributeRef;

use super::value::Value;

/// Handle of a function's attribute.
pub(crate) struct Attribute(LLVMAttributeRef);

impl Value {
    /// Returns true if a function or a call has an attribute.
    pub(crate) fn has_attribute(self, name: &str) -> bool {
        let kind = unsafe { llvm::LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) };
        let at = inkwell::llvm_sys::LLVMAttributeFunctionIndex;
        unsafe {
            let attribute = if self.is_function() {
                llvm::LLVMGetEnumAttributeAtIndex(self.0, at, kind)
            } else {
                llvm::LLVMGetCallSiteEnumAttribute(self.0, at, kind)
            };
            !attribute.is_null()
        }
    }

    pub(crate) fn add_attribute(self, name: &str, value: u64) {
        let at = inkwell::llvm_sys::LLVMAttributeFunctionIndex;
        unsafe {
            let context = llvm::LLVMGetTypeContext(llvm::LLVMTypeOf(self.0));
            let kind = llvm::LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            llvm::LLVMAddAttributeAtIndex(self.0, at, llvm::LLVMCreateEnumAttribute(context, kind, value));
        }
    }

    pub(crate) fn remove_attribute(self, name: &str) {
        let at = inkwell::llvm_sys::LLVMAttributeFunctionIndex;
        unsafe {
            let kind = llvm::LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            llvm::LLVMRemoveEnumAttributeAtIndex(self.0, at, kind);
        }
    }

    pub(crate) fn has_text_attribute(self, name: &str) -> bool {
        let at = inkwell::llvm_sys::LLVMAttributeFunctionIndex;
        let length = name.len() as c_uint;
        let attribute =
            unsafe { llvm::LLVMGetStringAttributeAtIndex(self.0, at, name.as_ptr().cast(), length) };
        !attribute.is_null()
    }

    pub(crate) fn add_text_attribute(self, name: &str, value: &str) {
        let at = inkwell::llvm_sys::LLVMAttributeFunctionIndex;
        unsafe {
            let context = llvm::LLVMGetTypeContext(llvm::LLVMTypeOf(self.0));
            let attribute = llvm::LLVMCreateStringAttribute(
                context,
                name.as_ptr().cast(),
                name.len() as c_uint,
                value.as_ptr().cast(),
                value.len() as c_uint,
            );
            llvm::LLVMAddAttributeAtIndex(self.0, at, attribute);
        }
    }

    pub(crate) fn take_text_attribute(self, name: &str) -> Option<Attribute> {
        let at = inkwell::llvm_sys::LLVMAttributeFunctionIndex;
        let (text, length) = (name.as_ptr().cast(), name.len() as c_uint);
        unsafe {
            let attribute = llvm::LLVMGetStringAttributeAtIndex(self.0, at, text, length);
            llvm::LLVMRemoveStringAttributeAtIndex(self.0, at, text, length);
            (!attribute.is_null()).then_some(Attribute(attribute))
        }
    }

    pub(crate) fn give_back_attribute(self, Attribute(attribute): Attribute) {
        let at = inkwell::llvm_sys::LLVMAttributeFunctionIndex;
        unsafe { llvm::LLVMAddAttributeAtIndex(self.0, at, attribute) }
    }
}
