//! Symbols of a module: its functions and its variables.

use std::ffi::CString;

use inkwell::context::Context;
use inkwell::llvm_sys::core as llvm;
use inkwell::memory_buffer::MemoryBuffer;
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

/// Parses LLVM assembly and links its functions into a module. Functions whose names start with `prefix` become
/// internal.
pub(crate) fn link<'a>(
    context: &'a Context,
    module: &Module<'a>,
    source: &str,
    prefix: &str,
) -> Result<(), String> {
    let text = MemoryBuffer::create_from_memory_range_copy(source.as_bytes(), "hooks");
    let hooks = context.create_module_from_ir(text).map_err(|e| e.to_string())?;
    hooks.set_data_layout(&module.get_data_layout());
    hooks.set_triple(&module.get_triple());
    module.link_in_module(hooks).map_err(|e| e.to_string())?;
    functions(module)
        .into_iter()
        .filter(|f| f.name().starts_with(prefix) && !f.is_declaration())
        .for_each(Value::make_internal);
    Ok(())
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
    let function = unsafe { llvm::LLVMGetNamedFunction(module.as_mut_ptr(), name.as_ptr()) };
    (!function.is_null()).then_some(Value(function))
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
