//! Instruments routines, parts of their callers, and Rust's allocator.

use std::collections::HashMap;

use inkwell::module::Module;
use trend_runtime::record::PART_MARK;

use super::instrumentation::Instrumentation;
use crate::accesses::access::{self, Access};
use crate::accesses::needed::needed;
use crate::ir::builder::Builder;
use crate::ir::symbols;
use crate::ir::value::{Opcode, Value};
use crate::library::models::{self, Allocator};
use crate::options::Options;
use crate::routines::calls::{ends_in_tail_call, has_jump, may_not_return};
use crate::routines::costs::{AT_EXIT, BEFORE_CALL, OF_PART};
use crate::routines::marks::{is_part, is_routine};

/// Instruments all routines of a module that the hooks were linked into.
pub(crate) fn instrument(module: &Module<'_>, options: Options) {
    let builder = Builder::new(module);
    let names = [
        "enter",
        "mask",
        "flip",
        "writer",
        "reload",
        "save",
        "land",
        "exit",
        "read",
        "read.ends",
        "read.pair",
        "read.four",
        "read.range",
        "read.wide.8",
        "read.wide.16",
        "read.wide.32",
        "read.wide.64",
        "write",
        "write.ends",
        "write.pair",
        "write.four",
        "write.range",
        "write.wide.8",
        "write.wide.16",
        "write.wide.32",
        "write.wide.64",
        "saved",
        "external",
        "given",
        "running",
        "parts.count",
        "parts.cost",
        "is.idle",
        "begin",
        "finish",
    ];
    let hooks = names
        .map(|name| (name, symbols::function(module, &format!("trend.{name}")).expect("hooks.ll defines it")))
        .into();
    let mut unit = Instrumentation {
        module,
        builder,
        hooks,
        options,
        descriptors: HashMap::new(),
        externals: HashMap::new(),
    };
    for function in symbols::functions(module).into_iter().filter(|f| is_routine(*f)) {
        if is_part(function) {
            function.set_prefix(unit.builder.constant(unit.builder.int64(), u64::from_le_bytes(PART_MARK)));
            unit.part(function);
        } else {
            unit.routine(function);
        }
    }
    for function in symbols::functions(module).into_iter().filter(|f| !f.is_declaration()) {
        if let Some(kind) = models::allocator(&function.name()) {
            unit.allocator(function, kind);
        }
    }
}

impl Instrumentation<'_, '_> {
    fn routine(&mut self, function: Value) {
        let blocks = function.blocks();
        let instructions: Vec<Value> = blocks.iter().flat_map(|block| block.instructions()).collect();
        let accesses: Vec<Access> =
            instructions.iter().flat_map(|of| access::accesses_of(*of, self.module)).collect();
        let accesses = needed(function, accesses, self.module, self.options);

        let descriptor = self.descriptor(function);
        let locals = self.begin(function, descriptor, has_jump(function));
        for access in accesses {
            self.watch(&locals, &access);
        }
        let throwing: Vec<Value> =
            instructions.iter().copied().filter(|of| may_not_return(*of) && of.may_throw()).collect();
        let mut last_mark = None;
        for instruction in instructions {
            let builder = &self.builder;
            match instruction.opcode() {
                Some(Opcode::LLVMCall | Opcode::LLVMInvoke) => {
                    let name = instruction.callee().map(Value::name).unwrap_or_default();
                    if name == BEFORE_CALL {
                        last_mark = Some(instruction.operand(0));
                        let count = builder.before(instruction).load(builder.int64(), locals.count);
                        let own = self.own(&locals, instruction.operand(0));
                        builder.call(self.hooks["save"], &[locals.frame, count, own]);
                        instruction.remove();
                    } else if name == AT_EXIT {
                        builder.before(instruction).store(instruction.operand(0), locals.cost);
                        instruction.remove();
                    } else if instruction.is_tail_call_that_must_be() {
                        self.exit(&locals, instruction);
                    } else if may_not_return(instruction) {
                        self.call(&locals, instruction, &name, last_mark);
                    }
                }
                Some(Opcode::LLVMLandingPad) => {
                    instruction.land_always();
                    let after = instruction.block().first_insertion_point();
                    builder.before(after).call(self.hooks["land"], &[locals.frame]);
                    self.reload(&locals);
                }
                Some(Opcode::LLVMRet | Opcode::LLVMResume) if !ends_in_tail_call(instruction.block()) => {
                    self.exit(&locals, instruction);
                }
                _ => {}
            }
        }
        self.leave_by_exceptions(function, descriptor, locals.frame, &throwing);
    }

    /// Instruments a part of its callers. Its reads and costs are counted in the frame on top, which belongs to the
    /// routine that called it. If no routine is running, the part is a routine itself.
    fn part(&mut self, function: Value) {
        let blocks = function.blocks();
        let instructions: Vec<Value> = blocks.iter().flat_map(|block| block.instructions()).collect();
        let accesses: Vec<Access> =
            instructions.iter().flat_map(|of| access::accesses_of(*of, self.module)).collect();
        let accesses = needed(function, accesses, self.module, self.options);
        let locals = self.begin_part(blocks[0].instructions()[0]);
        for access in accesses {
            self.watch(&locals, &access);
        }
        for instruction in instructions {
            match instruction.opcode() {
                Some(Opcode::LLVMCall | Opcode::LLVMInvoke) => {
                    let name = instruction.callee().map(Value::name).unwrap_or_default();
                    if name == OF_PART {
                        let cost = instruction.operand(0);
                        self.builder
                            .before(instruction)
                            .call(self.hooks["parts.cost"], &[locals.frame, cost]);
                        instruction.remove();
                    } else if may_not_return(instruction) {
                        self.call(&locals, instruction, &name, None);
                    }
                }
                Some(Opcode::LLVMLandingPad) => {
                    let after = instruction.block().first_insertion_point();
                    self.builder.before(after).call(self.hooks["land"], &[locals.frame]);
                    self.reload(&locals);
                }
                _ => {}
            }
        }
        let descriptor = self.descriptor(function);
        let builder = &self.builder;
        builder.before_all_if(function, self.hooks["is.idle"]);
        let frame = builder.call(self.hooks["begin"], &[descriptor]);
        let call = builder.call_again(function);
        builder.call(self.hooks["finish"], &[descriptor, frame]);
        builder.give_back(call);
        self.leave_by_exceptions(function, descriptor, frame, &[call]);
    }

    /// Ends an activation if an exception leaves it through one of these calls. The function that catches it need not
    /// be probed.
    fn leave_by_exceptions(&self, function: Value, descriptor: Value, frame: Value, throwing: &[Value]) {
        if throwing.is_empty() || function.has_attribute("nounwind") {
            return;
        }
        let builder = &self.builder;
        let handler = builder.where_exceptions_leave(function);
        builder.call(self.hooks["finish"], &[descriptor, frame]);
        for call in throwing {
            builder.catch(*call, handler);
        }
    }

    /// Records memory from Rust's allocator, in the function that defines it.
    fn allocator(&self, function: Value, kind: Allocator) {
        let builder = &self.builder;
        let (length, kept) = match kind {
            Allocator::Gives => (0, None),
            Allocator::Moves => (3, Some((0, 1))),
            Allocator::Other => return,
        };
        for block in function.blocks() {
            let exit = block.terminator();
            if exit.opcode() != Some(Opcode::LLVMRet) {
                continue;
            }
            let memory = exit.operand(0);
            let (old, kept) = match kept {
                Some((old, kept)) => (function.parameter(old), function.parameter(kept)),
                None => (memory, builder.constant(builder.int64(), 0)),
            };
            let arguments = [memory, function.parameter(length), old, kept];
            builder.before(exit).call(self.hooks["given"], &arguments);
        }
    }
}
