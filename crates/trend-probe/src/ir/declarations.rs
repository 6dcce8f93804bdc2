//! Adds functions, texts and records to a module.

use std::ffi::{CStr, CString, c_uint};

use inkwell::llvm_sys::LLVMLinkage;
use inkwell::llvm_sys::core as llvm;
use inkwell::llvm_sys::prelude::{LLVMTypeRef, LLVMValueRef};

use super::builder::Builder;
use super::value::{Type, Value};

impl Builder {
    /// Declares a function that has parameters of these types and returns nothing.
    pub(crate) fn declare(&self, name: &str, parameters: &[Type]) -> Value {
        let name = CString::new(name).expect("names of hooks have no zero");
        let mut parameters: Vec<LLVMTypeRef> = parameters.iter().map(|p| p.0).collect();
        unsafe {
            let void = llvm::LLVMVoidTypeInContext(self.context);
            let count = parameters.len() as c_uint;
            let ty = llvm::LLVMFunctionType(void, parameters.as_mut_ptr(), count, 0);
            Value(llvm::LLVMAddFunction(self.module, name.as_ptr(), ty))
        }
    }

    /// Declares a function that returns a value.
    pub(crate) fn declare_returning(&self, returned: Type, name: &str, parameters: &[Type]) -> Value {
        let name = std::ffi::CString::new(name).expect("names of hooks have no zero");
        let mut parameters: Vec<_> = parameters.iter().map(|p| p.0).collect();
        unsafe {
            let ty = llvm::LLVMFunctionType(returned.0, parameters.as_mut_ptr(), parameters.len() as u32, 0);
            Value(llvm::LLVMAddFunction(self.module, name.as_ptr(), ty))
        }
    }

    /// Returns a model of the runtime, and declares it if necessary. Its parameters are the frame, the mask, the size
    /// of a cell, and three numbers. It returns the number of new cells.
    pub(crate) fn model(&self, name: &str) -> Value {
        let name = CString::new(format!("trend_probe_4_{name}")).expect("names of models have no zero");
        unsafe {
            let declaration = llvm::LLVMGetNamedFunction(self.module, name.as_ptr());
            if !declaration.is_null() {
                return Value(declaration);
            }
            let (long, short) = (self.int64().0, self.int32().0);
            let pointer = llvm::LLVMPointerTypeInContext(self.context, 0);
            let mut parameters = [pointer, long, short, long, long, long];
            let ty = llvm::LLVMFunctionType(long, parameters.as_mut_ptr(), parameters.len() as c_uint, 0);
            Value(llvm::LLVMAddFunction(self.module, name.as_ptr(), ty))
        }
    }

    /// Declares a variable of another part of the program.
    pub(crate) fn external(&self, name: &std::ffi::CStr) -> Value {
        unsafe {
            let byte = llvm::LLVMInt8TypeInContext(self.context);
            Value(llvm::LLVMAddGlobal(self.module, byte, name.as_ptr()))
        }
    }

    /// Creates a private constant array of bytes.
    pub(crate) fn text(&self, text: &str) -> Value {
        unsafe {
            let constant = llvm::LLVMConstStringInContext2(self.context, text.as_ptr().cast(), text.len(), 1);
            let global = llvm::LLVMAddGlobal(self.module, llvm::LLVMTypeOf(constant), c"trend.text".as_ptr());
            llvm::LLVMSetInitializer(global, constant);
            llvm::LLVMSetGlobalConstant(global, 1);
            llvm::LLVMSetLinkage(global, LLVMLinkage::LLVMPrivateLinkage);
            Value(global)
        }
    }

    /// Creates a private variable with a struct of these values.
    pub(crate) fn record(&self, name: &CStr, values: &[Value]) -> Value {
        let mut values: Vec<LLVMValueRef> = values.iter().map(|v| v.0).collect();
        unsafe {
            let count = values.len() as c_uint;
            let constant = llvm::LLVMConstStructInContext(self.context, values.as_mut_ptr(), count, 0);
            let global = llvm::LLVMAddGlobal(self.module, llvm::LLVMTypeOf(constant), name.as_ptr());
            llvm::LLVMSetInitializer(global, constant);
            llvm::LLVMSetLinkage(global, LLVMLinkage::LLVMPrivateLinkage);
            Value(global)
        }
    }
}
