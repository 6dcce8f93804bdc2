//! Variables of closures, read before optimization.

use std::collections::HashMap;

use inkwell::module::Module;

use crate::ir::symbols;
use crate::ir::value::Value;
use crate::loops::debug::reader::{Capture, Debug};
use crate::routines::marks::is_routine;

/// Debug information about closures by function, read before optimization.
pub(crate) struct Captures(pub(crate) HashMap<Value, Vec<Capture>>);

/// Reads the debug information about closures.
pub(crate) fn captures(module: &Module<'_>) -> Captures {
    let debug = Debug::new(module);
    let functions = symbols::functions(module).into_iter().filter(|f| is_routine(*f));
    let all = functions.map(|function| (function, debug.captures(function)));
    Captures(all.filter(|(_, captures)| !captures.is_empty()).collect())
}
