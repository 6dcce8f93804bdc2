//! Symbols of a module: its functions and its variables.

use std::ffi::CString;

use inkwell::llvm_sys::core as llvm;
use inkwell::module::Module;

use super::value::Value;

/// Returns all functions of a module.
pub(crate) fn functions(module: &Module<'_>) -> Vec<Value> {
    let first = unsafe { llvm::LLVMGetFirstFunction(module.as_mut_ptr()) };
    std::iter::successors((!first.is_null()).then_some(first), |of| {
        let next = unsafe { llvm::LLVMGetNextFunction(*of) };
        (!next.is_null()).then_some(next)
    })
    .map(Value)
    .collect()
}

/// Returns the functions that choose, while the program is loaded, the target of a name.
pub(crate) fn resolvers(module: &Module<'_>) -> Vec<Value> {
    let first = unsafe { llvm::LLVMGetFirstGlobalIFunc(module.as_mut_ptr()) };
    std::iter::successors((!first.is_null()).then_some(first), |of| {
        let next = unsafe { llvm::LLVMGetNextGlobalIFunc(*of) };
        (!next.is_null()).then_some(next)
    })
    .map(|chosen| Value(unsafe { llvm::LLVMGetGlobalIFuncResolver(chosen) }))
    .collect()
}

/// Returns the function with a name.
pub(crate) fn function(module: &Module<'_>, name: &str) -> Option<Value> {
    let name = CString::new(name).ok()?;
    let found = unsafe { llvm::LLVMGetNamedFunction(module.as_mut_ptr(), name.as_ptr()) };
    (!found.is_null()).then_some(Value(found))
}

/// Makes a global variable internal to its module.
pub(crate) fn make_global_internal(module: &Module<'_>, name: &std::ffi::CStr) {
    unsafe {
        let global = llvm::LLVMGetNamedGlobal(module.as_mut_ptr(), name.as_ptr());
        if !global.is_null() {
            Value(global).make_internal();
        }
    }
}
