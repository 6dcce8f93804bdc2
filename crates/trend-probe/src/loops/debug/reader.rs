//! Reads the debug information of a module's instructions, functions and variables.

use std::collections::HashMap;
use std::ffi::CStr;

use inkwell::llvm_sys::LLVMDbgRecordKind::{LLVMDbgRecordDeclare, LLVMDbgRecordValue};
use inkwell::llvm_sys::core as llvm;
use inkwell::llvm_sys::debuginfo as api;
use inkwell::llvm_sys::debuginfo::LLVMMetadataKind;
use inkwell::llvm_sys::prelude::{LLVMContextRef, LLVMMetadataRef, LLVMValueRef};
use inkwell::module::Module;

use super::node::Node;
use crate::ir::value::{Opcode, Value};

/// Record of debug information: a value is a variable, a part of one, or the address of one.
#[derive(Clone, Debug)]
pub(crate) struct Binding {
    pub(crate) value: Value,
    pub(crate) variable: Node,
    /// True if the value is the address of the variable.
    pub(crate) is_address: bool,
    /// First bit of the part of the variable; `None` for all of it.
    pub(crate) part: Option<u64>,
    /// True if the variable belongs to a function that was inlined here.
    pub(crate) is_inlined: bool,
    /// True if that function is in another file.
    pub(crate) is_of_other_file: bool,
    /// Scope in which the variable is declared.
    pub(crate) scope: Option<Node>,
}

/// A variable of a closure, in the target of a parameter.
#[derive(Clone, Debug)]
pub(crate) struct Capture {
    pub(crate) parameter: Value,
    pub(crate) bytes: i64,
    /// True if the closure has a pointer to the variable, and not the variable itself.
    pub(crate) is_by_reference: bool,
    pub(crate) variable: Node,
}

/// Reads debug information of one module.
pub(crate) struct Debug {
    context: LLVMContextRef,
    /// Operations by expression.
    expressions: std::cell::RefCell<HashMap<LLVMMetadataRef, Vec<String>>>,
    loop_kind: u32,
    attachment_kind: u32,
}

impl Debug {
    pub(crate) fn new(module: &Module<'_>) -> Self {
        let context = unsafe { llvm::LLVMGetModuleContext(module.as_mut_ptr()) };
        let kind = |name: &str| unsafe {
            llvm::LLVMGetMDKindIDInContext(context, name.as_ptr().cast(), name.len() as u32)
        };
        let (loop_kind, attachment_kind) = (kind("llvm.loop"), kind("dbg"));
        Self { context, expressions: std::cell::RefCell::default(), loop_kind, attachment_kind }
    }

    fn location(&self, instruction: Value) -> Option<Node> {
        Node::some(unsafe { api::LLVMInstructionGetDebugLoc(instruction.0) }, self.context)
    }

    /// Returns the line of an instruction in the file of its function; 0 if it has none.
    pub(crate) fn line(&self, instruction: Value) -> u32 {
        self.lines(instruction).last().copied().unwrap_or(0)
    }

    /// Returns the lines of an instruction: this line, preceded by the lines of the calls through which it was inlined
    /// within this file.
    pub(crate) fn lines(&self, instruction: Value) -> Vec<u32> {
        self.location(instruction).map_or_else(Vec::new, Node::lines_in_file)
    }

    /// Returns the scope of an instruction in its own function.
    pub(crate) fn scope(&self, instruction: Value) -> Option<Node> {
        let location = self.location(instruction)?.frames().last()?;
        Node::some(unsafe { api::LLVMDILocationGetScope(location.node) }, self.context)
    }

    /// Returns the loop of a back edge, if the compiler states it.
    pub(crate) fn loop_of(&self, back: Value) -> Option<Node> {
        let metadata = unsafe { llvm::LLVMGetMetadata(back.0, self.loop_kind) };
        (!metadata.is_null())
            .then(|| Node { node: unsafe { llvm::LLVMValueAsMetadata(metadata) }, context: self.context })
    }

    /// Moves the loop of some back edges to another back edge.
    pub(crate) fn move_loop(&self, from: &[Value], to: Value) {
        for back in from {
            unsafe {
                let metadata = llvm::LLVMGetMetadata(back.0, self.loop_kind);
                if !metadata.is_null() {
                    llvm::LLVMSetMetadata(to.0, self.loop_kind, metadata);
                    llvm::LLVMSetMetadata(back.0, self.loop_kind, std::ptr::null_mut());
                }
            }
        }
    }

    /// Returns the line where the loop of a back edge begins, if the compiler states it.
    pub(crate) fn line_of_loop(&self, back: Value) -> Option<u32> {
        let node = self.loop_of(back)?;
        let locations = node.operands().into_iter().filter(|operand| !operand.is_null());
        let mut locations = locations
            .map(|operand| Node {
                node: unsafe { llvm::LLVMValueAsMetadata(operand) },
                context: self.context,
            })
            .filter(|node| matches!(node.kind(), LLVMMetadataKind::LLVMDILocationMetadataKind));
        locations.next()?.lines_in_file().pop().filter(|line| *line != 0)
    }

    /// Returns the debug records before an instruction.
    pub(crate) fn bindings_before(&self, instruction: Value) -> Vec<Binding> {
        let mut all = Vec::new();
        let mut record = unsafe { llvm::LLVMGetFirstDbgRecord(instruction.0) };
        while !record.is_null() {
            unsafe {
                let kind = llvm::LLVMDbgRecordGetKind(record);
                let is_address = matches!(kind, LLVMDbgRecordDeclare);
                if is_address || matches!(kind, LLVMDbgRecordValue) {
                    let value = llvm::LLVMDbgVariableRecordGetValue(record, 0);
                    let variable = llvm::LLVMDbgVariableRecordGetVariable(record);
                    let expression = llvm::LLVMDbgVariableRecordGetExpression(record);
                    let location = Node::some(llvm::LLVMDbgRecordGetDebugLoc(record), self.context);
                    if !value.is_null()
                        && let Some(variable) = Node::some(variable, self.context)
                        && let Some((is_indirect, part)) = self.meaning(expression)
                    {
                        let scope = api::LLVMDIVariableGetScope(variable.node);
                        all.push(Binding {
                            value: Value(value),
                            variable,
                            is_address: is_address || is_indirect,
                            part,
                            is_inlined: location.is_some_and(|at| at.inlined_at().is_some()),
                            is_of_other_file: location.is_some_and(Node::is_of_other_file),
                            scope: Node::some(scope, self.context),
                        });
                    }
                }
                record = llvm::LLVMGetNextDbgRecord(record);
            }
        }
        all
    }

    /// Returns the variables that a closure has in the target of one of its function's parameters. Memory must not be
    /// in registers yet: rustc describes the parameter's copy on the stack.
    pub(crate) fn captures(&self, function: Value) -> Vec<Capture> {
        let mut all = Vec::new();
        let parameters = function.parameters();
        if parameters.is_empty() {
            return all;
        }
        let Some(first) = function.blocks().first().map(|block| block.instructions()) else { return all };
        for instruction in first {
            let mut record = unsafe { llvm::LLVMGetFirstDbgRecord(instruction.0) };
            while !record.is_null() {
                let (kind, copy, expression, variable) = unsafe {
                    (
                        llvm::LLVMDbgRecordGetKind(record),
                        llvm::LLVMDbgVariableRecordGetValue(record, 0),
                        llvm::LLVMDbgVariableRecordGetExpression(record),
                        llvm::LLVMDbgVariableRecordGetVariable(record),
                    )
                };
                record = unsafe { llvm::LLVMGetNextDbgRecord(record) };
                if !matches!(kind, LLVMDbgRecordDeclare) || copy.is_null() {
                    continue;
                }
                let place = match &self.words(expression).iter().map(String::as_str).collect::<Vec<_>>()[..] {
                    ["DW_OP_deref", "DW_OP_deref"] => Some((0, true)),
                    ["DW_OP_deref", "DW_OP_plus_uconst", bytes] => {
                        bytes.parse().ok().map(|bytes| (bytes, false))
                    }
                    ["DW_OP_deref", "DW_OP_plus_uconst", bytes, "DW_OP_deref"] => {
                        bytes.parse().ok().map(|bytes| (bytes, true))
                    }
                    _ => None,
                };
                let Some((bytes, is_by_reference)) = place else { continue };
                let stored =
                    |user: Value| (user.opcode() == Some(Opcode::LLVMStore)).then(|| user.operand(0));
                let parameter = Value(copy).users().find_map(stored).filter(|of| parameters.contains(of));
                if let (Some(parameter), Some(variable)) = (parameter, Node::some(variable, self.context)) {
                    all.push(Capture { parameter, bytes, is_by_reference, variable });
                }
            }
        }
        all
    }

    /// Returns true if an expression follows a pointer, and the first bit that it selects. Returns `None` if it
    /// computes something.
    fn meaning(&self, expression: LLVMMetadataRef) -> Option<(bool, Option<u64>)> {
        match &self.words(expression).iter().map(String::as_str).collect::<Vec<_>>()[..] {
            [] | ["DW_OP_LLVM_arg", "0"] => Some((false, None)),
            ["DW_OP_deref"] => Some((true, None)),
            ["DW_OP_LLVM_fragment", bit, _] => Some((false, Some(bit.parse().ok()?))),
            ["DW_OP_deref", "DW_OP_LLVM_fragment", bit, _] => Some((true, Some(bit.parse().ok()?))),
            _ => None,
        }
    }

    /// Returns the operations of an expression, with their operands.
    fn words(&self, expression: LLVMMetadataRef) -> Vec<String> {
        let mut cache = self.expressions.borrow_mut();
        let words = cache.entry(expression).or_insert_with(|| {
            let node = Node { node: expression, context: self.context };
            let text = printed(node.value());
            let inside = text.split_once('(').and_then(|(_, rest)| rest.split_once(')'));
            let inside = inside.map_or("", |(inside, _)| inside);
            inside.split(", ").filter(|w| !w.is_empty()).map(str::to_owned).collect()
        });
        words.clone()
    }

    /// Returns the debug information of a function.
    pub(crate) fn function(&self, function: Value) -> Option<Node> {
        Node::some(unsafe { api::LLVMGetSubprogram(function.0) }, self.context)
    }

    /// Returns the variable in the program that a global variable is.
    pub(crate) fn global(&self, global: Value) -> Option<Node> {
        let mut count = 0;
        unsafe {
            let entries = llvm::LLVMGlobalCopyAllMetadata(global.0, &raw mut count);
            if entries.is_null() {
                return None;
            }
            let expression = (0..count as u32)
                .find(|index| llvm::LLVMValueMetadataEntriesGetKind(entries, *index) == self.attachment_kind)
                .map(|index| llvm::LLVMValueMetadataEntriesGetMetadata(entries, index));
            llvm::LLVMDisposeValueMetadataEntries(entries);
            let variable = api::LLVMDIGlobalVariableExpressionGetVariable(expression?);
            Node::some(variable, self.context)
        }
    }
}

fn printed(value: LLVMValueRef) -> String {
    unsafe {
        let text = llvm::LLVMPrintValueToString(value);
        let copy = CStr::from_ptr(text).to_string_lossy().into_owned();
        llvm::LLVMDisposeMessage(text);
        copy
    }
}
