//! Marks of functions: routines, parts of their callers, and functions that the probe leaves alone.

use inkwell::module::Module;

use crate::ir::symbols;
use crate::ir::value::Value;
use crate::library::models;

/// Attribute of functions that run before the program's libraries are ready.
const RESOLVER: &str = "trend-resolver";

/// Attribute of functions that are parts of their callers.
pub(super) const PART: &str = "trend-part";

/// Attribute of parts that call no routine.
pub(super) const STEADY: &str = "trend-steady";

/// Attribute of coroutines, and of the functions that they are split into.
pub(super) const COROUTINE: &str = "trend-coroutine";

/// Excludes functions that choose between versions of a function while the program is loaded.
pub(crate) fn leave_out_resolvers(module: &Module<'_>) {
    for resolver in symbols::resolvers(module) {
        resolver.add_text_attribute(RESOLVER, "");
    }
}

/// Returns true if the probe's hooks go into a function.
pub(crate) fn is_routine(function: Value) -> bool {
    !function.is_declaration()
        && function.linkage() != inkwell::llvm_sys::LLVMLinkage::LLVMAvailableExternallyLinkage
        && !function.has_attribute("naked")
        && !function.has_text_attribute(RESOLVER)
        && !function.name().starts_with("trend.")
        // The functions that rustc generates only forward to the allocator.
        && !models::is_of_allocator(&function.name())
}

/// Returns true if a function's reads and costs are counted for its caller.
pub(crate) fn is_part(function: Value) -> bool {
    function.has_text_attribute(PART)
}

/// Returns true if a function is a part that calls no routine.
pub(crate) fn is_steady(function: Value) -> bool {
    function.has_text_attribute(STEADY)
}
