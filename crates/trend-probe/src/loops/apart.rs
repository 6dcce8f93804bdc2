//! Functions with loops that are not inlined until these are watched.

use inkwell::module::Module;

use crate::flow::cycles::has_loop;
use crate::ir::symbols;
use crate::routines::marks::is_routine;
use crate::routines::origin::is_of_standard_library;

/// Attribute of functions that are not inlined until their loops are watched.
const APART: &str = "trend-apart";

/// Prevents the inlining of the program's own functions that loop, so that each loop is found once and in its place.
pub(crate) fn keep_apart(module: &Module<'_>) {
    for function in symbols::functions(module).into_iter().filter(|f| is_routine(*f)) {
        // Loops of the standard libraries belong to the functions that they are inlined into.
        let is_library = function.source().is_some_and(|(path, _)| is_of_standard_library(&path));
        if !is_library
            && has_loop(function)
            && !function.has_attribute("alwaysinline")
            && !function.has_attribute("noinline")
        {
            function.add_attribute("noinline", 0);
            function.add_text_attribute(APART, "");
        }
    }
}

/// Allows these functions to be inlined again.
pub(crate) fn release(module: &Module<'_>) {
    for function in symbols::functions(module).into_iter().filter(|f| f.has_text_attribute(APART)) {
        function.remove_attribute("noinline");
    }
}
