//! Chooses the functions that are inlined, before the parts are known.

use std::path::Path;

use inkwell::module::Module;

use super::marks::{COROUTINE, is_routine};
use super::origin::{Origin, origin};
use super::repeating::{looping, recursive};
use crate::flow::cycles::hands_on;
use crate::ir::symbols;
use crate::ir::value::Value;

/// Maximum cost, as estimated by LLVM's inliner, of inlined functions of Rust crates and standard libraries; for
/// others it is 225. Inlined code has no entry and no exit, and reads nothing a second time. With this limit, four
/// crates take 3.40 times as long as without the probe; with 225, they take 3.91 times as long. C code in a crate has
/// no closures and iterators that would be worth it: SQLite became 11 times as large, and takes 290 s to compile
/// instead of 84 s.
const OF_LIBRARIES: &str = "2000";

/// Prevents the inlining of functions that are recursive, or that loop by themselves or through library functions.
/// Library functions are inlined unless they are recursive.
pub(crate) fn keep_those_with_trends(module: &Module<'_>) {
    let functions: Vec<Value> = symbols::functions(module).into_iter().filter(|f| is_routine(*f)).collect();
    let recursive = recursive(&functions);
    let looping = looping(&functions);
    for function in &functions {
        function.add_text_attribute("disable-tail-calls", "true");
        if is_coroutine(*function) {
            function.add_text_attribute(COROUTINE, "");
        }
        // Looping functions are excluded first: in an endless loop, `hands_on` would not end.
        if is_coroutine(*function)
            || (looping.contains(function) && origin(*function) == Origin::Program)
            || (recursive.contains(function) && !hands_on(*function))
        {
            keep_out(*function);
        } else if is_inlined_further(*function) {
            function.add_text_attribute("function-inline-threshold", OF_LIBRARIES);
        }
    }
}

/// Returns true if the module has coroutines that are not split yet.
pub(crate) fn has_coroutines(module: &Module<'_>) -> bool {
    symbols::functions(module).into_iter().any(is_coroutine)
}

fn is_coroutine(function: Value) -> bool {
    function.has_attribute("presplitcoroutine")
}

/// Returns true if a function is inlined up to the larger cost.
fn is_inlined_further(function: Value) -> bool {
    match origin(function) {
        Origin::Program => false,
        Origin::Crate => {
            function.source().is_some_and(|(path, _)| Path::new(&path).extension() == Some("rs".as_ref()))
        }
        Origin::StandardLibrary => true,
    }
}

/// Prevents the inlining of all functions that still exist.
pub(crate) fn keep_all(module: &Module<'_>) {
    symbols::functions(module).into_iter().filter(|f| is_routine(*f)).for_each(keep_out);
}

fn keep_out(function: Value) {
    if !function.has_attribute("alwaysinline") {
        function.remove_attribute("inlinehint");
        function.add_attribute("noinline", 0);
    }
}
