//! Names of computed values: reads, calls, and expressions.

use std::cell::Cell;

use super::memory::DEEPEST;
use super::named::{Kind, Named};
use super::names::{Names, View, width_of};
use crate::ir::instruction::stripped;
use crate::ir::value::{Opcode, Value};
use crate::loops::debug::node::Node;

/// Maximum number of operations in an expression. A value that is squared several times would take exponentially many.
const MOST_OPERATIONS: u32 = 16;

impl Names<'_, '_> {
    /// Returns the name of a value; `None` if it must be computed from others.
    pub(crate) fn value(&self, value: Value, view: &View) -> Option<Named> {
        let value = self.uncast(value, view);
        if let Some(named) = self.lasting(value, view) {
            return Some(named);
        }
        self.computed(value, view).or_else(|| self.variable(value, view))
    }

    /// Returns the name of a value according to its origin.
    fn computed(&self, value: Value, view: &View) -> Option<Named> {
        match value.opcode() {
            Some(Opcode::LLVMLoad) => self.memory(value.operand(0), width_of(value), view),
            Some(Opcode::LLVMCall | Opcode::LLVMInvoke) => self.call(value, view),
            Some(Opcode::LLVMGetElementPtr) => {
                let offset = value.offset(self.module);
                let named = self.pointer(offset.base, view, DEEPEST)?;
                (offset.bytes == 0 && offset.indices.is_empty()).then_some(named)
            }
            opcode if value.is_global_variable() || opcode == Some(Opcode::LLVMAlloca) => {
                let object = self.object(value, view)?;
                // An array stands for its address.
                let is_array = object.ty.is_some_and(Node::is_array);
                let name = if is_array { object.name } else { format!("&{}", object.name) };
                Some(Named { name, ..object })
            }
            _ => None,
        }
    }

    /// Returns the name of a value that changes from trip to trip. The place that it is read from has priority, since
    /// the variable that receives it has other values.
    pub(crate) fn changing(&self, value: Value, view: &View) -> Option<Named> {
        match value.opcode() {
            Some(Opcode::LLVMLoad) => self.memory(value.operand(0), width_of(value), view),
            Some(Opcode::LLVMCall | Opcode::LLVMInvoke) => self.call(value, view),
            _ => self.value(value, view),
        }
    }

    /// Returns the name of a call's result: `strlen(s)`, `v.size()`.
    pub(super) fn call(&self, call: Value, view: &View) -> Option<Named> {
        let callee = call.callee()?;
        if callee.is_intrinsic() {
            return None;
        }
        let debug_name = self.debug.function(callee).and_then(Node::function_name);
        let linkage = callee.name();
        let is_plain = !linkage.starts_with("_Z") && !linkage.starts_with("_R");
        let (name, is_method) = debug_name.or_else(|| is_plain.then_some((linkage, false)))?;
        let arguments: Vec<String> = (0..call.arguments())
            .map(|index| self.argument(call.operand(index), view).unwrap_or_else(|| "…".to_owned()))
            .collect();
        let is_length = matches!(&*name, "strlen" | "len" | "size" | "length" | "count" | "wcslen");
        let kind = if is_length && arguments.len() == 1 { Kind::Length } else { Kind::Result };
        let name = match &arguments[..] {
            [object, rest @ ..] if is_method => {
                format!("{}.{name}({})", object.trim_start_matches('&'), rest.join(", "))
            }
            _ => format!("{name}({})", arguments.join(", ")),
        };
        Some(Named { name, kind, ty: None })
    }

    /// Returns an argument of a call, in the caller's terms or as a number.
    pub(crate) fn argument(&self, argument: Value, view: &View) -> Option<String> {
        if let Some(number) = argument.signed() {
            return Some(number.to_string());
        }
        if argument.is_null_pointer() {
            return Some("0".to_owned());
        }
        if let Some(text) = argument.text() {
            let short: String = text.chars().take(16).filter(|c| !c.is_control()).collect();
            return Some(format!("\"{short}{}\"", if text.len() > short.len() { "…" } else { "" }));
        }
        // Parameters come first: a reader of the call does not know local variables.
        let parameters: Vec<String> =
            self.function.parameters().into_iter().map(|parameter| self.parameter(parameter)).collect();
        let in_parameters = |value: Value| {
            let value = stripped(value);
            value.is_argument().then(|| self.parameter(value)).filter(|name| !name.is_empty())
        };
        // A parameter that was changed has another value than the one that the function was called with.
        let in_variables = |value: Value| {
            let name = self.value(value, view)?.name;
            (stripped(value).is_argument() || !parameters.contains(&name)).then_some(name)
        };
        let sum = arithmetic(argument, &in_parameters, &Cell::new(MOST_OPERATIONS))
            .or_else(|| arithmetic(argument, &in_variables, &Cell::new(MOST_OPERATIONS)))?;
        let inside = sum.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        Some(inside.map_or_else(|| sum.clone(), str::to_owned))
    }

    /// Names a value that has no name in the function itself. Uses variables of inlined functions of the same file, or
    /// else a description.
    pub(crate) fn unnamed(&self, value: Value, view: &View) -> Named {
        let view = View { has_inlined: true, ..view.clone() };
        let described = || Named { name: self.described(value, &view), kind: Kind::Unnamed, ty: None };
        self.value(value, &view).unwrap_or_else(described)
    }

    /// Describes a value that has no name.
    pub(crate) fn described(&self, value: Value, view: &View) -> String {
        let what = match value.opcode() {
            Some(Opcode::LLVMLoad) => {
                let base = value.operand(0).offset(self.module).base;
                match self.pointer(base, view, DEEPEST) {
                    Some(named) => format!("*{}", named.name),
                    None => "memory".to_owned(),
                }
            }
            Some(Opcode::LLVMCall | Opcode::LLVMInvoke) => "a call".to_owned(),
            _ if value.is_argument() => "parameter".to_owned(),
            _ if value.ty().is_pointer() => "pointer".to_owned(),
            _ => "value".to_owned(),
        };
        let line = if value.opcode().is_some() { self.debug.line(value) } else { 0 };
        let line = if line == 0 { self.function.source().map_or(0, |(_, line)| line) } else { line };
        format!("{what} at {}:{line}", self.file)
    }
}

/// Returns the expression of a value that is computed from numbers and values with names: `(n - 1)`, `((lo + hi) / 2)`.
/// `left` is the number of operations that it may still have.
fn arithmetic(value: Value, name: &dyn Fn(Value) -> Option<String>, left: &Cell<u32>) -> Option<String> {
    if let Some(number) = stripped(value).signed() {
        return Some(number.to_string());
    }
    if let Some(name) = name(value) {
        return Some(name);
    }
    let value = stripped(value);
    left.set(left.get().checked_sub(1)?);
    let number = |value: i64| u32::try_from(value).ok();
    let (sign, by) = match value.opcode()? {
        Opcode::LLVMAdd => match value.operand(1).signed() {
            Some(less) if less < 0 => ("-", less.checked_neg()?.to_string()),
            _ => ("+", arithmetic(value.operand(1), name, left)?),
        },
        Opcode::LLVMSub => ("-", arithmetic(value.operand(1), name, left)?),
        Opcode::LLVMMul => ("*", arithmetic(value.operand(1), name, left)?),
        Opcode::LLVMSDiv | Opcode::LLVMUDiv => ("/", number(value.operand(1).signed()?)?.to_string()),
        Opcode::LLVMAShr | Opcode::LLVMLShr => {
            ("/", 1_u64.checked_shl(number(value.operand(1).signed()?)?)?.to_string())
        }
        _ => return None,
    };
    Some(format!("({} {sign} {by})", arithmetic(value.operand(0), name, left)?))
}
