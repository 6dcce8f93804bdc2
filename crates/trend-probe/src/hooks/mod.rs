//! Inserts entries, exits and watched accesses into routines.
//!
//! - [`calls`]: calls of other functions, and their effects on memory if known.
//! - [`memory`]: hooks for accesses to memory.
//! - `hooks.ll`: the hooks themselves.

mod calls;
mod memory;

use std::collections::HashMap;

use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use trend_runtime::record::PART_MARK;
use trend_runtime::thread::{LAST_ID, LAST_ID_WATCHED, STACK};

use crate::accesses::{self, Access};
use crate::costs::{AT_EXIT, BEFORE_CALL, OF_PART, ends_in_tail_call};
use crate::ir::{self, Builder, Opcode, Value};
use crate::models::{self, Allocator};
use crate::redundancy;
use crate::routines::{is_part, is_routine, may_not_return, returns_twice};
use crate::{Options, ProbeError, Unit};

const SOURCE: &str = include_str!("hooks.ll");

/// Links the hooks into a module.
pub(crate) fn link<'a>(
    context: &'a Context,
    module: &Module<'a>,
    options: Options,
) -> Result<(), ProbeError> {
    let widened = 2_u32.saturating_sub(options.cell_shift);
    let inside: i64 = if widened > 0 { (1 << 47) - 1 } else { -1 };
    // Ids of activations stay below the marks of cells that others wrote.
    let (below, last_id) = if options.is_dynamic { ("slt", LAST_ID_WATCHED) } else { ("ult", LAST_ID) };
    let lines = |are_there: bool| if are_there { ("", ";") } else { (";", "") };
    let (dynamic, fixed) = lines(options.is_dynamic);
    let (contexts, flat) = lines(options.has_contexts);
    let (timed, counted) = lines(options.unit == Unit::Nanoseconds);
    // Short ranges of cells of 4 bytes are checked without the runtime. For writes, this requires that others are not
    // watched.
    let (short_read, long_read) = lines(options.cell_shift == 2);
    let (short_write, _) = lines(!options.is_dynamic && options.cell_shift == 2);
    let source = SOURCE
        .replace("{dynamic}", dynamic)
        .replace("{static}", fixed)
        .replace("{contexts}", contexts)
        .replace("{flat}", flat)
        .replace("{timed}", timed)
        .replace("{counted}", counted)
        .replace("{short.read}", short_read)
        .replace("{long.read}", long_read)
        .replace("{short.write}", short_write)
        .replace("{saving}", if options.is_dynamic { "preserve_mostcc" } else { "preserve_allcc" })
        .replace("{stack_mask}", &STACK.wrapping_neg().cast_signed().to_string())
        .replace("{below}", below)
        .replace("{last_id}", &last_id.cast_signed().to_string())
        .replace("{shift}", &options.cell_shift.to_string())
        .replace("{widened}", &widened.to_string())
        .replace("{inside}", &inside.to_string())
        .replace("{cell_mask}", &(-(1_i64 << options.cell_shift)).to_string());
    let error = |reason: String| ProbeError::Llvm { what: "add the hooks", reason };
    let text = MemoryBuffer::create_from_memory_range_copy(source.as_bytes(), "hooks");
    let hooks = context.create_module_from_ir(text).map_err(|e| error(e.to_string()))?;
    hooks.set_data_layout(&module.get_data_layout());
    hooks.set_triple(&module.get_triple());
    module.link_in_module(hooks).map_err(|e| error(e.to_string()))?;
    ir::functions(module)
        .into_iter()
        .filter(|f| f.name().starts_with("trend.") && !f.is_declaration())
        .for_each(Value::make_internal);
    Ok(())
}

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
        .map(|name| (name, ir::function(module, &format!("trend.{name}")).expect("hooks.ll defines it")))
        .into();
    let mut unit = Instrumentation {
        module,
        builder,
        hooks,
        options,
        descriptors: HashMap::new(),
        externals: HashMap::new(),
    };
    for function in ir::functions(module).into_iter().filter(|f| is_routine(*f)) {
        if is_part(function) {
            function.set_prefix(unit.builder.constant(unit.builder.int64(), u64::from_le_bytes(PART_MARK)));
            unit.part(function);
        } else {
            unit.routine(function);
        }
    }
    for function in ir::functions(module).into_iter().filter(|f| !f.is_declaration()) {
        if let Some(kind) = models::allocator(&function.name()) {
            unit.allocator(function, kind);
        }
    }
}

struct Instrumentation<'a, 'b> {
    module: &'a Module<'b>,
    builder: Builder,
    hooks: HashMap<&'static str, Value>,
    options: Options,
    /// Descriptors by name: copies that the optimizer made of a function are one routine.
    descriptors: HashMap<String, Value>,
    externals: HashMap<Value, Value>,
}

/// Values that the code of one routine keeps in registers.
struct Locals {
    frame: Value,
    mask: Value,
    /// `flip` leads to the writer of a cell; `writer` is the thread's number as a writer.
    flip: Value,
    writer: Value,
    /// Id of the activation in both halves: for two cells of 4 bytes.
    ids: Value,
    parent: Value,
    /// Number of cells that were new.
    count: Value,
    /// Cost at the next exit.
    cost: Value,
    /// Cost that a `longjmp` made the registers forget.
    forgotten: Option<Value>,
}

impl Instrumentation<'_, '_> {
    fn routine(&mut self, function: Value) {
        let blocks = function.blocks();
        let instructions: Vec<Value> = blocks.iter().flat_map(|block| block.instructions()).collect();
        let is_repeated = |of: &Value| of.opcode() == Some(Opcode::LLVMCall) && returns_twice(*of);
        let has_jump = instructions.iter().any(is_repeated);
        let accesses: Vec<Access> =
            instructions.iter().flat_map(|of| accesses::of(*of, self.module)).collect();
        let accesses = redundancy::needed(function, accesses, self.module, self.options);

        let descriptor = self.descriptor(function);
        let locals = self.begin(function, descriptor, has_jump);
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

    /// Instruments a part of its callers. Its reads and costs are counted in the frame on top, which belongs to the
    /// routine that called it. If no routine is running, the part is a routine itself.
    fn part(&mut self, function: Value) {
        let blocks = function.blocks();
        let instructions: Vec<Value> = blocks.iter().flat_map(|block| block.instructions()).collect();
        let accesses: Vec<Access> =
            instructions.iter().flat_map(|of| accesses::of(*of, self.module)).collect();
        let accesses = redundancy::needed(function, accesses, self.module, self.options);
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

    /// Inserts code that loads the values of the callers' frame that a part needs.
    fn begin_part(&self, first: Value) -> Locals {
        let builder = &self.builder;
        let (long, short) = (builder.int64(), builder.int32());
        builder.before(first);
        let (ids, parent) = (builder.variable(long), builder.variable(short));
        builder.before(after_variables(first));
        let frame = builder.call(self.hooks["running"], &[]);
        let count = builder.call(self.hooks["parts.count"], &[frame]);
        let mask = builder.call(self.hooks["mask"], &[]);
        let (flip, writer) = self.writer();
        let cost = builder.constant(long, 0);
        let locals = Locals { frame, mask, flip, writer, ids, parent, count, cost, forgotten: None };
        self.reload(&locals);
        locals
    }

    /// Returns the XOR that leads from a shadow to the writers of cells, and the thread's number as a writer.
    fn writer(&self) -> (Value, Value) {
        let builder = &self.builder;
        if self.options.is_dynamic {
            (builder.call(self.hooks["flip"], &[]), builder.call(self.hooks["writer"], &[]))
        } else {
            (builder.constant(builder.int64(), 0), builder.constant(builder.int32(), 0))
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

    /// Inserts the entry of a routine.
    fn begin(&self, function: Value, descriptor: Value, has_jump: bool) -> Locals {
        let builder = &self.builder;
        let first = function.blocks()[0].instructions()[0];
        let (long, short) = (builder.int64(), builder.int32());
        builder.before(first);
        let [count, cost] = [(); 2].map(|()| builder.variable(long));
        let (ids, parent) = (builder.variable(long), builder.variable(short));
        let forgotten = has_jump.then(|| builder.variable(long));
        builder.before(after_variables(first));
        for variable in [count, cost].into_iter().chain(forgotten) {
            builder.store(builder.constant(long, 0), variable);
        }
        let frame = builder.call(self.hooks["enter"], &[descriptor]);
        let mask = builder.call(self.hooks["mask"], &[]);
        let (flip, writer) = self.writer();
        let locals = Locals { frame, mask, flip, writer, ids, parent, count, cost, forgotten };
        self.reload(&locals);
        locals
    }

    /// Writes the routine's `Descriptor` into the module, in the layout that the runtime reads.
    fn descriptor(&mut self, function: Value) -> Value {
        let name = routine_name(&function.name());
        if let Some(known) = self.descriptors.get(&name) {
            return *known;
        }
        let builder = &self.builder;
        let (file, line) = function.source().unwrap_or_default();
        let short = |value: u64| builder.constant(builder.int32(), value);
        let unit = match self.options.unit {
            Unit::Blocks => 0,
            Unit::Instructions => 1,
            Unit::Nanoseconds => 2,
        };
        let config = u64::from(self.options.cell_shift)
            | (unit << 3)
            | (u64::from(self.options.is_dynamic) << 5)
            | (u64::from(self.options.has_contexts) << 6);
        let values = [
            short(0),
            short(u64::from(line)),
            builder.text(&name),
            builder.text(&file),
            short(name.len() as u64),
            short(file.len() as u64),
            short(config),
        ];
        let descriptor = builder.record(c"trend.routine", &values);
        self.descriptors.insert(name, descriptor);
        descriptor
    }

    fn reload(&self, locals: &Locals) {
        self.builder.call(self.hooks["reload"], &[locals.frame, locals.ids, locals.parent]);
    }

    /// Returns the cost so far, at the position of the builder.
    fn own(&self, locals: &Locals, cost: Value) -> Value {
        let builder = &self.builder;
        match locals.forgotten {
            Some(forgotten) => builder.add(cost, builder.load(builder.int64(), forgotten)),
            None => cost,
        }
    }

    fn exit(&self, locals: &Locals, at: Value) {
        let builder = &self.builder;
        let long = builder.int64();
        let count = builder.before(at).load(long, locals.count);
        let cost = builder.load(long, locals.cost);
        let own = self.own(locals, cost);
        builder.call(self.hooks["exit"], &[locals.frame, count, own]);
    }
}

/// Returns the instruction behind the variables at the start of a function.
fn after_variables(first: Value) -> Value {
    let mut body = first;
    while body.opcode() == Some(Opcode::LLVMAlloca) {
        body = body.next().expect("a block ends with a terminator");
    }
    body
}

/// Returns the name of the function that a function was made from.
fn routine_name(name: &str) -> String {
    let copied = [".specialized.", ".cold.", ".llvm."].iter().find_map(|mark| name.split_once(mark));
    let name = copied.map_or(name, |(front, _)| front);
    // Parts of a coroutine have the coroutine's name.
    let part = [".resume", ".destroy", ".cleanup"].iter().find_map(|part| name.strip_suffix(part));
    part.unwrap_or(name).to_owned()
}
