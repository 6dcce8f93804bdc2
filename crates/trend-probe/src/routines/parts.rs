//! Finds the functions that are parts of their callers.

use std::collections::HashSet;

use inkwell::module::Module;

use super::calls::{may_not_return, returns_twice};
use super::marks::{COROUTINE, PART, STEADY, is_routine};
use super::origin::{Origin, origin};
use super::repeating::recursive;
use crate::flow::cycles::has_loop;
use crate::ir::symbols;
use crate::ir::value::{Block, Value};
use crate::library::models;

/// Marks the functions that are parts of their callers.
pub(crate) fn find_parts(module: &Module<'_>) {
    let functions: Vec<Value> = symbols::functions(module).into_iter().filter(|f| is_routine(*f)).collect();
    let recursive = recursive(&functions);
    let mut calls: Vec<(Value, Vec<Value>)> = functions
        .iter()
        .filter(|function| !recursive.contains(function) && !has_loop(**function) && can_be_part(**function))
        .filter_map(|function| Some((*function, known_calls(*function)?)))
        .collect();
    // Drops functions that call functions outside this set, until all remaining ones are parts.
    loop {
        let callers: HashSet<Value> = calls.iter().map(|(function, _)| *function).collect();
        calls.retain(|(_, callees)| callees.iter().all(|callee| callers.contains(callee)));
        if calls.len() == callers.len() {
            break;
        }
    }
    for (function, _) in calls {
        function.add_text_attribute(PART, "");
        function.add_text_attribute(STEADY, "");
    }
    let is_of_library = |of: &Value| origin(*of) == Origin::StandardLibrary && can_be_part(*of);
    for function in functions.into_iter().filter(is_of_library) {
        function.add_text_attribute(PART, "");
    }
}

/// Returns true if the probe can count the work of a function for its caller.
fn can_be_part(function: Value) -> bool {
    let instructions = || function.blocks().into_iter().flat_map(Block::instructions);
    !function.has_text_attribute(COROUTINE)
        && !function.is_variadic()
        && !instructions().any(Value::is_tail_call_that_must_be)
        && !instructions().filter(|of| may_not_return(*of)).any(returns_twice)
}

/// Returns the functions of the module that a function calls and that return. Returns `None` if it may call unknown
/// functions.
fn known_calls(function: Value) -> Option<Vec<Value>> {
    let mut callees = Vec::new();
    for instruction in function.blocks().iter().flat_map(|block| block.instructions()) {
        if !may_not_return(instruction) || instruction.has_attribute("noreturn") {
            continue;
        }
        let callee = instruction.callee()?;
        if callee.has_attribute("noreturn") {
            continue;
        }
        if !callee.is_declaration() && is_routine(callee) {
            callees.push(callee);
        } else if !models::calls_nothing_back(&callee.name()) {
            return None;
        }
    }
    Some(callees)
}
